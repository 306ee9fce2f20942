/* benchkeys.h - what the tables of a benchmark begin with. */
#ifndef PB_VIEW_BENCHKEYS_H
#define PB_VIEW_BENCHKEYS_H

#include "view/bench_tables.h"
#include "view/table.h"

/* Which keys differ between the rows and so need a column. */
struct pb_bench_keys {
	bool rules;
	bool map;
	bool constants;
	bool round;
	bool trials;
	bool score;   /* a score that is more than the pellets */
	bool pellets; /* there are some */
	bool updates; /* of localizers */
	bool cells;   /* ... in mazes */
};

struct pb_bench_keys pb_bench_keys_of(const struct pb_bench_view *v);

/* A name for people; borrowed from s. */
const char *pb_bench_map(const struct pb_summary *s);

/* One letter for each key column and the player, then `rest`. */
struct pb_table *pb_bench_table(struct pb_bench_keys k, const char *rest);

/* The headings and the cells of these columns. */
void pb_bench_heads(struct pb_table *t, struct pb_bench_keys k);
void pb_bench_put(struct pb_table *t, struct pb_bench_keys k,
    const struct pb_summary *s, const char *player);

/* What stands for an interval that there is none of. */
#define PB_BENCH_UNTOLD "*"

/* "1.0 to 2.0": an interval times scale; format is of one number. */
void pb_bench_range(struct pb_table *t, struct pb_interval in, double scale,
    const char *format);

/* Two cells: a mean and its interval, empty where it is not known. */
void pb_bench_mean(
    struct pb_table *t, double mean, struct pb_interval in, const char *format);

/*
 * Print t below its title, with a note on PB_BENCH_UNTOLD if it is there, and
 * free it. NULL, no memory for it: PB_ENOMEM.
 */
enum pb_status pb_bench_finish(struct pb_table *t,
    const struct pb_bench_view *v, const char *title, FILE *f);

#endif
