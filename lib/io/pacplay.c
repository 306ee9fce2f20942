/* pacplay.c - one match of Pacbot and its trace. */
#include "io/pacplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/happened.h"
#include "io/agent.h"
#include "io/constants.h"
#include "io/filter.h"
#include "io/pactick.h"
#include "io/script.h"
#include "map/maze_solid.h"
#include "policy/rules_pacbot.h"
#include "robot/hop.h"

/* A match being played. */
struct play {
	const struct pb_pacsim *p;
	const struct pb_maze *z;
	struct pb_match match;
	const struct pb_bot *bot; /* who decides, if no agent does */
	void *mem;                /* of the bot; owned */
	struct pb_agent agent;
	struct pb_text ask;    /* for the agent */
	struct pb_moves moves; /* of a script */
	size_t move;           /* of them, the next */
	bool scripted;
	enum pb_dir stick; /* of the pilot */
	bool left;         /* he has had enough */
	struct pb_text *out;
	uint8_t shown[PB_PACBOT_FRAME]; /* the last state written */
	bool forfeit;
	struct pb_senses senses;
	struct pb_hop hop; /* where the robot's body is */
	struct pb_cues cues;
	struct pb_pacbot was; /* a tick ago */
};

/* The match's player is a shell around the one that decides. */
static struct play *
play_of(void *mem)
{
	struct play *g;

	memcpy(&g, mem, sizeof(g));
	return g;
}

static size_t
shell_memory(const struct pb_match_opts *o)
{
	(void)o;
	return sizeof(struct play *);
}

static void
shell_reset(void *mem, const struct pb_bot_view *v)
{
	struct play *g = play_of(mem);

	if (g->bot->reset)
		g->bot->reset(g->mem, v);
}

/* Write tick g->ask and wait for the move; -1: bad says why there is none. */
static int
ask_agent(struct play *g, const struct pb_bot_view *v, struct pb_bad *bad)
{
	struct pb_rec_tick k;
	struct pb_rec r;
	const char *line;
	size_t n;

	pb_pactick(&k, v->s, g->z, &v->board->rules, true);
	g->ask.len = 0;
	pb_put_tick(&g->ask, pb_pactick_stamp(g->match.out.ticks), &k);
	if (!pb_agent_tell(&g->agent, g->ask.s, g->ask.len, bad))
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
steer(const struct play *g, const struct pb_bot_view *v)
{
	struct pb_at pac = v->s->pac;
	unsigned open = v->board->rules.board.exits[pac.row][pac.col];

	if (g->stick == PB_STAY || open >> g->stick & 1)
		return (int)g->stick;
	return open >> pac.dir & 1 ? pac.dir : PB_STAY;
}

/* The move of whoever plays; -1: the agent has none. */
static int
choose(struct play *g, const struct pb_bot_view *v)
{
	struct pb_bad bad;
	int d;

	if (g->p->pilot)
		return steer(g, v);
	if (g->scripted)
		return g->move < g->moves.n ? g->moves.dir[g->move++] : PB_STAY;
	if (g->agent.pid == 0)
		return g->bot->decide(g->mem, v);
	d = ask_agent(g, v, &bad);
	if (d < 0 && !pb_msg_stopped())
		pb_msg_refuse((struct pb_place){g->p->o->agent,
				  g->match.out.decisions + 1},
		    "%s", bad.text);
	return d;
}

static int
shell_decide(void *mem, const struct pb_bot_view *v)
{
	struct play *g = play_of(mem);
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
show(struct play *g)
{
	const struct pb_pacbot *s = &g->match.s;
	uint8_t frame[PB_PACBOT_FRAME];
	struct pb_rec_tick k;

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
	if (g->p->pilot)
		g->p->pilot->show(g->p->pilot->user, &k);
}

static const char *
who_plays(const struct play *g)
{
	if (g->p->pilot)
		return "human";
	if (g->scripted)
		return "script";
	return g->p->o->agent ? "agent" : g->bot->name;
}

static double
now(const struct play *g)
{
	return pb_pactick_stamp(g->match.out.ticks).t;
}

/* The state, and what happened in the last tick. */
static void
show_tick(struct play *g)
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

static void
write_result(struct play *g)
{
	struct pb_rec_result r = pb_rec_result_none();
	const struct pb_pacsim *p = g->p;
	const struct pb_ground ground = {.maze = g->z};

	PB_REC_SET(r.version, PB_VERSION);
	r.trial = pb_rules_key(&pb_rules_pacbot, &ground, &p->o->game, 1);
	pb_constants_tell(PB_OPT_PACBOT, &p->o->game, NULL, r.trial.told);
	r.trial.seed = p->seed;
	r.trial.trial = p->trial;
	PB_REC_SET(r.trial.policy, who_plays(g));
	pb_rules_pacbot_ended(&r.trial, &g->match);
	if (g->forfeit) {
		PB_REC_SET(r.trial.outcome, "forfeit");
		r.trial.success = false;
	}
	pb_put_result(g->out, &r);
}

/* Where the robot is. A robot that is dead stays where it died. */
static struct pb_pose
drive(struct play *g, bool *carried)
{
	struct pb_at pac = g->match.s.pac;
	struct pb_vec to = pb_cells_xy(pac.row, pac.col), at;
	double cell = pb_maze_pitch(g->z);

	if (pac.row >= PB_ARCADE_OFF)
		to = g->hop.to;
	*carried = pb_hop_step(&g->hop, to, g->p->o->game.ticks_per_cell);
	at = pb_vec_from(pb_maze_frame(g->z->rows), g->hop.at);
	return (struct pb_pose){
	    at.x * cell, at.y * cell, pb_wrap(g->p->o->heading)};
}

static void
sense(struct play *g)
{
	bool carried;
	struct pb_pose p = drive(g, &carried);

	pb_senses_step(&g->senses, now(g), p, carried);
}

static bool
begin_senses(struct play *g)
{
	struct pb_map m;
	bool carried, ok;

	if (pb_maze_solid(g->z, pb_maze_pitch(g->z), &m) != PB_OK)
		return false;
	ok = pb_senses_begin(&g->senses, g->p->senses, &m, g->p->seed,
	    g->p->trial, drive(g, &carried), g->out);
	pb_map_clear(&m);
	return ok;
}

/* Let a tick pass. Returns whether the match goes on. */
static bool
step(struct play *g)
{
	const struct pb_pilot *pilot = g->p->pilot;

	if (pilot)
		g->left = !pilot->ask(pilot->user, now(g), &g->stick);
	return !g->left && pb_match_step(&g->match) && !g->forfeit;
}

static void
play(struct play *g)
{
	const struct pb_pilot *pilot = g->p->pilot;

	pb_match_start(&g->match, g->p->seed, g->p->trial);
	if (!g->p->o->wire)
		pb_put_maze(g->out, g->z);
	if (!begin_senses(g)) {
		pb_msg_system("no memory for the sensors");
		return;
	}
	if (pilot)
		pilot->board(pilot->user, g->z);
	g->was = g->match.s;
	do {
		show_tick(g);
		sense(g);
	} while (step(g) && pb_msg_out_ok() && !pb_msg_stopped());
	show_tick(g);
	pb_cues_finish(&g->cues);
	if (!g->p->o->wire && !pb_msg_stopped() && !g->left)
		write_result(g);
}

/* The agent's first line is the board. */
static bool
start_agent(struct play *g)
{
	struct pb_bad bad;

	if (!g->p->o->agent)
		return true;
	if (!pb_agent_start(&g->agent, g->p->o->agent, g->p->o->patience))
		return false;
	pb_put_maze(&g->ask, g->z);
	/* If it has gone, the first question will tell. */
	pb_agent_tell(&g->agent, g->ask.s, g->ask.len, &bad);
	return true;
}

/* Who is to play is ready. */
static bool
ready(struct play *g, char *const *files, int n)
{
	g->scripted = n > 0;
	return g->scripted
	           ? pb_moves_read(&g->moves, "pacman", files, n, g->p->common)
	           : start_agent(g);
}

void
pb_pacplay(const struct pb_pacsim *p, const struct pb_maze *z,
    const struct pb_match_board *b, char *const *files, int n,
    struct pb_text *o)
{
	struct play g = {
	    .p = p, .z = z, .bot = p->bot, .stick = PB_STAY, .out = o};
	struct play *self = &g;
	size_t size = p->bot->memory ? p->bot->memory(&p->o->game) : 1;

	g.mem = malloc(size);
	if (!g.mem || pb_match_init(&g.match, b, &p->o->game, &shell) != PB_OK)
		pb_msg_system("no memory for the match");
	else if (ready(&g, files, n) && pb_cues_begin(&g.cues, p->cues, 0, o)) {
		memcpy(g.match.mem, &self, sizeof(self));
		play(&g);
		if (!g.forfeit && pb_agent_unread(&g.agent) > 0)
			pb_msg_warn((struct pb_place){p->o->agent, 0},
			    "more answers than questions: old moves were "
			    "played");
		*p->maze = *z;
		*p->heat = g.match.heat;
	}
	pb_cues_finish(&g.cues);
	pb_agent_end(&g.agent);
	pb_senses_end(&g.senses);
	pb_match_clear(&g.match);
	pb_text_clear(&g.ask);
	pb_moves_clear(&g.moves);
	free(g.mem);
}

/* Somebody else's match, seen tick by tick. */
struct answers {
	const struct pb_pacsim *p;
	const struct pb_match_board *b;
	struct pb_rng rng;
	void *mem; /* owned */
	bool begun;
};

static bool
answer(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct answers *a = f->user;
	struct pb_pacbot s;
	struct pb_bot_view v = {&s, a->b, &a->p->o->game, &a->rng};
	struct pb_rec_move move;

	if (!pb_pactick_read(&r->tick, &a->b->rules, &s, bad))
		return false;
	if (pb_cells_at(&a->b->cells, s.pac.row, s.pac.col) < 0)
		return pb_bad_set(bad, "tick: pacman is in a wall");
	if (!a->begun && a->p->bot->reset)
		a->p->bot->reset(a->mem, &v);
	a->begun = true;
	PB_REC_SET(move.dir, pb_pactick_dir(a->p->bot->decide(a->mem, &v)));
	pb_put_move(&f->out, r->stamp, &move);
	return true;
}

void
pb_pacplay_answer(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	struct answers a = {.p = p, .b = b};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_TICK),
	    .common = p->common,
	    .take = answer,
	    .user = &a};

	a.mem = malloc(p->bot->memory ? p->bot->memory(&p->o->game) : 1);
	if (!a.mem) {
		pb_msg_system("no memory for the player");
		return;
	}
	pb_rng_start(&a.rng, p->seed, p->trial, PB_FOR_PLAYER, 0);
	pb_filter_run(&f, files, n);
	pb_filter_clear(&f);
	free(a.mem);
}
