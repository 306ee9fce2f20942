/* opt.c - tests of the command line. */
#include "check.h"

#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/opt/opt.h"

enum colour { RED, GREEN };

struct inner {
	double radius;
	int count;
	bool strict;
	int colour;
	double reach;
};

#define PB_PARAMS_OF struct inner

static const struct pb_param params[] = {
    PB_REAL("radius", radius, "m", 0, 0, INFINITY, "of the disc"),
    PB_COUNT("count", count, "", 0, 1, 10, "how many"),
    PB_BOOL("strict", strict, false, "no mercy"),
    PB_CHOICE("colour", colour, "red|green", "of the disc"),
    PB_LIMIT("reach", reach, "m", 0, 0.5, "of the arm"),
};
static const struct pb_params all = PB_PARAMS(params);

struct opts {
	bool flag, seen;
	uint64_t seed;
	double margin, at[2], start[3];
	const char *file, *id;
	struct pb_opt_list list;
	struct inner in, arm;
	struct pb_opt_names given;
	struct pb_set set;
	struct pb_opt_common common;
};

static bool
preset(void *to, const char *arg, struct pb_error *bad)
{
	struct inner *in = to;

	if (strcmp(arg, "big") != 0)
		return pb_error_set(bad, "expected big, got \"%s\"", arg);
	*in = (struct inner){9, 9, true, GREEN, 1};
	return true;
}

static unsigned
choose(void *user, char *const *operand, int n)
{
	struct opts *o = user;

	(void)operand;
	(void)n;
	o->set.group[0].chosen = o->set.group[1].chosen = true;
	return 1;
}

static int
parse(struct opts *o, int argc, char **argv)
{
	struct pb_opt opt[] = {
	    {"flag", 'f', PB_OPT_FLAG, NULL, "a flag", .to = &o->flag},
	    {"margin", 'M', PB_OPT_NUM, "m", "the margin", &o->margin, 0, 1,
		.seen = &o->seen},
	    {"at", 0, PB_OPT_PAIR, "X,Y", "a place", .to = o->at},
	    {"start", 0, PB_OPT_POSE, "X,Y[,TH]", "a pose", .to = o->start},
	    {"word", 'w', PB_OPT_LIST, "word", "words", .to = &o->list},
	    {"preset", 'p', PB_OPT_CALL, "name", "a preset", &o->in,
		.call = preset, .early = true},
	    {"id", 0, PB_OPT_ID, "id", "a body", &o->id},
	    PB_OPT_MAP(&o->file),
	    PB_OPT_SEED(&o->seed),
	    {"colour", 0, PB_OPT_SET, "word", "of the disc", .to = &o->set},
	    PB_OPT_SETS(&o->set),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_tool tool = {.purpose = "Tests options.",
	    .operands = "[file ...]",
	    .opt = opt,
	    .nopt = sizeof(opt) / sizeof(*opt),
	    .names = &o->given,
	    .set = &o->set,
	    .choose = choose,
	    .user = o};

	pb_set_add(&o->set, (struct pb_set_group){.of = "in",
				.title = "Constants",
				.params = PB_PARAMS(params),
				.base = &o->in});
	pb_set_add(&o->set, (struct pb_set_group){.of = "the arm",
				.title = "Constants of the arm",
				.params = PB_PARAMS(params),
				.base = &o->arm,
				.prefix = "arm"});
	return pb_opt_parse(&tool, argc, argv);
}

/* Parse words separated by blanks; stderr goes nowhere. */
static int
parse_line(struct opts *o, const char *line)
{
	static char copy[512];
	static char *argv[32];
	int argc = 1, keep = dup(STDERR_FILENO), first;

	*o = (struct opts){.margin = 0.25, .in = {1, 2, false, RED, 1}};
	argv[0] = (char[]){"pb-test"};
	snprintf(copy, sizeof(copy), "%s", line);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	pb_msg_start(argv[0]);
	if (!freopen("/dev/null", "w", stderr))
		return -2;
	first = parse(o, argc, argv);
	fflush(stderr);
	dup2(keep, STDERR_FILENO);
	close(keep);
	pb_msg_quiet(false);
	return first < 0 ? first : argc - first;
}

test(values_arrive)
{
	struct opts o;

	check_int(parse_line(&o,
		      "-f -M 0.5 --at=1,-2 --start 3,4,7 -w a one "
		      "--word=b -s 18446744073709551615 -m x.yaml two -qk"),
	    2);
	check(o.flag && o.seen);
	check_near(o.margin, 0.5, 0);
	check_near(o.at[1], -2, 0);
	check_near(o.start[2], 7 - 2 * 3.14159265358979323846, 1e-12);
	check(o.list.n == 2 && strcmp(o.list.arg[1], "b") == 0);
	check(o.seed == UINT64_MAX && strcmp(o.file, "x.yaml") == 0);
	check(o.common.quiet && o.common.keep_going);
	check_int(pb_msg_worst(), PB_EXIT_OK);
}

test(names_given)
{
	struct opts o;

	check_int(parse_line(&o, "-f --set arm-radius=3 --set arm-count=4 "
				 "--set=radius=2 --colour green"),
	    0);
	check_near(o.arm.radius, 3, 0);
	check_int(o.arm.count, 4);
	check_near(o.in.radius, 2, 0);
	check_int(o.in.colour, GREEN);
	check(pb_opt_names_have(&o.given, "flag"));
	check(pb_opt_names_have(&o.given, "set"));
	check(!pb_opt_names_have(&o.given, "radius"));
	check(pb_set_given(&o.set, "arm-radius"));
	check(pb_set_given(&o.set, "colour"));
	check(!pb_set_given(&o.set, "count"));
}

test(defaults_stay)
{
	struct opts o;

	check_int(parse_line(&o, "-- -f"), 1);
	check(!o.flag && !o.seen);
	check_near(o.margin, 0.25, 0);
	check_near(o.in.radius, 1, 0);
}

test(group)
{
	struct opts o;

	check_int(parse_line(&o, "--set radius=2.5 --set count=10 "
				 "--set strict=yes --set colour=green"),
	    0);
	check_near(o.in.radius, 2.5, 0);
	check(o.in.count == 10 && o.in.strict && o.in.colour == GREEN);
}

/* A preset is a base to change, wherever it stands. */
test(preset_comes_first)
{
	struct opts o;

	check_int(parse_line(&o, "--set radius=2.5 -p big"), 0);
	check_near(o.in.radius, 2.5, 0);
	check_int(o.in.count, 9);
	check_int(parse_line(&o, "--preset big --set radius=2.5"), 0);
	check_near(o.in.radius, 2.5, 0);
	check_int(o.in.count, 9);
}

test(refused)
{
	static const char *const bad[] = {"-x", "--unknown", "--margin",
	    "--margin 2", "--margin -0.1", "--margin nan", "--margin 0x1",
	    "--margin 0.5m", "--margin=", "--at 1", "--at 1,2,3", "--at 1,",
	    "--at ,1", "--start 1,2,3,4", "-s -1", "-s 1.5",
	    "-s 18446744073709551616", "--set count=0", "--set count=11",
	    "--set count=2.5", "--set strict=maybe", "--set strict=ye",
	    "--colour blue", "--colour", "-p small", "--flag=1",
	    "--set radius=-1", "--set radius=1e999", "--ma", "--radius 1",
	    "--count=2", "--id=", "--set reach=0.4", "--set reach=nan",
	    "--set reach=-inf", "--set reach=infinity",
	    "--set reach=", "--id 12345678901234567890123456789012"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct opts o;

		if (parse_line(&o, bad[i]) != -1 ||
		    pb_msg_worst() != PB_EXIT_USAGE) {
			printf("# accepted: %s\n", bad[i]);
			check_bad = 1;
		}
	}
}

test(limits_and_ids)
{
	struct opts o;

	check_int(parse_line(&o, "--set reach=inf --id clyde"), 0);
	check(isinf(o.in.reach) && strcmp(o.id, "clyde") == 0);
	check_int(parse_line(&o,
		      "--set reach=1e300 --id 1234567890123456789012345678901"),
	    0);
	check_near(o.in.reach, 1e300, 0);
}

test(params_check)
{
	struct inner in = {1, 2, false, RED, INFINITY};

	check(pb_params_check(all, &in) == NULL);
	in.reach = NAN;
	check(pb_params_check(all, &in) == &params[4]);
	in.radius = NAN;
	check(pb_params_check(all, &in) == &params[0]);
	in.radius = INFINITY;
	check(pb_params_check(all, &in) == &params[0]);
	in.radius = 0;
	in.count = 11;
	check(pb_params_check(all, &in) == &params[1]);
	in.count = 10;
	in.colour = 2;
	check(pb_params_check(all, &in) == &params[3]);
	in.colour = -1;
	check(pb_params_check(all, &in) == &params[3]);
}

/* Rows that have an effect only with others. */
struct outer {
	int count, how;
	double far, near;
};
#undef PB_PARAMS_OF
#define PB_PARAMS_OF struct outer
static const struct pb_param rows[] = {
    PB_COUNT("count", count, "", 0, 0, 9, "how many", .group = "one"),
    PB_CHOICE("how", how, "not|slow|fast", "what", .when = "count"),
    PB_REAL("far", far, "m", 3, 0, 9, "way", .when = "how=fast|how=slow&who=me",
	.group = "two"),
    PB_REAL("near", near, "m", 1, 0, 9, "way", .when = "how!=not",
	.also = "close|next"),
};
static const struct pb_params some = PB_PARAMS_SINCE(rows, 3);

test(rows_used)
{
	const struct pb_fact me = {"who", "you,me"}, you = {"who", "you"};
	struct outer o = {0, 1, 3, 1};

	check(pb_params_used(some, &o, 0, NULL, 0));
	check(!pb_params_used(some, &o, 1, NULL, 0));
	check(!pb_params_used(some, &o, 3, NULL, 0)); /* how has no effect */
	o.count = 2;
	check(pb_params_used(some, &o, 1, NULL, 0));
	check(pb_params_used(some, &o, 3, NULL, 0));
	check(pb_params_used(some, &o, 2, NULL, 0)); /* nobody said who */
	check(pb_params_used(some, &o, 2, &me, 1));
	check(!pb_params_used(some, &o, 2, &you, 1));
	o.how = 2;
	check(pb_params_used(some, &o, 2, &you, 1));
	check_str(pb_params_group(some, 3), "two");
	check(pb_params_find(some, "near") == &rows[3]);
	check(pb_params_find(some, "nea") == NULL);
}

/* What has no effect is in no hash. */
test(hash_of_rows)
{
	struct outer o = {0, 0, 3, 1}, p = {0, 2, 7, 5};

	check(pb_params_hash(1, some, &o, NULL, 0) ==
	      pb_params_hash(1, some, &p, NULL, 0));
	o.count = p.count = 1;
	check(pb_params_hash(1, some, &o, NULL, 0) !=
	      pb_params_hash(1, some, &p, NULL, 0));
}

test(set)
{
	struct outer o = {0, 0, 3, 1};
	struct pb_set s = {.groups = 0};
	struct pb_set_group *g = pb_set_add(
	    &s, (struct pb_set_group){
		    .of = "us", .title = "us", .params = some, .base = &o});
	struct pb_error bad;

	check(!pb_set_value(&s, "far", "1", &bad));
	check_str(bad.text, "far: a constant of us");
	g->chosen = true;
	check(pb_set_value(&s, "far", "3", &bad) && pb_set_fits(&s));
	check(pb_set_value(&s, "far", "1", &bad));
	check(!pb_set_idle(&s, g, 2, &bad));
	check_str(bad.text,
	    "--set: far: has no effect here, only with how=fast or how=slow "
	    "and who me");
	check(pb_set_value(&s, "how", "fast", &bad));
	check(pb_set_value(&s, "count", "1", &bad) && pb_set_fits(&s));
	check(pb_set_given(&s, "how") && !pb_set_given(&s, "near"));
	check(!pb_set_value(&s, "close", "1", &bad));
	check_str(bad.text, "close: no constant of us; did you mean \"near\"?");
}

test(words)
{
	size_t n;

	check_int(pb_word_find("a|bc|d", "bc", 2), 1);
	check_int(pb_word_find("a|bc|d", "b", 1), -1);
	check_int(pb_word_find("a|bc|d", "", 0), -1);
	check(pb_word("a|bc|d", 2, &n) && n == 1);
	check(pb_word("a|bc|d", 3, &n) == NULL);
}
