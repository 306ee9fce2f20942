/* opt_fit.h - which options go with which way of using a tool. */
#ifndef PB_IO_OPT_OPT_FIT_H
#define PB_IO_OPT_OPT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"

/* Names of options given, each once, as many as there is room. */
#define PB_OPT_NAMES    128
#define PB_OPT_NAME_MAX 64 /* bytes of the longest, prefix and NUL included */
#define PB_OPT_ODD      16
struct pb_opt_names {
	char name[PB_OPT_NAMES][PB_OPT_NAME_MAX];
	int n;
	/*
	 * Values of options that several groups have and that these refused
	 * while others took them, as many as there is room.
	 */
	struct pb_opt_odd {
		const char *const *given; /* of the group */
		char name[PB_OPT_NAME_MAX];
		struct pb_error bad;
	} odd[PB_OPT_ODD];
	int odds;
};

/* An option that has an effect only in some modes; others have it in all. */
struct pb_opt_fit {
	const char *name;
	unsigned modes;   /* bits, the tool's own */
	const char *with; /* what those are, for people */
};

/* Copies the name. */
void pb_opt_names_add(struct pb_opt_names *names, const char *name);

/* Note that the group whose options tell `given` refuses the value of name. */
void pb_opt_names_odd(struct pb_opt_names *names, const char *const *given,
    const char *name, const struct pb_error *bad);

/* Whether that group took all values; if it did not, it was said. */
bool pb_opt_names_took(
    const struct pb_opt_names *names, const char *const *given);

bool pb_opt_names_have(const struct pb_opt_names *names, const char *name);

/*
 * Whether all options given have an effect in `mode`.
 *
 * Given    table  n rows
 *          mode   one bit
 * Returns  false if one has none, which was said
 */
bool pb_opt_names_fit(const struct pb_opt_names *names,
    const struct pb_opt_fit *table, size_t n, unsigned mode);

/* Whether nothing else was given, but --quiet; if there was, it was said. */
bool pb_opt_names_alone(const struct pb_opt_names *names, const char *name);

#endif
