/* mapsource.c - maps and mazes by name: files, standard grids, random ones;
 * what is suspicious in a map file. */
#include "io/file/mapsource.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/mapfile.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

/* Random houses, and boards of each enum pb_board_kind. */
enum { HOUSE, BOARDS, RANDOMS = BOARDS + PB_BOARD_KINDS };
static const char *const randoms[RANDOMS] = {
    "random-house", "random-maze", "random-roomba", "random-zumy"};

/* The random kind of that name, RANDOMS: none. */
static int
find_random(const char *name)
{
	int i = 0;

	while (i < RANDOMS && strcmp(randoms[i], name) != 0)
		i++;
	return i;
}

#define PB_PARAMS_OF struct pb_mapsource_opts

static const struct pb_param maze_params[] = {
    PB_BOOL("dead-ends", board[0].dead_ends, false, "leave dead ends"),
    PB_BOOL("mirror", board[0].mirror, true, "the right half mirrors the left",
	.when = "source=random-maze"),
    PB_COUNT("power", board[0].power, "", 4, 0, PB_MAZE_POWER_MAX,
	"power pellets", .when = "source=random-maze|source=random-roomba"),
    PB_REAL("obstacles", board[0].obstacles, "share", 0.3, 0, 0.6,
	"of the cells of the board", .when = "source=random-zumy"),
};

const struct pb_params pb_mapsource_maze_params = PB_PARAMS(maze_params);

struct pb_mapsource_opts
pb_mapsource_defaults(void)
{
	struct pb_mapsource_opts o = {
	    .file = pb_mapfile_defaults(), .house = pb_house_defaults()};

	for (int k = 0; k < PB_BOARD_KINDS; k++)
		o.board[k] = pb_board_defaults((enum pb_board_kind)k);
	pb_params_defaults(pb_mapsource_maze_params, &o);
	return o;
}

bool
pb_mapsource_is_name(const char *name)
{
	for (const char *const *n = pb_maze_names(); *n != NULL; n++)
		if (strcmp(*n, name) == 0)
			return true;
	return find_random(name) != RANDOMS;
}

bool
pb_mapsource_is_stream(const char *name)
{
	enum pb_mapkind kind;

	if (strcmp(name, "-") == 0)
		return true;
	if (pb_mapsource_is_name(name) ||
	    pb_mapkind_peek(name, &kind, NULL) != 0)
		return false;
	return kind == PB_MAPKIND_RECORD;
}

void
pb_mapsource_list(FILE *out)
{
	for (const char *const *n = pb_maze_names(); *n != NULL; n++)
		fprintf(out, "%s\n", *n);
	for (int i = 0; i < RANDOMS; i++)
		fprintf(out, "%s\n", randoms[i]);
}

static bool
check_house(const struct pb_house_opts *o, struct pb_error *bad)
{
	const char *field;
	enum pb_status st = pb_house_check(o, &field);

	if (st == PB_OK)
		return true;
	if (st == PB_ESIZE)
		return pb_error_set(bad,
		    "--size: at %g m a cell, a side has more than %d cells",
		    o->resolution, PB_MAP_SIDE);
	if (strcmp(field, "resolution") == 0)
		return pb_error_set(bad,
		    "--resolution: expected from %g to %g m for a random house",
		    PB_HOUSE_CELL_MIN, PB_HOUSE_CELL_MAX);
	if (strcmp(field, "clearance") == 0)
		return pb_error_set(bad,
		    "clearance: expected at most half of door less a cell, "
		    "%g m",
		    o->door / 2 - o->resolution);
	if (strcmp(field, "width") == 0 || strcmp(field, "height") == 0)
		return pb_error_set(bad,
		    "--size: expected from %g to %g m for a random house",
		    PB_HOUSE_SIDE_MIN, PB_HOUSE_SIDE_MAX);
	return pb_error_set(bad, "%s: %s", field, pb_status_text(st));
}

/* Set the options of a random board; false: name is none. */
static bool
is_random_board(const char *name, const struct pb_mapsource_opts *o,
    struct pb_board_opts *b)
{
	const struct pb_board_opts *all = &o->board[0];
	int kind = find_random(name) - BOARDS;

	if (kind < 0 || kind >= PB_BOARD_KINDS)
		return false;
	*b = o->board[kind];
	b->dead_ends = all->dead_ends;
	b->mirror = all->mirror;
	b->power = kind == PB_BOARD_ZUMY ? 0 : all->power;
	b->obstacles = all->obstacles;
	return true;
}

bool
pb_mapsource_check(
    const char *name, const struct pb_mapsource_opts *o, struct pb_error *bad)
{
	int lo = PB_BOARD_SIDE_MIN, hi = PB_BOARD_SIDE_MAX;
	struct pb_board_opts b;
	const char *field = NULL;

	if (find_random(name) == HOUSE)
		return check_house(&o->house, bad);
	if (is_random_board(name, o, &b))
		field = pb_board_opts_wrong(&b);
	if (find_random(name) == BOARDS + PB_BOARD_MAZE) {
		lo = PB_MAZE_RULE_MIN;
		hi = PB_MAZE_SIDE;
	}
	if (field == NULL)
		return true;
	if (strcmp(field, "rows") == 0 || strcmp(field, "cols") == 0)
		return pb_error_set(bad,
		    "--size: expected from %d to %d cells for a %s", lo, hi,
		    name);
	if (strcmp(field, "power") == 0)
		return pb_error_set(
		    bad, "power: expected at most 4 for a %s", name);
	return pb_error_set(bad, "%s: %s", field, pb_status_text(PB_EVALUE));
}

static void
set_origin(struct pb_map *m, const struct pb_mapfile_opts *o)
{
	if (o->has_origin)
		m->origin = o->origin;
}

/* Refuse maps of more cells than --max-cells. */
static bool
refuse_too_many(
    const char *name, double width, double height, struct pb_error *f)
{
	char over[128];

	if (!pb_cells_over((long)width, (long)height, over))
		return false;
	pb_error_file(f, name, 0, NULL, "%s", over);
	return true;
}

/* Make a map or board with a name of pb_mapsource_is_name(). */
static enum pb_status
make_named(
    struct pb_mapsource *p, const char *name, const struct pb_mapsource_opts *o)
{
	struct pb_board_opts b;
	enum pb_status st;

	if (find_random(name) == HOUSE) {
		st = pb_gen_house(&o->house, &p->map);
		p->has_map = st == PB_OK;
		if (p->has_map)
			set_origin(&p->map, &o->file);
		return st;
	}
	st = is_random_board(name, o, &b) ? pb_gen_board(&b, &p->maze)
	                                  : pb_maze_standard(name, &p->maze);
	p->has_maze = st == PB_OK;
	return st;
}

static bool
is_board(const char *path)
{
	enum pb_mapkind kind;

	return pb_mapkind_peek(path, &kind, NULL) == 0 &&
	       kind == PB_MAPKIND_BOARD;
}

bool
pb_mapsource_is_board(const char *name)
{
	return pb_mapsource_is_name(name) || is_board(name);
}

static int
read_board(const char *path, double cell, struct pb_maze *z, struct pb_error *f)
{
	char *bytes;
	size_t n;
	int rc;

	if (pb_mapfile_bytes(path, &bytes, &n, f) != 0)
		return -1;
	rc = pb_boardfile_decode(path, bytes, n, cell, z, f);
	free(bytes);
	if (rc == 0 && z->name[0] == '\0')
		pb_mapfile_stem(path, z->name, sizeof(z->name));
	return rc;
}

/* The file does not exist: suggest a standard map with a similar name. */
static void
suggest_name(const char *name, struct pb_error *f)
{
	struct pb_suggest near = pb_suggest_for(name);
	size_t n;

	if (f == NULL || f->kind != PB_ERROR_MISSING)
		return;
	for (const char *const *m = pb_maze_names(); *m != NULL; m++)
		pb_suggest_try(&near, *m);
	for (int i = 0; i < RANDOMS; i++)
		pb_suggest_try(&near, randoms[i]);
	n = strlen(f->text);
	snprintf(
	    f->text + n, sizeof(f->text) - n, "%s", pb_suggest_text(&near));
}

int
pb_mapsource_init(struct pb_mapsource *p, const char *name,
    const struct pb_mapsource_opts *o, struct pb_error *f)
{
	const struct pb_house_opts *h = &o->house;
	struct pb_mapsource got = {.has_maze = false};
	enum pb_status st;

	if (pb_mapsource_is_name(name)) {
		if (find_random(name) == HOUSE &&
		    refuse_too_many(name, round(h->width / h->resolution),
			round(h->height / h->resolution), f))
			return -1;
		st = make_named(&got, name, o);
		if (st != PB_OK)
			return pb_error_file_status(f, name, st);
	} else if (is_board(name)) {
		if (read_board(name, o->cell, &got.maze, f) != 0)
			return -1;
		got.has_maze = true;
	} else {
		if (pb_mapfile_read(name, &o->file, &got.map, &got.notes, f) !=
		    0) {
			suggest_name(name, f);
			return -1;
		}
		got.has_map = true;
	}
	*p = got;
	return 0;
}

void
pb_mapsource_clear(struct pb_mapsource *p)
{
	pb_map_clear(&p->map);
	*p = (struct pb_mapsource){.has_maze = false};
}

int
pb_mapsource_need_map(struct pb_mapsource *p, const struct pb_mapsource_opts *o,
    struct pb_error *f)
{
	const struct pb_maze *z = &p->maze;
	bool sided = pb_maze_sided(z);
	int per = o->per > 0 ? o->per : sided ? PB_MAZE_PER : 1;
	enum pb_status st;

	if (p->has_map)
		return 0;
	if (sided && per < 3)
		return pb_error_file(f, z->name, 0, NULL,
		    "--per: walls between cells take at least 3 map cells a "
		    "cell, got %d",
		    per);
	if (refuse_too_many(z->name, z->cols * per, z->rows * per, f))
		return -1;
	st = pb_maze_to_map(&p->maze, o->cell, per, &p->map);
	if (st != PB_OK)
		return pb_error_file_status(f, p->maze.name, st);
	p->has_map = true;
	set_origin(&p->map, &o->file);
	return 0;
}

int
pb_mapsource_need_maze(struct pb_mapsource *p, const char *name,
    const struct pb_mapsource_opts *o, struct pb_error *f)
{
	const struct pb_map *m = &p->map;
	struct pb_maze *z = &p->maze;

	if (p->has_maze)
		return 0;
	if (m->width > PB_MAZE_SIDE || m->height > PB_MAZE_SIDE)
		return pb_error_file(f, name, 0, NULL,
		    "%d x %d cells; a maze has at most %d x %d", m->width,
		    m->height, PB_MAZE_SIDE, PB_MAZE_SIDE);
	*z = (struct pb_maze){
	    .rows = m->height, .cols = m->width, .start = {.row = -1}};
	z->pitch = o->cell > 0                   ? o->cell
	           : p->notes.assumed_resolution ? 0
	                                         : m->resolution;
	/* Row 0 of a maze is at the top, of a map at the bottom. */
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++)
			z->cell[row][col] =
			    pb_cell_free(pb_map_at(
				m, (struct pb_cell){col, z->rows - 1 - row}))
				? PB_MAZE_PELLET
				: PB_MAZE_WALL;
	PB_REC_SET(z->name, m->name);
	p->has_maze = true;
	return 0;
}

bool
pb_mapfile_opts_fit(
    const struct pb_mapfile_opts *o, const char *map, const char *how)
{
	const char *name = o->free_above >= 0            ? "free-above"
	                   : o->dialect != PB_DIALECT_PB ? "compat"
	                   : o->resolution > 0           ? "resolution"
	                                                 : NULL;

	return name == NULL || map != NULL ||
	       pb_msg_usage("--%s: a map record has no pixels; name the map's "
			    "image %s",
		   name, how);
}

void
pb_mapsource_notes(const char *name, const struct pb_mapfile_notes *n)
{
	const struct pb_pixel_count *c = &n->count;
	size_t all = c->free + c->occupied + c->unknown;

	if (n->warning[0] != '\0')
		pb_msg_warn((struct pb_place){name, n->line}, "%s", n->warning);
	if (c->guarded > 0)
		pb_msg_warn((struct pb_place){name, 0},
		    "free_thresh %g would make %zu cells (%.1f %%) of the "
		    "unknown gray %d free; they are unknown "
		    "(see pb-mapgen --compat)",
		    n->px.free_thresh, c->guarded,
		    100.0 * (double)c->guarded / (double)all,
		    pb_pixel_unknown(&n->px));
	if (all > 0 && c->free == 0)
		pb_msg_warn((struct pb_place){name, 0},
		    "no cell is free; pb-mapgen --lint names the gray that "
		    "--free-above could make free");
	if (n->assumed_resolution)
		pb_msg_warn((struct pb_place){name, 0},
		    "no resolution; a cell is %g m (see pb-mapgen --resolution)",
		    PB_MAPFILE_CELL);
}

/* A text with this prefix does not count as a problem. */
#define NOTE "note: "

struct lint {
	const char *path;
	pb_lint_sink *sink;
	void *arg;
	int found;
	struct pb_mapyaml y;
	struct pb_image im;
	const char *image_path;
	char *owned; /* image_path, unless it is path */
};

PB_PRINTF(5, 6)
static void
report_finding(struct lint *l, const char *file, long line, const char *code,
    const char *format, ...)
{
	char text[320];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	l->sink(l->arg, file, line, code, text);
	l->found += strncmp(text, NOTE, sizeof(NOTE) - 1) != 0;
}

/* Report a refused file as a problem; its code is the field at fault. */
static void
report_fault(struct lint *l, const struct pb_error *f, const char *fallback)
{
	char code[80];
	size_t n = strcspn(f->field, "[");

	if (n == 0)
		snprintf(code, sizeof(code), "%s", fallback);
	else
		snprintf(code, sizeof(code), "bad-%.*s", (int)n, f->field);
	report_finding(l, f->file, f->line, code, "%s%s%s", f->field,
	    f->field[0] != '\0' ? ": " : "", f->text);
}

static double
to_percent(size_t n, const struct pb_image *im)
{
	return 100.0 * (double)n / (double)pb_image_pixels(im);
}

/* Keys without which ROS 1 and Nav2 refuse the file, and their defaults. */
static void
lint_missing_keys(struct lint *l)
{
	const struct pb_mapyaml *y = &l->y;

	if (y->line[PB_MAPKEY_MODE] == 0)
		report_finding(l, l->path, 0, "no-mode",
		    NOTE "mode is not given; loaders take trinary");
	if (y->line[PB_MAPKEY_NEGATE] == 0)
		report_finding(l, l->path, 0, "no-negate",
		    "negate is not given; map_server refuses the file");
	if (y->line[PB_MAPKEY_OCCUPIED] == 0 || y->line[PB_MAPKEY_FREE] == 0)
		report_finding(l, l->path, 0, "no-thresholds",
		    "%s is not given; map_server refuses the file",
		    y->line[PB_MAPKEY_OCCUPIED] == 0 ? "occupied_thresh"
						     : "free_thresh");
}

/* Resolutions are usually multiples of 5 mm; 0.089 was 0.0889 before it was
 * rounded. */
static void
lint_resolution(struct lint *l)
{
	double r = l->y.resolution, fives = r / 0.005;
	char text[PB_NUM_MAX];
	const char *point;

	pb_num_exact(text, r);
	point = strchr(text, '.');
	if (r >= 0.01 && point != NULL && strlen(point) == 4 &&
	    fabs(fives - nearbyint(fives)) > 1e-9)
		report_finding(l, l->path, l->y.line[PB_MAPKEY_RESOLUTION],
		    "rounded-resolution",
		    "%s looks rounded to three decimals; over 1000 cells that "
		    "is up to 0.5 m",
		    text);
}

static void
lint_yaml(struct lint *l)
{
	struct pb_error f;

	lint_missing_keys(l);
	lint_resolution(l);
	if (l->y.origin.th != 0)
		report_finding(l, l->path, l->y.line[PB_MAPKEY_ORIGIN], "yaw",
		    "the origin is turned by %g rad; most programs ignore that: "
		    "pb-mapgen --straighten",
		    l->y.origin.th);
	if (pb_mapyaml_check_origin(&l->y, l->y.resolution, l->path, &f) != 0)
		report_fault(l, &f, "bad-origin");
	if (l->y.image[0] == '/')
		report_finding(l, l->path, l->y.line[PB_MAPKEY_IMAGE],
		    "absolute-image",
		    "the image has an absolute path; the map cannot be moved");
	if (pb_pixel_check(&l->y.px) != PB_OK) {
		pb_mapyaml_order_fault(&l->y, l->path, &f);
		report_finding(l, l->path, f.line, "bad-thresholds",
		    "free_thresh: %s", f.text);
	}
}

/* Properties of the image that loaders interpret differently. */
static void
lint_shades(struct lint *l)
{
	const struct pb_image *im = &l->im;
	size_t coloured = pb_image_coloured(im);
	size_t translucent = pb_image_translucent(im);

	if (coloured > 0)
		report_finding(l, l->image_path, 0, "colour",
		    "%zu pixels (%.1f %%) are coloured; loaders take the mean "
		    "or the luma",
		    coloured, to_percent(coloured, im));
	if (translucent > 0)
		report_finding(l, l->image_path, 0, "alpha",
		    "%zu pixels (%.1f %%) are transparent; loaders ignore "
		    "alpha, average it or take it for unknown",
		    translucent, to_percent(translucent, im));
	if (im->palette)
		report_finding(l, l->image_path, 0, "palette",
		    "the image has a palette; ROS 1 reads its indices as gray");
	if (im->gamma)
		report_finding(l, l->image_path, 0, "gamma",
		    "the image asks for a gamma correction, which would turn "
		    "unknown gray to free");
	if (!im->palette && im->maxval != 255)
		report_finding(l, l->image_path, 0, "depth",
		    "white is %d, not 255; some loaders do not scale it",
		    im->maxval);
	if (im->spare > 0)
		report_finding(l, l->image_path, 0, "size-mismatch",
		    "%zu bytes follow the last pixel; %d x %d may be wrong",
		    im->spare, im->width, im->height);
}

/* Most that JPEG and scaling shift the gray of unknown cells. */
#define SMEAR 10

/* Count the pixels of each gray; colours by their mean. */
static void
count_shades(const struct pb_image *im, size_t n[256])
{
	int colours = im->channels < 3 ? 1 : 3;

	for (size_t i = 0; i < pb_image_pixels(im); i++) {
		const unsigned char *s = im->sample + i * (size_t)im->channels;

		n[colours == 1 ? s[0] : (s[0] + s[1] + s[2]) / 3]++;
	}
}

/*
 * Count pixels with the gray of unknown that the thresholds make free, and
 * pixels of near grays, a sign of JPEG or scaling: in a drawing, at most 1 %
 * have such a gray.
 */
static void
lint_unknown(struct lint *l)
{
	const struct pb_pixel_opts *px = &l->y.px;
	int unknown = pb_pixel_unknown(px), lo = 255, hi = 0;
	size_t shade[256] = {0}, near = 0, near_free = 0;

	if (px->mode != PB_MODE_TRINARY)
		return;
	count_shades(&l->im, shade);
	for (int v = unknown - SMEAR; v <= unknown + SMEAR; v++) {
		unsigned char s = (unsigned char)v;
		bool kept;
		int cell = pb_pixel_cell(px, &s, 1, &kept);

		if (v == unknown && kept && shade[v] > 0)
			report_finding(l, l->path, l->y.line[PB_MAPKEY_FREE],
			    "unknown-is-free",
			    "free_thresh %g makes gray %d, the savers' "
			    "unknown, free: %zu cells (%.1f %%)",
			    px->free_thresh, v, shade[v],
			    to_percent(shade[v], &l->im));
		if (v == unknown || shade[v] == 0)
			continue;
		near += shade[v];
		near_free += pb_cell_free(cell) ? shade[v] : 0;
		lo = v < lo ? v : lo;
		hi = v;
	}
	if (near * 100 > pb_image_pixels(&l->im))
		report_finding(l, l->image_path, 0, "smeared-unknown",
		    "%zu pixels (%.1f %%) are of grays %d to %d about the "
		    "unknown %d, %zu of them free: was it a JPEG, or scaled?",
		    near, to_percent(near, &l->im), lo, hi, unknown, near_free);
}

/* Report the two loaders, except ours, that differ in most cells. */
static void
lint_dialects(struct lint *l)
{
	struct pb_pixel_opts a = l->y.px, b = l->y.px;
	const char *name[2] = {NULL};
	size_t worst = 0, n;

	for (int i = PB_DIALECT_ROS1; i < PB_DIALECTS; i++)
		for (int j = i + 1; j < PB_DIALECTS; j++) {
			a.dialect = (enum pb_dialect)i;
			b.dialect = (enum pb_dialect)j;
			n = pb_pixel_differ(&l->im, &a, &b);
			if (n <= worst)
				continue;
			worst = n;
			name[0] = pb_dialect_name(a.dialect);
			name[1] = pb_dialect_name(b.dialect);
		}
	if (worst > 0)
		report_finding(l, l->path, 0, "dialects",
		    "%s and %s read %zu cells (%.1f %%) differently", name[0],
		    name[1], worst, to_percent(worst, &l->im));
}

/* No cell is free: suggest to make the most frequent gray free. */
static void
lint_no_free(struct lint *l)
{
	size_t shade[256] = {0};
	int most = 0;

	count_shades(&l->im, shade);
	for (int v = 1; v < 256; v++)
		most = shade[v] > shade[most] ? v : most;
	if (l->y.px.mode == PB_MODE_TRINARY && most > 0)
		report_finding(l, l->path, 0, "no-free",
		    "the map has no free cell; %.1f %% are gray %d: "
		    "--free-above %d makes them free",
		    to_percent(shade[most], &l->im), most, most - 1);
	else
		report_finding(
		    l, l->path, 0, "no-free", "the map has no free cell");
}

static void
lint_cells(struct lint *l)
{
	struct pb_pixel_count n = {0};
	struct pb_map m;

	if (pb_pixel_check(&l->y.px) != PB_OK)
		return;
	if (pb_pixel_map(&l->y.px, &l->im, 1, (struct pb_pose){0}, &m, &n) !=
	    PB_OK)
		return;
	pb_map_clear(&m);
	if (n.free == 0)
		lint_no_free(l);
	if (n.occupied == 0)
		report_finding(
		    l, l->path, 0, "no-wall", "the map has no occupied cell");
}

static void
lint_image(struct lint *l, const char *path)
{
	struct pb_error f;

	l->image_path = path;
	if (pb_image_read(l->image_path, false, &l->im, &f) != 0) {
		if (f.kind == PB_ERROR_MISSING)
			report_finding(l, l->path, l->y.line[PB_MAPKEY_IMAGE],
			    "missing-image", "there is no file %s", path);
		else
			report_fault(l, &f, "bad-image");
		return;
	}
	lint_shades(l);
	lint_unknown(l);
	lint_dialects(l);
	lint_cells(l);
}

/* Check a file without YAML and image: readable, with free cells. */
static void
lint_other(struct lint *l)
{
	struct pb_error f;
	struct pb_map m;

	if (pb_mapfile_read(l->path, NULL, &m, NULL, &f) != 0) {
		report_fault(l, &f, "unreadable");
		return;
	}
	if (pb_map_free_cells(&m) == 0)
		report_finding(
		    l, l->path, 0, "no-free", "the map has no free cell");
	pb_map_clear(&m);
}

static void
lint_file(struct lint *l)
{
	char instead[PB_MAPYAML_INSTEAD];
	enum pb_mapkind kind;
	struct pb_error f;

	if (pb_mapkind_peek(l->path, &kind, &f) != 0) {
		report_fault(l, &f,
		    f.kind == PB_ERROR_MISSING ? "missing" : "unreadable");
	} else if (kind == PB_MAPKIND_IMAGE) {
		lint_image(l, l->path);
	} else if (kind != PB_MAPKIND_YAML) {
		lint_other(l);
	} else if (pb_mapfile_yaml(l->path, &l->y, &f) != 0) {
		report_fault(l, &f, "unreadable");
	} else {
		lint_yaml(l);
		l->owned = pb_mapyaml_image_path(&l->y, l->path, instead);
		if (instead[0] != '\0')
			report_finding(l, l->path, l->y.line[PB_MAPKEY_IMAGE],
			    "missing-image", "%s", instead);
		lint_image(l, l->owned);
	}
}

int
pb_lint(const char *path, pb_lint_sink *sink, void *arg)
{
	struct lint l = {
	    .path = path, .sink = sink, .arg = arg, .y = pb_mapyaml_defaults()};

	lint_file(&l);
	free(l.owned);
	pb_image_clear(&l.im);
	pb_mapyaml_clear(&l.y);
	return l.found;
}
