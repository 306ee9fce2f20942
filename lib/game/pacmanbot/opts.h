/* opts.h - every constant of a pacmanbot round, and the table of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "game/score.h"
#include "localize/mcl_state.h"
#include "pb/clyde.h"
#include "pb/game.h"
#include "pb/geom.h"
#include "pb/param.h"
#include "pb/status.h"
#include "robot/rover.h"
#include "robot/sense.h"

/*
 * SI units, map frame. The defaults are the published system's constants; a row
 * of pb_round_params is an option of pb-sim and pb-bench. Plain values. A `void
 * *opts` here is a struct pb_round_opts *, as the table of the rule set has it.
 */
/* Most pellets of a round; ids are 0..4095. */
#define PB_ROUND_IDS 4096

/* Most boxes and people that a world has beside its map. */
#define PB_ROUND_BOXES  32
#define PB_ROUND_PEOPLE 16

enum pb_judge { PB_JUDGE_ESTIMATE, PB_JUDGE_TRUTH };
enum pb_spawn { PB_SPAWN_ANY, PB_SPAWN_MAIN };

enum pb_round_localizer { PB_BY_NOISE, PB_BY_MCL, PB_BY_ODOM };
enum pb_sensor_layer { PB_LAYER_AUTO, PB_LAYER_ON, PB_LAYER_OFF };

struct pb_round_opts {
	/* Places. */
	bool has_start;       /* false: the map decides the start */
	struct pb_pose start; /* the robot's start and home */
	bool has_spawn;       /* false: the place is drawn */
	struct pb_vec spawn;  /* Clyde's, as if it had been clicked */
	int spawn_on;         /* enum pb_spawn: cells that it is drawn from */

	/* Options of the arena: equal for all users of one arena. */
	double pellet_spacing;   /* between pellets (m) */
	double pellet_clearance; /* pellet to wall, square rule (m) */
	double clyde_clearance;  /* Clyde's cells to wall, square rule (m) */
	double inscribed;        /* robot's inscribed radius (m) */
	double inflation;        /* reach of the soft cost from walls (m) */
	bool plan_unknown;       /* plan through unknown cells */
	bool keep_unreachable;   /* pellets that no start reaches are laid */

	/* The robot. */
	double v_max;     /* speed (m/s) */
	double w_max;     /* turn rate (rad/s) */
	double v_acc;     /* acceleration and braking (m/s2) */
	double w_acc;     /* angular acceleration (rad/s2) */
	double lookahead; /* lookahead of the path follower (m) */
	double goal_tol;  /* tolerance of the goal checker (m) */

	struct pb_odom_noise wheels;      /* noise of the odometry */
	struct pb_estimate_opts estimate; /* of the pose that the game sees:
	                                     AMCL's */
	double scan_period; /* period of scans, and of pose updates (s) */

	/* Clyde. */
	double clyde_speed;  /* Clyde's speed in round 1 (m/s) */
	double clyde_step;   /* increase of the speed each round (m/s) */
	double clyde_period; /* period of its moves (s) */
	double clyde_radius; /* radius of its obstacle (m) */
	double clyde_reach;  /* it marks the costmap this near the origin (m);
	                      * INFINITY: everywhere */
	double clyde_trail;  /* old marks stay in the local map this long (s) */
	double clyde_missed; /* probability that the maps miss a mark, 0..1 */

	/* The judge. */
	int judge;            /* enum pb_judge: whose pose decides */
	double pickup_radius; /* distance at which a pellet is collected (m) */
	double death_radius;  /* distance at which the robot is caught (m) */

	/* The published planner, player `seed`. */
	double risk_radius;   /* distance from Clyde with a risk (m) */
	double risk_weight;   /* score per metre inside that radius */
	double replan_margin; /* least gain of a new target (score) */
	double
	    warning_radius; /* Clyde is a threat within this if closing (m) */
	double emergency_radius;  /* Clyde is a threat within this (m) */
	double approach_speed;    /* least closing speed of a threat (m/s) */
	double direction_penalty; /* score */

	/* Rates of the nodes, as periods; rounded to whole steps. */
	double dt;             /* simulation step and control period (s) */
	double planner_period; /* period of the judge and of seed's timer (s) */
	double marker_period;  /* period of pellet markers (s) */
	double global_period;  /* period of global costmap and path (s) */
	double local_period;   /* period of local replanning (s) */

	/* Navigation. */
	double plan_tol;         /* Navfn: how far from the goal to end (m) */
	double progress_dist;    /* progress checker: least motion (m) */
	double progress_time;    /* within this time (s) */
	double failure_time;     /* time that the controller may fail (s) */
	int recoveries;          /* recoveries before navigation gives up */
	bool plan_on_update;     /* new goals wait for the global costmap */
	bool collect_on_arrival; /* nav2's success collects the pellet */
	bool idle_pickup;        /* pellets are picked up in every state */

	/* The controller. */
	double theatrical; /* length of the show before a round (s) */
	double death_show; /* length of the show after a death (s) */
	bool spin;         /* the show turns the robot */
	int round;         /* first round, 1.. */
	double duration;   /* time limit of a round in `running` (s) */

	/* Where the pose comes from: noise on the truth, or the robot's own
	 * lidar and wheels. */
	int localizer;       /* enum pb_round_localizer */
	bool start_anywhere; /* the robot does not know its start */
	struct pb_sense_lidar_opts lidar;
	double scan_x, scan_yaw; /* pose of the lidar on the robot (m, rad) */
	int sensor_layer;        /* enum pb_sensor_layer */
	double misplaced;        /* error that makes an estimate wrong (m) */
	struct pb_mcl_opts
	    mcl; /* options of the localizer that have rows here */

	/* How the world differs from the map. */
	int clutter; /* number of boxes that the map lacks */
	int people;  /* number of people who walk around */
};

/* The published constants, robot at 0.65 m/s, pose error 0.035 m. */
struct pb_round_opts pb_round_defaults(void);

/* Named ones: "default"; "published", the published experiment with its start,
 * 0.31 m/s and pose error 0.2 m; "report", the same with 0.3 m. */
extern const struct pb_game_preset pb_round_presets[];

/* What pellets cost the published planner. */
struct pb_score_opts pb_round_scores(const void *opts);

/*
 * Whether the robot's own lidar looks around in a game with these, the world
 * being the map's: for its localizer or for the sensor layer.
 */
bool pb_round_scans(const struct pb_round_opts *o);

/* Whether the lidar marks obstacles in the costmaps. */
bool pb_round_marks(const struct pb_round_opts *o);

/* The table of all constants but the places; static storage. */
extern const struct pb_params pb_round_params;

/*
 * The name of the first constant out of its range, of a place that is not
 * finite, or of a constant that conflicts with others: then *why says why
 * (static); NULL if there is none.
 */
const char *pb_round_wrong(const void *opts, const char **why);
