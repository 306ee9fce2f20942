/*
 * maptext.c - any bytes as a map of MovingAI and as rows of characters: a
 * complaint, or a map that reads the same after it was written.
 */
#include "fuzz.h"

#include <unistd.h>

#include "io/file/mapfile.h"

static const struct pb_mapfile_opts opts = {.dialect = PB_DIALECT_PB,
    .free_above = -1,
    .resolution = 0.05,
    .origin = {-1, 2, 0},
    .has_origin = true};

/* What MovingAI cannot say: all that is not free is an obstacle. */
static void
forget_unknown(struct pb_map *m)
{
	for (size_t i = 0; i < pb_map_cells(m); i++)
		if (!pb_cell_free(m->cell[i]))
			m->cell[i] = 100;
}

static void
try(const char *s, size_t n, const char *suffix, bool unknown)
{
	struct pb_error f = {.text = ""};
	struct pb_map m, again;
	char path[64];

	/* Nothing there is ever put on a disk. */
	snprintf(path, sizeof(path), "/dev/shm/pb-fuzz-%ld%s", (long)getpid(),
	    suffix);
	if (pb_mapfile_decode(path, s, n, &opts, &m, NULL, &f) != 0) {
		must(f.text[0] != 0);
		return;
	}
	must(pb_mapfile_write(path, &m, &f) == 0);
	must(pb_mapfile_read(path, &opts, &again, NULL, &f) == 0);
	unlink(path);
	if (!unknown)
		forget_unknown(&m);
	strcpy(m.name, again.name);
	must(pb_map_hash(&m) == pb_map_hash(&again));
	pb_map_clear(&m);
	pb_map_clear(&again);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);

	try(s, n, ".map", false);
	try(s, n, ".txt", true);
	free(s);
	return 0;
}
