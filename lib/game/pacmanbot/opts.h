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
 * SI units, map frame. The defaults are the published system's constants; a
 * row of pb_round_params is an option of pb-sim and pb-bench.
 * Plain values: copy them, change them, check them. An `opts` is a struct
 * pb_round_opts, in the form in which the table of the rule set has it.
 */
/* Pellets of one round at most: ids 0..4095. */
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
	bool has_start;       /* false: the map decides */
	struct pb_pose start; /* of the robot, its home */
	bool has_spawn;       /* false: it is drawn */
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
	double lookahead; /* of the path follower (m) */
	double goal_tol;  /* the goal checker's (m) */

	struct pb_odom_noise wheels;      /* of the odometry */
	struct pb_estimate_opts estimate; /* of the pose that the game sees:
	                                     AMCL's */
	double scan_period;               /* an update comes with a scan (s) */

	/* Clyde. */
	double clyde_speed;  /* in round 1 (m/s) */
	double clyde_step;   /* faster each round (m/s) */
	double clyde_period; /* between its moves (s) */
	double clyde_radius; /* of its obstacle (m) */
	double clyde_reach;  /* it marks the costmap this near the origin (m);
	                      * INFINITY: everywhere */
	double clyde_trail;  /* old marks stay in the local map (s) */
	double clyde_missed; /* chance that the maps miss a mark, 0..1 */

	/* The judge. */
	int judge;            /* enum pb_judge: whose pose decides */
	double pickup_radius; /* (m) */
	double death_radius;  /* (m) */

	/* The published planner, player `seed`. */
	double risk_radius;       /* (m) */
	double risk_weight;       /* score per metre inside it */
	double replan_margin;     /* by which a new target must be better */
	double warning_radius;    /* (m) */
	double emergency_radius;  /* (m) */
	double approach_speed;    /* closing speed of a threat (m/s) */
	double direction_penalty; /* score */

	/* Rates of the nodes, as periods; rounded to whole steps. */
	double dt;             /* simulation step and control period (s) */
	double planner_period; /* the judge's and seed's timer (s) */
	double marker_period;  /* pellet markers (s) */
	double global_period;  /* global costmap and path (s) */
	double local_period;   /* local replanning (s) */

	/* Navigation. */
	double plan_tol;         /* Navfn: how far from the goal to end (m) */
	double progress_dist;    /* progress checker: this far ... (m) */
	double progress_time;    /* ... in this time (s) */
	double failure_time;     /* the controller may fail this long (s) */
	int recoveries;          /* before navigation gives up */
	bool plan_on_update;     /* new goals wait for the global costmap */
	bool collect_on_arrival; /* nav2's success collects the pellet */
	bool idle_pickup;        /* pellets are picked up in every state */

	/* The controller. */
	double theatrical; /* show before a round (s) */
	double death_show; /* show after a death (s) */
	bool spin;         /* the show turns the robot */
	int round;         /* to begin with, 1.. */
	double duration;   /* limit of a round's running time (s) */

	/* Where the pose comes from: noise on the truth, or the robot's own
	 * lidar and wheels. */
	int localizer;       /* enum pb_round_localizer */
	bool start_anywhere; /* it does not know where it begins */
	struct pb_sense_lidar_opts lidar;
	double scan_x, scan_yaw; /* where the lidar sits on it (m, rad) */
	int sensor_layer;        /* enum pb_sensor_layer */
	double misplaced;        /* an estimate this far off is wrong (m) */
	struct pb_mcl_opts mcl;  /* those that are rows here */

	/* How the world differs from the map. */
	int clutter; /* boxes that the map does not have */
	int people;  /* that walk about */
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
