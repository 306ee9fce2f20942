/* pursuit.c - the published pure pursuit of a path of cells. */
#include "robot/pursuit.h"

#include <math.h>

struct pb_pursuit_opts
pb_pursuit_defaults(void)
{
	return (struct pb_pursuit_opts){
	    .lookahead = 0.7,
	    .speed = 2.5,
	    .turning = 0.3,
	    .snap = 0.3,
	    .snap_gain = 3.0,
	    .stuck_time = 3.0,
	    .stuck_part = 0.1,
	    .turn_gain = 2.0,
	    .turn_dead = 0.05,
	};
}

/* Where on the piece from a to b, 0..1, the point p is nearest to it. */
static double
nearest(struct pb_vec a, struct pb_vec b, struct pb_vec p)
{
	double dx = b.x - a.x, dy = b.y - a.y, d2 = dx * dx + dy * dy;
	double t;

	if (!(d2 > 0))
		return 0;
	t = ((p.x - a.x) * dx + (p.y - a.y) * dy) / d2;
	return t < 0 ? 0 : t > 1 ? 1 : t;
}

static struct pb_vec
along(struct pb_vec a, struct pb_vec b, double t)
{
	return (struct pb_vec){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* Where the piece from a to b leaves the circle, or else enters it. */
static bool
leave(struct pb_vec at, double radius, struct pb_vec a, struct pb_vec b,
    struct pb_vec *aim)
{
	double dx = b.x - a.x, dy = b.y - a.y;
	double fx = a.x - at.x, fy = a.y - at.y;
	double d2 = dx * dx + dy * dy, f = fx * dx + fy * dy;
	double root = f * f - d2 * (fx * fx + fy * fy - radius * radius);
	double t;

	if (!(d2 > 0) || root < 0)
		return false;
	t = (-f + sqrt(root)) / d2;
	if (t > 1)
		t = (-f - sqrt(root)) / d2;
	if (t < 0 || t > 1)
		return false;
	*aim = along(a, b, t);
	return true;
}

bool
pb_pursuit_aim(struct pb_vec at, double radius, const struct pb_vec *way, int n,
    struct pb_vec *aim)
{
	double best = INFINITY;
	int piece = 0;

	for (int i = 0; i + 1 < n; i++) {
		double t = nearest(way[i], way[i + 1], at);
		double d = pb_dist(at, along(way[i], way[i + 1], t));

		if (d < best) {
			best = d;
			piece = i;
		}
	}
	/* The later piece first: forwards is where the way leads. */
	for (int i = piece + 1; i >= piece; i--)
		if (i + 1 < n && leave(at, radius, way[i], way[i + 1], aim))
			return true;
	return false;
}

/* Cells that the path goes straight on for, from its first step on. */
static int
straight(const int cell[2], const int (*path)[2], int n)
{
	int dr = path[0][0] - cell[0], dc = path[0][1] - cell[1], k = 1;

	while (k < n && path[k][0] - path[k - 1][0] == dr &&
	       path[k][1] - path[k - 1][1] == dc)
		k++;
	return k;
}

/* The published steps of speed over straight cells (cells/s). */
static double
speed_for(const struct pb_pursuit_opts *o, int cells)
{
	return o->speed + (cells <= 1      ? -0.4
			      : cells == 2 ? -0.2
			      : cells <= 4 ? 0
					   : 0.2);
}

/* To the centre of the cell that the robot is in, if that is not near. */
static struct pb_vec
settle(const struct pb_pursuit_opts *o, struct pb_vec at)
{
	struct pb_vec c = {floor(at.x + 0.5), floor(at.y + 0.5)};

	if (pb_dist(c, at) <= o->snap)
		return (struct pb_vec){0, 0};
	return (struct pb_vec){
	    o->snap_gain * (c.x - at.x), o->snap_gain * (c.y - at.y)};
}

static void
watch(struct pb_pursuit *s, const struct pb_pursuit_pose *p, double dt)
{
	bool same = s->known && p->seen && s->row == p->row && s->col == p->col;

	s->same = same ? s->same + dt : 0;
	s->row = p->row;
	s->col = p->col;
	s->known = p->seen;
}

bool
pb_pursuit_step(struct pb_pursuit *s, const struct pb_pursuit_opts *o,
    const struct pb_pursuit_pose *p, const int (*path)[2], int n, double dt,
    struct pb_vec *v)
{
	const int cell[2] = {p->row, p->col};
	struct pb_vec way[PB_PURSUIT_PATH + 1] = {{p->row, p->col}}, aim;
	double ahead = o->lookahead, speed, d;
	int cells;

	*v = (struct pb_vec){0, 0};
	if (n == 0) {
		s->same = 0;
		*v = settle(o, p->at);
		return true;
	}
	watch(s, p, dt);
	if (!p->seen)
		return false;
	n = n > PB_PURSUIT_PATH ? PB_PURSUIT_PATH : n;
	for (int i = 0; i < n; i++)
		way[i + 1] = (struct pb_vec){path[i][0], path[i][1]};
	if (s->same > o->stuck_time)
		ahead *= o->stuck_part;
	if (!pb_pursuit_aim(p->at, ahead, way, n + 1, &aim))
		return false;
	cells = straight(cell, path, n);
	speed = speed_for(o, cells);
	/* The turn is next: slower until the robot is on that piece. */
	if (cells == 1 && n > 1 && nearest(way[0], way[1], p->at) < 1)
		speed *= o->turning;
	if (s->same > o->stuck_time &&
	    fmod(s->same, 2 * o->stuck_time) > o->stuck_time)
		speed = -speed;
	d = pb_dist(aim, p->at);
	if (!(d > 0))
		return false;
	v->x = speed * (aim.x - p->at.x) / d;
	v->y = speed * (aim.y - p->at.y) / d;
	return true;
}

struct pb_motion
pb_pursuit_motion(
    const struct pb_pursuit_opts *o, struct pb_vec v, double th, double to)
{
	double error = pb_wrap(to - th);
	struct pb_vec body = pb_vec_into((struct pb_pose){0, 0, th}, v);

	if (fabs(error) < o->turn_dead)
		error = 0;
	return (struct pb_motion){body.x, body.y, o->turn_gain * error};
}
