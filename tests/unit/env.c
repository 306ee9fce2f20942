/* env.c - batches of games against the games themselves. */
#define CHECK_MAIN
#include "check.h"

#include <pthread.h>

#include "map/gen_house.h"
#include "pb/env.h"
#include "pb/games.h"
#include "pb/match.h"

enum { MOST = 20000, GAMES = 7 };

/* A batch with memory for all that it tells. */
struct batch {
	struct pb_env *e;
	int games, bodies, actions;
	size_t see; /* bytes of an observation */
	int32_t *action;
	unsigned char *seen, *final, *mask, *asked, *terminated, *truncated;
	double *reward;
};

static void *
bind(struct batch *b, const char *kind)
{
	size_t n = pb_env_bytes(b->e, kind);
	void *p = calloc(1, n + 1);

	check(n > 0);
	check_int(pb_env_bind(b->e, kind, p, n), 0);
	return p;
}

/* set: names and values, the last one NULL. */
static struct batch
open_batch(const char *rules, int games, const char *const *set)
{
	struct batch b = {.e = pb_env_new(PB_ENV_ABI, rules, games)};

	for (; set && *set; set += 2)
		check_int(pb_env_set(b.e, set[0], set[1]), 0);
	check_int(pb_env_open(b.e), 0);
	if (*pb_env_error(b.e))
		printf("# %s\n", pb_env_error(b.e));
	b.games = games;
	b.bodies = pb_env_count(b.e, "bodies");
	b.actions = pb_env_count(b.e, "actions");
	b.see = pb_env_bytes(b.e, "observations") / (size_t)games;
	b.action = bind(&b, "actions");
	b.seen = bind(&b, "observations");
	b.final = bind(&b, "final");
	b.mask = bind(&b, "masks");
	b.asked = bind(&b, "asked");
	b.reward = bind(&b, "rewards");
	b.terminated = bind(&b, "terminated");
	b.truncated = bind(&b, "truncated");
	return b;
}

static void
close_batch(struct batch *b)
{
	pb_env_free(b->e);
	free(b->action);
	free(b->seen);
	free(b->final);
	free(b->mask);
	free(b->asked);
	free(b->reward);
	free(b->terminated);
	free(b->truncated);
}

/* A built-in player whose decisions are written down. */
static const struct pb_player *spied;
static int note[MOST], notes;
static uint8_t frame[MOST][PB_PACBOT_FRAME];

static void
spy(void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;

	if (spied->choose)
		out->dir = spied->choose(view);
	else
		spied->decide(mem, model, view, out);
	if (notes == MOST)
		return;
	if (strcmp(spied->name, "nearest") == 0)
		note[notes] = out->kind == PB_GO_PELLET ? out->pellet : -1;
	else
		note[notes] = out->dir;
	if (strcmp(spied->name, "power") == 0)
		pb_pacbot_frame(v->s, frame[notes]);
	notes++;
}

static struct pb_maze maze;
static struct pb_map map;

/* The ground that batches use when nobody says. */
static struct pb_ground
ground_of(const struct pb_game *g)
{
	struct pb_house_opts o = pb_house_defaults();

	if (g->board) {
		check_int(pb_maze_standard(g->board, &maze), PB_OK);
		return (struct pb_ground){.maze = &maze};
	}
	if (!map.cell)
		check_int(pb_gen_house(&o, &map), PB_OK);
	return (struct pb_ground){.map = &map};
}

/* As pb-bench plays it: the trial, and in note[] what was decided. */
static struct pb_trial
play(const char *rules, const char *player, const char *const *set,
    uint64_t trial)
{
	const struct pb_rules *r = pb_rules_find(rules);
	const struct pb_game *g = r->game;
	_Alignas(double) unsigned char opts[PB_RULES_OPTS];
	const struct pb_ground ground = ground_of(g);
	struct pb_player p;
	struct pb_trial t;
	struct pb_refusal no;
	void *world, *model, *state;

	spied = r->player[pb_rules_player(r, player)];
	p = *spied;
	p.choose = NULL;
	p.decide = spy;
	notes = 0;
	pb_game_defaults(g, opts);
	for (; set && *set; set += 2)
		for (size_t i = 0; i < g->params->n; i++)
			if (strcmp(g->params->row[i].name, set[0]) == 0)
				check(!pb_param_read(
				    &g->params->row[i], opts, set[1]));
	check_int(pb_game_prepare(g, &ground, opts, &world, &no), PB_OK);
	check_int(pb_game_learn(g, &p, world, opts, &model), PB_OK);
	check_int(pb_game_open(g, &state, world, opts, &p, model), PB_OK);
	t = pb_game_key(g, &ground, opts, 1);
	t.seed = 5;
	t.trial = trial;
	pb_game_play(g, state, &t, NULL);
	pb_game_close(g, state);
	pb_game_forget(g, &p, model);
	pb_game_discard(g, world);
	return t;
}

/* The same decisions in a batch give the same game, twice in a row. */
static void
same_game(const char *rules, const char *player, const char *const *set)
{
	struct batch b = open_batch(rules, 1, set);
	bool frames = strcmp(player, "power") == 0;
	uint64_t seed = 5;
	double sum = 0;

	check_int(pb_env_reset(b.e, 0, 1, &seed), 0);
	for (uint64_t trial = 0; trial < 2; trial++) {
		struct pb_trial t = play(rules, player, set, trial);
		int other = 0;

		sum = 0;
		for (int i = 0; i < notes; i++) {
			check(b.asked[0] && (i == 0 || !b.terminated[0]));
			if (frames)
				other += memcmp(frame[i], b.seen, b.see) != 0;
			b.action[0] = note[i] >= 0 ? note[i] : b.actions - 1;
			check_int(pb_env_step(b.e, 0, 1), 0);
			sum += b.reward[0];
			if (b.terminated[0] && i < notes - 1) {
				check_int(i, notes - 1);
				break;
			}
		}
		check_int(other, 0);
		check(notes > 0 && notes < MOST);
		check_int(b.terminated[0], 1);
		check(pb_env_hash(b.e, 0) == t.hash);
		check_near(pb_env_episode(b.e, 0, "score"), t.score, 0);
		check_near(pb_env_episode(b.e, 0, "time"), t.time, 0);
		check_near(pb_env_episode(b.e, 0, "trial"), (double)trial, 0);
		if (t.decisions >= 0)
			check_int(t.decisions, notes);
		check_near(sum, t.score, 1e-9);
	}
	close_batch(&b);
}

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

test(same_games)
{
	same_game("pacbot", "power", NULL);
	same_game("pacbot", "power",
	    SET("camera-delay", "12", "wrong-cell", "0.2", "turn-ticks", "3"));
	same_game("pacbot", "power", SET("motion", "drive", "lives", "1"));
	same_game("roomba", "greedy", NULL);
	same_game("roomba", "flee", SET("motion", "drive", "limit", "300"));
	same_game("zumy", "astar", NULL);
	same_game("zumy", "astar", SET("motion", "drive", "patrols", "3"));
	same_game("pacmanbot", "nearest", NULL);
	same_game("pacmanbot", "nearest", SET("people", "2", "clutter", "3"));
}

/* The first that is open, from a place on that goes by the step. */
static int
pick(const unsigned char *mask, int n, int i)
{
	for (int k = 0; k < n; k++)
		if (mask[(i + k) % n])
			return (i + k) % n;
	return n - 1;
}

static void
choose_all(struct batch *b, int first, int n, int step)
{
	for (int i = first; i < first + n; i++)
		for (int k = 0; k < b->bodies; k++) {
			int at = i * b->bodies + k;
			unsigned draw = (unsigned)(step * 31 + k) * 2654435761u;

			b->action[at] = pick(b->mask + at * b->actions,
			    b->actions, (int)(draw >> 16) % b->actions);
		}
}

/* Games first.. of a batch on a thread of their own. */
struct share {
	struct batch *b;
	int first, n, steps;
};

static void *
run_share(void *arg)
{
	struct share *s = arg;

	for (int i = 0; i < s->steps; i++) {
		choose_all(s->b, s->first, s->n, i);
		if (pb_env_step(s->b->e, s->first, s->n) != 0)
			return s;
	}
	return NULL;
}

static int differ;

/* The same bytes alone, in a batch, and in one that threads share. */
static void
alike(const char *rules, const char *const *set, int steps)
{
	struct batch all = open_batch(rules, GAMES, set);
	struct batch one = open_batch(rules, 1, set);
	struct share part[2] = {{&all, 0, 3, steps}, {&all, 3, 4, steps}};
	pthread_t thread[2];
	uint64_t seed[GAMES] = {3, 1, 4, 1, 5, 9, 2};

	check_int(pb_env_reset(all.e, 0, GAMES, seed), 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run_share, &part[i]);
	for (int i = 0; i < 2; i++) {
		void *bad;

		pthread_join(thread[i], &bad);
		check(bad == NULL);
	}
	for (int i = 0; i < GAMES; i++) {
		struct share s = {&one, 0, 1, steps};
		size_t masks = (size_t)(one.bodies * one.actions);

		check_int(pb_env_reset(one.e, 0, 1, &seed[i]), 0);
		check(run_share(&s) == NULL);
		check(memcmp(one.seen, all.seen + (size_t)i * one.see,
			  one.see) == 0);
		check(
		    memcmp(one.mask, all.mask + (size_t)i * masks, masks) == 0);
		check(one.reward[0] == all.reward[i]);
		check(pb_env_hash(one.e, 0) == pb_env_hash(all.e, i) || i > 0);
	}
	/* Those of one seed are one game, those of others need not be. */
	check(memcmp(all.seen + all.see, all.seen + 3 * all.see, all.see) == 0);
	differ += memcmp(all.seen, all.seen + all.see, all.see) != 0;
	close_batch(&all);
	close_batch(&one);
}

test(alike)
{
	alike("pacbot", NULL, 900);
	alike("pacbot", SET("observe", "planes", "decide", "all"), 300);
	alike("pacbot", SET("wrong-cell", "0.3", "observe", "features"), 300);
	alike("roomba", SET("observe", "planes", "type", "float"), 400);
	alike("roomba", SET("decide", "all"), 200);
	alike("zumy", SET("decide", "ghosts", "policy", "astar"), 100);
	/* The usual player thinks for long, and remembers. */
	alike("zumy", SET("decide", "ghosts"), 3);
	alike("pacmanbot", NULL, 25);
	check(differ >= 4);
}

/* What may be done from the player's cell is what the board says. */
test(masks)
{
	static const char *const rules[] = {"pacbot", "roomba"};
	uint64_t seed = 1;

	for (int r = 0; r < 2; r++) {
		struct batch b =
		    open_batch(rules[r], 1, SET("observe", "features"));
		const float *f = (const float *)b.seen;
		/* See pb-env(7): 15 features of the board, then his. */
		const int at[2] = {15, 16};
		int wrong = 0;
		struct pb_maze z;

		pb_maze_standard(rules[r][0] == 'p' ? "pacman" : "roomba", &z);
		check_int(pb_env_reset(b.e, 0, 1, &seed), 0);
		for (int i = 0; i < 500; i++) {
			for (int d = 0; d < PB_STAY; d++)
				wrong += b.mask[d] !=
				         pb_maze_pass(&z, (int)f[at[0]],
					     (int)f[at[1]], (enum pb_dir)d);
			wrong += !b.mask[PB_STAY];
			choose_all(&b, 0, 1, i);
			pb_env_step(b.e, 0, 1);
		}
		check_int(wrong, 0);
		close_batch(&b);
	}
}

/* A pellet that is gone cannot be chosen; going on can always be. */
test(mask_of_pellets)
{
	struct batch b = open_batch("pacmanbot", 1, NULL);
	uint64_t seed = 1;
	int before = 0, now = 0;

	check_int(pb_env_reset(b.e, 0, 1, &seed), 0);
	for (int i = 0; i < b.actions - 1; i++)
		before += b.mask[i];
	check_int(before, b.actions - 1);
	for (int i = 0; i < 60 && !b.terminated[0]; i++) {
		choose_all(&b, 0, 1, 0);
		pb_env_step(b.e, 0, 1);
		check_int(b.mask[b.actions - 1], 1);
		if (b.terminated[0])
			break;
		now = 0;
		for (int k = 0; k < b.actions - 1; k++)
			now += b.mask[k];
		check(now <= before);
		before = now;
	}
	check(now < b.actions - 1);
	close_batch(&b);
}

/* The caller moves every ghost, as an agent does. */
static enum pb_dir
lowest(void *ctx, int ghost, unsigned ways, int drawn)
{
	(void)ghost;
	(void)drawn;
	++*(int *)ctx;
	for (int d = 0; d < PB_STAY; d++)
		if (ways >> d & 1)
			return (enum pb_dir)d;
	return PB_STAY;
}

static enum pb_dir
waits(void *ctx, const void *view)
{
	(void)ctx;
	(void)view;
	return PB_STAY;
}

test(ghosts_decided)
{
	static const char *const rules[] = {"pacbot", "roomba", "zumy"};
	uint64_t seed = 2;

	for (int r = 0; r < 3; r++) {
		const struct pb_rules *of = pb_rules_find(rules[r]);
		const struct pb_game *g = of->game;
		_Alignas(double) unsigned char opts[PB_RULES_OPTS];
		const struct pb_ground ground = ground_of(g);
		struct batch b = open_batch(rules[r], 1, SET("decide", "all"));
		int heard = 0, asked = 0;
		struct pb_refusal no;
		struct pb_agents c = {.ctx = &heard,
		    .decide = waits,
		    .decide_body = lowest,
		    .bodies = (1u << b.bodies) - 2};
		struct pb_trial t;
		void *world, *state;

		pb_game_defaults(g, opts);
		check_int(
		    pb_game_prepare(g, &ground, opts, &world, &no), PB_OK);
		check_int(
		    pb_game_open(g, &state, world, opts, of->player[0], NULL),
		    PB_OK);
		t = pb_game_key(g, &ground, opts, 1);
		pb_game_start(g, state, seed, 0, NULL);
		while (pb_game_step(g, state, &c))
			;
		pb_game_result(g, state, &t);
		check_int(pb_env_reset(b.e, 0, 1, &seed), 0);
		do {
			b.action[0] = PB_STAY;
			for (int k = 1; k < b.bodies; k++) {
				asked += b.asked[k];
				b.action[k] =
				    pick(b.mask + k * b.actions, b.actions, 0);
				check(b.asked[k] || b.action[k] == PB_STAY);
			}
			check_int(pb_env_step(b.e, 0, 1), 0);
		} while (!b.terminated[0]);
		check(pb_env_hash(b.e, 0) == t.hash);
		check(asked > 20 && asked >= heard);
		pb_game_close(g, state);
		pb_game_discard(g, world);
		close_batch(&b);
	}
}

/* What ended is told once, with its last observation, and the next begins. */
test(next_game)
{
	struct batch b =
	    open_batch("pacbot", 2, SET("lives", "1", "max-decisions", "400"));
	uint64_t seed[2] = {1, 2};
	unsigned char first[PB_PACBOT_FRAME];
	int ends = 0, cuts = 0;

	check_int(pb_env_weight(b.e, "death", -10), 0);
	check_int(pb_env_weight(b.e, "score", 0), 0);
	check_int(pb_env_reset(b.e, 0, 2, seed), 0);
	memcpy(first, b.seen, sizeof(first));
	check(isnan(pb_env_episode(b.e, 0, "score")));
	for (int i = 0; i < 2000; i++) {
		memset(b.final, 255, 2 * b.see);
		choose_all(&b, 0, 2, i / 3);
		check_int(pb_env_step(b.e, 0, 2), 0);
		if (!b.terminated[0] && !b.truncated[0]) {
			check(b.final[0] == 255 && b.final[1] == 255);
			continue;
		}
		ends += b.terminated[0];
		cuts += b.truncated[0];
		check(b.terminated[0] != b.truncated[0]);
		check_near(b.reward[0], b.terminated[0] ? -10 : 0, 0);
		check(memcmp(first, b.seen, sizeof(first)) == 0);
		check(b.final[0] + 256 * b.final[1] > 0);
		check_near(pb_env_episode(b.e, 0, "trial"), ends + cuts - 1, 0);
		check(
		    (pb_env_episode(b.e, 0, "outcome") < 0) == b.truncated[0]);
	}
	check(ends > 1);
	close_batch(&b);
	b = open_batch("pacbot", 1, SET("max-decisions", "5"));
	pb_env_reset(b.e, 0, 1, NULL);
	for (int i = 1; i <= 20; i++) {
		pb_env_step(b.e, 0, 1);
		check_int(b.truncated[0], i % 5 == 0);
	}
	close_batch(&b);
}

/* Tick by tick: the clock of frames goes on by one. */
test(ticks)
{
	struct batch b = open_batch("pacbot", 1, SET("every", "tick"));
	int asked = 0;

	pb_env_reset(b.e, 0, 1, NULL);
	for (int i = 0; i < 400; i++) {
		check_int(256 * b.seen[0] + b.seen[1], i);
		asked += b.asked[0];
		check(b.asked[0] || (!b.mask[0] && b.mask[PB_STAY]));
		b.action[0] = PB_STAY;
		pb_env_step(b.e, 0, 1);
	}
	check_int(asked, 50);
	close_batch(&b);
}

/* Cells that are in a plane. */
static int
sum_of(const struct batch *b, int plane, int cells)
{
	int n = 0;

	for (int i = 0; i < cells; i++)
		n += b->seen[plane * cells + i];
	return n;
}

test(planes)
{
	struct batch b = open_batch("pacbot", 1, SET("observe", "planes"));
	int rows = pb_env_count(b.e, "rows"), cols = pb_env_count(b.e, "cols");
	int parts = pb_env_count(b.e, "parts"), cells = rows * cols;

	check_int(rows, 31);
	check_int(cols, 28);
	check_int(b.see, parts * cells);
	pb_env_reset(b.e, 0, 1, NULL);
	check_int(parts, 4 + 3 * 5);
	check_int(sum_of(&b, 0, cells), cells - 288);
	check_int(sum_of(&b, 1, cells), 240);
	check_int(sum_of(&b, 2, cells), 4);
	check_int(sum_of(&b, 3, cells), 0);
	for (int i = 4; i < parts; i++)
		check_int(sum_of(&b, i, cells), (i - 4) % 3 != 2);
	check_int(b.seen[4 * cells + 23 * cols + 13], 1);
	check_int(b.seen[7 * cells + 11 * cols + 13], 1);
	check_int(pb_env_count(b.e, "number"), 1);
	close_batch(&b);
}

static void
refused(const char *rules, const char *name, const char *value, const char *why)
{
	struct pb_env *e = pb_env_new(PB_ENV_ABI, rules, 1);
	int got = pb_env_set(e, name, value);

	if (got == 0)
		got = pb_env_open(e);
	check_int(got, -1);
	check_has(pb_env_error(e), why);
	pb_env_free(e);
}

test(null_is_refused)
{
	struct pb_env *e = pb_env_new(PB_ENV_ABI, NULL, 1);
	struct batch b;

	check_str(pb_env_error(e), "no rules \"\"");
	pb_env_free(e);
	e = pb_env_new(PB_ENV_ABI, "pacmanbot", 1);
	check_int(pb_env_set(e, NULL, "1"), -1);
	check_int(pb_env_set(e, "policy", NULL), -1);
	check_str(pb_env_error(e), "policy: a text is NULL");
	check_int(pb_env_map(e, NULL, 9, 9, 0.1, 0, 0, 0), -1);
	check_str(pb_env_error(e), "map: no cells");
	check(pb_env_name(e, NULL, 0) == NULL);
	pb_env_free(e);
	b = open_batch("zumy", 1, NULL);
	check_int(pb_env_weight(b.e, NULL, 1), -1);
	check_has(pb_env_error(b.e), "time");
	check_int(pb_env_bind(b.e, NULL, b.action, 4), -1);
	check_has(pb_env_error(b.e), "got \"\"");
	check_int(pb_env_count(b.e, NULL), -1);
	check_int((int)pb_env_bytes(b.e, NULL), 0);
	check(isnan(pb_env_episode(b.e, 0, NULL)));
	close_batch(&b);
	check_int(pb_env_set(NULL, "lives", "1"), -1);
	check_int(pb_env_open(NULL), -1);
	check_int(pb_env_reset(NULL, 0, 1, NULL), -1);
	check(isnan(pb_env_episode(NULL, 0, "score")));
}

test(refused)
{
	struct pb_env *e = pb_env_new(PB_ENV_ABI + 1, "pacbot", 1);
	struct batch b;
	double reward[2];

	check_has(pb_env_error(e), "another pb/env.h");
	check_int(pb_env_set(e, "lives", "1"), -1);
	check_int(pb_env_open(e), -1);
	check_int(pb_env_count(e, "games"), -1);
	check(pb_env_name(e, "settings", 0) == NULL);
	pb_env_free(e);
	e = pb_env_new(PB_ENV_ABI, "chess", 1);
	check_str(pb_env_error(e), "no rules \"chess\"");
	pb_env_free(e);
	e = pb_env_new(PB_ENV_ABI, "zumy", 0);
	check_has(pb_env_error(e), "1 to 1000000 games");
	pb_env_free(e);
	refused("pacbot", "lifes", "1", "no setting \"lifes\"");
	refused("pacbot", "lives", "4",
	    "lives: expected a number in its range, got \"4\"");
	refused("pacbot", "lives", "1.5", "a whole number");
	refused("pacbot", "lives", "", "a whole number");
	refused("pacbot", "stick", "0x1", "expected a number, got");
	refused("pacbot", "motion", "fly", "expected grid|drive");
	refused("pacbot", "feed-forward", "1", "expected no|yes");
	refused("pacbot", "stick", "0.1",
	    "stick: has no effect here, only with motion=drive");
	refused("pacbot", "board", "roomba", "board: ");
	refused("pacbot", "board", "+-\n", "board: expected ");
	refused("pacbot", "policy", "nobody", "no player \"nobody\"");
	refused("pacbot", "preset", "x", "no preset");
	refused("pacbot", "observe", "eyes", "frame|planes|features");
	refused("pacbot", "start", "1,2", "no setting");
	refused("roomba", "observe", "frame", "roomba has no frames");
	refused("roomba", "robot-speed", "0.001", "in its range");
	e = pb_env_new(PB_ENV_ABI, "pacbot", 1);
	check_int(pb_env_set(e, "decide", "ghosts"), 0);
	check_int(pb_env_set(e, "policy", "dqn"), 0);
	check_int(pb_env_open(e), -1);
	check_has(pb_env_error(e), "policy: dqn: plays by weights");
	pb_env_free(e);
	refused("pacmanbot", "observe", "planes", "features only");
	refused("pacmanbot", "decide", "all",
	    "cannot decide the ghosts of pacmanbot");
	refused("pacmanbot", "judge", "both", "estimate|truth");
	refused("pacmanbot", "board", "pacman", "is played on a map");
	b = open_batch("pacbot", 2, NULL);
	check_int(pb_env_set(b.e, "lives", "1"), -1);
	check_int(pb_env_open(b.e), -1);
	check_int(pb_env_bind(b.e, "rewards", reward, 8), -1);
	check_int(pb_env_bind(b.e, "prizes", reward, 8), -1);
	check_int(pb_env_weight(b.e, "fun", 1), -1);
	check_int(pb_env_weight(b.e, "time", INFINITY), -1);
	check_int(pb_env_step(b.e, 0, 2), -1);
	check_int(pb_env_reset(b.e, 1, 2, NULL), -1);
	check_int(pb_env_reset(b.e, 0, 2, NULL), 0);
	b.action[1] = 5;
	check_int(pb_env_step(b.e, 0, 2), 2);
	b.action[1] = 0;
	check_int(pb_env_step(b.e, 0, 2), 0);
	check_int(pb_env_bind(b.e, "rewards", NULL, 0), 0);
	check_int(pb_env_step(b.e, 0, 2), -1);
	close_batch(&b);
	b = open_batch("zumy", 1, NULL);
	check_int(pb_env_weight(b.e, "ghost", 1), -1);
	check_has(pb_env_error(b.e), "does not count ghost");
	close_batch(&b);
}

static void *
play_batch(void *ctx)
{
	struct batch *b = ctx;

	for (int i = 0; i < 100; i++)
		pb_env_step(b->e, 0, b->games);
	return NULL;
}

/* As much as macOS gives a second thread. */
test(small_stack)
{
	struct batch b = open_batch("zumy", 1, NULL);
	pthread_attr_t small;
	pthread_t thread;

	check_int(pb_env_reset(b.e, 0, 1, NULL), 0);
	b.action[0] = PB_STAY;
	check_int(pthread_attr_init(&small), 0);
	check_int(pthread_attr_setstacksize(&small, 512 << 10), 0);
	check_int(pthread_create(&thread, &small, play_batch, &b), 0);
	check_int(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&small);
	close_batch(&b);
}

/* No setting of a batch hides a constant of a game. */
test(names)
{
	const char *rules;

	for (int r = 0; (rules = pb_env_name(NULL, "rules", r)); r++) {
		struct pb_env *e = pb_env_new(PB_ENV_ABI, rules, 1);
		const char *a, *b;

		for (int i = 0; (a = pb_env_name(e, "settings", i)); i++)
			for (int k = 0;
			     k < i && (b = pb_env_name(e, "settings", k)); k++)
				if (strcmp(a, b) == 0)
					check_fail_(__FILE__, __LINE__, a);
		check(pb_env_name(e, "outcomes", 0) != NULL);
		check(pb_env_name(e, "outcomes", 99) == NULL);
		check_str(pb_env_name(e, "terms", 8), "loss");
		pb_env_free(e);
	}
	check_str(pb_env_name(NULL, "rules", 1), "pacbot");
}

/* Where it reads a number, it reads what strtod() reads. */
test(numbers)
{
	static const char *const bad[] = {"", "-", ".", "1e", "1e+", "e5",
	    "1.2.3", " 1", "1 ", "0x1", "inf", "nan", "1e23", "1e-23",
	    "12345678901234567", "1,5",
	    /* Zeros that an exponent would make up for, if it were one. */
	    "0.0000000000000000000000000000000000000001e",
	    "0.0000000000000000000000000000000000000000"
	    "000000000000000000000000000000000001ezz"};
	static const char *const good[] = {"0", "-0", "00", "7.", ".5", "+1",
	    "007", "1e22", "123e-22", "1e0001", "123456789012345e7"};
	struct pb_rng r = draws(1, PB_FOR_TRIAL);
	const struct pb_param row = {
	    .kind = PB_PARAM_REAL, .min = -INFINITY, .max = INFINITY};
	double v;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		check(pb_param_read(&row, &v, bad[i]) != NULL);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		check(pb_param_read(&row, &v, good[i]) == NULL);
		check(v == strtod(good[i], NULL));
	}
	for (int i = 0; i < 20000; i++) {
		char s[64];

		snprintf(s, sizeof(s), "%.*ge%d", 2 + (int)pb_rng_below(&r, 14),
		    pb_rng_between(&r, 1, 9.4), (int)pb_rng_below(&r, 16) - 8);
		if (pb_param_read(&row, &v, s) || v != strtod(s, NULL))
			check_fail_(__FILE__, __LINE__, s);
	}
}

int
main(void)
{
	run_tests();
	pb_map_clear(&map);
	return done();
}
