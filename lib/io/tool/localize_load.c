/* localize_load.c - the world of a localizer from a file. */
#include "io/stream/fault.h"
#include "io/tool/localize.h"
#include "io/file/mapsource.h"

/* A map or maze of a stream in place of one in ours. */
static bool
take_world(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	f->stop = true;
	return pb_localize_take(f->user, rec, f->line.at, bad);
}

static bool
load_stream(struct pb_localize *z, const char *path)
{
	char *file[] = {(char *)path};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE),
	    .take = take_world,
	    .user = z};
	bool ok = pb_filter_run(&f, file, 1);

	pb_filter_clear(&f);
	if (ok && !f.stop)
		pb_msg_refuse((struct pb_place){path, 0},
		    "expected a map or maze record, got none");
	return ok && f.stop;
}

/* A map file, or one of the worlds that have a name. */
static bool
load_made(struct pb_localize *z, const char *path)
{
	const struct pb_mapsource_opts usual = pb_mapsource_defaults();
	struct pb_mapsource p;
	struct pb_rec rec = {.type = PB_REC_MAP, .owns = true};
	struct pb_fault f;
	struct pb_bad bad;
	bool ok;

	if (pb_mapsource_init(&p, path, &usual, &f) != 0) {
		pb_fault_say(&f);
		return false;
	}
	pb_mapsource_notes(path, &p.notes);
	if (p.has_maze) {
		rec.type = PB_REC_MAZE;
		rec.maze = p.maze;
	} else {
		rec.map = p.map;
		p.map = (struct pb_map){.cell = NULL};
	}
	ok = pb_localize_take(z, &rec, (struct pb_place){path, 0}, &bad);
	if (!ok)
		pb_msg_bad((struct pb_place){path, 0}, &bad);
	pb_rec_clear(&rec);
	pb_mapsource_clear(&p);
	return ok;
}

bool
pb_localize_load(struct pb_localize *z, const char *path, struct pb_text *out)
{
	enum pb_mapkind kind = PB_MAPKIND_YAML;
	bool ok;

	if (!pb_mapsource_is_name(path) &&
	    pb_mapkind_peek(path, &kind, NULL) == 0 &&
	    kind == PB_MAPKIND_RECORD)
		ok = load_stream(z, path);
	else
		ok = load_made(z, path);
	if (ok && z->map.cell != NULL)
		pb_put_map(out, &z->map);
	else if (ok)
		pb_put_maze(out, &z->maze);
	return ok;
}
