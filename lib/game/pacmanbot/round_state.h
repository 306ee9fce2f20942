/* round_state.h - the state of a pacmanbot game; private to lib/game/round*. */
#ifndef PB_GAME_ROUND_STATE_H
#define PB_GAME_ROUND_STATE_H

#include "game/pacmanbot/round.h"
#include "game/pacmanbot/score.h"
#include "pb/drive.h"
#include "pb/path.h"
#include "robot/follow.h"
#include "robot/rover.h"

/* Old places of Clyde that may still be marked. */
#define PB_TRAIL 64

/* What nav2 does when it cannot go on, in this order, round and round. */
enum pb_recovery {
	PB_RECOVER_NONE = -1,
	PB_RECOVER_CLEAR,
	PB_RECOVER_SPIN,
	PB_RECOVER_WAIT,
	PB_RECOVER_BACK,
	PB_RECOVERIES
};

/* Navigation: one goal, the way there, and what went wrong. */
struct pb_nav {
	enum pb_goal_kind kind;
	enum pb_goal_end last_end;
	int pellet;              /* of the goal, -1 if none */
	int cell;                /* to drive to, -1: none can be */
	struct pb_vec at;        /* place of the goal (m) */
	int n;                   /* way-points of the path, 0: none yet */
	struct pb_follow follow; /* where on the path */
	bool blocked;            /* the local map shows no way on */
	double blocked_t;        /* since when (s) */
	enum pb_recovery doing;  /* a recovery in progress */
	double doing_left;       /* what is left of it (rad, s or m) */
	int tried;               /* recoveries for this goal */
	struct pb_vec progress;  /* where the progress checker last was */
	double progress_t;       /* and when (s) */
	double speed;            /* limit (m/s) */
	bool localizes;          /* the player has its own localization */
	struct pb_pose odom_in_map;
};

/* The published planner node, but for the choice of pellets. */
struct pb_node {
	bool enabled;
	bool dying;
	bool returning;
	bool markers; /* had some since the last reset */
	bool has_home;
	bool fresh; /* the player has to be reset */
	struct pb_pose home;
	struct pb_closing closing;
};

/* What the outcome of the running round will say. */
struct pb_tracker {
	bool running;
	long since; /* step in which running began */
	int removed;
	int replans;
	int clears;
	double distance;
	double nearest;
	struct pb_vec still; /* the robot has been near here ... */
	long still_since;    /* ... since this step */
	int ended;           /* rounds */
	struct pb_outcome last;
};

/* All that a copy takes with it, but for arrays. */
struct pb_round_state {
	uint64_t seed, trial;
	long step;
	struct pb_pose truth;
	struct pb_twist twist; /* as driven */
	struct pb_odom odom;
	struct pb_estimator est;
	double est_t; /* time of est.pose (s) */
	struct pb_rng odom_rng, pose_rng, mark_rng;
	struct pb_controller ctl;
	struct pb_node node;
	struct pb_nav nav;
	struct pb_tracker track;
	double clyde_t; /* time of Clyde's last message (s) */
	bool marked;    /* the costmaps saw him there */
	struct pb_clyde_wipe wipe;
	int trail_n; /* ever written */
	struct {
		struct pb_vec at;
		double t;
	} trail[PB_TRAIL];
	double show_t; /* a motion show began (s) */
};

/* Periods in steps. */
struct pb_pace {
	long clyde, scan, planner, marker, global, local, player;
};

struct pb_round {
	const struct pb_arena *arena;
	const struct pb_player *player;
	const void *known;
	struct pb_round_opts o;
	struct pb_pace pace;
	struct pb_crew crew; /* who is told, and decides */
	struct pb_round_state g;
	struct pb_clyde clyde;
	struct pb_search *soft, *hard; /* over the arena's two grids */
	struct pb_vec *path;           /* PB_WAYS */
	int *cells;                    /* PB_WAYS, scratch */
	unsigned char *gone;           /* n: removed from the world */
	unsigned char *listed;         /* n: on the node's list */
	unsigned char *had;            /* n: in the node's collected set */
	unsigned char *left;           /* n: scratch, for the views */
	unsigned char *remain;         /* n: scratch, for watchers */
	unsigned char *mem;            /* the player's */
	size_t mem_size;
	bool settling; /* controller actions are being carried out */
};

/* round.c: tell the crew; that the global costmap was cleared. */
void pb_tell(struct pb_round *r, struct pb_news n);
void pb_tell_clear(struct pb_round *r);

/* round_node.c: the planner node and the judge. */
void pb_node_clyde(struct pb_round *r);
void pb_node_pose(struct pb_round *r);
void pb_node_markers(struct pb_round *r);
void pb_node_timer(struct pb_round *r);
void pb_node_player(struct pb_round *r);
void pb_node_judge(struct pb_round *r);
void pb_node_command(struct pb_round *r, enum pb_act a);
void pb_node_goal_over(
    struct pb_round *r, enum pb_goal_kind kind, int pellet, bool reached);
int pb_node_remaining(const struct pb_round *r);

/* round.c: the controller and the world it acts on. */
void pb_say(struct pb_round *r, enum pb_said said, int pellet);
void pb_settle(struct pb_round *r);

/* round_nav.c: goals. */
void pb_nav_pellet(struct pb_round *r, int pellet);
void pb_nav_point(struct pb_round *r, struct pb_vec at);
bool pb_nav_home(struct pb_round *r, struct pb_vec at);
void pb_nav_path(struct pb_round *r, const struct pb_vec *way, int n);
void pb_nav_cancel(struct pb_round *r, enum pb_goal_end end);
void pb_nav_step(struct pb_round *r);
struct pb_pose pb_nav_pose(const struct pb_round *r);

/* round_nav.c: the robot moves for one step. */
void pb_drive_step(struct pb_round *r);

#endif
