/*
 * kml.c - any bytes as the KML of a board: a complaint, or a board that reads
 * the same after it was written.
 */
#include "fuzz.h"

#include "io/file/boardfile.h"

static char *
written(const struct pb_maze *z, size_t *n)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, n);

	must(out != NULL);
	pb_kml_write(z, pb_maze_pitch(z), out);
	must(fclose(out) == 0);
	return text;
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n), *text;
	struct pb_error f = {.text = ""};
	struct pb_maze z, again;
	size_t len;

	if (pb_kml_read(s, n, "board", 0, &z, &f) == 0) {
		must(z.rows >= 1 && z.rows <= PB_MAZE_SIDE);
		must(z.cols >= 1 && z.cols <= PB_MAZE_SIDE);
		text = written(&z, &len);
		must(pb_kml_read(text, len, "board", 0, &again, &f) == 0);
		must(pb_maze_open_cells(&again) == pb_maze_open_cells(&z));
		free(text);
	} else {
		must(f.text[0] != 0);
	}
	free(s);
	return 0;
}
