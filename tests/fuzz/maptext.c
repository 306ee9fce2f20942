/*
 * maptext.c - any bytes as a map of MovingAI and as rows of characters: a
 * complaint, or a map that reads the same after it was written.
 */
#include "fuzz.h"

#include "io/file/mapfile.h"

typedef int decode_fn(const char *p, size_t n, const char *name,
    double resolution, struct pb_pose origin, struct pb_map *m,
    struct pb_error *f);
typedef void write_fn(FILE *out, const struct pb_map *m);

static const struct pb_pose origin = {-1, 2, 0};

/* What MovingAI cannot say: all that is not free is an obstacle. */
static void
forget_unknown(struct pb_map *m)
{
	for (size_t i = 0; i < pb_map_cells(m); i++)
		if (!pb_cell_free(m->cell[i]))
			m->cell[i] = 100;
}

static void
try(const char *s, size_t n, decode_fn *decode, write_fn *w, bool unknown)
{
	struct pb_error f = {.text = ""};
	struct pb_map m, again;
	char *text = NULL;
	size_t len;
	FILE *out;

	if (decode(s, n, "map", 0.05, origin, &m, &f) != 0) {
		must(f.text[0] != 0);
		return;
	}
	out = open_memstream(&text, &len);
	must(out != NULL);
	w(out, &m);
	must(fclose(out) == 0);
	must(decode(text, len, "map", 0.05, origin, &again, &f) == 0);
	if (!unknown)
		forget_unknown(&m);
	must(pb_map_hash(&m) == pb_map_hash(&again));
	free(text);
	pb_map_clear(&m);
	pb_map_clear(&again);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);

	if (pb_movingai_is(s, n))
		try(s, n, pb_movingai_decode, pb_movingai_write, false);
	if (pb_rows_are(s, n))
		try(s, n, pb_rows_decode, pb_rows_write, true);
	free(s);
	return 0;
}
