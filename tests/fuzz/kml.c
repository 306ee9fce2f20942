/* kml.c - any bytes as the KML of a board: a complaint, or a board. */
#include "fuzz.h"

#include "io/file/mapfile.h"

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);
	struct pb_error f = {.text = ""};
	struct pb_maze z;

	if (pb_boardfile_decode("board.kml", s, n, 0, &z, &f) == 0) {
		must(z.rows >= 1 && z.rows <= PB_MAZE_SIDE);
		must(z.cols >= 1 && z.cols <= PB_MAZE_SIDE);
		must(pb_maze_open_cells(&z) >= 0);
	} else {
		must(f.text[0] != 0);
	}
	free(s);
	return 0;
}
