/* game_records.c - records of bodies, sensors, estimates, games and commands;
 * of trials, their summaries and comparisons, and the origin of output. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"
#include "io/stream/line.h"
#include "io/stream/text.h"

/* A covariance of x, y, theta, written exactly: a variance of 1 mm2 is 1e-6,
 * the unit of rounding. */
#define COV(need, ...)                                            \
	TUPLES("cov", cov, need, ANY, .all = true, .exact = true, \
	    .expected = "3 rows of 3 numbers", __VA_ARGS__)

#define PB_OF struct pb_rec_pose
static const struct pb_field pose_rows[] = {
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
    ANGLE_UNLESS("theta", theta, no_theta),
    TEXT("source", source, OPTIONAL),
    TEXT("status", status, OPTIONAL),
    NUM_IF("fit", fit, has_fit, SHARE, NULL),
    NUM("jump", jump, NONZERO, NOT_NEGATIVE, "m"),
    COV(GIVEN, .other = PB_AT(bool, has_cov)),
};
#undef PB_OF

#define PB_OF struct pb_rec_odom
static const struct pb_field odom_rows[] = {
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
    ANGLE("theta", theta, REQUIRED),
    NUM("v", v, OPTIONAL, ANY, "m/s"),
    NUM("w", w, OPTIONAL, ANY, "rad/s"),
};
#undef PB_OF

struct pb_scan
pb_rec_as_scan(const struct pb_rec_scan *c)
{
	return (struct pb_scan){.angle_min = c->angle_min,
	    .inc = c->angle_increment,
	    .range_min = isnan(c->range_min) ? 0 : c->range_min,
	    .range_max = isnan(c->range_max) ? INFINITY : c->range_max,
	    .radius = c->radius,
	    .mount = c->mount,
	    .range = c->range,
	    .n = c->n};
}

static void
write_ranges(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_scan *c = r;

	pb_put_key(o, f->key);
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < c->n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_num(o, c->range[i] < 0 ? NAN : c->range[i]);
	}
	pb_text_put(o, "]", 1);
}

/* Whether a range is a return: positive and below range_max. */
static bool
is_return(const struct pb_rec_scan *c, double r)
{
	return isfinite(r) && r > 0 && !(r > c->range_max) &&
	       !(r < c->range_min);
}

static void
read_ranges(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_scan *c = r;

	pb_get_list(g, f->key, f->need, PB_REC_BEAMS_MAX, &c->range, &c->n);
	for (size_t i = 0; i < c->n; i++) {
		if (isfinite(c->range[i]))
			c->longest = fmax(c->longest, c->range[i]);
		if (!is_return(c, c->range[i]))
			c->range[i] = NAN;
	}
}

/* Write the indices of failed beams, if any. */
static void
write_errors(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_scan *c = r;
	bool any = false;

	for (size_t i = 0; i < c->n; i++) {
		if (!(c->range[i] < 0))
			continue;
		if (!any)
			pb_put_key(o, f->key);
		pb_text_put(o, any ? "," : "[", 1);
		pb_text_num(o, (double)i);
		any = true;
	}
	if (any)
		pb_text_put(o, "]", 1);
}

/* Mark failed beams; their row follows that of the ranges. */
static void
read_errors(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_scan *c = r;
	struct pb_walk w;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	while (pb_walk_next(g, &w)) {
		long i;

		if (!pb_json_long(w.at, &i) || i < 0 || (size_t)i >= c->n)
			pb_walk_fail(g, &w, "the number of a beam, from 0 on");
		else
			c->range[i] = -1;
	}
}

static void
clear_ranges(void *scan)
{
	free(((struct pb_rec_scan *)scan)->range);
}

static const struct pb_codec ranges = {write_ranges, read_ranges, clear_ranges};
static const struct pb_codec errors = {write_errors, read_errors, NULL};

#define PB_OF struct pb_rec_scan
static const struct pb_field scan_rows[] = {
    /* Exact: rounding to 1e-6 would be 3e-4 rad off at beam 360. */
    EXACT("angle_min", angle_min, REQUIRED, ANY, "rad"),
    EXACT("angle_increment", angle_increment, REQUIRED, ANY, "rad"),
    NUM("angle_max", angle_max, READ, ANY, "rad"),
    NUM("range_min", range_min, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("range_max", range_max, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("radius", radius, NONZERO, NOT_NEGATIVE, "m"),
    POSE("mount", mount, OPTIONAL, false),
    CODEC_OF_ALL("ranges", REQUIRED, ranges, "m"),
    CODEC_OF_ALL("errors", OPTIONAL, errors, NULL),
};
#undef PB_OF

#define PB_OF struct pb_rec_fix
static const struct pb_field fix_rows[] = {
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
};
#undef PB_OF

#define PB_OF struct pb_rec_twist
static const struct pb_field twist_rows[] = {
    NUM("v", v, REQUIRED, ANY, "m/s"),
    NUM("w", w, REQUIRED, ANY, "rad/s"),
};
#undef PB_OF

#define PB_OF struct pb_rec_goal
static const struct pb_field goal_rows[] = {
    TEXT("kind", kind, OPTIONAL),
    TEXT("status", status, OPTIONAL),
    WHOLE("pellet", pellet, OPTIONAL, COUNT),
    NUM("x", x, OPTIONAL, ANY, "m"),
    NUM("y", y, OPTIONAL, ANY, "m"),
    ANGLE("theta", theta, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_rec_points
static const struct pb_field path_rows[] = {
    POINTS("points", point, n, REQUIRED, "m"),
};
#undef PB_OF

#define PB_OF struct pb_rec_obstacle
static const struct pb_field obstacle_rows[] = {
    NUM("x", x, OPTIONAL, ANY, "m"),
    NUM("y", y, OPTIONAL, ANY, "m"),
    NUM("radius", radius, OPTIONAL, NOT_NEGATIVE, "m"),
    POINTS("points", point, n, OPTIONAL, "m"),
};

/* An obstacle without a cloud must be a complete disc. */
static void
check_obstacle(struct pb_get *g, void *at)
{
	struct pb_rec_obstacle *b = at;
	enum pb_need disc = b->n > 0 ? PB_OPTIONAL : PB_REQUIRED;

	pb_get_real(g, "x", disc, &b->x);
	pb_get_real(g, "y", disc, &b->y);
	pb_get_num(g, "radius", disc, 0, INFINITY, &b->radius);
}
#undef PB_OF

#define PB_OF struct pb_hypothesis
static const struct pb_field hypothesis_rows[] = {
    NUM("x", pose.x, REQUIRED, ANY, "m"),
    NUM("y", pose.y, REQUIRED, ANY, "m"),
    ANGLE("theta", pose.th, REQUIRED),
    NUM("weight", weight, REQUIRED, SHARE, NULL),
    COV(REQUIRED, .other = 0),
};
#undef PB_OF

#define PB_OF struct pb_rec_belief
static const struct pb_field belief_rows[] = {
    TEXT("status", status, REQUIRED),
    LIST("hypotheses", at, n, REQUIRED, PB_LOC_HYPOTHESES, "at most 8 of them",
	hypothesis_rows),
    POINTS("particles", particle, particles, OPTIONAL, NULL),
};
#undef PB_OF

#define PB_OF struct pb_traj_error
static const struct pb_field error_rows[] = {
    WHOLE("n", n, REQUIRED, COUNT),
    NUM("rmse", place.rmse, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("mean", place.mean, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("median", place.median, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("max", place.max, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("turn_rmse", turn.rmse, OPTIONAL, NOT_NEGATIVE, "rad"),
    NUM("turn_mean", turn.mean, OPTIONAL, NOT_NEGATIVE, "rad"),
    NUM("turn_median", turn.median, OPTIONAL, NOT_NEGATIVE, "rad"),
    NUM("turn_max", turn.max, OPTIONAL, NOT_NEGATIVE, "rad"),
};
#undef PB_OF

#define PB_OF struct pb_rec_trajectory
static const struct pb_field trajectory_rows[] = {
    WHOLE("pairs", report.pairs, REQUIRED, COUNT),
    WHOLE("alone", report.alone, ALWAYS, COUNT),
    WHOLE("between", report.between, NONZERO, COUNT),
    WHOLE("reference", report.reference, ALWAYS, COUNT),
    FLAG("numbered", report.numbered, OPTIONAL),
    NUM("duration", report.duration, ALWAYS, NOT_NEGATIVE, "s"),
    NUM("length", report.length, ALWAYS, NOT_NEGATIVE, "m"),
    OBJECT("ate", report.ate, REQUIRED, error_rows),
    POSE("shift", report.shift, ALWAYS, false),
    OBJECT("aligned", report.ate_best, REQUIRED, error_rows),
    OBJECT("rpe_s", report.rpe_s, ALWAYS, error_rows),
    OBJECT("rpe_m", report.rpe_m, ALWAYS, error_rows),
    NUM("found", report.found, OPTIONAL, NOT_NEGATIVE, "s"),
    NUM("lost", report.lost, ALWAYS, SHARE, NULL),
    NUM("ambiguous", report.ambiguous, ALWAYS, SHARE, NULL),
    NUM("unmapped", report.unmapped, NONZERO, SHARE, NULL),
    WHOLE("wrong", report.wrong, ALWAYS, COUNT),
    NUM("max_dt", opts.max_dt, ALWAYS, NOT_NEGATIVE, "s"),
    NUM("max_gap", opts.max_gap, ALWAYS, NOT_NEGATIVE, "s"),
    NUM("near", opts.near, ALWAYS, NOT_NEGATIVE, "m"),
    NUM("near_turn", opts.near_turn, ALWAYS, NOT_NEGATIVE, "rad"),
    NUM("step_s", opts.step_s, ALWAYS, NOT_NEGATIVE, "s"),
    NUM("step_m", opts.step_m, ALWAYS, NOT_NEGATIVE, "m"),
    TEXT("version", version, OPTIONAL),
};

#undef PB_OF

#define PB_OF struct pb_span
static const struct pb_field span_rows[] = {
    NUM("mean", mean, REQUIRED, ANY, NULL),
    NUM("sd", sd, REQUIRED, ANY, NULL),
    NUM("min", min, REQUIRED, ANY, NULL),
    NUM("max", max, REQUIRED, ANY, NULL),
};
#undef PB_OF

#define PB_OF struct pb_claims
static const struct pb_field claims_rows[] = {
    WHOLE("estimates", n, REQUIRED, COUNT),
    NUM("duration", duration, ALWAYS, NOT_NEGATIVE, "s"),
    NUM("way", way, ALWAYS, NOT_NEGATIVE, "m"),
    NUM("tracking", time[PB_LOC_TRACKING], OPTIONAL, SHARE, NULL),
    NUM("ambiguous", time[PB_LOC_AMBIGUOUS], OPTIONAL, SHARE, NULL),
    NUM("unmapped", time[PB_LOC_UNMAPPED], OPTIONAL, SHARE, NULL),
    NUM("lost", time[PB_LOC_LOST], OPTIONAL, SHARE, NULL),
    NUM("tracking_way", gone[PB_LOC_TRACKING], OPTIONAL, SHARE, NULL),
    NUM("ambiguous_way", gone[PB_LOC_AMBIGUOUS], OPTIONAL, SHARE, NULL),
    NUM("unmapped_way", gone[PB_LOC_UNMAPPED], OPTIONAL, SHARE, NULL),
    NUM("lost_way", gone[PB_LOC_LOST], OPTIONAL, SHARE, NULL),
    NUM("known_s", known_s, OPTIONAL, NOT_NEGATIVE, "s"),
    NUM("known_m", known_m, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("fit", fit, OPTIONAL, SHARE, NULL),
};
#undef PB_OF

#define PB_OF struct pb_timed
static const struct pb_field timed_rows[] = {
    NUM("t", t, OPTIONAL, ANY, "s"),
    NUM("x", p.x, REQUIRED, ANY, "m"),
    NUM("y", p.y, REQUIRED, ANY, "m"),
    NUM("jump", jump, NONZERO, NOT_NEGATIVE, "m"),
};
#undef PB_OF

#define EVENTS(key, m) \
	LIST(key, m.at, m.n, OPTIONAL, PB_REC_POINTS_MAX, NULL, timed_rows)

#define THREE(key, m) REALS(key, m, OPTIONAL, 3)

#define PB_OF struct pb_rec_spread
static const struct pb_field spread_rows[] = {
    TEXT("of", of, REQUIRED),
    TEXT("file", file, OPTIONAL),
    WHOLE("poses", scatter.n, REQUIRED, COUNT),
    THREE("mean", scatter.mean),
    THREE("sd", scatter.sd),
    NUM("radial_mean", scatter.radial_mean, OPTIONAL, ANY, "m"),
    NUM("radial_max", scatter.radial_max, OPTIONAL, ANY, "m"),
    NUM("turn_max", scatter.turn_max, OPTIONAL, ANY, "rad"),
    NUM("apart_mean", scatter.apart_mean, OPTIONAL, ANY, "m"),
    NUM("apart_max", scatter.apart_max, OPTIONAL, ANY, "m"),
    NUM("duration", scatter.duration, OPTIONAL, ANY, "s"),
    OBJECT("dt", scatter.dt, OPTIONAL, span_rows),
    OBJECT("step", scatter.step, OPTIONAL, span_rows),
    OBJECT("turn", scatter.turn, OPTIONAL, span_rows),
    THREE("sigma", scatter.sigma),
    THREE("end", scatter.end),
    OBJECT("claims", claims, NONZERO, claims_rows),
    EVENTS("jumps", claims.jump),
    EVENTS("lost_at", claims.lost),
    EVENTS("unmapped_at", claims.unmapped),
    TEXT("version", version, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_relation_errors
static const struct pb_field relation_rows[] = {
    OBJECT("m", m, REQUIRED, span_rows),
    OBJECT("m2", m2, REQUIRED, span_rows),
    OBJECT("turn", turn, REQUIRED, span_rows),
    OBJECT("turn2", turn2, REQUIRED, span_rows),
};
#undef PB_OF

#define PB_OF struct pb_rec_relations
static const struct pb_field relations_rows[] = {
    TEXT("file", file, OPTIONAL),
    TEXT("of", of, OPTIONAL),
    WHOLE("relations", report.n, REQUIRED, COUNT),
    WHOLE("poses", report.poses, ALWAYS, COUNT),
    WHOLE("odometry", report.odometry, ALWAYS, COUNT),
    WHOLE("far", report.far, ALWAYS, COUNT),
    WHOLE("repeated", report.repeated, ALWAYS, COUNT),
    NUM("gap", report.gap, ALWAYS, NOT_NEGATIVE, "s"),
    OBJECT("nearest", report.nearest, REQUIRED, relation_rows),
    TEXT("version", version, OPTIONAL),
};
#undef PB_OF

bool
pb_rec_settle(struct pb_rec *r, struct pb_error *bad)
{
	struct pb_rec_pose *p = &r->pose;
	struct pb_rec_scan *c = &r->scan;
	const struct pb_rec_goal *g = &r->goal;
	const char *wrong;

	r->stamp.t = pb_num_rounded(r->stamp.t);
	if (r->type == PB_REC_POSE) {
		p->no_theta |= !isfinite(p->theta);
		p->theta = p->no_theta ? 0 : p->theta;
	}
	wrong = pb_schema_settle(&pb_game_schemas[r->type], &r->map);
	if (r->type == PB_REC_GOAL) /* a goal without status, sent to a robot,
	                               needs all of: */
		wrong = isnan(g->x)       ? "x"
		        : isnan(g->y)     ? "y"
		        : isnan(g->theta) ? "theta"
		                          : NULL;
	if (r->type == PB_REC_SCAN)
		c->angle_max = NAN;
	for (size_t i = 0; r->type == PB_REC_SCAN && i < c->n; i++) {
		double d = pb_num_rounded(c->range[i]);

		c->range[i] = c->range[i] < 0 ? -1 : is_return(c, d) ? d : NAN;
	}
	return !wrong ||
	       pb_error_set(bad, "%s.%s: expected a number, got nothing",
		   pb_rec_name(r->type), wrong);
}

/* The JSON type of a command's value depends on the command: point, pellet or
 * speed. */
static void
write_value(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_cmd *c = r;

	if (c->kind == PB_VALUE_TEXT)
		pb_put_text(o, f->key, c->text);
	else if (c->kind == PB_VALUE_NUM)
		pb_put_num(o, f->key, c->num);
	else if (c->kind == PB_VALUE_POINT)
		pb_put_nums(o, f->key, (double[]){c->point.x, c->point.y}, 2);
}

static void
read_value(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_cmd *c = r;
	const struct pb_json_value *v = pb_get_value(g, f->key);
	double p[2] = {0};

	if (!v)
		return;
	if (pb_json_is(v, PB_JSON_STRING)) {
		c->kind = PB_VALUE_TEXT;
		PB_GET_WORD(g, f->key, f->need, c->text);
	} else if (pb_json_is(v, PB_JSON_ARRAY)) {
		c->kind = PB_VALUE_POINT;
		pb_get_nums(g, f->key, f->need, 2, p);
		c->point = (struct pb_vec){p[0], p[1]};
	} else if (pb_json_is_number(v)) {
		c->kind = PB_VALUE_NUM;
		pb_get_real(g, f->key, f->need, &c->num);
	} else {
		pb_get_fail(g, f->key, "a string, a number or [x, y]");
	}
}

static const struct pb_codec command_value = {write_value, read_value, NULL};

#define PB_OF struct pb_rec_cmd
static const struct pb_field cmd_rows[] = {
    TEXT("name", name, REQUIRED),
    CODEC_OF_ALL("value", OPTIONAL, command_value, NULL),
};
#undef PB_OF

#define PB_OF struct pb_rec_state
static const struct pb_field state_rows[] = {
    TEXT("state", state, REQUIRED),
    WHOLE("round", round, OPTIONAL, COUNT),
    WHOLE("spawned", spawned, OPTIONAL, COUNT),
    WHOLE("collected", collected, OPTIONAL, COUNT),
    WHOLE("score", score, OPTIONAL, COUNT),
    TEXT("result", result, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_rec_event
static const struct pb_field event_rows[] = {
    TEXT("name", name, REQUIRED),
    WHOLE("pellet", pellet, OPTIONAL, COUNT),
    TEXT("text", text, OPTIONAL),
    NUM("duration", duration, OPTIONAL, NOT_NEGATIVE, "s"),
    NUM("w", w, OPTIONAL, ANY, "rad/s"),
    /* The ring has 6 LEDs with 3 colours of 8 bits: all are set, or none. */
    TUPLES("leds", led, OPTIONAL, BETWEEN(0, 255), PB_COUNTED(leds),
	.all = true, .expected = "6 colours", .item = "numbers from 0 to 255"),
    TUPLES("notes", note, OPTIONAL, NOT_NEGATIVE, PB_COUNTED(notes),
	.expected = "at most 64 notes", .item = "a pitch and a length"),
};
#undef PB_OF

#define PB_OF struct pb_rec_pellet
static const struct pb_field pellet_rows[] = {
    WHOLE("id", id, REQUIRED, COUNT),
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
    CHOICE("kind", power, ALWAYS, "pellet|power", "\"pellet\" or \"power\""),
};
#undef PB_OF

#define PB_OF struct pb_rec_pellets
static const struct pb_field pellets_rows[] = {
    LIST("pellets", pellet, n, REQUIRED, PB_REC_PELLETS_MAX, NULL, pellet_rows),
};

static int
compare_values(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Refuse equal ids. All tools of pb write them sorted; others are copied and
 * sorted. */
static void
refuse_equal_ids(struct pb_get *g, void *at)
{
	const struct pb_rec_pellets *p = at;
	bool rising = true;
	long *id;

	for (size_t i = 1; i < p->n; i++)
		rising = rising && p->pellet[i - 1].id < p->pellet[i].id;
	if (rising)
		return;
	id = pb_alloc(p->n, sizeof(*id));
	for (size_t i = 0; i < p->n; i++)
		id[i] = p->pellet[i].id;
	qsort(id, p->n, sizeof(*id), compare_values);
	for (size_t i = 1; *g->ok && i < p->n; i++)
		if (id[i] == id[i - 1])
			*g->ok = pb_error_set(g->bad,
			    "pellets.pellets: expected unlike ids, got two of "
			    "%ld",
			    id[i]);
	free(id);
}
#undef PB_OF

#define PB_OF struct pb_rec_target
static const struct pb_field target_rows[] = {
    WHOLE("pellet", pellet, NULLED, COUNT),
    NUM("x", x, OPTIONAL, ANY, "m"),
    NUM("y", y, OPTIONAL, ANY, "m"),
    NUM("total", total, OPTIONAL, ANY, "m"),
    TEXT("why", why, OPTIONAL),
    FLAG("threat", threat, ALWAYS),
    FLAG("changed", changed, ALWAYS),
};
#undef PB_OF

#define PB_OF struct pb_rec_score
static const struct pb_field score_rows[] = {
    WHOLE("id", id, REQUIRED, COUNT),
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
    NUM("distance", distance, REQUIRED, ANY, "m"),
    NUM("risk", risk, REQUIRED, ANY, "m"),
    NUM("direction", direction, REQUIRED, ANY, "m"),
    NUM("total", total, REQUIRED, ANY, "m"),
    FLAG("safe", safe, ALWAYS),
    FLAG("excluded", excluded, ALWAYS),
};
#undef PB_OF

#define PB_OF struct pb_rec_scored
static const struct pb_field scored_rows[] = {
    FLAG("threat", threat, ALWAYS),
    LIST("pellets", pellet, n, REQUIRED, PB_REC_PELLETS_MAX, NULL, score_rows),
};
#undef PB_OF

/* Place of a body after the next update. */
#define PB_OF struct pb_seen_body
static const struct pb_field next_rows[] = {
    WHOLE("next_row", next_row, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    WHOLE("next_col", next_col, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    TEXT("next_dir", next_dir, REQUIRED),
};
static const struct pb_field body_rows[] = {
    TEXT("id", id, REQUIRED),
    WHOLE("row", row, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    WHOLE("col", col, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    TEXT("dir", dir, OPTIONAL),
    TEXT("mode", mode, OPTIONAL),
    WHOLE("fright", fright, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("trapped", trapped, OPTIONAL, BETWEEN(0, 255)),
    FLAG("spawning", spawning, OPTIONAL),
    FLAG("eaten", eaten, OPTIONAL),
    GROUP_IF(has_next, next_rows),
};
#undef PB_OF

#define PB_OF struct pb_seen
static const struct pb_field tick_rows[] = {
    WHOLE("tick", tick, REQUIRED, COUNT),
    WHOLE("score", score, OPTIONAL, COUNT),
    WHOLE("lives", lives, OPTIONAL, COUNT),
    WHOLE("left", left, OPTIONAL, COUNT),
    /* Counters of the Pacbot rules. */
    WHOLE("level", level, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("combo", combo, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("period", period, OPTIONAL, BETWEEN(1, 255)),
    TEXT("mode", mode, OPTIONAL),
    WHOLE("mode_steps", mode_steps, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("level_steps", level_steps, OPTIONAL, BETWEEN(0, 65535)),
    WHOLE("fruit", fruit, OPTIONAL, BETWEEN(0, 255)),
    FLAG("paused", paused, OPTIONAL),
    FLAG("pausing", pausing, OPTIONAL),
    CODEC("rows", board, OPTIONAL, pb_rows_codec, NULL),
    LIST("bodies", body, bodies, REQUIRED, PB_SEEN_BODIES, "at most 16 bodies",
	body_rows),
    TEXT("hash", hash, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_rec_move
static const struct pb_field move_rows[] = {
    TEXT("dir", dir, REQUIRED),
};
#undef PB_OF

#define PB_OF struct pb_rec_joy
static const struct pb_field joy_rows[] = {
    REALS("axes", axis, READ, PB_REC_JOY_MAX, PB_COUNTED(axes)),
    REALS("buttons", button, READ, PB_REC_JOY_MAX, PB_COUNTED(buttons)),
};
#undef PB_OF

static void
check_joy(struct pb_get *g, void *r)
{
	struct pb_rec_joy *j = r;

	if (j->axes == 1) /* a stick has two */
		pb_get_fail(g, "axes", "two axes or more");
	for (int i = 0; i < j->buttons; i++)
		j->button[i] = j->button[i] > 0;
}

#define PB_OF struct pb_rec_message
static const struct pb_field message_rows[] = {
    TEXT("name", name, REQUIRED),
    TEXT("to", to, OPTIONAL),
    TEXT("value", value, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_rec_draw
static const struct pb_field draw_rows[] = {
    TEXT("purpose", purpose, OPTIONAL),
    EXACT("value", value, REQUIRED, ANY, NULL),
};
#undef PB_OF

#define PB_OF struct pb_rec_reset
static const struct pb_field reset_rows[] = {
    U64("trial", trial, REQUIRED),
    U64("seed", seed, REQUIRED),
};
#undef PB_OF

const struct pb_schema pb_game_schemas[PB_REC_TYPES] = {
    [PB_REC_POSE] = PB_TYPE("pose", pb_rec_pose, pose_rows, BODY),
    [PB_REC_ODOM] = PB_TYPE("odom", pb_rec_odom, odom_rows, BODY),
    [PB_REC_SCAN] = PB_TYPE("scan", pb_rec_scan, scan_rows, BODY),
    [PB_REC_FIX] = PB_TYPE("fix", pb_rec_fix, fix_rows, BODY),
    [PB_REC_TWIST] = PB_TYPE("twist", pb_rec_twist, twist_rows, BODY),
    [PB_REC_GOAL] = PB_TYPE("goal", pb_rec_goal, goal_rows, BODY),
    [PB_REC_PATH] = PB_TYPE("path", pb_rec_points, path_rows, BODY),
    [PB_REC_OBSTACLE] = PB_TYPE(
	"obstacle", pb_rec_obstacle, obstacle_rows, .end = check_obstacle),
    [PB_REC_BELIEF] = PB_TYPE("belief", pb_rec_belief, belief_rows, BODY),
    [PB_REC_TRAJECTORY] = PB_TYPE(
	"trajectory", pb_rec_trajectory, trajectory_rows, .unread = true),
    [PB_REC_SPREAD] =
	PB_TYPE("spread", pb_rec_spread, spread_rows, .unread = true),
    [PB_REC_RELATIONS] =
	PB_TYPE("relations", pb_rec_relations, relations_rows, .unread = true),
    [PB_REC_CMD] = PB_TYPE("cmd", pb_rec_cmd, cmd_rows, BODY),
    [PB_REC_STATE] = PB_TYPE("state", pb_rec_state, state_rows, BODY),
    [PB_REC_EVENT] = PB_TYPE("event", pb_rec_event, event_rows, BODY),
    [PB_REC_LIGHT] = PB_TYPE("light", pb_rec_event, event_rows, BODY),
    [PB_REC_SOUND] = PB_TYPE("sound", pb_rec_event, event_rows, BODY),
    [PB_REC_MOTION] = PB_TYPE("motion", pb_rec_event, event_rows, BODY),
    [PB_REC_PELLETS] = PB_TYPE(
	"pellets", pb_rec_pellets, pellets_rows, .end = refuse_equal_ids),
    [PB_REC_TARGET] = PB_TYPE("target", pb_rec_target, target_rows, BODY),
    [PB_REC_SCORED] =
	PB_TYPE("scored", pb_rec_scored, scored_rows, .unread = true),
    [PB_REC_TICK] = PB_TYPE("tick", pb_seen, tick_rows, BODY),
    [PB_REC_MOVE] = PB_TYPE("move", pb_rec_move, move_rows, BODY),
    [PB_REC_JOY] = PB_TYPE("joy", pb_rec_joy, joy_rows, .end = check_joy),
    [PB_REC_MESSAGE] = PB_TYPE("message", pb_rec_message, message_rows, BODY),
    [PB_REC_DRAW] = PB_TYPE("draw", pb_rec_draw, draw_rows, BODY),
    [PB_REC_RESET] = PB_TYPE("reset", pb_rec_reset, reset_rows),
};

static void
write_args(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_provenance *p = r;

	pb_put_key(o, f->key);
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < p->args; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, p->arg[i]);
	}
	pb_text_put(o, "]", 1);
}

static const struct pb_codec args = {write_args, NULL, NULL};

#define PB_OF struct pb_rec_provenance
static const struct pb_field provenance_rows[] = {
    TEXT("tool", tool, REQUIRED),
    TEXT("version", version, REQUIRED),
    TEXT("commit", commit, OPTIONAL),
    TEXT("compiler", compiler, OPTIONAL),
    HEX("build", build, OPTIONAL),
    CODEC_OF_ALL("args", REQUIRED, args, NULL),
    U64_IF("seed", seed, has_seed),
    HEX("input", input, REQUIRED),
};

#undef PB_OF

/* Write a number if the value looks like one, else a string. */
static void
write_option(struct pb_text *o, const char *value)
{
	char text[PB_NUM_MAX] = "";
	int64_t whole;
	double real;

	if (pb_num_parse_int(value, &whole))
		pb_num_int(text, whole);
	else if (pb_num_parse(value, &real) && isfinite(real))
		pb_num_exact(text, real);
	if (strcmp(text, value) == 0)
		pb_text_puts(o, value);
	else
		pb_text_string(o, value);
}

static void
write_settings(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_settings *l = PB_IN(r, f);

	if (l->n == 0)
		return;
	pb_put_key(o, f->key);
	for (int i = 0; i < l->n; i++) {
		pb_text_put(o, i ? "," : "{", 1);
		pb_text_string(o, l->at[i].name);
		pb_text_put(o, ":", 1);
		write_option(o, l->at[i].value);
	}
	pb_text_put(o, "}", 1);
}

/* A value as a user would type it; NULL: not a scalar. */
static const char *
format_value(const struct pb_json_value *v, char digits[PB_NUM_MAX])
{
	if (pb_json_is(v, PB_JSON_STRING))
		return pb_json_text(v);
	if (pb_json_is(v, PB_JSON_TRUE) || pb_json_is(v, PB_JSON_FALSE))
		return pb_json_is(v, PB_JSON_TRUE) ? "yes" : "no";
	if (pb_json_is(v, PB_JSON_WHOLE))
		pb_num_int(digits, v->whole);
	else if (pb_json_is(v, PB_JSON_REAL))
		pb_num_exact(digits, v->real);
	else
		return NULL;
	return digits;
}

static void
read_settings(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_settings *l = PB_IN(r, f);
	const struct pb_json_value *v = NULL;
	struct pb_get sub;
	struct pb_setting *at;

	if (!pb_get_object(g, f->key, f->need, &sub))
		return;
	at = pb_alloc(pb_json_size(sub.obj, PB_JSON_OBJECT) + 1, sizeof(*at));
	l->at = at;
	while (*g->ok && (v = pb_json_next(sub.obj, v)) != NULL) {
		char digits[PB_NUM_MAX];
		const char *name = PB_JSON_KEY(v),
			   *value = format_value(v, digits);

		if (strlen(name) >= sizeof(at->name))
			pb_get_fail(g, f->key, "names of at most 31 bytes");
		else if (!value || strlen(value) >= sizeof(at->value))
			pb_get_fail(&sub, name, "a value of at most 127 bytes");
		else {
			strcpy(at[l->n].name, name);
			strcpy(at[l->n++].value, value);
		}
	}
}

static void
clear_settings(void *list)
{
	free((struct pb_setting *)((struct pb_settings *)list)->at);
}

static const struct pb_codec settings_codec = {
    write_settings, read_settings, clear_settings};

#define PB_OF struct pb_trial
static const struct pb_field rules_rows[] = {
    TEXT("rules", rules, REQUIRED),
    TEXT("map", map, OPTIONAL),
    HEX("map_hash", map_hash, ALWAYS),
    HEX("options", options, ALWAYS),
    TEXT("preset", preset, OPTIONAL),
    CODEC("constants", settings, OPTIONAL, settings_codec, NULL),
};
#define ALL_OF(rows) PB_ROW("", GROUP, REQUIRED, 0, ANY, PB_ROWS(rows))

/* Members that identify a trial, except the player. */
static const struct pb_field key_rows[] = {
    ALL_OF(rules_rows),
    TEXT("program", program, OPTIONAL),
    HEX("weights", weights, OPTIONAL),
    HEX("own", own, OPTIONAL),
    TEXT("ghosts", ghosts, OPTIONAL),
};

/* Measurements of a trial, by rule set. */
static const struct pb_field task_rows[] = {
    ALL_OF(rules_rows),
    TEXT("ghosts", ghosts, OPTIONAL),
    WHOLE("round", round, ALWAYS, BETWEEN(1, INT32_MAX)),
};

/* Measurements of a localizer. */
static const struct pb_field update_rows[] = {
    UPTO("found", found, OPTIONAL, 1, updates),
    NUM("found_way", found_way, OPTIONAL, NOT_NEGATIVE, "m"),
    UPTO("wrong", wrong, ALWAYS, 0, updates),
    UPTO("lost", lost, ALWAYS, 0, updates),
    UPTO("wrong_cell", wrong_cell, OPTIONAL, 0, updates),
    NUM("error", error, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("turn", turn, OPTIONAL, NOT_NEGATIVE, "rad"),
    NUM("error_mean", error_mean, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("error_median", error_median, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("error_rms", error_rms, OPTIONAL, NOT_NEGATIVE, "m"),
};
#undef PB_OF

#define PB_OF struct pb_rec_result
static const struct pb_field result_rows[] = {
    GROUP(trial, key_rows),
    TEXT("policy", trial.policy, REQUIRED),
    WHOLE("round", trial.round, ALWAYS, BETWEEN(1, INT32_MAX)),
    U64("seed", trial.seed, ALWAYS),
    U64("trial", trial.trial, REQUIRED),
    TEXT("outcome", trial.outcome, ALWAYS),
    FLAG("success", trial.success, ALWAYS),
    TEXT("cause", trial.cause, OPTIONAL),
    UPTO("pellets", trial.collected, OPTIONAL, 0, trial.total),
    WHOLE("pellets_total", trial.total, OPTIONAL, BETWEEN(0, PB_TALLY_PELLETS)),
    WHOLE("removed", trial.removed, OPTIONAL, COUNT),
    NUM("score", trial.score, OPTIONAL, BETWEEN(-1e12, 1e12), NULL),
    NUM("time", trial.time, OPTIONAL, NOT_NEGATIVE, "s"),
    NUM("limit", trial.limit, NONZERO, NOT_NEGATIVE, "s"),
    NUM("driven", trial.driven, OPTIONAL, ANY, "m"),
    NUM("nearest", trial.nearest, OPTIONAL, ANY, "m"),
    WHOLE("deaths", trial.deaths, OPTIONAL, COUNT),
    WHOLE("levels", trial.levels, OPTIONAL, COUNT),
    WHOLES("killed", trial.killed, trial.killers, "at most 8 numbers"),
    WHOLE("eaten", trial.eaten, OPTIONAL, COUNT),
    WHOLE("decisions", trial.decisions, OPTIONAL, COUNT),
    WHOLE("collisions", trial.collisions, OPTIONAL, COUNT),
    WHOLE("bumps", trial.bumps, OPTIONAL, COUNT),
    NUM("pace", trial.pace, OPTIONAL, NOT_NEGATIVE, NULL),
    WHOLE("updates", trial.updates, NONZERO, COUNT),
    GROUP_COUNTED(trial, trial.updates, update_rows),
    HEX("hash", trial.hash, OPTIONAL),
    CONST("metric", PB_METRIC, ALWAYS),
    TEXT("version", version, OPTIONAL),
    HEX("build", trial.build, OPTIONAL),
};

/* The number of collected pellets is at most that of all. */
static void
begin_result(struct pb_get *g, void *at)
{
	const struct pb_json_value *v = pb_get_value(g, "pellets_total");
	long total;

	if (!pb_json_long(v, &total) || total < 0 || total > PB_TALLY_PELLETS)
		total = PB_TALLY_PELLETS;
	((struct pb_rec_result *)at)->trial.total = (int)total;
}

/* Set success from the outcome, or refuse a result without both. */
static void
check_result(struct pb_get *g, void *at)
{
	struct pb_rec_result *r = at;
	struct pb_trial *t = &r->trial;

	if (!pb_get_value(g, "success") && !*t->outcome)
		pb_get_fail(g, "success", "true or false, or an outcome");
	else if (!pb_get_value(g, "success"))
		t->success = strcmp(t->outcome, "complete") == 0;
	if (!*t->outcome)
		PB_REC_SET(t->outcome, t->success ? "complete" : "failed");
	if (!pb_get_value(g, "pellets_total"))
		t->total = -1;
}
#undef PB_OF

/* Write counts by outcome or cause; the rule set defines the names. */
static void
write_counts(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_tally_words *c = PB_IN(r, f);

	if (f->need == PB_OPTIONAL && c->n == 0)
		return;
	pb_put_key(o, f->key);
	pb_text_put(o, "{", 1);
	for (int i = 0; i < c->n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, c->word[i]);
		pb_text_put(o, ":", 1);
		pb_text_int(o, c->count[i]);
	}
	pb_text_put(o, "}", 1);
}

static const struct pb_codec counts = {write_counts, NULL, NULL};

/* Members about the updates of localizers. */
#define TRACK(key, i, unit) \
	ESTIMATE(key, sum.track[i].value, sum.track[i].in, unit)

#define PB_OF struct pb_rec_summary
static const struct pb_field summary_rows[] = {
    GROUP(sum.key, key_rows),
    TEXT("policy", sum.key.policy, REQUIRED),
    WHOLE("round", sum.key.round, ALWAYS, BETWEEN(1, INT32_MAX)),
    U64_IF("seed", sum.key.seed, sum.one_seed),
    WHOLE("n", sum.n, REQUIRED, LINES),
    UPTO("k", sum.k, REQUIRED, 0, sum.n),
    WHOLE("distinct", sum.distinct, OPTIONAL, COUNT),
    RATIO("rate", sum.k, sum.n),
    NUM("lo", sum.rate.lo, ALWAYS, ANY, NULL),
    NUM("hi", sum.rate.hi, ALWAYS, ANY, NULL),
    NUM("confidence", confidence, OPTIONAL, SHARE, NULL),
    UPTO("but_one", sum.but_one, OPTIONAL, 0, sum.n),
    UPTO("at_least", sum.at_least, OPTIONAL, 0, sum.n),
    RATIO("at_least_rate", sum.at_least, sum.n),
    NUM("at_least_lo", sum.most.lo, OPTIONAL, ANY, NULL),
    NUM("at_least_hi", sum.most.hi, OPTIONAL, ANY, NULL),
    CODEC("outcomes", sum.outcomes, ALWAYS, counts, NULL),
    CODEC("causes", sum.causes, OPTIONAL, counts, NULL),
    WHOLE("pellets_total", sum.total, NONZERO, BETWEEN(0, PB_TALLY_PELLETS)),
    NUM("pellets_mean", sum.pellets.value, OPTIONAL, ANY, NULL),
    INTERVAL("pellets", sum.pellets.in, NULL),
    NUM("score_mean", sum.score.value, OPTIONAL, ANY, NULL),
    INTERVAL("score", sum.score.in, NULL),
    NUM("deaths_mean", sum.deaths.value, OPTIONAL, ANY, NULL),
    INTERVAL("deaths", sum.deaths.in, NULL),
    NUM("levels_mean", sum.levels_mean, OPTIONAL, ANY, NULL),
    NUM("time_mean", sum.time_mean, OPTIONAL, ANY, "s"),
    NUM("time_median", sum.time_median, OPTIONAL, ANY, "s"),
    NUM("time_q1", sum.time_q1, OPTIONAL, ANY, "s"),
    NUM("time_q3", sum.time_q3, OPTIONAL, ANY, "s"),
    WHOLES("killed", sum.killed, sum.killers, "at most 8 numbers"),
    NUM("updates_mean", sum.updates_mean, OPTIONAL, ANY, NULL),
    TRACK("error_mean", PB_TRACK_MEAN, "m"),
    TRACK("error_median", PB_TRACK_MEDIAN, "m"),
    TRACK("error_rms", PB_TRACK_RMS, "m"),
    TRACK("pace", PB_TRACK_PACE, NULL),
    TRACK("wrong_cell", PB_TRACK_CELL, NULL),
    TRACK("lost_updates", PB_TRACK_LOST, NULL),
    TRACK("wrong_updates", PB_TRACK_WRONG, NULL),
    CONST("metric", PB_METRIC, WRITTEN),
    TEXT("version", version, OPTIONAL),
    HEX("build", build, OPTIONAL),
};
#undef PB_OF

/* A comparison. Numbers without an interval lack _lo and _hi. */
#define PB_OF struct pb_rec_comparison
static const struct pb_field comparison_rows[] = {
    GROUP(key, task_rows),
    TEXT("first", first, REQUIRED),
    TEXT("second", second, REQUIRED),
    TEXT("against", against, OPTIONAL),
    CODEC("than", than, OPTIONAL, settings_codec, NULL),
    WHOLE("n", cmp.n, REQUIRED, LINES),
    WHOLE("alone", cmp.alone, ALWAYS, LINES),
    UPTO("both", cmp.won.both, ALWAYS, 0, cmp.n),
    UPTO("only_first", cmp.won.first, ALWAYS, 0, cmp.n),
    UPTO("only_second", cmp.won.second, ALWAYS, 0, cmp.n),
    UPTO("none", cmp.won.none, ALWAYS, 0, cmp.n),
    TEXT("by", by, OPTIONAL),
    NUM("rate", cmp.rate.value, ALWAYS, ANY, NULL),
    NUM("rate_lo", cmp.rate.in.lo, OPTIONAL, ANY, NULL),
    NUM("rate_hi", cmp.rate.in.hi, OPTIONAL, ANY, NULL),
    NUM("least", cmp.least, OPTIONAL, SHARE, NULL),
    SHORT("p", cmp.p, ALWAYS, SHARE),
    SHORT("p_holm", cmp.p_holm, ALWAYS, SHARE),
    NUM("effect", cmp.effect.value, OPTIONAL, ANY, NULL),
    INTERVAL("effect", cmp.effect.in, NULL),
    NUM("pellets", cmp.pellets.value, ALWAYS, ANY, NULL),
    INTERVAL("pellets", cmp.pellets.in, NULL),
    NUM("time", cmp.time.value, ALWAYS, ANY, "s"),
    INTERVAL("time", cmp.time.in, "s"),
    NUM("confidence", confidence, OPTIONAL, SHARE, NULL),
    NUM("margin", margin, OPTIONAL, NOT_NEGATIVE, NULL),
    FLAG_OF("noninferior", noninferior, margin),
};
#undef PB_OF

#define PB_OF struct pb_rec_aggregate
static const struct pb_field aggregate_rows[] = {
    TEXT("rules", sum.key.rules, REQUIRED),
    HEX("options", sum.key.options, ALWAYS),
    TEXT("preset", sum.key.preset, OPTIONAL),
    CODEC("constants", sum.key.settings, OPTIONAL, settings_codec, NULL),
    TEXT("policy", sum.key.policy, REQUIRED),
    WHOLE("strata", sum.strata, REQUIRED, BETWEEN(1, INT32_MAX)),
    WHOLE("n", sum.n, REQUIRED, LINES),
    UPTO("trials", sum.trials, ALWAYS, 0, sum.n),
    ESTIMATE("rate", sum.rate.value, sum.rate.in, NULL),
    ESTIMATE("pellets", sum.pellets.value, sum.pellets.in, NULL),
    ESTIMATE("time", sum.time.value, sum.time.in, "s"),
    NUM("confidence", confidence, OPTIONAL, SHARE, NULL),
    CONST("metric", PB_METRIC, WRITTEN),
    TEXT("version", version, OPTIONAL),
};
#undef PB_OF

const struct pb_schema pb_run_schemas[PB_REC_TYPES] = {
    [PB_REC_PROVENANCE] = PB_TYPE("provenance", pb_rec_provenance,
	provenance_rows, HEADER, .unread = true),
    [PB_REC_RESULT] = PB_TYPE("result", pb_rec_result, result_rows, HEADER,
	.begin = begin_result, .end = check_result),
    [PB_REC_SUMMARY] = PB_TYPE(
	"summary", pb_rec_summary, summary_rows, HEADER, .unread = true),
    [PB_REC_COMPARISON] = PB_TYPE("comparison", pb_rec_comparison,
	comparison_rows, HEADER, .unread = true),
    [PB_REC_AGGREGATE] = PB_TYPE(
	"aggregate", pb_rec_aggregate, aggregate_rows, HEADER, .unread = true),
};
