/* run_records.c - where a tool's output came from. */
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"

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

const struct pb_schema pb_run_schemas[PB_REC_TYPES] = {
    [PB_REC_PROVENANCE] = PB_TYPE("provenance", pb_rec_provenance,
	provenance_rows, HEADER, .clear = clear_provenance),
};
