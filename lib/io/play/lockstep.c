/* lockstep.c - robots that speak in turn, each a process. */
#include "io/play/lockstep.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/play/program.h"
#include "io/stream/msg.h"

/* Records that a game consists of; others are nobody's part. */
#define PB_LOCKSTEP_PARTS                                           \
	(PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_TICK) |        \
	    PB_REC_BIT(PB_REC_MOVE) | PB_REC_BIT(PB_REC_POSE) |     \
	    PB_REC_BIT(PB_REC_MESSAGE) | PB_REC_BIT(PB_REC_EVENT) | \
	    PB_REC_BIT(PB_REC_RESULT))

/* The number of a robot, -1: there is none of that name. */
static int
number(const struct pb_lockstep *c, const char *who)
{
	for (int i = 0; i < c->robots; i++)
		if (strcmp(c->robot[i], who) == 0)
			return i;
	return -1;
}

bool
pb_lockstep_begin(
    struct pb_lockstep *c, const char *me, const char *const *robot, int n)
{
	*c = (struct pb_lockstep){.robot = robot, .robots = n};
	if (!me) {
		c->out.to = stdout;
		return true;
	}
	c->me = number(c, me);
	c->in = pb_lines_new(NULL, 0);
	if (c->in)
		return true;
	return pb_msg_nomem("cannot read");
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

/* Refuse the line that was heard last; the game cannot go on. */
static void PB_PRINTF(2, 3) refuse(struct pb_lockstep *c, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	c->failed = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pb_msg_refuse(c->line.at, "%s", text);
}

/* A record in a few words: "a move of pinky". */
static const char *
describe(const struct pb_rec *r, char *buf, size_t size)
{
	const char *id = r->stamp.id;

	snprintf(buf, size, "a %s%s%s%s%s", pb_rec_name(r->type),
	    r->type == PB_REC_MESSAGE ? " " : "",
	    r->type == PB_REC_MESSAGE ? r->message.name : "", *id ? " of " : "",
	    id);
	return buf;
}

/* Whether r says that a robot is lost. If it is us, we are done. */
static bool
tells_loss(struct pb_lockstep *c, const struct pb_rec *r)
{
	int i;

	if (r->type != PB_REC_MESSAGE || strcmp(r->message.name, "LOST") != 0 ||
	    strcmp(r->stamp.id, c->robot[0]) != 0)
		return false;
	i = number(c, r->message.value);
	if (i > 0 && i == c->me)
		refuse(c, "the others go on without us");
	else if (i > 0)
		c->lost |= 1u << i;
	return i > 0;
}

/* The next line on standard input that is a part of the game. */
static bool
hear(struct pb_lockstep *c, struct pb_rec *r, const char *want)
{
	struct pb_error bad;

	while (!c->failed && pb_msg_out_ok()) {
		enum pb_line_got got = pb_lines_next(c->in, &c->line, &bad);

		if (got == PB_LINE_FAIL)
			break;
		if (got == PB_LINE_END) {
			pb_msg_warn(c->line.at,
			    "the stream has ended; expected %s", want);
			pb_msg_status(PB_EXIT_REFUSED);
			break;
		}
		if (got == PB_LINE_TEXT && c->line.len == 0)
			continue;
		if (got == PB_LINE_BAD ||
		    !pb_rec_read(c->line.text, c->line.len, PB_LOCKSTEP_PARTS,
			r, &bad)) {
			pb_msg_error_at(c->line.at, &bad);
			break;
		}
		if (PB_LOCKSTEP_PARTS & PB_REC_BIT(r->type))
			return true;
		pb_rec_clear(r);
	}
	c->failed = true;
	return false;
}

/* Write the records in c->out to standard output; they stay there. */
static void
put(struct pb_lockstep *c)
{
	if (c->out.failed)
		pb_msg_out_nomem();
	fwrite(c->out.s, 1, c->out.len, stdout);
}

/* All hear the records in c->out. */
static void
say(struct pb_lockstep *c)
{
	put(c);
	for (int i = 1; c->command && i <= c->command->n; i++)
		if (!((c->lost | c->deaf) >> i & 1) &&
		    !pb_agent_tell(&c->agent[i], &c->out, &c->why[i]))
			c->deaf |= 1u << i;
	c->out.len = 0;
}

/* Robot i, a program, is lost at time t (s), and all are told so. */
static void
lose(struct pb_lockstep *c, int i, double t, const struct pb_error *bad)
{
	struct pb_rec_message m = {.name = "LOST"};

	c->lost |= 1u << i;
	pb_agent_kill(&c->agent[i]);
	if (pb_msg_stopped()) {
		c->failed = true;
		return;
	}
	pb_msg_refuse((struct pb_place){c->robot[i], 0},
	    "%s; the game goes on without", bad->text);
	PB_REC_SET(m.value, c->robot[i]);
	pb_rec_put(&c->out, PB_REC_MESSAGE, pb_stamp_at(t, c->robot[0]), &m);
	say(c);
}

/* More lines of a program that are nobody's part, and it is lost. */
#define OTHERS 1000

/*
 * Hear the next part of robot i, a program.
 *
 * Returns  true: c->line has it, and r, for pb_rec_clear; false: bad says why
 *          there is none
 */
static bool
listen(struct pb_lockstep *c, int i, struct pb_rec *r, struct pb_error *bad)
{
	if (c->deaf >> i & 1) {
		*bad = c->why[i];
		return false;
	}
	for (int k = 0; k < OTHERS; k++) {
		c->line.text =
		    (char *)pb_agent_answer(&c->agent[i], &c->line.len, bad);
		if (!c->line.text || !pb_rec_read(c->line.text, c->line.len,
					 PB_LOCKSTEP_PARTS, r, bad))
			return false;
		if (PB_LOCKSTEP_PARTS & PB_REC_BIT(r->type))
			return true;
		pb_rec_clear(r);
	}
	return pb_error_set(bad, "it said %d other records", OTHERS);
}

/*
 * Hear a part of robot i (-1: of nobody's), `want` in words, at time t.
 *
 * Returns  whether there is one: r, for pb_rec_clear; if not it was said, or
 *          he is lost
 */
static bool
hear_of(
    struct pb_lockstep *c, int i, const char *want, double t, struct pb_rec *r)
{
	struct pb_error bad;

	if (c->me) {
		if (!hear(c, r, want))
			return false;
		if (!tells_loss(c, r))
			return true;
		if (!c->failed && !pb_lockstep_lost(c, i))
			refuse(c, "expected %s, got the loss of %s", want,
			    r->message.value);
		pb_rec_clear(r);
		return false;
	}
	if (listen(c, i, r, &bad))
		return true;
	lose(c, i, t, &bad);
	return false;
}

/* The robot i has said what it should not. */
static void
wrong(struct pb_lockstep *c, int i, double t, const struct pb_error *bad)
{
	if (c->me)
		refuse(c, "%s", bad->text);
	else
		lose(c, i, t, bad);
}

/* What was heard of robot i is not what the order of play asks for. */
static void
not_it(struct pb_lockstep *c, int i, double t, const struct pb_rec *got,
    const char *want)
{
	struct pb_error bad;
	char what[128];

	if (*got->stamp.id && number(c, got->stamp.id) < 0)
		pb_error_set(&bad, "%s: there is no robot \"%s\"",
		    pb_rec_name(got->type), got->stamp.id);
	else if (strcmp(describe(got, what, sizeof(what)), want) == 0)
		pb_error_set(&bad,
		    "expected another %s; do all robots have the same rules?",
		    want + 2);
	else
		pb_error_set(&bad, "expected %s, got %s", want, what);
	wrong(c, i, t, &bad);
}

/*
 * Whether what was heard is the n bytes at s. Which of the others are outside
 * programs is known to the first robot, who says the result, and to nobody
 * else.
 */
static bool
same_line(const struct pb_lockstep *c, struct pb_rec *got, uint64_t options,
    const char *s, size_t n)
{
	struct pb_text t = {0};
	bool same = c->line.len == n && memcmp(c->line.text, s, n) == 0;

	if (same || !c->me || got->type != PB_REC_RESULT)
		return same;
	got->result.trial.options = options;
	got->result.trial.ghosts[0] = '\0';
	pb_rec_put(&t, PB_REC_RESULT, pb_stamp_none(), &got->result);
	same = !t.failed && t.len == n + 1 && memcmp(t.s, s, n) == 0;
	pb_text_clear(&t);
	return same;
}

/* The next line of robot i must be the n bytes at s, without a line end. */
static void
expect_line(struct pb_lockstep *c, int i, const char *s, size_t n)
{
	struct pb_rec want, got;
	struct pb_error bad;
	char what[128];
	uint64_t options;
	double t;
	bool part;

	/* We have written it ourselves: it is good. */
	if (!pb_rec_read(s, n, PB_LOCKSTEP_PARTS, &want, &bad)) {
		pb_msg_error_at(c->line.at, &bad);
		c->failed = true;
		return;
	}
	describe(&want, what, sizeof(what));
	t = want.stamp.t;
	part = PB_LOCKSTEP_PARTS & PB_REC_BIT(want.type);
	options = want.type == PB_REC_RESULT ? want.result.trial.options : 0;
	pb_rec_clear(&want);
	if (part) {
		if (pb_lockstep_lost(c, i) || !hear_of(c, i, what, t, &got))
			return;
		if (!same_line(c, &got, options, s, n))
			not_it(c, i, t, &got, what);
		pb_rec_clear(&got);
	}
	if (!c->me && !pb_lockstep_lost(c, i))
		pb_text_put(&c->out, s, n + 1);
}

/* Every line of the text o from byte *at on, of robot i. */
static void
expect_lines(struct pb_lockstep *c, int i, const struct pb_text *o, size_t *at)
{
	if (o->failed) { /* its last line has no end */
		pb_msg_out_nomem();
		c->failed = true;
	}
	while (*at < o->len && !c->failed) {
		const char *s = o->s + *at;
		size_t n = (size_t)((char *)memchr(s, '\n', o->len - *at) - s);

		expect_line(c, i, s, n);
		*at += n + 1;
	}
}

/* Less than a pipe holds: nobody waits for us to read before he reads us. */
#define ECHO ((size_t)1 << 14)

/* What we have said comes back before anything that is said after it. */
static void
hear_ourselves(struct pb_lockstep *c)
{
	if (c->me)
		expect_lines(c, c->me, &c->sent, &c->back);
	c->sent.len = c->back = 0;
}

/* We say what is in c->out, a robot that is not the first. */
static void
say_ours(struct pb_lockstep *c)
{
	put(c);
	pb_text_put(&c->sent, c->out.s, c->out.len);
	if (c->sent.len > ECHO)
		hear_ourselves(c);
}

void
pb_lockstep_part(struct pb_lockstep *c, int i)
{
	size_t at = 0;
	struct pb_text part = c->out;

	if (c->failed || (!c->me && !c->command))
		return;
	if (!pb_lockstep_hears(c, i)) {
		if (c->me)
			say_ours(c);
		else
			say(c);
	} else {
		hear_ourselves(c);
		/* What he does say gathers in c->out again. */
		c->out = c->sent;
		c->sent = part;
		expect_lines(c, i, &part, &at);
		if (!c->me)
			say(c);
		c->sent.len = 0;
	}
	c->out.len = 0;
}

/* Hear the next record, of `type` and robot i (-1: nobody), at time t. */
static bool
next(struct pb_lockstep *c, enum pb_rec_type type, int i, double t,
    struct pb_rec *r)
{
	const char *who = i < 0 ? "" : c->robot[i];
	struct pb_rec want = {.type = type, .stamp = pb_stamp_at(t, who)};
	char what[128];

	describe(&want, what, sizeof(what));
	hear_ourselves(c);
	if (c->failed || pb_lockstep_lost(c, i) || !hear_of(c, i, what, t, r))
		return false;
	if (r->type == type && strcmp(r->stamp.id, who) == 0)
		return true;
	not_it(c, i, t, r, what);
	pb_rec_clear(r);
	return false;
}

bool
pb_lockstep_next(struct pb_lockstep *c, enum pb_rec_type type, struct pb_rec *r)
{
	return next(c, type, -1, NAN, r);
}

/* The direction of the move in r; -1: bad says what is wrong with it. */
static int
direction(const struct pb_rec *r, double t, unsigned ways, struct pb_error *bad)
{
	int d = pb_move_dir(&r->move, bad);

	if (d >= 0 && !(fabs(r->stamp.t - t) < 1e-6)) {
		if (isnan(r->stamp.t))
			pb_error_set(bad, "move.t: expected %g, got none", t);
		else
			pb_error_set(
			    bad, "move.t: expected %g, got %g", t, r->stamp.t);
		return -1;
	}
	if (d < 0 || d == PB_STAY || ways >> d & 1)
		return d;
	pb_error_set(bad, "move.dir: %s: %s may not drive there",
	    pb_dir_word(d), r->stamp.id);
	return -1;
}

enum pb_dir
pb_lockstep_move(struct pb_lockstep *c, int i, double t, unsigned ways)
{
	struct pb_rec r;
	struct pb_error bad;
	int d;

	if (!next(c, PB_REC_MOVE, i, t, &r))
		return PB_STAY;
	d = direction(&r, t, ways, &bad);
	if (d < 0) {
		wrong(c, i, t, &bad);
	} else if (!c->me) {
		pb_rec_put(
		    &c->out, PB_REC_MOVE, pb_stamp_at(t, c->robot[i]), &r.move);
		say(c);
	}
	pb_rec_clear(&r);
	return d < 0 ? PB_STAY : (enum pb_dir)d;
}

void
pb_lockstep_end(struct pb_lockstep *c)
{
	/* Whoever leaves while the others are told breaks the stream. */
	if (c->me && !c->failed)
		hear_ourselves(c);
	if (c->command && c->out.len > 0)
		say(c);
	/* They need not say that we have left. */
	for (int i = 0; i < PB_LOCKSTEP_MOST; i++)
		if (c->over)
			pb_agent_end(&c->agent[i]);
		else
			pb_agent_kill(&c->agent[i]);
	pb_lines_free(c->in);
	pb_text_clear(&c->out);
	pb_text_clear(&c->sent);
}

bool
pb_lockstep_board(
    struct pb_lockstep *c, struct pb_maze *z, struct pb_place *from)
{
	struct pb_rec r;

	if (!pb_lockstep_next(c, PB_REC_MAZE, &r))
		return false;
	*from = c->line.at;
	*z = r.maze;
	pb_rec_clear(&r);
	return true;
}

bool
pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience)
{
	struct pb_error bad;

	if (!command || command->n == 0)
		return true;
	c->command = command;
	c->out.to = NULL;
	for (int i = 0; i < command->n; i++)
		if (!pb_agent_start(
			&c->agent[1 + i], command->arg[i], patience, &bad))
			return pb_msg_system("%s", bad.text);
	/* If nobody reads us, we have to tell them. */
	signal(SIGPIPE, SIG_IGN);
	return true;
}

void
pb_lockstep_aside(struct pb_lockstep *c)
{
	if (!c->command)
		return;
	put(c);
	c->out.len = 0;
}
