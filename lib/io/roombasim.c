/* roombasim.c - what pb-sim does under the Roomba rules. */
#include "io/roombasim.h"

#include <stdio.h>
#include <string.h>

#include "io/constants.h"
#include "io/pactick.h"
#include "io/script.h"
#include "io/world.h"
#include "policy/rules_roomba.h"

/* A game being played. */
struct play {
	const struct pb_roombasim *p;
	struct pb_maze z;
	struct pb_roomba_board board;
	struct pb_roomba s;
	struct pb_roomba_fleet fleet; /* with bodies: s is a copy of its */
	long poses;                   /* rounds of pose records so far */
	struct pb_rng rng;            /* the player's */
	struct pb_text *out;
	bool scripted;
	bool left; /* the pilot has had enough */
};

struct pb_opt_group
pb_roombasim_group(struct pb_roomba_opts *o, const char **given)
{
	struct pb_opt_group g = {
	    .title = "Constants of roomba", .base = o, .given = given};

	g.param = pb_roomba_params(&g.n);
	return g;
}

static const char *
body_name(int i)
{
	return i < 0 ? "pacman" : pb_roomba_name[i];
}

static bool
drives(const struct play *g)
{
	return g->p->o->motion == PB_MOTION_DRIVE;
}

/* In ticks, or with bodies in seconds. */
static double
now(const struct play *g)
{
	return drives(g) ? pb_roomba_fleet_time(&g->fleet, &g->board, g->p->o)
	                 : g->s.tick;
}

static struct pb_stamp
stamp(const struct play *g, int body)
{
	return pb_stamp_at(now(g), body_name(body));
}

static void
put_move(struct play *g, int body, enum pb_dir d)
{
	struct pb_rec_move m;

	PB_REC_SET(m.dir, pb_pactick_dir((int)d));
	pb_put_move(g->out, stamp(g, body), &m);
}

static void
tell(struct play *g, int from, const char *to, const char *name,
    const char *value)
{
	struct pb_rec_message m;

	PB_REC_SET(m.name, name);
	PB_REC_SET(m.to, to);
	PB_REC_SET(m.value, value);
	pb_put_message(g->out, stamp(g, from), &m);
}

/* What the robots told each other in the last tick. */
static void
tell_events(struct play *g)
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
put_body(struct pb_rec_tick *k, const struct play *g, int body, int cell,
    int dir, const char *mode)
{
	struct pb_rec_body *b = &k->body[k->bodies++];

	*b = (struct pb_rec_body){.row = g->board.cells.cell[cell].row,
	    .col = g->board.cells.cell[cell].col,
	    .fright = -1,
	    .trapped = -1};
	PB_REC_SET(b->id, body_name(body));
	PB_REC_SET(b->dir, pb_pactick_dir(dir));
	PB_REC_SET(b->mode, mode);
}

/* The pellets that remain. */
static void
put_board(struct pb_rec_tick *k, const struct play *g)
{
	k->board = g->z;
	for (int i = 0; i < g->board.cells.n; i++) {
		const struct pb_cell_at *c = &g->board.cells.cell[i];

		if (!pb_roomba_dot(&g->s, i))
			k->board.cell[c->row][c->col] = PB_MAZE_EMPTY;
	}
}

static void
put_tick(struct play *g)
{
	struct pb_rec_tick k = pb_rec_tick_none();

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
	pb_put_tick(g->out, pb_stamp_at(now(g), NULL), &k);
	if (g->p->pilot)
		g->p->pilot->show(g->p->pilot->user, &k);
}

/* A tick with the stick at d. Returns whether the game goes on. */
static bool
play_tick(struct play *g, enum pb_dir d)
{
	const struct pb_roomba_opts *o = g->p->o;
	struct pb_roomba_moves m = {.pacman = PB_STAY};
	bool on;

	if (g->s.stopped == 0) {
		m.pacman = pb_roomba_steer(&g->s, &g->board, d);
		put_move(g, -1, m.pacman);
		for (int i = 0; i < o->ghosts; i++) {
			m.ghost[i] =
			    pb_roomba_ghost_move(&g->s, &g->board, o, i, &m);
			put_move(g, i, m.ghost[i]);
		}
	}
	on = pb_roomba_drive(&g->s, &g->board, o, &m);
	tell_events(g);
	put_tick(g);
	return on;
}

/* The true poses, if they are due. */
static void
put_poses(struct play *g)
{
	double t = now(g);

	if (t * g->p->rate < (double)g->poses)
		return;
	g->poses = (long)(t * g->p->rate) + 1;
	for (int i = 0; i <= g->p->o->ghosts; i++) {
		struct pb_pose at = g->fleet.bot[i].rover.pose;
		struct pb_rec_pose p = {.x = at.x, .y = at.y, .theta = at.th};

		PB_REC_SET(p.source, "truth");
		pb_put_pose(g->out, stamp(g, i - 1), &p);
	}
}

/* A step of the bodies' controllers. Returns whether the game goes on. */
static bool
play_step(struct play *g, enum pb_dir d)
{
	struct pb_roomba_fleet *f = &g->fleet;
	bool on = pb_roomba_fleet_step(f, &g->board, g->p->o, d);

	g->s = f->s;
	for (int i = 0; i <= g->p->o->ghosts; i++)
		if (f->decided >> i & 1)
			put_move(g, i - 1, f->move[i]);
	tell_events(g);
	if (f->decided != 0 || f->s.events != 0 || !on)
		put_tick(g);
	put_poses(g);
	return on;
}

static bool
asks(const struct play *g)
{
	return drives(g) ? pb_roomba_fleet_asks(&g->fleet) : g->s.stopped == 0;
}

static bool
play_on(struct play *g, enum pb_dir d)
{
	return drives(g) ? play_step(g, d) : play_tick(g, d);
}

/* While he does not decide he needs no move. */
static bool
sit_out(struct play *g)
{
	bool on = true;

	while (on && !asks(g) && pb_msg_out_ok() && !pb_msg_stopped())
		on = play_on(g, PB_STAY);
	return on;
}

/* A move of the script, and what passes until he decides again. */
static bool
play_move(void *game, enum pb_dir d)
{
	return play_on(game, d) && sit_out(game);
}

static void
write_result(struct play *g)
{
	struct pb_rec_result r = pb_rec_result_none();
	const struct pb_roombasim *p = g->p;
	const struct pb_ground ground = {.maze = &g->z};

	PB_REC_SET(r.version, PB_VERSION);
	r.trial = pb_rules_key(&pb_rules_roomba, &ground, p->o, 1);
	pb_constants_tell(PB_OPT_ROOMBA, p->o, NULL, r.trial.told);
	r.trial.seed = p->seed;
	r.trial.trial = p->trial;
	PB_REC_SET(r.trial.policy, p->pilot      ? "human"
				   : g->scripted ? "script"
						 : p->player->name);
	if (drives(g))
		pb_rules_roomba_driven(&r.trial, &g->fleet, &g->board, p->o);
	else
		pb_rules_roomba_ended(&r.trial, &g->s, &g->board, p->o);
	pb_put_result(g->out, &r);
}

/* Where the stick points in the next tick. */
static enum pb_dir
stick(struct play *g)
{
	const struct pb_roombasim *p = g->p;
	enum pb_dir d = PB_STAY;

	if (p->pilot)
		g->left = !p->pilot->ask(p->pilot->user, now(g), &d);
	else if (asks(g) && !g->scripted)
		d = pb_rules_roomba_ask(
		    p->player, &g->s, &g->board, p->o, &g->rng);
	return d;
}

static void
begin(struct play *g)
{
	const struct pb_roombasim *p = g->p;

	pb_rng_start(&g->rng, p->seed, p->trial, PB_FOR_PLAYER, 0);
	pb_roomba_fleet_start(&g->fleet, &g->board, p->o, p->seed, p->trial);
	g->s = g->fleet.s;
	pb_put_maze(g->out, &g->z);
	if (p->pilot)
		p->pilot->board(p->pilot->user, &g->z);
	tell_events(g);
	put_tick(g);
	if (drives(g))
		put_poses(g);
}

static void
play(struct play *g, char *const *files, int n)
{
	const struct pb_script script = {"pacman", play_move, g};
	bool on = true;

	begin(g);
	g->scripted = n > 0;
	if (n > 0 && !pb_script_play(&script, files, n, g->p->common))
		return;
	while (on && g->s.ending == PB_ROOMBA_ON && pb_msg_out_ok() &&
	       !pb_msg_stopped()) {
		enum pb_dir d = stick(g);

		on = !g->left && play_on(g, d);
	}
	if (!pb_msg_stopped() && !g->left)
		write_result(g);
}

static bool
open_board(struct play *g)
{
	const struct pb_roombasim *p = g->p;
	const char *name = p->board != NULL ? p->board : "roomba", *why;
	int row, col;

	if (!pb_world_maze(name, &g->z))
		return false;
	why = pb_roomba_board_wrong(&g->z, &row, &col);
	if (why == NULL)
		why = pb_roomba_fleet_wrong(&g->z, p->o);
	if (why != NULL && row >= 0)
		pb_msg_refuse(
		    (struct pb_place){name, 0}, "(%d, %d): %s", row, col, why);
	else if (why != NULL)
		pb_msg_refuse((struct pb_place){name, 0}, "%s", why);
	else if (p->o->ghosts > g->z.ghosts)
		pb_msg_refuse((struct pb_place){name, 0},
		    "has places for %d ghosts; see --ghosts", g->z.ghosts);
	else if (pb_roomba_board_init(&g->board, &g->z) == PB_OK)
		return true;
	else
		pb_msg_system("no memory for the board");
	return false;
}

void
pb_roombasim_run(const struct pb_roombasim *p, char *const *files, int n)
{
	struct pb_text out = {.to = stdout};
	struct play g = {.p = p, .out = &out};

	pb_msg_catch();
	if (open_board(&g))
		play(&g, files, n);
	if (out.failed && !ferror(stdout))
		pb_msg_system("cannot write a record");
	pb_roomba_board_clear(&g.board);
	pb_text_clear(&out);
}
