/* mazeopts.c - what methods for mazes believe is pinned; constants matter. */
#include "check.h"
#include "mazerun.h"

#include "base/hash.h"
#include "game/pacmanbot/opts.h"
#include "game/score.h"
#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "localize/methods.h"
#include "localize/trial.h"
#include "pb/clyde.h"
#include "pb/match.h"

static const struct {
	const char *name;
	uint64_t hash;
} known[] = {
    {"cell-ray", 0xca4afb0e43354d63},
    {"region", 0xcb81afe5c3bf2ab0},
    {"corridor", 0x010388cac221ff3c},
    {"particle", 0x90d5dec365c16028},
    {"fuse", 0x81bf64213b830a9b},
};
enum { METHODS = sizeof(known) / sizeof(*known) };

static uint64_t
hash_belief(uint64_t h, const struct pb_belief *b)
{
	/* No method of mazes says "unmapped"; 1 is "ambiguous", 2 "tracking".
	 */
	check(b->status != PB_LOC_UNMAPPED);
	h = pb_hash_u64(
	    h, (uint64_t)(b->status > PB_LOC_UNMAPPED ? b->status - 1
						      : b->status));
	h = pb_hash_u64(h, (uint64_t)b->n);
	for (int i = 0; i < b->n; i++) {
		const struct pb_hypothesis *at = &b->at[i];

		h = pb_hash_double(h, at->pose.x);
		h = pb_hash_double(h, at->pose.y);
		h = pb_hash_double(h, at->pose.th);
		h = pb_hash_double(h, at->weight);
		for (int k = 0; k < 3; k++)
			h = pb_hash_double(h, at->cov[k][k]);
	}
	return h;
}

/* Fingerprint of what a method believes on a drive with all that goes wrong. */
static uint64_t
fingerprint(const struct pb_localizer *l, const void *opts)
{
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun_pair *p = malloc(sizeof(*p));
	struct pb_belief b;
	uint64_t h = 0;

	o.d.noise = 0.03;
	o.d.drop = 0.1;
	o.d.block = 0.02;
	o.d.block_for = 20;
	o.d.late = 7;
	o.d.wrong = 0.1;
	o.kidnap_at = 150;
	o.anywhere = true;
	mazerun_pair_open(p, &o, l, opts);
	l->estimate(p->mem, p->model, &b);
	h = hash_belief(h, &b);
	for (int t = 0; t < 600; t++) {
		b = mazerun_pair_tick(p);
		h = hash_belief(h, &b);
	}
	mazerun_pair_close(p);
	free(p);
	return h;
}

static void
usual(const struct pb_localizer *l, void *opts)
{
	pb_localizer_defaults(l, opts);
	if (l == &pb_loc_particle)
		((struct pb_particle_opts *)opts)->particles = 100;
}

/* The same bytes from every compiler. */
test(fingerprints)
{
	for (int i = 0; i < METHODS; i++) {
		const struct pb_localizer *l = pb_localizer_find(known[i].name);
		_Alignas(double) char opts[512];
		uint64_t h;

		usual(l, opts);
		h = fingerprint(l, opts);
		if (h == known[i].hash)
			continue;
		printf(
		    "# %s: 0x%016llx\n", known[i].name, (unsigned long long)h);
		check(h == known[i].hash);
	}
}

/* Another value of a constant: the other, half, or what else is allowed. */
static void
change(const struct pb_param *p, char *opts)
{
	char *at = opts + p->offset;
	double v;
	int i;
	bool b;

	if (p->kind == PB_PARAM_BOOL) {
		memcpy(&b, at, sizeof(b));
		b = !b;
		memcpy(at, &b, sizeof(b));
	} else if (p->kind == PB_PARAM_REAL) {
		memcpy(&v, at, sizeof(v));
		v = fmax(v / 2, p->min);
		memcpy(at, &v, sizeof(v));
	} else {
		memcpy(&i, at, sizeof(i));
		i = p->kind == PB_PARAM_CHOICE ? !i : i / 2;
		memcpy(at, &i, sizeof(i));
	}
}

/* No constant is read and then not used. */
test(every_constant_matters)
{
	for (int i = 0; i < METHODS; i++) {
		const struct pb_localizer *l = pb_localizer_find(known[i].name);
		size_t n = l->params.n;
		const struct pb_param *p = l->params.row;
		_Alignas(double) char opts[512];
		uint64_t h;

		usual(l, opts);
		h = fingerprint(l, opts);
		for (size_t k = 0; k < n; k++) {
			usual(l, opts);
			change(&p[k], opts);
			/* This robot is held at its heading. */
			if (fingerprint(l, opts) != h ||
			    strcmp(p[k].name, "turn-sd") == 0)
				continue;
			printf("# %s: %s\n", l->name, p[k].name);
			check(!"a constant matters");
		}
	}
}

static uint64_t
hash_bounds(uint64_t h, struct pb_params p)
{
	for (size_t i = 0; i < p.n; i++)
		h = pb_hash_double(
		    pb_hash_double(h, p.row[i].min), p.row[i].max);
	return h;
}

/* What an option takes is pinned: no command may be refused one day. */
test(bounds_are_pinned)
{
	const struct pb_params list[] = {pb_loc_protocol_params,
	    pb_loc_trial_params, pb_maze_trial_params, pb_maze_drive_params,
	    pb_round_params, pb_score_params, pb_match_params, pb_roomba_params,
	    pb_zumy_params, pb_clyde_params};
	const struct pb_localizer *l;
	uint64_t h = 0;

	for (int i = 0; (l = pb_localizer_at(i)) != NULL; i++)
		h = hash_bounds(h, l->params);
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		h = hash_bounds(h, list[i]);
	if (h != UINT64_C(0x3caf7562756f9fa3))
		printf("# 0x%016llx\n", (unsigned long long)h);
	check(h == UINT64_C(0x3caf7562756f9fa3));
}
