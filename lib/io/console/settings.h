/* settings.h - options of the command line that the operator can change between
 * two games. */
#pragma once

#include "io/console/stage.h"

#define PB_SETTINGS_PATH 1024 /* longest name of a map (bytes) */

struct pb_settings {
	const struct pb_stage_opts *of; /* what is set; not owned */

	/* Where of->map and of->known point once they are set. */
	char map[PB_SETTINGS_PATH + 1], known[PB_REC_WORD];

	/* Weights that were read: games and copies of settings point to them,
	 * so they stay until the end. Owned. */
	struct pb_settings_weights *weights;
};

/* Free what it owns, once nobody plays. */
void pb_settings_clear(struct pb_settings *s);

/* Returns false with bad filled in: no such name, or no value of it. */
bool pb_settings_set(struct pb_settings *s, const char *name, const char *value,
    struct pb_error *bad);

/* Name of setting i (0..) and what it is; NULL past the last. */
const char *pb_settings_name(
    const struct pb_settings *s, int i, const char **help);

/* Its value as it would be typed, "" if it has none. */
void pb_settings_value(
    const struct pb_settings *s, int i, char *out, size_t size);

/* Word i (0..) that the setting of that name may take; false past the last, and
 * if it takes other things. */
bool pb_settings_word(const struct pb_settings *s, const char *name, int i,
    char *out, size_t size);

/*
 * A copy of all values, NULL without memory, to be freed by free(); make them
 * those again.
 */
struct pb_settings_copy;
struct pb_settings_copy *pb_settings_save(const struct pb_settings *s);
void pb_settings_load(struct pb_settings *s, const struct pb_settings_copy *c);
