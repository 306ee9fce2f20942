/* lockstep.c - robots that speak in turn, each a process. */
#include "io/play/lockstep.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "io/stream/msg.h"

/* Records that a game consists of; others are nobody's part. */
#define PARTS                                                       \
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

bool
pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience)
{
	if (!command || command->n == 0)
		return true;
	c->command = command;
	c->out.to = NULL;
	for (int i = 0; i < command->n; i++)
		if (!pb_agent_start(
			&c->agent[1 + i], command->arg[i], patience))
			return pb_msg_system("%s", c->agent[1 + i].bad.text);
	/* If nobody reads us, we have to tell them. */
	signal(SIGPIPE, SIG_IGN);
	return true;
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
			pb_agent_tell(&c->agent[i], &c->out);
	c->out.len = 0;
}

/* At time t (s) robot i did not do its part: as the first we lose it and tell
 * all, else the game cannot go on. */
static void
fail(struct pb_lockstep *c, int i, double t, const struct pb_error *bad)
{
	struct pb_rec_message m = {.name = "LOST"};

	if (c->me || i < 1) {
		c->failed = true;
		pb_msg_error_at(c->line.at, bad);
		return;
	}
	c->lost |= 1u << i;
	pb_agent_end(&c->agent[i], true);
	if (pb_msg_stopped()) {
		c->failed = true;
		return;
	}
	pb_msg_refuse((struct pb_place){c->robot[i], 0},
	    "%s; the game goes on without", bad->text);
	PB_REC_SET(m.value, c->robot[i]);
	pb_rec_put(&c->out, PB_REC_MESSAGE, pb_stamp_at(t, c->robot[0]), &m);
	write_out(c, true);
}

/* The next line of robot i, or of standard input; false: bad says why there is
 * none, or it was said. */
static bool
read_line(struct pb_lockstep *c, int i, const char *want, struct pb_error *bad)
{
	enum pb_next got;

	if (!c->me) {
		c->line.text =
		    (char *)pb_agent_answer(&c->agent[i], &c->line.len);
		*bad = c->agent[i].bad;
		return c->line.text != NULL;
	}
	bad->text[0] = '\0';
	do {
		got = pb_lines_next(c->in, &c->line, bad);
	} while (got == PB_NEXT && c->line.len == 0);
	if (got == PB_END) {
		pb_msg_warn(
		    c->line.at, "the stream has ended; expected %s", want);
		pb_msg_status(PB_EXIT_REFUSED);
	}
	return got == PB_NEXT;
}

/* Whether r tells that a robot is lost, and no robot's part is read in its
 * place; bad: that cannot be. */
static bool
tells_loss(struct pb_lockstep *c, int i, const struct pb_rec *r,
    const char *want, struct pb_error *bad)
{
	int who = -1;

	if (c->me && r->type == PB_REC_MESSAGE &&
	    strcmp(r->message.name, "LOST") == 0 &&
	    strcmp(r->stamp.id, c->robot[0]) == 0)
		who = number(c, r->message.value);
	if (who < 1)
		return false;
	c->lost |= 1u << who;
	bad->text[0] = '\0';
	if (who == c->me)
		pb_error_set(bad, "the others go on without us");
	else if (!pb_lockstep_lost(c, i))
		pb_error_set(bad, "expected %s, got the loss of %s", want,
		    r->message.value);
	return true;
}

/*
 * Read a part of robot i (-1: nobody's), `want` in words, at time t.
 *
 * Returns  whether there is one: r, for pb_rec_clear; if not it was said, or
 *          the robot is lost
 */
static bool
read_part(
    struct pb_lockstep *c, int i, const char *want, double t, struct pb_rec *r)
{
	struct pb_error bad;

	if (c->failed || pb_lockstep_lost(c, i))
		return false;
	for (int k = 0; c->me ? pb_msg_out_ok() : k < PB_OTHERS; k++) {
		if (!read_line(c, i, want, &bad) ||
		    !pb_rec_read(c->line.text, c->line.len, PARTS, r, &bad)) {
			if (bad.text[0] != '\0')
				fail(c, i, t, &bad);
			else
				c->failed = true;
			return false;
		}
		if (PARTS & PB_REC_BIT(r->type)) {
			if (!tells_loss(c, i, r, want, &bad))
				return true;
			pb_rec_clear(r);
			if (bad.text[0] != '\0')
				fail(c, i, t, &bad);
			return false;
		}
		pb_rec_clear(r);
	}
	pb_error_set(&bad, "it said %d other records", PB_OTHERS);
	if (c->me)
		c->failed = true;
	else
		fail(c, i, t, &bad);
	return false;
}

/* What was read of robot i is not what the order of play asks for. */
static void
refuse_part(struct pb_lockstep *c, int i, double t, const struct pb_rec *got,
    const char *want)
{
	struct pb_error bad;
	char what[PB_DESCRIBED];

	if (*got->stamp.id && number(c, got->stamp.id) < 0)
		pb_error_set(&bad, "%s: there is no robot \"%s\"",
		    pb_rec_name(got->type), got->stamp.id);
	else if (strcmp(pb_describe(got, what), want) == 0)
		pb_error_set(&bad,
		    "expected another %s; do all robots have the same rules?",
		    want + 2);
	else
		pb_error_set(&bad, "expected %s, got %s", want, what);
	fail(c, i, t, &bad);
}

/* The next part of robot i must be the line of n bytes at s. */
static void
expect_line(struct pb_lockstep *c, int i, const char *s, size_t n)
{
	struct pb_rec want, got;
	struct pb_error bad;
	char what[PB_DESCRIBED];
	double t;
	bool part;

	/* We have written it ourselves: it is good. */
	if (!pb_rec_read(s, n, PARTS, &want, &bad)) {
		fail(c, -1, 0, &bad);
		return;
	}
	pb_describe(&want, what);
	t = want.stamp.t;
	part = PARTS & PB_REC_BIT(want.type);
	pb_rec_clear(&want);
	if (part && read_part(c, i, what, t, &got)) {
		if (c->line.len != n || memcmp(c->line.text, s, n) != 0)
			refuse_part(c, i, t, &got, what);
		pb_rec_clear(&got);
	}
	if (!c->me && !pb_lockstep_lost(c, i))
		pb_text_put(&c->out, s, n + 1);
}

/* The lines in c->due must be read next, of robot i. */
static void
expect_due(struct pb_lockstep *c, int i)
{
	for (size_t at = 0; at < c->due.len && !c->failed;) {
		const char *s = c->due.s + at;
		size_t n =
		    (size_t)((char *)memchr(s, '\n', c->due.len - at) - s);

		expect_line(c, i, s, n);
		at += n + 1;
	}
	c->due.len = 0;
}

void
pb_lockstep_part(struct pb_lockstep *c, int i)
{
	struct pb_text part = c->out;

	if (c->failed || (!c->me && !c->command))
		return;
	if (!pb_lockstep_hears(c, i)) {
		/* What we write comes back before anything that follows. */
		if (c->me)
			pb_text_put(&c->due, c->out.s, c->out.len);
		write_out(c, true);
		return;
	}
	expect_due(c, c->me);
	c->out = c->due;
	c->due = part;
	expect_due(c, i);
	if (!c->me)
		write_out(c, true);
}

void
pb_lockstep_aside(struct pb_lockstep *c)
{
	if (c->command)
		write_out(c, false);
}

bool
pb_lockstep_next(struct pb_lockstep *c, enum pb_rec_type type, int i, double t,
    struct pb_rec *r)
{
	const char *who = i < 0 ? "" : c->robot[i];
	struct pb_rec want = {.type = type, .stamp = pb_stamp_at(t, who)};
	char what[PB_DESCRIBED];

	pb_describe(&want, what);
	expect_due(c, c->me);
	if (!read_part(c, i, what, t, r))
		return false;
	if (r->type == type && strcmp(r->stamp.id, who) == 0)
		return true;
	refuse_part(c, i, t, r, what);
	pb_rec_clear(r);
	return false;
}

enum pb_dir
pb_lockstep_move(struct pb_lockstep *c, int i, double t, unsigned ways)
{
	struct pb_error bad = {""};
	struct pb_rec r;
	int d;

	if (!pb_lockstep_next(c, PB_REC_MOVE, i, t, &r))
		return PB_STAY;
	d = pb_move_dir(&r.move, &bad);
	if (d >= 0 && isnan(r.stamp.t))
		pb_error_set(&bad, "move.t: expected %g, got none", t);
	else if (d >= 0 && fabs(r.stamp.t - t) >= 1e-6)
		pb_error_set(&bad, "move.t: expected %g, got %g", t, r.stamp.t);
	else if (d >= 0 && d != PB_STAY && !(ways >> d & 1))
		pb_error_set(&bad, "move.dir: %s: %s may not drive there",
		    pb_dir_word(d), r.stamp.id);
	if (bad.text[0] != '\0') {
		d = PB_STAY;
		fail(c, i, t, &bad);
	} else if (!c->me) {
		pb_rec_put(
		    &c->out, PB_REC_MOVE, pb_stamp_at(t, c->robot[i]), &r.move);
		write_out(c, true);
	}
	pb_rec_clear(&r);
	return (enum pb_dir)d;
}

void
pb_lockstep_end(struct pb_lockstep *c)
{
	/* Whoever leaves while the others are told breaks the stream. */
	if (c->me)
		expect_due(c, c->me);
	if (c->command && c->out.len > 0)
		write_out(c, true);
	/* They need not say that we have left. */
	for (int i = 0; i < PB_LOCKSTEP_MOST; i++)
		pb_agent_end(&c->agent[i], !c->over);
	pb_lines_free(c->in);
	pb_text_clear(&c->out);
	pb_text_clear(&c->due);
}
