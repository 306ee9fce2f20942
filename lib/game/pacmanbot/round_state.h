/* round_state.h - one game of the pacmanbot rules, headless and repeatable: its
 * state, its published controller, and its functions. Map frame, SI units. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "game/pacmanbot/arena.h"
#include "localize/onboard.h"
#include "pb/clyde.h"
#include "pb/drive.h"
#include "pb/game.h"
#include "robot/rover.h"

/*
 * The published game controller as a state machine.
 *
 * Seven inputs (start, reset, planner status, marker message, base speed,
 * time) change the state and append actions, in the order in which the
 * published node publishes and calls; the owner carries them out and empties
 * the list. Times are seconds on any clock that does not run backwards.
 * Plain value: copying it is a snapshot.
 */
enum pb_state {
	PB_MENU,
	PB_RETURNING_HOME,
	PB_STARTING,
	PB_RUNNING,
	PB_DYING,
	PB_COMPLETE
};

/* Why the robot is going home. */
enum pb_pending { PB_PENDING_NONE, PB_PENDING_START, PB_PENDING_COMPLETED };

/* Messages of the published planner node to the controller. */
enum pb_node_message {
	PB_MSG_COLLECTED, /* pellet_collected:<id> */
	PB_MSG_COMPLETE,  /* game_complete */
	PB_MSG_DEATH,     /* death_detected */
	PB_MSG_HOME,      /* home_reached */
	PB_MSG_HOME_FAILED
};

enum pb_act {
	PB_ACT_DISABLE,       /* command to the planner */
	PB_ACT_ENABLE,        /* command to the planner */
	PB_ACT_RESET_ROUND,   /* command to the planner */
	PB_ACT_RETURN_HOME,   /* command to the planner */
	PB_ACT_EVENT,         /* text: a game event, to lights and sounds */
	PB_ACT_RESET_PELLETS, /* service call */
	PB_ACT_RESET_CLYDE,   /* service call */
	PB_ACT_SPEED,         /* value: Clyde's speed (m/s) */
	PB_ACT_STATE,         /* value: enum pb_state, as published */
	PB_ACT_COUNTS,        /* spawned, collected, score, round changed */
	PB_ACT_RESULT         /* the result text changed */
};

struct pb_action {
	enum pb_act act;
	double value;
	const char *text; /* static storage, or NULL */
};

#define PB_ACTIONS 32 /* room for the longest list of one input */

struct pb_controller {
	enum pb_state state;
	enum pb_pending pending;
	double until;      /* end of the running timer (s), < 0: none */
	double theatrical; /* length of the show (s) */
	double death_show; /* (s) */
	double base_speed; /* Clyde's in round 1 (m/s) */
	double step;       /* faster each round (m/s) */
	int round;         /* 1.. */
	int spawned;       /* pellets of this round, if known */
	int collected;     /* pellets collected in this round */
	int score;         /* score of all rounds */
	bool awaiting;     /* the next marker message sets `spawned` */
	char result[64];   /* "" until there is one */
	uint64_t seen[PB_ROUND_IDS / 64]; /* ids collected, as bits */
	int actions;                      /* entries of action[] */
	struct pb_action action[PB_ACTIONS];
};

/* Append n >= 0 in decimal to the text at p; returns its end. */
char *pb_append_int(char *p, int n);

/* Name of a state or command as published ("returning_home", ...). */
const char *pb_state_name(enum pb_state s);
const char *pb_node_message_name(enum pb_node_message s);
const char *pb_act_name(enum pb_act a);

/*
 * A controller in the menu.
 *
 * Given    base, step  Clyde's speed in round 1 and its growth (m/s)
 *          theatrical, death_show  lengths of the shows (s)
 */
void pb_controller_init(struct pb_controller *c, double base, double step,
    double theatrical, double death_show);

/* Clyde's speed in the present round (m/s). */
double pb_controller_speed(const struct pb_controller *c);

/* The start service. Returns false (nothing changes) outside the menu. */
bool pb_controller_start(struct pb_controller *c);

/* The reset service. */
void pb_controller_reset(struct pb_controller *c);

/*
 * A status of the planner node.
 *
 * Given    now  (s)
 *          id   pellet for PB_MSG_COLLECTED; < 0: none was given or it
 *               could not be read, and the pellet counts all the same
 */
void pb_controller_receive(
    struct pb_controller *c, double now, enum pb_node_message said, int id);

/* A marker message with the number of pellets remaining. */
void pb_controller_markers(struct pb_controller *c, int remaining);

/* The base speed message; ignored unless > 0 (m/s). */
void pb_controller_base_speed(struct pb_controller *c, double speed);

/* Advance the time: due timers fire. Navigation always answers. */
void pb_controller_tick(struct pb_controller *c, double now);

/* Drop the actions carried out. */
void pb_controller_done(struct pb_controller *c);

/* How a round ended. */
enum pb_ending {
	PB_PLAYING,    /* it has not */
	PB_DONE,       /* every pellet collected */
	PB_PARTIAL,    /* no pellet left, some removed without score */
	PB_KILLED,     /* by Clyde */
	PB_TIMEOUT,    /* opts.duration is over */
	PB_STUCK,      /* the same, and the robot had not moved for a minute */
	PB_HOME_FAILED /* could not return home before the start */
};

struct pb_outcome {
	enum pb_ending ending;
	int round;       /* 1.. */
	int spawned;     /* pellets at the start of the round */
	int collected;   /* pellets collected with score */
	int removed;     /* pellets removed without score: navigation gave up */
	int score;       /* total score after this round */
	double time;     /* time in `running` (s) */
	double distance; /* distance driven in `running` (m) */
	double nearest;  /* least true distance from Clyde (m) */
	const char *cause; /* why it was lost, "": it was not; static */
	int bumps; /* contacts with walls, boxes and people, -1: unknown */
	struct pb_onboard_score
	    localized; /* errors of the localizer, if there are updates */
	uint64_t hash; /* hash of the state at the end */
};

/* Bodies: the robot is 0. */
#define PB_CLYDE_BODY 1

/* Old places of Clyde that may still be marked. */
#define PB_TRAIL 64

/* nav2's recoveries, tried in this order, repeatedly. */
enum pb_recovery {
	PB_RECOVER_NONE = -1,
	PB_RECOVER_CLEAR,
	PB_RECOVER_SPIN,
	PB_RECOVER_WAIT,
	PB_RECOVER_BACK,
	PB_RECOVERIES
};

/* Navigation: a goal, the path there, and its recoveries. */
struct pb_nav {
	enum pb_goal_kind kind;
	enum pb_goal_end last_end;
	int pellet;              /* pellet of the goal, -1: none */
	int cell;                /* cell to drive to, -1: none */
	struct pb_vec at;        /* place of the goal (m) */
	int n;                   /* way-points of the path, 0: none yet */
	struct pb_follow follow; /* position on the path */
	bool blocked;            /* the local map shows no free path */
	double blocked_t;        /* time since when it is blocked (s) */
	enum pb_recovery doing;  /* the current recovery */
	double doing_left;       /* rest of the recovery (rad, s or m) */
	int tried;               /* recoveries for this goal */
	struct pb_vec progress;  /* last place of the progress checker */
	double progress_t;       /* time of that (s) */
	double speed;            /* speed limit (m/s) */
	struct {
		enum pb_goal_kind kind; /* PB_GOAL_NONE: no result */
		int pellet;
		bool reached;
	} result;       /* of the last goal, until the planner node takes it */
	bool localizes; /* the player has its own localization */
	struct pb_pose odom_in_map;
};

/* The published planner node, but for the choice of pellets. */
struct pb_node {
	bool enabled;
	bool dying;
	bool returning;
	bool markers; /* markers came since the last reset */
	bool has_home;
	bool fresh; /* the player has to be reset */
	struct pb_pose home;
	struct pb_closing closing;
};

/* Counters for the result of the running round. */
struct pb_tracker {
	bool running;
	long since; /* step in which `running` began */
	int removed;
	int bumps;
	long bump;                     /* step of the last contact */
	struct pb_onboard_score score; /* errors of the localizer */
	double distance;
	double nearest;
	struct pb_vec still;    /* the robot stayed near this place (m) */
	long still_since;       /* step since when it has */
	int ended;              /* rounds ended since the game began */
	struct pb_outcome last; /* outcome of the last round */
};

#define PB_MARKS 256

/* All of a snapshot except arrays. */
struct pb_round_state {
	uint64_t seed, trial;
	long step;
	struct pb_pose truth;
	struct pb_twist twist; /* true twist */
	bool placed;           /* a real robot has reported its pose */
	struct pb_odom odom;
	struct pb_estimator est;
	struct pb_rng odom_rng, pose_rng, mark_rng;
	struct pb_controller ctl;
	struct pb_node node;
	struct pb_nav nav;
	struct pb_tracker track;
	double clyde_t; /* time of Clyde's last message (s) */
	bool marked;    /* the costmaps mark Clyde's place */
	struct pb_clyde_wipe wipe;
	int trail_n; /* number of places ever written to `trail` */
	struct {
		struct pb_vec at;
		double t;
	} trail[PB_TRAIL];
	double show_t; /* begin of the current motion show (s) */
	/* The robot's sensors and localizer. */
	struct pb_rng scan_rng;
	enum pb_loc_status belief; /* latest status of the localizer */
	bool heard;                /* the localizer has answered */
	int things;                /* number of boxes and people */
	struct pb_thing thing[PB_ROUND_BOXES + PB_ROUND_PEOPLE];
	double stood[PB_ROUND_PEOPLE]; /* by person: time of standing (s) */
	int marks;
	struct pb_mark mark[PB_MARKS];
};

/* Periods in steps. */
struct pb_pace {
	long clyde, scan, planner, marker, global, local, player;
};

struct pb_round {
	struct pb_player_state
	    ps; /* first, as states have it; its options are o */
	const struct pb_arena *arena;
	struct pb_round_opts o;
	struct pb_pace pace;
	struct pb_agents agents; /* receive events, and may decide */
	struct pb_round_state g;
	struct pb_clyde clyde;
	struct pb_clyde ahead;     /* scratch of a player that foresees */
	struct pb_pool pool;       /* owner of the arrays */
	struct pb_search *search;  /* path search on the arena's grids */
	struct pb_way_field field; /* to the goal, where the arena keeps
	                              none; else d is NULL */
	int32_t known;         /* distance up to which the field is complete */
	int32_t *work;         /* work space for the field */
	struct pb_vec *path;   /* PB_WAYS */
	int *cells;            /* PB_WAYS, work space */
	unsigned char *gone;   /* by pellet: removed from the world */
	unsigned char *listed; /* by pellet: on the planner node's list */
	unsigned char *had;    /* by pellet: in the node's collected set */
	unsigned char *left;   /* by pellet: work space for views */
	unsigned char *remain; /* by pellet: work space for observers */
	void *loc;             /* memory of the localizer, NULL: none */
	size_t loc_size;
	double *range;           /* ranges of a scan; NULL: no lidar */
	uint16_t *marked;        /* by place of the raster: 1 + its mark */
	struct pb_clyde *people; /* people, who walk as Clyde does */
	bool settling;           /* controller actions are being carried out */
};

/* Whether something is due that is done every `pace` steps. */
static inline bool
pb_due(const struct pb_round *r, long pace)
{
	return r->g.step % pace == 0;
}

/* Since the game began (s). */
static inline double
pb_round_time(const void *round)
{
	const struct pb_round *r = round;

	return (double)r->g.step * r->o.dt;
}

/* The pose that navigation uses. */
static inline struct pb_pose
pb_nav_pose(const struct pb_round *r)
{
	const struct pb_round_state *g = &r->g;

	if (g->nav.localizes)
		return pb_pose_compose(g->nav.odom_in_map, g->odom.pose);
	return pb_estimate_now(&g->est, g->odom.pose);
}

/* True distance of the robot from Clyde (m). */
static inline double
pb_round_danger(const struct pb_round *r)
{
	return pb_dist(pb_pose_vec(r->g.truth), r->clyde.at);
}

static inline void
pb_emit(struct pb_round *r, struct pb_event n)
{
	if (r->agents.emit)
		r->agents.emit(r->agents.ctx, &n);
}

/* A report from one node to another, with a pellet (-1: none) and a value (NAN:
 * none). */
static inline void
pb_report(
    struct pb_round *r, const char *what, const char *to, int pellet, double v)
{
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_REPORT,
		       .name = what,
		       .to = to,
		       .pellet = pellet,
		       .v = v});
}

/* A signal, for lights and sounds. */
static inline void
pb_emit_signal(struct pb_round *r, const char *name)
{
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_SIGNAL, .name = name});
}

/*
 * round_robot.c: allocate, copy, start; move people, and the robot, by a step.
 */
enum pb_status pb_perception_new(struct pb_round *r);
void pb_perception_copy(struct pb_round *dst, const struct pb_round *src);
void pb_perception_start(struct pb_round *r);
void pb_people_step(struct pb_round *r);
void pb_drive_step(struct pb_round *r);

/* A scan is due. Returns whether there is a new estimate to publish. */
bool pb_perception_step(struct pb_round *r);

/* Publish boxes and people. */
void pb_emit_things(struct pb_round *r);

/* Clear the sensor layer. */
void pb_marks_forget(struct pb_round *r);

/* round_nav.c: goals. How one ended stands in nav.result until the planner
 * node takes it. */
void pb_nav_pellet(struct pb_round *r, int pellet);
void pb_nav_point(struct pb_round *r, struct pb_vec at);
bool pb_nav_home(struct pb_round *r, struct pb_vec at);
void pb_nav_path(struct pb_round *r, const struct pb_vec *way, int n);
void pb_nav_cancel(struct pb_round *r, enum pb_goal_end end);
void pb_nav_step(struct pb_round *r);

/* round_node.c: a 64-bit hash of the whole state, the same on every machine;
 * the planner node and the judge. */
uint64_t pb_round_hash(const struct pb_round *r);

void pb_node_pose(struct pb_round *r);
void pb_node_markers(struct pb_round *r);
bool pb_node_plays(const struct pb_round *r);
/* played: whether the node was active when the step began; later commands of
 * the controller reach it after its timer. */
void pb_node_timer(struct pb_round *r, bool played);
void pb_node_player(struct pb_round *r);
void pb_judge_step(struct pb_round *r);

/* Handle the result of a goal, if there is one. */
void pb_node_result(struct pb_round *r);

/* Clyde's node: begin a game; run a tick; notify the agent that places Clyde.
 */
void pb_ghosts_start(struct pb_round *r, uint64_t seed, uint64_t trial);
void pb_ghosts_step(struct pb_round *r);
void pb_ghosts_notify(struct pb_round *r, struct pb_ghost_event n);

/* Carry out the controller's actions. */
void pb_run_actions(struct pb_round *r);

/* End the running round; its outcome is track.last. */
void pb_round_end(struct pb_round *r, enum pb_ending e);

/* Speed message to Clyde's node; ignored unless > 0. */
void pb_round_clyde_speed(struct pb_round *r, double speed);

/* A clicked point. PB_EWALL if not a cell for Clyde or while running. */
enum pb_status pb_round_click(struct pb_round *r, struct pb_vec p);

/* The reset services of the two nodes. */
void pb_round_reset_pellets(struct pb_round *r);
void pb_round_reset_clyde(struct pb_round *r);

/*
 * A game is a pure function of (arena, options, player, seed, trial). It
 * advances in steps of opts.dt; within a step, in this order: Clyde, robot,
 * pose estimate, navigation, judge, player, controller. A game belongs to one
 * thread; games may share an arena. Map frame, SI units.
 */

/* "complete", "partial", "killed", "timeout", "stuck", "home_failed";
 * all of them, NULL-ended. */
const char *pb_ending_name(enum pb_ending e);
extern const char *const pb_endings[];

/*
 * Memory for games on one arena; nothing is allocated after this.
 *
 * Given    a       kept, not owned
 *          o       checked; its arena part as a was made with
 *          player  kept; model  what player->learn gave, or NULL
 * Returns  PB_OK and a game for pb_round_free, not started;
 *          PB_EVALUE, PB_EWALL (start or spawn in a wall), PB_ENOMEM
 */
enum pb_status pb_round_new(struct pb_round **r, const struct pb_arena *a,
    const struct pb_round_opts *o, const struct pb_player *player,
    const void *model);
void pb_round_free(void *round);

/*
 * Free most of the memory of a game that is only to be copied to and from,
 * and never begun or stepped.
 */
void pb_round_slim(void *round);

/* Begin game `trial` of `seed`: robot at its start, state `menu`. */
void pb_round_start(struct pb_round *r, uint64_t seed, uint64_t trial);

/* Make `to` a copy of `from`; both from the same arena, options, player. */
void pb_round_copy(void *to, const void *from);

/*
 * From now on these agents receive the events, and may decide in place of Clyde
 * and of a player without memory; NULL: none. Not part of a copy.
 *
 * Note     the game's own Clyde walks on unseen, as the state that is hashed
 *          has its draws in it: with the same draws the game is the same
 */
void pb_round_set_agents(struct pb_round *r, const struct pb_agents *c);

/* Advance by opts.dt. */
void pb_round_step(struct pb_round *r);

/* The operator, between steps. Start returns false outside the menu. */
bool pb_round_press_start(struct pb_round *r);
void pb_round_press_reset(struct pb_round *r);

/* Base speed message to the controller; ignored unless > 0. */
void pb_round_base_speed(struct pb_round *r, double speed);

/* remove_pellet. PB_ENOENT if there is no such pellet (any more). */
enum pb_status pb_round_remove(struct pb_round *r, int id);

/* left[i]: pellet i of the arena has not been removed from the world. */
const unsigned char *pb_round_left(const struct pb_round *r);

/*
 * Start game (seed, trial), press start and play until a round has ended.
 *
 * Returns  its outcome
 */
struct pb_outcome pb_round_play(
    struct pb_round *r, uint64_t seed, uint64_t trial);

/* The rule set. Options: struct pb_round_opts; worlds: struct pb_arena. Players
 * see struct pb_view. */
extern const struct pb_game pb_game_pacmanbot;
