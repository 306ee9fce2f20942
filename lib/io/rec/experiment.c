/* experiment.c - records of what a benchmark should play. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/num.h"
#include "io/stream/suggest.h"
#include "io/rec/fields.h"

static const char *const keys[] = {"type", "t", "id", "rules", "map", "houses",
    "policy", "rounds", "trials", "seed", "preset", "constants"};

struct pb_rec_experiment
pb_rec_experiment_none(void)
{
	return (struct pb_rec_experiment){.houses = -1, .trials = -1};
}

void
pb_experiment_clear(struct pb_rec_experiment *x)
{
	for (size_t i = 0; i < x->maps; i++)
		free(x->map[i]);
	free(x->map);
	free(x->constant);
	x->map = NULL;
	x->constant = NULL;
	x->maps = x->constants = 0;
}

/* A value as it would be typed; NULL if it is none. */
static const char *
typed(const json_t *v, char *digits)
{
	if (json_is_string(v))
		return pb_json_text(v);
	if (json_is_boolean(v))
		return json_is_true(v) ? "yes" : "no";
	if (json_is_integer(v))
		pb_num_int(digits, json_integer_value(v));
	else if (json_is_real(v))
		pb_num_exact(digits, json_real_value(v));
	else
		return NULL;
	return digits;
}

/* Add a word to a list with commas; none of its own, for they would part it. */
static bool
join(const json_t *v, char *list)
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
get_words(struct pb_get *g, const char *key, char *list)
{
	json_t *v = g->ok ? pb_get_value(g, key) : NULL;
	struct pb_walk w;

	if (!v)
		return;
	if (!json_is_array(v)) {
		const char *text = pb_json_text(v);

		/* A text may be a list as it would be typed. */
		if (text && *text && strlen(text) < PB_REC_LIST)
			strcpy(list, text);
		else if (text || !join(v, list))
			pb_get_fail(g, key, "a value or an array of values");
		return;
	}
	for (pb_get_walk(g, key, PB_REQUIRED, &w); pb_walk_next(g, &w);)
		if (!join(w.at, list))
			pb_walk_fail(g, &w, "a value without commas");
	if (g->ok && !*list)
		pb_get_fail(g, key, "at least one value");
}

static void
get_maps(struct pb_get *g, struct pb_rec_experiment *x)
{
	json_t *v = g->ok ? pb_get_value(g, "map") : NULL;
	size_t n = json_is_array(v) ? json_array_size(v) : 1;

	if (!v)
		return;
	if (n == 0)
		pb_get_fail(g, "map", "the name of a file or some");
	x->map = calloc(n ? n : 1, sizeof(*x->map));
	if (!x->map) {
		pb_get_nomem(g, "map");
		return;
	}
	for (size_t i = 0; g->ok && i < n; i++) {
		const char *path =
		    pb_json_text(json_is_array(v) ? json_array_get(v, i) : v);

		if (!path || !*path)
			pb_get_fail(g, "map", "the name of a file or some");
		else if (!(x->map[i] = strdup(path)))
			pb_get_nomem(g, "map");
		else
			x->maps++;
	}
}

static void
get_constants(struct pb_get *g, struct pb_rec_experiment *x)
{
	struct pb_get sub;
	const char *name;
	json_t *v;

	if (!pb_get_object(
		g, "constants", PB_OPTIONAL, "experiment.constants", &sub))
		return;
	x->constant =
	    calloc(json_object_size(sub.obj) + 1, sizeof(*x->constant));
	if (!x->constant) {
		pb_get_nomem(g, "constants");
		return;
	}
	json_object_foreach(sub.obj, name, v)
	{
		struct pb_rec_constant *c = &x->constant[x->constants];

		if (!g->ok)
			return;
		if (strlen(name) >= sizeof(c->name))
			pb_get_fail(g, "constants", "names of constants");
		else
			strcpy(c->name, name);
		get_words(&sub, name, c->values);
		if (sub.ok && !*c->values)
			pb_get_fail(&sub, name, "a value");
		g->ok &= sub.ok;
		x->constants++;
	}
}

/* A key that is misspelt would change what is played without a word. */
static void
refuse_others(struct pb_get *g)
{
	const char *key;
	json_t *v;

	json_object_foreach(g->obj, key, v)
	{
		size_t i = 0, n = sizeof(keys) / sizeof(*keys);
		struct pb_near near = pb_near_to(key);

		while (i < n && strcmp(key, keys[i]) != 0) {
			pb_near_try(&near, keys[i], strlen(keys[i]));
			i++;
		}
		if (i == n && g->ok)
			g->ok = pb_bad_set(g->bad,
			    "experiment.%.80s: expected rules, map, houses, "
			    "policy, rounds, trials, seed, preset or "
			    "constants, got another key%s",
			    key, pb_near_text(&near));
	}
}

void
pb_get_experiment(struct pb_get *g, struct pb_rec_experiment *x)
{
	*x = pb_rec_experiment_none();
	refuse_others(g);
	get_words(g, "rules", x->rules);
	get_words(g, "policy", x->policy);
	get_words(g, "rounds", x->rounds);
	get_maps(g, x);
	pb_get_int(g, "houses", PB_OPTIONAL, 1, 10000, &x->houses);
	pb_get_int(g, "trials", PB_OPTIONAL, 1, PB_REC_TRIALS_MAX, &x->trials);
	x->has_seed = pb_get_value(g, "seed") != NULL;
	pb_get_u64(g, "seed", PB_OPTIONAL, &x->seed);
	PB_GET_WORD(g, "preset", PB_OPTIONAL, x->preset);
	if (g->ok)
		get_constants(g, x);
	if (!g->ok)
		pb_experiment_clear(x);
}

static void
put_constants(struct pb_text *o, const struct pb_rec_experiment *x)
{
	pb_put_key(o, "constants");
	pb_text_put(o, "{", 1);
	for (size_t i = 0; i < x->constants; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, x->constant[i].name);
		pb_text_put(o, ":", 1);
		pb_text_string(o, x->constant[i].values);
	}
	pb_text_put(o, "}", 1);
}

void
pb_put_experiment(struct pb_text *o, const struct pb_rec_experiment *x)
{
	pb_put_begin(o, PB_REC_EXPERIMENT, pb_stamp_none());
	pb_put_text_if(o, "rules", x->rules);
	if (x->maps) {
		pb_put_key(o, "map");
		pb_text_put(o, "[", 1);
		for (size_t i = 0; i < x->maps; i++) {
			pb_text_put(o, ",", i ? 1 : 0);
			pb_text_string(o, x->map[i]);
		}
		pb_text_put(o, "]", 1);
	}
	pb_put_int_if(o, "houses", x->houses);
	pb_put_text_if(o, "policy", x->policy);
	pb_put_text_if(o, "rounds", x->rounds);
	pb_put_int_if(o, "trials", x->trials);
	if (x->has_seed)
		pb_put_u64(o, "seed", x->seed);
	pb_put_text_if(o, "preset", x->preset);
	if (x->constants)
		put_constants(o, x);
	pb_put_end(o);
}
