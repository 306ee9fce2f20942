/* opt.h - options of the command line, and constants by --set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "pb/param.h"

/* Different whole numbers from 1 on: "3", "1-10", "1,3,5-7". */
#define PB_NUMBERS 1000
struct pb_numbers {
	int v[PB_NUMBERS];
	int n;
};

/* Part i of n; the user writes "2/8" for the second of eight. */
struct pb_shard {
	uint64_t i; /* 0..n-1 */
	uint64_t n;
};

/* Parse numbers up to PB_NUMBERS; to: struct pb_numbers *, replaced. */
bool pb_opt_numbers(void *to, const char *arg, struct pb_error *bad);

/* Parse "I/N"; to: struct pb_shard *. */
bool pb_opt_shard(void *to, const char *arg, struct pb_error *bad);

/*
 * The next word of a list separated by commas.
 *
 * Given    at  rest of the list; moved behind the word
 *          out, size  room for the word and its final NUL
 * Returns  1 and the word; 0 at the end; -1 if it is empty or does not fit
 */
int pb_opt_word(const char **at, char *out, int size);

/* Names of options given, each once; names beyond PB_OPT_NAMES are dropped. */
#define PB_OPT_NAMES    128
#define PB_OPT_NAME_MAX 64 /* bytes of the longest, prefix and NUL included */
struct pb_opt_names {
	char name[PB_OPT_NAMES][PB_OPT_NAME_MAX];
	int n;
};

/* Add a copy of the name. */
void pb_opt_names_add(struct pb_opt_names *names, const char *name);

bool pb_opt_names_have(const struct pb_opt_names *names, const char *name);

/* Check that no other option was given, except --quiet. False: a message was
 * printed. */
bool pb_opt_names_alone(const struct pb_opt_names *names, const char *name);

/*
 * A tool describes its options once. From the table come the parser, the
 * usage line, --help, and the listing that the manual check and shell
 * completions read (--dump-options). Values are strict: the whole argument,
 * in range, finite, or exit status 2 and nothing on stdout.
 *
 *	struct pb_opt opt[] = {
 *		{"margin", 0, PB_OPT_NUM, "m", "replan margin",
 *		    .to = &o->margin, .min = 0, .max = INFINITY},
 *		PB_OPT_COMMON_FILTER(&o->common),
 *	};
 */
enum pb_opt_kind {
	PB_OPT_FLAG,    /* bool * or NULL: becomes true; then act() if any; with
	                   words (one word): int *: 1, or 2 for --name=word */
	PB_OPT_HELP,    /* print help */
	PB_OPT_VERSION, /* print version */
	PB_OPT_DUMP,    /* print all options, or call act(); if called "list",
	                   print the words that options take */
	PB_OPT_CONSTANTS, /* print the constants of the chosen groups */

	/* The kinds below take an argument. */
	PB_OPT_BOOL,  /* bool *: "yes" or "no" */
	PB_OPT_INT,   /* int *, within min and max */
	PB_OPT_NUM,   /* double *, within min and max */
	PB_OPT_LIMIT, /* double *, at least min, or "inf" for no limit */
	PB_OPT_U64,   /* uint64_t *, 0 .. 2^64-1 */
	PB_OPT_TEXT,  /* const char **: the argument itself */
	PB_OPT_ID,    /* const char **: an id of 1 to PB_OPT_ID_MAX bytes */
	PB_OPT_NAME,  /* int *: index of the argument in words */
	PB_OPT_WORDS, /* int *: bit i is set if word i of words is in the
	                 argument */
	PB_OPT_PAIR,  /* double[2], pb_vec: "X,Y", each within min and max */
	PB_OPT_POSE,  /* double[3], pb_pose: "X,Y" or "X,Y,THETA", each within
	                 min and max */
	PB_OPT_LIST,  /* struct pb_opt_list *: every argument, in order */
	PB_OPT_CALL,  /* call(to, argument, bad) parses it */
	PB_OPT_SET    /* struct pb_set *: the option "set" takes name=value; any
	                 other sets the constant of its own name */
};

/* The longest id that a record holds (bytes). */
#define PB_OPT_ID_MAX 31

/* Arguments of an option that may be repeated. */
#define PB_OPT_LIST_MAX 64
struct pb_opt_list {
	const char *arg[PB_OPT_LIST_MAX];
	int n;
};

struct pb_opt {
	const char *name; /* long name */
	char letter;      /* short name, 0 if none */
	enum pb_opt_kind kind;
	const char *arg;   /* name of the argument, or its unit */
	const char *help;  /* one line, no capital, no full stop */
	void *to;          /* where the value goes */
	double min, max;   /* bounds, inclusive; both 0: no bounds */
	const char *words; /* of PB_OPT_NAME and _WORDS: "a|b|c"; of _TEXT the
	                    * suffixes that the file's name may have */
	bool (*call)(void *to, const char *arg, struct pb_error *bad);
	void (*act)(void);
	bool *seen; /* becomes true when it is given; until then --help shows no
	               default; or NULL */
	bool early; /* takes effect before all others */
	unsigned modes; /* modes it goes with, as bits; 0: all */
};

/* Constants. */
#define PB_SET_GROUPS 32
#define PB_SET_ROWS   160 /* most rows of a group */
#define PB_SET_ARGS   256
#define PB_SET_FACTS  4
#define PB_SET_NAME   64 /* bytes of the longest name, NUL included */

/* The constants of a rule set, a method, a generator, ... */
struct pb_set_group {
	const char *of;     /* owner for messages: "pacmanbot" */
	const char *title;  /* heading of rows without one */
	const char *prefix; /* "mcl": row "bin" is mcl-bin; NULL: none */
	struct pb_params params;
	void *base;              /* the options struct that the rows describe */
	bool chosen;             /* else --set does not know its names */
	bool given[PB_SET_ROWS]; /* row i was set */
};

/*
 * All constants of a tool. The tool adds the groups, reads its other options,
 * and marks the groups that apply as chosen. --set and similar options are only
 * stored at first, and applied after that in their order.
 */
struct pb_set {
	struct pb_set_group group[PB_SET_GROUPS];
	size_t groups;
	struct pb_fact fact[PB_SET_FACTS]; /* for `when` of rows */
	size_t facts;
	struct {
		const char *name; /* NULL: arg is "name=value ..." or "@file" */
		const char *arg;
	} arg[PB_SET_ARGS];
	size_t args;
	const struct pb_tool *tool; /* only while options are parsed */
	char options[64];           /* "a|b": constants that also are options */
};

/* Add a group; g.given may be left out. Returns the copy in s. */
struct pb_set_group *pb_set_add(struct pb_set *s, struct pb_set_group g);

/* Set or replace the words of a fact; words NULL: remove the fact. */
void pb_set_fact(struct pb_set *s, const char *name, const char *words);

/* Write the name of row i of g into out, PB_SET_NAME bytes. */
void pb_set_name(const struct pb_set_group *g, size_t i, char *out);

/*
 * Set the constant of that name in all chosen groups that have it.
 *
 * Returns  false with bad filled in, beginning with the name: no group has it,
 *          or it does not take that value
 */
bool pb_set_value(struct pb_set *s, const char *name, const char *value,
    struct pb_error *bad);

/* Whether a constant of that name was set. */
bool pb_set_given(const struct pb_set *s, const char *name);

/* Whether row i of g has an effect, was not set, or has its usual value;
 * otherwise bad says which option changes nothing. */
bool pb_set_idle(const struct pb_set *s, const struct pb_set_group *g, size_t i,
    struct pb_error *bad);

/* Check all chosen constants with pb_set_idle(); print the first that has no
 * effect. */
bool pb_set_fits(const struct pb_set *s);

/* The constant p of the struct at base as an option. */
struct pb_opt pb_opt_of_param(const struct pb_param *p, void *base);

/*
 * Store the argument (NULL for flags) where the option says.
 *
 * Returns  false with bad filled in if the option does not take it
 */
bool pb_opt_set(const struct pb_opt *o, const char *arg, struct pb_error *bad);

/* List the words of "a|b" whose bits are in set, separated by `between`. */
void pb_opt_words(char *out, size_t size, const char *words, unsigned set,
    const char *between);

/* Write the current value as a user would type it; "": it has none. */
void pb_opt_value(const struct pb_opt *o, char *out, size_t size);
void pb_param_value(
    const struct pb_param *p, const void *base, char *out, size_t size);

/* Shorten long numbers in a list separated by commas to three digits. */
void pb_opt_shorten(char *text, size_t size);

/* Options of every tool. */
struct pb_opt_common {
	bool keep_going; /* -k */
	bool quiet;      /* -q, already passed to pb_msg_quiet() */
};

/* Print no more notes and warnings. */
void pb_opt_hush(void);

#define PB_OPT_SEED(p, ...)                                               \
	{                                                                 \
		"seed", 's', PB_OPT_U64, "n", "seed of all random draws", \
		    .to = (p), __VA_ARGS__                                \
	}
#define PB_OPT_MAP(p, ...)                                                 \
	{                                                                  \
		"map", 'm', PB_OPT_TEXT, "file", "read the map from file", \
		    .to = (p), __VA_ARGS__                                 \
	}
/* clang-format off */
/* Options that all record filters have; c: struct pb_opt_common *. */
#define PB_OPT_COMMON_FILTER(c)                                             \
	{"keep-going", 'k', PB_OPT_FLAG, NULL,                              \
	    "go on after a refused record; the status is 1",               \
	    &(c)->keep_going},                                              \
	{"quiet", 'q', PB_OPT_FLAG, NULL, "no notes and warnings",          \
	    &(c)->quiet, .act = pb_opt_hush},                               \
	{"max-cells", 0, PB_OPT_INT, "n",                                   \
	    "refuse maps of more cells",           \
	    &pb_max_cells, .min = 1,                                        \
	    .max = (double)PB_MAP_SIDE * PB_MAP_SIDE},                      \
	{"max-line", 0, PB_OPT_INT, "bytes", "refuse longer lines",         \
	    &pb_max_line, .min = 1, .max = PB_LINE_MOST},                   \
	{"provenance", 0, PB_OPT_FLAG, NULL,                                \
	    "write tool, arguments, seed and input as the last record",      \
	    .act = pb_provenance_ask},                                      \
	{"help", 'h', PB_OPT_HELP, NULL,                                    \
	    "print this help; --help all: of all options"},                 \
	{"version", 'V', PB_OPT_VERSION, NULL, "print the version"},        \
	{"dump-options", 0, PB_OPT_DUMP, NULL,                              \
	    "list the options for programs, one a line"}
/* clang-format on */

/* The options that every tool with constants has; s: struct pb_set *. */
/* clang-format off */
#define PB_OPT_SETS(s)                                                      \
	{"set", 0, PB_OPT_SET, "name=value",                                \
	    "set constants; --help constants lists them",     \
	    (s)},                                                           \
	{"dump-constants", 0, PB_OPT_CONSTANTS, NULL,                       \
	    "list constants for programs"}

/* For tools that have nothing else to list. */
#define PB_OPT_LISTS \
	{"list", 0, PB_OPT_DUMP, NULL, "list the words that options take"}
/* clang-format on */

/* Suffixes of picture files. */
#define PB_OPT_PICTURES "png|svg|pdf"

struct pb_tool {
	const char *purpose;  /* one line for --help */
	const char *operands; /* "[file ...]" */
	const struct pb_opt *opt;
	size_t nopt;
	struct pb_opt_names *names; /* those given; NULL: not needed */

	/*
	 * Constants, and a function that is called after all other options and
	 * before --set take effect. It chooses groups and returns the mode as
	 * one bit, 0 if it refused the options with a message. mode[i]: name of
	 * bit i in messages. NULL: none.
	 */
	struct pb_set *set;
	unsigned (*choose)(void *user, char *const *operand, int n);
	void *user;
	const char *const *mode;
	bool (*is_word)(const char *operand); /* not a file */
};

/* A tool with constants: its struct of options at o has names and a set; rows:
 * array of its options; pick, modes: its choose() and mode. */
#define PB_TOOL(o, rows, pick, modes, ...)                                \
	{                                                                 \
		.opt = (rows), .nopt = sizeof(rows) / sizeof(*(rows)),    \
		.names = &(o)->names, .set = &(o)->set, .choose = (pick), \
		.user = (o), .mode = (modes), __VA_ARGS__                 \
	}

/*
 * Read the command line. Values are stored where the table says; options not
 * given keep their value, which --help shows as the default.
 *
 * Returns  index in argv of the first operand; -1 if there is nothing to do
 *          (help was printed, or the line was refused with a message): the
 *          caller returns pb_msg_finish()
 */
int pb_opt_parse(const struct pb_tool *t, int argc, char **argv);
