/* round.h - one game of the pacmanbot rules, headless and repeatable. */
#ifndef PB_GAME_ROUND_H
#define PB_GAME_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/pacmanbot/arena.h"
#include "game/pacmanbot/controller.h"
#include "game/pacmanbot/opts.h"
#include "game/pacmanbot/view.h"
#include "pb/game.h"

/*
 * A game is a pure function of (arena, options, player, seed, trial). It
 * advances in steps of opts.dt; within a step, in this order: Clyde, robot,
 * pose estimate, navigation, judge, player, controller. A game belongs to one
 * thread; games may share an arena. Map frame, SI units.
 */
struct pb_round; /* one block of memory; round_state.h for the curious */

/* How a round ended. */
enum pb_ending {
	PB_PLAYING,    /* it has not */
	PB_DONE,       /* every pellet collected */
	PB_PARTIAL,    /* no pellet left, some removed without score */
	PB_KILLED,     /* Clyde */
	PB_TIMEOUT,    /* opts.duration is over */
	PB_STUCK,      /* the same, and the robot had not moved for a minute */
	PB_HOME_FAILED /* could not return home before the start */
};

struct pb_outcome {
	enum pb_ending ending;
	int round;           /* 1.. */
	int spawned;         /* pellets at the start of the round */
	int collected;       /* with score */
	int removed;         /* without score: navigation gave up */
	int score;           /* total, after this round */
	double time;         /* in `running` (s) */
	double distance;     /* driven in `running` (m) */
	double nearest;      /* least true distance to Clyde (m) */
	struct pb_vec where; /* true place of the robot at the end */
	struct pb_vec clyde; /* place of Clyde at the end */
	int target;          /* pellet id that was targeted then, or -1 */
	uint64_t missed;     /* bit i: pellet i < 64 was not collected */
	int replans;         /* changes of target */
	int clears;          /* of the global costmap by Clyde's node */
	uint64_t hash;       /* of the state at the end */
};

/* "complete", "partial", "killed", "timeout", "stuck", "home_failed". */
const char *pb_ending_name(enum pb_ending e);

/*
 * Memory for games on one arena; nothing is allocated after this.
 *
 * Given    a       kept, not owned
 *          o       checked; its arena part as a was made with
 *          player  kept; known  what player->learn gave, or NULL
 * Returns  PB_OK and a game for pb_round_free, not started;
 *          PB_EVALUE, PB_EWALL (start or spawn in a wall), PB_ENOMEM
 */
enum pb_status pb_round_new(struct pb_round **r, const struct pb_arena *a,
    const struct pb_round_opts *o, const struct pb_player *player,
    const void *known);
void pb_round_free(struct pb_round *r);

/*
 * Free most of the memory of a game that is only to be copied to and from,
 * and never begun or stepped.
 */
void pb_round_slim(struct pb_round *r);

/*
 * Give the player something newer to know, between steps. It stays the
 * caller's.
 *
 * Returns  PB_OK; PB_EVALUE and no change if the player would need another
 *          size of memory with it
 */
enum pb_status pb_round_teach(struct pb_round *r, const void *known);

/* Begin game `trial` of `seed`: robot at its start, state `menu`. */
void pb_round_start(struct pb_round *r, uint64_t seed, uint64_t trial);

/* Make dst a copy of src; both from the same arena, options, player. */
void pb_round_copy(struct pb_round *dst, const struct pb_round *src);

/*
 * Who is told what happens, and may decide in the place of Clyde and of a
 * player without memory, from now on; NULL: nobody. Not part of a copy.
 *
 * Note     the game's own Clyde walks on unseen, as the state that is hashed
 *          has his draws in it: of one who draws alike the game is the same
 */
void pb_round_crew(struct pb_round *r, const struct pb_crew *c);

/* Clyde's own options in a game with these. */
struct pb_clyde_opts pb_round_clyde_opts(const struct pb_round_opts *o);

/* Advance by opts.dt. */
void pb_round_step(struct pb_round *r);

/* The operator, between steps. Start returns false outside the menu. */
bool pb_round_press_start(struct pb_round *r);
void pb_round_press_reset(struct pb_round *r);

/* Speed message to Clyde's node; ignored unless > 0. */
void pb_round_clyde_speed(struct pb_round *r, double speed);

/* Base speed message to the controller; ignored unless > 0. */
void pb_round_base_speed(struct pb_round *r, double speed);

/* A clicked point. PB_EWALL if not a cell for Clyde or while running. */
enum pb_status pb_round_click(struct pb_round *r, struct pb_vec p);

/* remove_pellet. PB_ENOENT if there is no such pellet (any more). */
enum pb_status pb_round_remove(struct pb_round *r, int id);

/* The reset services of the two nodes. */
void pb_round_reset_pellets(struct pb_round *r);
void pb_round_reset_clyde(struct pb_round *r);

/* Whether an estimate of the pose has been published: start may be pressed. */
bool pb_round_localized(const struct pb_round *r);

/* What a watcher may ask. */
double pb_round_time(const struct pb_round *r);
enum pb_state pb_round_state(const struct pb_round *r);
const struct pb_controller *pb_round_controller(const struct pb_round *r);
struct pb_pose pb_round_estimate(const struct pb_round *r); /* the last one */
double pb_round_closing(const struct pb_round *r);          /* of Clyde (m/s) */
struct pb_pose pb_round_truth(const struct pb_round *r);
struct pb_vec pb_round_clyde(const struct pb_round *r);

/* left[i]: pellet i of the arena has not been removed from the world. */
const unsigned char *pb_round_left(const struct pb_round *r);

/* Rounds ended since pb_round_start, and the last one's outcome. */
int pb_round_ended(const struct pb_round *r);
struct pb_outcome pb_round_outcome(const struct pb_round *r);

/* 64-bit hash of the whole state, the same on every machine. */
uint64_t pb_round_hash(const struct pb_round *r);

/*
 * Start game (seed, trial), press start and play until a round has ended.
 *
 * Returns  its outcome
 */
struct pb_outcome pb_round_play(
    struct pb_round *r, uint64_t seed, uint64_t trial);

#endif
