/* msg.c - errors, complaints on stderr, the exit status, the end of stdout. */
#include "io/stream/msg.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/stream/text.h"

/* Nothing but a text; names are written by those who know them. */
static void
set(struct pb_error *e, const char *fmt, va_list ap)
{
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	e->kind = PB_ERROR_REFUSED;
	e->file[0] = e->field[0] = '\0';
	e->line = 0;
}

bool
pb_error_set(struct pb_error *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(e, fmt, ap);
	va_end(ap);
	return false;
}

bool
pb_error_status(struct pb_error *e, const char *what, enum pb_status st)
{
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	return pb_error_set(e, "%s: %s", what, pb_status_text(st));
}

int
pb_error_file(struct pb_error *e, const char *file, long line,
    const char *field, const char *fmt, ...)
{
	va_list ap;

	if (e == NULL)
		return -1;
	va_start(ap, fmt);
	set(e, fmt, ap);
	va_end(ap);
	if (field != NULL)
		snprintf(e->field, sizeof(e->field), "%s", field);
	return pb_error_at(e, file, line);
}

/* A name that leads nowhere is the caller's; a full table is the system's. */
static enum pb_error_kind
kind_of(int e)
{
	if (e == ENOENT)
		return PB_ERROR_MISSING;
	if (e == EACCES || e == EISDIR || e == ENOTDIR || e == ELOOP ||
	    e == ENAMETOOLONG)
		return PB_ERROR_REFUSED;
	return PB_ERROR_SYSTEM;
}

int
pb_error_errno(struct pb_error *e, const char *file, const char *what)
{
	int err = errno;

	pb_error_file(e, file, 0, NULL, "%s: %s", what, strerror(err));
	if (e != NULL)
		e->kind = kind_of(err);
	return -1;
}

int
pb_error_write(struct pb_error *e, const char *file)
{
	pb_error_errno(e, file, "cannot write");
	if (e != NULL)
		e->kind = PB_ERROR_SYSTEM;
	return -1;
}

int
pb_error_file_status(struct pb_error *e, const char *file, enum pb_status st)
{
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	return pb_error_file(e, file, 0, NULL, "%s", pb_status_text(st));
}

int
pb_error_at(struct pb_error *e, const char *file, long line)
{
	if (e == NULL)
		return -1;
	snprintf(e->file, sizeof(e->file), "%s", file != NULL ? file : "");
	e->line = line;
	return -1;
}

/* The one piece of state that the whole program shares. */
static struct {
	const char *program;
	bool quiet;
	bool lost; /* stdout failed and it was said (or need not be) */
	enum pb_exit worst;
	void (*at_finish)(void); /* NULL: nothing more to write */
} self = {.program = "pb"};

struct pb_input pb_input = {.hash = PB_HASH_START};

void
pb_input_add(const char *s, size_t n)
{
	if (pb_input.hashed)
		pb_input.hash = pb_hash_bytes(pb_input.hash, s, n);
}

/*
 * Where a standard stream is closed, the next file would take its number, and
 * what is meant for the user would get into that file. What stands there
 * instead is open for the other direction: to use it fails as it did.
 */
static void
fill_standard_streams(void)
{
	const int mode[] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode[fd]) < 0)
			return;
}

void
pb_msg_start(const char *argv0)
{
	static char out[65536]; /* as much as a pipe holds */
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	if (argv0 && *argv0)
		self.program = slash ? slash + 1 : argv0;
	self.quiet = self.lost = false;
	self.at_finish = NULL;
	self.worst = PB_EXIT_OK;
	fill_standard_streams();
	/* A limit on the size of files is told like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
	/* Arrays of more than 8 MB go back to the system when they are freed,
	 * and take no more than what is used of them; smaller ones are used
	 * again. With 32 MB a game of safe on 3.5 million cells takes a
	 * quarter more memory; with 1 MB SLAM is 7 % slower. */
	mallopt(M_MMAP_THRESHOLD, 8 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
	/* Not if it is memory. */
	if (fileno(stdout) == STDOUT_FILENO && !isatty(STDOUT_FILENO))
		setvbuf(stdout, out, _IOFBF, sizeof(out));
}

const char *
pb_msg_program(void)
{
	return self.program;
}

void
pb_msg_quiet(bool q)
{
	self.quiet = q;
}

void
pb_msg_status(enum pb_exit s)
{
	static const int rank[] = {0, 2, 3, 4, 1};

	if (rank[s] > rank[self.worst])
		self.worst = s;
}

enum pb_exit
pb_msg_worst(void)
{
	return self.worst;
}

/* What is said of a message of a level before it, and the status it gives. */
static const struct {
	const char *before;
	enum pb_exit status;
} levels[] = {[PB_SAY_WARN] = {"warning: ", PB_EXIT_OK},
    [PB_SAY_NOTE] = {"", PB_EXIT_OK},
    [PB_SAY_REFUSED] = {"", PB_EXIT_REFUSED},
    [PB_SAY_USAGE] = {"", PB_EXIT_USAGE},
    [PB_SAY_SYSTEM] = {"", PB_EXIT_SYSTEM},
    [PB_SAY_UNMET] = {"", PB_EXIT_EXPECT}};

/*
 * One line, put together first: stderr is not buffered, and the lines of
 * tools in a pipe must not run into each other. Names of files and what was
 * read may hold what would break the line or the terminal.
 */
bool
pb_msg_say(enum pb_say level, struct pb_place at, const char *fmt, ...)
{
	int err = level == PB_SAY_SYSTEM ? errno : 0;
	char line[2048], where[1100] = "";
	va_list ap;
	size_t n;

	if (self.quiet && level <= PB_SAY_NOTE)
		return false;
	if (at.file && at.line > 0)
		snprintf(
		    where, sizeof(where), "%.1024s:%ld: ", at.file, at.line);
	else if (at.file)
		snprintf(where, sizeof(where), "%.1024s: ", at.file);
	snprintf(line, sizeof(line) - 1, "%.64s: %s%s", self.program, where,
	    levels[level].before);
	n = strlen(line);
	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - 1 - n, fmt, ap);
	va_end(ap);
	n = strlen(line);
	if (err)
		snprintf(line + n, sizeof(line) - 1 - n, ": %s", strerror(err));
	strcat(pb_utf8_clean(line), "\n");
	fflush(stdout);
	fputs(line, stderr);
	pb_msg_status(levels[level].status);
	return false;
}

bool
pb_msg_error_at(struct pb_place at, const struct pb_error *e)
{
	if (e->file[0] != '\0')
		at = (struct pb_place){e->file, e->line};
	if (e->text[0] == '\0')
		return false;
	/* The text of a system's error ends with errno's already. */
	if (e->kind == PB_ERROR_SYSTEM)
		pb_msg_status(PB_EXIT_SYSTEM);
	return pb_msg_refuse(
	    at, "%s%s%s", e->field, e->field[0] != '\0' ? ": " : "", e->text);
}

bool
pb_msg_error(const struct pb_error *e)
{
	return pb_msg_error_at((struct pb_place){0}, e);
}

/* Any thread may come here, and some at once: the first one ends the rest. */
void
pb_msg_end(const char *why)
{
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&once);
	pb_msg_refuse((struct pb_place){0}, "%s", why);
	exit(PB_EXIT_SYSTEM);
}

void
pb_msg_end_memory(void)
{
	pb_msg_end("out of memory");
}

void *
pb_alloc(size_t n, size_t size)
{
	void *p = calloc(n > 0 ? n : 1, size);

	if (p == NULL)
		pb_msg_end_memory();
	return p;
}

void *
pb_resize(void *p, size_t size)
{
	void *q = realloc(p, size);

	if (q == NULL)
		pb_msg_end_memory();
	return q;
}

char *
pb_copy(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(pb_resize(NULL, n), s, n);
}

static volatile sig_atomic_t stopped_by, at_once;
static struct timespec stopped_at; /* only the handler looks */
static void (*_Atomic at_end)(void);

static void
call_at_end(void)
{
	if (at_end)
		at_end();
}

static void
die(int sig)
{
	call_at_end();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Seconds since the first signal. */
static double
since_stop(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)(t.tv_sec - stopped_at.tv_sec) +
	       1e-9 * (double)(t.tv_nsec - stopped_at.tv_nsec);
}

/*
 * The first signal asks. A second one kills, but not at once: timeout(1) and
 * some shells send each signal twice, to the process and to its group.
 */
static void
on_signal(int sig)
{
	if (stopped_by == 0 && !at_once) {
		stopped_by = sig;
		clock_gettime(CLOCK_MONOTONIC, &stopped_at);
	} else if (at_once || since_stop() > 0.2) {
		die(sig);
	}
}

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

/* Handle a signal that would end the program. */
static void
catch_default(int sig, void (*handler)(int))
{
	/* Restart: no write may fail; waits for input look before. */
	struct sigaction old,
	    sa = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigemptyset(&sa.sa_mask);
	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(sig, &sa, NULL);
}

void
pb_msg_catch(void)
{
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++)
		catch_default(caught[i], on_signal);
	catch_default(SIGPIPE, die);
	catch_default(SIGQUIT, die);
	if (atexit(call_at_end) != 0)
		pb_msg_end_memory();
}

void
pb_msg_at_end(void (*f)(void))
{
	at_end = f;
}

void
pb_msg_at_once(bool on)
{
	if (on)
		fflush(stdout);
	at_once = on;
}

void
pb_msg_hold(const int *more, sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++)
		sigaddset(&set, caught[i]);
	for (; more && *more; more++)
		sigaddset(&set, *more);
	pthread_sigmask(SIG_BLOCK, &set, old);
}

bool
pb_msg_stopped(void)
{
	return stopped_by != 0;
}

/* stdout failed with err: say it once; a reader who left knows. */
static void
out_lost(int err)
{
	if (self.lost)
		return;
	self.lost = true;
	pb_msg_status(PB_EXIT_SYSTEM);
	if (err == EPIPE)
		return;
	errno = err;
	pb_msg_system("<stdout>: cannot write");
}

bool
pb_msg_out_ok(void)
{
	if (!self.lost && ferror(stdout))
		out_lost(errno);
	return !self.lost;
}

void
pb_msg_at_finish(void (*write)(void))
{
	self.at_finish = write;
}

int
pb_msg_finish(void)
{
	bool had = ferror(stdout);
	int err = errno;

	if (!had && !self.lost && !stopped_by && self.worst != PB_EXIT_USAGE &&
	    self.at_finish != NULL)
		self.at_finish();
	errno = 0;
	if (fflush(stdout) != 0 || had)
		out_lost(errno ? errno : err);
	/* Some file systems report a full disk or quota only at the close. */
	errno = 0;
	if (fclose(stdout) != 0 && errno != EBADF)
		out_lost(errno);
	if (stopped_by)
		die(stopped_by);
	return (int)self.worst;
}

/* Longer words are not looked at. */
enum { LONGEST = 48 };

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Damerau's distance, where no two swaps overlap, by the table of the
 * distances of all beginnings: three rows of it at a time.
 */
static size_t
distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][LONGEST + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = row[i % 3], *was = row[(i - 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(least(was[j], now[j - 1]) + 1,
			    was[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] =
				    least(now[j], row[(i - 2) % 3][j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

struct pb_suggest
pb_suggest_for(const char *typed)
{
	size_t n = strlen(typed);

	/* One beyond what is near enough: half of a short word is. */
	return (struct pb_suggest){
	    .typed = typed, .distance = (n < 6 ? least(n / 2, 2) : n / 3) + 1};
}

void
pb_suggest_try(struct pb_suggest *near, const char *words)
{
	size_t typed = strlen(near->typed), n, d;

	for (; *words != '\0'; words += n, words += strspn(words, "|, ")) {
		n = strcspn(words, "|, ");
		if (n == 0 || n > LONGEST || typed > LONGEST)
			continue;
		d = distance(near->typed, typed, words, n);
		if (d >= near->distance)
			continue;
		near->distance = d;
		near->best = words;
		near->n = n;
	}
}

const char *
pb_suggest_text(struct pb_suggest *near)
{
	near->text[0] = '\0';
	if (near->best != NULL)
		snprintf(near->text, sizeof(near->text),
		    "; did you mean \"%.*s\"?", (int)near->n, near->best);
	return near->text;
}
