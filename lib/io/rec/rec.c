/* rec.c - any record: its type, reading, writing, clearing. */
#include "io/rec/rec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/schema.h"
#include "io/stream/text.h"
#include "io/stream/msg.h"
#include "pb/version.h"

struct pb_stamp
pb_stamp_at(double t, const char *id)
{
	struct pb_stamp s = {.t = t};

	if (id)
		PB_REC_SET(s.id, id);
	return s;
}

struct pb_stamp
pb_stamp_none(void)
{
	return pb_stamp_at(NAN, NULL);
}

void
pb_rec_set(char *out, size_t size, const char *text)
{
	size_t n = pb_utf8_cut(text, strlen(text), size - 1);

	memcpy(out, text, n);
	out[n] = 0;
}

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

/* Types by a hash of their names, and OTHER where there is none. */
static unsigned char of_hash[256];

static unsigned char
hash(const char *name)
{
	size_t n = strlen(name);

	return (unsigned char)(n > 0 ? 8 * name[0] + 3 * name[n - 1] + n : 0);
}

static void
fill_hash(void)
{
	for (int i = 1; i < PB_REC_TYPES; i++) {
		unsigned char at = hash(pb_rec_name((enum pb_rec_type)i));

		while (of_hash[at] != PB_REC_OTHER)
			at++;
		of_hash[at] = (unsigned char)i;
	}
}

/* A type that is not ours is OTHER. */
static enum pb_rec_type
type_of(const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	unsigned char at;

	pthread_once(&once, fill_hash);
	for (at = hash(name); of_hash[at] != PB_REC_OTHER; at++)
		if (strcmp(name, pb_rec_name(of_hash[at])) == 0)
			return of_hash[at];
	return PB_REC_OTHER;
}

/* Read the rest of a record of r->type. */
static void
read_record(struct pb_get *g, struct pb_rec *r)
{
	strcpy(g->path, schema_of(r->type)->name);
	pb_get_real(g, "t", PB_OPTIONAL, &r->stamp.t);
	PB_GET_WORD(g, "id", PB_OPTIONAL, r->stamp.id);
	r->owns = true;
	pb_schema_get(g, schema_of(r->type), &r->map);
	if (!*g->ok)
		pb_rec_clear(r);
}

static bool
is_wanted(uint64_t want, enum pb_rec_type type)
{
	return (want & PB_REC_BIT(type) & PB_REC_ALL) != 0;
}

/* Most lines begin with their type: those that nobody wants are only looked
 * through. */
static bool
pass_on(const char *s, size_t n, uint64_t want, struct pb_rec *r)
{
	char name[64];
	enum pb_rec_type type;

	if (!pb_json_type(s, n, name, sizeof(name)))
		return false;
	type = type_of(name);
	if (is_wanted(want, type) || !pb_json_look(s, n, &r->stamp.t))
		return false;
	r->type = type;
	return true;
}

bool
pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_error *bad)
{
	const struct pb_json_value *v;
	struct pb_json line;
	struct pb_get g;

	r->type = PB_REC_OTHER;
	r->owns = false;
	r->stamp = (struct pb_stamp){.t = NAN};
	if (pass_on(s, n, want, r))
		return true;
	if (!pb_json_open(&line, s, n, "record", &g, bad))
		return false;
	v = pb_get_value(&g, "type");
	if (pb_json_text(v) == NULL)
		pb_get_fail(&g, "type", "a string");
	else
		r->type = type_of(v->text);
	if (*g.ok && is_wanted(want, r->type))
		read_record(&g, r);
	else if (*g.ok && pb_json_is_number(v = pb_get_value(&g, "t")))
		r->stamp.t = pb_json_number(v); /* see rec.h */
	pb_json_close(&line);
	return *g.ok;
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
		pb_rec_put(o, r->type, y->header ? pb_stamp_none() : r->stamp,
		    &r->map);
}

void
pb_rec_put(
    struct pb_text *o, enum pb_rec_type type, struct pb_stamp s, const void *r)
{
	pb_schema_put(o, schema_of(type), s.t, s.id, r);
}

void
pb_rec_put_pose(
    struct pb_text *o, struct pb_stamp s, struct pb_pose at, const char *source)
{
	struct pb_rec_pose r = {.x = at.x, .y = at.y, .theta = at.th};

	PB_REC_SET(r.source, source);
	pb_rec_put(o, PB_REC_POSE, s, &r);
}

void
pb_rec_row(struct pb_text *o, enum pb_rec_type type, const void *r)
{
	pb_schema_row(o, schema_of(type), r);
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

static struct {
	bool asked;
	bool started;
	struct pb_rec_provenance is; /* but for the texts of arg it owns it */
} self;

void
pb_provenance_ask(void)
{
	self.asked = true;
	pb_input.hashed = true;
}

void
pb_provenance_args(int argc, char **argv)
{
	free(self.is.arg);
	self.is.args = 0;
	self.is.arg = pb_alloc((size_t)argc + 1, sizeof(*self.is.arg));
	for (int i = 1; i < argc; i++)
		self.is.arg[self.is.args++] = argv[i];
}

static void
put_provenance(struct pb_text *out)
{
	struct pb_rec_provenance *p = &self.is;

	p->input = pb_input.hash;
	p->build = pb_build_digest();
	PB_REC_SET(p->tool, pb_msg_program());
	PB_REC_SET(p->version, PB_VERSION);
	PB_REC_SET(p->commit, pb_build_commit);
	PB_REC_SET(p->compiler, pb_build_compiler);
	pb_rec_put(out, PB_REC_PROVENANCE, pb_stamp_none(), p);
}

/* Write the record to stdout if it was asked for. */
static void
write_record(void)
{
	struct pb_text out = {.to = stdout};

	if (!self.started)
		return;
	if (self.asked)
		put_provenance(&out);
	pb_text_clear(&out);
	free(self.is.arg);
	self.is.arg = NULL;
	self.started = false;
}

void
pb_provenance_start(const uint64_t *seed)
{
	self.started = true;
	pb_msg_at_finish(write_record);
	self.is.has_seed = seed != NULL;
	self.is.seed = seed != NULL ? *seed : 0;
}

bool
pb_provenance_fits(bool records)
{
	return records || !self.asked ||
	       pb_msg_usage("--provenance: goes with records only");
}
