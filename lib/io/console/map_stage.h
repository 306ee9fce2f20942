/* map_stage.h - a game on a map for the console. */
#ifndef PB_IO_CONSOLE_MAP_STAGE_H
#define PB_IO_CONSOLE_MAP_STAGE_H

#include "io/console/stage.h"
#include "io/play/pacmanbot_session.h"

/*
 * Given    w      kept
 *          files  as pb_botsim_read takes them
 * Returns  whether a game has begun; then game is for pb_stage_bot_free; if
 *          not, why was said
 */
bool pb_stage_bot_new(const struct pb_stage_opts *w, char *const *files, int n,
    struct pb_stage *stage);
void pb_stage_bot_free(struct pb_stage *stage);

/* Write how the game stands, see stage.h; false: there is none of that. */
bool pb_stage_bot_put(
    struct pb_session *s, enum pb_stage_view v, struct pb_text *o);

#endif
