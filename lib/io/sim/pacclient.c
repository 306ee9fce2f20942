/* pacclient.c - a client of a Pacbot server: frames in, commands out. */
#include <stdio.h>
#include <stdlib.h>

#include "io/sim/pacserve.h"
#include "io/sim/pactick.h"
#include "io/sim/wire.h"

struct client {
	const struct pb_pacsim *p;
	const struct pb_maze *z;
	const struct pb_match_board *b;
	struct pb_rng rng;
	void *mem; /* of the player; owned */
	bool begun;
	int tick; /* of the frame before */
	int due;  /* tick of the move or of the next decision */
	int move; /* that is made then, -1: not decided */
};

/*
 * The game as a command will find it: in lock-step at once, else the server
 * reads it in its next iteration.
 */
static struct pb_pacbot
as_found(const struct client *c, const struct pb_pacbot *s)
{
	const struct pb_arcade_draw d = {.pick = pb_arcade_first_way};
	struct pb_pacbot next = *s;

	next.paused = false;
	if (c->p->o->lockstep)
		return next;
	pb_pacbot_end(&next);
	pb_pacbot_begin(&next, &c->b->rules, &d);
	if (!next.paused && next.pac.row < PB_ARCADE_OFF)
		return next;
	return *s;
}

/* Frames can show what no board has; players are not asked about that. */
static bool
possible(const struct client *c, const struct pb_pacbot *s, struct pb_bad *bad)
{
	struct pb_rec_tick k;
	struct pb_pacbot again;

	pb_pactick(&k, s, c->z, &c->b->rules, true);
	if (!pb_pactick_read(&k, &c->b->rules, &again, bad))
		return false;
	if (pb_cells_at(&c->b->cells, s->pac.row, s->pac.col) < 0)
		return pb_bad_set(bad, "frame: pacman is in a wall");
	return true;
}

static void
decide(struct client *c, const struct pb_pacbot *s)
{
	const struct pb_match_opts *o = &c->p->o->game;
	struct pb_pacbot seen = as_found(c, s);
	const struct pb_bot_view v = {&seen, c->b, o, &c->rng};

	if (!c->begun && c->p->bot->reset)
		c->p->bot->reset(c->mem, &v);
	c->begun = true;
	c->move = c->p->bot->decide(c->mem, &v);
	c->due = s->tick;
	if (c->move != PB_STAY && c->move != s->pac.dir)
		c->due += o->turn_ticks;
}

/* The move if it is due, after which the robot is on its way for a cell. */
static int
move(struct client *c, const struct pb_pacbot *s)
{
	int d = c->move;

	if (c->due > s->tick)
		return PB_STAY;
	c->due = s->tick + c->p->o->game.ticks_per_cell;
	c->move = -1;
	return d;
}

/* What to tell the server at this frame, 0: nothing. */
static char
command(struct client *c, const struct pb_pacbot *s)
{
	int d;

	if (s->tick < c->tick)
		c->begun = false;
	c->tick = s->tick;
	if (s->paused || s->pac.row >= PB_ARCADE_OFF) {
		c->due = 0;
		c->move = -1;
	}
	if (s->pac.row >= PB_ARCADE_OFF || pb_pacbot_over(s))
		return 0;
	if (s->paused && c->p->o->referee)
		return 'P';
	/* In lock-step a referee there has pressed play when this arrives. */
	if (s->paused && !c->p->o->lockstep)
		return 0;
	if (c->move < 0 && c->due <= s->tick)
		decide(c, s);
	d = c->move < 0 ? PB_STAY : move(c, s);
	return d == PB_STAY ? 0 : "wasd"[d];
}

static bool
take(void *user, const struct pb_pacbot *s, struct pb_place at)
{
	struct client *c = user;
	struct pb_bad bad;
	char byte;

	if (s->pac.row < PB_ARCADE_OFF && !possible(c, s, &bad)) {
		pb_msg_bad(at, &bad);
		return false;
	}
	byte = command(c, s);
	/* Any byte is an answer; this one asks for nothing. */
	if (byte == 0 && c->p->o->lockstep)
		byte = '.';
	if (byte != 0)
		putchar(byte);
	return true;
}

static void
run(struct client *c, char *const *files, int n)
{
	const struct pb_wire_reader r = {&c->b->rules, take, c};

	pb_rng_start(
	    &c->rng, c->p->sim.seed, c->p->sim.trial, PB_FOR_PLAYER, 0);
	c->move = -1;
	if (n == 0)
		pb_wire_read("-", &r);
	for (int i = 0; i < n && !pb_msg_stopped(); i++)
		pb_wire_read(files[i], &r);
}

void
pb_pacserve_client(const struct pb_pacsim *p, const struct pb_maze *z,
    const struct pb_match_board *b, char *const *files, int n)
{
	struct client c = {.p = p, .z = z, .b = b};

	c.mem = malloc(p->bot->memory ? p->bot->memory(&p->o->game) : 1);
	if (c.mem == NULL) {
		pb_msg_system("no memory for the player");
		return;
	}
	run(&c, files, n);
	free(c.mem);
}
