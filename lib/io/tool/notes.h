/* notes.h - what is noted about a player's games beside their results. */
#ifndef PB_IO_TOOL_NOTES_H
#define PB_IO_TOOL_NOTES_H

#include <stdbool.h>

#include "pb/match.h"

/*
 * Sums over games. Times are of the processor for the thread that plays, so
 * that they say little about what else the machine does; they are never the
 * same twice and are no part of any record.
 */
struct pb_notes {
	long games;
	long decisions;
	double time;    /* of all of them (s) */
	double longest; /* of one of them (s) */
	double since;   /* when the one that is being made began (s) */
	struct pb_heat heat;
};

/* Told before and after each decision; notes is a struct pb_notes *. */
void pb_notes_decision(void *notes, bool begins);

/* Count a game that was played, and where Pac-Man was in it. */
void pb_notes_game(struct pb_notes *n, const struct pb_heat *heat);

/* Add n to sum. */
void pb_notes_add(struct pb_notes *sum, const struct pb_notes *n);

#endif
