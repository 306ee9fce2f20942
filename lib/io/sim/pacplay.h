/* pacplay.h - one match of Pacbot and its trace. */
#ifndef PB_IO_SIM_PACPLAY_H
#define PB_IO_SIM_PACPLAY_H

#include "io/sim/pacsim.h"
#include "io/stream/text.h"

/*
 * Play the match that p asks for and write its trace to o: maze, tick, move,
 * ..., result; or only its frames. With files, Pac-Man makes the moves of their
 * records, one a decision, and waits after the last. An agent that fails is
 * said, and the result has the outcome "forfeit"; a match that its pilot has
 * left has none.
 */
void pb_pacplay(const struct pb_pacsim *p, const struct pb_maze *z,
    const struct pb_match_board *b, char *const *files, int n,
    struct pb_text *o);

/*
 * Be the player of somebody's --agent: read tick records from the files,
 * answer each with a move.
 */
void pb_pacplay_answer(const struct pb_pacsim *p,
    const struct pb_match_board *b, char *const *files, int n);

#endif
