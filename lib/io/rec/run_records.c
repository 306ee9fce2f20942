/* run_records.c - what a tool is to do, where its output came from, its end. */
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"
#include "io/stream/num.h"
#include "io/stream/suggest.h"

static void
free_strings(char **s, size_t n)
{
	for (size_t i = 0; s && i < n; i++)
		free(s[i]);
	free(s);
}

static void
put_args(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_provenance *p = r;

	pb_put_key(o, f->key);
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < p->args; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, p->arg[i]);
	}
	pb_text_put(o, "]", 1);
}

static void
get_args(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_provenance *p = r;
	struct pb_walk w;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	p->arg = pb_get_room(g, &w, PB_REC_ARGS_MAX, sizeof(*p->arg), &p->args);
	for (size_t i = 0; i < p->args && pb_walk_next(g, &w); i++) {
		const char *s = pb_json_text(w.at);

		if (!s)
			pb_walk_fail(g, &w, "a string");
		else if (!(p->arg[i] = strdup(s)))
			pb_get_nomem(g, f->key);
	}
}

static const struct pb_codec args = {"strings", put_args, get_args};

#define PB_OF struct pb_rec_provenance
static const struct pb_field provenance_rows[] = {
    TEXT("tool", tool, REQUIRED),
    TEXT("version", version, REQUIRED),
    TEXT("commit", commit, OPTIONAL),
    TEXT("compiler", compiler, OPTIONAL),
    HEX("build", build, OPTIONAL),
    CODEC_OF_ALL("args", REQUIRED, args, NULL),
    U64_IF("seed", seed, has_seed),
    HEX("input", input, REQUIRED),
};

static void
clear_provenance(void *r)
{
	struct pb_rec_provenance *p = r;

	free_strings(p->arg, p->args);
}
#undef PB_OF

/* A value as it would be typed; NULL if it is none. */
static const char *
typed(const struct pb_json_value *v, char *digits)
{
	if (pb_json_is(v, PB_JSON_STRING))
		return pb_json_text(v);
	if (pb_json_is(v, PB_JSON_TRUE) || pb_json_is(v, PB_JSON_FALSE))
		return pb_json_is(v, PB_JSON_TRUE) ? "yes" : "no";
	if (pb_json_is(v, PB_JSON_WHOLE))
		pb_num_int(digits, v->whole);
	else if (pb_json_is(v, PB_JSON_REAL))
		pb_num_exact(digits, v->real);
	else
		return NULL;
	return digits;
}

/* Add a word to a list with commas; none of its own, for they would part it. */
static bool
join(const struct pb_json_value *v, char *list)
{
	char digits[PB_NUM_MAX];
	const char *word = typed(v, digits);
	size_t len = strlen(list);

	if (!word || !*word || strchr(word, ',') ||
	    len + strlen(word) + 2 > PB_REC_LIST)
		return false;
	snprintf(list + len, PB_REC_LIST - len, "%s%s", len ? "," : "", word);
	return true;
}

/* One value or an array of them, joined by commas. */
static void
read_words(struct pb_get *g, const char *key, char *list)
{
	const struct pb_json_value *v = pb_get_value(g, key);
	struct pb_walk w;

	if (!v)
		return;
	if (!pb_json_is(v, PB_JSON_ARRAY)) {
		const char *text = pb_json_text(v);

		/* A text may be a list as it would be typed. */
		if (text && *text && strlen(text) < PB_REC_LIST)
			strcpy(list, text);
		else if (text || !join(v, list))
			pb_get_fail(g, key, "a value or an array of values");
		return;
	}
	for (pb_get_walk(g, key, PB_OPTIONAL, &w); pb_walk_next(g, &w);)
		if (!join(w.at, list))
			pb_walk_fail(g, &w, "a value without commas");
	if (*g->ok && !*list)
		pb_get_fail(g, key, "at least one value");
}

static void
get_words(struct pb_get *g, const struct pb_field *f, void *r)
{
	read_words(g, f->key, PB_IN(r, f));
}

/* A name alone is a list of one. */
static void
get_maps(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_experiment *x = r;
	const struct pb_json_value *v = pb_get_value(g, f->key);
	size_t n =
	    pb_json_is(v, PB_JSON_ARRAY) ? pb_json_size(v, PB_JSON_ARRAY) : 1;

	if (!v)
		return;
	if (n == 0)
		pb_get_fail(g, f->key, "the name of a file or some");
	x->map = calloc(n ? n : 1, sizeof(*x->map));
	if (!x->map) {
		pb_get_nomem(g, f->key);
		return;
	}
	if (pb_json_is(v, PB_JSON_ARRAY))
		v = pb_json_next(v, NULL);
	for (size_t i = 0; *g->ok && i < n; i++, v += v->span) {
		const char *path = pb_json_text(v);

		if (!path || !*path)
			pb_get_fail(g, f->key, "the name of a file or some");
		else if (!(x->map[i] = strdup(path)))
			pb_get_nomem(g, f->key);
		else
			x->maps++;
	}
}

static void
get_constants(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_experiment *x = r;
	struct pb_get sub;
	const struct pb_json_value *v = NULL;

	if (!pb_get_object(g, f->key, f->need, &sub))
		return;
	x->constant = calloc(
	    pb_json_size(sub.obj, PB_JSON_OBJECT) + 1, sizeof(*x->constant));
	if (!x->constant) {
		pb_get_nomem(g, f->key);
		return;
	}
	while ((v = pb_json_next(sub.obj, v)) != NULL) {
		const char *name = PB_JSON_KEY(v);
		struct pb_rec_constant *c = &x->constant[x->constants];

		if (!*g->ok)
			return;
		if (strlen(name) >= sizeof(c->name))
			pb_get_fail(g, f->key, "names of constants");
		else
			strcpy(c->name, name);
		read_words(&sub, name, c->values);
		if (*g->ok && !*c->values)
			pb_get_fail(&sub, name, "a value");
		x->constants++;
	}
}

/* Nothing writes an experiment. */
static const struct pb_codec words = {
    "value or list of values", NULL, get_words};
static const struct pb_codec maps = {
    "string or list of strings", NULL, get_maps};
static const struct pb_codec constants = {"object", NULL, get_constants};

#define PB_OF struct pb_rec_experiment
static const struct pb_field experiment_rows[] = {
    CODEC("rules", rules, OPTIONAL, words, NULL),
    CODEC_OF_ALL("map", OPTIONAL, maps, NULL),
    WHOLE("houses", houses, OPTIONAL, BETWEEN(1, 10000)),
    CODEC("policy", policy, OPTIONAL, words, NULL),
    CODEC("rounds", rounds, OPTIONAL, words, NULL),
    WHOLE("trials", trials, OPTIONAL, BETWEEN(1, PB_REC_TRIALS_MAX)),
    U64_IF("seed", seed, has_seed),
    TEXT("preset", preset, OPTIONAL),
    CODEC_OF_ALL("constants", OPTIONAL, constants, NULL),
};

/* Whether an experiment has such a key; near comes to know all that it has. */
static bool
is_key(const char *key, struct pb_suggest *near)
{
	static const char *const common[] = {"type", "t", "id"};
	size_t n = sizeof(experiment_rows) / sizeof(*experiment_rows);
	bool found = false;

	for (size_t i = 0; !found && i < 3 + n; i++) {
		const char *k = i < 3 ? common[i] : experiment_rows[i - 3].key;

		found = strcmp(key, k) == 0;
		pb_suggest_try(near, k, strlen(k));
	}
	return found;
}

/* A key that is misspelt would change what is played without a word. */
static void
refuse_others(struct pb_get *g, void *at)
{
	const struct pb_json_value *v = NULL;

	(void)at;
	while ((v = pb_json_next(g->obj, v)) != NULL) {
		const char *key = PB_JSON_KEY(v);
		struct pb_suggest near = pb_suggest_for(key);

		if (!is_key(key, &near) && *g->ok)
			*g->ok = pb_error_set(g->bad,
			    "experiment.%.80s: expected rules, map, houses, "
			    "policy, rounds, trials, seed, preset or "
			    "constants, got another key%s",
			    key, pb_suggest_text(&near));
	}
}

static void
clear_experiment(void *r)
{
	struct pb_rec_experiment *x = r;

	free_strings(x->map, x->maps);
	free(x->constant);
}
#undef PB_OF

const struct pb_schema pb_run_schemas[PB_REC_TYPES] = {
    [PB_REC_PROVENANCE] = PB_TYPE("provenance", pb_rec_provenance,
	provenance_rows, HEADER, .clear = clear_provenance),
    [PB_REC_EXPERIMENT] =
	PB_TYPE("experiment", pb_rec_experiment, experiment_rows, HEADER,
	    .begin = refuse_others, .clear = clear_experiment),
};
