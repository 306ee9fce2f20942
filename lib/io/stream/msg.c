/* msg.c - errors, messages on stderr, the exit status, the end of stdout. */
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

/* Set the text alone; the caller adds file and line. */
static void
set_text(struct pb_error *e, const char *fmt, va_list ap)
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
	set_text(e, fmt, ap);
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
	set_text(e, fmt, ap);
	va_end(ap);
	if (field != NULL)
		snprintf(e->field, sizeof(e->field), "%s", field);
	return pb_error_at(e, file, line);
}

/* Classify an errno: a wrong name is the user's fault, a full table the
 * system's. */
static enum pb_error_kind
classify_errno(int e)
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
		e->kind = classify_errno(err);
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

/* The messages' state, shared by the whole program. */
static struct {
	const char *program;
	bool quiet;
	bool lost; /* stdout failed, and that was reported or needs no report */
	enum pb_exit worst;
	void (*at_finish)(void); /* NULL: nothing to do */
} self = {.program = "pb"};

struct pb_input pb_input = {.hash = PB_HASH_START};

void
pb_input_add(const char *s, size_t n)
{
	if (pb_input.hashed)
		pb_input.hash = pb_hash_bytes(pb_input.hash, s, n);
}

/*
 * If a standard stream is closed, the next file opened would get its number,
 * and messages would end up in that file. Open /dev/null there for the other
 * direction, so that using the stream fails as before.
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
	static char out[65536]; /* 64 KiB: what a pipe holds */
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	if (argv0 && *argv0)
		self.program = slash ? slash + 1 : argv0;
	self.quiet = self.lost = false;
	self.at_finish = NULL;
	self.worst = PB_EXIT_OK;
	fill_standard_streams();
	/* Ignored, so that a write beyond the limit on file size fails like one
	 * on a full disk. */
	signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
	/* Arrays of more than 8 MB go back to the system when they are freed,
	 * and take no more than what is used of them; smaller ones are used
	 * again. With 32 MB a game of safe on 3.5 million cells takes a
	 * quarter more memory; with 1 MB SLAM is 7 % slower. */
	mallopt(M_MMAP_THRESHOLD, 8 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
	/* Not if stdout was replaced by memory (tests). */
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

/* By level: the word before a message, and the exit status. */
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
 * The line is composed first, as stderr is not buffered and lines of tools in a
 * pipe must not mix. Control characters are replaced: file names and input may
 * hold them.
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
	/* The text of a system error already ends with that of errno. */
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

/* Any thread may call this, several at once: the first ends the others. */
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
static struct timespec stopped_at; /* used by the handler only */
static void (*_Atomic at_end)(void);

static void
call_at_end(void)
{
	if (at_end)
		at_end();
}

static void
die_of_signal(int sig)
{
	call_at_end();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Returns the seconds since the first signal. */
static double
measure_since_stop(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)(t.tv_sec - stopped_at.tv_sec) +
	       1e-9 * (double)(t.tv_nsec - stopped_at.tv_nsec);
}

/*
 * The first signal asks the program to end, a second one kills it. One within
 * 0.2 s does not count: timeout(1) and some shells send each signal twice, to
 * the process and to its group.
 */
static void
on_signal(int sig)
{
	if (stopped_by == 0 && !at_once) {
		clock_gettime(CLOCK_MONOTONIC, &stopped_at);
		stopped_by = sig;
	} else if (at_once || measure_since_stop() > 0.2) {
		die_of_signal(sig);
	}
}

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

/* Install the handler unless the signal is ignored or has one. */
static void
catch_default(int sig, void (*handler)(int))
{
	/* SA_RESTART, so that no write fails; code that waits for input checks
	 * pb_msg_stopped(). */
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
	catch_default(SIGPIPE, die_of_signal);
	catch_default(SIGQUIT, die_of_signal);
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

/* Report once that stdout failed with err; silently if its reader has gone. */
static void
report_lost_output(int err)
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
		report_lost_output(errno);
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
		report_lost_output(errno ? errno : err);
	/* Some file systems report a full disk or quota only at the close. */
	errno = 0;
	if (fclose(stdout) != 0 && errno != EBADF)
		report_lost_output(errno);
	if (stopped_by)
		die_of_signal(stopped_by);
	return (int)self.worst;
}

/* Most bytes of a word that spelling is corrected for. */
enum { LONGEST = 48 };

static size_t
min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Damerau-Levenshtein distance without overlapping swaps (optimal string
 * alignment), by dynamic programming with three rows of the table. */
static size_t
spelling_distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][LONGEST + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = row[i % 3], *was = row[(i - 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = min_size(min_size(was[j], now[j - 1]) + 1,
			    was[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = min_size(
				    now[j], row[(i - 2) % 3][j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

struct pb_suggest
pb_suggest_for(const char *typed)
{
	size_t n = strlen(typed);

	/* The first distance that is too far: half of the letters of a word
	 * below 6, at most 2, or a third of a longer one are near. */
	return (struct pb_suggest){.typed = typed,
	    .distance = (n < 6 ? min_size(n / 2, 2) : n / 3) + 1};
}

void
pb_suggest_try(struct pb_suggest *near, const char *words)
{
	size_t typed = strlen(near->typed), n, d;

	for (; *words != '\0'; words += n, words += strspn(words, "|, ")) {
		n = strcspn(words, "|, ");
		if (n == 0 || n > LONGEST || typed > LONGEST)
			continue;
		d = spelling_distance(near->typed, typed, words, n);
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
