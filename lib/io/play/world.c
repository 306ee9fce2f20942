/* world.c - read the ground of a game from a file or a stream. */
#include "io/play/world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file/mapsource.h"
#include "io/stream/msg.h"

void
pb_world_clear(struct pb_world *w)
{
	pb_map_clear(&w->map);
	pb_pellets_clear(&w->pellets);
	free(w->id);
	*w = (struct pb_world){.has_map = false};
}

/* Name the last file in the message: a map may have been in any. */
void
pb_world_no_map(char *const *files, int n, uint64_t seen)
{
	bool in = n == 0 || strcmp(files[n - 1], "-") == 0;

	pb_msg_refuse((struct pb_place){in ? "<stdin>" : files[n - 1], 0},
	    "expected a map record, got %s",
	    seen & PB_REC_BIT(PB_REC_MAZE)
		? "a maze, which has its pellets and rules of its own"
		: "none");
}

bool
pb_world_file(
    struct pb_world *w, const char *path, const struct pb_mapfile_opts *how)
{
	struct pb_mapfile_notes notes;
	struct pb_error bad;
	struct pb_map m;

	if (pb_mapfile_read(path, how, &m, &notes, &bad) != 0)
		return pb_msg_error(&bad);
	pb_world_clear(w);
	w->map = m;
	w->has_map = true;
	pb_mapsource_notes(path, &notes);
	return true;
}

const char *
pb_world_refuse(const struct pb_game *g, const struct pb_ground *ground,
    const void *opts, enum pb_status st, const struct pb_refusal *no,
    struct pb_error *bad)
{
	const char *why = no->why ? no->why : pb_status_text(st);
	const struct pb_map *m = ground->map;
	double spacing = 0;
	size_t n;

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (g->on_map && st == PB_ENOENT && !ground->pellets)
		spacing = g->on_map->spacing(m, opts, &n);
	if (no->row >= 0 && no->why)
		pb_error_set(bad, "(%d, %d): %s", no->row, no->col, why);
	else if (no->found > 0)
		pb_error_set(bad, "%s, got %d", why, no->found);
	else if (spacing > 0)
		pb_error_set(
		    bad, "%s; --set spacing=%g lays %zu", why, spacing, n);
	else if (m != NULL && m->origin.th != 0)
		pb_error_set(bad,
		    "%s; its origin has a yaw of %g rad, which pb-mapgen "
		    "--straighten takes away",
		    why, m->origin.th);
	else
		pb_error_set(bad, "%s", why);
	return bad->text;
}

struct pb_world_reach
pb_world_reach(const struct pb_game *g, const void *world)
{
	struct pb_world_reach r;

	r.beyond = g->on_map->beyond(world, &r.left_out);
	return r;
}

void
pb_world_tell_reach(const char *name, struct pb_world_reach r)
{
	bool kept = r.beyond > 0;
	int n = kept ? r.beyond : r.left_out;

	if (n > 0)
		pb_msg_note("%s%d pellet%s out of reach of the start%s", name,
		    n, n == 1 ? " is" : "s are",
		    kept ? "; no round is complete without"
			 : " and left out; --set keep-unreachable=yes keeps "
			   "them");
}

static bool
copy_pellets(
    struct pb_world *w, const struct pb_rec_pellets *p, struct pb_error *bad)
{
	struct pb_pellets s = {.n = p->n, .left = p->n};
	long *id;

	if (!w->has_map)
		return pb_error_set(bad, "pellets: expected a map before them");
	s.all = pb_alloc(p->n, sizeof(*s.all));
	s.gone = pb_alloc(p->n, 1);
	id = pb_alloc(p->n, sizeof(*id));
	for (size_t i = 0; i < p->n; i++) {
		struct pb_vec at = {p->pellet[i].x, p->pellet[i].y};

		s.all[i] = (struct pb_pellet){
		    .id = (int)i, .at = at, .cell = pb_map_cell(&w->map, at)};
		id[i] = p->pellet[i].id;
	}
	pb_pellets_clear(&w->pellets);
	free(w->id);
	w->pellets = s;
	w->id = id;
	w->has_pellets = true;
	return true;
}

bool
pb_world_take(struct pb_world *w, struct pb_rec *r, struct pb_error *bad)
{
	if (r->type == PB_REC_PELLETS)
		return copy_pellets(w, &r->pellets, bad);
	if (r->type == PB_REC_MAP) {
		pb_world_clear(w);
		w->map = r->map;
		w->has_map = true;
		r->map = (struct pb_map){0};
	}
	return true;
}

static bool
use_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	return pb_world_take(f->user, r, bad);
}

bool
pb_world_stream(struct pb_world *w, char *const *files, int n,
    const struct pb_opt_common *common)
{
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS),
	    .common = common,
	    .take = use_record,
	    .user = w};
	bool ok = pb_filter_run(&f, files, n);

	if (ok && !w->has_map)
		pb_world_no_map(files, n, f.seen);
	return ok && w->has_map;
}

/* Make a standard or random board, or read the file of a board. */
static bool
make_maze(const char *path, struct pb_maze *z, struct pb_error *f)
{
	struct pb_mapsource_opts o = pb_mapsource_defaults();
	struct pb_mapsource p;

	if (pb_mapsource_init(&p, path, &o, f) != 0 ||
	    pb_mapsource_need_maze(&p, path, &o, f) != 0)
		return false;
	*z = p.maze;
	pb_mapsource_clear(&p);
	return true;
}

bool
pb_world_maze(const char *path, struct pb_maze *z, struct pb_error *f)
{
	const uint64_t maze = PB_REC_BIT(PB_REC_MAZE);
	struct stat st;
	struct pb_rec r;

	*f = (struct pb_error){.line = 0};
	/* A path without a file may be a misspelt name of a board. */
	if (pb_mapsource_is_board(path) ||
	    (strcmp(path, "-") != 0 && stat(path, &st) != 0))
		return make_maze(path, z, f);
	/* Read the first maze of a file of records. */
	if (pb_mapfile_first(path, maze, maze, &r, f) != 0)
		return false;
	*z = r.maze;
	pb_rec_clear(&r);
	return true;
}

bool
pb_world_is_maze(const char *path)
{
	const uint64_t worlds =
	    PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	enum pb_mapkind kind;
	struct pb_error bad;
	struct pb_rec r;
	struct stat st;

	if (pb_mapsource_is_name(path))
		return strcmp(path, "random-house") != 0;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    pb_mapkind_peek(path, &kind, &bad) != 0)
		return false;
	return kind == PB_MAPKIND_RECORD &&
	       pb_mapfile_first(path, worlds, 0, &r, &bad) == 0 &&
	       r.type == PB_REC_MAZE;
}
