/* score.c - which pellet next: the published Clyde-aware choice. */
#include "game/score.h"

#include <math.h>

#define PB_PARAMS_OF struct pb_score_opts

static const struct pb_param params[] = {
    PB_REAL("risk-radius", risk_radius, "m", 2.0, 0, INFINITY,
	"pellets this near the ghost cost more"),
    PB_REAL("risk-weight", risk_weight, "", 3.0, 0, INFINITY,
	"cost per metre inside the risk radius"),
    PB_REAL("direction-penalty", direction_penalty, "", 5.0, 0, INFINITY,
	"penalty of pellets in the ghost's direction"),
    PB_REAL("death-radius", death_radius, "m", 0.25, 0, INFINITY,
	"a ghost this near catches the robot"),
    PB_REAL("emergency-radius", emergency_radius, "m", 2.0, 0, INFINITY,
	"a ghost this near is a threat"),
    PB_REAL("warning-radius", warning_radius, "m", 3.0, 0, INFINITY,
	"an approaching ghost this near is a threat"),
    PB_REAL("approach-speed", approach_speed, "m/s", 0.03, 0, INFINITY,
	"least speed of an approaching ghost"),
    PB_REAL("replan-margin", replan_margin, "m", 0.3, 0, INFINITY,
	"a new target must be better by more"),
    PB_BOOL("cosine", cosine, true,
	"direction penalty by cosine, not by dot product"),
    PB_BOOL("waive", waive, true,
	"no direction penalty farther from the ghost than the robot"),
    PB_BOOL("prefer-safe", prefer_safe, true,
	"under threat the best safe pellet wins"),
    PB_BOOL("exclude", exclude, true,
	"leave out pellets within the death radius of the ghost"),
};

const struct pb_params pb_score_params = PB_PARAMS(params);

struct pb_score_opts
pb_score_defaults(void)
{
	struct pb_score_opts o = {0};

	pb_params_defaults(pb_score_params, &o);
	return o;
}

struct pb_score_opts
pb_score_report(void)
{
	struct pb_score_opts o = pb_score_defaults();

	o.cosine = o.waive = o.prefer_safe = o.exclude = false;
	return o;
}

void
pb_closing_see(
    struct pb_closing *c, struct pb_vec robot, struct pb_vec ghost, double t)
{
	double dist = pb_dist(robot, ghost);

	if (c->seen && t > c->t)
		c->speed = (c->dist - dist) / (t - c->t);
	c->seen = true;
	c->dist = dist;
	c->t = t;
}

bool
pb_threat(const struct pb_score_opts *o, const struct pb_scene *s)
{
	double dist;

	if (!s->has_ghost)
		return false;
	dist = pb_dist(s->robot, s->ghost);
	if (dist <= o->death_radius)
		return false;
	if (dist <= o->emergency_radius)
		return true;
	return dist <= o->warning_radius && s->closing >= o->approach_speed;
}

/* Alignment of the directions from the robot to the ghost and to p. */
static double
alignment(bool cosine, const struct pb_scene *s, struct pb_vec p)
{
	double gx = s->ghost.x - s->robot.x, gy = s->ghost.y - s->robot.y;
	double px = p.x - s->robot.x, py = p.y - s->robot.y;
	double dot = gx * px + gy * py, g, l;

	if (!cosine)
		return dot;
	g = pb_dist(s->ghost, s->robot);
	l = pb_dist(p, s->robot);
	/* 1e-9 m as published: a shorter vector has no direction. */
	return g <= 1e-9 || l <= 1e-9 ? 0 : dot / (g * l);
}

struct pb_score
pb_score_pellet(const struct pb_score_opts *o, const struct pb_scene *s,
    bool threat, struct pb_vec p)
{
	struct pb_score r = {.distance = pb_dist(p, s->robot), .safe = true};

	if (s->has_ghost) {
		double near = pb_dist(p, s->ghost);
		double a = alignment(o->cosine, s, p);

		r.risk = o->risk_weight * fmax(0, o->risk_radius - near);
		r.excluded = o->exclude && near <= o->death_radius;
		r.safe =
		    a <= 0 || (o->waive && near > pb_dist(s->robot, s->ghost));
		if (threat && !r.safe)
			r.direction = o->direction_penalty * (1 + a);
	}
	r.total = r.distance + r.risk + r.direction;
	return r;
}

/* The best pellet of one kind so far. */
struct best {
	long index;
	double total;
};

/* Keep the lower total, of equals the first. */
static void
keep_lower(struct best *b, size_t i, double total)
{
	if (b->index < 0 || total < b->total)
		*b = (struct best){(long)i, total};
}

struct pb_choice
pb_score_choose(const struct pb_score_opts *o, const struct pb_scene *s,
    const struct pb_vec *at, const unsigned char *left, size_t n,
    struct pb_score *out)
{
	struct best safe = {-1, 0}, best = {-1, 0}, any = {-1, 0};
	bool threat = pb_threat(o, s);

	for (size_t i = 0; i < n; i++) {
		struct pb_score r = {0};

		if (left == NULL || left[i]) {
			r = pb_score_pellet(o, s, threat, at[i]);
			keep_lower(&any, i, r.total);
			if (!r.excluded)
				keep_lower(&best, i, r.total);
			if (!r.excluded && r.safe && threat && o->prefer_safe)
				keep_lower(&safe, i, r.total);
		}
		if (out != NULL)
			out[i] = r;
	}
	if (safe.index >= 0)
		return (struct pb_choice){safe.index, PB_WHY_SAFE, threat};
	if (best.index >= 0)
		return (struct pb_choice){best.index, PB_WHY_BEST, threat};
	return (struct pb_choice){
	    any.index, any.index < 0 ? PB_WHY_NONE : PB_WHY_FALLBACK, threat};
}

bool
pb_score_replan(const struct pb_score_opts *o, const struct pb_scene *s,
    struct pb_vec current, struct pb_vec next)
{
	bool threat = pb_threat(o, s);

	return pb_score_pellet(o, s, threat, next).total + o->replan_margin <
	       pb_score_pellet(o, s, threat, current).total;
}

const char *
pb_why_name(enum pb_why why)
{
	static const char *const name[] = {[PB_WHY_NONE] = "none",
	    [PB_WHY_SAFE] = "safe",
	    [PB_WHY_BEST] = "best",
	    [PB_WHY_FALLBACK] = "fallback"};

	return name[why];
}
