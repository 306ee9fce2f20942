/* step_read.c - the conformance record: reading it. */
#include <string.h>

#include "io/rec/fields.h"
#include "io/rec/step.h"

#define HEX (2 * PB_PACBOT_FRAME) /* digits of a frame */

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
	char text[HEX + 2] = "";

	*has = pb_get_value(g, key) != NULL;
	pb_get_text(g, key, PB_OPTIONAL, text, sizeof(text));
	if (*has && g->ok &&
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

static void
get_at(struct pb_get *g, const char *key, int *out)
{
	double v[3];

	out[0] = out[1] = out[2] = -1;
	if (!pb_get_value(g, key))
		return;
	pb_get_nums(g, key, PB_OPTIONAL, 3, v);
	for (int i = 0; g->ok && i < 3; i++) {
		if (!(v[i] >= 0 && v[i] <= 255 && v[i] == (int)v[i]))
			pb_get_fail(g, key, "[row, col, dir] in 0..255");
		else
			out[i] = (int)v[i];
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
			get_value(&sub, pb_step_ghost[i], &v[6 + i]);
		v += PB_STEP_OF_GHOST;
		g->ok = sub.ok;
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
get_cmd(const json_t *v, struct pb_step_cmd *c)
{
	const char *text = pb_json_text(v);
	size_t n = json_string_length(v);

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

/* The object of the first line; g->ok tells. */
static void
get_meta(struct pb_get *g, struct pb_step *k)
{
	struct pb_get sub;
	long active = 4;
	bool draws = true;

	if (!pb_get_object(g, "meta", PB_REQUIRED, "conformance.meta", &sub))
		return;
	pb_get_int(&sub, "activeGhosts", PB_OPTIONAL, 0, 4, &active);
	pb_get_bool(&sub, "draws", PB_OPTIONAL, &draws);
	k->meta = true;
	k->blind = !draws;
	k->active = (int)active;
	g->ok = sub.ok;
}

/* Read the line; g->ok tells. */
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
		get_value(g, pb_step_plain[i], &k->value[i]);
	get_at(g, "pac", k->value + PB_STEP_PAC);
	get_ghosts(g, k->value + PB_STEP_GHOST);
	get_draws(g, k);
	get_frame(g, "ser", &k->has_frame, k->frame);
	get_cmds(g, k);
	get_frame(g, "post", &k->has_post, k->post);
	get_value(g, "postPauseOnUpdate", &k->post_pause);
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
	return g.ok;
}
