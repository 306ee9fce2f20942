/* mapgen.h - what pb-mapgen does with a map: change, check, tell, write. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/file/mapsource.h"
#include "io/opt/opt.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "map/change.h"

enum pb_mapgen_as { PB_AS_AUTO, PB_AS_MAP, PB_AS_MAZE };

/* What is to be done. A zeroed struct writes records as they are. */
struct pb_mapgen_opts {
	struct pb_mapsource_opts made;
	const char *name;         /* of the map, NULL: its own */
	struct pb_opt_list merge; /* files of maps to add, before the change */
	struct pb_change change;
	bool check;          /* the grid rules */
	bool validate;       /* whether there is room to play */
	bool tell;           /* key: value lines on stdout */
	const char *output;  /* file to write, NULL if none */
	int as;              /* enum pb_mapgen_as: the record to write */
};

/*
 * These say on stderr what they find wrong, which sets the exit status, and
 * return whether all was well. name is the source's.
 */

/* Print the findings of pb_lint on stdout: `file:line: code: text`. */
bool pb_mapgen_lint(const char *name);

/*
 * Apply name, resolution, origin, merge and change to p. What is changed in
 * space is a map from then on.
 */
bool pb_mapgen_change(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p);

/* Whether o asks for anything but records. */
bool pb_mapgen_given(const struct pb_mapgen_opts *o);

/* Check, tell or write the changed p; as a record to out, by default. */
bool pb_mapgen_do(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out);

/*
 * Read the stream of an operand to its end and do what o asks for with each
 * map and maze in it; into a file, with the first. If o asks for records, the
 * others are passed on. What is refused is said.
 */
void pb_mapgen_stream(const struct pb_mapgen_opts *o, char *operand,
    const struct pb_opt_common *common);

/* Read "a,b" or "all" into the unsigned at `to`, a set of dialects. */
bool pb_mapgen_pair(void *to, const char *arg, struct pb_error *bad);

/*
 * How differently loaders read the map file at path: a line `a b cells of all
 * per cent` for every pair from a to b of which `mask` has both bits.
 *
 * Returns  0, or -1 with f filled in
 */
int pb_mapgen_compare(
    FILE *out, const char *path, unsigned mask, struct pb_error *f);
