/* pacbot_replay.h - recorded games of Pacbot, played again and compared. */
#pragma once

#include "io/stream/text.h"
#include "pb/pacbot.h"

/*
 * Play the commands and draws of each recording ("-": standard input) in our
 * engine and compare every number and frame of its lines with the state. The
 * format is in pb-pacbot(7). Writes one verdict for each file to o. The first
 * difference of a file is refused with its place; the rest of that file is not
 * read.
 */
void pb_pacbot_replay(const struct pb_pacbot_rules *k, char *const *files,
    int n, struct pb_text *o);
