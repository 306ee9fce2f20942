/* maptell.c - what there is to say about a map, for people and scripts. */
#include "io/tool/maptell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/mapfile.h"
#include "io/stream/num.h"
#include "io/stream/utf8.h"
#include "map/change.h"
#include "map/plan_grid.h"

/* One line of cells: how many, their share, their area. */
static void
tell_cells(FILE *out, const char *key, const struct pb_map *m, size_t n)
{
	double share = 100.0 * (double)n / (double)pb_map_cells(m);

	fprintf(out, "%s: %zu cells, %.1f %%, %.2f m2\n", key, n, share,
	    (double)n * m->resolution * m->resolution);
}

static enum pb_status
tell_pieces(FILE *out, const struct pb_map *m, unsigned char *mask)
{
	struct pb_grid g;
	enum pb_status st;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		mask[i] = pb_cell_free(m->cell[i]);
	st = pb_grid_init(&g, m->width, m->height, mask);
	if (st != PB_OK)
		return st;
	fprintf(out, "pieces: %d", g.nparts);
	if (g.main >= 0)
		fprintf(out, ", largest %u cells, %.1f %% of free",
		    (unsigned)g.size[g.main],
		    100.0 * g.size[g.main] / (double)g.nfree);
	putc('\n', out);
	pb_grid_clear(&g);
	return PB_OK;
}

static void
tell_frame(FILE *out, const struct pb_map *m)
{
	char a[PB_NUM_MAX], b[PB_NUM_MAX], c[PB_NUM_MAX];

	fputs("name: ", out);
	pb_utf8_print(m->name, out);
	fprintf(out, "\nsize: %d x %d cells\n", m->width, m->height);
	pb_num_round(a, m->width * m->resolution);
	pb_num_round(b, m->height * m->resolution);
	pb_num_exact(c, m->resolution);
	fprintf(out, "extent: %s x %s m\nresolution: %s m\n", a, b, c);
	pb_num_exact(a, m->origin.x);
	pb_num_exact(b, m->origin.y);
	pb_num_exact(c, m->origin.th);
	fprintf(out, "origin: [%s, %s, %s]\n", a, b, c);
}

enum pb_status
pb_maptell(FILE *out, const struct pb_map *m)
{
	size_t free_cells = 0, occupied = 0, all = pb_map_cells(m);
	unsigned char *mask = malloc(all);
	enum pb_status st;

	if (mask == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < all; i++) {
		free_cells += pb_cell_free(m->cell[i]);
		occupied += pb_cell_occupied(m->cell[i]);
	}
	tell_frame(out, m);
	tell_cells(out, "free", m, free_cells);
	tell_cells(out, "occupied", m, occupied);
	tell_cells(out, "unknown", m, all - free_cells - occupied);
	st = tell_pieces(out, m, mask);
	free(mask);
	if (st == PB_OK)
		fprintf(out, "hash: %016" PRIx64 "\n", pb_map_hash(m));
	return st;
}

void
pb_maptell_agree(FILE *out, const struct pb_map *m, const struct pb_map *other)
{
	static const char *const kind[] = {"free", "occupied", "unknown"};
	size_t n[PB_KINDS][PB_KINDS], known = 0, equal;

	pb_map_agree(m, other, n);
	for (int i = 0; i < PB_KINDS; i++)
		for (int j = 0; j < PB_KINDS; j++)
			known += n[i][j];
	known -= n[PB_KIND_UNKNOWN][PB_KIND_UNKNOWN];
	equal = n[PB_KIND_FREE][PB_KIND_FREE] +
	        n[PB_KIND_OCCUPIED][PB_KIND_OCCUPIED];
	fprintf(out, "known: %zu cells\nequal: %zu cells, %.1f %%\n", known,
	    equal, known > 0 ? 100.0 * (double)equal / (double)known : 100.0);
	for (int i = 0; i < PB_KINDS; i++)
		for (int j = 0; j < PB_KINDS; j++)
			fprintf(
			    out, "%s, %s: %zu\n", kind[i], kind[j], n[i][j]);
}

bool
pb_maptell_pair(void *to, const char *arg, struct pb_bad *bad)
{
	const char *comma = strchr(arg, ',');
	char first[32] = "";
	int a, b;

	if (strcmp(arg, "all") == 0) {
		*(unsigned *)to = (1u << PB_DIALECTS) - 1;
		return true;
	}
	if (comma != NULL && comma - arg < (long)sizeof(first))
		memcpy(first, arg, (size_t)(comma - arg));
	a = pb_dialect_find(first);
	b = comma != NULL ? pb_dialect_find(comma + 1) : -1;
	if (a < 0 || b < 0 || a == b)
		return pb_bad_set(bad,
		    "expected all, or two different names that --compat "
		    "takes, got \"%.80s\"",
		    arg);
	*(unsigned *)to = 1u << a | 1u << b;
	return true;
}

static void
compare_pair(
    FILE *out, const struct pb_image *im, struct pb_pixel_opts px, int a, int b)
{
	struct pb_pixel_opts py = px;
	size_t n, all = pb_image_pixels(im);

	px.dialect = (enum pb_dialect)a;
	py.dialect = (enum pb_dialect)b;
	n = pb_pixel_differ(im, &px, &py);
	fprintf(out, "%s %s %zu of %zu %.1f\n", pb_dialect_name(px.dialect),
	    pb_dialect_name(py.dialect), n, all,
	    100.0 * (double)n / (double)all);
}

int
pb_maptell_compare(
    FILE *out, const char *path, unsigned mask, struct pb_fault *f)
{
	struct pb_mapyaml y;
	struct pb_image im;

	if (pb_mapfile_pixels(path, false, &im, &y, f) != 0)
		return -1;
	for (int a = 0; a < PB_DIALECTS; a++)
		for (int b = a + 1; b < PB_DIALECTS; b++)
			if ((mask >> a & 1) != 0 && (mask >> b & 1) != 0)
				compare_pair(out, &im, y.px, a, b);
	pb_image_clear(&im);
	pb_mapyaml_clear(&y);
	return 0;
}

void
pb_maptell_notes(const char *name, const struct pb_mapfile_notes *n)
{
	const struct pb_pixel_count *c = &n->count;
	size_t all = c->free + c->occupied + c->unknown;

	if (c->guarded > 0)
		pb_msg_warn((struct pb_place){name, 0},
		    "free_thresh %g would make %zu cells (%.1f %%) of the "
		    "unknown gray 205 free; they are unknown "
		    "(see pb-mapgen --compat)",
		    n->px.free_thresh, c->guarded,
		    100.0 * (double)c->guarded / (double)all);
	if (n->assumed_resolution)
		pb_msg_warn((struct pb_place){name, 0},
		    "no resolution; a cell is %g m (see pb-mapgen --resolution)",
		    PB_MAPFILE_CELL);
}
