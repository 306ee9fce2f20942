/* experiment_parts.h - what the experiment*.c share. */
#ifndef PB_IO_TOOL_EXPERIMENT_PARTS_H
#define PB_IO_TOOL_EXPERIMENT_PARTS_H

#include "io/tool/bench_experiment.h"

/* What is being added: a place in every list of values. */
struct pb_adding {
	struct pb_experiments *l;
	const struct pb_rec_experiment *x;
	const struct pb_experiment *usual;
	struct pb_experiment e; /* rules, map, ..., but for constants */
	struct pb_constants base;
	struct pb_bad *bad;
};

/* All below return false with a->bad filled in. */
bool pb_adding_append(struct pb_adding *a, const struct pb_experiment *e);

/* Whether each name of the list, "" is none, is a player of one of n rules. */
bool pb_adding_players(const struct pb_rules *const *rules, int n,
    const char *list, struct pb_bad *bad);

/* As pb_experiments_tell, for one of localizers. */
bool pb_localize_tell(
    struct pb_experiment *e, const struct pb_opt_names *asked);

/* Trials of localizers; all of a->e but rules, players and options is set. */
bool pb_adding_localize(struct pb_adding *a);

#endif
