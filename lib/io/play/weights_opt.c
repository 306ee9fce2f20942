/* weights_opt.c - what players that were trained play by, as an option. */
#include "io/play/weights_opt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/safetensors.h"

/* Trained player i (0..) of all rules, NULL past the last. */
static const struct pb_player *
trained(int i)
{
	for (int k = 0; pb_games[k].game; k++)
		for (int n = 0; pb_games[k].player[n]; n++)
			if (pb_games[k].player[n]->weights && i-- == 0)
				return pb_games[k].player[n];
	return NULL;
}

static void
put_shape(char *out, size_t size, int dims, const int *side)
{
	size_t len = 0;

	out[0] = '\0';
	for (int i = 0; i < dims && len < size; i++)
		len += (size_t)snprintf(
		    out + len, size - len, "%s%d", i ? " x " : "", side[i]);
}

/* What m says of the weights of player p. Returns false. */
static bool
complain(const struct pb_player *p, const struct pb_weights *w,
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
		    "there is no such tensor, which %s plays by", p->name);
		return false;
	case PB_WEIGHTS_FOREIGN:
		pb_error_file(bad, file, 0, m->got->name,
		    "%s has no such tensor", p->name);
		return false;
	case PB_WEIGHTS_SHAPE:
		break;
	}
	put_shape(want, sizeof(want), m->want->dims, m->want->side);
	put_shape(got, sizeof(got), m->got->dims, m->got->side);
	pb_error_file(bad, file, 0, m->want->name,
	    "expected %s numbers for %s, got %s", want, p->name, got);
	return false;
}

/* Whether some player asks for these; if not, why not: the one whose first
 * tensor is in the first file, or else the last. */
static bool
asked_for(const struct pb_weights *w, struct pb_error *bad)
{
	const struct pb_player *p;
	bool said = false;

	*bad = (struct pb_error){.text = "no player here was trained"};
	for (int i = 0; (p = trained(i)); i++) {
		const struct pb_weights_misfit m =
		    pb_weights_check(p->weights, w);

		if (m.fault == PB_WEIGHTS_FIT)
			return true;
		if (!said)
			complain(p, w, &m, bad);
		said = said || pb_weights_meant(p->weights, w);
	}
	return false;
}

/* Read the file of that name behind the others. */
static bool
add_file(struct pb_weights *w, const char *name, struct pb_error *bad)
{
	if (!*name)
		return pb_error_set(
		    bad, "expected names of files separated by commas");
	if (w->files == PB_WEIGHTS_FILES)
		return pb_error_set(
		    bad, "expected at most %d files", PB_WEIGHTS_FILES);
	if (pb_safetensors_read(name, &w->file[w->files], bad) != 0)
		return false;
	w->file[w->files++].name = name;
	return true;
}

/* Read the files; false with bad filled in. */
static bool
load(struct pb_weights_opt *o, struct pb_error *bad)
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
	return asked_for(&o->w, bad);
}

bool
pb_weights_opt_read(struct pb_weights_opt *o, struct pb_constants *c)
{
	struct pb_error bad;

	if (!o->files)
		return true;
	if (!load(o, &bad))
		return bad.file[0] || bad.kind != PB_ERROR_REFUSED
		           ? pb_msg_error(&bad)
		           : pb_msg_usage("--weights: %s", bad.text);
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
	return complain(p, w, &m, bad);
}

bool
pb_weights_unused(const struct pb_weights_opt *o)
{
	char names[200] = "";
	const struct pb_player *p;

	for (int i = 0; (p = trained(i)); i++)
		pb_opt_list_add(names, sizeof(names), ", ", p->name);
	return !o->files ||
	       pb_msg_usage("--weights: goes with players that were trained: "
			    "%s",
		   names);
}
