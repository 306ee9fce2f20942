/*
 * suite.c - any bytes as the experiments of a suite: a complaint, or a list
 * of which each can be played.
 */
#include "fuzz.h"

#include "io/rec/rec.h"
#include "io/tool/bench_experiment.h"
#include "pb/games.h"

static void
check_bad(const struct pb_error *bad)
{
	must(memchr(bad->text, 0, sizeof(bad->text)) != NULL);
	must(bad->text[0] != 0);
	must(bad->kind != PB_ERROR_MEMORY);
}

static void
check_experiment(const struct pb_experiment *e)
{
	const char *why;

	must(e->rules == pb_rules_at(e->number));
	must(pb_experiment_opts(e) != NULL);
	must(pb_game_check(e->rules->game,
		 pb_constants_of(&e->constants, e->number), &why) == NULL);
	must(e->players.n >= 1 && e->players.n <= PB_OPT_PLAYERS);
	for (int i = 0; i < e->players.n; i++)
		for (int k = 0; k < i; k++)
			must(e->players.player[i] != e->players.player[k]);
	must(e->rounds.n >= 1 && e->rounds.n <= PB_NUMBERS);
	for (int i = 0; i < e->rounds.n; i++)
		must(e->rounds.v[i] >= 1);
	must(e->trials >= 1 && e->houses >= 0);
	must(memchr(e->told, 0, sizeof(e->told)) != NULL);
	for (int i = 0; i < e->maps; i++)
		must(e->map[i] != NULL);
	must(e->maps == 0 || e->map[e->maps] == NULL);
}

static void
add(struct pb_experiments *l, const struct pb_rec_experiment *x)
{
	const struct pb_experiment usual = {
	    .constants = pb_constants_defaults(), .trials = 10, .seed = 1};
	struct pb_error bad = {""};
	int before = l->n;

	if (!pb_experiments_add(l, x, &usual, &bad)) {
		check_bad(&bad);
		return;
	}
	must(l->n > before && l->n <= PB_EXPERIMENTS_MAX);
	for (int i = before; i < l->n; i++)
		check_experiment(&l->at[i]);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n), *end = s + n, *nl;
	struct pb_experiments l = {.n = 0};
	struct pb_error bad = {""};
	struct pb_rec r;

	for (char *at = s; at < end; at = nl + 1) {
		nl = memchr(at, '\n', (size_t)(end - at));
		if (nl == NULL)
			nl = end;
		*nl = 0;
		if (!pb_rec_read(at, (size_t)(nl - at),
			PB_REC_BIT(PB_REC_EXPERIMENT), &r, &bad)) {
			check_bad(&bad);
			continue;
		}
		if (r.type == PB_REC_EXPERIMENT)
			add(&l, &r.experiment);
		pb_rec_clear(&r);
	}
	pb_experiments_clear(&l);
	free(s);
	return 0;
}
