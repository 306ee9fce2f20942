/* rec.c - any record: its type, reading, writing, clearing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/schema.h"

/* A reader and a writer of any record from those of its kind. */
#define READER(kind)                                               \
	static void get_##kind(struct pb_get *g, struct pb_rec *r) \
	{                                                          \
		pb_get_##kind(g, &r->kind);                        \
	}
#define BODY(kind)                                                        \
	READER(kind)                                                      \
	static void put_##kind(struct pb_text *o, const struct pb_rec *r) \
	{                                                                 \
		pb_put_##kind(o, r->stamp, &r->kind);                     \
	}
#define HEADER(kind) /* neither time nor body */                          \
	READER(kind)                                                      \
	static void put_##kind(struct pb_text *o, const struct pb_rec *r) \
	{                                                                 \
		pb_put_##kind(o, &r->kind);                               \
	}

HEADER(map)
HEADER(maze)
BODY(pellets)
BODY(cmd)
BODY(pose)
BODY(odom)
BODY(scan)
BODY(fix)
BODY(belief)
BODY(trajectory)
BODY(spread)
BODY(target)
BODY(scored)
BODY(goal)
BODY(path)
BODY(twist)
BODY(obstacle)
BODY(tick)
BODY(move)
BODY(joy)
BODY(message)
BODY(draw)
BODY(state)
READER(event)
HEADER(provenance)
HEADER(finish)
HEADER(experiment)

static void
put_event(struct pb_text *o, const struct pb_rec *r)
{
	pb_put_event(o, r->type, r->stamp, &r->event);
}

static const struct {
	const char *name;
	void (*get)(struct pb_get *g, struct pb_rec *r);
	void (*put)(struct pb_text *o, const struct pb_rec *r);
	const struct pb_schema *schema;
} kinds[PB_REC_TYPES] = {
    [PB_REC_OTHER] = {"", NULL, NULL},
    [PB_REC_MAP] = {"map", get_map, put_map},
    [PB_REC_MAZE] = {"maze", get_maze, put_maze},
    [PB_REC_PELLETS] = {"pellets", get_pellets, put_pellets},
    [PB_REC_CMD] = {"cmd", get_cmd, put_cmd},
    [PB_REC_POSE] = {"pose", get_pose, put_pose},
    [PB_REC_ODOM] = {"odom", get_odom, put_odom},
    [PB_REC_SCAN] = {"scan", get_scan, put_scan},
    [PB_REC_FIX] = {"fix", get_fix, put_fix},
    [PB_REC_TARGET] = {"target", get_target, put_target},
    [PB_REC_SCORED] = {"scored", get_scored, put_scored},
    [PB_REC_GOAL] = {"goal", get_goal, put_goal},
    [PB_REC_PATH] = {"path", get_path, put_path},
    [PB_REC_TWIST] = {"twist", get_twist, put_twist},
    [PB_REC_OBSTACLE] = {"obstacle", get_obstacle, put_obstacle},
    [PB_REC_TICK] = {"tick", get_tick, put_tick},
    [PB_REC_MOVE] = {"move", get_move, put_move},
    [PB_REC_JOY] = {"joy", get_joy, put_joy},
    [PB_REC_DRAW] = {"draw", get_draw, put_draw},
    [PB_REC_STATE] = {"state", get_state, put_state},
    [PB_REC_EVENT] = {"event", get_event, put_event},
    [PB_REC_LIGHT] = {"light", get_event, put_event},
    [PB_REC_SOUND] = {"sound", get_event, put_event},
    [PB_REC_MOTION] = {"motion", get_event, put_event},
    [PB_REC_RESULT] = {.schema = &pb_result_schema},
    [PB_REC_SUMMARY] = {.schema = &pb_summary_schema},
    [PB_REC_COMPARISON] = {.schema = &pb_comparison_schema},
    [PB_REC_BELIEF] = {"belief", get_belief, put_belief},
    [PB_REC_PROVENANCE] = {"provenance", get_provenance, put_provenance},
    [PB_REC_END] = {"end", get_finish, put_finish},
    [PB_REC_TRAJECTORY] = {"trajectory", get_trajectory, put_trajectory},
    [PB_REC_SPREAD] = {"spread", get_spread, put_spread},
    [PB_REC_MESSAGE] = {"message", get_message, put_message},
    [PB_REC_EXPERIMENT] = {"experiment", get_experiment, put_experiment},
    [PB_REC_AGGREGATE] = {.schema = &pb_aggregate_schema},
    [PB_REC_VERDICT] = {.schema = &pb_verdict_schema},
    [PB_REC_PLAN] = {.schema = &pb_plan_schema},
};

const char *
pb_rec_name(enum pb_rec_type type)
{
	return kinds[type].schema ? kinds[type].schema->name : kinds[type].name;
}

enum pb_rec_type
pb_rec_type_of(const char *name)
{
	for (int i = 1; i < PB_REC_TYPES; i++)
		if (strcmp(pb_rec_name((enum pb_rec_type)i), name) == 0)
			return (enum pb_rec_type)i;
	return PB_REC_OTHER;
}

static bool
read_type(struct pb_get *g, enum pb_rec_type *type)
{
	const char *name = pb_json_text(pb_get_value(g, "type"));

	if (name)
		*type = pb_rec_type_of(name);
	else
		pb_get_fail(g, "type", "a string");
	return name;
}

/* Read the rest of a record of r->type. */
static bool
read_record(struct pb_get *g, struct pb_rec *r)
{
	const struct pb_schema *y = kinds[r->type].schema;

	strcpy(g->path, pb_rec_name(r->type));
	r->stamp = pb_stamp_none();
	pb_get_real(g, "t", PB_OPTIONAL, &r->stamp.t);
	PB_GET_WORD(g, "id", PB_OPTIONAL, r->stamp.id);
	r->owns = true;
	if (y)
		pb_schema_get(g, y, &r->map);
	else
		kinds[r->type].get(g, r);
	if (!g->ok)
		pb_rec_clear(r);
	return g->ok;
}

/* The time of a record whose rest is not wanted, NAN if it has none. */
static double
peek_time(const struct pb_get *g)
{
	const json_t *t = pb_get_value(g, "t");

	return json_is_number(t) ? json_number_value(t) : NAN;
}

bool
pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_bad *bad)
{
	struct pb_json line;
	struct pb_get g;
	bool ok;

	r->type = PB_REC_OTHER;
	r->owns = false;
	if (!pb_json_open(&line, s, n, "record", &g, bad))
		return false;
	ok = read_type(&g, &r->type);
	if (ok && (want & PB_REC_BIT(r->type) & PB_REC_ALL))
		ok = read_record(&g, r);
	else if (ok)
		r->stamp.t = peek_time(&g);
	pb_json_close(&line);
	return ok;
}

void
pb_rec_clear(struct pb_rec *r)
{
	const struct pb_schema *y = kinds[r->type].schema;

	if (r->owns && y && y->clear)
		y->clear(&r->map);
	else if (r->owns)
		switch (r->type) {
		case PB_REC_MAP:
			pb_map_clear(&r->map);
			break;
		case PB_REC_PELLETS:
			free(r->pellets.pellet);
			break;
		case PB_REC_SCAN:
			free(r->scan.range);
			break;
		case PB_REC_SCORED:
			free(r->scored.pellet);
			break;
		case PB_REC_PATH:
			free(r->path.point);
			break;
		case PB_REC_OBSTACLE:
			free(r->obstacle.point);
			break;
		case PB_REC_BELIEF:
			free(r->belief.particle);
			break;
		case PB_REC_PROVENANCE:
			pb_provenance_clear(&r->provenance);
			break;
		case PB_REC_EXPERIMENT:
			pb_experiment_clear(&r->experiment);
			break;
		default:
			break;
		}
	r->owns = false;
	r->type = PB_REC_OTHER;
}

void
pb_rec_write(struct pb_text *o, const struct pb_rec *r)
{
	const struct pb_schema *y = kinds[r->type].schema;

	if (y)
		pb_schema_put(
		    o, y, y->header ? pb_stamp_none() : r->stamp, &r->map);
	else if (kinds[r->type].put)
		kinds[r->type].put(o, r);
}
