/* round_watch.c - what a watcher of a game is told and may ask. */
#include "base/hash.h"
#include "game/pacmanbot/round_state.h"

void
pb_tell(struct pb_round *r, struct pb_event e)
{
	e.t = pb_round_time(r);
	if (r->watch)
		r->watch(r->watch_ctx, &e);
}

void
pb_tell_text(struct pb_round *r, enum pb_event_kind k, const char *text)
{
	pb_tell(r, (struct pb_event){.kind = k, .text = text, .id = -1});
}

void
pb_round_watch(struct pb_round *r, pb_watch_fn *f, void *ctx)
{
	r->watch = f;
	r->watch_ctx = ctx;
}

void
pb_tell_ghost(struct pb_round *r, struct pb_ghost_news n)
{
	if (!r->ghost)
		return;
	n.t = pb_round_time(r);
	r->ghost(r->ghost_ctx, &n, &r->clyde.at);
}

void
pb_round_ghost(struct pb_round *r, pb_ghost_fn *f, void *ctx)
{
	r->ghost = f;
	r->ghost_ctx = ctx;
}

void
pb_round_chooser(struct pb_round *r, pb_choose_fn *f, void *ctx)
{
	r->choose = f;
	r->choose_ctx = ctx;
}

double
pb_round_time(const struct pb_round *r)
{
	return (double)r->g.step * r->o.dt;
}

enum pb_state
pb_round_state(const struct pb_round *r)
{
	return r->g.ctl.state;
}

bool
pb_round_localized(const struct pb_round *r)
{
	return r->g.est.ever;
}

const struct pb_controller *
pb_round_controller(const struct pb_round *r)
{
	return &r->g.ctl;
}

struct pb_pose
pb_round_truth(const struct pb_round *r)
{
	return r->g.truth;
}

struct pb_pose
pb_round_estimate(const struct pb_round *r)
{
	return r->g.est.pose;
}

double
pb_round_closing(const struct pb_round *r)
{
	return r->g.node.closing.speed;
}

struct pb_vec
pb_round_clyde(const struct pb_round *r)
{
	return r->clyde.at;
}

const unsigned char *
pb_round_left(const struct pb_round *r)
{
	for (int i = 0; i < r->arena->n; i++)
		r->remain[i] = !r->gone[i];
	return r->remain;
}

int
pb_round_ended(const struct pb_round *r)
{
	return r->g.track.ended;
}

struct pb_outcome
pb_round_outcome(const struct pb_round *r)
{
	return r->g.track.last;
}

const char *
pb_ending_name(enum pb_ending e)
{
	switch (e) {
	case PB_PLAYING:
		return "playing";
	case PB_DONE:
		return "complete";
	case PB_PARTIAL:
		return "partial";
	case PB_KILLED:
		return "killed";
	case PB_TIMEOUT:
		return "timeout";
	case PB_STUCK:
		return "stuck";
	case PB_HOME_FAILED:
		return "home_failed";
	}
	return "unknown";
}

static uint64_t
hash_pose(uint64_t h, struct pb_pose p)
{
	h = pb_hash_double(h, p.x);
	h = pb_hash_double(h, p.y);
	return pb_hash_double(h, p.th);
}

static uint64_t
hash_vec(uint64_t h, struct pb_vec v)
{
	return pb_hash_double(pb_hash_double(h, v.x), v.y);
}

static uint64_t
hash_rng(uint64_t h, const struct pb_rng *r)
{
	for (int i = 0; i < 4; i++)
		h = pb_hash_u64(h, r->s[i]);
	return h;
}

static uint64_t
hash_robot(uint64_t h, const struct pb_round_state *g)
{
	h = hash_pose(h, g->truth);
	h = pb_hash_double(h, g->twist.v);
	h = pb_hash_double(h, g->twist.w);
	h = hash_pose(h, g->odom.pose);
	h = hash_pose(h, g->est.pose);
	h = hash_pose(h, g->est.error);
	h = hash_rng(h, &g->odom_rng);
	h = hash_rng(h, &g->pose_rng);
	return hash_rng(h, &g->mark_rng);
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
		h = hash_vec(h, r->path[i]);
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
	h = hash_vec(h, r->clyde.at);
	h = hash_rng(h, &r->clyde.rng);
	h = pb_hash_u64(h, (uint64_t)c->state);
	h = pb_hash_u64(h, (uint64_t)c->round);
	h = pb_hash_u64(h, (uint64_t)c->collected);
	h = pb_hash_u64(h, (uint64_t)c->score);
	h = pb_hash_bytes(h, r->gone, n);
	h = pb_hash_bytes(h, r->listed, n);
	return pb_hash_bytes(h, r->had, n);
}
