/* roombasim.c - what pb-sim does under the Roomba rules. */
#include "io/sim/roombasim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/sim/roombaplay.h"
#include "io/sim/script.h"
#include "io/sim/world.h"
#include "policy/rules_roomba.h"

struct pb_opt_group
pb_roombasim_group(struct pb_roomba_opts *o, const char **given)
{
	struct pb_opt_group g = {.title = "Constants of roomba",
	    .base = o,
	    .given = given,
	    .with = "rules=roomba"};

	g.param = pb_roomba_params(&g.n);
	return g;
}

/* Whether we are a ghost of a swarm. */
static bool
hears_pacman(const struct pb_roombaplay *g)
{
	return pb_chorus_hears(&g->c, pb_roombaplay_name(PB_ROOMBA_PACMAN));
}

/* Whether the world lets us play. */
static bool
goes_on(const struct pb_roombaplay *g)
{
	return !g->c.failed && pb_msg_out_ok() && !pb_msg_stopped();
}

/* A move of somebody else: in `cell` he may go where it is open. */
static enum pb_dir
hear_move(struct pb_roombaplay *g, int robot, int cell)
{
	enum pb_dir d = pb_chorus_move(&g->c, pb_roombaplay_name(robot),
	    pb_roombaplay_time(g), g->board.cells.cell[cell].exits);

	pb_roombaplay_heed(g, robot);
	return d;
}

/* What a robot does; m has the moves of those before it. */
static enum pb_dir
turn(struct pb_roombaplay *g, int robot, enum pb_dir stick,
    const struct pb_roomba_moves *m)
{
	struct pb_roomba *s = &g->s;
	const struct pb_cell_at *c = &g->board.cells.cell[s->pacman];
	enum pb_dir d;

	if (robot >= 0 && s->ghost[robot].state == PB_ROOMBA_LOST)
		return PB_STAY;
	if (pb_chorus_hears(&g->c, pb_roombaplay_name(robot))) {
		if (robot < 0)
			return hear_move(g, robot, s->pacman);
		pb_roomba_ghost_look(s, &g->board, g->p->o, robot,
		    m->pacman == PB_STAY ? s->pacman : c->to[m->pacman]);
		return hear_move(g, robot, s->ghost[robot].at);
	}
	d = robot < 0 ? pb_roomba_steer(s, &g->board, stick)
	              : pb_roomba_ghost_move(s, &g->board, g->p->o, robot, m);
	pb_roombaplay_move(g, robot, d);
	return d;
}

/* A robot with a body decides. */
static enum pb_dir
decide(void *ctx, struct pb_roomba_fleet *f, int robot)
{
	struct pb_roombaplay *g = ctx;
	struct pb_roomba *s = &f->s;
	enum pb_dir d;

	if (g->c.failed)
		return PB_STAY;
	if (pb_chorus_hears(&g->c, pb_roombaplay_name(robot))) {
		if (robot < 0)
			return hear_move(g, robot, s->pacman);
		pb_roomba_ghost_look(s, &g->board, g->p->o, robot, s->pacman);
		return hear_move(g, robot, s->ghost[robot].at);
	}
	d = robot < 0 ? pb_roomba_steer(s, &g->board, g->stick)
	              : pb_roomba_fleet_choose(f, &g->board, g->p->o, robot);
	pb_roombaplay_move(g, robot, d);
	return d;
}

/* Where Pac-Man is, truly; before he has moved he looks up. */
static struct pb_pose
pacman_at(const struct pb_roombaplay *g)
{
	const struct pb_cell_at *c = &g->board.cells.cell[g->s.pacman];
	double th = PB_PI / 2;

	if (pb_roombaplay_drives(g))
		return g->fleet.bot[0].rover.pose;
	if (g->senses.sense && !(g->s.events & PB_ROOMBA_RESET))
		th = g->senses.sense->p.th;
	return pb_senses_cell(&g->z, c->row, c->col, (enum pb_dir)g->s.dir, th);
}

static void
sense(struct pb_roombaplay *g)
{
	pb_senses_step(&g->senses, pb_roombaplay_time(g), pacman_at(g),
	    g->s.events & PB_ROOMBA_RESET);
	pb_chorus_aside(&g->c);
}

/* What is to be seen and heard of the last tick. */
static void
show_tick(struct pb_roombaplay *g)
{
	bool drives = pb_roombaplay_drives(g);

	if (g->p->sim.heat != NULL && pb_roombaplay_time(g) > 0)
		pb_roomba_heat(&g->s, &g->board,
		    drives ? &g->fleet.bot[0].rover.pose : NULL,
		    !drives || g->fleet.step % g->p->o->bodies.steps == 0,
		    g->p->sim.heat);
	pb_cues_until(&g->cues, pb_roombaplay_time(g));
	pb_roombaplay_tell(g);
	if (!drives || g->fleet.decided != 0 || g->s.events != 0 ||
	    g->s.ending != PB_ROOMBA_ON)
		pb_roombaplay_tick(g);
	pb_roombaplay_events(g);
	if (drives)
		pb_roombaplay_poses(g);
	sense(g);
}

/* A tick with the stick at d. Returns whether the game goes on. */
static bool
play_tick(struct pb_roombaplay *g, enum pb_dir d)
{
	const struct pb_roomba_opts *o = g->p->o;
	struct pb_roomba_moves m = {.pacman = PB_STAY};
	bool on;

	if (g->s.stopped == 0) {
		m.pacman = turn(g, PB_ROOMBA_PACMAN, d, &m);
		for (int i = 0; i < o->ghosts && !g->c.failed; i++)
			m.ghost[i] = turn(g, i, PB_STAY, &m);
	}
	if (g->c.failed)
		return false;
	on = pb_roomba_drive(&g->s, &g->board, o, &m);
	show_tick(g);
	return on;
}

/* A step of the bodies' controllers. Returns whether the game goes on. */
static bool
play_step(struct pb_roombaplay *g, enum pb_dir d)
{
	const struct pb_roomba_crew crew = {decide, g};
	const struct pb_roomba_opts *o = g->p->o;
	struct pb_roomba_fleet *f = &g->fleet;
	bool on;

	g->stick = d;
	pb_cues_until(
	    &g->cues, (double)(f->step + 1) * pb_roomba_fleet_dt(&g->board, o));
	pb_roomba_push(&f->s, &g->board, d);
	on = pb_roomba_fleet_crew(f, &g->board, o, &crew);
	g->s = f->s;
	if (g->c.failed)
		return false;
	show_tick(g);
	return on;
}

static bool
asks(const struct pb_roombaplay *g)
{
	return pb_roombaplay_drives(g) ? pb_roomba_fleet_asks(&g->fleet)
	                               : g->s.stopped == 0;
}

bool
pb_roombaplay_on(struct pb_roombaplay *g, enum pb_dir d)
{
	return pb_roombaplay_drives(g) ? play_step(g, d) : play_tick(g, d);
}

/* While he does not decide he needs no move. */
static bool
sit_out(struct pb_roombaplay *g)
{
	bool on = true;

	while (on && !asks(g) && goes_on(g))
		on = pb_roombaplay_on(g, PB_STAY);
	return on;
}

/* A move of the script, and what passes until he decides again. */
static bool
play_move(void *game, enum pb_dir d)
{
	return pb_roombaplay_on(game, d) && sit_out(game);
}

/* From the beginning again, to wait for START. */
static void
reset(struct pb_roombaplay *g)
{
	struct pb_cues_opts next = *g->p->sim.cues;

	if (g->p->programs != NULL && g->p->programs->n > 0) {
		pb_msg_note("RESET: ghosts that are programs know none");
		return;
	}
	g->poses = 0;
	g->joy = pb_joy_still();
	g->waits = true;
	pb_senses_end(&g->senses);
	if (!pb_cues_again(&g->cues, &next, 0, &g->c.out))
		g->c.failed = true;
	g->cues.o = g->p->sim.cues;
	if (!g->c.failed)
		pb_roombaplay_begin(g);
}

/* What the buttons do that were pressed at time t of the stick. */
static void
press(struct pb_roombaplay *g, unsigned pressed, double t)
{
	if (pressed & PB_JOY_RESET)
		reset(g);
	if (g->waits && (pressed & PB_JOY_START)) {
		g->waits = false;
		g->joy_since = t;
	}
}

/*
 * The joystick of a stream. With stamps the game goes on up to each, counted
 * from START; without, a record is for one decision, as a move is.
 */
static bool
play_joy(void *game, double t, const struct pb_rec_joy *j)
{
	struct pb_roombaplay *g = game;
	bool on = true;

	if (!g->has_joy) {
		g->has_joy = true;
		g->joy = pb_joy_still();
		g->joy_since = t;
		g->waits = j->buttons > 0;
	}
	while (!g->waits && on && goes_on(g) &&
	       pb_roombaplay_time(g) < t - g->joy_since - 1e-9)
		on = pb_roombaplay_on(g, pb_joy_dir(&g->joy, asks(g)));
	press(g, pb_joy_take(&g->joy, j), t);
	if (!g->waits && on && isnan(t))
		on = pb_roombaplay_on(g, pb_joy_dir(&g->joy, asks(g))) &&
		     sit_out(g);
	return on && goes_on(g);
}

/* Where the joystick of the device points, when the time has come. */
static enum pb_dir
live_stick(struct pb_roombaplay *g)
{
	do {
		unsigned pressed = 0;

		fflush(stdout);
		g->left = !pb_joystick_until(g->p->joystick,
		    g->waits ? INFINITY : pb_roombaplay_time(g), &g->joy,
		    &pressed);
		press(g, pressed, 0);
	} while (!g->left && g->waits && goes_on(g));
	return pb_joy_dir(&g->joy, asks(g));
}

enum pb_dir
pb_roombaplay_stick(struct pb_roombaplay *g)
{
	const struct pb_roombasim *p = g->p;
	enum pb_dir d = PB_STAY;

	if (p->joystick != NULL)
		d = live_stick(g);
	else if (pb_pilot_steers(p->sim.pilot))
		g->left = !p->sim.pilot->ask(
		    p->sim.pilot->user, pb_roombaplay_time(g), &d);
	else if (asks(g) && !g->scripted && !hears_pacman(g))
		d = pb_rules_roomba_ask(p->player, &g->s, &g->board, p->o,
		    &g->rng, pb_roombaplay_drives(g) ? &g->fleet : NULL);
	return d;
}

void
pb_roombaplay_begin(struct pb_roombaplay *g)
{
	const struct pb_roombasim *p = g->p;

	pb_rng_start(&g->rng, p->sim.seed, p->sim.trial, PB_FOR_PLAYER, 0);
	pb_roomba_fleet_start(
	    &g->fleet, &g->board, p->o, p->sim.seed, p->sim.trial);
	g->s = g->fleet.s;
	if (p->sim.senses &&
	    !pb_senses_begin_board(&g->senses, p->sim.senses, &g->z,
		p->sim.seed, p->sim.trial, pacman_at(g), &g->c.out)) {
		g->c.failed = true;
		return;
	}
	if (!hears_pacman(g))
		pb_roombaplay_board(g);
	if (p->sim.pilot) {
		p->sim.pilot->board(p->sim.pilot->user, &g->z);
		pb_cues_watch(
		    &g->cues, p->sim.pilot->light, p->sim.pilot->user);
	}
	show_tick(g);
}

static void
play(struct pb_roombaplay *g, char *const *files, int n)
{
	const struct pb_script script = {"pacman", play_move, play_joy, g};
	struct pb_rec r = {.type = PB_REC_OTHER};
	bool on = true;

	if (g->p->sim.maze != NULL)
		*g->p->sim.maze = g->z;
	pb_roombaplay_begin(g);
	if (g->c.failed)
		return;
	g->scripted = n > 0;
	g->joy = pb_joy_still();
	g->waits = g->p->joystick != NULL;
	if (n > 0 && !pb_script_play(&script, files, n, g->p->sim.common))
		return;
	if (n > 0 && g->waits) {
		pb_msg_note("START, button 0, was never pressed: no game");
		return;
	}
	while (on && g->s.ending == PB_ROOMBA_ON && goes_on(g)) {
		enum pb_dir d = pb_roombaplay_stick(g);

		on = !g->left && pb_roombaplay_on(g, d);
	}
	pb_cues_finish(&g->cues);
	if (hears_pacman(g))
		pb_chorus_next(&g->c, PB_REC_RESULT, "", &r);
	else if (goes_on(g) && !g->left)
		pb_roombaplay_result(g);
	pb_rec_clear(&r);
}

bool
pb_roombaplay_open(struct pb_roombaplay *g)
{
	const struct pb_roombasim *p = g->p;
	struct pb_place from = {
	    p->sim.board != NULL ? p->sim.board : "roomba", 0};
	const char *why;
	int row, col;

	if (!(hears_pacman(g) ? pb_chorus_board(&g->c, &g->z, &from)
			      : pb_world_maze(from.file, &g->z)))
		return false;
	why = pb_roomba_board_wrong(&g->z, &row, &col);
	if (why == NULL)
		why = pb_roomba_fleet_wrong(&g->z, p->o);
	if (why != NULL && row >= 0)
		pb_msg_refuse(from, "(%d, %d): %s", row, col, why);
	else if (why != NULL)
		pb_msg_refuse(from, "%s", why);
	else if (p->o->ghosts > g->z.ghosts)
		pb_msg_refuse(from, "has places for %d ghosts; see --ghosts",
		    g->z.ghosts);
	else if (pb_roomba_board_init(&g->board, &g->z) == PB_OK)
		return true;
	else
		pb_msg_system("no memory for the board");
	return false;
}

void
pb_roombasim_run(const struct pb_roombasim *p, char *const *files, int n)
{
	struct pb_roombaplay g = {.p = p};

	pb_msg_catch();
	if (pb_chorus_begin(
		&g.c, p->as, pb_roombaplay_names, 1 + p->o->ghosts) &&
	    pb_roombaplay_open(&g) &&
	    pb_chorus_lead(&g.c, p->programs, p->patience) &&
	    pb_cues_begin(&g.cues, p->sim.cues, 0, &g.c.out))
		play(&g, files, n);
	pb_cues_finish(&g.cues);
	pb_senses_end(&g.senses);
	pb_roomba_board_clear(&g.board);
	pb_chorus_end(&g.c);
}
