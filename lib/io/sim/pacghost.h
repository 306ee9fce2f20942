/* pacghost.h - a ghost of a Pacbot match as a program of its own. */
#ifndef PB_IO_SIM_PACGHOST_H
#define PB_IO_SIM_PACGHOST_H

#include "pb/match.h"
#include "io/opt/opt.h"

/*
 * Be a ghost that is asked (io/play/program.h): read standard input, write
 * moves.
 *
 * Given    name  one of pb_pacbot_ghost, or "blinky", "pinky", "inky", "clyde"
 * Returns  false if there is none of that name
 */
bool pb_pacghost_run(const char *name, const struct pb_opt_common *common);

#endif
