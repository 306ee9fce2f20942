/* sense_camera.c - where a camera overhead says that a robot is, and when. */
#include "robot/sense_camera.h"

#include <assert.h>
#include <math.h>

struct pb_sense_camera_opts
pb_sense_camera_defaults(void)
{
	return (struct pb_sense_camera_opts){.cell = 0.0889, .period = 0.1};
}

/* The middle of the cell that holds v. */
static double
middle(double v, double cell)
{
	return cell > 0 ? (floor(v / cell) + 0.5) * cell : v;
}

void
pb_sense_camera_take(struct pb_sense_camera *c,
    const struct pb_sense_camera_opts *o, double t, struct pb_vec p,
    struct pb_rng *rng)
{
	static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};

	if (o->drop > 0 && pb_rng_unit(rng) < o->drop)
		return;
	if (o->noise > 0) {
		p.x += o->noise * pb_rng_normal(rng);
		p.y += o->noise * pb_rng_normal(rng);
	}
	p.x = middle(p.x, o->cell);
	p.y = middle(p.y, o->cell);
	if (o->wrong > 0 && pb_rng_unit(rng) < o->wrong) {
		unsigned d = pb_rng_below(rng, 4);

		p.x += dx[d] * o->cell;
		p.y += dy[d] * o->cell;
	}
	assert(c->n < PB_SENSE_PICTURES);
	c->way[(c->first + c->n++) % PB_SENSE_PICTURES] =
	    (struct pb_sense_picture){t + o->delay, p};
}

bool
pb_sense_camera_answer(struct pb_sense_camera *c, double t, struct pb_vec *at)
{
	/* Times are sums of steps: a hair early is in time. */
	if (c->n == 0 || c->way[c->first].due > t + 1e-6)
		return false;
	*at = c->way[c->first].at;
	c->first = (c->first + 1) % PB_SENSE_PICTURES;
	c->n--;
	return true;
}
