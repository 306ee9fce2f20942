/* patrol.h - what a patrol of the Zumy game sees, knows and does. */
#ifndef PB_GHOST_PATROL_H
#define PB_GHOST_PATROL_H

#include <stdbool.h>
#include <stdint.h>

#include "map/maze.h"

/*
 * A patrol begins with an empty map and learns the cells about it as it
 * drives. It knows where the player was at the last ping, or where it saw him
 * since, and drives there; as long as it does not know that cell, it explores
 * on the way. Cells are (row, col), row 0 on top; facts are those of Andrus,
 * Fan, Ma and Politzer's "Zumy Patrol" (2016).
 */
#define PB_ZUMY_SIDE 32 /* longest side of a board (cells) */

struct pb_zumy_cell {
	int8_t row, col;
};

/* A set of cells: bit col of a row. */
struct pb_zumy_set {
	uint32_t row[PB_ZUMY_SIDE];
};

/* What all robots share. */
struct pb_zumy_ground {
	int rows, cols;
	struct pb_zumy_set open;  /* cells to drive on, the goal among them */
	struct pb_zumy_cell goal; /* of the player */
};

/* What one patrol knows. */
struct pb_patrol_map {
	struct pb_zumy_set known; /* cells that it has seen */
	struct pb_zumy_cell last; /* known place of the player */
};

bool pb_zumy_has(const struct pb_zumy_set *s, int row, int col);
void pb_zumy_add(struct pb_zumy_set *s, int row, int col);
int pb_zumy_manhattan(struct pb_zumy_cell a, struct pb_zumy_cell b);

/* Learn the 3 x 3 cells about c, through walls. */
void pb_patrol_reveal(struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell c);

/*
 * Whether `what` lies straight ahead of a robot at c that looks to d, with no
 * obstacle between.
 *
 * Given    range  how far it sees (cells), 0: without end
 */
bool pb_patrol_sees(const struct pb_zumy_ground *g, struct pb_zumy_cell c,
    enum pb_dir d, struct pb_zumy_cell what, int range);

/*
 * Where the patrol at `at` wants to go: to the player's last known place if it
 * knows that cell to be free; else to the known free cell, neither its own nor
 * one of the n others', with the least distance to that place less a tenth for
 * each unknown cell about it, the first from the left and the bottom among
 * equals; its own cell if there is none.
 */
struct pb_zumy_cell pb_patrol_goal(const struct pb_patrol_map *m,
    const struct pb_zumy_ground *g, struct pb_zumy_cell at,
    const struct pb_zumy_cell *other, int n);

/*
 * A* over the cells of `open` with the Manhattan distance as heuristic, in the
 * order of the published code: up, down, right, left; a cell is taken up again
 * only with a lower estimate, and equal estimates leave in the order in which
 * they came.
 */
struct pb_zumy_search {
	const struct pb_zumy_ground *ground;
	const struct pb_zumy_set *open;
	const struct pb_zumy_cell *near; /* patrols that cost, NULL: none */
	int n;      /* how many; a step costs 1 + 1/(10 d) for each of them, or
	               1 without near */
	bool stuck; /* the published slip: each step is priced as if it were
	               made from the start */
	bool wraps; /* another: cells left of and below the board are those of
	               its other side */
};

/*
 * The first step of the way from `from` to `to`.
 *
 * Returns  a direction; PB_STAY if they are the same or there is no way
 */
enum pb_dir pb_zumy_way(const struct pb_zumy_search *s,
    struct pb_zumy_cell from, struct pb_zumy_cell to);

#endif
