/* pacbot_ghost.h - a ghost of Pacbot as a program that is asked. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"

/*
 * Be a ghost that is asked (io/play/program.h): read standard input, write
 * moves.
 *
 * Given    name  one of pb_pacbot_ghost, or "blinky", "pinky", "inky", "clyde"
 * Returns  false if there is none of that name
 */
bool pb_pacghost_run(const char *name, const struct pb_opt_common *common);
