/*
 * board.c - any bytes as a drawing of a board and as a grid of integers: a
 * complaint, or a board; a drawing of it is the same
 * board, but for places that need lines of their own.
 */
#include "fuzz.h"

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "map/board.h"

static void
check_fault(const struct pb_board_fault *f)
{
	must(f->text != NULL && f->text[0] != 0);
	must(f->line >= 0 && f->column >= 0);
}

/* Games that can be played on z begin. */
static void
use(const struct pb_maze *z)
{
	struct pb_roomba_board r;
	struct pb_zumy_board u;
	int row, col;

	if (pb_roomba_board_wrong(z, &row, &col) == NULL) {
		must(pb_roomba_board_init(&r, z) == PB_OK);
		pb_roomba_board_clear(&r);
	}
	if (pb_zumy_board_wrong(z) == NULL) {
		must(pb_zumy_board_init(&u, z) == PB_OK);
		pb_zumy_board_clear(&u);
	}
}

static void
draw(const struct pb_maze *z)
{
	char line[PB_BOARD_LINE];
	struct pb_board_fault f = {0};
	const struct pb_maze drawn = pb_board_drawn(z);
	struct pb_maze again = {0};

	for (int i = 0; i < PB_BOARD_LINES(z); i++) {
		pb_board_line(&drawn, i, line);
		must(pb_board_add_line(&again, i, line, strlen(line), &f) ==
		     PB_OK);
	}
	must(pb_board_end(&again, &f) == PB_OK);
	must(again.rows == z->rows && again.cols == z->cols);
	must(memcmp(again.cell, z->cell, sizeof(z->cell)) == 0);
	must(memcmp(again.side, z->side, sizeof(z->side)) == 0);
	must(again.ghosts == drawn.ghosts);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);
	struct pb_board_fault f = {0};
	struct pb_maze z;

	pb_board_is(s, n);
	pb_board_is_grid(s, n);
	if (pb_board_parse(s, n, &z, &f) == PB_OK) {
		draw(&z);
		use(&z);
	} else {
		check_fault(&f);
	}
	if (pb_board_parse_grid(s, n, &z, &f) == PB_OK)
		use(&z);
	else
		check_fault(&f);
	free(s);
	return 0;
}
