/* weights_opt.c - weights of trained players: files of safetensors, as an
 * option. */
#include "io/play/weights_opt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/file.h"
#include "io/stream/json.h"
#include "io/stream/line.h"
#include "io/stream/text.h"

/* --- files of safetensors --- */

/*
 * A file of safetensors is the length of its header (eight bytes,
 * little-endian); the header, an object
 * {"name":{"dtype":..,"shape":[..],"data_offsets":[from,to]}}; and the data,
 * which the offsets count from. See the README of
 * github.com/huggingface/safetensors.
 */
#define PREFIX 8

/* A tensor, and its offsets in the data (bytes). */
struct part {
	struct pb_tensor t;
	double from, to;
};

static void
read_shape(struct pb_get *g, struct pb_tensor *t)
{
	struct pb_walk w;
	long side;

	if (!pb_get_walk(g, "shape", PB_REQUIRED, &w))
		return;
	while (*g->ok && pb_walk_next(g, &w))
		if (t->dims == PB_TENSOR_DIMS)
			pb_get_fail(g, "shape", "fewer numbers");
		else if (!pb_json_long(w.at, &side) || side < 1 ||
			 side > (long)PB_SAFETENSORS_BYTES)
			pb_walk_fail(g, &w, "a length above 0");
		else
			t->side[t->dims++] = (int)side;
}

/* Read one member of the header. */
static void
read_part(struct pb_get *g, struct part *p)
{
	double at[2], n = sizeof(float);
	char dtype[16] = "";

	pb_get_text(g, "dtype", PB_REQUIRED, dtype, sizeof(dtype));
	if (*g->ok && strcmp(dtype, "F32") != 0)
		*g->ok = pb_error_set(g->bad,
		    "%s.dtype: expected F32, got \"%s\"", g->path, dtype);
	read_shape(g, &p->t);
	/* A double is exact below 2^53 bytes, more than any file has. */
	for (int i = 0; i < p->t.dims; i++)
		n *= p->t.side[i];
	pb_get_nums(g, "data_offsets", PB_REQUIRED, 2, at);
	if (!*g->ok)
		return;
	p->from = at[0];
	p->to = at[1];
	if (!(p->to - p->from == n))
		*g->ok = pb_error_set(g->bad,
		    "%s.data_offsets: expected %.15g bytes as by the shape, "
		    "got %.15g to %.15g",
		    g->path, n, p->from, p->to);
}

/* Read all members; returns their number. */
static int
read_parts(struct pb_get *g, struct part *part)
{
	const struct pb_json_value *v = NULL;
	int parts = 0;

	while (*g->ok && (v = pb_json_next(g->obj, v)) != NULL) {
		const char *name = PB_JSON_KEY(v);
		struct part *p = &part[parts];
		struct pb_get sub;

		if (strcmp(name, "__metadata__") == 0)
			continue;
		if (strlen(name) >= sizeof(p->t.name)) {
			*g->ok = pb_error_set(g->bad,
			    "%.80s...: expected a name of at most %d bytes",
			    name, PB_TENSOR_NAME - 1);
			break;
		}
		strcpy(p->t.name, name);
		if (!pb_get_object(g, name, PB_REQUIRED, &sub))
			break;
		/* Messages begin with the tensor's name. */
		strcpy(sub.path, name);
		read_part(&sub, p);
		parts++;
	}
	return parts;
}

static int
compare_offsets(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Check that the sorted tensors fill the data without gaps or overlaps. */
static int
check_offsets(const struct part *p, int parts, size_t bytes, const char *name,
    struct pb_error *f)
{
	double end = 0;

	for (; parts-- > 0; p++) {
		if (!(p->from == end))
			return pb_error_file(f, name, 0, p->t.name,
			    "begins at byte %.15g of the data, where the one "
			    "before it %s at %.15g",
			    p->from, p->from < end ? "ends only" : "has ended",
			    end);
		end = p->to;
		if (end > (double)bytes)
			return pb_error_file(f, name, 0, p->t.name,
			    "ends at byte %.15g of the data, of which there "
			    "are %zu",
			    end, bytes);
	}
	if (end != (double)bytes)
		return pb_error_file(f, name, 0, NULL,
		    "%.15g bytes follow the last tensor", (double)bytes - end);
	return 0;
}

/* Add all tensors, with their values, in the order of the file. */
static int
add_tensors(const struct part *part, int parts, const char *at, size_t bytes,
    const char *name, struct pb_tensors *t, struct pb_error *f)
{
	struct pb_tensors made = {
	    .at = pb_alloc((size_t)parts, sizeof(*made.at)),
	    .n = parts,
	    .value = pb_resize(NULL, bytes + 1)};
	float *next = made.value;

	for (int i = 0; i < parts; i++) {
		struct pb_tensor *m = &made.at[i];
		size_t n;

		*m = part[i].t;
		m->value = next;
		n = pb_tensor_size(m->dims, m->side);
		for (size_t k = 0; k < n; k++, at += sizeof(float)) {
			uint32_t bits = (uint32_t)pb_le_get(at, sizeof(bits));

			memcpy(next, &bits, sizeof(bits));
			if (isfinite(*next++))
				continue;
			pb_error_file(f, name, 0, m->name,
			    "value %zu is no finite number", k);
			pb_tensors_clear(&made);
			return -1;
		}
	}
	*t = made;
	return 0;
}

/* Read the length of the header; 0: the file has none. */
static size_t
read_length(const char *bytes, size_t n)
{
	uint64_t len;

	if (n <= PREFIX || bytes[PREFIX] != '{')
		return 0;
	len = pb_le_get(bytes, PREFIX);
	return len <= n - PREFIX ? (size_t)len : 0;
}

/* Read the members of the header, for free(); NULL with f filled in. */
static struct part *
read_header(const char *at, size_t len, int *parts, struct pb_error *f)
{
	struct pb_json j;
	struct pb_get g;
	struct part *part = NULL;

	if (pb_json_open(&j, at, len, "header", &g, f)) {
		size_t n = pb_json_size(g.obj, PB_JSON_OBJECT);

		part = pb_alloc(n, sizeof(*part));
		*parts = read_parts(&g, part);
		if (*g.ok && *parts > PB_SAFETENSORS_MOST)
			*g.ok = pb_error_set(f,
			    "expected at most %d tensors, got %d",
			    PB_SAFETENSORS_MOST, *parts);
		if (*g.ok && *parts == 0)
			*g.ok = pb_error_set(f, "has no tensors");
		if (!*g.ok) {
			free(part);
			part = NULL;
		}
	}
	pb_json_close(&j);
	return part;
}

int
pb_safetensors_decode(const char *bytes, size_t n, const char *name,
    struct pb_tensors *t, struct pb_error *f)
{
	size_t len = read_length(bytes, n), data = n - PREFIX - len;
	struct part *part;
	int parts, rc;

	if (len == 0)
		return pb_error_file(f, name, 0, NULL,
		    n == 0 ? "empty file"
			   : "not a safetensors file, or one that is cut");
	part = read_header(bytes + PREFIX, len, &parts, f);
	if (part == NULL)
		return pb_error_at(f, name, 0);
	qsort(part, (size_t)parts, sizeof(*part), compare_offsets);
	rc = check_offsets(part, parts, data, name, f);
	if (rc == 0)
		rc = add_tensors(
		    part, parts, bytes + PREFIX + len, data, name, t, f);
	free(part);
	return rc;
}

static int
read_file(const char *path, struct pb_tensors *t, struct pb_error *f)
{
	const struct pb_file_look weights = {
	    .most = {PB_SAFETENSORS_BYTES, "the most for weights"}};
	char *bytes;
	size_t n;
	int rc;

	if (pb_file_read(path, &weights, &bytes, &n, f) != 0)
		return -1;
	rc = pb_safetensors_decode(
	    bytes, n, strcmp(path, "-") == 0 ? "<stdin>" : path, t, f);
	free(bytes);
	return rc;
}

/* --- the option --- */

/* Trained player i (0..) of all rule sets, NULL behind the last. */
static const struct pb_player *
find_trained(int i)
{
	for (int k = 0; pb_games[k].game; k++)
		for (int n = 0; pb_games[k].player[n]; n++)
			if (pb_games[k].player[n]->weights && i-- == 0)
				return pb_games[k].player[n];
	return NULL;
}

static void
print_shape(char *out, size_t size, int dims, const int *side)
{
	char one[PB_NUM_MAX];

	out[0] = '\0';
	for (int i = 0; i < dims; i++) {
		pb_num_int(one, side[i]);
		pb_list_add(out, size, " x ", one);
	}
}

/* Fill in the message for the misfit m of player p's weights. Returns whether
 * they fit. */
static bool
report_misfit(const struct pb_player *p, const struct pb_weights *w,
    const struct pb_weights_misfit *m, struct pb_error *bad)
{
	const char *file = w->file[m->file].name;
	char want[64], got[64] = "none";

	switch (m->fault) {
	case PB_WEIGHTS_FIT:
		return true;
	case PB_WEIGHTS_COUNT:
		if (w->files > 0)
			snprintf(got, sizeof(got), "%d", w->files);
		return pb_error_set(bad,
		    "%s plays by --weights of %d file%s, %s; got %s", p->name,
		    p->weights->files, p->weights->files > 1 ? "s" : "",
		    p->weights->what, got);
	case PB_WEIGHTS_ORDER:
		return pb_error_set(bad,
		    "%s plays by %s, in this order; these published files are "
		    "the other way round",
		    p->name, p->weights->what);
	case PB_WEIGHTS_LACK:
		pb_error_file(bad, file, 0, m->want->name,
		    "missing; %s needs this tensor", p->name);
		return false;
	case PB_WEIGHTS_FOREIGN:
		pb_error_file(bad, file, 0, m->got->name,
		    "%s does not use this tensor", p->name);
		return false;
	case PB_WEIGHTS_SHAPE:
		break;
	}
	print_shape(want, sizeof(want), m->want->dims, m->want->side);
	print_shape(got, sizeof(got), m->got->dims, m->got->side);
	pb_error_file(bad, file, 0, m->want->name,
	    "expected %s numbers for %s, got %s", want, p->name, got);
	return false;
}

/* Read one file, and append its tensors. */
static bool
add_file(struct pb_weights *w, const char *name, struct pb_error *bad)
{
	if (!*name)
		return pb_error_set(
		    bad, "expected names of files separated by commas");
	if (w->files == PB_WEIGHTS_FILES)
		return pb_error_set(
		    bad, "expected at most %d files", PB_WEIGHTS_FILES);
	if (read_file(name, &w->file[w->files], bad) != 0)
		return false;
	w->file[w->files++].name = name;
	return true;
}

/* Read all files; false with bad filled in. */
static bool
load_files(struct pb_weights_opt *o, struct pb_error *bad)
{
	char *next;

	*bad = (struct pb_error){.text = ""};
	o->names = pb_copy(o->files);
	for (char *at = o->names; at; at = next) {
		next = strchr(at, ',');
		if (next)
			*next++ = '\0';
		if (!add_file(&o->w, at, bad))
			return false;
	}
	o->w.hash = pb_weights_hash(&o->w);
	return true;
}

bool
pb_weights_say(const char *option, const struct pb_error *bad)
{
	return bad->file[0] || bad->kind != PB_ERROR_REFUSED
	           ? pb_msg_error(bad)
	           : pb_msg_usage("--%s: %s", option, bad->text);
}

bool
pb_weights_opt_read(struct pb_weights_opt *o, struct pb_constants *c)
{
	struct pb_error bad;

	if (!o->files)
		return true;
	if (!load_files(o, &bad))
		return pb_weights_say("weights", &bad);
	for (int i = 0; pb_games[i].game; i++)
		pb_game_set_weights(
		    pb_games[i].game, pb_constants_of(c, i), &o->w);
	return true;
}

void
pb_weights_opt_clear(struct pb_weights_opt *o)
{
	pb_weights_clear(&o->w);
	free(o->names);
	*o = (struct pb_weights_opt){.files = NULL};
}

bool
pb_weights_suit(const struct pb_game *g, const struct pb_player *p,
    const void *opts, bool taken, struct pb_error *bad)
{
	const struct pb_weights *w = pb_game_weights(g, opts), none = {{{0}}};
	struct pb_weights_misfit m;

	if (!p->weights)
		return true;
	w = w ? w : &none;
	if (p->weights->optional &&
	    (w->files == 0 || (taken && !pb_weights_meant(p->weights, w))))
		return true;
	m = pb_weights_check(p->weights, w);
	return report_misfit(p, w, &m, bad);
}

bool
pb_weights_unused(const struct pb_weights_opt *o)
{
	char names[200] = "";
	const struct pb_player *p;

	for (int i = 0; (p = find_trained(i)); i++)
		pb_list_add(names, sizeof(names), ", ", p->name);
	return !o->files || pb_msg_usage("--weights: only for trained players: "
					 "%s",
				names);
}
