/* maprecord.c - the map in a file of records, or made of a board. */
#include "io/file/maprecord.h"

#include <string.h>

#include "io/file/boardfile.h"
#include "io/rec.h"

int
pb_maprecord_fault(
    struct pb_fault *f, const char *path, long line, const struct pb_bad *bad)
{
	pb_fault_set(f, path, line, NULL, "%s", bad->text);
	if (f != NULL)
		f->system = f->memory = bad->system;
	return -1;
}

/* The maze in a record as a map, a cell a cell. */
static int
maze_map(const struct pb_maze *z, struct pb_map *m, struct pb_bad *bad)
{
	enum pb_status st = pb_maze_to_map(z, 0, 0, m);

	if (st == PB_OK)
		return 1;
	pb_bad_status(bad, "maze", st);
	return -1;
}

/* The map in one line of records: 1 if there is one, 0 if not, -1 if bad. */
static int
record_map(const char *s, size_t n, struct pb_map *m, struct pb_bad *bad)
{
	uint64_t want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	struct pb_rec r;

	if (!pb_rec_read(s, n, want, &r, bad))
		return -1;
	if (r.type == PB_REC_MAZE) {
		int got = maze_map(&r.maze, m, bad);

		pb_rec_clear(&r);
		return got;
	}
	if (r.type != PB_REC_MAP || r.map.cell == NULL) {
		pb_rec_clear(&r);
		return 0;
	}
	*m = r.map;
	r.map = (struct pb_map){0};
	pb_rec_clear(&r);
	return 1;
}

int
pb_maprecord_read(const char *path, const char *p, size_t n, struct pb_map *m,
    struct pb_fault *f)
{
	const char *s = p, *end = p + n;
	struct pb_bad bad;

	for (long line = 1; s < end; line++) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((nl != NULL ? nl : end) - s);
		int got = len == 0 ? 0 : record_map(s, len, m, &bad);

		if (got < 0)
			return pb_maprecord_fault(f, path, line, &bad);
		if (got > 0)
			return 0;
		s += len + (nl != NULL);
	}
	return pb_fault_set(
	    f, path, 0, NULL, "expected a map or maze record, got none");
}

int
pb_maprecord_board(const char *path, const char *p, size_t n, struct pb_map *m,
    struct pb_fault *f)
{
	struct pb_maze z;
	struct pb_bad bad;

	if (pb_boardfile_decode(
		pb_boardkind_of(path, p, n), p, n, path, 0, &z, f) != 0)
		return -1;
	return maze_map(&z, m, &bad) > 0 ? 0
	                                 : pb_maprecord_fault(f, path, 0, &bad);
}
