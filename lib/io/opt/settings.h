/* settings.h - options of a game that can be changed between two games. */
#ifndef PB_IO_OPT_SETTINGS_H
#define PB_IO_OPT_SETTINGS_H

#include "io/console/stage.h"
#include "io/opt/rules_opts.h"
#include "io/play/pacmanbot_session.h"
#include "pb/games.h"

#define PB_SETTINGS      20
#define PB_SETTINGS_PATH 1024 /* longest name of a map (bytes) */

/* The constants of a rule set and of sensors, and what else there is. */
struct pb_settings {
	const struct pb_stage_opts *of; /* what is set; not owned */
	struct pb_opt opt[PB_SETTINGS];
	int n; /* of opt[] */
	struct pb_opt_preset preset;
	char
	    map[PB_SETTINGS_PATH + 1]; /* where of->map points once it is set */
	char known[PB_REC_WORD];       /* the same of of->known */
};

/* Note: s points into itself, it must not be moved. of is kept. */
void pb_settings_init(struct pb_settings *s, const struct pb_stage_opts *of);

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

/* settings_value.c: for PB_OPT_CALL, to: struct pb_settings *. */
bool pb_settings_player(void *to, const char *arg, struct pb_error *bad);
bool pb_settings_rate(void *to, const char *arg, struct pb_error *bad);
bool pb_settings_map(void *to, const char *arg, struct pb_error *bad);
bool pb_settings_sensors(void *to, const char *arg, struct pb_error *bad);
bool pb_settings_known(void *to, const char *arg, struct pb_error *bad);

/*
 * Constant i (0..) of the rules, then of sensors, and the one of a name; NULL
 * if there is none. base is for the struct that it is in.
 */
const struct pb_param *pb_settings_param(
    const struct pb_settings *s, int i, void **base);
const struct pb_param *pb_settings_find(
    const struct pb_settings *s, const char *name, void **base);

#endif
