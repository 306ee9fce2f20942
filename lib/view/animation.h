/* animation.h - pictures one after the other in one file: animated PNG. */
#pragma once

#include <stdbool.h>

#include "io/stream/error.h"

/*
 * An image that browsers, chats and slides play; other programs show its first
 * picture. What a picture has of the one before is not in the file, which
 * appears whole or not at all. The same pictures give the same bytes.
 */
struct pb_animation;

/* Whether a file of that name is one. */
bool pb_animation_named(const char *path);

/* For pictures that are drawn into it (view/drawing.h); NULL with f filled in.
 */
struct pb_animation *pb_animation_open(const char *path, struct pb_error *f);

/* The next picture is seen from t on (s), not before the last. */
void pb_animation_time(struct pb_animation *a, double t);

/*
 * Given    pixel  height lines of width, stride bytes apart: red in bits 16 to
 *                 23, green in 8 to 15, blue in 0 to 7
 *          width, height  the first picture's count; what a later one has more
 *                 is cut, what it lacks stays as it was
 */
void pb_animation_add(struct pb_animation *a, const unsigned char *pixel,
    int width, int height, int stride);

/* Show the last picture for some seconds, write the file and free a. Returns 0,
 * or -1 and nothing is left of the file: f says why, or is as it was where
 * there never was a picture. */
int pb_animation_close(struct pb_animation *a, struct pb_error *f);
