/* learned.c - what the player `safe` learns, in a file: an option. */
#include "io/play/learned.h"

#include <stdlib.h>
#include <string.h>

#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "policy/pacmanbot_players.h"
#include "policy/safe.h"

/* More than is ever kept of one map. */
#define BYTES ((size_t)64 << 20)

struct pb_learned {
	const char *file;     /* not owned */
	unsigned char *bytes; /* what is in it, n of them, owned */
	size_t n;
	const char *odd; /* why these are no use, NULL: they may be */
	bool first;      /* the first world of this run was learnt */
	bool told;       /* that it has more of them */
};

bool
pb_learned_by(const struct pb_player *p)
{
	return p == &pb_player_safe;
}

/* Refuse what is not ours before it is read whole. */
static int
look(void *user, const char *name, const char *head, size_t n,
    struct pb_file_limit *most, struct pb_error *f)
{
	(void)user;
	(void)most;
	if (pb_kept_look((const unsigned char *)head, n) != PB_KEPT_FOREIGN)
		return 0;
	return pb_error_file(
	    f, name, 0, NULL, "expected a file that --learned wrote, or none");
}

/* Why what is kept is no use; NULL: it may be. */
static const char *const odd_for[] = {[PB_KEPT_VERSION] = "of another version",
    [PB_KEPT_DAMAGED] = "damaged",
    [PB_KEPT_MAP] = "of another map",
    [PB_KEPT_CONSTANTS] = "for other constants"};

bool
pb_learned_open(struct pb_learned **to, const char *file)
{
	const struct pb_file_look at = {
	    .most = {BYTES, "the most for --learned"}, .at = look};
	/* It changes nothing that is written, so it is no input. */
	const struct pb_input before = pb_input;
	struct pb_error bad = {.text = ""};
	struct pb_learned *l;
	char *bytes = NULL;

	*to = NULL;
	if (file == NULL)
		return true;
	if (strcmp(file, "-") == 0)
		return pb_msg_usage("--learned: expected the name of a file");
	if ((l = calloc(1, sizeof(*l))) == NULL)
		return pb_msg_system("--learned");
	if (pb_file_read(file, &at, &bytes, &l->n, &bad) != 0 &&
	    bad.kind != PB_ERROR_MISSING) {
		free(l);
		return pb_msg_error(&bad);
	}
	pb_input = before;
	l->file = file;
	l->bytes = (unsigned char *)bytes;
	l->odd = odd_for[pb_kept_look(l->bytes, l->n)];
	*to = l;
	return true;
}

void
pb_learned_free(struct pb_learned *l)
{
	if (l != NULL)
		free(l->bytes);
	free(l);
}

/* What is new takes the place of what was in the file. */
static void
replace(struct pb_learned *l, struct pb_kept *k)
{
	struct pb_file w = {NULL};
	struct pb_error bad;

	if (k->at == NULL) {
		pb_msg_system("no memory to keep what was learnt");
		return;
	}
	if (l->odd != NULL)
		pb_msg_warn((struct pb_place){l->file, 0},
		    "%s: learnt anew, and replaced", l->odd);
	free(l->bytes);
	l->bytes = k->at;
	l->n = k->n;
	l->odd = NULL;
	if (pb_file_create(l->file, &w, &bad) != 0) {
		pb_msg_error(&bad);
		return;
	}
	fwrite(l->bytes, 1, l->n, w.out);
	if (pb_file_finish(&w, &bad) != 0)
		pb_msg_error(&bad);
}

enum pb_status
pb_learned_learn(struct pb_learned *l, const struct pb_game *g,
    const struct pb_player *p, const void *world, const void *opts,
    void **known)
{
	struct pb_kept k = {.was = NULL};
	enum pb_status st;

	if (l == NULL || !pb_learned_by(p))
		return pb_game_learn(g, p, world, opts, known);
	*known = NULL;
	k.keep = !l->first;
	if (l->odd == NULL) {
		k.was = l->bytes;
		k.size = l->n;
	}
	st = pb_safe_learn_kept(world, opts, &k, known);
	if (st == PB_EVALUE && k.fit == PB_KEPT_FITS) {
		k = (struct pb_kept){.keep = !l->first};
		l->odd = odd_for[PB_KEPT_DAMAGED];
		st = pb_safe_learn_kept(world, opts, &k, known);
	}
	if (st != PB_OK || k.fit == PB_KEPT_FITS) {
		free(k.at);
	} else if (!l->first) {
		if (l->odd == NULL)
			l->odd = odd_for[k.fit];
		replace(l, &k);
	} else if (!l->told) {
		pb_msg_warn((struct pb_place){l->file, 0},
		    "it is of the first map and constants of this run; others "
		    "are learnt each time");
		l->told = true;
	}
	l->first |= st == PB_OK;
	return st;
}
