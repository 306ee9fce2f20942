/* mapgen.h - what pb-mapgen does with a map: change, check, tell, write. */
#ifndef PB_IO_TOOL_MAPGEN_H
#define PB_IO_TOOL_MAPGEN_H

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/stream/text.h"
#include "io/tool/mapgen_source.h"
#include "map/change.h"

enum pb_mapverb_as { PB_AS_AUTO, PB_AS_MAP, PB_AS_MAZE };

/* What is to be done. A zeroed struct writes records as they are. */
struct pb_mapverb_opts {
	struct pb_mapmade_opts made;
	const char *name;         /* of the map, NULL: its own */
	struct pb_opt_list merge; /* files of maps to add, before the change */
	struct pb_change change;
	bool check;          /* the grid rules */
	bool validate;       /* whether there is room to play */
	bool tell;           /* key: value lines on stdout */
	const char *against; /* file of a map to compare with, NULL if none */
	const char *output;  /* file to write, NULL if none */
	int as;              /* enum pb_mapverb_as: the record to write */
};

/*
 * These say on stderr what they find wrong, which sets the exit status, and
 * return whether all was well. name is the source's.
 */

/* Print the findings of pb_lint on stdout: `file:line: code: text`. */
bool pb_mapverb_lint(const char *name);

/*
 * Apply name, resolution, origin, merge and change to p. What is changed in
 * space is a map from then on.
 */
bool pb_mapverb_change(
    const struct pb_mapverb_opts *o, const char *name, struct pb_mapmade *p);

/* Whether pb_mapverb_change or `as` would make another record of p. */
bool pb_mapverb_changes(
    const struct pb_mapverb_opts *o, const struct pb_mapmade *p);

/* Whether o asks for anything but records. */
bool pb_mapverb_given(const struct pb_mapverb_opts *o);

/* Check, tell or write the changed p; as a record to out, by default. */
bool pb_mapverb_do(const struct pb_mapverb_opts *o, const char *name,
    struct pb_mapmade *p, struct pb_text *out);

#endif
