/* replay.h - games as a page that plays them in a browser. */
#pragma once

#include <stdbool.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "view/canvas.h"
#include "view/scene.h"

/*
 * One file of HTML that needs nothing else: the player (replay.html) and what
 * the records told, frame by frame, each with no more than what has changed.
 * It is written as the records come, so memory is bounded, and appears whole
 * or not at all. A game ends with its result, or where time goes back.
 *
 * Places are in whole millimetres along the map's own axes, from the map's
 * corner; lists of points, such as scans, are coarser and thinned; scans come
 * at most three times a second, beliefs twice.
 */
struct pb_replay;

/* Whether a file of that name is one. */
bool pb_replay_named(const char *path);

/*
 * Given    o     title, box, whole, no_trails; kept by the caller
 *          grid  games are first shown side by side
 * Returns  a page for pb_replay_close, NULL with bad filled in
 */
struct pb_replay *pb_replay_open(const char *path,
    const struct pb_render_opts *o, bool grid, struct pb_error *bad);

/* Take one record of the file named source into f's scene, as pb_scene_build,
 * and into the page. */
bool pb_replay_take(struct pb_replay *p, struct pb_scene_builder *f,
    struct pb_rec *r, const char *source, struct pb_error *bad);

/* Free p and leave the file as it was. */
void pb_replay_abandon(struct pb_replay *p);

/* Write what is left of f's scene and the file's end, and free p. Returns 0,
 * or -1 with bad filled in: nothing is left of the file. */
int pb_replay_close(
    struct pb_replay *p, struct pb_scene_builder *f, struct pb_error *bad);
