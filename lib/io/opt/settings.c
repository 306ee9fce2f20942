/* settings.c - options of a game that can be changed between two games. */
#include "io/opt/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/rules_opts.h"
#include "io/opt/opt_row.h"
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

static void
add(struct pb_settings *s, struct pb_opt o)
{
	s->opt[s->n++] = o;
}

/* What all games have. */
static void
add_common(struct pb_settings *s)
{
	struct pb_session_opts *o = s->of->session;

	add(s, (struct pb_opt){"seed", 0, PB_OPT_U64, NULL,
		   "seed of all random draws", &o->seed});
	add(s, (struct pb_opt){"trial", 0, PB_OPT_U64, NULL,
		   "trial of that seed", &o->trial});
	add(s, (struct pb_opt){"policy", 0, PB_OPT_CALL, NULL, "who plays", s,
		   .call = pb_settings_player});
	add(s, (struct pb_opt){"map", 0, PB_OPT_CALL, NULL,
		   "file or board to play on", s, .call = pb_settings_map});
	add(s, (struct pb_opt){"rate", 0, PB_OPT_CALL, NULL,
		   "of true poses, odometry and twists (1/s)", s,
		   .call = pb_settings_rate});
	add(s, (struct pb_opt){"max-gap", 0, PB_OPT_NUM, NULL,
		   "longest run until something is so (s)", &o->max_gap,
		   .min = 0, .max = 1e6});
	add(s, (struct pb_opt){"sensors", 0, PB_OPT_CALL, NULL,
		   "whose records to write, or none", s,
		   .call = pb_settings_sensors});
	add(s, (struct pb_opt){"feedback", 0, PB_OPT_BOOL, NULL,
		   "write lights, sounds and motions", &o->cues.records});
	add(s, (struct pb_opt){"feedback-as", 0, PB_OPT_NAME, NULL,
		   "whose lights, sounds and motions", &o->cues.compat,
		   .words = PB_CUES_COMPAT});
}

static void
add_session(struct pb_settings *s)
{
	struct pb_session_opts *o = s->of->session;
	struct pb_round_opts *game = s->of->constants;

	s->preset = (struct pb_opt_preset){game, o->preset};
	add(s, (struct pb_opt){"autostart", 0, PB_OPT_BOOL, NULL,
		   "press start at once and after each round", &o->autostart});
	add(s, (struct pb_opt){"rounds", 0, PB_OPT_INT, NULL,
		   "with autostart: end after so many", &o->rounds, .min = 1,
		   .max = 100000});
	add(s, (struct pb_opt){"trace", 0, PB_OPT_CALL, NULL,
		   "records to write", &o->trace, .call = pb_opt_trace});
	add(s, (struct pb_opt){"preset", 0, PB_OPT_CALL, NULL,
		   "constants by name", &s->preset, .call = pb_opt_preset});
	add(s, (struct pb_opt){"start", 0, PB_OPT_POSE, NULL,
		   "where the robot starts and has its home (m, rad)",
		   &game->start.x, .seen = &game->has_start});
	add(s, (struct pb_opt){"spawn-at", 0, PB_OPT_PAIR, NULL,
		   "where Clyde appears (m)", &game->spawn.x,
		   .seen = &game->has_spawn});
}

void
pb_settings_init(struct pb_settings *s, const struct pb_stage_opts *of)
{
	const struct pb_game *game = pb_games[of->rules].game;

	*s = (struct pb_settings){.of = of};
	add_common(s);
	if (game->board == NULL)
		add_session(s);
	if (game->board == NULL || game->held)
		add(s, (struct pb_opt){"unknown-stops", 0, PB_OPT_BOOL, NULL,
			   "unknown cells stop the rays of sensors",
			   &of->session->senses.unknown_stops});
	if (game->held)
		add(s, (struct pb_opt){"heading", 0, PB_OPT_NUM, NULL,
			   "at which a robot with sensors is held (rad)",
			   of->heading, .min = -7, .max = 7});
	if (game->explored != NULL)
		add(s, (struct pb_opt){"known", 0, PB_OPT_CALL, NULL,
			   "whose knowledge to write: a patrol's, all or none",
			   s, .call = pb_settings_known});
}

const struct pb_param *
pb_settings_param(const struct pb_settings *s, int i, void **base)
{
	size_t n, k = (size_t)i;
	const struct pb_param *p = pb_games[s->of->rules].game->params(&n);

	*base = s->of->constants;
	if (k < n)
		return &p[k];
	k -= n;
	p = pb_sense_params(&n);
	*base = &s->of->session->senses.sense;
	return k < n ? &p[k] : NULL;
}

const struct pb_param *
pb_settings_find(const struct pb_settings *s, const char *name, void **base)
{
	const struct pb_param *p;

	for (int i = 0; (p = pb_settings_param(s, i, base)) != NULL; i++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static bool
set_opt(struct pb_settings *s, const struct pb_opt *o, const char *value,
    struct pb_error *bad)
{
	if (!pb_opt_set(o, value, bad))
		return false;
	if (o->seen != NULL)
		*o->seen = true;
	if (s->of->rules == PB_OPT_PACMANBOT)
		s->of->session->preset = s->preset.name;
	return true;
}

bool
pb_settings_set(struct pb_settings *s, const char *name, const char *value,
    struct pb_error *bad)
{
	const struct pb_param *p;
	void *base;
	const char *known, *help;
	struct pb_suggest near = pb_suggest_for(name);

	for (int i = 0; i < s->n; i++)
		if (strcmp(s->opt[i].name, name) == 0)
			return set_opt(s, &s->opt[i], value, bad);
	p = pb_settings_find(s, name, &base);
	if (p != NULL)
		return pb_opt_param(p, base, value, bad);
	for (int i = 0; (known = pb_settings_name(s, i, &help)) != NULL; i++)
		pb_suggest_try(&near, known, strlen(known));
	return pb_error_set(bad, "expected an option of %s, got \"%.80s\"%s",
	    pb_games[s->of->rules].game->name, name, pb_suggest_text(&near));
}

const char *
pb_settings_name(const struct pb_settings *s, int i, const char **help)
{
	const struct pb_param *p;
	void *base;

	if (i < s->n) {
		*help = s->opt[i].help;
		return s->opt[i].name;
	}
	p = pb_settings_param(s, i - s->n, &base);
	if (p == NULL)
		return NULL;
	*help = p->help;
	return p->name;
}

struct pb_settings_copy {
	struct pb_session_opts session;
	unsigned char constants[PB_RULES_OPTS];
	int player;
	const char *map, *known;
	double heading;
	struct pb_opt_preset preset;
	char map_text[PB_SETTINGS_PATH + 1], known_text[PB_REC_WORD];
};

struct pb_settings_copy *
pb_settings_save(const struct pb_settings *s)
{
	const struct pb_stage_opts *of = s->of;
	struct pb_settings_copy *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	c->session = *of->session;
	memcpy(
	    c->constants, of->constants, pb_games[of->rules].game->opts_size);
	c->player = *of->player;
	c->map = *of->map;
	c->known = *of->known;
	c->heading = *of->heading;
	c->preset = s->preset;
	memcpy(c->map_text, s->map, sizeof(s->map));
	memcpy(c->known_text, s->known, sizeof(s->known));
	return c;
}

void
pb_settings_load(struct pb_settings *s, const struct pb_settings_copy *c)
{
	const struct pb_stage_opts *of = s->of;

	*of->session = c->session;
	memcpy(
	    of->constants, c->constants, pb_games[of->rules].game->opts_size);
	*of->player = c->player;
	*of->map = c->map;
	*of->known = c->known;
	*of->heading = c->heading;
	s->preset = c->preset;
	memcpy(s->map, c->map_text, sizeof(s->map));
	memcpy(s->known, c->known_text, sizeof(s->known));
}
