/* rules_localize.c - trials of localization methods. */
#include "policy/rules_localize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* A map and the drive on it. */
struct world {
	struct pb_loc_world w;
	const struct pb_drive *drive;
	struct pb_drive made; /* the simulated one */
};

struct seat {
	const struct pb_rules_localize_opts *o;
	const struct pb_drive *drive;
	const struct pb_localizer *m;
	const void *known;
	void *mem; /* owned */
};

static const char *const outcomes[] = {[PB_LOC_LOCALIZED] = "localized",
    [PB_LOC_NOT_YET] = "not_yet",
    [PB_LOC_WRONG] = "wrong",
    [PB_LOC_GONE] = "lost",
    NULL};

/* Method i of those for maps. */
static const struct pb_localizer *
method_at(int i)
{
	const struct pb_localizer *m;

	for (int k = 0; (m = pb_localizer_at(k)) != NULL; k++)
		if (m->places & PB_LOC_ON_MAP && i-- == 0)
			return m;
	return NULL;
}

static const char *
player_name(int i, const char **about)
{
	const struct pb_localizer *m = method_at(i);

	*about = m != NULL ? m->summary : NULL;
	return m != NULL ? m->name : NULL;
}

static uint64_t
fingerprint(const void *opts, const struct pb_pellets *pellets)
{
	const struct pb_rules_localize_opts *o = opts;
	size_t n;
	const struct pb_param *p = pb_loc_trial_params(&n);
	uint64_t h = pb_params_hash(PB_HASH_START, p, n, &o->trial);

	(void)pellets;
	h = pb_hash_double(h, o->trial.near);
	h = pb_hash_double(h, o->trial.near_turn);
	if (o->drive != NULL)
		return pb_hash_u64(h, o->drive_hash);
	p = pb_tour_params(&n);
	return pb_hash_u64(pb_params_hash(h, p, n, &o->tour), o->seed);
}

static void
world_free(void *world)
{
	struct world *w = world;

	if (w != NULL)
		pb_drive_clear(&w->made);
	free(w);
}

static enum pb_status
world_new(
    void **world, const struct pb_ground *g, const void *opts, const char **why)
{
	const struct pb_rules_localize_opts *o = opts;
	struct world *w = calloc(1, sizeof *w);
	enum pb_status st = PB_OK;

	*why = NULL;
	if (w == NULL)
		return PB_ENOMEM;
	w->w.map = g->map;
	w->drive = o->drive;
	if (w->drive == NULL) {
		st = pb_tour_drive(g->map, &o->tour, o->seed, &w->made);
		w->drive = &w->made;
	}
	if (st == PB_OK && pb_loc_trial_check(w->drive, &o->trial) != PB_OK) {
		*why = "the drive has too few scans; see --updates and "
		       "--drive-scans";
		st = PB_ESIZE;
	}
	if (st == PB_OK)
		*world = w;
	else
		world_free(w);
	return st;
}

/* What a method knows of a world. */
static enum pb_status
lesson_new(
    void **lesson, const void *world, const void *opts, int player, int round)
{
	const struct pb_localizer *m = method_at(player);
	void *constants = calloc(1, m->opts_size > 0 ? m->opts_size : 1);
	enum pb_status st = PB_ENOMEM;

	(void)opts;
	(void)round;
	if (constants != NULL) {
		if (m->defaults != NULL)
			m->defaults(constants);
		st = m->learn(
		    &((const struct world *)world)->w, constants, lesson);
	}
	free(constants);
	return st;
}

static void
lesson_free(void *lesson, int player)
{
	method_at(player)->forget(lesson);
}

static void
seat_free(void *seat)
{
	struct seat *s = seat;

	if (s != NULL)
		free(s->mem);
	free(s);
}

static enum pb_status
seat_new(void **seat, const void *world, const void *opts, int player,
    int round, const void *lesson)
{
	struct seat *s = calloc(1, sizeof *s);

	(void)round;
	if (s == NULL)
		return PB_ENOMEM;
	s->o = opts;
	s->drive = ((const struct world *)world)->drive;
	s->m = method_at(player);
	s->known = lesson;
	s->mem = calloc(1, s->m->memory(lesson));
	if (s->mem == NULL) {
		seat_free(s);
		return PB_ENOMEM;
	}
	*seat = s;
	return PB_OK;
}

static void
play(void *seat, struct pb_trial *t)
{
	struct seat *s = seat;
	struct pb_loc_result r = pb_loc_trial(
	    s->m, s->known, s->mem, s->drive, &s->o->trial, t->seed, t->trial);
	const char *name = outcomes[r.outcome];

	memcpy(t->outcome, name, strlen(name) + 1);
	t->success = r.outcome == PB_LOC_LOCALIZED;
	t->time = r.time;
	t->limit = r.duration;
	t->driven = r.way;
	t->error = r.error;
	t->turn = r.turn;
	t->updates = r.updates;
	t->found = r.found;
	t->wrong = r.wrong;
}

const struct pb_rules pb_rules_localize = {
    .name = "localize",
    .summary = "where a robot is, on a map, by what it heard on a drive",
    .outcome = outcomes,
    .rounds = 1,
    .usual = "mcl",
    .player = player_name,
    .fingerprint = fingerprint,
    .world = world_new,
    .world_free = world_free,
    .lesson = lesson_new,
    .lesson_free = lesson_free,
    .seat = seat_new,
    .seat_free = seat_free,
    .play = play,
};
