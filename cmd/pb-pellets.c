/*
 * pb-pellets - places pellets in the free space of the map on the stream, and
 * removes those that commands name. Reads map, cmd; writes pellets (and, with
 * -m, map).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/pellets.h"
#include "io/file/filter.h"
#include "io/file/mapfile.h"
#include "io/play/world.h"

struct opts {
	struct pb_pellet_opts lay;
	const char *map;
	bool from, keep; /* options given */
	struct pb_mapfile_opts pixels;
	struct pb_opt_common common;
};

/* The pellets left, and the input. */
struct keeper {
	const struct opts *o;
	struct pb_pellets set;
	bool laid;     /* pellets were placed */
	long replaced; /* pellets records of the input dropped */
};

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_pellet_opts *p = &o->lay;
	const struct pb_opt opt[] = {
	    PB_OPT_MAP(&o->map),
	    {"spacing", 0, PB_OPT_NUM, "m", "distance between rows and columns",
		&p->spacing, .min = 0.001, .max = 1e6},
	    {"clearance", 0, PB_OPT_NUM, "m",
		"half side of the square that must be free", &p->clearance,
		.min = 0, .max = 1e6},
	    {"center", 0, PB_OPT_FLAG, NULL,
		"place them at cell centres, not at upper left corners",
		&p->center},
	    {"reachable-from", 0, PB_OPT_PAIR, "X,Y",
		"leave out what a robot at X,Y cannot reach", &p->from,
		.min = -1e9, .max = 1e9, .seen = &o->from},
	    {"keep-unreachable", 0, PB_OPT_FLAG, NULL,
		"keep what no robot can reach, as published", &o->keep},
	    {"robot-radius", 0, PB_OPT_NUM, "m", "radius of the robot",
		&p->robot, .min = 0, .max = 1e6},
	    {"pickup", 0, PB_OPT_NUM, "m",
		"distance at which it collects a pellet", &p->pickup, .min = 0,
		.max = 1e6},
	    {"count", 'n', PB_OPT_INT, "n", "keep at most n; 0: all", &p->count,
		.min = 0, .max = PB_PELLETS_PICK},
	    PB_OPT_PIXELS(&o->pixels),
	    PB_OPT_LISTS,
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool = {
	    .purpose = "place pellets in the free space of a map",
	    .operands = "[file ...]",
	    .opt = opt,
	    .nopt = sizeof(opt) / sizeof(*opt)};
	int first = pb_opt_parse(&tool, argc, argv);

	if (first >= 0 && o->from && o->keep) {
		pb_msg_usage("--keep-unreachable: not with "
			     "--reachable-from");
		return -1;
	}
	p->reach = o->from   ? PB_REACH_FROM
	           : o->keep ? PB_REACH_ALL
	                     : PB_REACH_MAIN;
	/* Check that options about pixels apply: a map record already has free
	 * and occupied cells. */
	return first >= 0 &&
	               pb_mapfile_opts_fit(&o->pixels, o->map, "with --map")
	           ? first
	           : -1;
}

/* Write the pellets left. */
static void
write_set(struct pb_text *out, const struct pb_pellets *s, double t)
{
	struct pb_rec_pellets r = {
	    .pellet = pb_alloc(s->left + 1, sizeof(*r.pellet))};

	for (size_t i = 0; i < s->n; i++)
		if (!s->gone[i])
			r.pellet[r.n++] =
			    (struct pb_rec_pellet){.id = s->all[i].id,
				.x = s->all[i].at.x,
				.y = s->all[i].at.y};
	pb_rec_put(out, PB_REC_PELLETS, pb_stamp_at(t, NULL), &r);
	free(r.pellet);
}

/* Describe where the robot starts. */
static const char *
describe_start(const struct pb_pellet_opts *o, char *text, size_t size)
{
	if (o->reach == PB_REACH_FROM)
		snprintf(text, size, "from (%g, %g)", o->from.x, o->from.y);
	else
		snprintf(text, size, "by a robot of radius %g m", o->robot);
	return text;
}

/* Explain why no pellet could be placed; fills in bad, returns false. */
static bool
explain_none(enum pb_status st, size_t unreachable, const struct pb_map *m,
    const struct pb_pellet_opts *o, struct pb_error *bad)
{
	char where[80], hint[80] = "";
	double spacing;
	size_t n;

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st == PB_ENOFREE)
		return pb_error_set(bad, "map: no free cell");
	if (st == PB_EWALL)
		return pb_error_set(bad,
		    "map: a robot of radius %g m does not fit at (%g, %g)",
		    o->robot, o->from.x, o->from.y);
	if (st == PB_ESIZE)
		return pb_error_set(bad,
		    "map: more than %d pellets; make --spacing larger",
		    PB_PELLETS_MAX);
	if (st != PB_OK)
		return pb_error_set(bad, "map: %s", pb_status_text(st));
	if (m->origin.th != 0 && !o->center)
		snprintf(hint, sizeof(hint), "; see --center");
	else if ((spacing = pb_pellets_spacing(m, o, &n)) > 0)
		snprintf(
		    hint, sizeof(hint), "; --spacing %g lays %zu", spacing, n);
	if (unreachable > 0)
		return pb_error_set(bad,
		    "map: none of %zu pellets can be reached %s%s", unreachable,
		    describe_start(o, where, sizeof(where)), hint);
	return pb_error_set(bad,
	    "map: no pellet fits with spacing %g m and clearance %g m%s",
	    o->spacing, o->clearance, hint);
}

static bool
place_pellets(struct keeper *k, const struct pb_map *m, struct pb_error *bad)
{
	const struct pb_pellet_opts *o = &k->o->lay;
	struct pb_pellets s = {0};
	char where[80];
	enum pb_status st = pb_pellets_lay(&s, m, o);

	if (s.n == 0) {
		explain_none(st, s.unreachable, m, o, bad);
		pb_pellets_clear(&s);
		return false;
	}
	if (o->reach == PB_REACH_FROM || s.unreachable > 0)
		pb_msg_note("%zu of %zu pellets left out, out of reach %s",
		    s.unreachable, s.unreachable + s.n,
		    describe_start(o, where, sizeof(where)));
	if (m->origin.th != 0 && !o->center)
		pb_msg_note("the map is turned by %g rad, but not its pellets: "
			    "see --center",
		    m->origin.th);
	pb_pellets_clear(&k->set);
	k->set = s;
	k->laid = true;
	return true;
}

/* Remove a pellet; *same: it was removed before. */
static bool
remove_one(struct pb_filter *f, const struct pb_rec_cmd *cmd, bool *same,
    struct pb_error *bad)
{
	struct keeper *k = f->user;
	int id;

	if (cmd->kind != PB_VALUE_NUM || cmd->num != floor(cmd->num))
		return pb_error_set(
		    bad, "cmd.value: expected the number of a pellet");
	if (cmd->num < 0 || cmd->num >= (double)k->set.n)
		return pb_error_set(bad,
		    "cmd.value: no pellet %.0f; they are numbered 0 to %zu",
		    cmd->num, k->set.n - 1);
	id = (int)cmd->num;
	*same = pb_pellets_remove(&k->set, id) != PB_OK;
	if (*same)
		pb_msg_warn(f->line.at, "pellet %d is gone already", id);
	return true;
}

static bool
handle_cmd(struct pb_filter *f, const struct pb_rec *r, struct pb_error *bad)
{
	struct keeper *k = f->user;
	bool removes = strcmp(r->cmd.name, "remove_pellet") == 0;
	bool same = !removes && strcmp(r->cmd.name, "reset_pellets") != 0;

	if (!same && !k->laid)
		return pb_error_set(
		    bad, "cmd: %s comes before any map", r->cmd.name);
	if (removes) {
		if (!remove_one(f, &r->cmd, &same, bad))
			return false;
	} else if (!same) {
		pb_pellets_reset(&k->set);
	}
	pb_filter_pass(f);
	if (!same)
		write_set(&f->out, &k->set, r->stamp.t);
	return true;
}

static bool
handle_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct keeper *k = f->user;

	switch (r->type) {
	case PB_REC_MAP:
		if (!place_pellets(k, &r->map, bad))
			return false;
		pb_filter_pass(f);
		write_set(&f->out, &k->set, r->stamp.t);
		return true;
	/* A command is written before its effect. */
	case PB_REC_CMD:
		return handle_cmd(f, r, bad);
	default: /* pellets of another program: ours replace them */
		k->replaced++;
		return true;
	}
}

/* Load the map of -m; write it and its pellets. */
static bool
load_map(struct keeper *k)
{
	struct pb_world w = {.has_map = false};
	struct pb_place at = {k->o->map, 0};
	struct pb_text out = {.to = stdout};
	struct pb_error bad = {""};
	bool good;

	if (!pb_world_file(&w, k->o->map, &k->o->pixels))
		return false;
	good = place_pellets(k, &w.map, &bad);
	if (good) {
		pb_rec_put(&out, PB_REC_MAP, pb_stamp_none(), &w.map);
		write_set(&out, &k->set, NAN);
	} else {
		pb_msg_error_at(at, &bad);
	}
	pb_text_clear(&out);
	pb_world_clear(&w);
	return good;
}

static void
run_stream(const struct opts *o, char **files, int n)
{
	struct keeper k = {.o = o};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAP) |
	                              PB_REC_BIT(PB_REC_CMD) |
	                              PB_REC_BIT(PB_REC_PELLETS),
	    .passes = true,
	    .common = &o->common,
	    .take = handle_record,
	    .user = &k};

	if (o->map != NULL && (!load_map(&k) || n == 0)) {
		pb_pellets_clear(&k.set);
		return;
	}
	if (pb_filter_run(&f, files, n) && !k.laid && f.refused == 0)
		pb_world_no_map(files, n, f.seen);
	if (k.replaced > 0)
		pb_msg_note(
		    "%ld pellets records of the input left out", k.replaced);
	pb_pellets_clear(&k.set);
}

int
main(int argc, char **argv)
{
	struct opts o = {
	    .lay = pb_pellet_defaults(), .pixels = pb_mapfile_defaults()};
	int first;

	pb_msg_start(argv[0]);
	first = parse_args(&o, argc, argv);
	if (first >= 0)
		run_stream(&o, argv + first, argc - first);
	return pb_msg_finish();
}
