/* rec.c - any record: its type, reading, writing, clearing. */
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"

/* NULL for what is no type of ours. */
static const struct pb_schema *
schema_of(enum pb_rec_type type)
{
	const struct pb_schema *const all[] = {pb_body_schemas, pb_game_schemas,
	    pb_map_schemas, pb_trial_schemas, pb_run_schemas};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i][type].name)
			return &all[i][type];
	return NULL;
}

const char *
pb_rec_name(enum pb_rec_type type)
{
	const struct pb_schema *y = schema_of(type);

	return y ? y->name : "";
}

/* A type that is not ours is OTHER. */
static bool
read_type(struct pb_get *g, enum pb_rec_type *type)
{
	const char *name = pb_json_text(pb_get_value(g, "type"));

	*type = PB_REC_OTHER;
	for (int i = 1; name && !*type && i < PB_REC_TYPES; i++) {
		const char *s = pb_rec_name((enum pb_rec_type)i);

		if (*s == *name && strcmp(s, name) == 0)
			*type = (enum pb_rec_type)i;
	}
	if (!name)
		pb_get_fail(g, "type", "a string");
	return name;
}

/* Read the rest of a record of r->type. */
static bool
read_record(struct pb_get *g, struct pb_rec *r)
{
	strcpy(g->path, schema_of(r->type)->name);
	pb_get_real(g, "t", PB_OPTIONAL, &r->stamp.t);
	PB_GET_WORD(g, "id", PB_OPTIONAL, r->stamp.id);
	r->owns = true;
	pb_schema_get(g, schema_of(r->type), &r->map);
	if (!g->ok)
		pb_rec_clear(r);
	return g->ok;
}

bool
pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_error *bad)
{
	struct pb_json line;
	struct pb_get g;
	bool ok;

	r->type = PB_REC_OTHER;
	r->owns = false;
	r->stamp = pb_stamp_none();
	if (!pb_json_open(&line, s, n, "record", &g, bad))
		return false;
	ok = read_type(&g, &r->type);
	if (ok && (want & PB_REC_BIT(r->type) & PB_REC_ALL))
		ok = read_record(&g, r);
	else if (ok) /* see rec.h */
		r->stamp.t = pb_json_is_number(pb_get_value(&g, "t"))
		                 ? pb_json_number(pb_get_value(&g, "t"))
		                 : NAN;
	pb_json_close(&line);
	return ok;
}

struct pb_rec *
pb_rec_add(struct pb_rec_few *f, enum pb_rec_type type, struct pb_stamp s)
{
	struct pb_rec *r = &f->rec[f->n++];

	r->type = type;
	r->owns = true;
	r->stamp = s;
	return r;
}

void
pb_rec_clear(struct pb_rec *r)
{
	if (r->owns && r->type)
		pb_schema_clear(schema_of(r->type), &r->map);
	r->owns = false;
	r->type = PB_REC_OTHER;
}

void
pb_rec_write(struct pb_text *o, const struct pb_rec *r)
{
	const struct pb_schema *y = schema_of(r->type);

	if (y)
		pb_schema_put(
		    o, y, y->header ? pb_stamp_none() : r->stamp, &r->map);
}

void
pb_rec_put(
    struct pb_text *o, enum pb_rec_type type, struct pb_stamp s, const void *r)
{
	pb_schema_put(o, schema_of(type), s, r);
}

void
pb_rec_row(struct pb_text *o, enum pb_rec_type type, const void *r, char end)
{
	pb_schema_row(o, schema_of(type), r, end);
}

void
pb_rec_none(enum pb_rec_type type, void *r)
{
	pb_schema_none(schema_of(type), r);
}

void
pb_rec_list(void)
{
	for (int i = 1; i < PB_REC_TYPES; i++)
		pb_schema_list(schema_of(i));
}
