/* mapgen.c - what pb-mapgen does with a map: change, check, tell, write. */
#include "io/tool/mapgen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/boardfile.h"
#include "io/file/filter.h"
#include "io/file/mapfile.h"
#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "map/change.h"
#include "pb/map.h"
#include "pb/plan_grid.h"

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

/*
 * Write `key: value` lines: name, size, extent, resolution, origin, counts of
 * free, occupied and unknown cells, pieces of free space, hash. Pieces hang
 * together by steps to the eight neighbours that cut no corner.
 *
 * Returns  PB_OK or PB_ENOMEM
 */
static enum pb_status
tell(FILE *out, const struct pb_map *m)
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

bool
pb_mapgen_pair(void *to, const char *arg, struct pb_error *bad)
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
		return pb_error_set(bad,
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
pb_mapgen_compare(
    FILE *out, const char *path, unsigned mask, struct pb_error *f)
{
	struct pb_mapyaml y;
	struct pb_image im;

	if (pb_mapfile_pixels(path, &im, &y, f) != 0)
		return -1;
	for (int a = 0; a < PB_DIALECTS; a++)
		for (int b = a + 1; b < PB_DIALECTS; b++)
			if ((mask >> a & 1) != 0 && (mask >> b & 1) != 0)
				compare_pair(out, &im, y.px, a, b);
	pb_image_clear(&im);
	pb_mapyaml_clear(&y);
	return 0;
}

static void
print_finding(
    void *arg, const char *file, long line, const char *code, const char *text)
{
	const char *const part[] = {file, code, text};

	(void)arg;
	for (int i = 0; i < 3; i++) {
		pb_utf8_print(part[i], stdout);
		if (i == 0 && line > 0)
			printf(":%ld", line);
		fputs(i < 2 ? ": " : "\n", stdout);
	}
}

bool
pb_mapgen_lint(const char *name)
{
	if (pb_lint(name, print_finding, NULL) == 0)
		return true;
	pb_msg_status(PB_EXIT_REFUSED);
	return false;
}

static bool
say_status(enum pb_status st, const char *name)
{
	struct pb_error f;

	if (st == PB_OK)
		return true;
	pb_error_file_status(&f, name, st);
	return pb_msg_error(&f);
}

static bool
need_map(const struct pb_mapgen_opts *o, struct pb_mapsource *p)
{
	struct pb_error f;

	return pb_mapsource_need_map(p, &o->made, &f) == 0 || pb_msg_error(&f);
}

static bool
need_maze(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p)
{
	struct pb_error f;

	return pb_mapsource_need_maze(p, name, &o->made, &f) == 0 ||
	       pb_msg_error(&f);
}

static bool
moves(const struct pb_mapgen_opts *o)
{
	const struct pb_mapfile_opts *file = &o->made.file;

	return file->resolution > 0 || file->has_origin || o->merge.n > 0 ||
	       pb_change_any(&o->change);
}

/* Whether pb_mapgen_change or `as` would make another record of p. */
static bool
changes(const struct pb_mapgen_opts *o, const struct pb_mapsource *p)
{
	return o->name != NULL || moves(o) ||
	       (o->as == PB_AS_MAP && !p->has_map) ||
	       (o->as == PB_AS_MAZE && !p->has_maze);
}

/* Read the map of another file. */
static bool
read_other(
    const char *path, const struct pb_mapfile_opts *o, struct pb_map *other)
{
	struct pb_mapfile_notes notes;
	struct pb_error f;

	if (pb_mapfile_read(path, o, other, &notes, &f) != 0)
		return pb_msg_error(&f);
	pb_mapsource_notes(path, &notes);
	return true;
}

static bool
too_many(const char *name, long width, long height)
{
	char over[128];

	if (!pb_cells_over(width, height, over))
		return false;
	pb_msg_refuse((struct pb_place){name, 0}, "%s", over);
	return true;
}

/* Add the map of a file to m. */
static bool
merge(struct pb_map *m, const struct pb_mapfile_opts *how, const char *path)
{
	struct pb_mapfile_opts o = *how;
	struct pb_map other, both;
	long width, height;
	bool ok;

	/* Those are of the first map. */
	o.resolution = 0;
	o.has_origin = false;
	if (!read_other(path, &o, &other))
		return false;
	pb_map_merged_size(m, &other, &width, &height);
	if (width > PB_MAP_SIDE || height > PB_MAP_SIDE)
		ok = pb_msg_refuse((struct pb_place){path, 0},
		    "the two maps together are more than %d cells a side",
		    PB_MAP_SIDE);
	else
		ok = !too_many(path, width, height) &&
		     say_status(pb_map_merge(m, &other, &both), path);
	pb_map_clear(&other);
	if (!ok)
		return false;
	pb_map_clear(m);
	*m = both;
	return true;
}

bool
pb_mapgen_change(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p)
{
	const struct pb_mapfile_opts *file = &o->made.file;
	enum pb_status st;

	if (o->name != NULL) {
		PB_REC_SET(p->map.name, o->name);
		PB_REC_SET(p->maze.name, o->name);
	}
	if (!moves(o))
		return true;
	if (!need_map(o, p))
		return false;
	p->has_maze = false;
	if (file->resolution > 0)
		p->map.resolution = file->resolution;
	if (file->has_origin)
		p->map.origin = file->origin;
	for (int i = 0; i < o->merge.n; i++)
		if (!merge(&p->map, file, o->merge.arg[i]))
			return false;
	st = pb_map_change(&p->map, &o->change);
	if (st != PB_ENOENT)
		return say_status(st, name);
	return pb_msg_refuse((struct pb_place){name, 0}, "%s",
	    o->change.crop ? "nothing of the map lies in the box of --crop"
			   : "all cells are unknown: nothing for --trim");
}

bool
pb_mapgen_given(const struct pb_mapgen_opts *o)
{
	return o->check || o->validate || o->tell || o->output != NULL;
}

static bool
check_rules(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p)
{
	struct pb_place at = {name, 0};
	struct pb_maze_fault broken;
	const char *text;

	if (!need_maze(o, name, p))
		return false;
	if (pb_maze_rules(&p->maze, &broken))
		return true;
	text = pb_maze_rule_text(broken.rule);
	if (broken.row < 0 || broken.col < 0)
		return pb_msg_refuse(at, "rule %d: %s", broken.rule, text);
	return pb_msg_refuse(at, "rule %d: %s (%d, %d)", broken.rule, text,
	    broken.row, broken.col);
}

/* Whether there is anything to play on. */
static bool
validate(const char *name, const struct pb_mapsource *p)
{
	size_t n = p->has_map ? pb_map_cells(&p->map) : 0;

	if (!p->has_map && pb_maze_open_cells(&p->maze) > 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (pb_cell_free(p->map.cell[i]))
			return true;
	return pb_msg_refuse((struct pb_place){name, 0}, "no free cell");
}

static bool
save(const struct pb_map *m, const char *path)
{
	size_t lost = pb_mapfile_lost(path, m);
	struct pb_error f;

	if (pb_mapfile_write(path, m, &f) != 0)
		return pb_msg_error(&f);
	if (lost > 0)
		pb_msg_warn((struct pb_place){path, 0},
		    "this kind of file cannot keep the values of %zu cells",
		    lost);
	return true;
}

static bool
save_board(const struct pb_maze *z, const char *path)
{
	struct pb_error f;

	return pb_boardfile_write(path, z, &f) == 0 || pb_msg_error(&f);
}

static bool
write_record(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out)
{
	bool maze = o->as == PB_AS_MAZE || (o->as == PB_AS_AUTO && p->has_maze);

	if (maze ? !need_maze(o, name, p) : !need_map(o, p))
		return false;
	if (maze)
		pb_rec_put(out, PB_REC_MAZE, pb_stamp_none(), &p->maze);
	else
		pb_rec_put(out, PB_REC_MAP, pb_stamp_none(), &p->map);
	return true;
}

bool
pb_mapgen_do(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out)
{
	if (o->check)
		return check_rules(o, name, p);
	if (o->validate)
		return validate(name, p);
	if (o->tell)
		return need_map(o, p) &&
		       say_status(tell(stdout, &p->map), name);
	if (o->output != NULL && pb_boardfile_writable(o->output))
		return need_maze(o, name, p) && save_board(&p->maze, o->output);
	if (o->output != NULL)
		return need_map(o, p) && save(&p->map, o->output);
	return write_record(o, name, p, out);
}

/* A stream that is being read. */
struct run {
	const struct pb_mapgen_opts *o;
	const char *name;
	bool any; /* a map or maze was met */
};

/* A map or maze of a stream; of several, the first is written to a file. What
 * a verb refuses was said; an empty complaint ends the loop. */
static bool
take(struct pb_filter *f, struct pb_rec *rec, struct pb_error *bad)
{
	struct run *r = f->user;
	struct pb_mapsource p = {.has_map = rec->type == PB_REC_MAP,
	    .has_maze = rec->type == PB_REC_MAZE};
	bool ok = true;

	if (!p.has_map && !p.has_maze)
		return true;
	if (p.has_map) {
		p.map = rec->map;
		rec->map.cell = NULL;
	} else {
		p.maze = rec->maze;
	}
	bad->text[0] = '\0';
	if (f->passes && !changes(r->o, &p))
		pb_filter_pass(f);
	else if (!r->any || r->o->output == NULL)
		ok = pb_mapgen_change(r->o, r->name, &p) &&
		     pb_mapgen_do(r->o, r->name, &p, &f->out);
	r->any = true;
	pb_mapsource_clear(&p);
	return ok;
}

void
pb_mapgen_stream(const struct pb_mapgen_opts *o, char *operand,
    const struct pb_opt_common *common)
{
	const char *name = strcmp(operand, "-") == 0 ? "<stdin>" : operand;
	struct run r = {o, name, false};
	struct pb_filter f = {.want = o->validate ? PB_REC_ALL
	                                          : PB_REC_BIT(PB_REC_MAP) |
	                                                PB_REC_BIT(PB_REC_MAZE),
	    .passes = !pb_mapgen_given(o),
	    .common = common,
	    .take = take,
	    .user = &r};
	bool ok = pb_filter_run(&f, &operand, 1);

	if (ok && !r.any && !f.passes)
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected a map or maze record, got none");
}
