/* opt.h - options of the command line, and constants by --set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "pb/param.h"

/* Whole numbers from 1 on, no two alike: "3", "1-10", "1,3,5-7". */
#define PB_NUMBERS 1000
struct pb_numbers {
	int v[PB_NUMBERS];
	int n;
};

/* A part of a whole: "2/8" is the second of eight. */
struct pb_shard {
	uint64_t i; /* 0..n-1 */
	uint64_t n;
};

/* to: struct pb_numbers *, its numbers at most PB_NUMBERS; replaced. */
bool pb_opt_numbers(void *to, const char *arg, struct pb_error *bad);

/* to: struct pb_shard * */
bool pb_opt_shard(void *to, const char *arg, struct pb_error *bad);

/*
 * The next word of a list separated by commas.
 *
 * Given    at  where to go on; moved
 *          out, size  room for the word and its final NUL
 * Returns  1 and the word; 0 at the end; -1 if it is empty or does not fit
 */
int pb_opt_word(const char **at, char *out, int size);

/* Names of options given, each once, as many as there is room. */
#define PB_OPT_NAMES    128
#define PB_OPT_NAME_MAX 64 /* bytes of the longest, prefix and NUL included */
struct pb_opt_names {
	char name[PB_OPT_NAMES][PB_OPT_NAME_MAX];
	int n;
};

/* Copies the name. */
void pb_opt_names_add(struct pb_opt_names *names, const char *name);

bool pb_opt_names_have(const struct pb_opt_names *names, const char *name);

/* Check that nothing else was given, except --quiet. False: a message was
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
	PB_OPT_FLAG,      /* bool * or NULL: becomes true; then act() if any;
	                   * with words, one: int *: 1, or 2 for --name=word */
	PB_OPT_HELP,      /* print help */
	PB_OPT_VERSION,   /* print version */
	PB_OPT_DUMP,      /* print the listing, or what act() prints; of "list"
	                   * the words that options take */
	PB_OPT_CONSTANTS, /* print the constants of the chosen groups */

	/* These take an argument. */
	PB_OPT_BOOL,  /* bool *: "yes" or "no" */
	PB_OPT_INT,   /* int *, within min and max */
	PB_OPT_NUM,   /* double *, within min and max */
	PB_OPT_LIMIT, /* double *, from min on, or "inf": no limit */
	PB_OPT_U64,   /* uint64_t *, 0 .. 2^64-1 */
	PB_OPT_TEXT,  /* const char **: the argument itself */
	PB_OPT_ID,    /* const char **: the same, 1 to PB_OPT_ID_MAX bytes */
	PB_OPT_NAME,  /* int *: place of the argument in words */
	PB_OPT_WORDS, /* int *: bit i: word i of words is in the argument */
	PB_OPT_PAIR,  /* double[2], pb_vec: "X,Y", each within min and max */
	PB_OPT_POSE,  /* double[3], pb_pose: "X,Y" or "X,Y,THETA", likewise */
	PB_OPT_LIST,  /* struct pb_opt_list *: every argument, in order */
	PB_OPT_CALL,  /* call(to, argument, bad) decides */
	PB_OPT_SET    /* struct pb_set *: of "set", constants; else the value
	               * of the one that has the option's name */
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
	const char *arg;   /* name of the argument, its unit if it has one */
	const char *help;  /* one line, no capital, no full stop */
	void *to;          /* where the value goes */
	double min, max;   /* bounds, inclusive; both 0: no bounds */
	const char *words; /* of PB_OPT_NAME and _WORDS: "a|b|c"; of _TEXT the
	                    * suffixes that the file's name may have */
	bool (*call)(void *to, const char *arg, struct pb_error *bad);
	void (*act)(void);
	bool *seen;     /* if not NULL, becomes true when the option is given;
	                 * until then its value is no default to show */
	bool early;     /* takes effect before all others */
	unsigned modes; /* those that it goes with, a set of bits; 0: all */
};

/* Constants. */
#define PB_SET_GROUPS 32
#define PB_SET_ROWS   160 /* most rows of a group */
#define PB_SET_ARGS   256
#define PB_SET_FACTS  4
#define PB_SET_NAME   64 /* bytes of the longest name, NUL included */

/* The constants of a rule set, a method, a generator, ... */
struct pb_set_group {
	const char *of;     /* whose they are, for messages: "pacmanbot" */
	const char *title;  /* heading of rows that have none of their own */
	const char *prefix; /* "mcl": a row "bin" is mcl-bin; NULL: none */
	struct pb_params params;
	void *base;              /* the options struct that the rows describe */
	bool chosen;             /* else its names do not exist */
	bool given[PB_SET_ROWS]; /* row i was set */
};

/*
 * All constants that a tool has. The tool fills in the groups, and marks those
 * that apply after it has read the other options; --set and similar options are
 * stored and applied after that, in their order.
 */
struct pb_set {
	struct pb_set_group group[PB_SET_GROUPS];
	size_t groups;
	struct pb_fact fact[PB_SET_FACTS]; /* what `when` of rows asks for */
	size_t facts;
	struct {
		const char *name; /* NULL: arg has the names, or a file's */
		const char *arg;
	} arg[PB_SET_ARGS];
	size_t args;
	const struct pb_tool *tool; /* whose options are no constants, while
	                             * its command line is read; else NULL */
	char options[64]; /* constants that have an option there, "a|b" */
};

/* Another group; g.given may be left out. Returns it. */
struct pb_set_group *pb_set_add(struct pb_set *s, struct pb_set_group g);

/* The list of a fact, or none any more: words NULL. */
void pb_set_fact(struct pb_set *s, const char *name, const char *words);

/* The name of row i of g into out, PB_SET_NAME bytes. */
void pb_set_name(const struct pb_set_group *g, size_t i, char *out);

/*
 * Set the constant of that name in all chosen groups that have it.
 *
 * Returns  false with bad filled in, beginning with the name: no group has it,
 *          or it is no value of it
 */
bool pb_set_value(struct pb_set *s, const char *name, const char *value,
    struct pb_error *bad);

/* Whether a constant of that name was set. */
bool pb_set_given(const struct pb_set *s, const char *name);

/* Whether row i of g was not set, is as usual or has an effect; if not, bad
 * says which option changes nothing. */
bool pb_set_idle(const struct pb_set *s, const struct pb_set_group *g, size_t i,
    struct pb_error *bad);

/* Check all chosen constants; print the first that does not fit. */
bool pb_set_fits(const struct pb_set *s);

/* The constant p of the struct at base as an option. */
struct pb_opt pb_opt_of_param(const struct pb_param *p, void *base);

/*
 * Store the argument (NULL for flags) where the option says.
 *
 * Returns  false with bad filled in if it is no value of it
 */
bool pb_opt_set(const struct pb_opt *o, const char *arg, struct pb_error *bad);

/* The words of "a|b" whose bits are in set, with `between` between two. */
void pb_opt_words(char *out, size_t size, const char *words, unsigned set,
    const char *between);

/* The value that it has now, as it would be typed; "" if it has none. */
void pb_opt_value(const struct pb_opt *o, char *out, size_t size);
void pb_param_value(
    const struct pb_param *p, const void *base, char *out, size_t size);

/* For people: numbers, with commas between, that have many digits get three. */
void pb_opt_shorten(char *text, size_t size);

/* What every tool understands. */
struct pb_opt_common {
	bool keep_going; /* -k */
	bool quiet;      /* -q, already passed to pb_msg_quiet() */
};

/* No more notes and warnings. */
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

/* Of tools that have nothing else to list. */
#define PB_OPT_LISTS \
	{"list", 0, PB_OPT_DUMP, NULL, "list the words that options take"}
/* clang-format on */

/* Suffixes of pictures. */
#define PB_OPT_PICTURES "png|svg|pdf"

struct pb_tool {
	const char *purpose;  /* one line for --help */
	const char *operands; /* "[file ...]" */
	const struct pb_opt *opt;
	size_t nopt;
	struct pb_opt_names *names; /* gets those given; NULL: not asked */

	/*
	 * Constants, and what is called once all options were read and before
	 * --set takes effect: it chooses groups and returns the mode, one bit,
	 * 0 if it refused something with a message. Names of modes are for
	 * messages: bit i is mode[i]. NULL: none.
	 */
	struct pb_set *set;
	unsigned (*choose)(void *user, char *const *operand, int n);
	void *user;
	const char *const *mode;
	bool (*is_word)(const char *operand); /* it is no file; NULL: all are */
};

/* Such a tool, whose struct of options at o has names and a set; rows: array of
 * its options; pick, modes: its choose() and mode. */
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
