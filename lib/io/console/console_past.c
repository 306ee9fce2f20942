/* console_past.c - the console's commands that turn time back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/console/console_parts.h"
#include "io/stream/utf8.h"

bool
pb_console_keep(struct pb_console *c, enum pb_console_changes what,
    struct pb_console_past *p)
{
	*p = (struct pb_console_past){.game = NULL};
	switch (what) {
	case PB_CHANGES_GAME:
		p->game = c->stage.type->save(c->stage.game);
		p->cues = pb_cues_save(pb_console_ring(c));
		return p->game != NULL;
	case PB_CHANGES_SETTINGS:
		p->settings = pb_settings_save(c->settings);
		return p->settings != NULL;
	default:
		return true;
	}
}

void
pb_console_forget(struct pb_console *c, struct pb_console_past *p)
{
	if (p->game != NULL)
		c->stage.type->drop(p->game);
	free(p->settings);
	*p = (struct pb_console_past){.game = NULL};
}

void
pb_console_push(struct pb_console *c, struct pb_console_past p)
{
	if (c->undos == PB_CONSOLE_UNDO) {
		pb_console_forget(c, &c->undo[0]);
		memmove(c->undo, c->undo + 1,
		    (PB_CONSOLE_UNDO - 1) * sizeof(*c->undo));
		c->undos--;
	}
	c->undo[c->undos++] = p;
}

/* Be at p again: a record that the operator has turned time back, and what is
 * the case then. */
static void
go_back(struct pb_console *c, const struct pb_console_past *p, const char *what)
{
	const struct pb_stage *s = &c->stage;
	struct pb_rec_cmd r = {.kind = PB_VALUE_NONE};

	if (p->settings != NULL)
		pb_settings_load(c->settings, p->settings);
	if (p->game == NULL)
		return;
	s->type->load(s->game, p->game);
	PB_REC_SET(r.name, what);
	pb_put_cmd(c->out, pb_stamp_at(s->type->time(s->game), NULL), &r);
	s->type->put(s->game, PB_STAGE_NOW, c->out);
	pb_cues_load(pb_console_ring(c), &p->cues);
}

/* Take the last thing that can be taken back into *p, which has what came
 * behind it. */
static void
pop(struct pb_console *c, struct pb_console_past *p)
{
	struct pb_console_past *last = &c->undo[--c->undos];

	if (last->game != NULL) {
		if (p->game != NULL)
			c->stage.type->drop(p->game);
		p->game = last->game;
		p->cues = last->cues;
	}
	if (last->settings != NULL) {
		free(p->settings);
		p->settings = last->settings;
	}
}

bool
pb_console_undo(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_console_past to = {.game = NULL};
	double n = 1;

	if (*arg != '\0' &&
	    !pb_console_number(arg, "a number of commands", &n, bad))
		return false;
	if (c->undos == 0)
		return pb_error_set(bad, "there is nothing to take back");
	if (n < 1 || n > c->undos || n != floor(n))
		return pb_error_set(bad,
		    "expected 1 to %d commands to take back, got %s", c->undos,
		    arg);
	for (int i = 0; i < (int)n; i++)
		pop(c, &to);
	go_back(c, &to, "undo");
	pb_console_forget(c, &to);
	return true;
}

static struct pb_console_mark *
find_mark(struct pb_console *c, const char *name)
{
	for (int i = 0; i < c->marks; i++)
		if (strcmp(c->mark[i].name, name) == 0)
			return &c->mark[i];
	return NULL;
}

bool
pb_console_snapshot(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_console_mark *m = find_mark(c, arg);
	struct pb_console_past now;

	if (*arg == '\0') {
		for (int i = 0; i < c->marks; i++) {
			pb_utf8_print(c->mark[i].name, stderr);
			putc('\n', stderr);
		}
		return true;
	}
	if (strlen(arg) >= sizeof(m->name))
		return pb_error_set(bad, "expected a name of at most %zu bytes",
		    sizeof(m->name) - 1);
	if (m == NULL && c->marks == PB_CONSOLE_MARKS)
		return pb_error_set(
		    bad, "there are %d snapshots already", c->marks);
	if (!pb_console_keep(c, PB_CHANGES_GAME, &now))
		return pb_error_nomem(bad, arg);
	if (m == NULL)
		m = &c->mark[c->marks++];
	else
		pb_console_forget(c, &m->was);
	snprintf(m->name, sizeof(m->name), "%s", arg);
	m->was = now;
	return true;
}

/* Forget all that belongs to a game that is no more. */
static void
forget_all(struct pb_console *c)
{
	for (int i = 0; i < c->undos; i++)
		pb_console_forget(c, &c->undo[i]);
	for (int i = 0; i < c->marks; i++)
		pb_console_forget(c, &c->mark[i].was);
	c->undos = c->marks = 0;
}

bool
pb_console_restart(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	const struct pb_stage *s = &c->stage;
	struct pb_console_mark *m = find_mark(c, arg);
	struct pb_console_past now;

	if (*arg != '\0') {
		if (m == NULL)
			return pb_error_set(bad, "no snapshot \"%.80s\"", arg);
		if (!pb_console_keep(c, PB_CHANGES_GAME, &now))
			return pb_error_nomem(bad, "undo");
		pb_console_push(c, now);
		go_back(c, &m->was, "restart");
		return true;
	}
	if (!s->type->begin(s->game, bad))
		return false;
	c->cues = (struct pb_cues){.o = NULL}; /* no clock runs backwards */
	forget_all(c);
	c->anew = true;
	return true;
}

void
pb_console_clear(struct pb_console *c)
{
	forget_all(c);
	pb_text_clear(&c->session);
}
