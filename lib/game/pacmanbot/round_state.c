/* round_state.c - accessors of a round's state, its hash, and its events. */
#include "game/pacmanbot/round_state.h"

#include "base/hash.h"

void
pb_emit(struct pb_round *r, struct pb_event n)
{
	if (r->agents.emit)
		r->agents.emit(r->agents.ctx, &n);
}

void
pb_report(
    struct pb_round *r, const char *what, const char *to, int pellet, double v)
{
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_REPORT,
		       .name = what,
		       .to = to,
		       .pellet = pellet,
		       .v = v});
}

void
pb_emit_signal(struct pb_round *r, const char *name)
{
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_SIGNAL, .name = name});
}

double
pb_round_time(const void *round)
{
	const struct pb_round *r = round;

	return (double)r->g.step * r->o.dt;
}

struct pb_pose
pb_nav_pose(const struct pb_round *r)
{
	const struct pb_round_state *g = &r->g;

	if (g->nav.localizes)
		return pb_pose_compose(g->nav.odom_in_map, g->odom.pose);
	return pb_estimate_now(&g->est, g->odom.pose);
}

double
pb_round_danger(const struct pb_round *r)
{
	return pb_dist(pb_pose_vec(r->g.truth), r->clyde.at);
}

static uint64_t
hash_robot(uint64_t h, const struct pb_round_state *g)
{
	h = pb_hash_pose(h, g->truth);
	h = pb_hash_double(h, g->twist.v);
	h = pb_hash_double(h, g->twist.w);
	h = pb_hash_pose(h, g->odom.pose);
	h = pb_hash_pose(h, g->est.pose);
	h = pb_hash_pose(h, g->est.error);
	h = pb_hash_rng(h, &g->odom_rng);
	h = pb_hash_rng(h, &g->pose_rng);
	return pb_hash_rng(h, &g->mark_rng);
}

static uint64_t
hash_nav(uint64_t h, const struct pb_round *r)
{
	const struct pb_nav *v = &r->g.nav;

	h = pb_hash_u64(h, (uint64_t)v->kind);
	h = pb_hash_u64(h, (uint64_t)v->pellet + 1);
	h = pb_hash_u64(h, (uint64_t)v->follow.at);
	h = pb_hash_u64(h, (uint64_t)v->tried);
	for (int i = 0; i < v->n; i++)
		h = pb_hash_vec(h, r->path[i]);
	return h;
}

uint64_t
pb_round_hash(const struct pb_round *r)
{
	const struct pb_round_state *g = &r->g;
	const struct pb_controller *c = &g->ctl;
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)g->step);
	size_t n = (size_t)r->arena->n;

	h = hash_robot(h, g);
	h = hash_nav(h, r);
	h = pb_hash_vec(h, r->clyde.at);
	h = pb_hash_rng(h, &r->clyde.rng);
	h = pb_hash_u64(h, (uint64_t)c->state);
	h = pb_hash_u64(h, (uint64_t)c->round);
	h = pb_hash_u64(h, (uint64_t)c->collected);
	h = pb_hash_u64(h, (uint64_t)c->score);
	h = pb_hash_bytes(h, r->gone, n);
	h = pb_hash_bytes(h, r->listed, n);
	return pb_hash_bytes(h, r->had, n);
}
