/* opts.c - every constant of a pacmanbot round, and the table of them. */
#include "game/opts.h"

#include <math.h>
#include <string.h>

#define AT(f) offsetof(struct pb_round_opts, f)
#define NUM(n, f, u, lo, hi, h)                             \
	{                                                   \
		n, u, h, NULL, AT(f), PB_PARAM_REAL, lo, hi \
	}
#define COUNT(n, f, u, lo, hi, h)                            \
	{                                                    \
		n, u, h, NULL, AT(f), PB_PARAM_COUNT, lo, hi \
	}
#define YESNO(n, f, h)                                     \
	{                                                  \
		n, "", h, NULL, AT(f), PB_PARAM_BOOL, 0, 1 \
	}
#define WORD(n, f, w, h)                                  \
	{                                                 \
		n, "", h, w, AT(f), PB_PARAM_CHOICE, 0, 1 \
	}

static const struct pb_param params[] = {
    WORD("spawn", spawn_on, "any|main", "cells that Clyde appears on"),

    NUM("spacing", pellet_spacing, "m", 0.01, 1000, "between pellets"),
    NUM("clearance", pellet_clearance, "m", 0, 100,
	"from a pellet to what is not free"),
    NUM("clyde-clearance", clyde_clearance, "m", 0, 100,
	"from Clyde's cells to what is not free"),
    NUM("inscribed", inscribed, "m", 0, 10, "inscribed radius of the robot"),
    NUM("inflation", inflation, "m", 0, 10,
	"distance from walls that paths keep where they can"),
    YESNO("plan-unknown", plan_unknown, "drive through unknown cells"),

    NUM("v-max", v_max, "m/s", 0.01, 100, "speed of the robot"),
    NUM("w-max", w_max, "rad/s", 0.01, 100, "turn rate of the robot"),
    NUM("v-acc", v_acc, "m/s2", 0.01, 1000, "acceleration of the robot"),
    NUM("w-acc", w_acc, "rad/s2", 0.01, 1000,
	"angular acceleration of the robot"),
    NUM("lookahead", lookahead, "m", 0.05, 10, "of the path follower"),
    NUM("goal-tolerance", goal_tol, "m", 0.01, 10, "of the goal checker"),

    NUM("odom-rot-rot", odom_rot_rot, "rad2/rad", 0, 10,
	"variance of heading per radian turned"),
    NUM("odom-rot-trans", odom_rot_trans, "rad2/m", 0, 10,
	"variance of heading per metre driven"),
    NUM("odom-trans-trans", odom_trans_trans, "m2/m", 0, 10,
	"variance of distance per metre driven"),
    NUM("odom-trans-rot", odom_trans_rot, "m2/rad", 0, 10,
	"variance of distance per radian turned"),

    NUM("pose-noise", pose_sd, "m", 0, 10,
	"standard deviation of the estimated x and y"),
    NUM("heading-noise", pose_th_sd, "rad", 0, 3,
	"standard deviation of the estimated heading"),
    NUM("pose-keep", pose_keep, "", 0, 0.999,
	"part of an error that lasts to the next estimate"),
    NUM("pose-min-distance", pose_min_d, "m", 0, 10,
	"motion along an axis before a new estimate"),
    NUM("pose-min-angle", pose_min_a, "rad", 0, 3.2,
	"turn before a new estimate"),
    NUM("scan-period", scan_period, "s", 0.001, 10,
	"between the scans that estimates come with"),

    NUM("clyde-speed", clyde_speed, "m/s", 0.001, 100, "in round 1"),
    NUM("clyde-step", clyde_step, "m/s", 0, 100, "faster each round"),
    NUM("clyde-period", clyde_period, "s", 0.001, 10, "between Clyde's moves"),
    NUM("clyde-radius", clyde_radius, "m", 0, 10, "of Clyde's obstacle"),
    {"clyde-reach", "m",
	"farther from the frame's origin he is not in the costmaps", NULL,
	AT(clyde_reach), PB_PARAM_LIMIT, 0, INFINITY},
    NUM("clyde-trail", clyde_trail, "s", 0, 60,
	"old places of his stay in the local costmap"),
    NUM("clyde-missed", clyde_missed, "", 0, 1,
	"chance that the costmaps miss a move of his"),

    WORD(
	"judge", judge, "estimate|truth", "pose that decides pickup and death"),
    NUM("pickup-radius", pickup_radius, "m", 0, 10,
	"a pellet this near is collected"),
    NUM("death-radius", death_radius, "m", 0, 10, "Clyde this near kills"),

    NUM("risk-radius", risk_radius, "m", 0, 1000, "pellets near Clyde cost"),
    NUM("risk-weight", risk_weight, "", 0, 1000, "per metre inside it"),
    NUM("replan-margin", replan_margin, "m", 0, 1000,
	"by which a new target must be better"),
    NUM("warning-radius", warning_radius, "m", 0, 1000,
	"a closing Clyde this near is a threat"),
    NUM("emergency-radius", emergency_radius, "m", 0, 1000,
	"any Clyde this near is a threat"),
    NUM("approach-speed", approach_speed, "m/s", 0, 100,
	"least closing speed of a threat"),
    NUM("direction-penalty", direction_penalty, "m", 0, 1000,
	"for pellets his way"),

    NUM("dt", dt, "s", 0.001, 0.2, "simulation step and control period"),
    NUM("planner-period", planner_period, "s", 0.001, 60,
	"of the planner's timer"),
    NUM("marker-period", marker_period, "s", 0.001, 60,
	"of the pellet markers"),
    NUM("global-period", global_period, "s", 0.001, 60,
	"of the global costmap and path"),
    NUM("local-period", local_period, "s", 0.001, 60, "of local replanning"),

    NUM("plan-tolerance", plan_tol, "m", 0, 10,
	"a path may end this far from a blocked goal"),
    NUM("progress-distance", progress_dist, "m", 0, 10,
	"to make good within the progress time"),
    NUM("progress-time", progress_time, "s", 0.1, 3600,
	"without progress before navigation fails"),
    NUM("failure-time", failure_time, "s", 0, 60,
	"without a way before navigation fails"),
    COUNT("recoveries", recoveries, "", 0, 1000,
	"attempts before a goal is given up"),
    YESNO("plan-on-update", plan_on_update,
	"a new goal waits for the global costmap"),
    YESNO("collect-on-arrival", collect_on_arrival,
	"reaching the goal collects its pellet"),
    YESNO("idle-pickup", idle_pickup,
	"outside a round pellets are picked up, without score"),

    NUM("theatrical", theatrical, "s", 0, 3600, "show before a round"),
    NUM("death-show", death_show, "s", 0, 3600, "show after a death"),
    YESNO("spin", spin, "the robot dances in the shows"),
    COUNT("round", round, "", 1, 1000, "round to begin with"),
    NUM("duration", duration, "s", 1, 1e6, "limit of a round"),
};

const struct pb_param *
pb_round_params(size_t *n)
{
	*n = sizeof(params) / sizeof(params[0]);
	return params;
}

static void
node_defaults(struct pb_round_opts *o)
{
	o->pickup_radius = 0.25;
	o->death_radius = 0.25;
	o->risk_radius = 2.0;
	o->risk_weight = 3.0;
	o->replan_margin = 0.3;
	o->warning_radius = 3.0;
	o->emergency_radius = 2.0;
	o->approach_speed = 0.03;
	o->direction_penalty = 5.0;
	o->dt = 0.05;
	o->planner_period = 0.5;
	o->marker_period = 1.0;
	o->theatrical = 8.0;
	o->death_show = 5.0;
	o->spin = true;
	o->round = 1;
	o->duration = 900;
}

static void
clyde_defaults(struct pb_round_opts *o)
{
	o->clyde_clearance = 0.25;
	o->clyde_speed = 0.25;
	o->clyde_step = 0.05;
	o->clyde_period = 0.2;
	o->clyde_radius = 0.05;
	o->clyde_reach = 10;
}

/* The published parameter file of nav2 and its stock behaviour tree. */
static void
nav_defaults(struct pb_round_opts *o)
{
	o->inscribed = 0.175;
	o->inflation = 0.22;
	o->v_max = 0.65;
	o->w_max = 2.2;
	o->v_acc = 3;
	o->w_acc = 3.5;
	o->lookahead = 0.4;
	o->goal_tol = 0.3;
	o->global_period = 1.0;
	o->local_period = 0.2;
	o->plan_tol = 0.5;
	o->progress_dist = 0.5;
	o->progress_time = 10;
	o->failure_time = 0.3;
	o->recoveries = 6;
	o->plan_on_update = true;
	o->collect_on_arrival = true;
	o->idle_pickup = true;
}

/*
 * Odometry: one per cent of a metre and half a degree a metre, what a small
 * differential drive with a gyroscope shows on a hard floor. AMCL: 0.035 m is
 * the deviation that the published logs show for a robot that stands still.
 */
static void
pose_defaults(struct pb_round_opts *o)
{
	o->odom_rot_rot = 1e-4;
	o->odom_rot_trans = 1e-4;
	o->odom_trans_trans = 1e-4;
	o->odom_trans_rot = 1e-5;
	o->pose_sd = 0.035;
	o->pose_th_sd = 0.02;
	o->pose_keep = 0.7;
	o->pose_min_d = 0.25;
	o->pose_min_a = 0.2;
	o->scan_period = 0.15;
}

struct pb_round_opts
pb_round_defaults(void)
{
	struct pb_round_opts o = {.judge = PB_JUDGE_ESTIMATE};

	o.pellet_spacing = 2.0;
	o.pellet_clearance = 0.3;
	node_defaults(&o);
	clyde_defaults(&o);
	nav_defaults(&o);
	pose_defaults(&o);
	return o;
}

static const char *const presets[] = {"default", "published"};
enum { PRESETS = sizeof(presets) / sizeof(*presets) };

const char *
pb_round_preset_name(int i)
{
	return i >= 0 && i < PRESETS ? presets[i] : NULL;
}

enum pb_status
pb_round_preset(struct pb_round_opts *o, const char *name)
{
	if (strcmp(name, "default") == 0) {
		*o = pb_round_defaults();
		return PB_OK;
	}
	if (strcmp(name, "published") != 0)
		return PB_ENOENT;
	*o = pb_round_defaults();
	o->has_start = true;
	o->start = (struct pb_pose){3.04, 4.12, 0};
	o->v_max = 0.31;
	o->pose_sd = 0.2;
	o->spawn_on = PB_SPAWN_MAIN;
	return PB_OK;
}

static const char *
bad_place(const struct pb_round_opts *o)
{
	if (o->has_start && !(isfinite(o->start.x) && isfinite(o->start.y) &&
				isfinite(o->start.th)))
		return "start";
	if (o->has_spawn && !(isfinite(o->spawn.x) && isfinite(o->spawn.y)))
		return "spawn-at";
	return NULL;
}

enum pb_status
pb_round_check(const struct pb_round_opts *o, const char **bad)
{
	const struct pb_param *f;
	const char *name;

	name = bad_place(o);
	f = pb_params_check(params, sizeof(params) / sizeof(params[0]), o);
	if (!name && f)
		name = f->name;
	if (!name && o->inflation < o->inscribed)
		name = "inflation";
	if (!name)
		return PB_OK;
	if (bad)
		*bad = name;
	return PB_EVALUE;
}
