/* run.c - records about the run of a tool: where output came from, its end. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/fields.h"

void
pb_put_provenance(struct pb_text *o, const struct pb_rec_provenance *p)
{
	pb_put_begin(o, PB_REC_PROVENANCE, pb_stamp_none());
	pb_put_text(o, "tool", p->tool);
	pb_put_text(o, "version", p->version);
	pb_put_text_if(o, "commit", p->commit);
	pb_put_text_if(o, "compiler", p->compiler);
	if (p->build)
		pb_put_hex(o, "build", p->build);
	pb_put_key(o, "args");
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < p->args; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, p->arg[i]);
	}
	pb_text_put(o, "]", 1);
	if (p->has_seed)
		pb_put_u64(o, "seed", p->seed);
	pb_put_hex(o, "input", p->input);
	pb_put_end(o);
}

void
pb_provenance_clear(struct pb_rec_provenance *p)
{
	for (size_t i = 0; i < p->args; i++)
		free(p->arg[i]);
	free(p->arg);
	p->arg = NULL;
	p->args = 0;
}

static void
get_args(struct pb_get *g, struct pb_rec_provenance *p)
{
	struct pb_walk w;

	if (!pb_get_walk(g, "args", PB_REQUIRED, &w))
		return;
	p->arg = pb_get_room(g, &w, PB_REC_ARGS_MAX, sizeof(*p->arg), &p->args);
	for (size_t i = 0; i < p->args && pb_walk_next(g, &w); i++) {
		const char *s = pb_json_text(w.at);

		if (!s)
			pb_walk_fail(g, &w, "a string");
		else if (!(p->arg[i] = strdup(s)))
			pb_get_nomem(g, "args");
	}
	if (!g->ok)
		pb_provenance_clear(p);
}

void
pb_get_provenance(struct pb_get *g, struct pb_rec_provenance *p)
{
	*p = (struct pb_rec_provenance){.has_seed = false};
	PB_GET_WORD(g, "tool", PB_REQUIRED, p->tool);
	PB_GET_WORD(g, "version", PB_REQUIRED, p->version);
	PB_GET_WORD(g, "commit", PB_OPTIONAL, p->commit);
	PB_GET_WORD(g, "compiler", PB_OPTIONAL, p->compiler);
	pb_get_hex(g, "build", PB_OPTIONAL, &p->build);
	p->has_seed = pb_get_value(g, "seed") != NULL;
	pb_get_u64(g, "seed", PB_OPTIONAL, &p->seed);
	pb_get_hex(g, "input", PB_REQUIRED, &p->input);
	get_args(g, p);
}

void
pb_put_finish(struct pb_text *o, const struct pb_rec_finish *e)
{
	pb_put_begin(o, PB_REC_END, pb_stamp_none());
	pb_put_text(o, "tool", e->tool);
	pb_put_int(o, "read", e->read);
	pb_put_int(o, "refused", e->refused);
	pb_put_int(o, "written", e->written);
	pb_put_int(o, "status", e->status);
	pb_put_end(o);
}

void
pb_get_finish(struct pb_get *g, struct pb_rec_finish *e)
{
	*e = (struct pb_rec_finish){.read = 0};
	PB_GET_WORD(g, "tool", PB_REQUIRED, e->tool);
	pb_get_int(g, "read", PB_REQUIRED, 0, LONG_MAX, &e->read);
	pb_get_int(g, "refused", PB_REQUIRED, 0, LONG_MAX, &e->refused);
	pb_get_int(g, "written", PB_REQUIRED, 0, LONG_MAX, &e->written);
	pb_get_int(g, "status", PB_REQUIRED, 0, 255, &e->status);
}
