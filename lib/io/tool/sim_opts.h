/* sim_opts.h - the command line of pb-sim. */
#pragma once

#include <stdbool.h>

#include "io/play/pacbot_modes.h"
#include "io/console/console.h"
#include "io/opt/rules_opts.h"
#include "io/play/weights_opt.h"

/* What the user wants. */
struct pb_sim_opts {
	struct pb_session_opts session;
	struct pb_pacsim_opts pacbot;
	struct pb_constants constants;
	struct pb_weights_opt weights;
	int which;                  /* rule set */
	const struct pb_game *game; /* of that, ... */
	void *opts;                 /* ... its constants, and ... */
	bool on_map;                /* ... whether it is of maps, whose
	                             * session is led by records */
	int player;                 /* its number there */
	const char *rules;
	const char *player_name; /* NULL: the usual one */
	const char *map;
	struct pb_mapfile_opts pixels; /* how to read it */
	const char *world;     /* a map file, NULL: the world is as the map */
	struct pb_world truth; /* read from it */
	bool as_swarm;         /* a process for each robot */
	const char *self;      /* how this program was called */
	char *command[16];     /* of robots that were not given, owned */
	int commands;
	struct pb_outside outside; /* the bodies that are programs */
	struct pb_outside asked;   /* programs that are asked */
	const char *score;         /* that chooses pellets, NULL: none */
	bool has_rate;
	bool list;
	bool play;                 /* a human plays */
	const char *joystick;      /* by this device, NULL: by none */
	bool paced;                /* speed was given */
	double speed;              /* times real time */
	struct pb_opt_names names; /* of all options given */
	const char *preset;
	struct pb_places places;
	char sensors[80];  /* those asked for */
	char modes[5][80]; /* what options go with, for messages */
	bool pictures;     /* stdout is a terminal, and shows no records */
	bool interactive;
	struct pb_console_inputs inputs; /* commands for the console */
	struct pb_opt_common common;

	struct pb_set set; /* a group for each rule set; then the sensors' */
};

/*
 * Read the command line, and check what depends on several options: find rules
 * and players, add the programs of a swarm, refuse options without an effect.
 *
 * Given    o  for pb_sim_opts_clear in any case; not moved from then on
 * Returns  number of the first operand; -1 if there is nothing to do, and
 *          what was wrong was said
 */
int pb_sim_opts_read(struct pb_sim_opts *o, int argc, char **argv);
void pb_sim_opts_clear(struct pb_sim_opts *o);

/* Whether commands lead the game. */
bool pb_sim_commanded(const struct pb_sim_opts *o);
