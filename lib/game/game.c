/* game.c - what all rule sets have in common. */
#include "pb/game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/boards.h"
#include "localize/onboard.h"
#include "map/board.h"
#include "robot/rover.h"

const char *
pb_ground_name(const struct pb_ground *g)
{
	return g->maze ? g->maze->name : g->map->name;
}

uint64_t
pb_ground_hash(const struct pb_ground *g)
{
	uint64_t h = g->maze ? pb_maze_hash(g->maze) : pb_map_hash(g->map);

	return g->truth ? pb_hash_u64(h, pb_map_hash(g->truth)) : h;
}

static const int *
int_at(const void *base, size_t offset)
{
	return (const int *)(const void *)((const char *)base + offset);
}

int
pb_game_bodies(const struct pb_game *g, const void *opts)
{
	return g->on_board ? 1 + *int_at(opts, g->on_board->others) : 2;
}

bool
pb_game_drives(const struct pb_game *g, const void *opts)
{
	const struct pb_board_game *b = g->on_board;

	return !b || (b->motion > 0 && *int_at(opts, b->motion) != 0);
}

void
pb_game_defaults(const struct pb_game *g, void *opts)
{
	memset(opts, 0, g->opts_size);
	pb_params_defaults(*g->params, opts);
}

bool
pb_game_preset(const struct pb_game *g, void *opts, const char *name)
{
	for (const struct pb_game_preset *p = g->preset; p && p->name; p++)
		if (strcmp(p->name, name) == 0) {
			p->take(opts);
			return true;
		}
	return false;
}

/* Copy a name, truncated to size. */
static void
copy_name(char *out, size_t size, const char *name)
{
	size_t n = strlen(name);

	n = n < size ? n : size - 1;
	memcpy(out, name, n);
	out[n] = '\0';
}

const char *
pb_game_check(const struct pb_game *g, const void *opts, char why[PB_GAME_WHY])
{
	static const char idle[] = "has no effect here, only with ";
	const size_t len = sizeof(idle) - 1;
	const struct pb_param *p = pb_params_check(*g->params, opts);
	const char *wrong = p ? p->name : NULL, *text = "out of range";

	if (!wrong && g->check)
		wrong = g->check(opts, &text);
	copy_name(why, PB_GAME_WHY, text);
	for (size_t i = 0; !wrong && i < g->params->n; i++) {
		p = pb_params_unusual(*g->params, i, opts);
		if (p != &g->params->row[i] ||
		    pb_params_used(*g->params, opts, i, NULL, 0))
			continue;
		wrong = p->name;
		memcpy(why, idle, len);
		pb_params_when(
		    *g->params, i, NULL, NULL, why + len, PB_GAME_WHY - len);
	}
	return wrong;
}

uint64_t
pb_game_fingerprint(const struct pb_game *g, const void *opts,
    const struct pb_pellets *pellets, const char *player)
{
	const struct pb_fact who = {"policy", player};

	if (g->fingerprint)
		return g->fingerprint(opts, pellets, player);
	return pb_params_hash(PB_HASH_START, *g->params, opts, &who, 1);
}

struct pb_trial
pb_game_key(const struct pb_game *g, const struct pb_ground *ground,
    const void *opts, int round)
{
	struct pb_trial k = {.map_hash = pb_ground_hash(ground),
	    .options = pb_game_fingerprint(g, opts, ground->pellets, ""),
	    .round = round,
	    .removed = -1,
	    .deaths = -1,
	    .levels = -1,
	    .eaten = -1,
	    .decisions = -1,
	    .collisions = -1,
	    .bumps = -1,
	    .pace = NAN,
	    .driven = NAN,
	    .nearest = NAN,
	    .found_way = NAN,
	    .jump = NAN};

	copy_name(k.rules, sizeof(k.rules), g->name);
	copy_name(k.map, sizeof(k.map), pb_ground_name(ground));
	return k;
}

void
pb_game_credit(const struct pb_game *g, const struct pb_player *p,
    const void *opts, struct pb_trial *r)
{
	const struct pb_weights *w = pb_game_weights(g, opts);

	copy_name(r->policy, sizeof(r->policy), p->name);
	r->weights =
	    p->weights && w && pb_weights_meant(p->weights, w) ? w->hash : 0;
	r->own = pb_game_fingerprint(g, opts, NULL, p->name) ^
	         pb_game_fingerprint(g, opts, NULL, "");
	r->options ^= r->weights ^ r->own;
}

/* The pointer to weights in the options; NULL: the game has none. */
static const struct pb_weights **
weights_of(const struct pb_game *g, void *opts)
{
	if (g->weights == 0)
		return NULL;
	return (const struct pb_weights **)((char *)opts + g->weights);
}

const struct pb_weights *
pb_game_weights(const struct pb_game *g, const void *opts)
{
	const struct pb_weights **w = weights_of(g, (void *)opts);

	return w ? *w : NULL;
}

void
pb_game_set_weights(
    const struct pb_game *g, void *opts, const struct pb_weights *w)
{
	const struct pb_weights **at = weights_of(g, opts);

	if (at)
		*at = w;
}

/* Where the option "round" is, NULL if there is none. */
static int *
round_of(const struct pb_game *g, void *opts)
{
	const struct pb_param *p =
	    g->rounds > 1 ? pb_params_find(*g->params, "round") : NULL;

	return p ? (int *)((char *)opts + p->offset) : NULL;
}

int
pb_game_round(const struct pb_game *g, const void *opts)
{
	const int *round = round_of(g, (void *)opts);

	return round ? *round : 1;
}

void
pb_game_set_round(const struct pb_game *g, void *opts, int round)
{
	int *at = round_of(g, opts);

	if (at)
		*at = round;
}

enum pb_status
pb_game_prepare(const struct pb_game *g, const struct pb_ground *ground,
    const void *opts, void **world, struct pb_refusal *no)
{
	enum pb_status st;

	*world = NULL;
	if (g->world_size > 0 && !(*world = calloc(1, g->world_size)))
		return PB_ENOMEM;
	st = g->prepare(ground, opts, world, no);
	if (st != PB_OK) {
		pb_game_discard(g, *world);
		*world = NULL;
	}
	return st;
}

/* The localizers of a world, NULL if its robots have none. */
static struct pb_onboard *
get_localizers(const struct pb_game *g, const void *world)
{
	const void *at = (const char *)world + g->onboard;

	return g->onboard > 0 ? *(struct pb_onboard *const *)at : NULL;
}

void
pb_game_discard(const struct pb_game *g, void *world)
{
	if (!world)
		return;
	pb_onboard_free(get_localizers(g, world));
	g->discard(world);
	if (g->world_size > 0)
		free(world);
}

enum pb_status
pb_game_learn(const struct pb_game *g, const struct pb_player *p,
    const void *world, const void *opts, void **model)
{
	*model = NULL;
	if (g->learn)
		return g->learn(p, world, opts, model);
	return p->learn ? p->learn(world, opts, model) : PB_OK;
}

void
pb_game_forget(const struct pb_game *g, const struct pb_player *p, void *model)
{
	if (!model)
		return;
	if (g->forget)
		g->forget(p, model);
	else
		p->forget(model);
}

enum pb_status
pb_player_open(struct pb_player_state *t)
{
	const struct pb_player *p = t->player;

	t->mem_size = p->memory ? p->memory(t->world, t->opts, t->model) : 0;
	t->mem = malloc(t->mem_size + 1);
	return t->mem ? PB_OK : PB_ENOMEM;
}

void
pb_player_close(struct pb_player_state *t)
{
	free(t->mem);
	t->mem = NULL;
}

enum pb_status
pb_player_load(struct pb_player_state *t, const struct pb_game *g)
{
	void *model;
	enum pb_status st =
	    pb_game_learn(g, t->player, t->world, t->opts, &model);

	if (st != PB_OK)
		return st;
	t->model = model;
	st = pb_player_open(t);
	if (st != PB_OK)
		pb_player_unload(t, g);
	return st;
}

void
pb_player_unload(struct pb_player_state *t, const struct pb_game *g)
{
	pb_player_close(t);
	pb_game_forget(g, t->player, (void *)t->model);
	t->model = NULL;
}

void
pb_player_start(struct pb_player_state *t, uint64_t seed, uint64_t trial)
{
	pb_rng_start(&t->rng, seed, trial, PB_FOR_PLAYER, 0);
	t->heat = (struct pb_heat){0};
	t->decisions = 0;
}

void
pb_player_reset(struct pb_player_state *t, const void *view)
{
	if (t->player->reset)
		t->player->reset(t->mem, t->model, view);
}

/* Bytes of the state without the memory of more(). */
static size_t
state_bytes(const struct pb_game *g)
{
	const size_t line = _Alignof(max_align_t);

	return (g->size + line - 1) / line * line;
}

/* Bytes of a state on that world. */
static size_t
total_bytes(const struct pb_game *g, const void *world, const void *opts)
{
	return state_bytes(g) + (g->more ? g->more(world, opts) : 0) +
	       pb_onboard_memory(
		   get_localizers(g, world), pb_game_bodies(g, opts));
}

/* The robots' localizers of a state, which may be a copy. */
static struct pb_onboard_robots
get_robots(const struct pb_game *g, void *state)
{
	const struct pb_player_state *t = state;

	return (struct pb_onboard_robots){get_localizers(g, t->world),
	    (char *)state + state_bytes(g), pb_game_bodies(g, t->opts)};
}

/* Rover i of a state. */
static const struct pb_rover *
rover(const struct pb_game *g, const void *state, int i)
{
	const void *first = (const char *)state + g->rovers;

	return (const struct pb_rover *)first + i;
}

struct pb_pose
pb_game_pose(const struct pb_game *g, const void *state, int i)
{
	return g->pose ? g->pose(state, i) : rover(g, state, i)->pose;
}

/* Only robots with a localizer have one; errors of others are drawn. */
bool
pb_game_estimate(
    const struct pb_game *g, const void *state, struct pb_pose *out)
{
	if (g->estimate)
		return g->estimate(state, out);
	if (g->rovers == 0)
		return false;
	*out = rover(g, state, 0)->seen;
	return get_localizers(
		   g, ((const struct pb_player_state *)state)->world) != NULL;
}

double
pb_game_time(const struct pb_game *g, const void *state)
{
	return g->time ? g->time(state)
	               : (double)*int_at(state, g->tick) / g->hz;
}

double
pb_game_dt(const struct pb_game *g, const void *state)
{
	return g->dt ? g->dt(state) : 1.0 / g->hz;
}

enum pb_status
pb_game_open(const struct pb_game *g, void **state, const void *world,
    const void *opts, const struct pb_player *p, const void *model)
{
	struct pb_player_state *t =
	    calloc(1, g->open ? sizeof(*t) : total_bytes(g, world, opts));
	enum pb_status st = PB_ENOMEM;

	if (!t)
		return st;
	t->world = world;
	t->opts = opts;
	t->player = p;
	t->model = model;
	if (g->open)
		st = g->open(state, t);
	else if ((st = pb_player_open(t)) == PB_OK)
		*state = t;
	if (g->open || st != PB_OK)
		free(t);
	return st;
}

void
pb_game_close(const struct pb_game *g, void *state)
{
	if (!state)
		return;
	if (g->close) {
		g->close(state);
		return;
	}
	pb_player_close(state);
	free(state);
}

void
pb_game_copy(const struct pb_game *g, void *to, const void *from)
{
	const struct pb_player_state *f = from;
	struct pb_player_state *t = to;
	void *mem = t->mem;

	if (g->copy) {
		g->copy(to, from);
		return;
	}
	memcpy(to, from, total_bytes(g, f->world, f->opts));
	t->mem = mem;
	memcpy(t->mem, f->mem, pb_player_lasting(f->player, f->mem_size));
}

/* Store in the state the table of its robots and their localizers. Returns the
 * table; NULL: the game has none. */
static const struct pb_onboard_robots *
set_robots(const struct pb_game *g, void *state)
{
	struct pb_onboard_robots *c = (void *)((char *)state + g->robots);

	if (g->robots == 0)
		return NULL;
	*c = get_robots(g, state);
	return c;
}

void
pb_game_start(const struct pb_game *g, void *state, uint64_t seed,
    uint64_t trial, const struct pb_agents *c)
{
	const struct pb_onboard_robots *robots;

	if (g->on_board)
		pb_player_start(state, seed, trial);
	g->start(state, seed, trial, c);
	if ((robots = set_robots(g, state)) != NULL)
		pb_onboard_start(robots, rover(g, state, 0), seed, trial);
}

bool
pb_game_step(const struct pb_game *g, void *state, const struct pb_agents *c)
{
	const struct pb_board_game *b = g->on_board;
	struct pb_player_state *t = state;
	enum pb_dir stick = PB_STAY;
	bool asks;

	if (g->step)
		return g->step(state, c);
	set_robots(g, state);
	asks = b->asks(state);
	t->decisions += asks;
	if (c && c->steers)
		stick = c->stick;
	else if (asks && !pb_agents_decide(c, 0))
		stick = b->ask(state, c);
	return b->move(state, stick, c);
}

void
pb_game_play(const struct pb_game *g, void *state, struct pb_trial *r,
    const struct pb_agents *c)
{
	if (g->play) {
		g->play(state, r, c);
		return;
	}
	pb_game_start(g, state, r->seed, r->trial, c);
	while (pb_game_step(g, state, c) && !pb_agents_quit(c))
		;
	pb_game_result(g, state, r);
}

void
pb_game_result(const struct pb_game *g, const void *state, struct pb_trial *r)
{
	copy_name(r->outcome, sizeof(r->outcome), g->ending(state));
	r->time = pb_game_time(g, state);
	memset(r->killed, 0, sizeof(r->killed));
	g->result(state, r);
	if (g->onboard > 0)
		pb_onboard_result(get_robots(g, (void *)state), 0, r);
}

enum pb_dir
pb_player_ask(const struct pb_player_state *t, const void *view)
{
	struct pb_answer a = {.dir = PB_STAY};

	if (t->player->choose)
		a.dir = t->player->choose(view);
	else
		t->player->decide(t->mem, t->model, view, &a);
	return a.dir;
}

enum pb_dir
pb_player_decide(const struct pb_player_state *t, const struct pb_agents *c,
    const void *view)
{
	return c && c->decide ? c->decide(c->ctx, view)
	                      : pb_player_ask(t, view);
}

bool
pb_agents_decide(const struct pb_agents *c, int body)
{
	return c && c->bodies >> body & 1;
}

bool
pb_agents_quit(const struct pb_agents *c)
{
	return c && c->quits && *c->quits;
}

enum pb_dir
pb_agents_notify(const struct pb_agents *c, int body, enum pb_dir d)
{
	if (c && c->decided)
		c->decided(c->ctx, body, d);
	return d;
}

void
pb_heat_add(struct pb_heat *sum, const struct pb_heat *h)
{
	for (int r = 0; r < PB_HEAT_SIDE; r++)
		for (int c = 0; c < PB_HEAT_SIDE; c++) {
			sum->here[r][c] += h->here[r][c];
			sum->died[r][c] += h->died[r][c];
		}
}

int
pb_bumps_update(
    struct pb_bumps *b, const struct pb_rover *r, int n, double size)
{
	uint64_t pair = 1;
	int begun = 0;

	for (int i = 1; i < n; i++)
		for (int k = 0; k < i; k++, pair <<= 1) {
			double d = pb_pose_dist(r[i].pose, r[k].pose);

			b->nearest = fmin(b->nearest, d);
			begun += d < size && !(b->close & pair);
			b->close =
			    d < size ? b->close | pair : b->close & ~pair;
		}
	return begun;
}

bool
pb_has_pellet(const struct pb_maze *z, int row, int col)
{
	char c = z->cell[row][col];

	return c == PB_MAZE_PELLET || c == PB_MAZE_POWER;
}

int
pb_count_pellets(const struct pb_maze *z)
{
	int n = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			n += pb_has_pellet(z, r, c);
	return n;
}

const char *const pb_ghost_caught[4] = {
    "blinky caught", "pinky caught", "inky caught", "clyde caught"};
const char *const pb_ghost_killed[4] = {
    "blinky killed", "pinky killed", "inky killed", "clyde killed"};

void
pb_add_signal(struct pb_event *out, int *n, const char *name)
{
	out[(*n)++] = (struct pb_event){.kind = PB_EVENT_SIGNAL, .name = name};
}

void
pb_add_message(struct pb_event *out, int *n, int body, const char *name)
{
	out[(*n)++] = (struct pb_event){.body = body, .name = name};
}

const char *
pb_dir_word(int d)
{
	return pb_board_dir[d];
}

int
pb_dir_of(const char *word)
{
	int d = 0;

	while (d <= PB_STAY && strcmp(word, pb_board_dir[d]) != 0)
		d++;
	return d;
}

void
pb_seen_set_word(char out[PB_SEEN_WORD], const char *word)
{
	memcpy(out, word, strlen(word) + 1);
}

struct pb_seen_body *
pb_seen_add(struct pb_seen *k, const char *id, int row, int col, int d,
    const char *mode)
{
	struct pb_seen_body *b = &k->body[k->bodies++];

	*b = (struct pb_seen_body){
	    .row = row, .col = col, .fright = -1, .trapped = -1};
	pb_seen_set_word(b->id, id);
	pb_seen_set_word(b->dir, pb_board_dir[d]);
	pb_seen_set_word(b->mode, mode);
	return b;
}

const struct pb_seen_body *
pb_seen_find(const struct pb_seen *k, const char *id)
{
	for (int i = 0; i < k->bodies; i++)
		if (strcmp(k->body[i].id, id) == 0)
			return &k->body[i];
	return NULL;
}

struct pb_seen
pb_seen_none(void)
{
	return (struct pb_seen){.score = -1,
	    .lives = -1,
	    .left = -1,
	    .level = -1,
	    .combo = -1,
	    .period = -1,
	    .mode_steps = -1,
	    .level_steps = -1,
	    .fruit = -1};
}
