/* mapgen.c - what pb-mapgen does with a map: change, check, tell, write. */
#include "io/tool/mapgen.h"

#include <stdio.h>

#include "io/file/boardfile.h"
#include "io/file/maplint.h"
#include "io/rec/map.h"
#include "io/stream/msg.h"
#include "io/stream/utf8.h"
#include "io/tool/maptell.h"
#include "map/change.h"

static void
print_finding(
    void *arg, const char *file, long line, const char *code, const char *text)
{
	(void)arg;
	pb_utf8_print(file, stdout);
	if (line > 0)
		printf(":%ld", line);
	fputs(": ", stdout);
	pb_utf8_print(code, stdout);
	fputs(": ", stdout);
	pb_utf8_print(text, stdout);
	putchar('\n');
}

bool
pb_mapverb_lint(const char *name)
{
	if (pb_lint(name, print_finding, NULL) == 0)
		return true;
	pb_msg_status(PB_EXIT_REFUSED);
	return false;
}

static bool
say_status(enum pb_status st, const char *name)
{
	struct pb_fault f;

	if (st == PB_OK)
		return true;
	pb_fault_status(&f, name, NULL, st);
	pb_fault_say(&f);
	return false;
}

static bool
need_map(const struct pb_mapverb_opts *o, struct pb_mapmade *p)
{
	struct pb_fault f;

	if (pb_mapmade_need_map(p, &o->made, &f) == 0)
		return true;
	pb_fault_say(&f);
	return false;
}

static bool
need_maze(const char *name, struct pb_mapmade *p)
{
	struct pb_fault f;

	if (pb_mapmade_need_maze(p, name, &f) == 0)
		return true;
	pb_fault_say(&f);
	return false;
}

static bool
moves(const struct pb_mapverb_opts *o)
{
	const struct pb_mapfile_opts *file = &o->made.file;

	return file->resolution > 0 || file->has_origin || o->merge.n > 0 ||
	       pb_change_any(&o->change);
}

bool
pb_mapverb_changes(const struct pb_mapverb_opts *o, const struct pb_mapmade *p)
{
	return o->name != NULL || moves(o) ||
	       (o->as == PB_AS_MAP && !p->has_map) ||
	       (o->as == PB_AS_MAZE && !p->has_maze);
}

/* Add the map of a file to m. */
static bool
merge(struct pb_map *m, const struct pb_mapfile_opts *how, const char *path)
{
	struct pb_mapfile_opts o = *how;
	struct pb_mapfile_notes notes;
	struct pb_fault f;
	struct pb_map other, both;
	enum pb_status st;

	/* Those are of the first map. */
	o.resolution = 0;
	o.has_origin = false;
	if (pb_mapfile_read(path, &o, &other, &notes, &f) != 0) {
		pb_fault_say(&f);
		return false;
	}
	pb_maptell_notes(path, &notes);
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

bool
pb_mapverb_change(
    const struct pb_mapverb_opts *o, const char *name, struct pb_mapmade *p)
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
	pb_msg_refuse((struct pb_place){name, 0}, "%s",
	    o->change.crop ? "nothing of the map lies in the box of --crop"
			   : "all cells are unknown: nothing for --trim");
	return false;
}

bool
pb_mapverb_given(const struct pb_mapverb_opts *o)
{
	return o->check || o->validate || o->tell || o->against != NULL ||
	       o->output != NULL;
}

static bool
check_rules(const char *name, struct pb_mapmade *p)
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
validate(const char *name, const struct pb_mapmade *p)
{
	size_t n = p->has_map ? pb_map_cells(&p->map) : 0;

	if (!p->has_map && pb_maze_open_cells(&p->maze) > 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (pb_cell_free(p->map.cell[i]))
			return true;
	pb_msg_refuse((struct pb_place){name, 0}, "no free cell");
	return false;
}

static bool
save(const struct pb_map *m, const char *path)
{
	size_t lost = pb_mapfile_lost(path, m);
	struct pb_fault f;

	if (pb_mapfile_write(path, m, &f) != 0) {
		pb_fault_say(&f);
		return false;
	}
	if (lost > 0)
		pb_msg_warn((struct pb_place){path, 0},
		    "this kind of file cannot keep the values of %zu cells",
		    lost);
	return true;
}

static bool
compare(const struct pb_map *m, const char *path)
{
	struct pb_mapfile_notes notes;
	struct pb_fault f;
	struct pb_map other;

	if (pb_mapfile_read(path, NULL, &other, &notes, &f) != 0) {
		pb_fault_say(&f);
		return false;
	}
	pb_maptell_notes(path, &notes);
	pb_maptell_agree(stdout, m, &other);
	pb_map_clear(&other);
	return true;
}

static bool
save_board(const struct pb_maze *z, const char *path)
{
	struct pb_fault f;

	if (pb_boardfile_write(path, z, &f) == 0)
		return true;
	pb_fault_say(&f);
	return false;
}

static bool
write_record(const struct pb_mapverb_opts *o, const char *name,
    struct pb_mapmade *p, struct pb_text *out)
{
	bool maze = o->as == PB_AS_MAZE || (o->as == PB_AS_AUTO && p->has_maze);

	if (maze ? !need_maze(name, p) : !need_map(o, p))
		return false;
	if (maze)
		pb_put_maze(out, &p->maze);
	else
		pb_put_map(out, &p->map);
	return true;
}

bool
pb_mapverb_do(const struct pb_mapverb_opts *o, const char *name,
    struct pb_mapmade *p, struct pb_text *out)
{
	if (o->check)
		return check_rules(name, p);
	if (o->validate)
		return validate(name, p);
	if (o->tell)
		return need_map(o, p) &&
		       say_status(pb_maptell(stdout, &p->map), name);
	if (o->against != NULL)
		return need_map(o, p) && compare(&p->map, o->against);
	if (o->output != NULL && pb_boardfile_writable(o->output))
		return need_maze(name, p) && save_board(&p->maze, o->output);
	if (o->output != NULL)
		return need_map(o, p) && save(&p->map, o->output);
	return write_record(o, name, p, out);
}
