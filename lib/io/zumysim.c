/* zumysim.c - what pb-sim does under the Zumy rules. */
#include "io/zumysim.h"

#include <stdio.h>
#include <string.h>

#include "game/happened.h"
#include "io/constants.h"
#include "io/pactick.h"
#include "io/script.h"
#include "io/world.h"
#include "policy/rules_zumy.h"

/* A game being played. */
struct play {
	const struct pb_zumysim *p;
	struct pb_maze z;
	struct pb_zumy_board board;
	struct pb_zumy s;
	struct pb_zumy_fleet fleet; /* with bodies: s is a copy of its */
	long poses;                 /* rounds of pose records so far */
	struct pb_zumy was;         /* as last written */
	struct pb_rng rng;          /* the player's */
	struct pb_zumyknown known;
	struct pb_text *out;
	struct pb_cues cues;
	bool scripted;
	bool left; /* the pilot has had enough */
};

struct pb_opt_group
pb_zumysim_group(struct pb_zumy_opts *o, const char **given)
{
	struct pb_opt_group g = {
	    .title = "Constants of zumy", .base = o, .given = given};

	g.param = pb_zumy_params(&g.n);
	return g;
}

/* Robot -1 is the player, others are patrols. */
static struct pb_stamp
stamp(const struct play *g, int robot)
{
	char id[PB_REC_WORD] = "player";

	if (robot >= 0)
		snprintf(id, sizeof id, "patrol%d", robot + 1);
	return pb_stamp_at((double)g->s.tick / PB_ZUMY_HZ, id);
}

static void
put_move(struct play *g, int robot, enum pb_dir d)
{
	struct pb_rec_move m;

	PB_REC_SET(m.dir, pb_pactick_dir((int)d));
	pb_put_move(g->out, stamp(g, robot), &m);
}

static void
tell(struct play *g, int robot, const char *name)
{
	struct pb_rec_message m = {.name = ""};

	PB_REC_SET(m.name, name);
	pb_put_message(g->out, stamp(g, robot), &m);
}

static void
put_body(struct pb_rec_tick *k, const struct play *g, int robot,
    const struct pb_zumy_body *from, const char *mode)
{
	struct pb_rec_body *b = &k->body[k->bodies++];

	*b = (struct pb_rec_body){.row = from->at.row,
	    .col = from->at.col,
	    .fright = -1,
	    .trapped = -1};
	PB_REC_SET(b->id, stamp(g, robot).id);
	PB_REC_SET(b->dir, pb_pactick_dir(from->facing));
	PB_REC_SET(b->mode, mode);
}

static void
put_tick(struct play *g)
{
	struct pb_rec_tick k = pb_rec_tick_none();

	k.tick = g->s.tick;
	put_body(&k, g, -1, &g->s.player, "");
	for (int i = 0; i < g->p->o->patrols; i++)
		put_body(&k, g, i, &g->s.patrol[i].body,
		    g->s.patrol[i].stares ? "staring" : "patrolling");
	pb_put_tick(
	    g->out, pb_stamp_at((double)g->s.tick / PB_ZUMY_HZ, NULL), &k);
	if (g->p->pilot)
		g->p->pilot->show(g->p->pilot->user, &k);
	g->was = g->s;
}

static bool
moved(const struct pb_zumy_body *a, const struct pb_zumy_body *b)
{
	return a->at.row != b->at.row || a->at.col != b->at.col ||
	       a->facing != b->facing;
}

/* What has changed since the last record. */
static void
show(struct play *g)
{
	int patrols = g->p->o->patrols;
	bool change =
	    moved(&g->s.player, &g->was.player) || g->s.ending != PB_ZUMY_ON;

	if (g->s.events & PB_ZUMY_PING)
		tell(g, -1, "PING");
	for (int i = 0; i < patrols; i++) {
		const struct pb_zumy_patrol *p = &g->s.patrol[i];

		if (g->s.events & (unsigned)PB_ZUMY_STARE << i)
			tell(g, i, "STOP");
		if (g->s.events & (unsigned)PB_ZUMY_RESUME << i)
			tell(g, i, "START");
		change |= moved(&p->body, &g->was.patrol[i].body) ||
		          p->stares != g->was.patrol[i].stares;
	}
	if (g->s.by >= 0)
		tell(g, g->s.by, "WON");
	if (change)
		put_tick(g);
}

/* Whether the robot has set off in this tick: it drives, and did not before. */
static void
show_moves(struct play *g, const struct pb_zumy *before)
{
	for (int i = -1; i < g->p->o->patrols; i++) {
		const struct pb_zumy_body *b =
		    i < 0 ? &g->s.player : &g->s.patrol[i].body;
		const struct pb_zumy_body *a =
		    i < 0 ? &before->player : &before->patrol[i].body;
		bool same_way =
		    a->to.row == b->to.row && a->to.col == b->to.col;

		if (b->turn + b->drive > 0 && !same_way)
			put_move(g, i, (enum pb_dir)b->turning);
	}
}

/* Steered by somebody else, he stays where he is: a script must say that. */
static void
show_stay(struct play *g, const struct pb_zumy *before)
{
	if ((g->scripted || g->p->pilot) && pb_zumy_asks(before) &&
	    pb_zumy_asks(&g->s) && g->s.moves == before->moves)
		put_move(g, -1, PB_STAY);
}

/* The true poses of bodies, if they are due. */
static void
put_poses(struct play *g)
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
		pb_put_pose(g->out, stamp(g, i - 1), &p);
	}
}

static bool
pass(struct play *g, enum pb_dir d)
{
	bool on;

	if (g->p->o->motion != PB_ZUMY_DRIVE)
		return pb_zumy_tick(&g->s, &g->board, g->p->o, d);
	on = pb_zumy_fleet_tick(&g->fleet, &g->board, g->p->o, d);
	g->s = g->fleet.s;
	return on;
}

/* What is to be seen and heard of the last tick. */
static void
show_events(struct play *g)
{
	struct pb_happened h = pb_zumy_happened(&g->s);

	for (int i = 0; i < h.n; i++)
		pb_cues_tell(&g->cues, g->out, stamp(g, -1).t, h.name[i]);
}

static bool
play_tick(struct play *g, enum pb_dir d)
{
	struct pb_zumy before = g->s;
	bool on = pass(g, d);

	pb_cues_until(&g->cues, stamp(g, -1).t);
	show_stay(g, &before);
	show_moves(g, &before);
	show(g);
	show_events(g);
	put_poses(g);
	pb_zumyknown_put(&g->known, &g->s);
	return on;
}

/* Go on until the player has to decide. */
static bool
sit_out(struct play *g)
{
	while (g->s.ending == PB_ZUMY_ON && !pb_zumy_asks(&g->s) &&
	       pb_msg_out_ok() && !pb_msg_stopped())
		play_tick(g, PB_STAY);
	return g->s.ending == PB_ZUMY_ON;
}

/* A move of the script, and what passes until he decides again. */
static bool
play_move(void *game, enum pb_dir d)
{
	return play_tick(game, d) && sit_out(game);
}

static void
write_result(struct play *g)
{
	struct pb_rec_result r = pb_rec_result_none();
	const struct pb_zumysim *p = g->p;
	const struct pb_ground ground = {.maze = &g->z};

	PB_REC_SET(r.version, PB_VERSION);
	r.trial = pb_rules_key(&pb_rules_zumy, &ground, p->o, 1);
	pb_constants_tell(PB_OPT_ZUMY, p->o, NULL, r.trial.told);
	r.trial.seed = p->seed;
	r.trial.trial = p->trial;
	PB_REC_SET(r.trial.policy, p->pilot      ? "human"
				   : g->scripted ? "script"
						 : p->player->name);
	pb_rules_zumy_ended(&r.trial, &g->s, p->o);
	if (p->o->motion == PB_ZUMY_DRIVE)
		r.trial.collisions = g->fleet.collisions;
	pb_put_result(g->out, &r);
}

/* Where the player wants to go in the next tick. */
static enum pb_dir
steer(struct play *g)
{
	const struct pb_zumysim *p = g->p;
	const struct pb_zumy_view v = {&g->s, &g->board, p->o, &g->rng};
	enum pb_dir d = PB_STAY;

	if (p->pilot)
		g->left = !p->pilot->ask(
		    p->pilot->user, (double)g->s.tick / PB_ZUMY_HZ, &d);
	else if (!g->scripted && pb_zumy_asks(&g->s))
		d = p->player->decide(&v);
	return d;
}

static void
begin(struct play *g)
{
	const struct pb_zumysim *p = g->p;

	pb_rng_start(&g->rng, p->seed, p->trial, PB_FOR_PLAYER, 0);
	pb_zumy_fleet_start(&g->fleet, &g->board, p->o, p->seed, p->trial);
	g->s = g->fleet.s;
	pb_put_maze(g->out, &g->z);
	if (p->pilot)
		p->pilot->board(p->pilot->user, &g->z);
	put_tick(g);
	show_events(g);
	put_poses(g);
	g->known =
	    (struct pb_zumyknown){&g->board, p->known, p->o->patrols, g->out};
	pb_zumyknown_put(&g->known, &g->s);
}

static void
play(struct play *g, char *const *files, int n)
{
	const struct pb_script script = {"player", play_move, g};

	begin(g);
	g->scripted = n > 0;
	if (n > 0 && !pb_script_play(&script, files, n, g->p->common))
		return;
	while (!g->left && g->s.ending == PB_ZUMY_ON && pb_msg_out_ok() &&
	       !pb_msg_stopped()) {
		enum pb_dir d = steer(g);

		if (!g->left)
			play_tick(g, d);
	}
	pb_cues_finish(&g->cues);
	if (!pb_msg_stopped() && !g->left)
		write_result(g);
}

static bool
open_board(struct play *g)
{
	const struct pb_zumysim *p = g->p;
	const char *name = p->board != NULL ? p->board : "zumy", *why;

	if (!pb_world_maze(name, &g->z))
		return false;
	why = pb_zumy_board_wrong(&g->z);
	if (why == NULL)
		why = pb_zumy_fleet_wrong(&g->z, p->o);
	if (why != NULL) {
		pb_msg_refuse((struct pb_place){name, 0}, "%s", why);
		return false;
	}
	if (pb_zumy_board_init(&g->board, &g->z) != PB_OK) {
		pb_msg_system("no memory for the board");
		return false;
	}
	if (pb_zumy_room(&g->board, p->o) >= p->o->patrols)
		return true;
	pb_msg_refuse((struct pb_place){name, 0},
	    "has no room for so many patrols; see --patrols, --start-distance");
	return false;
}

void
pb_zumysim_run(const struct pb_zumysim *p, char *const *files, int n)
{
	struct pb_text out = {.to = stdout};
	struct play g = {.p = p, .out = &out};

	pb_msg_catch();
	if (open_board(&g) && pb_cues_begin(&g.cues, p->cues, 0, &out))
		play(&g, files, n);
	pb_cues_finish(&g.cues);
	pb_zumy_board_clear(&g.board);
	pb_text_clear(&out);
}
