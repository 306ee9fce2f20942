/* pacserve.c - the Pacbot server on pipes. */
#include "io/sim/pacserve.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/stream/pace.h"
#include "io/stream/source.h"

/* Commands that have come. */
struct inbox {
	uint8_t byte[4096];
	size_t n;
	bool closed; /* no more will come */
};

struct server {
	const struct pb_pacsim *p;
	const struct pb_pacbot_rules *k;
	struct pb_pacbot s;
	struct pb_rng draws;
	struct inbox in;
	struct timespec from; /* when the first of so many ticks was due */
	double ticks;
};

static int
pick(void *ctx, int ghost, int n)
{
	(void)ghost;
	return (int)pb_rng_below(ctx, (uint32_t)n);
}

/* Whether there is something to read: now, or with wait, once there is. */
static bool
readable(bool wait)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return wait ? pb_source_wait(STDIN_FILENO) : poll(&p, 1, 0) > 0;
}

static void
fill(struct inbox *in, bool wait)
{
	ssize_t got;

	if (in->closed || !readable(wait))
		return;
	got = read(STDIN_FILENO, in->byte + in->n, sizeof(in->byte) - in->n);
	if (got > 0)
		in->n += (size_t)got;
	else if (got == 0 || (errno != EINTR && errno != EAGAIN))
		in->closed = true;
	if (got < 0 && in->closed)
		pb_msg_system("<stdin>: cannot read");
}

/* The length of the command that came first, 0: there is none, or a part. */
static int
first(const struct inbox *in)
{
	size_t n = in->n > 0 && in->byte[0] == 'x' ? 3 : 1;

	return n <= in->n ? (int)n : 0;
}

/* Whether there is none any more, and none will come. */
static bool
dry(const struct inbox *in)
{
	return in->closed && first(in) == 0;
}

static void
carry_out(struct server *v, int n)
{
	const struct pb_arcade_draw d = {.pick = pick, .ctx = &v->draws};
	struct inbox *in = &v->in;

	pb_pacbot_command(&v->s, v->k, &d, in->byte, n);
	in->n -= (size_t)n;
	memmove(in->byte, in->byte + n, in->n);
}

/*
 * Carry out all that has come; in lock-step the answer to the frame, once it
 * is here. False: there was nothing, and nothing will come.
 */
static bool
obey(struct server *v)
{
	bool one = v->p->o->lockstep;
	int n;

	fill(&v->in, false);
	while (one && !first(&v->in) && !dry(&v->in) && !pb_msg_stopped())
		fill(&v->in, true);
	if (dry(&v->in))
		return false;
	while ((n = first(&v->in)) > 0) {
		carry_out(v, n);
		if (one)
			break;
	}
	return true;
}

static void
send_frame(const struct server *v)
{
	uint8_t frame[PB_PACBOT_FRAME];

	pb_pacbot_frame(&v->s, frame);
	fwrite(frame, 1, sizeof(frame), stdout);
	fflush(stdout);
}

/* How the referee sees the game. */
static enum pb_match_ending
ending(const struct server *v)
{
	int levels = v->p->game->levels;

	if (!v->p->o->referee)
		return PB_MATCH_ON;
	if (levels > 0 && v->s.level > levels)
		return PB_MATCH_CLEARED;
	if (v->s.lives == 0)
		return PB_MATCH_DEAD;
	if (v->s.paused && v->s.tick == UINT16_MAX)
		return levels > 0 ? PB_MATCH_CLOCK : PB_MATCH_SURVIVED;
	return PB_MATCH_ON;
}

/* The next tick is due; those that were missed are not made up for. */
static void
wait_for_tick(struct server *v)
{
	double tick = 1 / (PB_PACBOT_FPS * v->p->o->speed);

	pb_pace_wait(v->from, ++v->ticks * tick);
	if (pb_pace_since(v->from) - v->ticks * tick < tick)
		return;
	v->from = pb_pace_now();
	v->ticks = 0;
}

/*
 * One iteration of the server's loop, as its rules order it. Returns whether
 * there is another.
 */
static bool
iterate(struct server *v)
{
	const struct pb_arcade_draw d = {.pick = pick, .ctx = &v->draws};
	const uint8_t play = 'P';

	pb_pacbot_begin(&v->s, v->k, &d);
	send_frame(v);
	if (ending(v) != PB_MATCH_ON)
		return false;
	if (v->p->o->referee && v->s.paused)
		pb_pacbot_command(&v->s, v->k, &d, &play, 1);
	if (!obey(v))
		return false;
	if (ending(v) == PB_MATCH_CLEARED) {
		send_frame(v);
		return false;
	}
	pb_pacbot_end(&v->s);
	return true;
}

static void
begin(struct server *v)
{
	const struct pb_pacsim *p = v->p;

	pb_rng_start(&v->draws, p->play->seed, p->play->trial, PB_FOR_GHOST, 0);
	pb_pacbot_init(&v->s, v->k, p->game->ghosts);
	v->s.lives = (uint8_t)p->game->lives;
	v->from = pb_pace_now();
}

void
pb_pacserve(const struct pb_pacsim *p, const struct pb_match_board *b)
{
	struct server v = {.p = p, .k = &b->rules};
	enum pb_match_ending e;

	begin(&v);
	while (pb_msg_out_ok() && !pb_msg_stopped() && iterate(&v))
		if (!p->o->lockstep)
			wait_for_tick(&v);
	e = ending(&v);
	pb_msg_note("%s: %d points, %d %s, tick %d",
	    e == PB_MATCH_ON ? "no more commands" : pb_match_ending_name(e),
	    v.s.score, v.s.lives, v.s.lives == 1 ? "life" : "lives", v.s.tick);
}
