/* benchkills.h - a benchmark's table of who killed the player. */
#ifndef PB_VIEW_BENCHKILLS_H
#define PB_VIEW_BENCHKILLS_H

#include "view/benchkeys.h"

/*
 * For each summary that tells who killed: deaths, and of each killer its kills
 * and their share of all deaths with its interval. Nothing if none of
 * them tells. Returns as pb_bench_print.
 */
enum pb_status pb_bench_print_kills(
    const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f);

#endif
