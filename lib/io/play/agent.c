/* agent.c - outside programs: processes that read lines and answer. */
#define _GNU_SOURCE /* pipe2 */

#include "io/play/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"
#include "pb/games.h"

static void
be_agent(const int in[2], const int out[2], const char *command)
{
	setpgid(0, 0);
	signal(SIGXFSZ, SIG_DFL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

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
		pb_opt_list_add(bad->text, sizeof(bad->text),
		    i > 0 ? ", " : " ", g->body[i]);
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
		r->options ^= PB_TRIAL_PROGRAM;
	}
	for (int i = 1; x && i < PB_BODIES; i++)
		if (x->body[i])
			len = credit_ghost(x, g, i, len, r);
}

static const char *const faults[] = {"", "late", "garbled", "ended"};

const char *
pb_agent_fault_name(enum pb_agent_fault f)
{
	return faults[f];
}

/* As pb_error_set(), of one that is at fault. */
#define FAIL(a, kind, bad, ...) \
	((a)->fault = PB_AGENT_##kind, pb_error_set(bad, __VA_ARGS__))

/* Pipes to and from it that no other process of ours keeps open. */
static bool
open_pipes(int in[2], int out[2])
{
	if (pipe2(in, O_CLOEXEC) != 0)
		return false;
	if (pipe2(out, O_CLOEXEC) == 0)
		return true;
	close(in[0]);
	close(in[1]);
	return false;
}

bool
pb_agent_start(struct pb_agent *a, const char *command, double patience,
    struct pb_error *bad)
{
	int in[2], out[2];

	*a = (struct pb_agent){.patience = patience};
	if (!open_pipes(in, out))
		return FAIL(a, ENDED, bad, "cannot make a pipe");
	fflush(stdout);
	a->pid = fork();
	if (a->pid < 0) {
		a->pid = 0;
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		return FAIL(a, ENDED, bad, "cannot start %.80s", command);
	}
	if (a->pid == 0)
		be_agent(in, out, pb_agent_command(command));
	setpgid(a->pid, a->pid);
	close(in[0]);
	close(out[1]);
	a->to = in[1];
	a->from = out[0];
	fcntl(a->to, F_SETFL, O_NONBLOCK);
	return true;
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

/* Wait for fd until `end`; false: too long, or a signal asks us to end. */
static bool
wait_for(int fd, short events, double end)
{
	struct pollfd p = {fd, events, 0};
	double left, most = LULL;

	while (!pb_msg_stopped() && (left = end - pb_pace_seconds()) > 0) {
		if (poll(&p, 1, (int)(fmin(left, most) * 1e3) + 1) > 0)
			return true;
		fflush(stdout);
		most = INFINITY;
	}
	return false;
}

/* The answer that was given last is not needed any more. */
static void
forget(struct pb_agent *a)
{
	a->len -= a->used;
	memmove(a->line, a->line + a->used, a->len);
	a->used = 0;
}

/* Whether a whole line is in a->line, if it is one to be looked at. */
static bool
has_line(struct pb_agent *a)
{
	char *nl = memchr(a->line, '\n', a->len);
	size_t n = nl ? (size_t)(nl - a->line) + 1 : a->len;

	if (!nl && (n < sizeof(a->line) || !a->skips))
		return false;
	if (nl && !a->inside) {
		a->used = n;
		*nl = '\0';
		return true;
	}
	a->inside = !nl;
	a->len -= n;
	memmove(a->line, a->line + n, a->len);
	return nl && has_line(a);
}

/* Drop some of what it says. */
static void
drop(struct pb_agent *a)
{
	ssize_t got;

	forget(a);
	got = read(a->from, a->line + a->len, sizeof(a->line) - a->len);
	a->len += got > 0 ? (size_t)got : 0;
	while (has_line(a))
		forget(a);
}

/*
 * Wait until it reads, as wait_for. One that passes on what it reads may do so
 * only after we have read that: what it says before a question is no answer.
 */
static bool
wait_for_reader(struct pb_agent *a, double end)
{
	struct pollfd p[2] = {
	    {a->to, POLLOUT, 0}, {a->skips ? a->from : -1, POLLIN, 0}};
	double left;

	while (!pb_msg_stopped() && (left = end - pb_pace_seconds()) > 0) {
		if (poll(p, 2, (int)(left * 1e3) + 1) <= 0)
			continue;
		if (p[0].revents)
			return true;
		if (p[1].revents & POLLIN)
			drop(a);
		else
			p[1].fd = -1;
	}
	return false;
}

bool
pb_agent_tell(struct pb_agent *a, const struct pb_text *o, struct pb_error *bad)
{
	double end = pb_pace_seconds() + a->patience;
	const char *s = o->s;
	size_t n = o->len;

	while (n > 0) {
		ssize_t got;

		if (!wait_for_reader(a, end))
			return FAIL(a, LATE, bad,
			    "the agent did not read for %g s", a->patience);
		got = write_quietly(a->to, s, n);
		/* Whether it has ended shows when it is asked: when it
		 * closed its input is a matter of chance. */
		if (got < 0 && errno == EPIPE)
			return true;
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return FAIL(a, ENDED, bad, "the agent has ended");
		if (got > 0) {
			s += got;
			n -= (size_t)got;
		}
	}
	return true;
}

const char *
pb_agent_answer(struct pb_agent *a, size_t *n, struct pb_error *bad)
{
	double end = pb_pace_seconds() + a->patience;

	forget(a);
	for (;;) {
		ssize_t got;

		if (has_line(a)) {
			*n = a->used - 1;
			return a->line;
		}
		if (a->len == sizeof(a->line)) {
			FAIL(a, GARBLED, bad,
			    "the agent's answer is over %d bytes",
			    PB_AGENT_LINE);
			return NULL;
		}
		if (!wait_for(a->from, POLLIN, end)) {
			FAIL(a, LATE, bad, "the agent gave no answer for %g s",
			    a->patience);
			return NULL;
		}
		got = read(a->from, a->line + a->len, sizeof(a->line) - a->len);
		if (got == 0 || (got < 0 && errno != EINTR)) {
			FAIL(a, ENDED, bad, "the agent has ended");
			return NULL;
		}
		a->len += got > 0 ? (size_t)got : 0;
	}
}

bool
pb_agent_unread(const struct pb_agent *a)
{
	struct pollfd in = {.fd = a->from, .events = POLLIN};

	return a->len > a->used ||
	       (a->pid != 0 && poll(&in, 1, 0) > 0 && (in.revents & POLLIN));
}

static void
close_pipes(struct pb_agent *a)
{
	close(a->to);
	close(a->from);
}

void
pb_agent_kill(struct pb_agent *a)
{
	if (a->pid == 0)
		return;
	/* Before it notices that we leave. */
	kill(-a->pid, SIGKILL);
	waitpid(a->pid, NULL, 0);
	close_pipes(a);
	*a = (struct pb_agent){.pid = 0};
}

void
pb_agent_end(struct pb_agent *a)
{
	const struct timespec nap = {0, 10000000}; /* 10 ms */
	pid_t got = 0;

	if (a->pid == 0)
		return;
	close_pipes(a);
	for (int i = 0; i < 50 && got == 0; i++) {
		got = waitpid(a->pid, NULL, WNOHANG);
		if (got == 0)
			nanosleep(&nap, NULL);
	}
	kill(-a->pid, SIGKILL);
	if (got == 0)
		waitpid(a->pid, NULL, 0);
	*a = (struct pb_agent){.pid = 0};
}
