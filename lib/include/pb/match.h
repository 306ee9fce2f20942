/* match.h - one game of Pacbot between a player and the four ghosts. */
#ifndef PB_MATCH_H
#define PB_MATCH_H

#include "pb/bot.h"
#include "pb/decls.h"
#include "pb/heat.h"
#include "pb/param.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * A match is a pure function of (board, options, player, seed, trial). The
 * referee presses play as soon as the game pauses. A match belongs to one
 * thread; matches may share a board.
 */
enum pb_match_ending {
	PB_MATCH_ON,      /* not ended */
	PB_MATCH_CLEARED, /* the levels asked for are cleared */
	PB_MATCH_DEAD,    /* no life is left */
	PB_MATCH_CLOCK,   /* the game's clock stopped at tick 65535 */
	PB_MATCH_SURVIVED /* the same, with no number of levels asked for */
};

/* "playing", "cleared", "caught", "clock", "survived". */
const char *pb_match_ending_name(enum pb_match_ending e);

struct pb_match_outcome {
	enum pb_match_ending ending;
	int score;
	int pellets; /* eaten, over all levels */
	int cleared; /* levels */
	int deaths;
	int eaten; /* ghosts */
	int ticks; /* of the clock */
	int decisions;
};

/* Who is told before and after each decision. */
struct pb_match_watch {
	void (*around)(void *ctx, bool begins); /* NULL: nobody */
	void *ctx;
};

struct pb_match {
	struct pb_pacbot s;
	const struct pb_match_board *board; /* not owned */
	const struct pb_match_opts *opts;   /* not owned */
	const struct pb_bot *bot;           /* not owned */
	void *mem;                          /* owned */
	struct pb_rng ghosts, sensor, player;
	struct pb_at seen[PB_MATCH_DELAY + 1]; /* where Pac-Man was, a ring */
	int now;       /* place of this tick in seen[] */
	int wait;      /* ticks until the move or the next decision */
	int move;      /* to be made then, PB_STAY: none */
	int cell_time; /* ticks that the cell before has taken */
	struct pb_match_outcome out;
	struct pb_heat heat;
	struct pb_match_watch watch; /* as the caller sets it */
	struct pb_arcade_crew crew;  /* the same */
};

struct pb_match_opts pb_match_defaults(void);

/* The table of all options; a row is an option of pb-sim and pb-bench. */
const struct pb_param *pb_match_params(size_t *n);

/* PB_OK, or PB_EVALUE with *field, if not NULL, the first wrong option. */
enum pb_status pb_match_check(
    const struct pb_match_opts *o, const char **field);

/*
 * What keeps z from being a board of this game: its size, its pellets (at most
 * 255), the places of Pac-Man and the first ghost, which are fixed. NULL if
 * nothing does; else a text for people, static storage.
 */
const char *pb_match_board_wrong(const struct pb_maze *z);

/* Tables of z. Returns PB_OK and b for pb_match_board_clear, or a status of
 * pb_cells_init; PB_ESIZE if z is larger than the official board. */
enum pb_status pb_match_board_init(
    struct pb_match_board *b, const struct pb_maze *z);
void pb_match_board_clear(struct pb_match_board *b);

/*
 * Memory for matches. Nothing is allocated after this.
 *
 * Given    b, o, bot  kept, not owned; o checked
 * Returns  PB_OK and m for pb_match_clear, or PB_ENOMEM
 */
enum pb_status pb_match_init(struct pb_match *m, const struct pb_match_board *b,
    const struct pb_match_opts *o, const struct pb_bot *bot);
void pb_match_clear(struct pb_match *m);

/* Begin game `trial` of `seed`. */
void pb_match_start(struct pb_match *m, uint64_t seed, uint64_t trial);

/* Let one tick pass. Returns false when the match has ended. */
bool pb_match_step(struct pb_match *m);

/* Start and play to the end. */
struct pb_match_outcome pb_match_play(
    struct pb_match *m, uint64_t seed, uint64_t trial);

PB_END_DECLS

#endif
