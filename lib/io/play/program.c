/* program.c - programs that play: processes, and bodies that are asked. */
#include "io/play/program.h"

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
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/utf8.h"

static void
be_agent(const int in[2], const int out[2], const char *command)
{
	setpgid(0, 0);
	signal(SIGXFSZ, SIG_DFL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	close(in[0]);
	close(in[1]);
	close(out[0]);
	close(out[1]);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Bytes of the name that something given begins with, 0: none. */
static size_t
name_length(const char *given)
{
	size_t n = strspn(given, "abcdefghijklmnopqrstuvwxyz0123456789"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.");
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
	if (t.failed)
		snprintf(name, size, "?");
	else if (t.len <= size)
		memcpy(name, t.s, t.len);
	else {
		uint64_t h = pb_hash_bytes(PB_HASH_START, t.s, t.len);

		keep = pb_utf8_cut(t.s, t.len, keep);
		snprintf(name, size, "%.*s~%08x", (int)keep, t.s,
		    (unsigned)(h ^ h >> 32));
	}
	pb_text_clear(&t);
}

void
pb_agent_credit(const struct pb_agent_outside *x, struct pb_trial *r)
{
	char name[PB_TRIAL_NAME];
	size_t len = 0;

	if (x && x->player) {
		pb_agent_name(x->player, r->policy, sizeof(r->policy));
		PB_REC_SET(r->program, pb_agent_command(x->player));
		r->options ^= PB_TRIAL_PROGRAM;
	}
	for (int i = 0; x && i < x->ghost.n; i++) {
		pb_agent_name(x->ghost.arg[i], name, sizeof(name));
		r->options = pb_hash_bytes(r->options, name, strlen(name) + 1);
		if (len < sizeof(r->ghosts))
			len += (size_t)snprintf(r->ghosts + len,
			    sizeof(r->ghosts) - len, "%s%s", i ? "," : "",
			    name);
	}
}

bool
pb_agent_start(struct pb_agent *a, const char *command, double patience)
{
	int in[2], out[2];

	*a = (struct pb_agent){.patience = patience};
	if (pipe(in) != 0) {
		pb_msg_system("cannot make a pipe");
		return false;
	}
	if (pipe(out) != 0 || (fflush(stdout), a->pid = fork()) < 0) {
		pb_msg_system("cannot start %.80s", command);
		a->pid = 0;
		close(in[0]);
		close(in[1]);
		return false;
	}
	if (a->pid == 0)
		be_agent(in, out, pb_agent_command(command));
	setpgid(a->pid, a->pid);
	close(in[0]);
	close(out[1]);
	a->to = in[1];
	a->from = out[0];
	fcntl(a->to, F_SETFL, O_NONBLOCK);
	fcntl(a->to, F_SETFD, FD_CLOEXEC);
	fcntl(a->from, F_SETFD, FD_CLOEXEC);
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
	sigprocmask(SIG_BLOCK, &pipe_only, &before);
	got = write(fd, s, n);
	e = errno;
	if (got < 0 && e == EPIPE && !sigismember(&before, SIGPIPE))
		while (
		    sigtimedwait(&pipe_only, NULL, &none) < 0 && errno == EINTR)
			;
	sigprocmask(SIG_SETMASK, &before, NULL);
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

	if (o->failed)
		return pb_error_nomem(bad, "what an agent is told");
	while (n > 0) {
		ssize_t got;

		if (!wait_for_reader(a, end))
			return pb_error_set(bad,
			    "the agent did not read for %g s", a->patience);
		got = write_quietly(a->to, s, n);
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return pb_error_set(bad, "the agent has ended");
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
			pb_error_set(bad, "the agent's answer is over %d bytes",
			    PB_AGENT_LINE);
			return NULL;
		}
		if (!wait_for(a->from, POLLIN, end)) {
			pb_error_set(bad, "the agent gave no answer for %g s",
			    a->patience);
			return NULL;
		}
		got = read(a->from, a->line + a->len, sizeof(a->line) - a->len);
		if (got == 0 || (got < 0 && errno != EINTR)) {
			pb_error_set(bad, "the agent has ended");
			return NULL;
		}
		a->len += got > 0 ? (size_t)got : 0;
	}
}

/* Whether answers came that nobody has asked for. */
static bool
has_unread(const struct pb_agent *a)
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

int
pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad)
{
	int d = pb_dir_of(m->dir);

	if (d <= PB_STAY)
		return d;
	pb_error_set(bad,
	    "move.dir: expected up, left, down, right or stop, got \"%s\"",
	    m->dir);
	return -1;
}

enum pb_dir
pb_programs_first(unsigned ways)
{
	int d = 0;

	while (!(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

/* The board is the first line. If it has gone, the first question will tell. */
static bool
start(struct pb_programs *p, struct pb_agent *a, const char *command,
    double patience, const struct pb_maze *z)
{
	struct pb_error bad;

	if (!pb_agent_start(a, command, patience))
		return false;
	p->ask.len = 0;
	pb_rec_put(&p->ask, PB_REC_MAZE, pb_stamp_none(), z);
	pb_agent_tell(a, &p->ask, &bad);
	return true;
}

bool
pb_programs_begin(struct pb_programs *p, const char *command,
    const struct pb_opt_list *ghost, double patience, const struct pb_maze *z)
{
	*p = (struct pb_programs){.command = command, .ghost = ghost};
	if (command && !start(p, &p->player, command, patience, z))
		return false;
	for (int i = 0; ghost && i < ghost->n; i++)
		if (!start(p, &p->body[i], ghost->arg[i], patience, z))
			return false;
	return true;
}

void
pb_programs_end(struct pb_programs *p, bool forfeit)
{
	if (p->command && p->decisions > 0 && !forfeit &&
	    has_unread(&p->player))
		pb_msg_warn((struct pb_place){p->command, 0},
		    "more answers than questions: old moves were played");
	pb_agent_end(&p->player);
	for (int i = 0; i < PB_SEEN_BODIES; i++)
		pb_agent_end(&p->body[i]);
	pb_text_clear(&p->ask);
}

/* Send the tick and wait for a move; name: whose, NULL: it need not say. */
static int
exchange(struct pb_programs *p, struct pb_agent *a, double t,
    const struct pb_seen *k, const char *name, struct pb_error *bad)
{
	struct pb_rec r;
	const char *line;
	size_t n;
	int d = -1;

	pb_rec_put(&p->ask, PB_REC_TICK, pb_stamp_at(t, NULL), k);
	if (!pb_agent_tell(a, &p->ask, bad))
		return -1;
	line = pb_agent_answer(a, &n, bad);
	if (!line || !pb_rec_read(line, n, PB_REC_BIT(PB_REC_MOVE), &r, bad))
		return -1;
	if (r.type == PB_REC_MOVE && (!name || strcmp(r.stamp.id, name) == 0))
		d = pb_move_dir(&r.move, bad);
	else if (!name)
		pb_error_set(bad, "expected a move record, got another");
	else
		pb_error_set(bad, "expected a move of %s, got a %s of \"%s\"",
		    name,
		    r.type == PB_REC_OTHER ? "record" : pb_rec_name(r.type),
		    r.stamp.id);
	pb_rec_clear(&r);
	return d;
}

bool
pb_programs_ask(
    struct pb_programs *p, double t, struct pb_seen *k, enum pb_dir *d)
{
	struct pb_error bad;
	int got;

	p->ask.len = 0;
	p->decisions++;
	got = exchange(p, &p->player, t, k, NULL, &bad);
	if (got < 0 && !pb_msg_stopped())
		pb_msg_error_at(
		    (struct pb_place){p->command, p->decisions}, &bad);
	*d = got < 0 ? PB_STAY : (enum pb_dir)got;
	return got >= 0;
}

bool
pb_programs_turn(struct pb_programs *p, const char *name, double t, int i,
    struct pb_seen *k, unsigned ways, int drawn, enum pb_dir *d)
{
	struct pb_rec_draw draw = {.purpose = "turn", .value = drawn};
	struct pb_error bad;
	int got;

	p->ask.len = 0;
	if (drawn >= 0)
		pb_rec_put(&p->ask, PB_REC_DRAW, pb_stamp_at(t, name), &draw);
	for (int b = 0; b < k->bodies; b++)
		k->body[b].has_next = false;
	got = exchange(p, &p->body[i], t, k, name, &bad);
	if (got >= 0 && !(ways >> got & 1)) {
		pb_error_set(&bad, "move.dir: %s: %s cannot turn there",
		    pb_dir_word(got), name);
		got = -1;
	}
	if (got < 0 && !pb_msg_stopped())
		pb_msg_error_at((struct pb_place){p->ghost->arg[i], 0}, &bad);
	*d = got < 0 ? PB_STAY : (enum pb_dir)got;
	return got >= 0;
}
