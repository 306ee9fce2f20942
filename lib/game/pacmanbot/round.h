/* round.h - one game of the pacmanbot rules, headless and repeatable. */
#pragma once

#include "game/pacmanbot/round_state.h"

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
