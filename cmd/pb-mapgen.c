/*
 * pb-mapgen - makes, reads, checks, changes and draws maps. Reads map files
 * and records; writes map, maze.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/boardfile.h"
#include "io/file/filter.h"
#include "io/file/mapfile.h"
#include "io/file/maplint.h"
#include "io/file/mapsource.h"
#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/stream/error.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/num.h"
#include "io/stream/source.h"
#include "io/stream/utf8.h"
#include "io/tool/mapgen_log.h"
#include "map/change.h"
#include "pb/plan_grid.h"
#include "view/scene_builder.h"
#include "view/show.h"

enum as { AS_AUTO, AS_MAP, AS_MAZE };

/* What is to be done. A zeroed struct writes records as they are. */
struct verb {
	struct pb_mapsource_opts made;
	const char *name;         /* of the map, NULL: its own */
	struct pb_opt_list merge; /* files of maps to add, before the change */
	struct pb_change change;
	bool check;          /* the grid rules */
	bool validate;       /* whether there is room to play */
	bool tell;           /* key: value lines on stdout */
	const char *against; /* file of a map to compare with, NULL if none */
	const char *output;  /* file to write, NULL if none */
	int as;              /* enum as: the record to write */
};

struct opts {
	struct verb verb;
	struct pb_mapgen_log_opts grow;
	struct pb_show_opts show;
	bool lint, list;
	unsigned compare; /* set of dialects */
	double origin[3];
	double size[2], loops;
	bool has_size, has_loops;
	/* Options given that need another, the last of each kind. */
	const char *of_log, *of_slam, *of_picture;
	uint64_t seed;
	struct pb_opt_common common;
};

#define AS       "auto|map|maze"
#define DIALECTS "pb|ros1|ros1-99|nav2-2024|nav2|opencv"

/* Read "a,b" or "all" into the unsigned at `to`, a set of dialects. */
static bool
parse_pair(void *to, const char *arg, struct pb_error *bad)
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

static bool
parse_crop(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_change *c = to;
	struct pb_render_opts box = {0};

	/* The same words as --box, but what is cropped is gone. */
	if (!pb_render_box(&box, arg, bad))
		return false;
	c->lo = (struct pb_vec){box.x0, box.y0};
	c->hi = (struct pb_vec){box.x1, box.y1};
	c->crop = true;
	return true;
}

/* Options that say something of several things. */
static void
spread(struct opts *o)
{
	struct pb_mapsource_opts *m = &o->verb.made;

	m->file.origin =
	    (struct pb_pose){o->origin[0], o->origin[1], pb_wrap(o->origin[2])};
	/* One option for whatever is drawn at random. */
	m->house.seed = m->maze.seed = o->seed;
	if (m->file.resolution > 0)
		o->grow.mapping.resolution = m->house.resolution =
		    m->file.resolution;
	if (o->has_loops)
		m->house.loops = m->maze.loops = m->roomba.loops = o->loops;
	if (!o->has_size)
		return;
	m->house.width = o->size[0];
	m->house.height = o->size[1];
	m->maze.cols = m->roomba.cols = m->zumy.cols = (int)o->size[0];
	m->maze.rows = m->roomba.rows = m->zumy.rows = (int)o->size[1];
}

/* One purpose at a time. */
static bool
one_purpose(const struct opts *o)
{
	const struct verb *v = &o->verb;

	int n = v->check + v->validate + v->tell + o->lint + o->list +
	        (v->against != NULL) + (o->compare != 0) + (v->output != NULL) +
	        pb_show_asked(&o->show);

	if (n <= 1)
		return pb_provenance_fits(n == 0);
	return pb_msg_usage(
	    "only one of --output, --render or --png, --lint, "
	    "--compare, --against, --check, --validate, --info and --list");
}

/* No option is taken and ignored. */
static bool
of_use(const struct opts *o)
{
	if (o->of_log != NULL && !o->grow.on)
		pb_msg_usage("--%s: only with --from-log", o->of_log);
	else if (o->of_slam != NULL && !o->grow.finds)
		pb_msg_usage("--%s: only with --slam", o->of_slam);
	else if (o->of_picture != NULL && !pb_show_asked(&o->show))
		pb_msg_usage(
		    "--%s: only with --render, --png or --live", o->of_picture);
	else
		return true;
	return false;
}

/* Keep in `given` which of the rows first to last was given. */
static void
mark(
    struct pb_opt *row, const char *first, const char *last, const char **given)
{
	while (strcmp(row->name, first) != 0)
		row++;
	do
		row->given = given;
	while (strcmp(row++->name, last) != 0);
}

/* What the table cannot check. */
static bool
complete(struct opts *o, char *const *names, int n)
{
	const char *output = o->verb.output;
	struct pb_error bad;

	spread(o);
	if (!of_use(o) || !one_purpose(o))
		return false;
	if ((output != NULL || pb_show_asked(&o->show)) && n > 1)
		return pb_msg_usage(
		    "one map at a time can be written or drawn");
	if (output != NULL && !pb_mapfile_writable(output) &&
	    !pb_boardfile_writable(output))
		return pb_msg_usage(
		    "--output: expected a name in .yaml, .pgm, .png, "
		    ".map, .txt, .board, .zumy or .kml, got \"%s\"",
		    output);
	if (o->verb.made.file.resolution > 0 &&
	    o->verb.made.file.resolution < 1e-6)
		return pb_msg_usage(
		    "--resolution: expected at least 1e-06 m, or 0");
	/* A random map that cannot be made is a mistake of the command line. */
	for (int i = 0; i < n; i++)
		if (!pb_mapsource_check(names[i], &o->verb.made, &bad))
			return pb_msg_usage("%s", bad.text);
	return true;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct verb *v = &o->verb;
	struct pb_mapfile_opts *m = &v->made.file;
	struct pb_opt opt[] = {
	    {"output", 'o', PB_OPT_TEXT, "file",
		"write .yaml, .pgm, .png, .map, .txt; of a maze .board, .zumy, .kml",
		&v->output},
	    {"as", 0, PB_OPT_NAME, AS, "record to write", &v->as, .words = AS},
	    {"name", 0, PB_OPT_TEXT, "text", "name of the map", &v->name},
	    {"compat", 0, PB_OPT_NAME, DIALECTS, "whose reading of pixels",
		&m->dialect, .words = DIALECTS},
	    {"free-above", 0, PB_OPT_INT, "n",
		"only pixels above n are free, -1: off", &m->free_above,
		.min = -1, .max = 254},
	    {"resolution", 'R', PB_OPT_NUM, "m",
		"side of a cell, 0: as the file says", &m->resolution, .min = 0,
		.max = 1e6},
	    {"origin", 0, PB_OPT_POSE, "x,y[,yaw]",
		"pose of the lower left corner", o->origin, .min = -1e9,
		.max = 1e9, .seen = &m->has_origin},
	    {"straighten", 0, PB_OPT_FLAG, NULL,
		"turn the map onto axes without yaw", &v->change.straighten},
	    {"crop", 0, PB_OPT_CALL, "x0,y0,x1,y1",
		"keep the cells of this box (m)", &v->change,
		.call = parse_crop},
	    {"trim", 0, PB_OPT_FLAG, NULL, "cut off unknown margins",
		&v->change.trim},
	    {"merge", 0, PB_OPT_LIST, "file",
		"add what the map of a file knows; again for more", &v->merge},
	    {"coarsen", 0, PB_OPT_INT, "n", "make one cell of n x n",
		&v->change.coarsen, .min = 1, .max = 1000},
	    {"lint", 'l', PB_OPT_FLAG, NULL, "name the traps of map files",
		&o->lint},
	    {"compare", 0, PB_OPT_CALL, "a,b|all",
		"count the cells that loaders read differently", &o->compare,
		.call = parse_pair},
	    {"against", 0, PB_OPT_TEXT, "file",
		"count the cells that are equal in the map of file",
		&v->against},
	    {"check", 'c', PB_OPT_FLAG, NULL, "check the grid rules",
		&v->check},
	    {"validate", 0, PB_OPT_FLAG, NULL, "check and write nothing",
		&v->validate},
	    {"info", 0, PB_OPT_FLAG, NULL, "say what is in the map", &v->tell},
	    {"list", 0, PB_OPT_FLAG, NULL, "list the maps known by name",
		&o->list},
	    PB_OPT_GROW(&o->grow),
	    PB_OPT_SHOW(&o->show),
	    PB_OPT_SEED(&o->seed),
	    {"size", 'S', PB_OPT_PAIR, "w,h",
		"of a random house (m) or maze (cells)", o->size, .min = 1,
		.max = 1e6, .seen = &o->has_size},
	    {"loops", 0, PB_OPT_NUM, "chance", "of ways beyond those needed",
		&o->loops, .min = 0, .max = 1, .seen = &o->has_loops},
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group[] = {
	    {"Maps of logs", pb_mapping_params, &o->grow.mapping, &o->of_log,
		.with = "from-log"},
	    {"Poses found in logs", pb_slam_params, &o->grow.slam, &o->of_slam,
		.with = "slam"},
	    {"Random houses", pb_house_params, &v->made.house},
	    {"Mazes", pb_mapsource_maze_params, &v->made},
	    {"Pictures", .given = &o->of_picture, .with = "render|png|live"}};
	const struct pb_tool tool = {"make, read, check, change and draw maps",
	    "[source ...]", opt, sizeof(opt) / sizeof(*opt), group,
	    sizeof(group) / sizeof(*group), -1};
	int first;

	mark(opt, "poses", "scans", &o->of_log);
	mark(opt, "align", "align", &o->of_slam);
	mark(opt, "speed", "pixels", &o->of_picture);
	first = pb_opt_parse(&tool, argc, argv);
	if (first >= 0 && !complete(o, argv + first, argc - first))
		return -1;
	return first;
}

/*
 * What follows says on stderr what it finds wrong, which sets the exit status,
 * and returns whether all was well. name is the source's.
 */

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

/*
 * Write how alike m and other are, as `key: value` lines: cells that either of
 * them knows, how many of these are equal, and then for each two kinds how
 * many cells are the first in m and the second in other.
 */
static void
tell_agreement(FILE *out, const struct pb_map *m, const struct pb_map *other)
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

/*
 * How differently loaders read the map file at path: a line `a b cells of all
 * per cent` for every pair from a to b of which `mask` has both bits.
 */
static bool
compare_loaders(FILE *out, const char *path, unsigned mask)
{
	struct pb_mapyaml y;
	struct pb_image im;
	struct pb_error f;

	if (pb_mapfile_pixels(path, &im, &y, &f) != 0)
		return pb_msg_error(&f);
	for (int a = 0; a < PB_DIALECTS; a++)
		for (int b = a + 1; b < PB_DIALECTS; b++)
			if ((mask >> a & 1) != 0 && (mask >> b & 1) != 0)
				compare_pair(out, &im, y.px, a, b);
	pb_image_clear(&im);
	pb_mapyaml_clear(&y);
	return true;
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

/* Print the findings of pb_lint on stdout: `file:line: code: text`. */
static bool
lint(const char *name)
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
	pb_error_file_status(&f, name, NULL, st);
	return pb_msg_error(&f);
}

static bool
need_map(const struct verb *o, struct pb_mapsource *p)
{
	struct pb_error f;

	return pb_mapsource_need_map(p, &o->made, &f) == 0 || pb_msg_error(&f);
}

static bool
need_maze(const char *name, struct pb_mapsource *p)
{
	struct pb_error f;

	return pb_mapsource_need_maze(p, name, &f) == 0 || pb_msg_error(&f);
}

static bool
moves(const struct verb *o)
{
	const struct pb_mapfile_opts *file = &o->made.file;

	return file->resolution > 0 || file->has_origin || o->merge.n > 0 ||
	       pb_change_any(&o->change);
}

/* Whether change_map or `as` would make another record of p. */
static bool
changes(const struct verb *o, const struct pb_mapsource *p)
{
	return o->name != NULL || moves(o) ||
	       (o->as == AS_MAP && !p->has_map) ||
	       (o->as == AS_MAZE && !p->has_maze);
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

/* Add the map of a file to m. */
static bool
merge(struct pb_map *m, const struct pb_mapfile_opts *how, const char *path)
{
	struct pb_mapfile_opts o = *how;
	struct pb_map other, both;
	enum pb_status st;

	/* Those are of the first map. */
	o.resolution = 0;
	o.has_origin = false;
	if (!read_other(path, &o, &other))
		return false;
	st = pb_map_merge(m, &other, &both);
	pb_map_clear(&other);
	if (st == PB_ESIZE)
		pb_msg_refuse((struct pb_place){path, 0},
		    "the two maps together are more than %d cells a side",
		    PB_MAP_SIDE);
	if (st != PB_OK)
		return st != PB_ESIZE && say_status(st, path);
	pb_map_clear(m);
	*m = both;
	return true;
}

/*
 * Apply name, resolution, origin, merge and change to p. What is changed in
 * space is a map from then on.
 */
static bool
change_map(const struct verb *o, const char *name, struct pb_mapsource *p)
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

/* Whether o asks for anything but records. */
static bool
asks_more(const struct verb *o)
{
	return o->check || o->validate || o->tell || o->against != NULL ||
	       o->output != NULL;
}

static bool
check_rules(const char *name, struct pb_mapsource *p)
{
	struct pb_place at = {name, 0};
	struct pb_maze_fault broken;
	const char *text;

	if (!need_maze(name, p))
		return false;
	if (pb_maze_rules(&p->maze, &broken))
		return true;
	text = pb_maze_rule_text(broken.rule);
	if (broken.row >= 0 && broken.col >= 0)
		pb_msg_refuse(at, "rule %d: %s (%d, %d)", broken.rule, text,
		    broken.row, broken.col);
	else
		pb_msg_refuse(at, "rule %d: %s", broken.rule, text);
	return false;
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
compare(const struct pb_map *m, const char *path)
{
	struct pb_map other;

	if (!read_other(path, NULL, &other))
		return false;
	tell_agreement(stdout, m, &other);
	pb_map_clear(&other);
	return true;
}

static bool
save_board(const struct pb_maze *z, const char *path)
{
	struct pb_error f;

	return pb_boardfile_write(path, z, &f) == 0 || pb_msg_error(&f);
}

static bool
write_record(const struct verb *o, const char *name, struct pb_mapsource *p,
    struct pb_text *out)
{
	bool maze = o->as == AS_MAZE || (o->as == AS_AUTO && p->has_maze);

	if (maze ? !need_maze(name, p) : !need_map(o, p))
		return false;
	if (maze)
		pb_rec_put(out, PB_REC_MAZE, pb_stamp_none(), &p->maze);
	else
		pb_rec_put(out, PB_REC_MAP, pb_stamp_none(), &p->map);
	return true;
}

/* Check, tell or write the changed p; as a record to out, by default. */
static bool
do_verb(const struct verb *o, const char *name, struct pb_mapsource *p,
    struct pb_text *out)
{
	if (o->check)
		return check_rules(name, p);
	if (o->validate)
		return validate(name, p);
	if (o->tell)
		return need_map(o, p) &&
		       say_status(tell(stdout, &p->map), name);
	if (o->against != NULL)
		return need_map(o, p) && compare(&p->map, o->against);
	if (o->output != NULL && pb_boardfile_writable(o->output))
		return need_maze(name, p) && save_board(&p->maze, o->output);
	if (o->output != NULL)
		return need_map(o, p) && save(&p->map, o->output);
	return write_record(o, name, p, out);
}

/* A stream that is being read. */
struct run {
	const struct verb *o;
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
		ok = change_map(r->o, r->name, &p) &&
		     do_verb(r->o, r->name, &p, &f->out);
	r->any = true;
	pb_mapsource_clear(&p);
	return ok;
}

/*
 * Read the stream of an operand to its end and do what o asks for with each
 * map and maze in it; into a file, with the first. If o asks for records, the
 * others are passed on. What is refused is said.
 */
static void
do_stream(
    const struct verb *o, char *operand, const struct pb_opt_common *common)
{
	const char *name = strcmp(operand, "-") == 0 ? "<stdin>" : operand;
	struct run r = {o, name, false};
	struct pb_filter f = {.want = o->validate ? PB_REC_ALL
	                                          : PB_REC_BIT(PB_REC_MAP) |
	                                                PB_REC_BIT(PB_REC_MAZE),
	    .passes = !asks_more(o),
	    .common = common,
	    .take = take,
	    .user = &r};
	bool ok = pb_filter_run(&f, &operand, 1);

	pb_filter_clear(&f);
	if (ok && !r.any && !f.passes)
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected a map or maze record, got none");
}

/* A maze is drawn with its pellets and starts, a map as it is. */
static void
draw(const struct opts *o, struct pb_mapsource *p)
{
	struct pb_scene s = {.map = NULL};
	struct pb_scene_builder f = {.scene = &s, .cell = o->verb.made.cell};
	struct pb_error bad = {.text = ""};

	if (o->verb.as == AS_MAP &&
	    pb_mapsource_need_map(p, &o->verb.made, &bad) != 0) {
		pb_msg_error(&bad);
		return;
	}
	if (p->has_map) {
		s.map = &p->map;
		snprintf(s.title, sizeof(s.title), "%s", p->map.name);
	} else if (!pb_scene_build_maze(&f, &p->maze, &bad)) {
		pb_msg_error_at((struct pb_place){0}, &bad);
		return;
	}
	pb_scene_build_caption(&f);
	pb_show(&s, &o->show);
	pb_scene_clear(&s);
}

/* What is no stream: a named grid, a random one, a file, or a log's map. */
static void
do_made(const struct opts *o, const char *operand, const char *name)
{
	struct pb_text out = {.to = stdout};
	struct pb_mapsource p = {.has_map = false};
	struct pb_error f;

	if (o->grow.on) {
		p.has_map =
		    pb_mapgen_log(&o->grow, operand, &o->common, &p.map);
		if (!p.has_map)
			return;
	} else {
		if (pb_mapsource_init(&p, name, &o->verb.made, &f) != 0) {
			pb_msg_error(&f);
			return;
		}
		pb_mapsource_notes(name, &p.notes);
	}
	if (change_map(&o->verb, name, &p)) {
		if (pb_show_asked(&o->show))
			draw(o, &p);
		else
			do_verb(&o->verb, name, &p, &out);
	}
	pb_mapsource_clear(&p);
	pb_text_clear(&out);
}

static void
do_source(const struct opts *o, char *operand)
{
	bool piped = strcmp(operand, "-") == 0;
	const char *file = piped ? "/dev/stdin" : operand;

	if (o->lint) {
		lint(file);
	} else if (o->compare != 0) {
		compare_loaders(stdout, file, o->compare);
	} else if (o->grow.on || !pb_mapsource_is_stream(operand)) {
		do_made(o, operand, piped ? "<stdin>" : operand);
	} else if (pb_show_asked(&o->show)) {
		pb_show_stream(&o->show, &o->common, &operand, 1);
	} else {
		/* Here a pipe that nobody writes to is a mistake, no robot. */
		if (asks_more(&o->verb))
			pb_source_patience(PB_FILE_PATIENCE);
		do_stream(&o->verb, operand, &o->common);
	}
}

/* Each source in turn; making ends at the first that fails, telling not. */
static void
do_sources(const struct opts *o, char **names, int n)
{
	bool tells = asks_more(&o->verb) || o->lint || o->compare != 0;
	static char usual[] = "-";

	if (n == 0)
		do_source(o, usual);
	for (int i = 0; i < n && pb_msg_out_ok(); i++) {
		do_source(o, names[i]);
		if (pb_msg_worst() != PB_EXIT_OK && !tells &&
		    !o->common.keep_going)
			return;
	}
}

int
main(int argc, char **argv)
{
	struct opts o = {
	    .verb = {.made = pb_mapsource_defaults(), .change = {.coarsen = 1}},
	    .grow = pb_mapgen_log_defaults(),
	    .show = {.speed = 1},
	    .seed = 1};
	int i;

	pb_msg_start(argv[0]);
	o.loops = o.verb.made.house.loops;
	if ((i = parse_args(&o, argc, argv)) < 0)
		return pb_msg_finish();
	if (o.list)
		pb_mapsource_list(stdout);
	else if (pb_file_writable(o.verb.output) &&
		 pb_file_writable(o.show.png))
		do_sources(&o, argv + i, argc - i);
	return pb_msg_finish();
}
