/* sim_opts.h - the command line of pb-sim. */
#pragma once

#include <stdbool.h>

#include "io/play/pacbot_modes.h"
#include "io/console/console.h"
#include "io/opt/rules_opts.h"
#include "io/play/weights_opt.h"

/* Options of pb-sim. */
struct pb_sim_opts {
	struct pb_session_opts session;
	struct pb_pacsim_opts pacbot;
	struct pb_constants constants;
	struct pb_weights_opt weights;
	int which;                  /* index of the rule set */
	const struct pb_game *game; /* of that, ... */
	void *opts;                 /* ... its constants, ... */
	bool on_map;                /* ... and whether it is played on maps */
	int player;                 /* index of the player */
	const char *rules;
	const char *player_name; /* NULL: the default player */
	const char *map;
	struct pb_mapfile_opts pixels; /* how to read the map */
	const char *world;     /* file of the true map, NULL: same as the map */
	struct pb_world truth; /* read from it */
	bool as_swarm;         /* one process for each robot */
	const char *self;      /* argv[0] */
	char *command[16];     /* commands made for robots, owned */
	int commands;
	struct pb_outside outside; /* bodies that are programs */
	struct pb_outside asked;   /* programs typed by the user */
	const char *score; /* program that chooses pellets, NULL: none */
	bool has_rate;
	bool list;
	bool play;                 /* a person plays at the terminal */
	const char *joystick;      /* device, NULL: none */
	bool paced;                /* --speed was given */
	double speed;              /* times real time */
	struct pb_opt_names names; /* all options given */
	const char *preset;
	struct pb_places places;
	char sensors[80];  /* names of those requested */
	char modes[5][80]; /* names of modes, for messages */
	bool pictures; /* stdout is a terminal: show pictures, not records */
	bool interactive;
	struct pb_console_inputs inputs; /* files of commands for the console */
	struct pb_opt_common common;

	struct pb_set set; /* groups of all rule sets, then of the sensors */
};

/*
 * Read the command line, and check combinations of options: find rules and
 * players, add the programs of a swarm, refuse options without effect.
 *
 * Given    o  for pb_sim_opts_clear() in any case; must not move from then on
 *
 * Returns  index of the first operand; -1: nothing to do, with a message if the
 *          line was refused
 */
int pb_sim_opts_read(struct pb_sim_opts *o, int argc, char **argv);
void pb_sim_opts_clear(struct pb_sim_opts *o);

/* Whether commands start and lead the game. */
bool pb_sim_commanded(const struct pb_sim_opts *o);
