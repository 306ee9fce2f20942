/* mapsource.c - maps and mazes by name: files, standard grids, random ones. */
#include "io/file/mapsource.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/boardfile.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"

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
