/* settings.c - options of a game that can be changed between two games. */
#include "io/settings.h"

#include <stdio.h>
#include <string.h>

#include "io/constants.h"
#include "io/num.h"
#include "io/opt_row.h"
#include "policy/policy.h"

/* For PB_OPT_CALL; to: struct pb_settings_player *. */
static bool
set_player(void *to, const char *arg, struct pb_bad *bad)
{
	const struct pb_settings_player *p = to;
	int i = pb_rules_player(p->rules, arg);

	if (i < 0)
		return pb_bad_set(bad, "expected a player of %s, got \"%.80s\"",
		    p->rules->name, arg);
	*p->number = i;
	if (p->bot != NULL)
		*p->bot = pb_policy_at(i);
	return true;
}

/* For PB_OPT_CALL; to: double *, a period (s). */
static bool
set_rate(void *to, const char *arg, struct pb_bad *bad)
{
	double rate;

	if (!pb_num_parse(arg, &rate) || rate < 0.001 || rate > 1000)
		return pb_bad_set(bad,
		    "expected a number from 0.001 to 1000, got \"%.80s\"", arg);
	*(double *)to = 1 / rate;
	return true;
}

static void
add(struct pb_settings *s, struct pb_opt o)
{
	s->opt[s->n++] = o;
}

static void
add_session(struct pb_settings *s)
{
	struct pb_session_opts *o = s->session;

	s->preset = (struct pb_opt_preset){&o->game, o->preset};
	add(s, (struct pb_opt){"autostart", 0, PB_OPT_BOOL, NULL,
		   "press start at once and after each round", &o->autostart});
	add(s, (struct pb_opt){"rounds", 0, PB_OPT_INT, NULL,
		   "with autostart: end after so many", &o->rounds, .min = 1,
		   .max = 100000});
	add(s, (struct pb_opt){"trace", 0, PB_OPT_CALL, NULL,
		   "records to write", &o->trace, .call = pb_opt_trace});
	add(s, (struct pb_opt){"rate", 0, PB_OPT_CALL, NULL,
		   "of true poses, odometry and twists (1/s)", &o->period,
		   .call = set_rate});
	add(s, (struct pb_opt){"preset", 0, PB_OPT_CALL, NULL,
		   "constants by name", &s->preset, .call = pb_opt_preset});
	add(s, (struct pb_opt){"start", 0, PB_OPT_POSE, NULL,
		   "where the robot starts and has its home (m, rad)",
		   &o->game.start.x, .seen = &o->game.has_start});
	add(s, (struct pb_opt){"spawn-at", 0, PB_OPT_PAIR, NULL,
		   "where Clyde appears (m)", &o->game.spawn.x,
		   .seen = &o->game.has_spawn});
}

void
pb_settings_init(struct pb_settings *s, int rules, void *base, uint64_t *seed,
    uint64_t *trial, int *player, struct pb_session_opts *session)
{
	*s = (struct pb_settings){
	    .rules = rules, .base = base, .session = session};
	s->player = (struct pb_settings_player){pb_rules_at(rules), player,
	    session != NULL ? &session->player : NULL};
	add(s, (struct pb_opt){"seed", 0, PB_OPT_U64, NULL,
		   "seed of all random draws", seed});
	add(s, (struct pb_opt){
		   "trial", 0, PB_OPT_U64, NULL, "trial of that seed", trial});
	add(s, (struct pb_opt){"policy", 0, PB_OPT_CALL, NULL, "who plays",
		   &s->player, .call = set_player});
	if (session != NULL)
		add_session(s);
}

bool
pb_settings_set(struct pb_settings *s, const char *name, const char *value,
    struct pb_bad *bad)
{
	size_t n;
	const struct pb_param *p = pb_opt_rules_params(s->rules, &n);

	for (int i = 0; i < s->n; i++) {
		if (strcmp(s->opt[i].name, name) != 0)
			continue;
		if (!pb_opt_set(&s->opt[i], value, bad))
			return false;
		if (s->opt[i].seen != NULL)
			*s->opt[i].seen = true;
		if (s->session != NULL)
			s->session->preset = s->preset.name;
		return true;
	}
	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return pb_opt_param(&p[i], s->base, value, bad);
	return pb_bad_set(bad, "expected an option of %s, got \"%.80s\"",
	    pb_opt_rules_name(s->rules), name);
}

const char *
pb_settings_name(const struct pb_settings *s, int i, const char **help)
{
	size_t n;
	const struct pb_param *p = pb_opt_rules_params(s->rules, &n);

	if (i < s->n) {
		*help = s->opt[i].help;
		return s->opt[i].name;
	}
	if ((size_t)(i - s->n) >= n)
		return NULL;
	*help = p[i - s->n].help;
	return p[i - s->n].name;
}

static void
write_numbers(const double *v, int n, char *out, size_t size)
{
	size_t len = 0;

	for (int i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(
		    out + len, size - len, "%s%.15g", i > 0 ? "," : "", v[i]);
}

static void
write_trace(uint32_t kinds, char *out, size_t size)
{
	const char *names = pb_trace_names();
	size_t len = 0;

	for (; kinds != 0; kinds >>= 1) {
		size_t n = strcspn(names, ",");

		if ((kinds & 1) && len < size)
			len += (size_t)snprintf(out + len, size - len, "%s%.*s",
			    len > 0 ? "," : "", (int)n, names);
		names += n + strspn(names + n, ", ");
	}
	if (len == 0)
		snprintf(out, size, "none");
}

/* The value of an option that is set by a function. */
static void
write_call(
    const struct pb_settings *s, const struct pb_opt *o, char *out, size_t size)
{
	const char *help;

	if (o->call == set_player)
		snprintf(out, size, "%s",
		    s->player.rules->player(*s->player.number, &help));
	else if (o->call == set_rate)
		snprintf(out, size, "%.15g", 1 / *(const double *)o->to);
	else if (o->call == pb_opt_trace)
		write_trace(*(const uint32_t *)o->to, out, size);
	else if (s->preset.name != NULL)
		snprintf(out, size, "%s", s->preset.name);
}

static void
write_opt(
    const struct pb_settings *s, const struct pb_opt *o, char *out, size_t size)
{
	switch (o->kind) {
	case PB_OPT_U64:
		snprintf(out, size, "%llu",
		    (unsigned long long)*(const uint64_t *)o->to);
		break;
	case PB_OPT_INT:
		snprintf(out, size, "%d", *(const int *)o->to);
		break;
	case PB_OPT_BOOL:
		snprintf(out, size, "%s", *(const bool *)o->to ? "yes" : "no");
		break;
	case PB_OPT_PAIR:
	case PB_OPT_POSE:
		if (*o->seen)
			write_numbers(
			    o->to, o->kind == PB_OPT_POSE ? 3 : 2, out, size);
		break;
	default:
		write_call(s, o, out, size);
	}
}

void
pb_settings_value(const struct pb_settings *s, int i, char *out, size_t size)
{
	size_t n;
	const struct pb_param *p = pb_opt_rules_params(s->rules, &n);

	out[0] = '\0';
	if (i < s->n)
		write_opt(s, &s->opt[i], out, size);
	else
		pb_constants_value(&p[i - s->n], s->base, out, size);
}
