/* step.c - the conformance record: its numbers, and writing it. */
#include "io/rec/step.h"

#include <stdio.h>
#include <string.h>

#include "io/rec/fields.h"
#include "pb/version.h"

const char *const pb_step_plain[PB_STEP_PLAIN] = {"tick", "upd", "period",
    "mode", "lastMode", "pauseOnUpdate", "modeSteps", "levelSteps", "score",
    "level", "lives", "combo", "pellets", "fruitSteps"};
const char *const pb_step_ghost[4] = {"trap", "fright", "spawn", "eaten"};

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
		snprintf(buf, PB_REC_WORD, "%s", pb_step_plain[i]);
	else if (i < PB_STEP_GHOST)
		snprintf(buf, PB_REC_WORD, "pac[%d]", i - PB_STEP_PAC);
	else if (k < 6)
		snprintf(buf, PB_REC_WORD, "ghosts[%d].%s[%d]", ghost,
		    k < 3 ? "loc" : "next", k % 3);
	else
		snprintf(buf, PB_REC_WORD, "ghosts[%d].%s", ghost,
		    pb_step_ghost[k - 6]);
	return buf;
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

static void
put_numbers(struct pb_text *o, const int *v, int n)
{
	pb_text_put(o, "[", 1);
	for (int i = 0; i < n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_int(o, v[i]);
	}
	pb_text_put(o, "]", 1);
}

static void
put_ghosts(struct pb_text *o, const int *v)
{
	pb_put_key(o, "ghosts");
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++, v += PB_STEP_OF_GHOST) {
		pb_text_puts(o, i ? ",{\"loc\":" : "[{\"loc\":");
		put_numbers(o, v, 3);
		pb_put_key(o, "next");
		put_numbers(o, v + 3, 3);
		for (int j = 0; j < 4; j++)
			pb_put_int(o, pb_step_ghost[j], v[6 + j]);
		pb_text_put(o, "}", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
put_draws(struct pb_text *o, const struct pb_step *k)
{
	pb_put_key(o, "draws");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < k->draws; i++) {
		const int v[3] = {
		    k->draw[i].ghost, k->draw[i].bound, k->draw[i].value};

		pb_text_put(o, ",", i ? 1 : 0);
		put_numbers(o, v, 3);
	}
	pb_text_put(o, "]", 1);
}

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
		pb_put_int(o, pb_step_plain[i], k->value[i]);
	pb_put_key(o, "pac");
	put_numbers(o, k->value + PB_STEP_PAC, 3);
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

void
pb_step_put_verdict(struct pb_text *o, const struct pb_step_verdict *v)
{
	pb_text_puts(o, "{\"type\":\"conformance\",\"file\":");
	pb_text_string(o, v->file);
	pb_put_bool(o, "agree", v->agree);
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
	if (!v->agree) {
		pb_put_int(o, "line", v->line);
		pb_put_int(o, "tick", v->tick);
		pb_put_text(o, "field", v->field);
		pb_put_text(o, "expected", v->expected);
		pb_put_text(o, "got", v->got);
	}
	pb_put_end(o);
}
