/* game.h - the interface of rule sets: a table of functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/param.h"
#include "pb/rng.h"
#include "pb/status.h"
#include "pb/player.h"
#include "pb/seen.h"
#include "pb/weights.h"
#include "pb/map.h"
#include "pb/maze.h"
#include "pb/result.h"
#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * Every driver (pb-sim, pb-bench, the console) reaches a game only through this
 * table.
 *
 * A ground is a map with pellets, or a maze; else NULL. A world is what all
 * games of a rule set on one ground share: tables, read-only once made, so that
 * threads share it. A state is the memory of one game and belongs to one
 * thread. A game is a pure function of (world, options, player, seed, trial)
 * and of the decisions of agents.
 *
 * Bodies have numbers: 0 is the player's, the others follow. Angles are rad,
 * lengths m, in the frame of the map or of the maze (pb/maze.h).
 */

/* Of robot/sense.h, game/pellets.h, game/score.h and pb/clyde.h. */
struct pb_thing;
struct pb_pellets;
struct pb_pellet;
struct pb_score;
struct pb_choice;
struct pb_twist;

struct pb_ground {
	const struct pb_map *map;
	const struct pb_map *truth; /* the world as it is, where it is
	                               not as the map says; else NULL */
	const struct pb_pellets
	    *pellets; /* pellets on the map; NULL: laid by the options */
	const struct pb_maze *maze;
};

/* Most bodies of a game, and most events of one step. */
#define PB_BODIES 16
#define PB_EVENTS 64

/* Why options do not fit a ground. */
struct pb_refusal {
	const char *why; /* for people, static storage; NULL: the status does */
	int row, col;    /* the cell that is meant, row -1: none */
	int found;       /* the character found there, 0: none */
};

/* The head of every game state: the player, and what it plays on. */
struct pb_player_state {
	const void *world, *opts;       /* not owned */
	const struct pb_player *player; /* not owned */
	const void *model;              /* what the player learnt, not owned */
	void *mem;                      /* the player's memory, owned */
	size_t mem_size;
	struct pb_rng rng;   /* the player's random numbers */
	struct pb_heat heat; /* counts of this game */
	int decisions;       /* number of decisions asked of the player */
};

/* Allocate the player's memory; the other members are set. Returns PB_OK and t
 * for pb_player_close, or PB_ENOMEM. */
enum pb_status pb_player_open(struct pb_player_state *t);
void pb_player_close(struct pb_player_state *t);

/*
 * Let a player that is asked outside of a game of g learn, and allocate its
 * memory.
 *
 * Returns  PB_OK and t for pb_player_unload; PB_ENOMEM or a status of its
 *          learn(), and nothing to unload
 */
struct pb_game;
enum pb_status pb_player_load(
    struct pb_player_state *t, const struct pb_game *g);
void pb_player_unload(struct pb_player_state *t, const struct pb_game *g);

/* Begin a game: start the player's random stream of trial `trial`
 * of `seed`, and reset its memory by its view. */
void pb_player_start(struct pb_player_state *t, uint64_t seed, uint64_t trial);
void pb_player_reset(struct pb_player_state *t, const void *view);

/* Ask the player for its move. */
enum pb_dir pb_player_ask(const struct pb_player_state *t, const void *view);

/* Events, in the order in which they are emitted. Text is static; other
 * pointers are valid only while the event is handled. */
enum pb_event_kind {
	PB_EVENT_MESSAGE, /* name, to, value: from body to another, or all */
	PB_EVENT_TICK,    /* what look() shows has changed */
	PB_EVENT_SIGNAL,  /* name: for lights and sounds, see signals.h */

	/* Of games on maps. */
	PB_EVENT_STATE,    /* what standing() shows may have changed */
	PB_EVENT_COMMAND,  /* name: from the operator to the node `to` */
	PB_EVENT_REPORT,   /* name, pellet or v: between other nodes */
	PB_EVENT_PELLETS,  /* the set as published, see pellets() */
	PB_EVENT_GOAL,     /* name: pellet, home, ...; pellet; pose: where */
	PB_EVENT_GOAL_END, /* name: reached, failed, ...; pellet */
	PB_EVENT_PATH,     /* point: a new path to follow */
	PB_EVENT_ESTIMATE, /* pose: a newly published estimate */
	PB_EVENT_POSE,     /* pose: the true one of body */
	PB_EVENT_OBSTACLE, /* point: a body as the robot's costmaps see it; or a
	                     thing that is no body, by name */
	PB_EVENT_ODOM,     /* pose, v, w: wheel odometry */
	PB_EVENT_TWIST     /* v, w: as commanded */
};

struct pb_event {
	enum pb_event_kind kind;
	int body;
	const char *name, *to, *value; /* NULL if there is none */
	int pellet;                    /* -1: none */
	struct pb_pose pose;
	double v, w;                /* (m/s), (rad/s); v NAN: none */
	const struct pb_vec *point; /* n of them (m) */
	int n;
};

/* Events for an agent that places a ghost. */
enum pb_ghost_event_kind {
	PB_GHOST_TICK,  /* its period is over */
	PB_GHOST_RESET, /* appear again */
	PB_GHOST_CLICK, /* at: the operator puts it there */
	PB_GHOST_SPEED, /* speed */
	PB_GHOST_STATE, /* state: the game's; it walks while it is "running" */
	PB_GHOST_ROBOT  /* robot: a newly published estimate */
};

struct pb_ghost_event {
	enum pb_ghost_event_kind kind;
	int body;          /* the ghost's number, 1.. */
	double t;          /* (s) */
	struct pb_vec at;  /* (m) */
	double speed;      /* (m/s) */
	const char *state; /* static storage */
	struct pb_pose robot;
};

/* Callbacks that decide in a step in place of the game's own rules and of the
 * player, and receive its events. Zeroed, as NULL: none. */
struct pb_agents {
	void *ctx;

	/* A person steers the player's body: the stick points there. */
	bool steers;
	enum pb_dir stick;

	/* Decides in place of the player, by `view`. NULL: the player does. */
	enum pb_dir (*decide)(void *ctx, const void *view);

	/*
	 * Bit i: decide_body() decides for body i. It returns one of the
	 * directions in `ways` (bit d: direction d) or PB_STAY. Where the rules
	 * draw at random, `drawn` is the number drawn (0..), else -1.
	 */
	unsigned bodies;
	enum pb_dir (*decide_body)(
	    void *ctx, int body, unsigned ways, int drawn);

	/* Called with each decision of a body that this process decides. NULL:
	 * not called. */
	void (*decided)(void *ctx, int body, enum pb_dir d);

	/*
	 * Of games on maps. emit() receives each event at once. choose()
	 * chooses one of the pellets that are left (left[i] of pellet i) in
	 * place of the player. place() sets *at to the place (m) of a
	 * ghost in `heard`. NULL: not called. None of them may change the game.
	 */
	void (*emit)(void *ctx, const struct pb_event *n);
	void (*choose)(
	    void *ctx, const unsigned char *left, struct pb_answer *out);
	void (*place)(
	    void *ctx, const struct pb_ghost_event *n, struct pb_vec *at);

	/*
	 * Of games on maps: a real robot in the place of the simulated one.
	 * Once a step it receives the commanded twist, may change it, and
	 * updates *at, the robot's pose. Returns whether that is a new
	 * measurement. NULL: no real robot.
	 */
	bool (*drive)(void *ctx, struct pb_twist *u, struct pb_pose *at);

	/* pb_game_play() ends the game after the step in which this becomes
	 * true; games that an operator leads end their round. NULL: never. */
	const bool *quits;
};

/* Whether an agent has asked to end the game. */
bool pb_agents_quit(const struct pb_agents *c);

/* The decision of c for the player's body, else the player's own. */
enum pb_dir pb_player_decide(const struct pb_player_state *t,
    const struct pb_agents *c, const void *view);

/* Whether c decides for body i. Report our decision d for body i to c, and
 * return d. */
bool pb_agents_decide(const struct pb_agents *c, int body);
enum pb_dir pb_agents_notify(
    const struct pb_agents *c, int body, enum pb_dir d);

/* The status of a game on a map, in the words of state records. */
struct pb_standing {
	const char *phase;  /* menu, running, ...; static storage */
	int round;          /* 1.. */
	int spawned;        /* pellets laid in this round */
	int collected;      /* pellets collected in this round */
	int score;          /* score of all rounds */
	const char *result; /* for people, "" if there is none; static */
	double ghost_speed; /* (m/s) */
};

/* A command of the operator: the name of a cmd record, the node that its id may
 * name, and the kind of its value. */
enum pb_command_takes {
	PB_TAKES_NOTHING,
	PB_TAKES_SPEED,  /* above 0 and up to PB_COMMAND_SPEED m/s */
	PB_TAKES_POINT,  /* (m) */
	PB_TAKES_PELLET, /* 0.. */
};
#define PB_COMMAND_SPEED 100.0

struct pb_command {
	const char *name, *to;
	enum pb_command_takes takes;
};

struct pb_command_value {
	double speed;
	struct pb_vec at;
	int pellet;
};

/* A named set of options; rowless options keep their values. */
struct pb_game_preset {
	const char *name;
	void (*take)(void *opts);
};

/* An option that is a place on the map. */
struct pb_game_place {
	const char *name; /* long option without dashes */
	const char *help; /* a few words, no stop */
	bool heading;     /* the option is x, y, theta; else x, y */
	size_t at, has;   /* of its numbers, and of a bool: whether it is set,
	                     in the options struct */
};

/* The part of a rule set on boards of cells. A step is made of ask() and
 * move(), see pb_game_step(). */
struct pb_board_game {
	/* Offsets of two ints in the options: how many bodies play beside the
	 * player's; whether bodies have poses (0: never). */
	size_t others, motion;

	/*
	 * asks(): whether the player's body decides at the start of the next
	 * step. ask(): its decision, by pb_player_decide() with the player's
	 * view.
	 */
	bool (*asks)(const void *state);
	enum pb_dir (*ask)(void *state, const struct pb_agents *c);

	/* Step the game with the player's stick. Returns whether the game goes
	 * on. */
	bool (*move)(void *state, enum pb_dir stick, const struct pb_agents *c);

	/*
	 * Fill out with the true state, or with what the player sees by `view`.
	 */
	void (*look)(const void *state, const void *view, struct pb_seen *out);

	/* List the events since the last call; at most PB_EVENTS. */
	int (*events)(void *state, struct pb_event *out);

	/*
	 * For programs that learn; each may be NULL. Ways open to the player's
	 * body (bit d: direction d). What look() shows as frame_size bytes of
	 * the game's own. Whether players see less of the game than look()
	 * shows without a view; NULL: they see all.
	 */
	unsigned (*ways)(const void *state, const void *view);
	size_t frame_size;
	void (*frame)(const void *state, const void *view, uint8_t *out);
	bool (*partly_seen)(const void *opts);

	/* Of games in lock-step: body i has failed and stands where it is. */
	void (*fail_body)(void *state, int body);
};

/* The part of a rule set on maps: an operator leads them from round to round,
 * and the player decides at any time. */
struct pb_map_game {
	/* Options that are places, not rows; the last has no name. */
	const struct pb_game_place *place;

	/* The number of unreachable pellets in play, and how many were left out
	 * for that reason. */
	int (*beyond)(const void *world, int *left_out);

	/* If no pellet could be laid: a value of the constant "spacing" that
	 * lays *n pellets, 0: none. */
	double (*spacing)(const struct pb_map *m, const void *opts, size_t *n);

	/*
	 * All commands, ended by one without a name; "start" and "reset" are
	 * among them. cannot(): why not command i with v (static), or NULL.
	 * command(): carry it out; returns why nothing came of it (static), or
	 * NULL.
	 */
	const struct pb_command *commands;
	const char *(*cannot)(
	    const void *state, int i, const struct pb_command_value *v);
	const char *(*command)(void *state, int i,
	    const struct pb_command_value *v, const struct pb_agents *c);

	/* Whether it waits for start; how many rounds have ended; the longest
	 * that one phase of standing() can last (s). */
	bool (*idle)(const void *state);
	int (*ended)(const void *state);
	double (*patience)(const void *opts);
	void (*standing)(const void *state, struct pb_standing *out);

	/*
	 * next_opts(): change opts to those of the next round, for learn().
	 * set_model(): give the player what learn() made of them; PB_EVALUE and
	 * no change if its memory would need another size.
	 */
	void (*next_opts)(const void *state, void *opts);
	enum pb_status (*set_model)(void *state, const void *model);

	/* The initial pellets, *n of them; left[i]: pellet i is left. */
	const struct pb_pellet *(*pellets)(
	    const void *state, int *n, const unsigned char **left);

	/*
	 * Boxes and people in *t, valid with the state; returns their number.
	 */
	int (*things)(const void *state, const struct pb_thing **t);

	/* Whether the robot makes no gestures. */
	bool (*still)(const void *opts);

	/* Free the memory that copies do not need, of a state that serves as a
	 * snapshot only. */
	void (*slim)(void *state);
};

/* A rule set. Functions that may be NULL say so. A rule set that plays whole
 * trials only has play(); its step() and all members below that are NULL. */
struct pb_game {
	const char *name;
	const char *summary;        /* one line, no stop */
	const char *board;          /* usual maze; NULL: played on maps */
	const char *usual;          /* the default player */
	const char *behaviour;      /* what pb-ghost calls the other bodies */
	const char *const *body;    /* ids, NULL-ended; the player's first */
	const char *const *outcome; /* all of them, NULL-ended; the first is
	                               success */
	const char *const
	    *killer; /* bodies that can kill, as in pb_trial; NULL: unknown */
	int rounds;  /* largest round that can be asked for */
	enum pb_measure decides; /* its competition; 0: success */

	/* The kind of ground: one of them is set. */
	const struct pb_board_game *on_board;
	const struct pb_map_game *on_map;

	/* Options: a struct of opts_size bytes, described by rows. */
	size_t opts_size;
	const struct pb_params *params; /* NULL: no rows */

	/* The first option that is wrong though each row is in its range, and
	 * *why; NULL if none. NULL: ranges do. */
	const char *(*check)(const void *opts, const char **why);

	/* Where in the options a const struct pb_weights * is: what trained
	 * players play by, not owned and in no hash of them, but in the trial
	 * of such a player. 0: nowhere. */
	size_t weights;

	/* Named options, the last without a name; NULL: none. */
	const struct pb_game_preset *preset;

	/* Hash of options and pellets, see pb_game_fingerprint(). NULL: that of
	 * the rows. */
	uint64_t (*fingerprint)(
	    const void *opts, const struct pb_pellets *p, const char *player);

	/*
	 * Make a world in *world, world_size bytes that are zero; 0: prepare()
	 * sets it. See pb_game_prepare(). discard() frees what is in it, also
	 * after a failure; and the world that prepare() has set.
	 */
	size_t world_size;
	enum pb_status (*prepare)(const struct pb_ground *g, const void *opts,
	    void **world, struct pb_refusal *no);
	void (*discard)(void *world);

	/* Replacements of the player's learn() and forget(); NULL: none. */
	enum pb_status (*learn)(const struct pb_player *p, const void *world,
	    const void *opts, void **model);
	void (*forget)(const struct pb_player *p, void *model);

	/*
	 * Of games whose bodies are rovers with localizers: offsets of a struct
	 * pb_onboard * in the world (owned); and in the state of a struct
	 * pb_onboard_robots, which is set before steps, and of the first struct
	 * pb_rover. The localizers' memory follows the state. 0: other games.
	 */
	size_t onboard, robots, rovers;

	/*
	 * A state begins with a struct pb_player_state, and has `size` bytes
	 * without pointers into itself, followed by more() bytes if it is not
	 * NULL: a copy is a snapshot. Other states need open(), close() and
	 * copy(), which are NULL else.
	 */
	size_t size;
	size_t (*more)(const void *world, const void *opts);
	enum pb_status (*open)(void **state, const struct pb_player_state *ps);
	void (*close)(void *state);
	void (*copy)(void *to, const void *from);

	/* Play trial r->trial of r->seed: fills r from `outcome` on to its
	 * end. NULL: by steps. */
	void (*play)(
	    void *state, struct pb_trial *r, const struct pb_agents *c);

	/* As pb_game_start() and pb_game_step(); step NULL: by those of games
	 * on boards. */
	void (*start)(void *state, uint64_t seed, uint64_t trial,
	    const struct pb_agents *c);
	bool (*step)(void *state, const struct pb_agents *c);

	/* Time since the start, and between two steps (s; roomba's in step:
	 * ticks). NULL: steps are counted by an int of the state at `tick`, of
	 * which hz are a second. */
	size_t tick;
	int hz;
	double (*time)(const void *state);
	double (*dt)(const void *state);

	/* The outcome as a word. */
	const char *(*ending)(const void *state);

	/*
	 * pose: the true pose of a body, x NAN if it does not play; NULL: that
	 * of its rover. estimate: the estimate that the player's robot has of
	 * its own pose; false: none yet, and the game's start waits for it;
	 * NULL: that of its rover.
	 */
	struct pb_pose (*pose)(const void *state, int body);
	bool (*estimate)(const void *state, struct pb_pose *out);

	/*
	 * Pose of the player's robot, for its sensors, once a step; `heading`
	 * is that of a robot whose heading is held. *carried: it was placed
	 * there.
	 */
	struct pb_pose (*robot)(void *state, double heading, bool *carried);

	/* Walls for the rays of sensors: a map for pb_map_clear, NULL: that of
	 * pb_maze_walled(). */
	enum pb_status (*solid)(const void *state, struct pb_map *m);

	/* How the game, or its last round, ended, as in play(), but for
	 * outcome and time unless they are of the round; *r is as
	 * pb_game_key() has made it. */
	void (*result)(const void *state, struct pb_trial *r);

	/*
	 * lockstep: programs of the other bodies receive the whole game and
	 * answer in turn. starts: an operator sends start and reset, and there
	 * may be a joystick. held: the player's robot is held at a heading, and
	 * the rays of its sensors may leave the board.
	 */
	bool lockstep, starts, held;
};

/* Name of a ground, and a hash of what it is; pellets excepted. */
const char *pb_ground_name(const struct pb_ground *g);
uint64_t pb_ground_hash(const struct pb_ground *g);

/* How many bodies play, and whether they are more than cells. */
int pb_game_bodies(const struct pb_game *g, const void *opts);
bool pb_game_drives(const struct pb_game *g, const void *opts);

/*
 * Make a world of a ground and checked options.
 *
 * Returns  PB_OK and *world for pb_game_discard; else a status and *world NULL;
 *          *no has a text if the status does not explain the failure, and row
 *          -1, as no option is at fault
 */
enum pb_status pb_game_prepare(const struct pb_game *g,
    const struct pb_ground *ground, const void *opts, void **world,
    struct pb_refusal *no);
void pb_game_discard(const struct pb_game *g, void *world);

/* Of a game: time since the start, and between two steps. */
double pb_game_time(const struct pb_game *g, const void *state);
double pb_game_dt(const struct pb_game *g, const void *state);

/* The true pose of body i, and what the player's robot believes of its own:
 * nothing, where false is returned. */
struct pb_pose pb_game_pose(const struct pb_game *g, const void *state, int i);
bool pb_game_estimate(
    const struct pb_game *g, const void *state, struct pb_pose *out);

/* The usual options, in opts_size bytes. */
void pb_game_defaults(const struct pb_game *g, void *opts);

/* Take the preset of that name. Returns whether there is one. */
bool pb_game_preset(const struct pb_game *g, void *opts, const char *name);

#define PB_GAME_WHY 200

/* The first option that is wrong, and why for people; NULL if none. */
const char *pb_game_check(
    const struct pb_game *g, const void *opts, char why[PB_GAME_WHY]);

/*
 * Hash of pellets (NULL: laid by the options) and of all options that have an
 * effect with that player ("": none). The round is a key of its own and not
 * included.
 */
uint64_t pb_game_fingerprint(const struct pb_game *g, const void *opts,
    const struct pb_pellets *pellets, const char *player);

/*
 * The common part of all trials of g on a ground with these options; members of
 * single trials are missing: 0, "", -1 or NAN; the options are those without a
 * player.
 */
struct pb_trial pb_game_key(const struct pb_game *g,
    const struct pb_ground *ground, const void *opts, int round);

/* Add player p to r: its name, the weights that it needs, and constants that
 * count for it alone, which become part of r->options. */
void pb_game_credit(const struct pb_game *g, const struct pb_player *p,
    const void *opts, struct pb_trial *r);

/* The weights of trained players in the options, NULL: none; set them, if the
 * options have them. */
const struct pb_weights *pb_game_weights(
    const struct pb_game *g, const void *opts);
void pb_game_set_weights(
    const struct pb_game *g, void *opts, const struct pb_weights *w);

/* The option "round", 1 where g has no rounds; set it where it has. */
int pb_game_round(const struct pb_game *g, const void *opts);
void pb_game_set_round(const struct pb_game *g, void *opts, int round);

/* Compute what player p learns of a world; *model NULL: nothing. */
enum pb_status pb_game_learn(const struct pb_game *g, const struct pb_player *p,
    const void *world, const void *opts, void **model);
void pb_game_forget(
    const struct pb_game *g, const struct pb_player *p, void *model);

/*
 * Memory for one game at a time.
 *
 * Given    world, opts, p, model  kept, not owned
 * Returns  PB_OK and a state for pb_game_close, or PB_ENOMEM
 */
enum pb_status pb_game_open(const struct pb_game *g, void **state,
    const void *world, const void *opts, const struct pb_player *p,
    const void *model);
void pb_game_close(const struct pb_game *g, void *state);

/* Copy state `from` to `to`; both of the same world, options and player. */
void pb_game_copy(const struct pb_game *g, void *to, const void *from);

/* Begin game `trial` of `seed`, asking agents for their bodies. Make a step;
 * returns whether the game goes on. */
void pb_game_start(const struct pb_game *g, void *state, uint64_t seed,
    uint64_t trial, const struct pb_agents *c);
bool pb_game_step(
    const struct pb_game *g, void *state, const struct pb_agents *c);

/* Fill the result of a game into what pb_game_key() made. */
void pb_game_result(
    const struct pb_game *g, const void *state, struct pb_trial *r);

/* Play a trial, see pb_game.play; c may be NULL. Allocates nothing. */
void pb_game_play(const struct pb_game *g, void *state, struct pb_trial *r,
    const struct pb_agents *c);

PB_END_DECLS
