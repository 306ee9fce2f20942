/* step.c - the conformance record: its numbers, writing and reading it. */
#include "io/rec/step.h"

#include <stdio.h>
#include <string.h>

#include "io/rec/schema.h"
#include "io/stream/suggest.h"
#include "pb/param.h"
#include "pb/version.h"

/* Keys of the plain fields; "upd" is 1 if an update block ran, "lastMode" that
 * before a pause. And of the last four numbers of a ghost. */
static const char *const plain[PB_STEP_PLAIN] = {"tick", "upd", "period",
    "mode", "lastMode", "pauseOnUpdate", "modeSteps", "levelSteps", "score",
    "level", "lives", "combo", "pellets", "fruitSteps"};
static const char *const ghost_key[4] = {"trap", "fright", "spawn", "eaten"};

void
pb_step_values(const struct pb_pacbot *s, bool update, int *value)
{
	int *v = value;
	const int p[PB_STEP_PLAIN] = {s->tick, update, s->period,
	    s->paused ? PB_PAUSED : s->mode, s->mode, s->pause_on_update,
	    s->mode_steps, s->level_steps, s->score, s->level, s->lives,
	    s->combo, s->left, s->fruit_steps};

	memcpy(v, p, sizeof(p));
	v += PB_STEP_PLAIN;
	*v++ = s->pac.row;
	*v++ = s->pac.col;
	*v++ = s->pac.dir;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		const int q[PB_STEP_OF_GHOST] = {g->loc.row, g->loc.col,
		    g->loc.dir, g->next.row, g->next.col, g->next.dir,
		    g->trapped, g->fright, g->spawning, g->eaten};

		memcpy(v, q, sizeof(q));
		v += PB_STEP_OF_GHOST;
	}
}

const char *
pb_step_field(int i, char *buf)
{
	int k = (i - PB_STEP_GHOST) % PB_STEP_OF_GHOST;
	int ghost = (i - PB_STEP_GHOST) / PB_STEP_OF_GHOST;

	if (i < PB_STEP_PLAIN)
		snprintf(buf, PB_REC_WORD, "%s", plain[i]);
	else if (i < PB_STEP_GHOST)
		snprintf(buf, PB_REC_WORD, "pac[%d]", i - PB_STEP_PAC);
	else if (k < 6)
		snprintf(buf, PB_REC_WORD, "ghosts[%d].%s[%d]", ghost,
		    k < 3 ? "loc" : "next", k % 3);
	else
		snprintf(
		    buf, PB_REC_WORD, "ghosts[%d].%s", ghost, ghost_key[k - 6]);
	return buf;
}

int
pb_step_frame(struct pb_step *k, const uint8_t *frame, long it)
{
	/* Of plain[]: no frame tells of "upd" and "pauseOnUpdate". */
	enum { UPD = 1, MODE = 3, PAUSE = 5 };
	struct pb_pacbot s;
	int bad = pb_pacbot_unframe(&s, frame);

	*k = (struct pb_step){.it = it, .has_frame = true, .post_pause = -1};
	memcpy(k->frame, frame, PB_PACBOT_FRAME);
	pb_step_values(&s, false, k->value);
	k->value[MODE] = frame[3];
	k->value[UPD] = k->value[PAUSE] = -1;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		for (int j = 3; j < 6; j++)
			k->value[PB_STEP_GHOST + i * PB_STEP_OF_GHOST + j] = -1;
	return bad;
}

static void
put_hex(struct pb_text *o, const uint8_t *b, int n)
{
	static const char hex[] = "0123456789abcdef";
	char *s = pb_text_room(o, (size_t)n * 2);

	for (int i = 0; s && i < n; i++) {
		*s++ = hex[b[i] >> 4];
		*s++ = hex[b[i] & 15];
	}
	if (s)
		o->len += (size_t)n * 2;
}

/* Where a body is: row, column, direction. */
static void
put_at(struct pb_text *o, const char *key, const int *v)
{
	pb_put_nums(o, key, (double[]){v[0], v[1], v[2]}, 3);
}

static void
put_ghosts(struct pb_text *o, const int *v)
{
	pb_put_key(o, "ghosts");
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++, v += PB_STEP_OF_GHOST) {
		pb_text_puts(o, i ? ",{" : "[{");
		put_at(o, "loc", v);
		put_at(o, "next", v + 3);
		for (int j = 0; j < 4; j++)
			pb_put_int(o, ghost_key[j], v[6 + j]);
		pb_text_put(o, "}", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
put_draws(struct pb_text *o, const struct pb_step *k)
{
	double v[PB_STEP_DRAWS][3];

	for (int i = 0; i < k->draws; i++) {
		v[i][0] = k->draw[i].ghost;
		v[i][1] = k->draw[i].bound;
		v[i][2] = k->draw[i].value;
	}
	pb_put_tuples(o, "draws", *v, (size_t)k->draws, 3);
}

/* A letter is written as itself, so that people can read what was pressed. */
static void
put_cmds(struct pb_text *o, const struct pb_step *k)
{
	pb_put_key(o, "cmds");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < k->cmds; i++) {
		const struct pb_step_cmd *c = &k->cmd[i];
		bool plain_text = c->n == 1 && c->byte[0] > ' ' &&
		                  c->byte[0] < 127 && c->byte[0] != '"' &&
		                  c->byte[0] != '\\';

		pb_text_puts(o, i ? ",\"" : "\"");
		if (plain_text)
			pb_text_put(o, (const char *)c->byte, 1);
		else {
			pb_text_puts(o, "hex:");
			put_hex(o, c->byte, c->n);
		}
		pb_text_put(o, "\"", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
put_frame(struct pb_text *o, const char *key, const uint8_t *frame)
{
	pb_put_key(o, key);
	pb_text_put(o, "\"", 1);
	put_hex(o, frame, PB_PACBOT_FRAME);
	pb_text_put(o, "\"", 1);
}

void
pb_step_put(struct pb_text *o, const struct pb_step *k)
{
	pb_text_puts(o, "{\"type\":\"conformance\"");
	pb_put_int(o, "it", k->it);
	for (int i = 0; i < PB_STEP_PLAIN; i++)
		pb_put_int(o, plain[i], k->value[i]);
	put_at(o, "pac", k->value + PB_STEP_PAC);
	put_ghosts(o, k->value + PB_STEP_GHOST);
	put_draws(o, k);
	if (k->has_frame)
		put_frame(o, "ser", k->frame);
	put_cmds(o, k);
	if (k->has_post)
		put_frame(o, "post", k->post);
	pb_put_int(o, "postPauseOnUpdate", k->post_pause);
	pb_put_end(o);
}

void
pb_step_put_meta(struct pb_text *o, const struct pb_step_meta *m)
{
	pb_text_puts(o, "{\"type\":\"conformance\",\"meta\":{");
	pb_text_puts(o, "\"engine\":\"pb " PB_VERSION "\"");
	pb_put_int(o, "activeGhosts", m->active);
	pb_put_text(o, "policy", m->policy);
	pb_put_text(o, "record", m->record);
	pb_put_key(o, "seed");
	pb_text_u64(o, m->seed);
	pb_put_key(o, "trial");
	pb_text_u64(o, m->trial);
	pb_text_put(o, "}", 1);
	pb_put_end(o);
}

/* How often each field was compared, those of all ghosts together. */
static void
put_compared(struct pb_text *o, const long *n)
{
	static const char *const of_ghost[] = {"loc", "next"};
	char key[PB_REC_WORD];

	pb_put_key(o, "compared");
	pb_text_puts(o, "{\"pac\":");
	pb_text_int(o, n[PB_STEP_PAC]);
	for (int i = 0; i < PB_STEP_PLAIN; i++)
		pb_put_int(o, plain[i], n[i]);
	for (int i = 0; i < PB_STEP_OF_GHOST; i += i < 6 ? 3 : 1) {
		long sum = 0;

		for (int g = 0; g < PB_ARCADE_GHOSTS; g++)
			sum += n[PB_STEP_GHOST + g * PB_STEP_OF_GHOST + i];
		snprintf(key, sizeof(key), "ghosts.%s",
		    i < 6 ? of_ghost[i / 3] : ghost_key[i - 6]);
		pb_put_int(o, key, sum);
	}
	pb_text_put(o, "}", 1);
}

void
pb_step_put_verdict(struct pb_text *o, const struct pb_step_verdict *v)
{
	pb_text_puts(o, "{\"type\":\"conformance\",\"file\":");
	pb_text_string(o, v->file);
	pb_put_key(o, "agree");
	pb_text_puts(o, v->agree ? "true" : "false");
	pb_put_int(o, "lines", v->lines);
	pb_put_int(o, "ticks", v->ticks);
	pb_put_int(o, "updates", v->updates);
	pb_put_int(o, "commands", v->commands);
	pb_put_int(o, "draws", v->draws);
	pb_put_int(o, "frames", v->frames);
	pb_put_int(o, "deaths", v->deaths);
	pb_put_int(o, "eaten", v->eaten);
	pb_put_int(o, "levels", v->levels);
	pb_put_int(o, "resets", v->resets);
	if (v->gaps >= 0)
		pb_put_int(o, "gaps", v->gaps);
	put_compared(o, v->compared);
	if (!v->agree) {
		pb_put_int(o, "line", v->line);
		pb_put_int(o, "tick", v->tick);
		pb_put_text(o, "field", v->field);
		pb_put_text(o, "expected", v->expected);
		pb_put_text(o, "got", v->got);
	}
	pb_put_end(o);
}

#define FRAME_DIGITS (2 * PB_PACBOT_FRAME)

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Bytes of a text of hex digits; -1 if it is none or over max bytes. */
static int
unhex(const char *s, uint8_t *out, int max)
{
	int n = 0;

	for (; s[0]; s += 2, n++) {
		if (n == max || digit(s[0]) < 0 || digit(s[1]) < 0)
			return -1;
		out[n] = (uint8_t)(digit(s[0]) * 16 + digit(s[1]));
	}
	return n;
}

static void
get_frame(struct pb_get *g, const char *key, bool *has, uint8_t *frame)
{
	char text[FRAME_DIGITS + 2] = "";

	*has = pb_get_value(g, key) != NULL;
	pb_get_text(g, key, PB_OPTIONAL, text, sizeof(text));
	if (*has && *g->ok &&
	    unhex(text, frame, PB_PACBOT_FRAME) != PB_PACBOT_FRAME)
		pb_get_fail(g, key, "318 hex digits");
}

static void
get_value(struct pb_get *g, const char *key, int *out)
{
	long v = -1;

	pb_get_int(g, key, PB_OPTIONAL, 0, INT32_MAX, &v);
	*out = (int)v;
}

/* Where a body is, as three bytes of the server's. */
static void
get_at(struct pb_get *g, const char *key, int *out)
{
	double v[3];

	out[0] = out[1] = out[2] = -1;
	if (!pb_get_value(g, key))
		return;
	pb_get_nums(g, key, PB_OPTIONAL, 3, v);
	for (int i = 0; *g->ok && i < 3; i++) {
		if (!(v[i] >= 0 && v[i] <= 255 && v[i] == (int)v[i]))
			pb_get_fail(g, key, "[row, col, dir] in 0..255");
		else
			out[i] = (int)v[i];
	}
}

/* Names of g are among the n of word[] and those of a list. */
static void
get_known(struct pb_get *g, const char *const *word, int n, const char *list)
{
	const struct pb_json_value *v = NULL;

	while ((v = pb_json_next(g->obj, v)) != NULL) {
		const char *name = PB_JSON_KEY(v);
		bool known = pb_word_find(list, name, strlen(name)) >= 0;
		struct pb_suggest near = pb_suggest_for(name);

		pb_suggest_list(&near, list);
		for (int i = 0; i < n; i++) {
			known |= strcmp(word[i], name) == 0;
			pb_suggest_try(&near, word[i], strlen(word[i]));
		}
		if (*g->ok && !known)
			*g->ok = pb_error_set(g->bad,
			    "%s.%.40s: recordings have no such field%s",
			    g->path, name, pb_suggest_text(&near));
	}
}

static void
get_ghosts(struct pb_get *g, int *v)
{
	struct pb_walk w;
	struct pb_get sub;
	int n = 0;

	if (!pb_get_walk(g, "ghosts", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_object(g, &w, &sub)) {
		if (n++ == PB_ARCADE_GHOSTS) {
			pb_get_fail(g, "ghosts", "at most 4 ghosts");
			return;
		}
		get_at(&sub, "loc", v);
		get_at(&sub, "next", v + 3);
		for (int i = 0; i < 4; i++)
			get_value(&sub, ghost_key[i], &v[6 + i]);
		get_known(&sub, ghost_key, 4, "loc|next");
		v += PB_STEP_OF_GHOST;
	}
}

static void
get_draws(struct pb_get *g, struct pb_step *k)
{
	struct pb_walk w;
	double v[3];

	if (!pb_get_walk(g, "draws", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_nums(g, &w, 3, v)) {
		bool ok = k->draws < PB_STEP_DRAWS && v[0] >= 0 && v[0] < 4 &&
		          v[1] >= 1 && v[1] <= 4 && v[2] >= 0 && v[2] < v[1];

		if (!ok) {
			pb_walk_fail(g, &w, "[ghost 0..3, bound 1..4, value]");
			return;
		}
		k->draw[k->draws++] =
		    (struct pb_step_draw){(int)v[0], (int)v[1], (int)v[2]};
	}
}

/* A message to the server: the text itself, or "hex:" and its bytes. */
static bool
get_cmd(const struct pb_json_value *v, struct pb_step_cmd *c)
{
	const char *text = pb_json_text(v);
	size_t n = pb_json_size(v, PB_JSON_STRING);

	if (n == 0 || !text)
		return false;
	if (strncmp(text, "hex:", 4) == 0) {
		c->n = unhex(text + 4, c->byte, PB_STEP_BYTES);
		return c->n > 0;
	}
	if (n > PB_STEP_BYTES)
		return false;
	memcpy(c->byte, text, n);
	c->n = (int)n;
	return true;
}

static void
get_cmds(struct pb_get *g, struct pb_step *k)
{
	struct pb_walk w;

	if (!pb_get_walk(g, "cmds", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w)) {
		if (k->cmds < PB_STEP_CMDS && get_cmd(w.at, &k->cmd[k->cmds])) {
			k->cmds++;
			continue;
		}
		pb_walk_fail(g, &w,
		    "at most 64 commands of 1 to 8 bytes, as text or \"hex:\"");
		return;
	}
}

/* The object of the first line; *g->ok tells. */
static void
get_meta(struct pb_get *g, struct pb_step *k)
{
	struct pb_get sub;
	long active = 4;
	bool draws = true;

	if (!pb_get_object(g, "meta", PB_REQUIRED, &sub))
		return;
	pb_get_int(&sub, "activeGhosts", PB_OPTIONAL, 0, 4, &active);
	pb_get_bool(&sub, "draws", PB_OPTIONAL, &draws);
	k->meta = true;
	k->blind = !draws;
	k->active = (int)active;
}

/* Read the line; *g->ok tells. */
static void
get_step(struct pb_get *g, struct pb_step *k)
{
	*k = (struct pb_step){.post_pause = -1};
	for (int i = 0; i < PB_STEP_VALUES; i++)
		k->value[i] = -1;
	if (pb_get_value(g, "meta")) {
		get_meta(g, k);
		return;
	}
	pb_get_int(g, "it", PB_REQUIRED, 0, INT32_MAX, &k->it);
	for (int i = 0; i < PB_STEP_PLAIN; i++)
		get_value(g, plain[i], &k->value[i]);
	get_at(g, "pac", k->value + PB_STEP_PAC);
	get_ghosts(g, k->value + PB_STEP_GHOST);
	get_draws(g, k);
	get_frame(g, "ser", &k->has_frame, k->frame);
	get_cmds(g, k);
	get_frame(g, "post", &k->has_post, k->post);
	get_value(g, "postPauseOnUpdate", &k->post_pause);
	get_known(g, plain, PB_STEP_PLAIN,
	    "type|it|pac|ghosts|draws|ser|cmds|post|postPauseOnUpdate");
}

bool
pb_step_read(struct pb_step *k, const char *s, size_t n, struct pb_error *bad)
{
	struct pb_json line;
	struct pb_get g;

	if (!pb_json_open(&line, s, n, "conformance", &g, bad))
		return false;
	get_step(&g, k);
	pb_json_close(&line);
	return *g.ok;
}
