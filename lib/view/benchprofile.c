/* benchprofile.c - the trials of a benchmark as performance profiles. */
#include "view/benchprofile.h"

#include <stdlib.h>

#include "view/benchchart.h"
#include "view/histogram.h"
#include "view/charts.h"

struct profile {
	struct pb_profile p;
	struct pb_profile_curve curve[PB_PROFILE_CURVES];
	double *value[PB_PROFILE_CURVES]; /* owned */
	char label[PB_PROFILE_CURVES][PB_BENCH_LABEL];
	char title[160];
};

static const struct {
	const char *text;
	bool at_most; /* less is better */
} known[] = {
    [PB_OF_TIME] = {"time to success (s)", true},
    [PB_OF_PELLETS] = {"pellets collected", false},
    [PB_OF_SCORE] = {"score", false},
    [PB_OF_ERROR] = {"mean error (m)", true},
};

static void
clear(struct profile *g)
{
	for (int i = 0; i < PB_PROFILE_CURVES; i++)
		free(g->value[i]);
}

static bool
make(struct profile *g, const struct pb_bench_view *v, const struct pb_tally *t,
    enum pb_value_of what)
{
	*g = (struct profile){.p = {.title = g->title,
				  .what = known[what].text,
				  .at_most = known[what].at_most,
				  .curve = g->curve}};
	for (int i = 0; i < v->summaries && i < PB_PROFILE_CURVES; i++) {
		struct pb_profile_curve *c = &g->curve[i];

		if (pb_tally_values(t, i, what, &g->value[i], &c->n) != PB_OK) {
			clear(g);
			return false;
		}
		pb_bench_label(g->label[i], v, &v->summary[i]);
		c->label = g->label[i];
		c->value = g->value[i];
		c->all = (size_t)v->summary[i].n;
		g->p.curves++;
	}
	if (v->summaries > 0)
		snprintf(g->title, sizeof(g->title), "%s, %s",
		    v->summary[0].key.rules, v->summary[0].key.map);
	return true;
}

enum pb_status
pb_bench_profile(const struct pb_bench_view *v, const struct pb_tally *t,
    enum pb_value_of what, enum pb_value_view as, const struct pb_tty *tty,
    FILE *f)
{
	struct profile g;
	enum pb_status s;

	if (!make(&g, v, t, what))
		return PB_ENOMEM;
	s = as == PB_AS_PROFILE ? pb_profile_print(&g.p, tty, f)
	                        : pb_histogram_print(&g.p, tty, f);
	clear(&g);
	return s;
}

int
pb_bench_profile_png(const struct pb_bench_view *v, const struct pb_tally *t,
    enum pb_value_of what, enum pb_value_view as, const char *path,
    struct pb_fault *f)
{
	struct profile g;
	int e;

	if (!make(&g, v, t, what))
		return pb_fault_set(f, path, 0, NULL, "out of memory");
	e = as == PB_AS_PROFILE ? pb_profile_png(&g.p, path, f)
	                        : pb_histogram_png(&g.p, path, f);
	clear(&g);
	return e;
}
