/* opts.c - every constant of a pacmanbot round, and the table of them. */
#include "game/pacmanbot/opts.h"
#include "localize/onboard.h"

#include <math.h>
#include <string.h>

#include "game/pellets.h"

#define PB_PARAMS_OF struct pb_round_opts

/* Group headings, and conditions of effects. */
#define ROBOT     "robot"
#define ERRORS    "errors of odometry and estimates"
#define GHOST     "ghost"
#define PLANNER   "planner"
#define RULES     "rules"
#define TIMING    "timing"
#define LOCALIZER "localizer"
#define WORLD     "world"
#define LIDAR     "localizer!=noise|sensor-layer=yes|clutter|people"

static const struct pb_param params[] = {
    PB_CHOICE("spawn", spawn_on, "any|main", "cells that Clyde appears on",
	.group = GHOST),

    PB_REAL("spacing", pellet_spacing, "m", 2.0, 0.01, 1000,
	"distance between pellets", .group = WORLD),
    PB_REAL("clearance", pellet_clearance, "m", 0.3, 0, 100,
	"least distance of a pellet to cells that are not free",
	.also = "margin"),
    PB_REAL("clyde-clearance", clyde_clearance, "m", 0.25, 0, 100,
	"least distance of Clyde to cells that are not free"),
    /* From here to goal-tolerance: the published parameter file of nav2. */
    PB_REAL("inscribed", inscribed, "m", 0.175, 0, 10,
	"inscribed radius of the robot", .group = ROBOT,
	.also = "radius|robot-radius|size"),
    PB_REAL("inflation", inflation, "m", 0.22, 0, 10,
	"distance from walls that paths keep where they can"),
    PB_BOOL("plan-unknown", plan_unknown, false, "drive through unknown cells"),

    PB_REAL("v-max", v_max, "m/s", 0.65, 0.01, 100, "top speed of the robot",
	.also = "speed|max-speed|robot-speed|velocity"),
    PB_REAL("w-max", w_max, "rad/s", 2.2, 0.01, 100,
	"top turn rate of the robot", .also = "turn|turn-rate|max-turn"),
    PB_REAL("v-acc", v_acc, "m/s2", 3, 0.01, 1000, "acceleration of the robot",
	.also = "accel|acceleration"),
    PB_REAL("w-acc", w_acc, "rad/s2", 3.5, 0.01, 1000,
	"angular acceleration of the robot"),
    PB_REAL("lookahead", lookahead, "m", 0.4, 0.05, 10,
	"lookahead distance of the path follower"),
    PB_REAL("goal-tolerance", goal_tol, "m", 0.3, 0.01, 10,
	"a goal this near counts as reached", .also = "tolerance"),

    /*
     * One per cent of a metre and half a degree a metre, what a small
     * differential drive with a gyroscope shows on a hard floor.
     */
    PB_REAL("odom-rot-rot", wheels.rot_rot, "rad2/rad", 1e-4, 0, 10,
	"variance of heading per radian turned", .group = ERRORS),
    PB_REAL("odom-rot-trans", wheels.rot_trans, "rad2/m", 1e-4, 0, 10,
	"variance of heading per metre driven"),
    PB_REAL("odom-trans-trans", wheels.trans_trans, "m2/m", 1e-4, 0, 10,
	"variance of distance per metre driven",
	.also = "odom|odometry|odom-noise|slip"),
    PB_REAL("odom-trans-rot", wheels.trans_rot, "m2/rad", 1e-5, 0, 10,
	"variance of distance per radian turned"),

    /* From the published logs of AMCL for a robot that stands still. */
    PB_REAL("pose-noise", estimate.sd, "m", 0.035, 0, 10,
	"standard deviation of the estimated x and y",
	.also = "noise|error|pose-error"),
    PB_REAL("heading-noise", estimate.th_sd, "rad", 0.02, 0, 3,
	"standard deviation of the estimated heading"),
    PB_REAL("pose-keep", estimate.keep, "", 0.7, 0, 0.999,
	"part of an error that lasts to the next estimate"),
    PB_REAL("pose-min-distance", estimate.min_d, "m", 0.25, 0, 10,
	"motion along an axis before a new estimate"),
    PB_REAL("pose-min-angle", estimate.min_a, "rad", 0.2, 0, 3.2,
	"turn before a new estimate"),
    PB_REAL("scan-period", scan_period, "s", 0.15, 0.001, 10,
	"between the scans that estimates come with"),

    PB_REAL("clyde-speed", clyde_speed, "m/s", 0.25, 0.001, 100,
	"speed in round 1", .group = GHOST, .also = "ghost-speed"),
    PB_REAL("clyde-step", clyde_step, "m/s", 0.05, 0, 100,
	"added to the speed each round"),
    PB_REAL("clyde-period", clyde_period, "s", 0.2, 0.001, 10,
	"between Clyde's moves"),
    PB_REAL("clyde-radius", clyde_radius, "m", 0.05, 0, 10,
	"radius of Clyde's obstacle in costmaps"),
    PB_LIMIT("clyde-reach", clyde_reach, "m", 10, 0,
	"farther from the frame's origin, costmaps ignore Clyde"),
    PB_REAL("clyde-trail", clyde_trail, "s", 0, 0, 60,
	"old places of Clyde stay in the local costmap"),
    PB_REAL("clyde-missed", clyde_missed, "", 0, 0, 1,
	"chance that the costmaps miss a move of Clyde"),

    PB_CHOICE("judge", judge, "estimate|truth",
	"pose that decides pickup and death", .group = RULES),
    PB_REAL("pickup-radius", pickup_radius, "m", 0.25, 0, 10,
	"a pellet this near is collected", .also = "pickup|reach"),
    PB_REAL("death-radius", death_radius, "m", 0.25, 0, 10,
	"Clyde this near kills", .also = "death|kill|kill-radius"),

    PB_REAL("risk-radius", risk_radius, "m", 2.0, 0, 1000,
	"pellets this near Clyde cost more", .group = PLANNER,
	.when = "policy=seed"),
    PB_REAL("risk-weight", risk_weight, "", 3.0, 0, 1000,
	"cost per metre inside risk-radius", .when = "policy=seed"),
    PB_REAL("replan-margin", replan_margin, "m", 0.3, 0, 1000,
	"by which a new target must be better", .when = "policy=seed"),
    PB_REAL("warning-radius", warning_radius, "m", 3.0, 0, 1000,
	"a closing Clyde this near is a threat", .when = "policy=seed"),
    PB_REAL("emergency-radius", emergency_radius, "m", 2.0, 0, 1000,
	"any Clyde this near is a threat", .when = "policy=seed"),
    PB_REAL("approach-speed", approach_speed, "m/s", 0.03, 0, 100,
	"least closing speed of a threat", .when = "policy=seed"),
    PB_REAL("direction-penalty", direction_penalty, "m", 5.0, 0, 1000,
	"for pellets in Clyde's direction", .when = "policy=seed"),

    PB_REAL("dt", dt, "s", 0.05, 0.001, 0.2,
	"simulation step and control period", .group = TIMING,
	.also = "step|tick"),
    PB_REAL("planner-period", planner_period, "s", 0.5, 0.001, 60,
	"of the planner's timer"),
    PB_REAL("marker-period", marker_period, "s", 1.0, 0.001, 60,
	"of the pellet markers"),
    /* From nav2's parameter file and its default behaviour tree. */
    PB_REAL("global-period", global_period, "s", 1.0, 0.001, 60,
	"of the global costmap and path"),
    PB_REAL("local-period", local_period, "s", 0.2, 0.001, 60,
	"of local replanning"),

    PB_REAL("plan-tolerance", plan_tol, "m", 0.5, 0, 10,
	"a path may end this far from a blocked goal", .group = PLANNER),
    PB_REAL("progress-distance", progress_dist, "m", 0.5, 0, 10,
	"least progress within progress-time"),
    PB_REAL("progress-time", progress_time, "s", 10, 0.1, 3600,
	"without progress before navigation fails"),
    PB_REAL("failure-time", failure_time, "s", 0.3, 0, 60,
	"without a way before navigation fails"),
    PB_COUNT("recoveries", recoveries, "", 6, 0, 1000,
	"attempts before a goal is given up"),
    PB_BOOL("plan-on-update", plan_on_update, true,
	"a new goal waits for the global costmap"),
    PB_BOOL("collect-on-arrival", collect_on_arrival, true,
	"reaching the goal collects its pellet"),
    PB_BOOL("idle-pickup", idle_pickup, true,
	"outside a round pellets are picked up, without score"),

    PB_REAL("theatrical", theatrical, "s", 8.0, 0, 3600,
	"length of the show before a round", .group = RULES),
    PB_REAL("death-show", death_show, "s", 5.0, 0, 3600,
	"length of the show after a death"),
    PB_BOOL("spin", spin, true, "the robot dances in the shows"),
    PB_COUNT("round", round, "", 1, 1, 1000, "round to begin with"),
    PB_REAL("duration", duration, "s", 900, 1, 1e6, "time limit of a round",
	.also = "time|limit|time-limit|timeout"),

    /* From here on: not in the published system's model, see SETTLED. */
    PB_CHOICE("localizer", localizer, "noise|mcl|odom",
	"where the robot's pose comes from", .group = LOCALIZER),
    PB_BOOL("start-anywhere", start_anywhere, false,
	"the localizer does not know where the robot starts",
	.when = "localizer=mcl"),
    /* An RPLIDAR A1 as it sits on a TurtleBot 4. */
    PB_COUNT("scan-beams", lidar.beams, "", 360, 8, PB_SENSE_BEAMS,
	"of the lidar, all round", .when = LIDAR, .also = "beams|rays"),
    PB_REAL("scan-range", lidar.max, "m", 12, 0.2, 1000,
	"farther the lidar sees nothing", .when = LIDAR,
	.also = "range|lidar-range|max-range"),
    PB_REAL("scan-noise", lidar.share, "", 0.01, 0, 1,
	"standard deviation of a range, as a share of it", .when = LIDAR,
	.also = "lidar-noise"),
    PB_REAL("scan-drop", lidar.drop, "", 0.01, 0, 1,
	"chance that a beam does not come back", .when = LIDAR),
    PB_REAL("scan-x", scan_x, "m", -0.04, -10, 10,
	"of the lidar, ahead of the robot's middle", .when = LIDAR),
    PB_REAL("scan-yaw", scan_yaw, "rad", PB_PI / 2, -7, 7,
	"heading of the lidar on the robot", .when = LIDAR),
    PB_CHOICE("sensor-layer", sensor_layer, "auto|yes|no",
	"paths keep away from what the lidar sees; auto: if it has to look"),
    PB_REAL("misplaced", misplaced, "m", 0.25, 0, 100,
	"a pose that is farther off is wrong", .when = "localizer!=noise"),
    PB_COUNT("clutter", clutter, "", 0, 0, PB_ROUND_BOXES,
	"number of boxes that are not in the map", .group = WORLD,
	.also = "furniture|boxes"),
    PB_COUNT("people", people, "", 0, 0, PB_ROUND_PEOPLE,
	"number of people who walk about", .also = "persons|pedestrians"),
    PB_ONBOARD_MCL(mcl., "m"),
    PB_BOOL("keep-unreachable", keep_unreachable, false,
	"place pellets that cannot be reached, too", .group = WORLD),
};

/* Number of rows before later additions, see struct pb_params. */
enum { SETTLED = 51 };

const struct pb_params pb_round_params = PB_PARAMS_SINCE(params, SETTLED);

bool
pb_round_scans(const struct pb_round_opts *o)
{
	return o->localizer != PB_BY_NOISE || o->sensor_layer == PB_LAYER_ON ||
	       o->clutter > 0 || o->people > 0;
}

bool
pb_round_marks(const struct pb_round_opts *o)
{
	return o->sensor_layer == PB_LAYER_ON ||
	       (o->sensor_layer == PB_LAYER_AUTO && pb_round_scans(o));
}

struct pb_round_opts
pb_round_defaults(void)
{
	struct pb_round_opts o = {0};

	pb_params_defaults(pb_round_params, &o);
	return o;
}

static void
set_defaults(void *opts)
{
	*(struct pb_round_opts *)opts = pb_round_defaults();
}

/* The published experiment: Clyde is on the main part of the map. */
static void
set_published(void *opts)
{
	struct pb_round_opts *o = opts;

	set_defaults(o);
	o->has_start = true;
	o->start = (struct pb_pose){3.04, 4.12, 0};
	o->v_max = 0.31;
	o->estimate.sd = 0.2;
	o->spawn_on = PB_SPAWN_MAIN;
	o->keep_unreachable = true;
}

/* The pose error under which the ten rounds of the published report are likely:
 * see pb-pacmanbot(7), FIGURES. */
static void
set_report(void *opts)
{
	set_published(opts);
	((struct pb_round_opts *)opts)->estimate.sd = 0.3;
}

const struct pb_game_preset pb_round_presets[] = {{"default", set_defaults},
    {"published", set_published}, {"report", set_report}, {NULL, NULL}};

static const char *
find_bad_place(const struct pb_round_opts *o)
{
	if (o->has_start && !(isfinite(o->start.x) && isfinite(o->start.y) &&
				isfinite(o->start.th)))
		return "start";
	if (o->has_spawn && !(isfinite(o->spawn.x) && isfinite(o->spawn.y)))
		return "spawn-at";
	return NULL;
}

const char *
pb_round_wrong(const void *opts, const char **why)
{
	const struct pb_round_opts *o = opts;
	const char *name = find_bad_place(o);
	const struct pb_param *f = pb_params_check(pb_round_params, o);

	if (name || f)
		return name ? name : f->name;
	/* A robot with wheels only cannot localize itself globally. */
	if (o->start_anywhere && o->localizer != PB_BY_MCL) {
		*why = "only with --localizer mcl";
		return "start-anywhere";
	}
	return o->inflation < o->inscribed ? "inflation" : NULL;
}

struct pb_score_opts
pb_round_scores(const void *opts)
{
	const struct pb_round_opts *o = opts;
	struct pb_score_opts s = pb_score_defaults();

	s.risk_radius = o->risk_radius;
	s.risk_weight = o->risk_weight;
	s.direction_penalty = o->direction_penalty;
	s.death_radius = o->death_radius;
	s.emergency_radius = o->emergency_radius;
	s.warning_radius = o->warning_radius;
	s.approach_speed = o->approach_speed;
	s.replan_margin = o->replan_margin;
	return s;
}
