/*
 * pb-sim - plays one game. Reads map, pellets, cmd; writes them on and the
 * trace of the game: state, event, goal, path, pose, pellets, ..., result.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/filter.h"
#include "io/msg.h"
#include "io/opt_round.h"
#include "io/session.h"
#include "policy/policy.h"
#include "policy/rules.h"

struct opts {
	struct pb_session_opts session;
	const char *rules;
	const char *player;
	const char *map;
	double rate; /* of poses in the trace (1/s) */
	bool list;
	struct pb_opt_common common;
};

/* The preset, and its name for the result. */
static bool
take_preset(void *to, const char *arg, struct pb_bad *bad)
{
	struct pb_session_opts *s = to;

	if (!pb_opt_preset(&s->game, arg, bad))
		return false;
	s->preset = arg;
	return true;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_session_opts *s = &o->session;
	const struct pb_opt opt[] = {
	    {"rules", 'r', PB_OPT_TEXT, "name", "rule set", &o->rules},
	    {"policy", 'p', PB_OPT_TEXT, "name", "who plays; see --list",
		&o->player},
	    PB_OPT_MAP(&o->map),
	    PB_OPT_SEED(&s->seed),
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &s->trial},
	    {"autostart", 'a', PB_OPT_FLAG, NULL,
		"press start at once and after each round", &s->autostart},
	    {"rounds", 'n', PB_OPT_INT, "n",
		"with --autostart: end after n rounds", &s->rounds, .min = 1,
		.max = 100000},
	    {"trace", 0, PB_OPT_CALL, "kinds",
		"records to write: state,event,cmd,pellets,goal,path,pose,"
		"truth,clyde,odom,twist, all or none",
		&s->trace, .call = pb_opt_trace},
	    {"rate", 0, PB_OPT_NUM, "1/s", "of true poses, odometry and twists",
		&o->rate, .min = 0.001, .max = 1000},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list},
	    {"preset", 0, PB_OPT_CALL, "name",
		"take the constants of a preset, then those given", s,
		.call = take_preset, .early = true},
	    PB_OPT_PLACES(&s->game),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_opt_group group = pb_opt_round_group(&s->game);
	const struct pb_tool tool = {"play one game and write its trace",
	    "[file ...]", opt, sizeof opt / sizeof opt[0], &group, 1, -1};

	return pb_opt_parse(&tool, argc, argv);
}

static bool
check_args(struct opts *o)
{
	const char *field;

	if (pb_rules_find(o->rules) == NULL) {
		pb_msg_usage(
		    "--rules: no rules \"%.80s\"; see --list", o->rules);
		return false;
	}
	o->session.player = pb_policy_find(o->player);
	if (o->session.player == NULL) {
		pb_msg_usage(
		    "--policy: no player \"%.80s\"; see --list", o->player);
		return false;
	}
	if (pb_round_check(&o->session.game, &field) != PB_OK) {
		pb_msg_usage("--%s: out of range", field);
		return false;
	}
	o->session.period = 1 / o->rate;
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct pb_session *s = f->user;
	double now;

	if (r->type != PB_REC_CMD) {
		if (!pb_session_world(s, r, bad))
			return false;
		pb_filter_pass(f);
		return true;
	}
	if (!pb_session_begin(s, bad))
		return false;
	now = pb_round_time(s->round);
	if (isfinite(r->stamp.t) && r->stamp.t > now)
		pb_session_until(s, r->stamp.t);
	pb_filter_pass(f);
	if (!pb_session_command(s, &r->cmd, r->stamp.id, bad))
		return false;
	f->stop = pb_session_over(s);
	return true;
}

/* The map of -m in place of a record. */
static bool
load_map(struct pb_session *s, const char *path)
{
	if (!pb_world_file(&s->world, path))
		return false;
	pb_put_map(s->out, &s->world.map);
	return true;
}

static void
run(const struct opts *o, char **files, int n)
{
	struct pb_text out = {.to = stdout};
	struct pb_session s = {.o = o->session, .out = &out};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAP) |
	                              PB_REC_BIT(PB_REC_PELLETS) |
	                              PB_REC_BIT(PB_REC_CMD),
	    .passes = true,
	    .common = &o->common,
	    .take = take,
	    .user = &s};
	bool ok = o->map == NULL || load_map(&s, o->map);
	struct pb_bad bad = {""};

	pb_msg_catch();
	/* With -m and autostart there may be no stdin to wait for. */
	if (ok && (o->map == NULL || n > 0 || !o->session.autostart))
		ok = pb_filter_run(&f, files, n);
	if (ok && !pb_session_begin(&s, &bad)) {
		if (bad.text[0] != '\0')
			pb_msg_refuse(
			    (struct pb_place){o->map, 0}, "%s", bad.text);
		ok = false;
	}
	if (ok)
		pb_session_finish(&s);
	pb_filter_clear(&f);
	pb_session_clear(&s);
	pb_text_clear(&out);
}

static void
print_list(void)
{
	const struct pb_player *p;

	for (int i = 0; (p = pb_policy_at(i)) != NULL; i++)
		printf("pacmanbot\t%s\t%s\n", p->name, p->summary);
}

int
main(int argc, char **argv)
{
	struct opts o = {.rules = "pacmanbot",
	    .player = "seed",
	    .rate = 5,
	    .session = {.game = pb_round_defaults(),
		.seed = 1,
		.rounds = 1,
		.patience = 1e4,
		.trace = PB_TRACE_DEFAULT}};
	int first;

	pb_msg_start(argv[0]);
	first = parse_args(&o, argc, argv);
	if (first >= 0 && check_args(&o)) {
		if (o.list)
			print_list();
		else
			run(&o, argv + first, argc - first);
	}
	return pb_msg_finish();
}
