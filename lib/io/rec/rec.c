/* rec.c - any record: its type, reading, writing, clearing. */
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"

static const struct pb_schema *const schemas[PB_REC_TYPES] = {
    [PB_REC_MAP] = &pb_map_schema,
    [PB_REC_MAZE] = &pb_maze_schema,
    [PB_REC_PELLETS] = &pb_pellets_schema,
    [PB_REC_CMD] = &pb_cmd_schema,
    [PB_REC_POSE] = &pb_pose_schema,
    [PB_REC_ODOM] = &pb_odom_schema,
    [PB_REC_SCAN] = &pb_scan_schema,
    [PB_REC_FIX] = &pb_fix_schema,
    [PB_REC_TARGET] = &pb_target_schema,
    [PB_REC_SCORED] = &pb_scored_schema,
    [PB_REC_GOAL] = &pb_goal_schema,
    [PB_REC_PATH] = &pb_path_schema,
    [PB_REC_TWIST] = &pb_twist_schema,
    [PB_REC_OBSTACLE] = &pb_obstacle_schema,
    [PB_REC_TICK] = &pb_tick_schema,
    [PB_REC_MOVE] = &pb_move_schema,
    [PB_REC_JOY] = &pb_joy_schema,
    [PB_REC_DRAW] = &pb_draw_schema,
    [PB_REC_STATE] = &pb_state_schema,
    [PB_REC_EVENT] = &pb_event_schema,
    [PB_REC_LIGHT] = &pb_light_schema,
    [PB_REC_SOUND] = &pb_sound_schema,
    [PB_REC_MOTION] = &pb_motion_schema,
    [PB_REC_RESULT] = &pb_result_schema,
    [PB_REC_SUMMARY] = &pb_summary_schema,
    [PB_REC_COMPARISON] = &pb_comparison_schema,
    [PB_REC_BELIEF] = &pb_belief_schema,
    [PB_REC_PROVENANCE] = &pb_provenance_schema,
    [PB_REC_END] = &pb_end_schema,
    [PB_REC_TRAJECTORY] = &pb_trajectory_schema,
    [PB_REC_SPREAD] = &pb_spread_schema,
    [PB_REC_MESSAGE] = &pb_message_schema,
    [PB_REC_EXPERIMENT] = &pb_experiment_schema,
    [PB_REC_AGGREGATE] = &pb_aggregate_schema,
    [PB_REC_VERDICT] = &pb_verdict_schema,
    [PB_REC_PLAN] = &pb_plan_schema,
};

const char *
pb_rec_name(enum pb_rec_type type)
{
	return schemas[type] ? schemas[type]->name : "";
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
	strcpy(g->path, schemas[r->type]->name);
	r->stamp = pb_stamp_none();
	pb_get_real(g, "t", PB_OPTIONAL, &r->stamp.t);
	PB_GET_WORD(g, "id", PB_OPTIONAL, r->stamp.id);
	r->owns = true;
	pb_schema_get(g, schemas[r->type], &r->map);
	if (!g->ok)
		pb_rec_clear(r);
	return g->ok;
}

bool
pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_error *bad)
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
	else if (ok) /* see rec.h */
		r->stamp.t = json_is_number(pb_get_value(&g, "t"))
		                 ? json_number_value(pb_get_value(&g, "t"))
		                 : NAN;
	pb_json_close(&line);
	return ok;
}

struct pb_rec *
pb_rec_add(struct pb_rec_few *f, enum pb_rec_type type, struct pb_stamp s)
{
	struct pb_rec *r = &f->rec[f->n++];

	r->type = type;
	r->owns = true;
	r->stamp = s;
	return r;
}

void
pb_rec_clear(struct pb_rec *r)
{
	if (r->owns && r->type)
		pb_schema_clear(schemas[r->type], &r->map);
	r->owns = false;
	r->type = PB_REC_OTHER;
}

void
pb_rec_write(struct pb_text *o, const struct pb_rec *r)
{
	const struct pb_schema *y = schemas[r->type];

	if (y)
		pb_schema_put(
		    o, y, y->header ? pb_stamp_none() : r->stamp, &r->map);
}

void
pb_rec_put(
    struct pb_text *o, enum pb_rec_type type, struct pb_stamp s, const void *r)
{
	pb_schema_put(o, schemas[type], s, r);
}

void
pb_rec_none(enum pb_rec_type type, void *r)
{
	pb_schema_none(schemas[type], r);
}

void
pb_rec_list(void)
{
	for (int i = 1; i < PB_REC_TYPES; i++)
		pb_schema_list(schemas[i]);
}
