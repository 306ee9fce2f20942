/* scan.c - a scan: its beams, their points, which way their surface faces. */
#include "pb/scan.h"

#include <math.h>

#include "base/elementary.h"

enum pb_scan_says
pb_scan_beam(const struct pb_scan *s, size_t i)
{
	double r = s->range[i];

	if (isnan(r) || r == INFINITY || r > s->range_max)
		return PB_BEAM_FREE;
	return r > 0 && r >= s->range_min ? PB_BEAM_HIT : PB_BEAM_NONE;
}

double
pb_scan_way(const struct pb_scan *s, size_t i)
{
	return s->range[i] + s->radius;
}

struct pb_pose
pb_scan_from(const struct pb_scan *s, struct pb_pose p)
{
	const struct pb_pose m = s->mount;

	/* Without rounding where there is nothing to add. */
	return m.x != 0 || m.y != 0 || m.th != 0 ? pb_pose_compose(p, m) : p;
}

#define ASIDE 4    /* neighbours on either side that a line may have */
#define REACH 0.35 /* ... if they are so near (m) */
#define SPACINGS                                                        \
	12.0       /* ... or, along a wall seen from its end, within so \
	              many distances between beams */
#define FLAT  0.1  /* spread across the line: share of that along it */
#define THIN  0.03 /* ... and at most (m) */
#define LEAST 3    /* points that make a line */

/* Sums over points, from which the line through them follows. */
struct sums {
	double n, x, y, xx, xy, yy;
};

static void
add(struct sums *s, struct pb_vec v)
{
	s->n++;
	s->x += v.x;
	s->y += v.y;
	s->xx += v.x * v.x;
	s->xy += v.x * v.y;
	s->yy += v.y * v.y;
}

/*
 * The direction in which the points spread least, 0, 0 if that is not clear:
 * the eigenvector of the smaller eigenvalue of their covariance.
 */
static struct pb_vec
across(const struct sums *s)
{
	double xx = s->xx / s->n - s->x * s->x / (s->n * s->n);
	double xy = s->xy / s->n - s->x * s->y / (s->n * s->n);
	double yy = s->yy / s->n - s->y * s->y / (s->n * s->n);
	double mid = (xx + yy) / 2;
	double off = sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
	double a = pb_atan2(2 * xy, xx - yy) / 2 + PB_PI / 2;

	if (s->n < LEAST || mid - off > FLAT * FLAT * (mid + off) ||
	    mid - off > THIN * THIN)
		return (struct pb_vec){0, 0};
	return (struct pb_vec){pb_cos(a), pb_sin(a)};
}

/* The normal of point i among n, from `reach` (m) about it, to `eye`. */
static struct pb_vec
normal_of(const struct pb_point *p, size_t n, size_t i, double reach,
    size_t aside, struct pb_vec eye)
{
	struct sums s = {0};
	struct pb_vec at = p[i].at, v;

	for (size_t j = i > aside ? i - aside : 0; j < n && j <= i + aside;
	     j++) {
		struct pb_vec d = {p[j].at.x - at.x, p[j].at.y - at.y};

		if (d.x * d.x + d.y * d.y <= reach * reach)
			add(&s, d);
	}
	v = across(&s);
	if (v.x * (at.x - eye.x) + v.y * (at.y - eye.y) > 0)
		v = (struct pb_vec){-v.x, -v.y};
	return v;
}

size_t
pb_returns(const struct pb_scan *s, double max, struct pb_point *out)
{
	const struct pb_pose eye = pb_scan_from(s, (struct pb_pose){0, 0, 0});
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double r = pb_scan_way(s, i);
		double a = eye.th + s->angle_min + (double)i * s->inc;

		if (pb_scan_beam(s, i) != PB_BEAM_HIT || r > max)
			continue;
		out[n].at.x = eye.x + r * pb_cos(a);
		out[n++].at.y = eye.y + r * pb_sin(a);
	}
	for (size_t i = 0; i < n; i++) {
		double x = out[i].at.x - eye.x, y = out[i].at.y - eye.y;
		double r = sqrt(x * x + y * y);

		r = fmax(REACH, SPACINGS * r * fabs(s->inc));
		for (size_t k = ASIDE; k > 0; k /= 2) {
			out[i].normal = normal_of(
			    out, n, i, r, k, (struct pb_vec){eye.x, eye.y});
			if (out[i].normal.x != 0 || out[i].normal.y != 0)
				break;
		}
	}
	return n;
}

struct pb_point
pb_point_from(struct pb_pose f, struct pb_point p)
{
	struct pb_pose turn = {0, 0, f.th};

	return (struct pb_point){
	    pb_vec_from(f, p.at), pb_vec_from(turn, p.normal)};
}
