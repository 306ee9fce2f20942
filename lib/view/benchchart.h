/* benchchart.h - the summaries of a benchmark as charts. */
#ifndef PB_VIEW_BENCHCHART_H
#define PB_VIEW_BENCHCHART_H

#include "io/fault.h"
#include "view/bench_tables.h"
#include "view/render.h"

/* Room for "policy@round map rules constants". */
#define PB_BENCH_LABEL 320

/* Name a summary by its player, and by what else differs between them. */
void pb_bench_label(char label[PB_BENCH_LABEL], const struct pb_bench_view *v,
    const struct pb_summary *s);

/*
 * Print the success rates with their intervals, then for each summary the
 * pellets collected, as bars for t.
 *
 * Returns  PB_OK or PB_ENOMEM; a write that failed shows in ferror(f)
 */
enum pb_status pb_bench_chart(
    const struct pb_bench_view *v, const struct pb_tty *t, FILE *f);

/*
 * Draw the success rates into the PNG file at path.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_bench_png(
    const struct pb_bench_view *v, const char *path, struct pb_fault *f);

#endif
