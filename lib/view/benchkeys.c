/* benchkeys.c - what the tables of a benchmark begin with. */
#include "view/benchkeys.h"

#include <math.h>
#include <string.h>

struct pb_bench_keys
pb_bench_keys_of(const struct pb_bench_view *v)
{
	struct pb_bench_keys k = {.score = false};

	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		k.score |= m->score_mean > m->pellets_mean || m->score_mean < 0;
		k.pellets |= m->total > 0;
		k.updates |= m->updates_mean > 0;
		k.cells |= m->track[PB_TRACK_CELL] >= 0;
	}
	for (int i = 1; i < v->summaries; i++) {
		const struct pb_summary *a = &v->summary[0];
		const struct pb_summary *b = &v->summary[i];

		k.rules |= strcmp(a->key.rules, b->key.rules) != 0;
		k.constants |= strcmp(a->key.told, b->key.told) != 0;
		k.map |= a->key.map_hash != b->key.map_hash;
		k.round |= a->key.round != b->key.round;
		k.trials |= a->n != b->n;
	}
	return k;
}

const char *
pb_bench_map(const struct pb_summary *s)
{
	return s->key.map[0] ? s->key.map : "unnamed map";
}

struct pb_table *
pb_bench_table(struct pb_bench_keys k, const char *rest)
{
	char align[64];

	snprintf(align, sizeof(align), "%s%s%s%s%s|%s", k.rules ? "l" : "",
	    k.map ? "l" : "", "l", k.constants ? "l" : "", k.round ? "r" : "",
	    rest);
	return pb_table_new(align);
}

void
pb_bench_heads(struct pb_table *t, struct pb_bench_keys k)
{
	if (k.rules)
		pb_table_put(t, "rules");
	if (k.map)
		pb_table_put(t, "map");
	pb_table_put(t, "player");
	if (k.constants)
		pb_table_put(t, "constants");
	if (k.round)
		pb_table_put(t, "round");
}

void
pb_bench_put(struct pb_table *t, struct pb_bench_keys k,
    const struct pb_summary *s, const char *player)
{
	if (k.rules)
		pb_table_put(t, s->key.rules);
	if (k.map)
		pb_table_put(t, pb_bench_map(s));
	pb_table_put(t, player);
	if (k.constants)
		pb_table_put(t, s->key.told[0] ? s->key.told : "usual");
	if (k.round)
		pb_table_putf(t, "%d", s->key.round);
}

void
pb_bench_range(
    struct pb_table *t, struct pb_interval in, double scale, const char *format)
{
	char lo[32], hi[32];

	if (isnan(in.lo)) {
		pb_table_put(t, PB_BENCH_UNTOLD);
		return;
	}
	snprintf(lo, sizeof(lo), format, scale * in.lo);
	snprintf(hi, sizeof(hi), format, scale * in.hi);
	pb_table_putf(t, "%s to %s", lo, hi);
}

void
pb_bench_mean(
    struct pb_table *t, double mean, struct pb_interval in, const char *format)
{
	char text[32] = "";

	if (!isnan(mean))
		snprintf(text, sizeof(text), format, mean);
	pb_table_put(t, text);
	if (isnan(mean))
		pb_table_put(t, "");
	else
		pb_bench_range(t, in, 1, format);
}

enum pb_status
pb_bench_finish(struct pb_table *t, const struct pb_bench_view *v,
    const char *title, FILE *f)
{
	enum pb_status s = PB_ENOMEM;

	if (t) {
		fprintf(f, "\n%s\n\n", title);
		s = pb_table_print(t, v->utf8, v->width, f);
		if (pb_table_has(t, PB_BENCH_UNTOLD))
			fprintf(f, "%s no interval: these trials cannot tell\n",
			    PB_BENCH_UNTOLD);
	}
	pb_table_free(t);
	return s;
}
