/* roombatell.c - the records of a Roomba game. */
#include <stdio.h>
#include <string.h>

#include "game/happened.h"
#include "io/opt/constants.h"
#include "io/sim/pactick.h"
#include "io/sim/roombaplay.h"
#include "io/stream/build.h"
#include "pb/version.h"
#include "policy/rules_roomba.h"

const char *const pb_roombaplay_names[1 + PB_ROOMBA_GHOSTS] = {
    "pacman", "blinky", "pinky", "inky", "clyde"};

const char *
pb_roombaplay_name(int robot)
{
	return pb_roombaplay_names[robot + 1];
}

void
pb_roombaplay_heed(struct pb_roombaplay *g, int robot)
{
	if (robot < 0 || !pb_chorus_lost(&g->c, pb_roombaplay_name(robot)))
		return;
	pb_roomba_lose(&g->s, robot);
	pb_roomba_fleet_lose(&g->fleet, robot);
}

/* The record that was put together is this robot's. */
static void
speaks(struct pb_roombaplay *g, int robot)
{
	pb_chorus_part(&g->c, pb_roombaplay_name(robot));
	pb_roombaplay_heed(g, robot);
}

bool
pb_roombaplay_drives(const struct pb_roombaplay *g)
{
	return g->p->o->motion == PB_MOTION_DRIVE;
}

/* In ticks, or with bodies in seconds. */
double
pb_roombaplay_time(const struct pb_roombaplay *g)
{
	return pb_roombaplay_drives(g)
	           ? pb_roomba_fleet_time(&g->fleet, &g->board, g->p->o)
	           : g->s.tick;
}

static struct pb_stamp
stamp(const struct pb_roombaplay *g, int body)
{
	return pb_stamp_at(pb_roombaplay_time(g), pb_roombaplay_name(body));
}

void
pb_roombaplay_board(struct pb_roombaplay *g)
{
	pb_put_maze(&g->c.out, &g->z);
	speaks(g, PB_ROOMBA_PACMAN);
}

void
pb_roombaplay_move(struct pb_roombaplay *g, int body, enum pb_dir d)
{
	struct pb_rec_move m;

	PB_REC_SET(m.dir, pb_pactick_dir((int)d));
	pb_put_move(&g->c.out, stamp(g, body), &m);
	speaks(g, body);
}

static void
tell(struct pb_roombaplay *g, int from, const char *to, const char *name,
    const char *value)
{
	struct pb_rec_message m;

	PB_REC_SET(m.name, name);
	PB_REC_SET(m.to, to);
	PB_REC_SET(m.value, value);
	pb_put_message(&g->c.out, stamp(g, from), &m);
	speaks(g, from);
}

/* What the robots told each other in the last tick. */
void
pb_roombaplay_tell(struct pb_roombaplay *g)
{
	unsigned e = g->s.events;

	if (e & PB_ROOMBA_POWER_OFF)
		tell(g, -1, "", "POWER", "off");
	if (e & PB_ROOMBA_POWER_ON)
		tell(g, -1, "", "POWER", "on");
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_EATEN << i)
			tell(g, -1, pb_roomba_name[i], "EATEN", "");
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_KILLS << i) {
			tell(g, i, "pacman", "KILLED", "");
			tell(g, i, "", "STOP", "");
		}
	if (e & PB_ROOMBA_RESET)
		tell(g, -1, "", g->s.tick > 0 ? "RESET" : "START", "");
}

static void
put_body(struct pb_seen *k, const struct pb_roombaplay *g, int body,
    int cell, int dir, const char *mode)
{
	struct pb_seen_body *b = &k->body[k->bodies++];

	*b = (struct pb_seen_body){.row = g->board.cells.cell[cell].row,
	    .col = g->board.cells.cell[cell].col,
	    .fright = -1,
	    .trapped = -1};
	PB_REC_SET(b->id, pb_roombaplay_name(body));
	PB_REC_SET(b->dir, pb_pactick_dir(dir));
	PB_REC_SET(b->mode, mode);
}

/* The pellets that remain. */
static void
put_board(struct pb_seen *k, const struct pb_roombaplay *g)
{
	k->board = g->z;
	for (int i = 0; i < g->board.cells.n; i++) {
		const struct pb_cell_at *c = &g->board.cells.cell[i];

		if (!pb_roomba_dot(&g->s, i))
			k->board.cell[c->row][c->col] = PB_MAZE_EMPTY;
	}
}

void
pb_roombaplay_tick(struct pb_roombaplay *g)
{
	struct pb_seen k = pb_seen_none();

	k.tick = g->s.tick;
	k.score = g->s.score;
	k.lives = g->s.lives > 0 ? g->s.lives : 0;
	k.left = g->s.left;
	k.combo = g->s.combo;
	k.paused = g->s.stopped > 0;
	PB_REC_SET(k.mode, g->s.power > 0 ? "power" : "");
	put_board(&k, g);
	put_body(&k, g, -1, g->s.pacman, g->s.dir, "");
	for (int i = 0; i < g->p->o->ghosts; i++) {
		const struct pb_roomba_ghost *b = &g->s.ghost[i];

		put_body(
		    &k, g, i, b->at, b->last, pb_roomba_state_name[b->state]);
	}
	pb_put_tick(&g->c.out, pb_stamp_at(pb_roombaplay_time(g), NULL), &k);
	speaks(g, PB_ROOMBA_PACMAN);
	if (g->p->sim.pilot)
		g->p->sim.pilot->show(g->p->sim.pilot->user, &k);
}

void
pb_roombaplay_events(struct pb_roombaplay *g)
{
	struct pb_happened h = pb_roomba_happened(&g->s);
	double t = pb_roombaplay_time(g);

	for (int i = 0; i < h.n; i++) {
		pb_cues_put(&g->c.out, t, h.name[i]);
		speaks(g, PB_ROOMBA_PACMAN);
		pb_cues_play(&g->cues, PB_REC_EVENT, h.name[i]);
	}
}

/* The true poses, if they are due. */
void
pb_roombaplay_poses(struct pb_roombaplay *g)
{
	double t = pb_roombaplay_time(g);

	if (t * g->p->rate < (double)g->poses)
		return;
	g->poses = (long)(t * g->p->rate) + 1;
	for (int i = 0; i <= g->p->o->ghosts; i++) {
		struct pb_pose at = g->fleet.bot[i].rover.pose;
		struct pb_rec_pose p = {.x = at.x, .y = at.y, .theta = at.th};

		PB_REC_SET(p.source, "truth");
		pb_put_pose(&g->c.out, stamp(g, i - 1), &p);
		speaks(g, i - 1);
	}
}

void
pb_roombaplay_result(struct pb_roombaplay *g)
{
	struct pb_rec_result r = pb_rec_result_none();
	const struct pb_roombasim *p = g->p;
	const struct pb_ground ground = {.maze = &g->z};

	PB_REC_SET(r.version, PB_VERSION);
	r.build = pb_build_digest();
	r.trial = pb_rules_key(&pb_rules_roomba, &ground, p->o, 1);
	pb_constants_tell(PB_OPT_ROOMBA, p->o, NULL, NULL, r.trial.told);
	r.trial.seed = p->sim.seed;
	r.trial.trial = p->sim.trial;
	PB_REC_SET(r.trial.policy,
	    p->joystick != NULL || pb_pilot_steers(p->sim.pilot) ? "human"
	    : g->scripted                                        ? "script"
			  : p->player->name);
	pb_agent_credit(p->sim.outside, &r.trial);
	if (pb_roombaplay_drives(g))
		pb_rules_roomba_driven(&r.trial, &g->fleet, &g->board, p->o);
	else
		pb_rules_roomba_ended(&r.trial, &g->s, &g->board, p->o);
	pb_put_result(&g->c.out, &r);
	pb_pilot_over(p->sim.pilot, &r);
	speaks(g, PB_ROOMBA_PACMAN);
	g->c.over = true;
}
