/* program.c - outside programs: processes that answer in the place of bodies,
 * or robots of a swarm that move in turn. */
#define _GNU_SOURCE /* pipe2 */

#include "io/play/program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"
#include "pb/games.h"

/* Bytes of a short description of a record. */
#define DESCRIBED 128

/* Most other records that a program may send instead of its answer. */
#define OTHERS 1000

/* Send gathered records when they exceed this (bytes). */
#define ENOUGH 4096

/* Tolerance of stamps, which may be rounded to 1e-6 s (s). */
#define LATE 2e-6

/* Patience for a program's first answer: an interpreter and its imports are
 * slow to load on a busy machine (s). */
#define START 30

/* Answer times are averaged over about RECENT answers. To find out whether a
 * program answers unasked, wait AHEAD times that average. */
enum { RECENT = 8, AHEAD = 4 };

/* Length of the word at the beginning of a program's option. */
static size_t
word_length(const char *given)
{
	return strspn(given, "abcdefghijklmnopqrstuvwxyz0123456789"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.");
}

/* Bytes of the NAME before '=' in NAME=COMMAND, 0: no name. */
static size_t
name_length(const char *given)
{
	size_t n = word_length(given);
	size_t plain = strspn(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return given[n] == '=' && plain < n && n < PB_TRIAL_NAME ? n : 0;
}

const char *
pb_agent_command(const char *given)
{
	size_t n = name_length(given);

	return n > 0 ? given + n + 1 : given;
}

/* Append the command without folders and superfluous blanks; control characters
 * become '?'. */
static void
simplify_command(struct pb_text *t, const char *s)
{
	const char blank[] = " \t\n\v\f\r";

	while (*(s += strspn(s, blank))) {
		const char *end = s + strcspn(s, blank);

		for (const char *c = s; c + 1 < end; c++)
			if (*c == '/')
				s = c + 1;
		pb_text_put(t, " ", t->len > 0 ? 1 : 0);
		for (; s < end; s++)
			pb_text_put(t,
			    (unsigned char)*s < ' ' || *s == 127 ? "?" : s, 1);
	}
	pb_text_put(t, "", 1);
}

void
pb_agent_name(const char *given, char *name, size_t size)
{
	size_t n = name_length(given), keep = size - sizeof("~01234567");
	struct pb_text t = {0};

	if (n > 0) {
		snprintf(name, size, "%.*s", (int)n, given);
		return;
	}
	simplify_command(&t, given);
	if (t.len <= size)
		memcpy(name, t.s, t.len);
	else {
		uint64_t h = pb_hash_bytes(PB_HASH_START, t.s, t.len);

		keep = pb_utf8_cut(t.s, t.len, keep);
		snprintf(name, size, "%.*s~%08x", (int)keep, t.s,
		    (unsigned)(h ^ h >> 32));
	}
	pb_text_clear(&t);
}

/* The body of g in BODY:COMMAND, -1: none. */
static int
find_body(const struct pb_game *g, const char *given)
{
	for (int i = 0; g->body && g->body[i]; i++) {
		size_t n = strlen(g->body[i]);

		if (strncmp(given, g->body[i], n) == 0 && given[n] == ':')
			return i;
	}
	return -1;
}

/* Whether a body is named, even of no game: no command begins with
 * WORD:NAME=. */
static bool
names_body(const char *given)
{
	size_t n = word_length(given);

	if (n > 0 && given[n] == ':' && name_length(given + n + 1) > 0)
		return true;
	for (int i = 0; pb_games[i].game; i++)
		if (find_body(pb_games[i].game, given) >= 0)
			return true;
	return false;
}

static bool
refuse_body(const struct pb_game *g, const char *given, struct pb_error *bad)
{
	pb_error_set(bad, "%.*s: %s has no such body%s",
	    (int)strcspn(given, ":"), given, g->name,
	    g->body ? "; it has" : "");
	for (int i = 0; g->body && g->body[i]; i++)
		pb_list_add(bad->text, sizeof(bad->text), i > 0 ? ", " : " ",
		    g->body[i]);
	return false;
}

bool
pb_outside_add(struct pb_outside *x, const struct pb_game *g, const char *given,
    struct pb_error *bad)
{
	int body = find_body(g, given), n = (int)strcspn(given, ":");

	if (body < 0 && names_body(given))
		return refuse_body(g, given, bad);
	if (body >= 0)
		given += n + 1;
	else
		body = 0;
	if (*pb_agent_command(given) == '\0')
		return pb_error_set(bad, "expected a command, got none");
	if (x->body[body])
		return pb_error_set(bad, "two programs for %s",
		    g->body ? g->body[body] : "the player");
	x->body[body] = given;
	return true;
}

bool
pb_outside_ghosts(const struct pb_outside *x)
{
	for (int i = 1; i < PB_BODIES; i++)
		if (x->body[i])
			return true;
	return false;
}

/* Append the name of body i's program to r->ghosts, after the body's name if
 * the ghost before has no program, and hash both into r->options. Returns the
 * new length. */
static size_t
credit_program(const struct pb_outside *x, const struct pb_game *g, int i,
    size_t len, struct pb_trial *r)
{
	char name[PB_TRIAL_NAME];
	size_t room = sizeof(r->ghosts) - len;
	bool gap = i > 1 && !x->body[i - 1];

	pb_agent_name(x->body[i], name, sizeof(name));
	if (gap)
		r->options = pb_hash_bytes(
		    r->options, g->body[i], strlen(g->body[i]) + 1);
	r->options = pb_hash_bytes(r->options, name, strlen(name) + 1);
	snprintf(r->ghosts + len, room, "%s%s%s%s", len > 0 ? "," : "",
	    gap ? g->body[i] : "", gap ? ":" : "", name);
	return len + strlen(r->ghosts + len);
}

void
pb_outside_credit(
    const struct pb_outside *x, const struct pb_game *g, struct pb_trial *r)
{
	size_t len = 0;

	if (x && x->body[0]) {
		pb_agent_name(x->body[0], r->policy, sizeof(r->policy));
		PB_REC_SET(r->program, pb_agent_command(x->body[0]));
		r->options ^= PB_TRIAL_PROGRAM ^ r->own;
		r->own = 0;
	}
	for (int i = 1; x && i < PB_BODIES; i++)
		if (x->body[i])
			len = credit_program(x, g, i, len, r);
}

/* Set the error and the cause of a trial's end for an agent. */
#define FAIL(a, why, ...) \
	(PB_REC_SET((a)->cause, why), pb_error_set(&(a)->bad, __VA_ARGS__))

static void
exec_agent(const int in[2], const int out[2], const char *command)
{
	sigset_t none;

	setpgid(0, 0);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(
	    &none); /* threads block the signals that the main thread handles */
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Process groups of running programs, 0: free place. */
static _Atomic pid_t group[PB_WORK_THREADS * PB_BODIES];
static atomic_bool ending;

static void
kill_groups(void)
{
	ending = true;
	for (size_t i = 0; i < sizeof(group) / sizeof(*group); i++) {
		pid_t g = group[i]; /* another thread may remove it */

		if (g > 0)
			kill(-g, SIGKILL);
	}
}

/* Replace a process group in the list. False: it is not in the list. */
static bool
replace_group(pid_t from, pid_t to)
{
	for (size_t i = 0; i < sizeof(group) / sizeof(*group); i++) {
		pid_t was = from;

		if (atomic_compare_exchange_strong(&group[i], &was, to))
			return true;
	}
	return false;
}

/* Start sh -c command. Failures of the system end this process and are not the
 * player's fault. */
static void
start_agent(struct pb_agent *a, const char *command, double patience)
{
	sigset_t all, before;
	int in[2], out[2];

	pb_msg_at_end(kill_groups);
	*a = (struct pb_agent){.patience = patience};
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		pb_msg_end("cannot start a process: too many open files");
	fflush(stdout);
	/* If a signal ends this process, its handler must find the group in the
	 * list. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	a->pid = fork();
	if (a->pid < 0)
		pb_msg_end(PB_NO_PROCESS);
	if (a->pid == 0)
		exec_agent(in, out, pb_agent_command(command));
	setpgid(a->pid, a->pid);
	/* Another thread may be ending this process. */
	if (!replace_group(0, a->pid) || ending)
		kill(-a->pid, SIGKILL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(in[0]);
	close(out[1]);
	a->to = in[1];
	a->from = out[0];
	fcntl(a->to, F_SETFL, O_NONBLOCK);
}

/* write() without SIGPIPE: the reader of the pipe may have gone. */
static ssize_t
write_without_signal(int fd, const char *s, size_t n)
{
	const struct timespec none = {0, 0};
	sigset_t pipe_only, before;
	ssize_t got;
	int e;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	got = write(fd, s, n);
	e = errno;
	if (got < 0 && e == EPIPE && !sigismember(&before, SIGPIPE))
		while (
		    sigtimedwait(&pipe_only, NULL, &none) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = e;
	return got;
}

/* After a silence of this, flush stdout for observers and look for signals (s).
 */
#define LULL 0.1

static void
drop_bytes(struct pb_agent *a, size_t n)
{
	a->len -= n;
	memmove(a->line, a->line + n, a->len);
}

/* Drop the last answer from the buffer. */
static void
drop_answer(struct pb_agent *a)
{
	drop_bytes(a, a->used);
	a->used = 0;
}

/* Whether a->line holds a whole line that is not blank. Skips the byte order
 * mark that some systems begin a text with. */
static bool
has_line(struct pb_agent *a)
{
	char *nl = memchr(a->line, '\n', a->len);
	size_t n = nl ? (size_t)(nl - a->line) + 1 : a->len;

	if (!nl && (n < sizeof(a->line) || !a->skips))
		return false;
	if (n > 3 && memcmp(a->line, "\xef\xbb\xbf", 3) == 0) {
		drop_bytes(a, 3);
		nl -= nl ? 3 : 0;
		n -= 3;
	}
	if (nl && !a->inside && strspn(a->line, " \t\r") < n - 1) {
		a->used = n;
		*nl = '\0';
		return true;
	}
	a->inside = !nl;
	drop_bytes(a, n);
	return nl && has_line(a);
}

/* Read more of the program's output; false: it has ended. */
static bool
read_output(struct pb_agent *a)
{
	ssize_t got;

	got = read(a->from, a->line + a->len, sizeof(a->line) - a->len);
	a->len += got > 0 ? (size_t)got : 0;
	return got > 0 || (got < 0 && errno == EINTR);
}

/*
 * Wait until the program writes or, if `tell`, can be written to, until `end`
 * at most. A program that skips lines may need us to read what it passes on
 * before it reads further; its output before a question is no answer.
 *
 * Returns  false: timeout, or a signal asks this process to end
 */
static bool
wait_for_agent(struct pb_agent *a, bool tell, double end)
{
	struct pollfd p[2] = {{tell && !a->skips ? -1 : a->from, POLLIN, 0},
	    {tell ? a->to : -1, POLLOUT, 0}};
	double left;

	while (!pb_msg_stopped() && (left = end - pb_pace_seconds()) > 0) {
		/* A signal just before poll() does not interrupt it. */
		int got = poll(p, 2, (int)(fmin(left, LULL) * 1e3) + 1);

		if (got > 0 && (!tell || p[1].revents))
			return true;
		if (got <= 0)
			fflush(stdout);
		else if (read_output(a))
			while (has_line(a))
				drop_answer(a);
		else
			p[0].fd = -1;
	}
	return false;
}

static double
find_limit(const struct pb_agent *a)
{
	return a->begun ? a->patience : fmax(a->start, a->patience);
}

/* Whether the program exits within `wait` (s), and how: the exit shows a little
 * later than the end of its output. */
static bool
report_exit(struct pb_agent *a, double wait)
{
	const struct timespec from = pb_pace_now(), nap = {0, 5000000};
	siginfo_t how = {0};

	while (waitid(P_PID, (id_t)a->pid, &how, WEXITED | WNOHANG | WNOWAIT) ==
		   0 &&
	       how.si_pid == 0 && pb_pace_since(from) < wait)
		nanosleep(&nap, NULL);
	if (how.si_pid == 0)
		return false;
	snprintf(a->cause, sizeof(a->cause), "ended: %s %d",
	    how.si_code == CLD_EXITED ? "status" : "signal", how.si_status);
	pb_error_set(&a->bad, "the agent has %s", a->cause);
	return true;
}

/*
 * Send whole lines, of which only the last may be a question. If the program
 * skips lines, its output meanwhile may be dropped. A program that has gone or
 * does not read for `patience` gets no more, and gives no answer.
 */
static void
send_text(struct pb_agent *a, const struct pb_text *o)
{
	const double limit = find_limit(a), end = pb_pace_seconds() + limit;
	size_t at = 0;

	drop_answer(a);
	while (*a->cause == '\0' && at < o->len) {
		ssize_t got;

		if (!wait_for_agent(a, true, end)) {
			FAIL(a, "late", "the agent did not read for %g s",
			    limit);
			return;
		}
		got = write_without_signal(a->to, o->s + at, o->len - at);
		/* The exit is reported at the next question: when a program
		 * closes its input is a matter of chance. */
		if (got < 0 && errno == EPIPE)
			return;
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			FAIL(a, "ended", "the agent has ended");
		at += got > 0 ? (size_t)got : 0;
	}
}

/*
 * Wait for the program's next line.
 *
 * Returns  the line without its end, of *n bytes, valid until the next call;
 *          NULL: the program failed, see a->bad
 */
static const char *
read_answer(struct pb_agent *a, size_t *n)
{
	const double limit = find_limit(a), from = pb_pace_seconds();
	const double end = from + limit;
	bool more = true;

	drop_answer(a);
	while (*a->cause == '\0' && !has_line(a)) {
		if (a->len == sizeof(a->line))
			FAIL(a, "garbled",
			    "the agent's answer is over %d bytes",
			    PB_AGENT_LINE);
		else if (wait_for_agent(a, false, end) &&
			 (more = read_output(a)))
			continue;
		else if (!report_exit(a, more ? 0 : 1) && more)
			FAIL(a, "late", "the agent gave no answer for %g s",
			    limit);
		else if (*a->cause == '\0')
			FAIL(a, "ended", "the agent has ended");
	}
	if (a->begun)
		a->usual += (pb_pace_seconds() - from - a->usual) / RECENT;
	a->begun |= *a->cause == '\0';
	*n = a->used - 1;
	return *a->cause == '\0' ? a->line : NULL;
}

/* Close the program's input and give it 0.5 s to exit, then kill its group;
 * `now`: kill at once. Afterwards the agent is zeroed. */
static void
end_agent(struct pb_agent *a, bool now)
{
	const struct timespec nap = {0, 10000000}; /* 10 ms */
	siginfo_t ended = {0};

	if (a->pid == 0)
		return;
	/* Kill it before it notices that its input is closed. */
	if (now)
		kill(-a->pid, SIGKILL);
	close(a->to);
	close(a->from);
	for (int i = 0; !now && i < 50 && ended.si_pid == 0; i++) {
		waitid(
		    P_PID, (id_t)a->pid, &ended, WEXITED | WNOHANG | WNOWAIT);
		if (ended.si_pid == 0)
			nanosleep(&nap, NULL);
	}
	kill(-a->pid, SIGKILL);
	/* Its number cannot be reused until waitpid(). */
	replace_group(a->pid, 0);
	waitpid(a->pid, NULL, 0);
	a->pid = 0;
}

int
pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad)
{
	int d = pb_dir_of(m->dir);

	if (d <= PB_STAY)
		return d;
	pb_error_set(bad,
	    "move.dir: expected up, left, down, right or stop%s, got \"%s\"",
	    strpbrk(m->dir, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ? " in small letters"
							  : "",
	    m->dir);
	return -1;
}

/* A short description of a record: "a move of pinky". */
static const char *
describe_record(enum pb_rec_type type, const char *id, char buf[DESCRIBED])
{
	snprintf(buf, DESCRIBED, "a %s%s%s",
	    type == PB_REC_OTHER ? "record" : pb_rec_name(type),
	    *id ? " of " : "", id);
	return buf;
}

bool
pb_programs_have(const struct pb_programs *p, int i)
{
	return p->given && p->given->body[i];
}

/* Note that program `who` has failed: it did not start or answer, or its answer
 * is invalid. */
static void
mark_failed(struct pb_programs *p, int who)
{
	if (*p->body[who].cause == '\0')
		PB_REC_SET(p->body[who].cause, "garbled");
	p->failed = true;
	p->who = who;
}

const char *
pb_programs_why(const struct pb_programs *p)
{
	return p->body[p->who].bad.text;
}

void
pb_programs_complain(const struct pb_programs *p)
{
	struct pb_place at = {
	    p->given->body[p->who], p->who == 0 ? p->decisions : 0};

	if (!pb_msg_stopped())
		pb_msg_error_at(at, &p->body[p->who].bad);
}

/* Send program i the records gathered for it. */
static void
send_due(struct pb_programs *p, int i)
{
	struct pb_text *due = &p->due[i];

	send_text(&p->body[i], due);
	for (size_t at = 0; i == 0 && at < due->len; at++)
		p->lines_sent += due->s[at] == '\n';
	due->len = 0;
}

/* Whether r has time t; if not, clear it and fill bad in. */
static bool
check_time(struct pb_rec *r, double t, struct pb_error *bad)
{
	double late = r->stamp.t - t;

	if (!(fabs(late) > LATE))
		return true;
	pb_error_set(bad, "%s.t: expected %.10g, got %.10g",
	    pb_rec_name(r->type), t, t + late);
	pb_rec_clear(r);
	return false;
}

/*
 * Read the answer of program i at time t (NAN: any): a record of that type,
 * with the id `name` if not NULL. Skips up to others - 1 records of another
 * type or an earlier time.
 *
 * Returns  true with r for pb_rec_clear; false: `bad` of the program says why
 */
static bool
read_answer_record(struct pb_programs *p, int i, enum pb_rec_type type,
    const char *name, double t, long others, struct pb_rec *r)
{
	struct pb_agent *a = &p->body[i];
	char what[DESCRIBED], got[DESCRIBED];

	for (long n = 0; n < others; n++) {
		size_t len;
		const char *line = read_answer(a, &len);

		if (!line ||
		    !pb_rec_read(line, len, PB_REC_BIT(type), r, &a->bad))
			return false;
		if (r->type == type && !(r->stamp.t < t - LATE) &&
		    (!name || strcmp(r->stamp.id, name) == 0))
			return check_time(r, t, &a->bad);
		describe_record(r->type, r->stamp.id, got);
		pb_rec_clear(r);
	}
	if (others > 1)
		snprintf(got, sizeof(got), "%ld other records", others);
	return pb_error_set(&a->bad, "expected %s, got %s",
	    describe_record(type, name ? name : "", what), got);
}

static void
add_cmd(struct pb_programs *p, const struct pb_ghost_event *n, const char *name,
    struct pb_rec_cmd c)
{
	PB_REC_SET(c.name, name);
	pb_rec_put(&p->due[n->body], PB_REC_CMD,
	    pb_stamp_at(n->t, p->game->body[n->body]), &c);
}

static void
add_state(struct pb_programs *p, const struct pb_ghost_event *n)
{
	struct pb_rec_state s;

	pb_rec_none(PB_REC_STATE, &s);
	PB_REC_SET(s.state, p->phase);
	pb_rec_put(&p->due[n->body], PB_REC_STATE, pb_stamp_at(n->t, NULL), &s);
}

/* Add the event as a record; returns whether it asks for the ghost's place. */
static bool
add_event(struct pb_programs *p, const struct pb_ghost_event *n)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	switch (n->kind) {
	case PB_GHOST_TICK:
		add_state(p, n);
		return true;
	case PB_GHOST_RESET:
		add_cmd(p, n, "reset_ghosts", c);
		return true;
	case PB_GHOST_CLICK:
		c.kind = PB_VALUE_POINT;
		c.point = n->at;
		add_cmd(p, n, "spawn", c);
		return true;
	case PB_GHOST_SPEED:
		c.kind = PB_VALUE_NUM;
		c.num = n->speed;
		add_cmd(p, n, "speed", c);
		break;
	case PB_GHOST_STATE:
		p->phase = n->state;
		add_state(p, n);
		break;
	case PB_GHOST_ROBOT:
		pb_rec_put_pose(&p->due[n->body], pb_stamp_at(n->t, "robot"),
		    n->robot, "estimate");
		break;
	}
	return false;
}

static bool
read_pose(
    struct pb_programs *p, const struct pb_ghost_event *n, struct pb_vec *at)
{
	struct pb_rec *r = &p->rec;
	struct pb_vec to;

	/* Two states may have the same time: skip the second answer. */
	if (!read_answer_record(p, n->body, PB_REC_POSE, p->game->body[n->body],
		n->t, OTHERS, r))
		return false;
	to = (struct pb_vec){r->pose.x, r->pose.y};
	pb_rec_clear(r);
	if (!isfinite(to.x) || !isfinite(to.y) ||
	    !pb_map_inside(p->map, pb_map_cell(p->map, to)))
		return pb_error_set(&p->body[n->body].bad,
		    "pose: (%g, %g) is not on the map", to.x, to.y);
	*at = to;
	return true;
}

/* Let a program place its ghost on a map. */
static void
place_ghost(void *ctx, const struct pb_ghost_event *n, struct pb_vec *at)
{
	struct pb_programs *p = ctx;
	bool asks;

	if (p->failed)
		return;
	asks = add_event(p, n);
	send_due(p, n->body);
	if (asks && !read_pose(p, n, at))
		mark_failed(p, n->body);
}

/* Send an event to the planner, except pellets. */
static void
inform_planner(void *ctx, const struct pb_event *n)
{
	struct pb_programs *p = ctx;

	if (p->failed ||
	    (n->kind != PB_EVENT_COMMAND && n->kind != PB_EVENT_GOAL &&
		n->kind != PB_EVENT_GOAL_END && n->kind != PB_EVENT_ESTIMATE &&
		(n->kind != PB_EVENT_POSE || n->body == 0)))
		return;
	pb_trace_put(&p->trace, n);
	if (p->due->len > ENOUGH)
		send_due(p, 0);
}

static bool
read_target(
    struct pb_programs *p, const unsigned char *left, struct pb_answer *out)
{
	struct pb_rec *r = &p->rec;
	long id;

	if (!read_answer_record(p, 0, PB_REC_TARGET, NULL,
		pb_game_time(p->game, p->state), OTHERS + p->lines_sent, r))
		return false;
	id = r->target.pellet;
	pb_rec_clear(r);
	p->lines_sent = 0;
	if (id < 0)
		return true;
	out->pellet = pb_trace_pellet(&p->trace, (double)id);
	if (out->pellet < 0 || !left[out->pellet])
		return pb_error_set(
		    &p->body->bad, "target.pellet: %ld is not left", id);
	out->kind = PB_GO_PELLET;
	return true;
}

/* Ask the planner for a pellet. */
static void
choose_pellet(void *ctx, const unsigned char *left, struct pb_answer *out)
{
	struct pb_programs *p = ctx;
	struct pb_rec_cmd c = {.name = "choose", .kind = PB_VALUE_NONE};

	if (p->failed)
		return;
	p->decisions++;
	pb_trace_pellets(&p->trace, left, p->due);
	pb_rec_put(p->due, PB_REC_CMD,
	    pb_stamp_at(pb_game_time(p->game, p->state), "planner"), &c);
	send_due(p, 0);
	if (!read_target(p, left, out))
		mark_failed(p, 0);
}

/* Start program i and send it the ground. If it has exited, the first question
 * reports that. */
static void
start_program(struct pb_programs *p, int i, const struct pb_ground *ground)
{
	struct pb_agent *a = &p->body[i];

	start_agent(a, p->given->body[i], p->patience);
	p->due[i].exact = !ground->maze;
	pb_rec_put(&p->due[i], ground->maze ? PB_REC_MAZE : PB_REC_MAP,
	    pb_stamp_none(),
	    ground->maze ? (const void *)ground->maze : ground->map);
	a->start = START;
	/* A filter passes on the records that it reads. */
	a->skips = !ground->maze;
	send_due(p, i);
}

void
pb_programs_begin(struct pb_programs *p, const struct pb_game *game,
    const struct pb_outside *x, double patience, const struct pb_ground *ground,
    const long *id)
{
	*p = (struct pb_programs){.game = game,
	    .given = x,
	    .patience = patience,
	    .map = ground->map,
	    .trace = {.game = game, .id = id}};
	for (int i = 0; i < PB_BODIES; i++)
		if (pb_programs_have(p, i))
			start_program(p, i, ground);
}

void
pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial)
{
	struct pb_rec_reset r = {.trial = trial};

	p->state = state;
	p->decisions = 0;
	p->phase = NULL;
	/* 53 bits, which every language can represent. */
	r.seed = pb_hash_u64(pb_hash_u64(PB_HASH_START, seed), trial) >> 11;
	for (int i = 0; i < PB_BODIES; i++) {
		if (!pb_programs_have(p, i))
			continue;
		p->due[i].len = 0;
		pb_rec_put(&p->due[i], PB_REC_RESET, pb_stamp_none(), &r);
		send_due(p, i);
	}
	if (p->game->board || !pb_programs_have(p, 0))
		return;
	/* Lines that the planner may pass on: the map and the reset. */
	p->lines_sent = 2;
	pb_trace_begin(&p->trace, p->due, PB_TRACE_DEFAULT, state);
}

/* Whether a program has answered without a question. */
static bool
has_unread(struct pb_agent *a)
{
	struct pollfd in = {.fd = a->from, .events = POLLIN};

	drop_answer(a);
	pb_pace_wait(pb_pace_now(), fmin(AHEAD * a->usual, 1));
	if (a->pid != 0 && poll(&in, 1, 0) > 0 && (in.revents & POLLIN))
		read_output(a);
	return has_line(a) || a->len > 0;
}

bool
pb_programs_eager(struct pb_programs *p)
{
	if (!p->game->board || p->decisions == 0 || !has_unread(p->body))
		return false;
	pb_error_set(&p->body->bad,
	    "it answered without being asked, so its moves answered earlier "
	    "questions");
	mark_failed(p, 0);
	return true;
}

void
pb_programs_end(struct pb_programs *p)
{
	for (int i = 0; i < PB_BODIES; i++) {
		end_agent(&p->body[i], *p->body[i].cause != '\0');
		pb_text_clear(&p->due[i]);
	}
	pb_trace_end(&p->trace);
}

void
pb_programs_leave(struct pb_programs *p)
{
	if (!p->failed && pb_programs_have(p, 0) && pb_programs_eager(p))
		pb_msg_warn((struct pb_place){p->given->body[0], 0}, "%s",
		    pb_programs_why(p));
	pb_programs_end(p);
}

/* Send the tick behind the gathered records, and wait for a move of body i; of
 * the player without id. -1: none. */
static int
ask_move(struct pb_programs *p, int i, const struct pb_seen *k)
{
	const char *name = i > 0 ? p->game->body[i] : NULL;
	struct pb_rec *r = &p->rec;
	int d = -1;

	pb_rec_put(&p->due[i], PB_REC_TICK,
	    pb_stamp_at(pb_game_time(p->game, p->state), NULL), k);
	send_due(p, i);
	if (read_answer_record(p, i, PB_REC_MOVE, name, NAN, 1, r)) {
		d = pb_move_dir(&r->move, &p->body[i].bad);
		pb_rec_clear(r);
	}
	if (d < 0)
		mark_failed(p, i);
	return d;
}

static enum pb_dir
decide_player(void *ctx, const void *view)
{
	struct pb_programs *p = ctx;
	struct pb_seen k;
	int got;

	if (p->failed)
		return PB_STAY;
	p->game->on_board->look(p->state, view, &k);
	p->decisions++;
	got = ask_move(p, 0, &k);
	return got < 0 ? PB_STAY : (enum pb_dir)got;
}

static enum pb_dir
first_way(unsigned ways)
{
	int d = 0;

	while (!(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

static enum pb_dir
decide_body(void *ctx, int body, unsigned ways, int drawn)
{
	struct pb_programs *p = ctx;
	const char *name = p->game->body[body];
	struct pb_rec_draw draw = {.purpose = "turn", .value = drawn};
	struct pb_seen k;
	int got;

	if (p->failed)
		return first_way(ways);
	p->game->on_board->look(p->state, NULL, &k);
	if (drawn >= 0)
		pb_rec_put(&p->due[body], PB_REC_DRAW,
		    pb_stamp_at(pb_game_time(p->game, p->state), name), &draw);
	for (int b = 0; b < k.bodies; b++)
		k.body[b].has_next = false;
	got = ask_move(p, body, &k);
	if (got >= 0 && !(ways >> got & 1)) {
		pb_error_set(&p->body[body].bad,
		    "move.dir: %s: %s cannot turn there", pb_dir_word(got),
		    name);
		mark_failed(p, body);
		got = -1;
	}
	return got < 0 ? first_way(ways) : (enum pb_dir)got;
}

struct pb_agents
pb_programs_agents(struct pb_programs *p)
{
	struct pb_agents c = {.ctx = p, .quits = &p->failed};
	bool player = pb_programs_have(p, 0);

	for (int i = 1; i < PB_BODIES; i++)
		c.bodies |= (unsigned)pb_programs_have(p, i) << i;
	if (!p->game->board) {
		c.emit = player ? inform_planner : NULL;
		c.choose = player ? choose_pellet : NULL;
		c.place = place_ghost;
		return c;
	}
	c.decide = player ? decide_player : NULL;
	c.decide_body = decide_body;
	return c;
}

/* --- robots of a swarm, moving in turn --- */

/* Records that a robot waits for; others are skipped. */
#define HEARD                                                \
	(PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_MOVE) | \
	    PB_REC_BIT(PB_REC_MESSAGE) | PB_REC_BIT(PB_REC_RESULT))

/* The index of the robot with that name, -1: none. */
static int
find_robot(const struct pb_lockstep *c, const char *who)
{
	for (int i = 0; i < c->robots; i++)
		if (strcmp(c->robot[i], who) == 0)
			return i;
	return -1;
}

void
pb_lockstep_begin(
    struct pb_lockstep *c, const char *me, const char *const *robot, int n)
{
	*c = (struct pb_lockstep){.robot = robot, .robots = n};
	if (!me) {
		c->out.to = stdout;
		return;
	}
	c->me = find_robot(c, me);
	c->in = pb_lines_new(NULL, 0);
}

void
pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience)
{
	if (!command || command->n == 0)
		return;
	c->command = command;
	c->out.to = NULL;
	for (int i = 0; i < command->n; i++)
		start_agent(&c->agent[1 + i], command->arg[i], patience);
	/* If the reader of stdout goes, this process must still inform the
	 * agents. */
	signal(SIGPIPE, SIG_IGN);
}

bool
pb_lockstep_hears(const struct pb_lockstep *c, int i)
{
	return c->me ? c->me != i : c->command && i > 0 && i <= c->command->n;
}

bool
pb_lockstep_lost(const struct pb_lockstep *c, int i)
{
	return i >= 0 && c->lost >> i & 1;
}

/* Write the records in c->out and, if `send`, send them to all programs. */
static void
write_out(struct pb_lockstep *c, bool send)
{
	fwrite(c->out.s, 1, c->out.len, stdout);
	for (int i = 1; send && c->command && i <= c->command->n; i++)
		if (!pb_lockstep_lost(c, i))
			send_text(&c->agent[i], &c->out);
	c->out.len = 0;
}

/* Handle the failure of robot i to move at time t (s); nothing if c->bad, the
 * reason, is empty. The process of the first robot declares robot i lost and
 * sends LOST to all; in others, or if it is the first robot itself, the game
 * ends. */
static void
lose_robot(struct pb_lockstep *c, int i, double t)
{
	struct pb_rec_message m = {.name = "LOST"};

	if (c->bad.text[0] == '\0')
		return;
	if (c->me || i < 1) {
		c->failed = true;
		pb_msg_error_at(c->line.at, &c->bad);
		return;
	}
	c->lost |= 1u << i;
	end_agent(&c->agent[i], true);
	if (pb_msg_stopped()) {
		c->failed = true;
		return;
	}
	pb_msg_refuse((struct pb_place){c->robot[i], 0},
	    "%s; the game goes on without", c->bad.text);
	PB_REC_SET(m.value, c->robot[i]);
	pb_rec_put(&c->out, PB_REC_MESSAGE, pb_stamp_at(t, c->robot[0]), &m);
	write_out(c, true);
}

/* Read a record of robot i or, for another than the first robot, of stdin.
 * False: c->bad says why, or is empty after a message. */
static bool
read_record(struct pb_lockstep *c, int i, const char *want)
{
	struct pb_rec *r = &c->rec;
	struct pb_line *l = &c->line;
	enum pb_next got;

	if (!c->me) {
		l->text = (char *)read_answer(&c->agent[i], &l->len);
		c->bad = c->agent[i].bad;
		return l->text &&
		       pb_rec_read(l->text, l->len, HEARD, r, &c->bad);
	}
	c->bad.text[0] = '\0';
	if (!pb_msg_out_ok())
		return false;
	do {
		got = pb_lines_next(c->in, l, &c->bad);
	} while (got == PB_NEXT && l->len == 0);
	if (got == PB_END) {
		pb_msg_warn(l->at, "the stream has ended; expected %s", want);
		pb_msg_status(PB_EXIT_REFUSED);
	}
	return got == PB_NEXT &&
	       pb_rec_read(l->text, l->len, HEARD, r, &c->bad);
}

/* Whether c->rec, where robot i's record was expected, says that a robot is
 * lost; c->bad is set if that is this robot, or not robot i. */
static bool
is_loss(struct pb_lockstep *c, int i, const char *want)
{
	const struct pb_rec *r = &c->rec;
	int who = -1;

	if (c->me && r->type == PB_REC_MESSAGE &&
	    strcmp(r->message.name, "LOST") == 0 &&
	    strcmp(r->stamp.id, c->robot[0]) == 0)
		who = find_robot(c, r->message.value);
	if (who < 1)
		return false;
	c->lost |= 1u << who;
	c->bad.text[0] = '\0';
	if (who == c->me)
		pb_error_set(&c->bad, "the other robots go on without this "
				      "one");
	else if (!pb_lockstep_lost(c, i))
		pb_error_set(&c->bad, "expected %s, got the loss of %s", want,
		    r->message.value);
	return true;
}

/*
 * Read a record of that type of robot i (-1: without id) at time t.
 *
 * Returns  true: c->rec, for pb_rec_clear; false: a message was printed, or the
 *          robot is lost
 */
static bool
read_record_of(struct pb_lockstep *c, int i, enum pb_rec_type type, double t)
{
	struct pb_rec *r = &c->rec;
	char what[DESCRIBED];
	bool lost = false;

	if (c->failed || pb_lockstep_lost(c, i))
		return false;
	describe_record(type, i < 0 ? "" : c->robot[i], what);
	for (int k = 0; !lost && (c->me || k < OTHERS); k++) {
		if (!read_record(c, i, what)) {
			c->failed |= c->bad.text[0] == '\0';
			break;
		}
		/* Our own records come back: skip them. */
		if (r->type == type &&
		    (!c->me || strcmp(r->stamp.id, c->robot[c->me]) != 0))
			return true;
		lost = is_loss(c, i, what);
		pb_rec_clear(r);
		if (!lost)
			pb_error_set(&c->bad,
			    "it wrote %d other records instead", OTHERS);
	}
	lose_robot(c, i, t);
	return false;
}

void
pb_lockstep_part(struct pb_lockstep *c, int i)
{
	bool ours = c->me ? c->me == i : !pb_lockstep_lost(c, i);

	if (!c->me && !c->command)
		return;
	if (ours)
		write_out(c, true);
	c->out.len = 0;
}

void
pb_lockstep_aside(struct pb_lockstep *c)
{
	if (c->command)
		write_out(c, false);
}

bool
pb_lockstep_next(struct pb_lockstep *c, enum pb_rec_type type)
{
	return read_record_of(c, -1, type, NAN);
}

/* Returns the direction in c->rec, a move of robot i at time t; -1: invalid,
 * c->bad says why. */
static int
read_move(struct pb_lockstep *c, int i, double t, unsigned ways)
{
	const struct pb_rec *r = &c->rec;
	char what[DESCRIBED], got[DESCRIBED];
	int d;

	c->bad.text[0] = '\0';
	if (*r->stamp.id && find_robot(c, r->stamp.id) < 0)
		pb_error_set(
		    &c->bad, "move: there is no robot \"%s\"", r->stamp.id);
	else if (strcmp(r->stamp.id, c->robot[i]) != 0)
		pb_error_set(&c->bad, "expected %s, got %s",
		    describe_record(PB_REC_MOVE, c->robot[i], what),
		    describe_record(PB_REC_MOVE, r->stamp.id, got));
	else if ((d = pb_move_dir(&r->move, &c->bad)) < 0)
		return -1;
	else if (isnan(r->stamp.t))
		pb_error_set(&c->bad, "move.t: expected %g, got none", t);
	else if (fabs(r->stamp.t - t) >= 1e-6)
		pb_error_set(
		    &c->bad, "move.t: expected %g, got %g", t, r->stamp.t);
	else if (d != PB_STAY && !(ways >> d & 1))
		pb_error_set(&c->bad, "move.dir: %s: %s may not drive there",
		    pb_dir_word(d), r->stamp.id);
	else
		return d;
	return -1;
}

enum pb_dir
pb_lockstep_move(struct pb_lockstep *c, int i, double t, unsigned ways)
{
	int d;

	if (!read_record_of(c, i, PB_REC_MOVE, t))
		return PB_STAY;
	d = read_move(c, i, t, ways);
	lose_robot(c, i, t);
	if (d >= 0 && !c->me) {
		pb_rec_put(&c->out, PB_REC_MOVE, pb_stamp_at(t, c->robot[i]),
		    &c->rec.move);
		write_out(c, true);
	}
	pb_rec_clear(&c->rec);
	return d < 0 ? PB_STAY : (enum pb_dir)d;
}

bool
pb_lockstep_agrees(struct pb_lockstep *c, uint64_t hash)
{
	bool same;

	if (!pb_lockstep_next(c, PB_REC_RESULT))
		return false;
	same = c->rec.result.trial.hash == hash;
	pb_rec_clear(&c->rec);
	return same || pb_msg_refuse(c->line.at,
			   "result.hash: another game was played here; do all "
			   "robots have the same rules?");
}

void
pb_lockstep_end(struct pb_lockstep *c)
{
	if (c->command && c->out.len > 0)
		write_out(c, true);
	/* If the game is not over, they need not report that this process
	 * ends. */
	for (int i = 0; i < PB_LOCKSTEP_MOST; i++)
		end_agent(&c->agent[i], !c->over);
	pb_lines_free(c->in);
	pb_text_clear(&c->out);
}
