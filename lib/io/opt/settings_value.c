/* settings_value.c - the values of settings: those that functions set, all of
 * them as text. */
#include <stdio.h>
#include <string.h>

#include "io/opt/constants.h"
#include "io/opt/opt_players.h"
#include "io/opt/settings.h"
#include "io/play/explored.h"
#include "io/play/world.h"
#include "io/stream/num.h"
#include "io/stream/suggest.h"
#include "policy/pacmanbot_players.h"

bool
pb_settings_player(void *to, const char *arg, struct pb_error *bad)
{
	const struct pb_stage_opts *of = ((struct pb_settings *)to)->of;
	const struct pb_rules *rules = pb_rules_at(of->rules);
	int i = pb_rules_player(rules, arg);
	char known[200] = "";
	struct pb_suggest near;

	if (i < 0) {
		pb_opt_players_known(rules, known, sizeof(known));
		near = pb_suggest_for(arg);
		pb_suggest_list(&near, known);
		return pb_error_set(bad, "expected %s, got \"%.60s\"%s", known,
		    arg, pb_suggest_text(&near));
	}
	*of->player = i;
	if (of->rules == PB_OPT_PACMANBOT)
		of->session->player = pb_pacmanbot_players[i];
	return true;
}

bool
pb_settings_rate(void *to, const char *arg, struct pb_error *bad)
{
	const struct pb_stage_opts *of = ((struct pb_settings *)to)->of;
	double rate;

	if (!pb_num_parse(arg, &rate) || rate < 0.001 || rate > 1000)
		return pb_error_set(bad,
		    "expected a number from 0.001 to 1000, got \"%.80s\"", arg);
	of->session->period = 1 / rate;
	return true;
}

bool
pb_settings_sensors(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_senses_opts *o =
	    &((struct pb_settings *)to)->of->session->senses;

	if (strcmp(arg, "none") != 0)
		return pb_opt_sensors(o, arg, bad);
	o->sense.sensors = 0;
	return true;
}

/* Whether the game can read it. */
static bool
is_map(int rules, const char *path, struct pb_error *bad)
{
	struct pb_world w = {.has_map = false};
	struct pb_maze z;
	struct pb_error f;
	bool ok = pb_games[rules].game->board == NULL
	              ? pb_world_read(&w, path, &f)
	              : pb_world_maze_read(path, &z, &f);

	pb_world_clear(&w);
	return ok || pb_error_quote(bad, &f);
}

bool
pb_settings_map(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_settings *s = to;

	if (strcmp(arg, "-") == 0 || strlen(arg) > PB_SETTINGS_PATH)
		return pb_error_set(bad, "expected a file, got \"%.80s\"", arg);
	if (!is_map(s->of->rules, arg, bad))
		return false;
	snprintf(s->map, sizeof(s->map), "%s", arg);
	*s->of->map = s->map;
	return true;
}

bool
pb_settings_known(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_settings *s = to;
	const struct pb_stage_opts *of = s->of;
	const struct pb_game *g = pb_games[of->rules].game;
	unsigned who;

	if (strcmp(arg, "none") == 0) {
		*s->of->known = NULL;
		return true;
	}
	if (!pb_explorers_find(g, of->constants, arg, &who, bad))
		return false;
	snprintf(s->known, sizeof(s->known), "%s", arg);
	*s->of->known = s->known;
	return true;
}

static void
write_numbers(const double *v, int n, char *out, size_t size)
{
	size_t len = 0;

	for (int i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(
		    out + len, size - len, "%s%.15g", i > 0 ? "," : "", v[i]);
}

/* The names of the bits of a set, out of "a|b" or "a, b". */
static void
write_set(uint32_t set, const char *names, char *out, size_t size)
{
	size_t len = 0;

	for (; set != 0; set >>= 1) {
		size_t n = strcspn(names, "|,");

		if ((set & 1) && len < size)
			len += (size_t)snprintf(out + len, size - len, "%s%.*s",
			    len > 0 ? "," : "", (int)n, names);
		names += n + strspn(names + n, "|, ");
	}
	if (len == 0)
		snprintf(out, size, "none");
}

/* The value of an option that is set by a function. */
static void
write_call(
    const struct pb_settings *s, const struct pb_opt *o, char *out, size_t size)
{
	const struct pb_session_opts *session = s->of->session;
	const char *text = "";

	if (o->call == pb_settings_rate)
		snprintf(out, size, "%.15g", 1 / session->period);
	else if (o->call == pb_opt_trace)
		write_set(session->trace, pb_trace_names(), out, size);
	else if (o->call == pb_settings_sensors)
		write_set(
		    session->senses.sense.sensors, pb_sensor_names, out, size);
	else if (o->call == pb_settings_player)
		text = pb_games[s->of->rules].player[*s->of->player]->name;
	else if (o->call == pb_settings_map)
		text = *s->of->map;
	else if (o->call == pb_settings_known)
		text = *s->of->known != NULL ? *s->of->known : "none";
	else
		text = s->preset.name;
	if (text != NULL && text[0] != '\0')
		snprintf(out, size, "%s", text);
}

static void
write_opt(
    const struct pb_settings *s, const struct pb_opt *o, char *out, size_t size)
{
	const char *word;
	size_t n = 0;

	switch (o->kind) {
	case PB_OPT_U64:
		snprintf(out, size, "%llu",
		    (unsigned long long)*(const uint64_t *)o->to);
		break;
	case PB_OPT_INT:
		snprintf(out, size, "%d", *(const int *)o->to);
		break;
	case PB_OPT_NUM:
		write_numbers(o->to, 1, out, size);
		break;
	case PB_OPT_BOOL:
		snprintf(out, size, "%s", *(const bool *)o->to ? "yes" : "no");
		break;
	case PB_OPT_NAME:
		word = pb_word(o->words, *(const int *)o->to, &n);
		snprintf(out, size, "%.*s", (int)n, word);
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
	const struct pb_param *p;
	void *base;

	out[0] = '\0';
	if (i < s->n) {
		write_opt(s, &s->opt[i], out, size);
		return;
	}
	p = pb_settings_param(s, i - s->n, &base);
	if (p != NULL)
		pb_constants_value(p, base, out, size);
}

/* Word i of "a|b". */
static bool
word_of(const char *words, int i, char *out, size_t size)
{
	size_t n;
	const char *word = words != NULL ? pb_word(words, i, &n) : NULL;

	if (word != NULL)
		snprintf(out, size, "%.*s", (int)n, word);
	return word != NULL;
}

static bool
word_of_opt(const struct pb_settings *s, const struct pb_opt *o, int i,
    char *out, size_t size)
{
	const char *word = NULL;

	if (o->kind == PB_OPT_BOOL)
		return word_of("no|yes", i, out, size);
	if (o->kind == PB_OPT_NAME)
		return word_of(o->words, i, out, size);
	if (o->call == pb_settings_sensors)
		return word_of(pb_sensor_names, i, out, size);
	if (o->call == pb_settings_player)
		word = pb_opt_player_name(s->of->rules, i);
	else if (o->call == pb_opt_preset)
		word = pb_round_preset_name(i);
	if (word != NULL)
		snprintf(out, size, "%s", word);
	return word != NULL;
}

bool
pb_settings_word(const struct pb_settings *s, const char *name, int i,
    char *out, size_t size)
{
	const struct pb_param *p;
	void *base;

	for (int k = 0; k < s->n; k++)
		if (strcmp(s->opt[k].name, name) == 0)
			return word_of_opt(s, &s->opt[k], i, out, size);
	p = pb_settings_find(s, name, &base);
	return p != NULL &&
	       word_of(p->kind == PB_PARAM_BOOL ? "no|yes" : p->words, i, out,
		   size);
}
