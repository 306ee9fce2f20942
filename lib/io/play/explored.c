/* explored.c - what bodies have found out of a board, as map records. */
#include "io/play/explored.h"

#include <stdio.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"

bool
pb_explorers_find(const struct pb_game *g, const void *opts, const char *name,
    unsigned *who, struct pb_error *bad)
{
	int n = g->bodies(opts);

	*who = 0;
	if (!name)
		return true;
	if (!g->explored)
		return pb_error_set(
		    bad, "known: the robots of %s do not explore", g->name);
	for (int i = 1; i < n; i++)
		if (strcmp(name, "all") == 0 || strcmp(name, g->body[i]) == 0)
			*who |= 1u << i;
	return *who != 0 || strcmp(name, "all") == 0 ||
	       pb_error_set(bad,
		   "known: expected all or %s to %s, got \"%.80s\"", g->body[1],
		   g->body[n - 1], name);
}

/* The name of one body that is asked, or of them all. */
static struct pb_stamp
stamp(const struct pb_explorers *x, const struct pb_game *g, double t)
{
	char id[PB_REC_WORD];

	for (int i = 1; g->body[i]; i++)
		if (x->who == 1u << i)
			return pb_stamp_at(t, g->body[i]);
	/* "patrol1" of "patrols" */
	snprintf(id, sizeof(id), "%.*ss",
	    (int)strcspn(g->body[1], "0123456789"), g->body[1]);
	return pb_stamp_at(t, id);
}

static void
put_map(const struct pb_explorers *x, const struct pb_explored *e,
    struct pb_stamp at)
{
	struct pb_map m;

	if (pb_map_init(&m, e->cols, e->rows, e->side,
		(struct pb_pose){0, 0, 0}) != PB_OK) {
		pb_msg_system("no memory for a map");
		return;
	}
	snprintf(m.name, sizeof(m.name), "known to %s", at.id);
	for (int row = 0; row < e->rows; row++)
		for (int col = 0; col < e->cols; col++)
			m.cell[(e->rows - 1 - row) * e->cols + col] =
			    e->cell[row][col];
	pb_rec_put(x->out, PB_REC_MAP, at, &m);
	pb_map_clear(&m);
}

void
pb_explorers_put(struct pb_explorers *x, const struct pb_game *g,
    const void *state, double t)
{
	struct pb_explored now;

	if (x->who == 0)
		return;
	g->explored(state, x->who, &now);
	if (!x->ever || memcmp(now.cell, x->told.cell, sizeof(now.cell)) != 0)
		put_map(x, &now, stamp(x, g, t));
	for (int i = 1; i < PB_BODIES; i++) {
		const struct pb_rec_fix f = {now.last[i].x, now.last[i].y};

		if (!(x->who >> i & 1) ||
		    (x->ever && f.x == x->told.last[i].x &&
			f.y == x->told.last[i].y))
			continue;
		pb_rec_put(x->out, PB_REC_FIX, pb_stamp_at(t, g->body[i]), &f);
	}
	x->told = now;
	x->ever = true;
}
