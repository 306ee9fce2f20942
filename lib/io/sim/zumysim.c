/* zumysim.c - what pb-sim does under the Zumy rules. */
#include "io/sim/zumysim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sim/pactick.h"
#include "io/sim/script.h"
#include "io/sim/world.h"
#include "io/sim/zumyplay.h"
#include "policy/zumys.h"

const char *const *const pb_zumysim_patrol = pb_zumyplay_names + 1;

struct pb_opt_group
pb_zumysim_group(struct pb_zumy_opts *o, const char **given)
{
	struct pb_opt_group g = {.title = "Constants of zumy",
	    .base = o,
	    .given = given,
	    .with = "rules=zumy"};

	g.param = pb_zumy_params(&g.n);
	return g;
}

/* Whether we are a patrol of a swarm. */
static bool
hears_player(const struct pb_zumyplay *g)
{
	return pb_chorus_hears(&g->c, pb_zumyplay_name(PB_ZUMY_PLAYER));
}

/* Whether the world lets us play. */
static bool
goes_on(const struct pb_zumyplay *g)
{
	return !g->c.failed && pb_msg_out_ok() && !pb_msg_stopped();
}

/* What somebody else does, where s->tick is now. */
static enum pb_dir
hear_move(struct pb_zumyplay *g, struct pb_zumy *s, int robot)
{
	const struct pb_zumy_opts *o = g->p->o;
	unsigned ways = 0;
	enum pb_dir d;

	for (int k = 0; k < 4; k++) {
		bool may = robot == PB_ZUMY_PLAYER
		               ? pb_zumy_may(s, &g->board, o, (enum pb_dir)k)
		               : pb_zumy_patrol_may(
				     s, &g->board, o, robot, (enum pb_dir)k);

		ways |= (unsigned)may << k;
	}
	d = pb_chorus_move(
	    &g->c, pb_zumyplay_name(robot), (double)s->tick / PB_ZUMY_HZ, ways);
	if (robot != PB_ZUMY_PLAYER &&
	    pb_chorus_lost(&g->c, pb_zumyplay_name(robot)))
		pb_zumy_lose(s, robot);
	return d;
}

/*
 * Whether patrol i has said that it stays, and nothing has changed since that
 * it decides by: it need not say so again.
 */
static bool
stands(struct pb_zumyplay *g, const struct pb_zumy *s, int i)
{
	struct pb_zumyplay_scene now = {.stood = true}, *was = &g->scene[i];
	bool same;

	now.at[0] = s->player.at;
	now.to[0] = s->player.to;
	for (int k = 0; k < g->p->o->patrols; k++) {
		now.at[1 + k] = s->patrol[k].body.at;
		now.to[1 + k] = s->patrol[k].body.to;
	}
	now.last = s->patrol[i].map.last;
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		now.known += s->patrol[i].map.known.row[r];
	same = was->stood && was->known == now.known &&
	       memcmp(was->at, now.at, sizeof(now.at)) == 0 &&
	       memcmp(was->to, now.to, sizeof(now.to)) == 0 &&
	       memcmp(&was->last, &now.last, sizeof(now.last)) == 0;
	*was = now;
	return same;
}

/* A robot decides: one of ours, or one that we hear. */
static enum pb_dir
decide(void *ctx, struct pb_zumy *s, int robot)
{
	struct pb_zumyplay *g = ctx;
	const struct pb_zumy_opts *o = g->p->o;
	bool patrol = robot != PB_ZUMY_PLAYER;
	enum pb_dir d = g->stick;

	if (g->c.failed || (patrol && stands(g, s, robot)))
		return PB_STAY;
	if (pb_chorus_hears(&g->c, pb_zumyplay_name(robot))) {
		d = hear_move(g, s, robot);
	} else {
		if (patrol)
			d = pb_zumy_choose(s, &g->board, o, robot);
		else if (!pb_zumy_may(s, &g->board, o, d))
			d = PB_STAY;
		g->s.tick = s->tick;
		pb_zumyplay_move(g, robot, d);
	}
	if (patrol)
		g->scene[robot].stood = d == PB_STAY;
	return d;
}

/* Where the player is, truly. */
static struct pb_pose
player_at(const struct pb_zumyplay *g)
{
	const struct pb_zumy_body *b = &g->s.player;

	if (g->p->o->motion == PB_ZUMY_DRIVE)
		return g->fleet.rover[0].pose;
	return pb_senses_cell(
	    &g->z, b->at.row, b->at.col, (enum pb_dir)b->facing, 0);
}

static void
sense(struct pb_zumyplay *g)
{
	pb_senses_step(
	    &g->senses, (double)g->s.tick / PB_ZUMY_HZ, player_at(g), false);
	pb_chorus_aside(&g->c);
}

/* A tick with the stick at d. Returns whether the game goes on. */
bool
pb_zumyplay_on(struct pb_zumyplay *g, enum pb_dir d)
{
	const struct pb_zumy_crew crew = {decide, g};
	bool on;

	g->stick = d;
	pb_cues_until(&g->cues, (double)(g->s.tick + 1) / PB_ZUMY_HZ);
	if (g->p->o->motion == PB_ZUMY_DRIVE) {
		on = pb_zumy_fleet_crew(&g->fleet, &g->board, g->p->o, &crew);
		g->s = g->fleet.s;
	} else {
		on = pb_zumy_tick_crew(&g->s, &g->board, g->p->o, &crew);
	}
	if (g->c.failed)
		return false;
	if (g->p->sim.heat != NULL)
		pb_zumy_heat(&g->s, g->p->sim.heat);
	pb_zumyplay_show(g);
	pb_zumyplay_events(g);
	pb_zumyplay_poses(g);
	pb_zumyplay_known(g);
	sense(g);
	return on;
}

/* Go on until the player has to decide. */
static bool
sit_out(struct pb_zumyplay *g)
{
	while (g->s.ending == PB_ZUMY_ON && !pb_zumy_asks(&g->s) && goes_on(g))
		pb_zumyplay_on(g, PB_STAY);
	return g->s.ending == PB_ZUMY_ON;
}

/* A move of the script, and what passes until he decides again. */
static bool
play_move(void *game, enum pb_dir d)
{
	return pb_zumyplay_on(game, d) && sit_out(game);
}

/* Where the player wants to go in the next tick. */
enum pb_dir
pb_zumyplay_steer(struct pb_zumyplay *g)
{
	const struct pb_zumysim *p = g->p;
	const struct pb_zumy_view v = {&g->s, &g->board, p->o, &g->rng,
	    p->o->motion == PB_ZUMY_DRIVE ? &g->fleet : NULL};
	enum pb_dir d = PB_STAY;

	if (pb_pilot_steers(p->sim.pilot))
		g->left = !p->sim.pilot->ask(
		    p->sim.pilot->user, (double)g->s.tick / PB_ZUMY_HZ, &d);
	else if (!g->scripted && !hears_player(g) && pb_zumy_asks(&g->s))
		d = p->player->decide(g->mem, &v);
	return d;
}

void
pb_zumyplay_begin(struct pb_zumyplay *g)
{
	const struct pb_zumysim *p = g->p;

	pb_rng_start(&g->rng, p->sim.seed, p->sim.trial, PB_FOR_PLAYER, 0);
	pb_zumy_fleet_start(
	    &g->fleet, &g->board, p->o, p->sim.seed, p->sim.trial);
	g->s = g->fleet.s;
	if (p->sim.senses &&
	    !pb_senses_begin_board(&g->senses, p->sim.senses, &g->z,
		p->sim.seed, p->sim.trial, player_at(g), &g->c.out)) {
		g->c.failed = true;
		return;
	}
	if (!hears_player(g))
		pb_zumyplay_board(g);
	if (p->sim.pilot) {
		p->sim.pilot->board(p->sim.pilot->user, &g->z);
		pb_cues_watch(
		    &g->cues, p->sim.pilot->light, p->sim.pilot->user);
	}
	pb_zumyplay_tick(g);
	pb_zumyplay_events(g);
	pb_zumyplay_poses(g);
	g->known = (struct pb_zumyknown){
	    &g->board, p->known, p->o->patrols, &g->c.out};
	pb_zumyplay_known(g);
	sense(g);
}

static void
play(struct pb_zumyplay *g, char *const *files, int n)
{
	const struct pb_script script = {
	    pb_zumyplay_name(PB_ZUMY_PLAYER), play_move, NULL, g};
	struct pb_rec r = {.type = PB_REC_OTHER};

	if (g->p->sim.maze != NULL)
		*g->p->sim.maze = g->z;
	pb_zumyplay_begin(g);
	if (g->c.failed)
		return;
	g->scripted = n > 0;
	if (n > 0 && !pb_script_play(&script, files, n, g->p->sim.common))
		return;
	while (!g->left && g->s.ending == PB_ZUMY_ON && goes_on(g)) {
		enum pb_dir d = pb_zumyplay_steer(g);

		if (!g->left)
			pb_zumyplay_on(g, d);
	}
	pb_cues_finish(&g->cues);
	if (hears_player(g))
		pb_chorus_next(&g->c, PB_REC_RESULT, "", &r);
	else if (goes_on(g) && !g->left)
		pb_zumyplay_result(g);
	pb_rec_clear(&r);
}

bool
pb_zumyplay_open(struct pb_zumyplay *g)
{
	const struct pb_zumysim *p = g->p;
	struct pb_place from = {
	    p->sim.board != NULL ? p->sim.board : "zumy", 0};
	const char *why;

	if (!(hears_player(g) ? pb_chorus_board(&g->c, &g->z, &from)
			      : pb_world_maze(from.file, &g->z)))
		return false;
	why = pb_zumy_board_wrong(&g->z);
	if (why == NULL)
		why = pb_zumy_fleet_wrong(&g->z, p->o);
	if (why != NULL) {
		pb_msg_refuse(from, "%s", why);
		return false;
	}
	g->mem = malloc(pb_zumy_player_memory());
	if (g->mem == NULL || pb_zumy_board_init(&g->board, &g->z) != PB_OK) {
		pb_msg_system("no memory for the board");
		return false;
	}
	if (pb_zumy_room(&g->board, p->o) >= p->o->patrols)
		return true;
	pb_msg_refuse(from,
	    "has no room for so many patrols; see --patrols, --start-distance");
	return false;
}

void
pb_zumyplay_close(struct pb_zumyplay *g)
{
	pb_zumy_board_clear(&g->board);
	free(g->mem);
}

void
pb_zumysim_run(const struct pb_zumysim *p, char *const *files, int n)
{
	struct pb_zumyplay g = {.p = p};

	pb_msg_catch();
	if (pb_chorus_begin(
		&g.c, p->as, pb_zumyplay_names, 1 + p->o->patrols) &&
	    pb_zumyplay_open(&g) &&
	    pb_chorus_lead(&g.c, p->programs, p->patience) &&
	    pb_cues_begin(&g.cues, p->sim.cues, 0, &g.c.out))
		play(&g, files, n);
	pb_cues_finish(&g.cues);
	pb_senses_end(&g.senses);
	pb_zumyplay_close(&g);
	pb_chorus_end(&g.c);
}
