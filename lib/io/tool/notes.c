/* notes.c - what is noted about a player's games beside their results. */
#include "io/tool/notes.h"

#include <time.h>

static double
thread_time(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return 0;
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void
pb_notes_decision(void *notes, bool begins)
{
	struct pb_notes *n = notes;
	double took, now = thread_time();

	if (begins) {
		n->since = now;
		return;
	}
	took = now - n->since;
	n->decisions++;
	n->time += took;
	if (took > n->longest)
		n->longest = took;
}

void
pb_notes_game(struct pb_notes *n, const struct pb_heat *heat)
{
	n->games++;
	pb_heat_add(&n->heat, heat);
}

void
pb_notes_add(struct pb_notes *sum, const struct pb_notes *n)
{
	sum->games += n->games;
	sum->decisions += n->decisions;
	sum->time += n->time;
	if (n->longest > sum->longest)
		sum->longest = n->longest;
	pb_heat_add(&sum->heat, &n->heat);
}
