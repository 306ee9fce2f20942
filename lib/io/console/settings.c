/* settings.c - options of the command line that the operator can change between
 * two games. */
#include "io/console/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/rules_opts.h"
#include "io/play/explored.h"
#include "io/play/weights_opt.h"
#include "io/play/world.h"
#include "io/stream/suggest.h"

static const struct pb_rules *
rules_of(const struct pb_settings *s)
{
	return &pb_games[s->of->rules];
}

static bool
set_player(struct pb_settings *s, const struct pb_opt *o, const char *arg,
    struct pb_error *bad)
{
	const struct pb_rules *rules = rules_of(s);
	int i = pb_rules_player(rules, arg);
	char known[200];
	struct pb_suggest near;

	(void)o;
	if (i < 0) {
		pb_opt_players_known(&rules, 1, known, sizeof(known));
		near = pb_suggest_for(arg);
		pb_suggest_list(&near, known);
		return pb_error_set(bad, "expected %s, got \"%.60s\"%s", known,
		    arg, pb_suggest_text(&near));
	}
	*s->of->player = i;
	return true;
}

static bool
set_sensors(struct pb_settings *s, const struct pb_opt *o, const char *arg,
    struct pb_error *bad)
{
	if (strcmp(arg, "none") != 0)
		return pb_opt_set(o, arg, bad);
	s->of->session->senses.sense.sensors = 0;
	return true;
}

/* Whether the game can read it. */
static bool
is_map(const struct pb_game *g, const char *path, struct pb_error *bad)
{
	struct pb_world w = {.has_map = false};
	struct pb_maze z;
	struct pb_error f;
	bool ok = g->board == NULL ? pb_world_read(&w, path, &f)
	                           : pb_world_maze_read(path, &z, &f);

	pb_world_clear(&w);
	return ok || pb_error_quote(bad, &f);
}

static bool
set_map(struct pb_settings *s, const struct pb_opt *o, const char *arg,
    struct pb_error *bad)
{
	if (strcmp(arg, "-") == 0 || strlen(arg) > PB_SETTINGS_PATH)
		return pb_error_set(bad, "expected a file, got \"%.80s\"", arg);
	if (!is_map(rules_of(s)->game, arg, bad))
		return false;
	snprintf(s->map, sizeof(s->map), "%s", arg);
	*(const char **)o->to = s->map;
	return true;
}

static bool
set_known(struct pb_settings *s, const struct pb_opt *o, const char *arg,
    struct pb_error *bad)
{
	bool none = strcmp(arg, "none") == 0;
	unsigned who;

	if (!none && !pb_explorers_find(
			 rules_of(s)->game, s->of->constants, arg, &who, bad))
		return false;
	snprintf(s->known, sizeof(s->known), "%s", arg);
	*(const char **)o->to = none ? NULL : s->known;
	return true;
}

struct pb_settings_weights {
	struct pb_settings_weights *next;
	struct pb_weights_opt opt;
	char files[]; /* as they were typed */
};

static bool
set_weights(struct pb_settings *s, const struct pb_opt *o, const char *arg,
    struct pb_error *bad)
{
	size_t size = strlen(arg) + 1;
	struct pb_settings_weights *w = calloc(1, sizeof(*w) + size);
	struct pb_error why;

	if (w == NULL)
		return pb_error_nomem(bad, "weights");
	memcpy(w->files, arg, size);
	w->opt.files = w->files;
	w->next = s->weights;
	s->weights = w;
	if (!pb_weights_opt_load(&w->opt, &why))
		return pb_error_quote(bad, &why);
	pb_game_set_weights(rules_of(s)->game, s->of->constants, &w->opt.w);
	*(const char **)o->to = w->files;
	return true;
}

void
pb_settings_clear(struct pb_settings *s)
{
	struct pb_settings_weights *next;

	for (; s->weights != NULL; s->weights = next) {
		next = s->weights->next;
		pb_weights_opt_clear(&s->weights->opt);
		free(s->weights);
	}
}

static void
write_set(unsigned set, const char *words, char *out, size_t size)
{
	if (set != 0)
		pb_opt_words(out, size, words, set, ",");
	else
		snprintf(out, size, "none");
}

static void
tell_player(const struct pb_settings *s, char *out, size_t size)
{
	snprintf(out, size, "%s", rules_of(s)->player[*s->of->player]->name);
}

static void
tell_rate(const struct pb_settings *s, char *out, size_t size)
{
	snprintf(out, size, "%.15g", s->of->session->rate);
}

static void
tell_sensors(const struct pb_settings *s, char *out, size_t size)
{
	write_set(
	    s->of->session->senses.sense.sensors, pb_sensor_names, out, size);
}

static void
tell_trace(const struct pb_settings *s, char *out, size_t size)
{
	write_set(s->of->session->trace, pb_trace_names, out, size);
}

static void
tell_preset(const struct pb_settings *s, char *out, size_t size)
{
	const char *name = s->of->session->preset;

	snprintf(out, size, "%s", name != NULL ? name : "");
}

static void
tell_known(const struct pb_settings *s, char *out, size_t size)
{
	snprintf(out, size, "%s", *s->of->known ? *s->of->known : "none");
}

static const char *
player_name(const struct pb_settings *s, int i)
{
	const struct pb_player *p = rules_of(s)->player[i];

	return p != NULL ? p->name : NULL;
}

static const char *
preset_name(const struct pb_settings *s, int i)
{
	return rules_of(s)->game->preset_name(i);
}

static bool
has_weights(const struct pb_game *g)
{
	return g->weights != 0;
}

static bool
has_unknown(const struct pb_game *g)
{
	return pb_opt_on_map(g) || g->held;
}

/*
 * Options of the command line that can be set, in the order of `show`, before
 * the constants. What they are, where they go and what they may be say their
 * rows there; here is what is different when a game has begun.
 */
static const struct setting {
	const char *name;
	const char *help;                    /* NULL: the same */
	bool (*of)(const struct pb_game *g); /* of such games; NULL: of all */
	bool (*set)(struct pb_settings *s, const struct pb_opt *o,
	    const char *arg, struct pb_error *bad); /* NULL: as there */
	void (*tell)(const struct pb_settings *s, char *out, size_t size);
	const char *words; /* that complete it, "a|b" */
	const char *(*word)(const struct pb_settings *s, int i);
} settings[] = {
    {"seed"},
    {"trial"},
    {"policy", "who plays", .set = set_player, .tell = tell_player,
	.word = player_name},
    {"weights", .of = has_weights, .set = set_weights},
    {"map", "file or board to play on", .set = set_map},
    {"rate", "of true poses, odometry and twists (1/s)", .tell = tell_rate},
    {"max-gap", "longest run until something is so (s)"},
    {"sensors", "whose records to write, or none", .set = set_sensors,
	.tell = tell_sensors, .words = pb_sensor_names},
    {"feedback", "write lights, sounds and motions"},
    {"feedback-as"},
    {"autostart", .of = pb_opt_on_map},
    {"rounds", "with autostart: end after so many", pb_opt_on_map},
    {"trace", "records to write", pb_opt_on_map, .tell = tell_trace},
    {"preset", "constants by name", pb_opt_on_map, .tell = tell_preset,
	.word = preset_name},
    {"start", .of = pb_opt_on_map},
    {"spawn-at", "where Clyde appears (m)", pb_opt_on_map},
    {"unknown-stops", .of = has_unknown},
    {"heading", "at which a robot with sensors is held (rad)", pb_opt_is_held},
    {"known", "whose knowledge to write: a patrol's, all or none",
	pb_opt_explores, set_known, tell_known},
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

/* Its row of the command line, as it is here: flags take yes or no. */
static struct pb_opt
row_of(const struct pb_settings *s, const struct setting *t)
{
	struct pb_opt o = *pb_opt_find(s->of->tool, t->name);

	if (t->help != NULL)
		o.help = t->help;
	if (o.kind == PB_OPT_FLAG)
		o.kind = PB_OPT_BOOL;
	return o;
}

/* Setting i (0..) as a row, its name NULL past the last; in *t what else is to
 * say of it, NULL for constants. */
static struct pb_opt
row(const struct pb_settings *s, int i, const struct setting **t)
{
	const struct pb_tool *tool = s->of->tool;
	int rules = pb_rules_count();

	for (*t = settings; *t < settings + SETTINGS; ++*t)
		if ((!(*t)->of || (*t)->of(rules_of(s)->game)) && i-- == 0)
			return row_of(s, *t);
	*t = NULL;
	/* Those of the rules that are played, then those of all rules. */
	for (int k = 0; k < (int)tool->ngroup; k++) {
		const struct pb_opt_group *g = &tool->group[k];

		if (k < rules && k != s->of->rules)
			continue;
		if (i < (int)g->params.n)
			return pb_opt_of_param(&g->params.row[i], g->base);
		i -= (int)g->params.n;
	}
	return (struct pb_opt){.name = NULL};
}

/* The one of that name. */
static struct pb_opt
named(const struct pb_settings *s, const char *name, const struct setting **t)
{
	struct pb_opt o;

	for (int i = 0; (o = row(s, i, t)).name != NULL; i++)
		if (strcmp(o.name, name) == 0)
			break;
	return o;
}

bool
pb_settings_set(struct pb_settings *s, const char *name, const char *value,
    struct pb_error *bad)
{
	const struct setting *t;
	struct pb_opt o = named(s, name, &t);
	struct pb_suggest near = pb_suggest_for(name);

	if (o.name != NULL) {
		bool ok = t != NULL && t->set != NULL
		              ? t->set(s, &o, value, bad)
		              : pb_opt_set(&o, value, bad);

		if (ok && o.seen != NULL)
			*o.seen = true;
		return ok;
	}
	for (int i = 0; (o = row(s, i, &t)).name != NULL; i++)
		pb_suggest_try(&near, o.name, strlen(o.name));
	return pb_error_set(bad, "expected an option of %s, got \"%.80s\"%s",
	    rules_of(s)->game->name, name, pb_suggest_text(&near));
}

const char *
pb_settings_name(const struct pb_settings *s, int i, const char **help)
{
	const struct setting *t;
	struct pb_opt o = row(s, i, &t);

	*help = o.help;
	return o.name;
}

void
pb_settings_value(const struct pb_settings *s, int i, char *out, size_t size)
{
	const struct setting *t;
	struct pb_opt o = row(s, i, &t);

	out[0] = '\0';
	if (t != NULL && t->tell != NULL)
		t->tell(s, out, size);
	else if (o.name != NULL)
		pb_opt_value(&o, out, size);
}

bool
pb_settings_word(const struct pb_settings *s, const char *name, int i,
    char *out, size_t size)
{
	const struct setting *t;
	struct pb_opt o = named(s, name, &t);
	const char *words = t != NULL && t->words != NULL ? t->words : o.words;
	const char *word = NULL;
	size_t n = size;

	if (o.kind == PB_OPT_BOOL && o.name != NULL)
		words = "no|yes";
	if (t != NULL && t->word != NULL)
		word = t->word(s, i);
	else if (words != NULL)
		word = pb_word(words, i, &n);
	if (word != NULL)
		snprintf(out, size, "%.*s", (int)n, word);
	return word != NULL;
}

struct pb_settings_copy {
	struct pb_settings texts;
	_Alignas(max_align_t) unsigned char all[];
};

struct pb_settings_copy *
pb_settings_save(const struct pb_settings *s)
{
	struct pb_settings_copy *c = malloc(sizeof(*c) + s->of->all_size);

	if (c == NULL)
		return NULL;
	c->texts = *s;
	/* All options in one piece: nothing that can be set is forgotten. */
	memcpy(c->all, s->of->all, s->of->all_size);
	return c;
}

void
pb_settings_load(struct pb_settings *s, const struct pb_settings_copy *c)
{
	struct pb_settings_weights *weights = s->weights;

	memcpy(s->of->all, c->all, s->of->all_size);
	*s = c->texts;
	s->weights = weights;
}
