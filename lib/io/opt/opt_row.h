/* opt_row.h - what the opt*.c share. */
#ifndef PB_IO_OPT_OPT_ROW_H
#define PB_IO_OPT_OPT_ROW_H

#include "io/opt/opt.h"

/* All options of a tool, those of its groups included. */
struct pb_opt_row {
	struct pb_opt o;
	const char *title; /* of the group that begins here, or NULL */
	const struct pb_opt_group *group; /* it is shown with, or NULL */
	bool constant;                    /* it is of that group itself */
	const char *arg;                  /* given before --help, or NULL */
	char name[PB_OPT_NAME_MAX];       /* of o, where a prefix made it */
	const char *plain;                /* ... and without it, else NULL */
};
struct pb_opt_rows {
	struct pb_opt_row *row; /* owned by who made them */
	size_t n;
};

/* Whether a row before row i has its name: one option of several groups. */
bool pb_opt_named_before(const struct pb_opt_rows *r, size_t i);

bool pb_opt_takes_arg(enum pb_opt_kind kind);

/* Store the argument (NULL for flags); false: bad says what is wrong. */
bool pb_opt_set(const struct pb_opt *o, const char *arg, struct pb_error *bad);

/* On stdout: what goes with the arguments in the rows, or all. */
void pb_opt_help(
    const struct pb_tool *t, const struct pb_opt_rows *r, bool all);
void pb_opt_dump(const struct pb_opt_rows *r);

/* One line on stderr. */
void pb_opt_usage(const struct pb_tool *t);

#endif
