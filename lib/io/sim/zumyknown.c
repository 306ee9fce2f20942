/* zumyknown.c - what patrols of the Zumy game know, as map records. */
#include "io/sim/zumyknown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/body_records.h"
#include "io/rec/map_records.h"
#include "io/stream/msg.h"

bool
pb_zumyknown_find(const char *name, int patrols, int *who, struct pb_bad *bad)
{
	char known[PB_REC_WORD];

	*who = PB_ZUMYKNOWN_NONE;
	if (name == NULL)
		return true;
	*who = PB_ZUMYKNOWN_ALL;
	if (strcmp(name, "all") == 0)
		return true;
	for (*who = 0; *who < patrols; ++*who) {
		snprintf(known, sizeof(known), "patrol%d", *who + 1);
		if (strcmp(name, known) == 0)
			return true;
	}
	return pb_bad_set(bad,
	    "known: expected all or patrol1 to patrol%d, got \"%.80s\"",
	    patrols, name);
}

/* Whether patrol i is one of those who are asked. */
static bool
asked(const struct pb_zumyknown *k, int i)
{
	return k->who == i || k->who == PB_ZUMYKNOWN_ALL;
}

static struct pb_stamp
stamp(const struct pb_zumy *s, int patrol)
{
	char id[PB_REC_WORD] = "patrols";

	if (patrol >= 0)
		snprintf(id, sizeof(id), "patrol%d", patrol + 1);
	return pb_stamp_at((double)s->tick / PB_ZUMY_HZ, id);
}

static void
put_map(struct pb_zumyknown *k, const struct pb_zumy *s)
{
	const struct pb_zumy_ground *g = &k->board->ground;
	struct pb_stamp at = stamp(s, k->who);
	struct pb_map m;

	if (pb_map_init(&m, g->cols, g->rows, k->board->side,
		(struct pb_pose){0, 0, 0}) != PB_OK) {
		pb_msg_system("no memory for a map");
		return;
	}
	snprintf(m.name, sizeof(m.name), "known to %s", at.id);
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++)
			m.cell[(g->rows - 1 - row) * g->cols + col] =
			    !pb_zumy_has(&k->told, row, col)  ? -1
			    : pb_zumy_has(&g->open, row, col) ? 0
							      : 100;
	pb_put_map_of(k->out, at, &m);
	pb_map_clear(&m);
}

static void
put_fix(struct pb_zumyknown *k, const struct pb_zumy *s, int i)
{
	const struct pb_zumy_board *b = k->board;
	const struct pb_rec_fix f = {(k->last[i].col + 0.5) * b->side,
	    (b->ground.rows - 1 - k->last[i].row + 0.5) * b->side};

	pb_put_fix(k->out, stamp(s, i), &f);
}

void
pb_zumyknown_put(struct pb_zumyknown *k, const struct pb_zumy *s)
{
	struct pb_zumy_set known = {{0}};

	if (k->who == PB_ZUMYKNOWN_NONE)
		return;
	for (int i = 0; i < k->patrols; i++)
		for (int r = 0; asked(k, i) && r < PB_ZUMY_SIDE; r++)
			known.row[r] |= s->patrol[i].map.known.row[r];
	if (!k->ever || memcmp(&known, &k->told, sizeof(known)) != 0) {
		k->told = known;
		put_map(k, s);
	}
	for (int i = 0; i < k->patrols; i++) {
		struct pb_zumy_cell last = s->patrol[i].map.last;

		if (!asked(k, i) ||
		    (k->ever && memcmp(&last, &k->last[i], sizeof(last)) == 0))
			continue;
		k->last[i] = last;
		put_fix(k, s, i);
	}
	k->ever = true;
}
