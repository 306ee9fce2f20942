/* stage_bot.h - a pacmanbot game for the console. */
#ifndef PB_IO_STAGE_BOT_H
#define PB_IO_STAGE_BOT_H

#include "io/botsim.h"
#include "io/stage.h"

/*
 * Given    p      what the user wants: p->o is looked at again whenever a game
 *                 begins; kept
 *          files  as pb_botsim_read takes them
 *          out    where records go, kept
 * Returns  whether a game has begun; then game is for pb_stage_bot_free; if
 *          not, why was said
 */
bool pb_stage_bot_new(const struct pb_botsim *p, char *const *files, int n,
    struct pb_text *out, struct pb_stage *stage);
void pb_stage_bot_free(struct pb_stage *stage);

#endif
