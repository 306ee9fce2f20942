/* pacplay.c - one match of Pacbot and its trace. */
#include "io/sim/pacplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/happened.h"
#include "io/opt/constants.h"
#include "io/sim/pacgame.h"
#include "io/sim/pactick.h"
#include "io/stream/build.h"
#include "pb/maze.h"
#include "pb/version.h"
#include "policy/rules_pacbot.h"

/* The match's player is a shell around the one that decides. */
static struct pb_pacgame *
play_of(void *mem)
{
	struct pb_pacgame *g;

	memcpy(&g, mem, sizeof(g));
	return g;
}

static size_t
shell_memory(const struct pb_match_opts *o)
{
	(void)o;
	return sizeof(struct pb_pacgame *);
}

static void
shell_reset(void *mem, const struct pb_bot_view *v)
{
	struct pb_pacgame *g = play_of(mem);

	if (g->bot->reset)
		g->bot->reset(g->mem, v);
}

/* Write tick g->ask and wait for the move; -1: bad says why there is none. */
static int
ask_agent(struct pb_pacgame *g, const struct pb_bot_view *v, struct pb_bad *bad)
{
	struct pb_seen k;
	struct pb_rec r;
	const char *line;
	size_t n;

	pb_pactick(&k, v->s, g->z, &v->board->rules, true);
	g->ask.len = 0;
	pb_put_tick(&g->ask, pb_pactick_stamp(g->match.out.ticks), &k);
	if (!pb_agent_tell(&g->agent, &g->ask, bad))
		return -1;
	line = pb_agent_answer(&g->agent, &n, bad);
	if (!line || !pb_rec_read(line, n, PB_REC_BIT(PB_REC_MOVE), &r, bad))
		return -1;
	if (r.type != PB_REC_MOVE) {
		pb_rec_clear(&r);
		pb_bad_set(bad, "expected a move record, got another");
		return -1;
	}
	return pb_pactick_move(&r.move, bad);
}

/* Where the stick lets him go: that way, else straight on. */
static int
steer(const struct pb_pacgame *g, const struct pb_bot_view *v)
{
	struct pb_at pac = v->s->pac;
	unsigned open = v->board->rules.board.exits[pac.row][pac.col];

	if (g->stick == PB_STAY || open >> g->stick & 1)
		return (int)g->stick;
	return open >> pac.dir & 1 ? pac.dir : PB_STAY;
}

/* The move of whoever plays; -1: the agent has none. */
static int
choose(struct pb_pacgame *g, const struct pb_bot_view *v)
{
	struct pb_bad bad;
	int d;

	if (pb_pilot_steers(g->p->sim.pilot))
		return steer(g, v);
	if (g->scripted)
		return g->move < g->moves.n ? g->moves.dir[g->move++] : PB_STAY;
	if (g->agent.pid == 0)
		return g->bot->decide(g->mem, v);
	d = ask_agent(g, v, &bad);
	if (d < 0 && !pb_msg_stopped())
		pb_msg_bad((struct pb_place){g->p->o->agent,
			       g->match.out.decisions + 1},
		    &bad);
	return d;
}

static int
shell_decide(void *mem, const struct pb_bot_view *v)
{
	struct pb_pacgame *g = play_of(mem);
	struct pb_rec_move move;
	int d = choose(g, v);

	if (d < 0) {
		g->forfeit = true;
		return PB_STAY;
	}
	if (!g->p->o->wire) {
		PB_REC_SET(move.dir, pb_pactick_dir(d));
		pb_put_move(
		    g->out, pb_pactick_stamp(g->match.out.ticks), &move);
	}
	return d;
}

static const struct pb_bot shell = {
    "shell", "asks another player", shell_memory, shell_reset, shell_decide};

/* Write the state if it is not as it was. */
static void
show(struct pb_pacgame *g)
{
	const struct pb_pacbot *s = &g->match.s;
	uint8_t frame[PB_PACBOT_FRAME];
	struct pb_seen k;

	pb_pacbot_frame(s, frame);
	if (g->p->o->wire)
		fwrite(frame, 1, sizeof(frame), stdout);
	/* The first two bytes are the tick. */
	if (g->p->o->wire ||
	    memcmp(frame + 2, g->shown + 2, sizeof(frame) - 2) == 0)
		return;
	memcpy(g->shown, frame, sizeof(frame));
	pb_pactick(&k, s, g->z, &g->match.board->rules, true);
	pb_put_tick(g->out, pb_pactick_stamp(g->match.out.ticks), &k);
	if (g->p->sim.pilot)
		g->p->sim.pilot->show(g->p->sim.pilot->user, &k);
}

static double
now(const struct pb_pacgame *g)
{
	return pb_pactick_stamp(g->match.out.ticks).t;
}

/* The state, and what happened in the last tick. */
static void
show_tick(struct pb_pacgame *g)
{
	struct pb_happened h =
	    pb_pacbot_happened(&g->was, &g->match.s, &g->match.board->rules);

	g->was = g->match.s;
	pb_cues_until(&g->cues, now(g));
	show(g);
	if (g->match.out.ticks == 0)
		h.name[h.n++] = "start";
	for (int i = 0; i < h.n && !g->p->o->wire; i++)
		pb_cues_tell(&g->cues, g->out, now(g), h.name[i]);
}

void
pb_pacgame_result(struct pb_pacgame *g)
{
	struct pb_rec_result r = pb_rec_result_none();
	const struct pb_pacsim *p = g->p;
	const struct pb_ground ground = {.maze = g->z};

	PB_REC_SET(r.version, PB_VERSION);
	r.build = pb_build_digest();
	r.trial = pb_rules_key(&pb_rules_pacbot, &ground, &p->o->game, 1);
	pb_constants_tell(PB_OPT_PACBOT, &p->o->game, NULL, NULL, r.trial.told);
	r.trial.seed = p->sim.seed;
	r.trial.trial = p->sim.trial;
	PB_REC_SET(r.trial.policy, pb_pacsim_who(p, g->scripted));
	pb_agent_credit(p->sim.outside, &r.trial);
	pb_rules_pacbot_ended(&r.trial, &g->match);
	if (g->forfeit) {
		PB_REC_SET(r.trial.outcome, "forfeit");
		r.trial.success = false;
	}
	pb_put_result(g->out, &r);
	pb_pilot_over(p->sim.pilot, &r);
}

/* Where the robot is. A robot that is dead stays where it died. */
static struct pb_pose
drive(struct pb_pacgame *g, bool *carried)
{
	struct pb_at pac = g->match.s.pac;
	struct pb_vec to = pb_cells_xy(pac.row, pac.col), at;
	double cell = pb_maze_pitch(g->z);

	if (pac.row >= PB_ARCADE_OFF)
		to = g->hop.to;
	*carried =
	    pb_cell_motion_step(&g->hop, to, g->p->o->game.ticks_per_cell);
	at = pb_vec_from(pb_maze_frame(g->z->rows), g->hop.at);
	return (struct pb_pose){
	    at.x * cell, at.y * cell, pb_wrap(g->p->o->heading)};
}

static void
sense(struct pb_pacgame *g)
{
	bool carried;
	struct pb_pose p = drive(g, &carried);

	pb_senses_step(&g->senses, now(g), p, carried);
}

static bool
begin_senses(struct pb_pacgame *g)
{
	struct pb_map m;
	bool carried, ok;

	if (pb_maze_solid(g->z, pb_maze_pitch(g->z), &m) != PB_OK)
		return false;
	ok = pb_senses_begin(&g->senses, g->p->sim.senses, &m, g->p->sim.seed,
	    g->p->sim.trial, drive(g, &carried), g->out);
	pb_map_clear(&m);
	return ok;
}

bool
pb_pacgame_step(struct pb_pacgame *g)
{
	const struct pb_pilot *pilot = g->p->sim.pilot;
	bool on;

	if (pb_pilot_steers(pilot))
		g->left = !pilot->ask(pilot->user, now(g), &g->stick);
	on = !g->left && pb_match_step(&g->match) && !g->forfeit;
	if (g->ghosts.failed)
		return false;
	show_tick(g);
	if (on)
		sense(g);
	return on;
}

bool
pb_pacgame_begin(struct pb_pacgame *g)
{
	const struct pb_pilot *pilot = g->p->sim.pilot;

	if (!pb_pacghosts_begin(&g->ghosts, &g->p->o->ghost, g->p->o->patience,
		g->z, &g->match))
		return false;
	pb_match_start(&g->match, g->p->sim.seed, g->p->sim.trial);
	if (!g->p->o->wire)
		pb_put_maze(g->out, g->z);
	if (!begin_senses(g)) {
		pb_msg_system("no memory for the sensors");
		return false;
	}
	if (pilot) {
		pilot->board(pilot->user, g->z);
		pb_cues_watch(&g->cues, pilot->light, pilot->user);
	}
	g->was = g->match.s;
	show_tick(g);
	sense(g);
	return true;
}

static void
play(struct pb_pacgame *g)
{
	bool on = pb_pacgame_begin(g);

	if (!on)
		return;
	while (on && pb_msg_out_ok() && !pb_msg_stopped())
		on = pb_pacgame_step(g);
	pb_cues_finish(&g->cues);
	if (!g->p->o->wire && !pb_msg_stopped() && !g->left &&
	    !g->ghosts.failed)
		pb_pacgame_result(g);
}

/* The agent's first line is the board. */
static bool
start_agent(struct pb_pacgame *g)
{
	struct pb_bad bad;

	if (!g->p->o->agent)
		return true;
	if (!pb_agent_start(&g->agent, g->p->o->agent, g->p->o->patience))
		return false;
	pb_put_maze(&g->ask, g->z);
	/* If it has gone, the first question will tell. */
	pb_agent_tell(&g->agent, &g->ask, &bad);
	return true;
}

/* Who is to play is ready. */
static bool
ready(struct pb_pacgame *g, char *const *files, int n)
{
	g->scripted = n > 0;
	return g->scripted ? pb_moves_read(&g->moves, "pacman", files, n,
				 g->p->sim.common)
	                   : start_agent(g);
}

bool
pb_pacgame_open(struct pb_pacgame *g, const struct pb_pacsim *p,
    const struct pb_maze *z, const struct pb_match_board *b, struct pb_text *o)
{
	size_t size = p->bot->memory ? p->bot->memory(&p->o->game) : 1;

	*g = (struct pb_pacgame){
	    .p = p, .z = z, .bot = p->bot, .stick = PB_STAY, .out = o};
	g->mem = calloc(1, size);
	if (g->mem &&
	    pb_match_init(&g->match, b, &p->o->game, &shell) == PB_OK) {
		memcpy(g->match.mem, &g, sizeof(g));
		return true;
	}
	pb_msg_system("no memory for the match");
	return false;
}

void
pb_pacgame_close(struct pb_pacgame *g)
{
	pb_cues_finish(&g->cues);
	pb_agent_end(&g->agent);
	pb_pacghosts_end(&g->ghosts);
	pb_senses_end(&g->senses);
	pb_match_clear(&g->match);
	pb_text_clear(&g->ask);
	pb_moves_clear(&g->moves);
	free(g->mem);
}

void
pb_pacplay(const struct pb_pacsim *p, const struct pb_maze *z,
    const struct pb_match_board *b, char *const *files, int n,
    struct pb_text *o)
{
	struct pb_pacgame g;

	if (pb_pacgame_open(&g, p, z, b, o) && ready(&g, files, n) &&
	    pb_cues_begin(&g.cues, p->sim.cues, 0, o)) {
		play(&g);
		if (!g.forfeit && pb_agent_unread(&g.agent))
			pb_msg_warn((struct pb_place){p->o->agent, 0},
			    "more answers than questions: old moves were "
			    "played");
		*p->sim.maze = *z;
		*p->sim.heat = g.match.heat;
	}
	pb_pacgame_close(&g);
}
