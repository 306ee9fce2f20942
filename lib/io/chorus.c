/* chorus.c - robots that speak in turn on one stream. */
#include "io/chorus.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/pactick.h"
#include "io/trail.h"

/* Records that a game consists of; others are nobody's part. */
#define PARTS                                                       \
	(PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_TICK) |        \
	    PB_REC_BIT(PB_REC_MOVE) | PB_REC_BIT(PB_REC_POSE) |     \
	    PB_REC_BIT(PB_REC_MESSAGE) | PB_REC_BIT(PB_REC_EVENT) | \
	    PB_REC_BIT(PB_REC_RESULT))

bool
pb_chorus_begin(
    struct pb_chorus *c, const char *me, const char *const *robot, int n)
{
	*c = (struct pb_chorus){.me = me, .robot = robot, .robots = n};
	if (!me) {
		c->out.to = stdout;
		return true;
	}
	c->in = pb_lines_new(NULL, 0);
	if (c->in)
		return true;
	errno = ENOMEM;
	pb_msg_system("cannot read");
	return false;
}

bool
pb_chorus_hears(const struct pb_chorus *c, const char *who)
{
	return c->me && strcmp(c->me, who) != 0;
}

void
pb_chorus_refuse(struct pb_chorus *c, const char *fmt, ...)
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

static bool
exists(const struct pb_chorus *c, const char *who)
{
	for (int i = 0; i < c->robots; i++)
		if (strcmp(c->robot[i], who) == 0)
			return true;
	return false;
}

/* What was heard is not what the order of play asks for. */
static void
refuse_part(struct pb_chorus *c, const struct pb_rec *got, const char *want)
{
	char what[128];

	if (*got->stamp.id && !exists(c, got->stamp.id))
		pb_chorus_refuse(c, "%s: there is no robot \"%s\"",
		    pb_rec_name(got->type), got->stamp.id);
	else if (strcmp(describe(got, what, sizeof(what)), want) == 0)
		pb_chorus_refuse(c,
		    "expected another %s; do all robots have the same rules?",
		    want + 2);
	else
		pb_chorus_refuse(c, "expected %s, got %s", want, what);
}

/* The next line that is a part of the game, without its end. */
static bool
hear(struct pb_chorus *c, struct pb_rec *r, const char *want)
{
	struct pb_bad bad;

	while (!c->failed && pb_msg_out_ok()) {
		enum pb_line_got got = pb_lines_next(c->in, &c->line, &bad);

		if (got == PB_LINE_FAIL)
			break;
		if (got == PB_LINE_END) {
			pb_chorus_refuse(
			    c, "the stream has ended; expected %s", want);
			break;
		}
		if (got == PB_LINE_TEXT && c->line.len == 0)
			continue;
		if (got == PB_LINE_BAD ||
		    !pb_rec_read(c->line.text, c->line.len, PARTS, r, &bad)) {
			pb_msg_bad(c->line.at, &bad);
			break;
		}
		if (PARTS & PB_REC_BIT(r->type))
			return true;
		pb_rec_clear(r);
	}
	c->failed = true;
	return false;
}

/* The next line must be the n bytes at s, a line without its end. */
static void
expect_line(struct pb_chorus *c, const char *s, size_t n)
{
	struct pb_rec want, got;
	struct pb_bad bad;
	char what[128];

	/* We have written it ourselves: it is good. */
	if (!pb_rec_read(s, n, PARTS, &want, &bad)) {
		pb_msg_bad(c->line.at, &bad);
		c->failed = true;
		return;
	}
	if (!(PARTS & PB_REC_BIT(want.type)))
		return;
	describe(&want, what, sizeof(what));
	pb_rec_clear(&want);
	if (!hear(c, &got, what))
		return;
	if (c->line.len != n || memcmp(c->line.text, s, n) != 0)
		refuse_part(c, &got, what);
	pb_rec_clear(&got);
}

/* Every line of the text o from byte *at on. */
static void
expect_lines(struct pb_chorus *c, const struct pb_text *o, size_t *at)
{
	while (*at < o->len && !c->failed) {
		const char *s = o->s + *at;
		size_t n = (size_t)((char *)memchr(s, '\n', o->len - *at) - s);

		expect_line(c, s, n);
		*at += n + 1;
	}
}

/* Less than a pipe holds: nobody waits for us to read before he reads us. */
#define ECHO ((size_t)1 << 14)

/* What we have said comes back before anything that is said after it. */
static void
hear_ourselves(struct pb_chorus *c)
{
	expect_lines(c, &c->sent, &c->back);
	c->sent.len = c->back = 0;
}

void
pb_chorus_part(struct pb_chorus *c, const char *who)
{
	size_t at = 0;

	if (!c->me || c->failed)
		return;
	if (pb_chorus_hears(c, who)) {
		hear_ourselves(c);
		expect_lines(c, &c->out, &at);
	} else {
		fwrite(c->out.s, 1, c->out.len, stdout);
		for (size_t i = 0; i < c->out.len; i++)
			if (c->out.s[i] == '\n')
				pb_trail_wrote();
		pb_text_put(&c->sent, c->out.s, c->out.len);
		if (c->sent.len > ECHO)
			hear_ourselves(c);
	}
	c->out.len = 0;
}

bool
pb_chorus_next(struct pb_chorus *c, enum pb_rec_type type, const char *who,
    struct pb_rec *r)
{
	struct pb_rec want = {.type = type, .stamp = pb_stamp_at(NAN, who)};
	char what[128];

	describe(&want, what, sizeof(what));
	hear_ourselves(c);
	if (c->failed || !hear(c, r, what))
		return false;
	if (r->type == type && strcmp(r->stamp.id, who) == 0)
		return true;
	refuse_part(c, r, what);
	pb_rec_clear(r);
	return false;
}

int
pb_chorus_move(struct pb_chorus *c, const char *who, double t)
{
	struct pb_rec r;
	struct pb_bad bad;
	int d;

	if (!pb_chorus_next(c, PB_REC_MOVE, who, &r))
		return -1;
	d = pb_pactick_move(&r.move, &bad);
	if (d < 0)
		pb_chorus_refuse(c, "%s", bad.text);
	else if (!(fabs(r.stamp.t - t) < 1e-6)) {
		pb_chorus_refuse(
		    c, "move.t: expected %g, got %g", t, r.stamp.t);
		d = -1;
	}
	pb_rec_clear(&r);
	return d;
}

void
pb_chorus_end(struct pb_chorus *c)
{
	/* Whoever leaves while the others are told breaks the stream. */
	if (c->me && !c->failed)
		hear_ourselves(c);
	pb_lines_free(c->in);
	pb_text_clear(&c->out);
	pb_text_clear(&c->sent);
}

bool
pb_chorus_board(struct pb_chorus *c, struct pb_maze *z, struct pb_place *from)
{
	struct pb_rec r;

	if (!pb_chorus_next(c, PB_REC_MAZE, "", &r))
		return false;
	*from = c->line.at;
	*z = r.maze;
	pb_rec_clear(&r);
	return true;
}
