/* env.c - many games at once, for programs that learn to play. */
#include "pb/env.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "env/episode.h"
#include "map/board.h"
#include "map/gen_house.h"
#include "pb/games.h"

/* Kinds of the caller's memory; those before "final" are required. */
#define KINDS \
	"actions|observations|rewards|terminated|truncated|final|masks|asked"
enum kind {
	ACTIONS,
	OBSERVATIONS,
	REWARDS,
	TERMINATED,
	TRUNCATED,
	FINAL,
	MASKS,
	ASKED,
	KINDS_N
};

/* Settings of a batch that are no options of its game. */
struct settings {
	int observe, type; /* as in pb_observation */
	int decide;        /* word of DECIDE */
	int every;         /* decision or tick */
	int most;          /* decisions, 0: no limit */
	int house;         /* seed of the map, where none is given */
};

#define DECIDE "player|ghosts|all"

#define PB_PARAMS_OF struct settings
static const struct pb_param rows[] = {
    PB_CHOICE("observe", observe, PB_OBSERVATION_FORMS, "how a game is seen"),
    PB_CHOICE("type", type, PB_OBSERVATION_TYPES, "of a number in planes"),
    PB_CHOICE("decide", decide, DECIDE, "who is decided by the caller"),
    PB_CHOICE("every", every, "decision|tick", "where a step ends"),
    PB_COUNT(
	"max-decisions", most, "", 0, 0, 1000000000, "of a game, 0: no limit"),
    PB_COUNT("house", house, "", 1, 0, 1000000000, "seed of a random house"),
};
static const struct pb_params params = PB_PARAMS(rows);

/* Settings that are texts. */
static const char *const texts[] = {"board", "policy", "preset"};
enum { TEXTS = 3, GAMES_MAX = 1000000, LINE = 256 };

struct pb_env {
	const struct pb_rules *rules; /* NULL: nothing can be done */
	int games;
	bool open;
	_Alignas(double) unsigned char opts[PB_RULES_OPTS];
	struct settings set;
	struct pb_maze maze;
	struct pb_map map; /* owned */
	bool given;        /* the map was given by the caller */
	int player;        /* plays bodies that the caller does not decide */
	void *world, *model;
	struct pb_episodes all;
	struct pb_episode *game; /* games, owned */
	unsigned char *bound[KINDS_N];
	size_t bytes[KINDS_N]; /* bytes for one game */
	char error[LINE], name[LINE];
};

/* Set the error message from texts, truncated to its room; returns -1. */
static int
set_error(struct pb_env *e, const char *const *text)
{
	size_t at = 0;

	for (; *text; text++)
		for (const char *s = *text; *s && at + 1 < LINE; s++)
			e->error[at++] = *s;
	e->error[at] = '\0';
	return -1;
}

#define FAIL(e, ...) set_error(e, (const char *[]){__VA_ARGS__, NULL})

/* The text, "" for NULL. */
static const char *
or_empty(const char *s)
{
	return s ? s : "";
}

/* For a player whose moves the caller decides. */
static void
decide_nothing(
    void *mem, const void *model, const void *view, struct pb_answer *out)
{
	(void)mem;
	(void)model;
	(void)view;
	(void)out;
}

static const struct pb_player caller = {.name = "caller",
    .summary = "is decided by another program",
    .decide = decide_nothing};

struct pb_env *
pb_env_new(int abi, const char *rules, int games)
{
	struct pb_env *e = calloc(1, sizeof(*e));
	const struct pb_rules *r = pb_rules_find(or_empty(rules));

	if (!e)
		return NULL;
	if (abi != PB_ENV_ABI)
		FAIL(e, "the program was written for another pb/env.h");
	else if (!r)
		FAIL(e, "no rules \"", or_empty(rules), "\"");
	else if (games < 1 || games > GAMES_MAX)
		FAIL(e, "expected 1 to 1000000 games");
	else
		e->rules = r;
	if (!e->rules)
		return e;
	e->games = games;
	pb_game_defaults(r->game, e->opts);
	pb_params_defaults(params, &e->set);
	if (r->game->board)
		pb_maze_standard(r->game->board, &e->maze);
	e->set.observe = r->game->on_board && r->game->on_board->frame
	                     ? PB_SEE_FRAME
	                     : PB_SEE_FEATURES;
	e->player = pb_rules_player(r, r->game->usual);
	return e;
}

static void
close_batch(struct pb_env *e)
{
	const struct pb_game *g = e->rules->game;

	for (int i = 0; e->game && i < e->games; i++)
		pb_episode_close(&e->game[i], &e->all);
	free(e->game);
	if (e->model)
		pb_game_forget(g, e->all.player, e->model);
	pb_game_discard(g, e->world);
	e->game = NULL;
	e->world = e->model = NULL;
	e->open = false;
}

void
pb_env_free(struct pb_env *e)
{
	if (e && e->rules)
		close_batch(e);
	if (e)
		pb_map_clear(&e->map);
	free(e);
}

const char *
pb_env_error(const struct pb_env *e)
{
	return e ? e->error : "the batch is closed";
}

/* Whether the batch is not open yet; else set the error. */
static bool
check_not_open(struct pb_env *e)
{
	if (!e)
		return false;
	if (e->rules && e->open)
		FAIL(e, "the batch is open: this comes before pb_env_open()");
	return e->rules && !e->open;
}

static int
set_board(struct pb_env *e, const char *text)
{
	struct pb_board_fault f;

	if (!e->rules->game->board)
		return FAIL(e, "board: ", e->rules->game->name,
		    " is played on a map, see \"house\" and pb_env_map()");
	if (strchr(text, '\n')) {
		if (pb_board_parse(text, strlen(text), &e->maze, &f) == PB_OK)
			return 0;
		return FAIL(e, "board: expected ", f.text);
	}
	return pb_maze_standard(text, &e->maze) == PB_OK
	           ? 0
	           : FAIL(e, "board: no board \"", text, "\"");
}

static int
set_text(struct pb_env *e, int which, const char *text)
{
	int player = pb_rules_player(e->rules, text);

	if (which == 0)
		return set_board(e, text);
	if (which == 1 && player < 0)
		return FAIL(e, "policy: no player \"", text, "\"");
	if (which == 1)
		e->player = player;
	else if (!pb_game_preset(e->rules->game, e->opts, text))
		return FAIL(e, "preset: no preset \"", text, "\"");
	return 0;
}

int
pb_env_set(struct pb_env *e, const char *name, const char *value)
{
	const struct pb_param *p;
	void *to = e->opts;
	const char *why;

	if (!check_not_open(e))
		return -1;
	if (!name || !value)
		return FAIL(e, or_empty(name), ": a text is NULL");
	for (int i = 0; i < TEXTS; i++)
		if (strcmp(texts[i], name) == 0)
			return set_text(e, i, value);
	p = pb_params_find(params, name);
	if (p)
		to = &e->set;
	else
		p = pb_params_find(*e->rules->game->params, name);
	if (!p)
		return FAIL(e, "no setting \"", name, "\" of the rules ",
		    e->rules->game->name);
	why = pb_param_read(p, to, value);
	return why ? FAIL(e, name, ": expected ", why, ", got \"", value, "\"")
	           : 0;
}

int
pb_env_map(struct pb_env *e, const int8_t *cell, int width, int height,
    double resolution, double x, double y, double th)
{
	struct pb_map m;
	enum pb_status st;

	if (!check_not_open(e))
		return -1;
	if (e->rules->game->board)
		return FAIL(e, "map: ", e->rules->game->name,
		    " is played on a board, see \"board\"");
	if (!cell)
		return FAIL(e, "map: no cells");
	st = pb_map_init(
	    &m, width, height, resolution, (struct pb_pose){x, y, th});
	if (st != PB_OK)
		return FAIL(e, "map: ", pb_status_text(st));
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		m.cell[i] =
		    cell[i] < 0 || cell[i] > 100 ? PB_CELL_UNKNOWN : cell[i];
	pb_map_clear(&e->map);
	e->map = m;
	e->given = true;
	return 0;
}

/* Choose the ground: the caller's map, or one that is made. */
static int
choose_ground(struct pb_env *e, struct pb_ground *g)
{
	struct pb_house_opts o = pb_house_defaults();
	enum pb_status st = PB_OK;

	*g =
	    (struct pb_ground){.maze = e->rules->game->board ? &e->maze : NULL};
	if (g->maze)
		return 0;
	g->map = &e->map;
	if (!e->given) {
		o.seed = (uint64_t)e->set.house;
		pb_map_clear(&e->map);
		st = pb_gen_house(&o, &e->map);
	}
	return st == PB_OK ? 0 : FAIL(e, "house: ", pb_status_text(st));
}

/* Set which bodies the caller decides, and whether the rules tell who decides
 * next. */
static int
choose_bodies(struct pb_env *e)
{
	struct pb_episodes *a = &e->all;
	const struct pb_board_game *b = a->game->on_board;
	unsigned all = (1u << pb_game_bodies(a->game, e->opts)) - 1;

	a->decided = e->set.decide == 0   ? 1
	             : e->set.decide == 1 ? all & ~1u
	                                  : all;
	if (e->set.decide > 0 && !a->game->board)
		return FAIL(e,
		    "decide: the caller cannot decide the ghosts of ",
		    a->game->name);
	a->n = 0;
	for (int i = 0; i < PB_BODIES; i++)
		a->n += a->decided >> i & 1;
	if (a->n == 0)
		return FAIL(e, "decide: there are no ghosts");
	a->player = a->decided & 1 ? &caller : e->rules->player[e->player];
	a->knows_next = b && a->decided == 1 &&
	                !(b->partly_seen && b->partly_seen(e->opts));
	return 0;
}

static int
make_world(struct pb_env *e, const struct pb_ground *g)
{
	const struct pb_game *game = e->rules->game;
	struct pb_refusal no = {NULL, -1, -1};
	char why[PB_GAME_WHY];
	const char *wrong = pb_game_check(game, e->opts, why);
	enum pb_status st;

	if (wrong)
		return FAIL(e, wrong, ": ", why);
	st = pb_game_prepare(game, g, e->opts, &e->world, &no);
	if (st != PB_OK)
		return FAIL(e, game->board ? "board: " : "map: ",
		    no.why ? no.why : pb_status_text(st));
	e->all.key =
	    pb_game_key(game, g, e->opts, pb_game_round(game, e->opts));
	return 0;
}

static int
prepare(struct pb_env *e)
{
	struct pb_episodes *a = &e->all;
	struct pb_ground g;
	enum pb_status st;

	*a = (struct pb_episodes){.game = e->rules->game,
	    .opts = e->opts,
	    .ticks = e->set.every == 1,
	    .most = e->set.most,
	    .weight = {[PB_TERM_SCORE] = 1}};
	if (choose_ground(e, &g) != 0 || choose_bodies(e) != 0 ||
	    make_world(e, &g) != 0)
		return -1;
	a->world = e->world;
	st = pb_game_learn(a->game, a->player, e->world, e->opts, &e->model);
	if (st == PB_ENOMEM)
		return FAIL(e, "out of memory");
	if (st != PB_OK)
		return FAIL(e, "policy: ", a->player->name, ": ",
		    a->player->weights && !pb_game_weights(a->game, e->opts)
			? "plays by weights, which a batch cannot be given"
			: pb_status_text(st));
	a->model = e->model;
	a->look = (struct pb_observation){.game = a->game,
	    .maze = g.maze,
	    .form = e->set.observe,
	    .floats = e->set.type == 1};
	while (a->game->on_map &&
	       strcmp(a->game->on_map->commands[a->start].name, "start") != 0)
		a->start++;
	return 0;
}

/* Allocate all games, and compute the sizes of the caller's memory. */
static int
allocate(struct pb_env *e)
{
	struct pb_episodes *a = &e->all;
	size_t n;

	e->game = calloc((size_t)e->games, sizeof(*e->game));
	for (int i = 0; e->game && i < e->games; i++) {
		e->game[i].seed = 1 + (uint64_t)i;
		if (pb_episode_open(&e->game[i], a) != PB_OK)
			return FAIL(e, "out of memory");
	}
	if (!e->game)
		return FAIL(e, "out of memory");
	pb_game_start(a->game, e->game[0].state, 0, 0, NULL);
	if (!pb_observation_init(&a->look, e->opts, e->game[0].state))
		return FAIL(e, "observe: ", a->game->name,
		    a->game->board ? " has no frames" : " has features only");
	a->actions = a->game->board ? PB_STAY + 1 : a->look.pellets + 1;
	n = (size_t)a->n;
	e->bytes[ACTIONS] = n * sizeof(int32_t);
	e->bytes[OBSERVATIONS] = e->bytes[FINAL] = a->look.bytes;
	e->bytes[REWARDS] = sizeof(double);
	e->bytes[TERMINATED] = e->bytes[TRUNCATED] = 1;
	e->bytes[MASKS] = n * (size_t)a->actions;
	e->bytes[ASKED] = n;
	return 0;
}

int
pb_env_open(struct pb_env *e)
{
	if (!check_not_open(e))
		return -1;
	if (prepare(e) != 0 || allocate(e) != 0) {
		close_batch(e);
		return -1;
	}
	e->open = true;
	return 0;
}

/* Index of a word in a list, -1 if it is missing. */
static int
find_word(const char *words, const char *word)
{
	return pb_word_find(words, or_empty(word), strlen(or_empty(word)));
}

int
pb_env_weight(struct pb_env *e, const char *term, double weight)
{
	int i = find_word(PB_ENV_TERMS, term);

	if (!e)
		return -1;
	if (!e->rules || !e->open)
		return FAIL(e, "the batch is not open");
	if (i < 0)
		return FAIL(e, "reward: expected one of ", PB_ENV_TERMS,
		    ", got \"", or_empty(term), "\"");
	if (!isfinite(weight))
		return FAIL(
		    e, "reward: the weight of ", term, " is not finite");
	if (pb_episode_lacks(&e->game[0], &e->all, (enum pb_env_term)i))
		return FAIL(e, "reward: ", e->rules->game->name,
		    " does not count ", term);
	e->all.weight[i] = weight;
	return 0;
}

int
pb_env_count(const struct pb_env *e, const char *what)
{
	const struct pb_observation *o;

	if (!e || !e->open)
		return -1;
	o = &e->all.look;
	const int count[] = {e->games, e->all.n, e->all.actions, o->parts,
	    o->rows, o->cols, (int)o->each};
	int i = find_word("games|bodies|actions|parts|rows|cols|number", what);

	return i >= 0 ? count[i] : -1;
}

static const char *
setting_name(const struct pb_env *e, int i)
{
	const struct pb_params *p = e->rules->game->params;
	int n = (int)params.n;

	if (i < TEXTS)
		return texts[i];
	if ((i -= TEXTS) < n)
		return params.row[i].name;
	i -= n;
	return i < (int)p->n ? p->row[i].name : NULL;
}

static const char *
body_name(const struct pb_env *e, int i)
{
	for (int k = 0; k < PB_BODIES; k++)
		if (e->all.decided >> k & 1 && i-- == 0)
			return e->rules->game->body[k];
	return NULL;
}

/* Copy word i of a list to a string. */
static const char *
copy_word(struct pb_env *e, const char *words, int i)
{
	size_t n;
	const char *w = pb_word(words, i, &n);

	if (!w)
		return NULL;
	memcpy(e->name, w, n);
	e->name[n] = '\0';
	return e->name;
}

const char *
pb_env_name(struct pb_env *e, const char *what, int i)
{
	const struct pb_rules *r = pb_rules_at(i);

	if (strcmp(or_empty(what), "rules") == 0)
		return r ? r->game->name : NULL;
	if (i < 0 || !e || !e->rules)
		return NULL;
	switch (find_word("settings|terms|outcomes|bodies", what)) {
	case 0:
		return setting_name(e, i);
	case 1:
		return copy_word(e, PB_ENV_TERMS, i);
	case 2:
		for (int k = 0; k < i; k++)
			if (!e->rules->game->outcome[k])
				return NULL;
		return e->rules->game->outcome[i];
	case 3:
		return e->open ? body_name(e, i) : NULL;
	default:
		return NULL;
	}
}

size_t
pb_env_bytes(const struct pb_env *e, const char *kind)
{
	int i = find_word(KINDS, kind);

	return e && e->open && i >= 0 ? e->bytes[i] * (size_t)e->games : 0;
}

int
pb_env_bind(struct pb_env *e, const char *kind, void *memory, size_t bytes)
{
	int i = find_word(KINDS, kind);

	if (!e)
		return -1;
	if (!e->rules || !e->open)
		return FAIL(e, "the batch is not open");
	if (i < 0)
		return FAIL(e, "expected one of ", KINDS, ", got \"",
		    or_empty(kind), "\"");
	if (memory && bytes != pb_env_bytes(e, kind))
		return FAIL(e, kind, ": memory of another size");
	e->bound[i] = memory;
	return 0;
}

/* The caller's memory of game i. */
static struct pb_turn
game_buffers(const struct pb_env *e, int i)
{
	unsigned char *at[KINDS_N];

	for (int k = 0; k < KINDS_N; k++)
		at[k] =
		    e->bound[k] ? e->bound[k] + (size_t)i * e->bytes[k] : NULL;
	return (struct pb_turn){.action = (const void *)at[ACTIONS],
	    .asked = at[ASKED],
	    .mask = at[MASKS],
	    .seen = at[OBSERVATIONS],
	    .final = at[FINAL],
	    .reward = (void *)at[REWARDS],
	    .terminated = at[TERMINATED],
	    .truncated = at[TRUNCATED]};
}

/*
 * Whether games first..first + n - 1 can be reset: open, and all memory bound.
 */
static bool
are_playable(const struct pb_env *e, int first, int n)
{
	bool ok = e && e->open && first >= 0 && n >= 0 && first <= e->games - n;

	for (int k = 0; ok && k < FINAL; k++)
		ok = e->bound[k] != NULL;
	return ok;
}

int
pb_env_reset(struct pb_env *e, int first, int n, const uint64_t *seed)
{
	if (!are_playable(e, first, n))
		return -1;
	for (int i = 0; i < n; i++) {
		const struct pb_turn t = game_buffers(e, first + i);

		pb_episode_reset(
		    &e->game[first + i], &e->all, seed ? seed + i : NULL, &t);
	}
	return 0;
}

int
pb_env_step(struct pb_env *e, int first, int n)
{
	if (!are_playable(e, first, n))
		return -1;
	for (int i = first; i < first + n; i++) {
		const int32_t *a = game_buffers(e, i).action;

		if (e->game[i].games == 0)
			return -1;
		for (int k = 0; k < e->all.n; k++)
			if (a[k] < 0 || a[k] >= e->all.actions)
				return 1 + i;
	}
	for (int i = first; i < first + n; i++) {
		const struct pb_turn t = game_buffers(e, i);

		pb_episode_step(&e->game[i], &e->all, &t);
	}
	return 0;
}

/* Index of r's outcome, -1: cut short. */
static int
outcome_index(const struct pb_env *e, const struct pb_trial *r)
{
	const char *const *o = e->rules->game->outcome;

	for (int i = 0; o[i]; i++)
		if (strcmp(o[i], r->outcome) == 0)
			return i;
	return -1;
}

/* The last game that ended in place i, NULL: none. */
static const struct pb_trial *
last_result(const struct pb_env *e, int i)
{
	return e && e->open && i >= 0 && i < e->games && e->game[i].ended
	           ? &e->game[i].done
	           : NULL;
}

double
pb_env_episode(const struct pb_env *e, int i, const char *what)
{
	const struct pb_trial *r = last_result(e, i);
	int k =
	    find_word("trial|outcome|success|score|collected|total|time|deaths|"
		      "levels|eaten|decisions",
		what);

	if (!r || k < 0)
		return NAN;
	const double v[] = {(double)r->trial, outcome_index(e, r), r->success,
	    r->score, r->collected, r->total, r->time, r->deaths, r->levels,
	    r->eaten, r->decisions};

	return k >= 7 && v[k] < 0 ? NAN : v[k];
}

uint64_t
pb_env_hash(const struct pb_env *e, int i)
{
	const struct pb_trial *r = last_result(e, i);

	return r ? r->hash : 0;
}
