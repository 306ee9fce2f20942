/* pacbot_conform.h - recordings of Pacbot games: made, and played again. */
#pragma once

#include "io/rec/step.h"
#include "pb/match.h"
#include "io/stream/text.h"

enum pb_conform_of {
	PB_CONFORM_OURS,  /* the trace is right, our engine is tested */
	PB_CONFORM_THEIRS /* our engine is right, the trace is tested */
};

/*
 * Play the commands and draws of each file ("-": standard input), compare
 * every number and frame that its lines give, and write one verdict for each
 * file to o. The first difference of a file is refused with its place; the
 * rest of that file is not looked at. PB_CONFORM_THEIRS asks for a frame on
 * every line.
 */
void pb_conform_run(const struct pb_pacbot_rules *k, enum pb_conform_of of,
    char *const *files, int n, struct pb_text *o);

/*
 * Write a recording of a game to o: `bot` moves every ticks_per_cell ticks;
 * with chance `odd` a tick also has a command that seldom comes: a pause, a
 * place, a second move, an unknown byte, a new game. Lines are those
 * iterations that have an update or a command.
 *
 * Returns  false without memory, and it was said
 */
struct pb_recorder {
	const struct pb_match_board *board;
	const struct pb_match_opts *opts;
	const struct pb_player *bot;
	uint64_t seed, trial;
	long iterations;
	double odd; /* 0..1 */
};
bool pb_conform_record(const struct pb_recorder *r, struct pb_text *o);
