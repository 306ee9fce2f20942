/* games.c - whole games of options drawn at random, pinned by a hash. */
#include "check.h"

#include "base/hash.h"
#include "map/gen_house.h"
#include "pb/games.h"
#include "pb/maze.h"

static bool
is_word(const struct pb_param *p)
{
	return p->kind == PB_PARAM_BOOL || p->kind == PB_PARAM_CHOICE;
}

/* Draw one word in four and about two numbers anew: these from half to one and
 * a half times what is usual. */
static void
draw_opts(struct pb_params all, void *opts, struct pb_rng *r)
{
	for (size_t i = 0; i < all.n; i++) {
		const struct pb_param *p = &all.row[i];
		char *at = (char *)opts + p->offset;
		double v = p->usual * pb_rng_between(r, 0.5, 1.5);
		uint32_t n = 0;
		size_t length;

		if (pb_rng_below(r, is_word(p) ? 4 : (uint32_t)all.n / 2) > 0)
			continue;
		while (p->words && pb_word(p->words, (int)n, &length))
			n++;
		v = fmin(fmax(v, p->min), p->max);
		if (p->kind == PB_PARAM_BOOL)
			*(bool *)at = pb_rng_below(r, 2);
		else if (p->kind == PB_PARAM_CHOICE)
			*(int *)at = (int)pb_rng_below(r, n);
		else if (p->kind == PB_PARAM_COUNT)
			*(int *)at = (int)v;
		else
			*(double *)at = v;
	}
}

/* Weights of a trained player that are small random numbers. */
static struct pb_weights
draw_weights(const struct pb_weights_plan *p, struct pb_rng *r)
{
	struct pb_weights w = {.files = p->files};

	for (int f = 0; f < p->files; f++) {
		struct pb_tensor *t = calloc((size_t)p->tensors, sizeof(*t));

		w.file[f] = (struct pb_tensors){.at = t, .n = p->tensors};
		for (int i = 0; i < p->tensors; i++) {
			const struct pb_tensor_plan *k = &p->tensor[i];
			size_t n = pb_tensor_size(k->dims, k->side);
			float *v = malloc(n * sizeof(*v));

			t[i] = (struct pb_tensor){.dims = k->dims, .value = v};
			strcpy(t[i].name, k->name);
			memcpy(t[i].side, k->side, sizeof(k->side));
			for (size_t j = 0; j < n; j++)
				v[j] = (float)pb_rng_between(r, -0.1, 0.15);
		}
	}
	w.hash = pb_weights_hash(&w);
	return w;
}

static void
free_weights(struct pb_weights *w)
{
	for (int f = 0; f < w->files; f++) {
		for (int i = 0; i < w->file[f].n; i++)
			free((void *)w->file[f].at[i].value);
		free(w->file[f].at);
	}
}

/* Feed to a hash how player p does in a game of options drawn anew; nothing, if
 * it cannot be played with them. */
static uint64_t
play_any(const struct pb_game *g, const struct pb_player *p,
    const struct pb_ground *on, struct pb_rng *r, uint64_t h)
{
	void *opts = calloc(1, g->opts_size), *world = NULL, *known, *state;
	struct pb_trial t = {.seed = 5};
	const struct pb_player_state *ps;
	struct pb_refusal no;
	struct pb_weights w = {.files = 0};
	char why[PB_GAME_WHY];

	if (p->weights)
		w = draw_weights(p->weights, r);
	do {
		pb_game_defaults(g, opts);
		draw_opts(*g->params, opts, r);
	} while (pb_game_check(g, opts, why));
	if (p->weights)
		pb_game_set_weights(g, opts, &w);
	if (pb_game_prepare(g, on, opts, &world, &no) == PB_OK &&
	    pb_game_learn(g, p, world, opts, &known) == PB_OK) {
		check_int(
		    pb_game_open(g, &state, world, opts, p, known), PB_OK);
		ps = state;
		pb_game_play(g, state, &t, NULL);
		h = pb_hash_bytes(h, t.outcome, strlen(t.outcome));
		h = pb_hash_double(pb_hash_double(h, t.time), t.score);
		h = pb_hash_u64(h, (uint64_t)t.decisions ^ t.hash);
		h = pb_hash_double(pb_hash_double(h, t.driven), t.nearest);
		h = pb_hash_double(h, t.error_mean);
		for (int row = 0; row < PB_HEAT_SIDE; row++)
			for (int col = 0; col < PB_HEAT_SIDE; col++)
				h = pb_hash_u64(h, ps->heat.here[row][col]);
		pb_game_close(g, state);
		pb_game_forget(g, p, known);
	}
	pb_game_discard(g, world);
	free_weights(&w);
	free(opts);
	return h;
}

/* Each player of each rule set with many options, as the seed decides. */
test(games_are_pinned)
{
	static const uint64_t want[] = {0xbe2b431819128755, 0x4cc4a61efe5eb19e,
	    0xaa80fd903ed285aa, 0xdd327a5baf11d11c};
	struct pb_house_opts house = pb_house_defaults();
	struct pb_map m;
	struct pb_maze z;

	house.width = house.height = 7;
	check_int(pb_gen_house(&house, &m), PB_OK);
	for (int i = 0; i < pb_rules_count(); i++) {
		const struct pb_rules *r = pb_rules_at(i);
		struct pb_ground on = {.map = &m};
		uint64_t h = PB_HASH_START;
		struct pb_rng rng;

		pb_rng_start(&rng, 3, 0, 0, 0);
		if (r->game->board &&
		    pb_maze_standard(r->game->board, &z) == PB_OK)
			on = (struct pb_ground){.maze = &z};
		for (int k = 0; k < 3; k++)
			for (int n = 0; r->player[n]; n++)
				h = play_any(
				    r->game, r->player[n], &on, &rng, h);
		check(h == want[i]);
		if (h != want[i])
			printf("# %s: %#llx\n", r->game->name,
			    (unsigned long long)h);
	}
	pb_map_clear(&m);
}

test(every_constant_refuses_what_is_no_number)
{
	static const char *const none[] = {"inf", "", "x", "1x", "nan", "0x10",
	    "1e999", "18446744073709551616", "-9223372036854775809"};
	enum { NONE = sizeof(none) / sizeof(*none) };

	for (int i = 0; i < pb_rules_count(); i++) {
		const struct pb_game *g = pb_rules_at(i)->game;
		void *opts = calloc(1, g->opts_size);

		for (size_t k = 0; k < g->params->n; k++) {
			const struct pb_param *p = &g->params->row[k];
			bool limit = p->kind == PB_PARAM_LIMIT;
			size_t to = p->kind == PB_PARAM_COUNT ? NONE : NONE - 2;

			for (size_t n = limit; n < to; n++) {
				if (!pb_param_read(p, opts, none[n]))
					printf("# %s=%s\n", p->name, none[n]);
				check(pb_param_read(p, opts, none[n]));
			}
		}
		free(opts);
	}
}

/* Who changes the range of a constant on purpose writes down the hash that is
 * printed. */
test(ranges_are_pinned)
{
	static const uint64_t want[] = {0xa8f11ba8a8972f3a, 0xdd33b74406ddf26e,
	    0x278cb85504899d43, 0x2ead40029f3eca4c};

	for (int i = 0; i < pb_rules_count(); i++) {
		const struct pb_game *g = pb_rules_at(i)->game;
		uint64_t h = PB_HASH_START;

		for (size_t k = 0; k < g->params->n; k++) {
			const struct pb_param *p = &g->params->row[k];

			h = pb_hash_bytes(h, p->name, strlen(p->name) + 1);
			h = pb_hash_double(pb_hash_double(h, p->min), p->max);
		}
		check(h == want[i]);
		if (h != want[i])
			printf("# %s: %#llx\n", g->name, (unsigned long long)h);
	}
}
