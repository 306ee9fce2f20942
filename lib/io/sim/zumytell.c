/* zumytell.c - the records of a Zumy game. */
#include <stdio.h>
#include <string.h>

#include "game/happened.h"
#include "io/opt/constants.h"
#include "io/sim/pactick.h"
#include "io/sim/zumyplay.h"
#include "io/stream/build.h"
#include "pb/version.h"
#include "policy/rules_zumy.h"

const char *const pb_zumyplay_names[1 + PB_ZUMY_PATROLS] = {"player", "patrol1",
    "patrol2", "patrol3", "patrol4", "patrol5", "patrol6", "patrol7",
    "patrol8"};

const char *
pb_zumyplay_name(int robot)
{
	return pb_zumyplay_names[robot + 1];
}

static struct pb_stamp
stamp(const struct pb_zumyplay *g, int robot)
{
	return pb_stamp_at(
	    (double)g->s.tick / PB_ZUMY_HZ, pb_zumyplay_name(robot));
}

/* The record that was put together is this robot's. */
static void
speaks(struct pb_zumyplay *g, int robot)
{
	pb_chorus_part(&g->c, pb_zumyplay_name(robot));
	if (robot < 0 || !pb_chorus_lost(&g->c, pb_zumyplay_name(robot)))
		return;
	pb_zumy_lose(&g->s, robot);
	pb_zumy_lose(&g->fleet.s, robot);
}

void
pb_zumyplay_board(struct pb_zumyplay *g)
{
	pb_put_maze(&g->c.out, &g->z);
	speaks(g, PB_ZUMY_PLAYER);
}

void
pb_zumyplay_move(struct pb_zumyplay *g, int robot, enum pb_dir d)
{
	struct pb_rec_move m;

	PB_REC_SET(m.dir, pb_pactick_dir((int)d));
	pb_put_move(&g->c.out, stamp(g, robot), &m);
	speaks(g, robot);
}

static void
tell(struct pb_zumyplay *g, int robot, const char *name)
{
	struct pb_rec_message m = {.name = ""};

	PB_REC_SET(m.name, name);
	pb_put_message(&g->c.out, stamp(g, robot), &m);
	speaks(g, robot);
}

static void
put_body(struct pb_seen *k, int robot, const struct pb_zumy_body *from,
    const char *mode)
{
	struct pb_seen_body *b = &k->body[k->bodies++];

	*b = (struct pb_seen_body){.row = from->at.row,
	    .col = from->at.col,
	    .fright = -1,
	    .trapped = -1};
	PB_REC_SET(b->id, pb_zumyplay_name(robot));
	PB_REC_SET(b->dir, pb_pactick_dir(from->facing));
	PB_REC_SET(b->mode, mode);
}

void
pb_zumyplay_tick(struct pb_zumyplay *g)
{
	struct pb_seen k = pb_seen_none();

	k.tick = g->s.tick;
	put_body(&k, -1, &g->s.player, "");
	for (int i = 0; i < g->p->o->patrols; i++)
		put_body(&k, i, &g->s.patrol[i].body,
		    g->s.patrol[i].lost     ? "lost"
		    : g->s.patrol[i].stares ? "staring"
					    : "patrolling");
	pb_put_tick(
	    &g->c.out, pb_stamp_at((double)g->s.tick / PB_ZUMY_HZ, NULL), &k);
	speaks(g, PB_ZUMY_PLAYER);
	if (g->p->sim.pilot)
		g->p->sim.pilot->show(g->p->sim.pilot->user, &k);
	g->was = g->s;
}

static bool
moved(const struct pb_zumy_body *a, const struct pb_zumy_body *b)
{
	return a->at.row != b->at.row || a->at.col != b->at.col ||
	       a->facing != b->facing;
}

/* What has changed since the last record. */
void
pb_zumyplay_show(struct pb_zumyplay *g)
{
	int patrols = g->p->o->patrols;
	bool change =
	    moved(&g->s.player, &g->was.player) || g->s.ending != PB_ZUMY_ON;

	if (g->s.events & PB_ZUMY_PING)
		tell(g, -1, "PING");
	for (int i = 0; i < patrols; i++) {
		const struct pb_zumy_patrol *p = &g->s.patrol[i];

		if (g->s.events & (unsigned)PB_ZUMY_ASKED << i)
			tell(g, i, "PING");
		if (g->s.events & (unsigned)PB_ZUMY_STARE << i)
			tell(g, i, "STOP");
		if (g->s.events & (unsigned)PB_ZUMY_RESUME << i)
			tell(g, i, "START");
		change |= moved(&p->body, &g->was.patrol[i].body) ||
		          p->stares != g->was.patrol[i].stares ||
		          p->lost != g->was.patrol[i].lost;
	}
	if (g->s.by >= 0)
		tell(g, g->s.by, "WON");
	if (change)
		pb_zumyplay_tick(g);
}

void
pb_zumyplay_events(struct pb_zumyplay *g)
{
	struct pb_happened h = pb_zumy_happened(&g->s);
	double t = (double)g->s.tick / PB_ZUMY_HZ;

	for (int i = 0; i < h.n; i++) {
		pb_cues_put(&g->c.out, t, h.name[i]);
		speaks(g, PB_ZUMY_PLAYER);
		pb_cues_play(&g->cues, PB_REC_EVENT, h.name[i]);
	}
}

/* The true poses of bodies, if they are due. */
void
pb_zumyplay_poses(struct pb_zumyplay *g)
{
	double t = (double)g->s.tick / PB_ZUMY_HZ;

	if (g->p->o->motion != PB_ZUMY_DRIVE ||
	    t * g->p->rate < (double)g->poses)
		return;
	g->poses = (long)(t * g->p->rate) + 1;
	for (int i = 0; i <= g->p->o->patrols; i++) {
		struct pb_pose at = g->fleet.rover[i].pose;
		struct pb_rec_pose p = {.x = at.x, .y = at.y, .theta = at.th};

		PB_REC_SET(p.source, "truth");
		pb_put_pose(&g->c.out, stamp(g, i - 1), &p);
		speaks(g, i - 1);
	}
}

void
pb_zumyplay_known(struct pb_zumyplay *g)
{
	pb_zumyknown_put(&g->known, &g->s);
	pb_chorus_aside(&g->c);
}

void
pb_zumyplay_result(struct pb_zumyplay *g)
{
	struct pb_rec_result r = pb_rec_result_none();
	const struct pb_zumysim *p = g->p;
	const struct pb_ground ground = {.maze = &g->z};

	PB_REC_SET(r.version, PB_VERSION);
	r.build = pb_build_digest();
	r.trial = pb_rules_key(&pb_rules_zumy, &ground, p->o, 1);
	pb_constants_tell(PB_OPT_ZUMY, p->o, NULL, NULL, r.trial.told);
	r.trial.seed = p->sim.seed;
	r.trial.trial = p->sim.trial;
	PB_REC_SET(r.trial.policy, pb_pilot_steers(p->sim.pilot) ? "human"
				   : g->scripted                 ? "script"
						 : p->player->name);
	pb_agent_credit(p->sim.outside, &r.trial);
	pb_rules_zumy_ended(&r.trial, &g->s, p->o);
	if (p->o->motion == PB_ZUMY_DRIVE)
		r.trial.collisions = g->fleet.collisions;
	pb_put_result(&g->c.out, &r);
	pb_pilot_over(p->sim.pilot, &r);
	speaks(g, PB_ZUMY_PLAYER);
	g->c.over = true;
}
