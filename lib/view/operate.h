/* operate.h - the operator's console of a game, with its pictures. */
#ifndef PB_VIEW_OPERATE_H
#define PB_VIEW_OPERATE_H

#include "io/console/console.h"
#include "io/opt/opt.h"

/* What the user wants. What can be set is changed by the console. */
struct pb_operate {
	struct pb_stage_opts game;              /* but for `out` */
	const struct pb_console_inputs *inputs; /* carried out first */
	bool interactive; /* then commands from standard input */
};

/*
 * Whether standard input is asked for once at most: for commands, or for the
 * map. If not it was said.
 */
bool pb_operate_check(const struct pb_operate *p, char *const *files, int n);

/* Play as the commands say. What goes wrong is said. */
void pb_operate(const struct pb_operate *p, char *const *files, int n);

#endif
