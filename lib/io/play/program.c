/* program.c - outside programs: processes that read lines and answer, in the
 * places of bodies that are asked, or robots that speak in turn. */
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

/* Bytes of a record in a few words. */
#define DESCRIBED 128

/* Other records in place of an answer, and there is none. */
#define OTHERS 1000

/* What has been gathered is told when it is more than this (bytes). */
#define ENOUGH 4096

/* Stamps may be rounded to 1e-6 s. */
#define LATE 2e-6

/* Time for the first answer of a program (s): an interpreter and what it
 * imports are slow on a loaded machine. */
#define START 30

/* The mean of what an answer takes is over so many, about. Of a program that is
 * one answer ahead the next comes within so many times that. */
enum { RECENT = 8, AHEAD = 4 };

/* Letters and so on that something given begins with. */
static size_t
word_length(const char *given)
{
	return strspn(given, "abcdefghijklmnopqrstuvwxyz0123456789"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.");
}

/* Bytes of the name that something given begins with, 0: none. */
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

/* The command without folders, blanks that are not needed, odd bytes. */
static void
put_plain(struct pb_text *t, const char *s)
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
	put_plain(&t, given);
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

/* The body of g that `given` begins with, and a colon; -1: none. */
static int
body_of(const struct pb_game *g, const char *given)
{
	for (int i = 0; g->body && g->body[i]; i++) {
		size_t n = strlen(g->body[i]);

		if (strncmp(given, g->body[i], n) == 0 && given[n] == ':')
			return i;
	}
	return -1;
}

/* Whether a body is meant, if of no game: WORD:NAME= is no command's begin. */
static bool
means_body(const char *given)
{
	size_t n = word_length(given);

	if (n > 0 && given[n] == ':' && name_length(given + n + 1) > 0)
		return true;
	for (int i = 0; pb_games[i].game; i++)
		if (body_of(pb_games[i].game, given) >= 0)
			return true;
	return false;
}

static bool
no_such_body(const struct pb_game *g, const char *given, struct pb_error *bad)
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
	int body = body_of(g, given), n = (int)strcspn(given, ":");

	if (body < 0 && means_body(given))
		return no_such_body(g, given, bad);
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

/* Where bodies before it are no programs, it is said whose place it has. */
static size_t
credit_ghost(const struct pb_outside *x, const struct pb_game *g, int i,
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
			len = credit_ghost(x, g, i, len, r);
}

/* As pb_error_set(), of one that is at fault. */
#define FAIL(a, why, ...) \
	(PB_REC_SET((a)->cause, why), pb_error_set(&(a)->bad, __VA_ARGS__))

static void
be_agent(const int in[2], const int out[2], const char *command)
{
	sigset_t none;

	setpgid(0, 0);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none); /* threads block what the main one handles */
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Process groups of the programs that run, 0: no group. */
static _Atomic pid_t group[PB_WORK_THREADS * PB_BODIES];
static atomic_bool ending;

static void
kill_groups(void)
{
	ending = true;
	for (size_t i = 0; i < sizeof(group) / sizeof(*group); i++) {
		pid_t g = group[i]; /* another thread may take it out */

		if (g > 0)
			kill(-g, SIGKILL);
	}
}

/* Put `to` in the place of a group; false: there is no such group. */
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

/* Start sh -c command. If the system cannot, that is no fault of a player. */
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
	/* A signal that ends us must find the group in the list. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	a->pid = fork();
	if (a->pid < 0)
		pb_msg_end(PB_NO_PROCESS);
	if (a->pid == 0)
		be_agent(in, out, pb_agent_command(command));
	setpgid(a->pid, a->pid);
	/* Another thread may end the program. */
	if (!replace_group(0, a->pid) || ending)
		kill(-a->pid, SIGKILL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(in[0]);
	close(out[1]);
	a->to = in[1];
	a->from = out[0];
	fcntl(a->to, F_SETFL, O_NONBLOCK);
}

/* write() to a pipe whose reader may have gone, without the signal. */
static ssize_t
write_quietly(int fd, const char *s, size_t n)
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

/* Longer silence is no part of a game's pace: show what there is (s). */
#define LULL 0.1

static void
drop_bytes(struct pb_agent *a, size_t n)
{
	a->len -= n;
	memmove(a->line, a->line + n, a->len);
}

/* The answer that was given last is not needed any more. */
static void
forget(struct pb_agent *a)
{
	drop_bytes(a, a->used);
	a->used = 0;
}

/* Whether a whole line that is not blank is in a->line, behind the byte order
 * mark that some systems begin each text with. */
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

/* Read some of what it says; false: it has ended. */
static bool
fill(struct pb_agent *a)
{
	ssize_t got;

	got = read(a->from, a->line + a->len, sizeof(a->line) - a->len);
	a->len += got > 0 ? (size_t)got : 0;
	return got > 0 || (got < 0 && errno == EINTR);
}

/*
 * Wait until it has said more or, if we have something to `tell`, reads, but
 * until `end` at most. One that skips lines may read on only after we have read
 * what it passed on: what it says before a question is no answer.
 *
 * Returns  false: too long, or a signal asks us to end
 */
static bool
wait_for(struct pb_agent *a, bool tell, double end)
{
	struct pollfd p[2] = {{tell && !a->skips ? -1 : a->from, POLLIN, 0},
	    {tell ? a->to : -1, POLLOUT, 0}};
	double left, most = LULL;

	while (!pb_msg_stopped() && (left = end - pb_pace_seconds()) > 0) {
		int got = poll(p, 2, (int)(fmin(left, most) * 1e3) + 1);

		if (got > 0 && (!tell || p[1].revents))
			return true;
		if (got <= 0) {
			fflush(stdout);
			most = INFINITY;
		} else if (fill(a))
			while (has_line(a))
				forget(a);
		else
			p[0].fd = -1;
	}
	return false;
}

static double
limit_of(const struct pb_agent *a)
{
	return a->begun ? a->patience : fmax(a->start, a->patience);
}

/* Whether it has ended within `wait` (s), and how: it shows a little later than
 * the end of what it says. */
static bool
say_end(struct pb_agent *a, double wait)
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
 * Send text of whole lines; only the last one may be a question. If it skips
 * lines, those that it says until it has read all may be dropped. One that has
 * gone or does not read for `patience` is told no more, and gives no answer.
 */
static void
tell_agent(struct pb_agent *a, const struct pb_text *o)
{
	const double limit = limit_of(a), end = pb_pace_seconds() + limit;
	size_t at = 0;

	forget(a);
	while (*a->cause == '\0' && at < o->len) {
		ssize_t got;

		if (!wait_for(a, true, end)) {
			FAIL(a, "late", "the agent did not read for %g s",
			    limit);
			return;
		}
		got = write_quietly(a->to, o->s + at, o->len - at);
		/* Whether it has ended shows when it is asked: when it
		 * closed its input is a matter of chance. */
		if (got < 0 && errno == EPIPE)
			return;
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			FAIL(a, "ended", "the agent has ended");
		at += got > 0 ? (size_t)got : 0;
	}
}

/*
 * Wait for its next line.
 *
 * Returns  the line without its end, of *n bytes, good until the next call;
 *          NULL: it is at fault
 */
static const char *
read_answer(struct pb_agent *a, size_t *n)
{
	const double limit = limit_of(a), from = pb_pace_seconds();
	const double end = from + limit;
	bool more = true;

	forget(a);
	while (*a->cause == '\0' && !has_line(a)) {
		if (a->len == sizeof(a->line))
			FAIL(a, "garbled",
			    "the agent's answer is over %d bytes",
			    PB_AGENT_LINE);
		else if (wait_for(a, false, end) && (more = fill(a)))
			continue;
		else if (!say_end(a, more ? 0 : 1) && more)
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

/* Close its input, give it half a second to end, then kill its group; or kill
 * that `now`. Then it is none. */
static void
end_agent(struct pb_agent *a, bool now)
{
	const struct timespec nap = {0, 10000000}; /* 10 ms */
	siginfo_t ended = {0};

	if (a->pid == 0)
		return;
	/* Before it notices that we leave. */
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
	/* Its number is its own until it is waited for. */
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

/* A record of that type and id in a few words: "a move of pinky". */
static const char *
describe(enum pb_rec_type type, const char *id, char buf[DESCRIBED])
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

/* It has not started or answered, or what it said is no answer. */
static void
fail(struct pb_programs *p, int who)
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

/* Tell program i what has been gathered for it. */
static void
tell_due(struct pb_programs *p, int i)
{
	struct pb_text *due = &p->due[i];

	tell_agent(&p->body[i], due);
	for (size_t at = 0; i == 0 && at < due->len; at++)
		p->told += due->s[at] == '\n';
	due->len = 0;
}

/* Whether r is of time t; if not, it is cleared. */
static bool
in_time(struct pb_rec *r, double t, struct pb_error *bad)
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
 * The answer of program i at time t (NAN: any): a record of a type, with the id
 * `name` if that is not NULL, behind at most others - 1 that are not, or are of
 * a time before.
 *
 * Returns  true with r for pb_rec_clear; false: its `bad` says why there is
 * none
 */
static bool
next_answer(struct pb_programs *p, int i, enum pb_rec_type type,
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
			return in_time(r, t, &a->bad);
		describe(r->type, r->stamp.id, got);
		pb_rec_clear(r);
	}
	if (others > 1)
		snprintf(got, sizeof(got), "%ld other records", others);
	return pb_error_set(&a->bad, "expected %s, got %s",
	    describe(type, name ? name : "", what), got);
}

static void
put_cmd(struct pb_programs *p, const struct pb_ghost_event *n, const char *name,
    struct pb_rec_cmd c)
{
	PB_REC_SET(c.name, name);
	pb_rec_put(&p->due[n->body], PB_REC_CMD,
	    pb_stamp_at(n->t, p->game->body[n->body]), &c);
}

static void
put_state(struct pb_programs *p, const struct pb_ghost_event *n)
{
	struct pb_rec_state s;

	pb_rec_none(PB_REC_STATE, &s);
	PB_REC_SET(s.state, p->phase);
	pb_rec_put(&p->due[n->body], PB_REC_STATE, pb_stamp_at(n->t, NULL), &s);
}

/* The news as a record; returns whether it asks for the ghost's place. */
static bool
put_news(struct pb_programs *p, const struct pb_ghost_event *n)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	switch (n->kind) {
	case PB_GHOST_TICK:
		put_state(p, n);
		return true;
	case PB_GHOST_RESET:
		put_cmd(p, n, "reset_ghosts", c);
		return true;
	case PB_GHOST_CLICK:
		c.kind = PB_VALUE_POINT;
		c.point = n->at;
		put_cmd(p, n, "spawn", c);
		return true;
	case PB_GHOST_SPEED:
		c.kind = PB_VALUE_NUM;
		c.num = n->speed;
		put_cmd(p, n, "speed", c);
		break;
	case PB_GHOST_STATE:
		p->phase = n->state;
		put_state(p, n);
		break;
	case PB_GHOST_ROBOT:
		pb_rec_put_pose(&p->due[n->body], pb_stamp_at(n->t, "robot"),
		    n->robot, "estimate");
		break;
	}
	return false;
}

static bool
hear_pose(
    struct pb_programs *p, const struct pb_ghost_event *n, struct pb_vec *at)
{
	struct pb_rec *r = &p->rec;
	struct pb_vec to;

	/* Two states may have one time: the second answer is passed over. */
	if (!next_answer(p, n->body, PB_REC_POSE, p->game->body[n->body], n->t,
		OTHERS, r))
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

/* Let a ghost on a map move. */
static void
place(void *ctx, const struct pb_ghost_event *n, struct pb_vec *at)
{
	struct pb_programs *p = ctx;
	bool asks;

	if (p->failed)
		return;
	asks = put_news(p, n);
	tell_due(p, n->body);
	if (asks && !hear_pose(p, n, at))
		fail(p, n->body);
}

/* Let the planner hear, but for pellets. */
static void
tell(void *ctx, const struct pb_event *n)
{
	struct pb_programs *p = ctx;

	if (p->failed ||
	    (n->kind != PB_EVENT_COMMAND && n->kind != PB_EVENT_GOAL &&
		n->kind != PB_EVENT_GOAL_END && n->kind != PB_EVENT_ESTIMATE &&
		(n->kind != PB_EVENT_POSE || n->body == 0)))
		return;
	pb_trace_put(&p->trace, n);
	if (p->due->len > ENOUGH)
		tell_due(p, 0);
}

static bool
hear_target(
    struct pb_programs *p, const unsigned char *left, struct pb_answer *out)
{
	struct pb_rec *r = &p->rec;
	long id;

	if (!next_answer(p, 0, PB_REC_TARGET, NULL,
		pb_game_time(p->game, p->state), OTHERS + p->told, r))
		return false;
	id = r->target.pellet;
	pb_rec_clear(r);
	p->told = 0;
	if (id < 0)
		return true;
	out->pellet = pb_trace_pellet(&p->trace, (double)id);
	if (out->pellet < 0 || !left[out->pellet])
		return pb_error_set(
		    &p->body->bad, "target.pellet: %ld is not left", id);
	out->kind = PB_GO_PELLET;
	return true;
}

/* Let the planner choose. */
static void
choose(void *ctx, const unsigned char *left, struct pb_answer *out)
{
	struct pb_programs *p = ctx;
	struct pb_rec_cmd c = {.name = "choose", .kind = PB_VALUE_NONE};

	if (p->failed)
		return;
	p->decisions++;
	pb_trace_pellets(&p->trace, left, p->due);
	pb_rec_put(p->due, PB_REC_CMD,
	    pb_stamp_at(pb_game_time(p->game, p->state), "planner"), &c);
	tell_due(p, 0);
	if (!hear_target(p, left, out))
		fail(p, 0);
}

/* Where the game is played is the first line. If a program has gone, the first
 * question will tell. */
static void
start(struct pb_programs *p, int i, const struct pb_ground *ground)
{
	struct pb_agent *a = &p->body[i];

	start_agent(a, p->given->body[i], p->patience);
	p->due[i].exact = !ground->maze;
	pb_rec_put(&p->due[i], ground->maze ? PB_REC_MAZE : PB_REC_MAP,
	    pb_stamp_none(),
	    ground->maze ? (const void *)ground->maze : ground->map);
	a->start = START;
	/* What is a filter passes on what it reads. */
	a->skips = !ground->maze;
	tell_due(p, i);
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
			start(p, i, ground);
}

void
pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial)
{
	struct pb_rec_reset r = {.trial = trial};

	p->state = state;
	p->decisions = 0;
	p->phase = NULL;
	/* 53 bits: a number of every language. */
	r.seed = pb_hash_u64(pb_hash_u64(PB_HASH_START, seed), trial) >> 11;
	for (int i = 0; i < PB_BODIES; i++) {
		if (!pb_programs_have(p, i))
			continue;
		p->due[i].len = 0;
		pb_rec_put(&p->due[i], PB_REC_RESET, pb_stamp_none(), &r);
		tell_due(p, i);
	}
	if (p->game->board || !pb_programs_have(p, 0))
		return;
	/* What the planner passed on of the map, and the reset. */
	p->told = 2;
	pb_trace_begin(&p->trace, p->due, PB_TRACE_DEFAULT, state);
}

/* Whether answers came that nobody has asked for. */
static bool
unread(struct pb_agent *a)
{
	struct pollfd in = {.fd = a->from, .events = POLLIN};

	forget(a);
	pb_pace_wait(pb_pace_now(), fmin(AHEAD * a->usual, 1));
	if (a->pid != 0 && poll(&in, 1, 0) > 0 && (in.revents & POLLIN))
		fill(a);
	return has_line(a) || a->len > 0;
}

bool
pb_programs_eager(struct pb_programs *p)
{
	if (!p->game->board || p->decisions == 0 || !unread(p->body))
		return false;
	pb_error_set(&p->body->bad,
	    "more answers than questions: old moves were played");
	fail(p, 0);
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

/* Send the tick behind what is due and wait for a move of body i; the player's
 * need not say whose it is. -1: there is none. */
static int
exchange(struct pb_programs *p, int i, const struct pb_seen *k)
{
	const char *name = i > 0 ? p->game->body[i] : NULL;
	struct pb_rec *r = &p->rec;
	int d = -1;

	pb_rec_put(&p->due[i], PB_REC_TICK,
	    pb_stamp_at(pb_game_time(p->game, p->state), NULL), k);
	tell_due(p, i);
	if (next_answer(p, i, PB_REC_MOVE, name, NAN, 1, r)) {
		d = pb_move_dir(&r->move, &p->body[i].bad);
		pb_rec_clear(r);
	}
	if (d < 0)
		fail(p, i);
	return d;
}

static enum pb_dir
decide(void *ctx, const void *view)
{
	struct pb_programs *p = ctx;
	struct pb_seen k;
	int got;

	if (p->failed)
		return PB_STAY;
	p->game->on_board->look(p->state, view, &k);
	p->decisions++;
	got = exchange(p, 0, &k);
	return got < 0 ? PB_STAY : (enum pb_dir)got;
}

static enum pb_dir
first_of(unsigned ways)
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
		return first_of(ways);
	p->game->on_board->look(p->state, NULL, &k);
	if (drawn >= 0)
		pb_rec_put(&p->due[body], PB_REC_DRAW,
		    pb_stamp_at(pb_game_time(p->game, p->state), name), &draw);
	for (int b = 0; b < k.bodies; b++)
		k.body[b].has_next = false;
	got = exchange(p, body, &k);
	if (got >= 0 && !(ways >> got & 1)) {
		pb_error_set(&p->body[body].bad,
		    "move.dir: %s: %s cannot turn there", pb_dir_word(got),
		    name);
		fail(p, body);
		got = -1;
	}
	return got < 0 ? first_of(ways) : (enum pb_dir)got;
}

struct pb_agents
pb_programs_agents(struct pb_programs *p)
{
	struct pb_agents c = {.ctx = p, .quits = &p->failed};
	bool player = pb_programs_have(p, 0);

	for (int i = 1; i < PB_BODIES; i++)
		c.bodies |= (unsigned)pb_programs_have(p, i) << i;
	if (!p->game->board) {
		c.emit = player ? tell : NULL;
		c.choose = player ? choose : NULL;
		c.place = place;
		return c;
	}
	c.decide = player ? decide : NULL;
	c.decide_body = decide_body;
	return c;
}

/* --- robots that speak in turn --- */

/* Records that another robot waits for; others are passed over. */
#define HEARD                                                \
	(PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_MOVE) | \
	    PB_REC_BIT(PB_REC_MESSAGE) | PB_REC_BIT(PB_REC_RESULT))

/* The number of a robot, -1: there is none of that name. */
static int
number(const struct pb_lockstep *c, const char *who)
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
	c->me = number(c, me);
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
	/* If nobody reads us, we have to tell them. */
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

/* Write the records in c->out and, unless they are nobody's business, send them
 * to all programs. */
static void
write_out(struct pb_lockstep *c, bool send)
{
	fwrite(c->out.s, 1, c->out.len, stdout);
	for (int i = 1; send && c->command && i <= c->command->n; i++)
		if (!pb_lockstep_lost(c, i))
			tell_agent(&c->agent[i], &c->out);
	c->out.len = 0;
}

/* If c->bad says why robot i did not move at time t (s): as the first we lose
 * it and tell all, else the game cannot go on. */
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

/* The next record of robot i, or of standard input; false: c->bad says why
 * there is none, or it was said. */
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

/* Whether r tells that a robot is lost, in place of robot i's record; c->bad:
 * that cannot be. */
static bool
tells_loss(struct pb_lockstep *c, int i, const char *want)
{
	const struct pb_rec *r = &c->rec;
	int who = -1;

	if (c->me && r->type == PB_REC_MESSAGE &&
	    strcmp(r->message.name, "LOST") == 0 &&
	    strcmp(r->stamp.id, c->robot[0]) == 0)
		who = number(c, r->message.value);
	if (who < 1)
		return false;
	c->lost |= 1u << who;
	c->bad.text[0] = '\0';
	if (who == c->me)
		pb_error_set(&c->bad, "the others go on without us");
	else if (!pb_lockstep_lost(c, i))
		pb_error_set(&c->bad, "expected %s, got the loss of %s", want,
		    r->message.value);
	return true;
}

/*
 * Read a record of that type, of robot i (-1: of nobody), at time t.
 *
 * Returns  whether there is one: c->rec, for pb_rec_clear; if not it was said,
 *          or the robot is lost
 */
static bool
read_part(struct pb_lockstep *c, int i, enum pb_rec_type type, double t)
{
	struct pb_rec *r = &c->rec;
	char what[DESCRIBED];
	bool lost = false;

	if (c->failed || pb_lockstep_lost(c, i))
		return false;
	describe(type, i < 0 ? "" : c->robot[i], what);
	for (int k = 0; !lost && (c->me || k < OTHERS); k++) {
		if (!read_record(c, i, what)) {
			c->failed |= c->bad.text[0] == '\0';
			break;
		}
		/* What we have written ourselves comes back. */
		if (r->type == type &&
		    (!c->me || strcmp(r->stamp.id, c->robot[c->me]) != 0))
			return true;
		lost = tells_loss(c, i, what);
		pb_rec_clear(r);
		if (!lost)
			pb_error_set(
			    &c->bad, "it said %d other records", OTHERS);
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
	return read_part(c, -1, type, NAN);
}

/* The direction that the move in c->rec says, of robot i at time t; -1: c->bad
 * says what is wrong with it. */
static int
read_move(struct pb_lockstep *c, int i, double t, unsigned ways)
{
	const struct pb_rec *r = &c->rec;
	char what[DESCRIBED], got[DESCRIBED];
	int d;

	c->bad.text[0] = '\0';
	if (*r->stamp.id && number(c, r->stamp.id) < 0)
		pb_error_set(
		    &c->bad, "move: there is no robot \"%s\"", r->stamp.id);
	else if (strcmp(r->stamp.id, c->robot[i]) != 0)
		pb_error_set(&c->bad, "expected %s, got %s",
		    describe(PB_REC_MOVE, c->robot[i], what),
		    describe(PB_REC_MOVE, r->stamp.id, got));
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

	if (!read_part(c, i, PB_REC_MOVE, t))
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
	/* They need not say that we have left. */
	for (int i = 0; i < PB_LOCKSTEP_MOST; i++)
		end_agent(&c->agent[i], !c->over);
	pb_lines_free(c->in);
	pb_text_clear(&c->out);
}
