/* figthings.c - the map of a PNG picture and what stands on it. */
#include "view/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "view/icon.h"

enum pb_status
pb_figure_map(struct pb_figure *g, const struct pb_map *m)
{
	static const enum pb_ink inks[] = {
	    PB_INK_FREE, PB_INK_UNKNOWN, PB_INK_WALL};
	size_t n = (size_t)g->port.width * (size_t)g->port.height;
	unsigned char *dot = malloc(n);

	if (dot == NULL)
		return PB_ENOMEM;
	pb_viewport_shrink(&g->port, m, dot);
	for (size_t i = 0; i < n; i++) {
		struct pb_rgb k = pb_ink_paper(inks[dot[i]]);

		g->shows[dot[i]] = true;
		g->map.px[3 * i] = k.r;
		g->map.px[3 * i + 1] = k.g;
		g->map.px[3 * i + 2] = k.b;
	}
	free(dot);
	return PB_OK;
}

double
pb_figure_radius(const struct pb_figure *g)
{
	double real =
	    0.175 / pb_viewport_metres(&g->port); /* TurtleBot 4 (m) */

	return fmin(fmax(real, 8 * g->unit), 12 * g->unit);
}

static struct pb_vec
place(const struct pb_figure *g, struct pb_vec v)
{
	return pb_viewport_at(&g->port, v);
}

static double
heading(const struct pb_figure *g, double th)
{
	return th - g->port.origin.th;
}

/* Draw a line of points of the map frame. */
static void
line(struct pb_figure *g, const struct pb_points *p, enum pb_stroke stroke,
    struct pb_rgb k)
{
	struct pb_vec *q;

	if (p->n < 2 || (q = malloc(p->n * sizeof(*q))) == NULL)
		return;
	for (size_t i = 0; i < p->n; i++)
		q[i] = place(g, p->at[i]);
	pb_icon_line(&g->map, q, p->n, g->unit, stroke, k);
	free(q);
}

static void
trail(struct pb_figure *g, const struct pb_body *b)
{
	if (b->kind == PB_BODY_ROBOT)
		line(g, &b->trail, PB_STROKE_FULL,
		    pb_ink_paper(PB_INK_ROBOT_TRAIL));
	else if (b->kind == PB_BODY_GHOST)
		line(g, &b->trail, PB_STROKE_DASH, pb_ghost_color(b->id));
	else
		line(g, &b->trail, PB_STROKE_DOTS, pb_ink_paper(PB_INK_OTHER));
}

/* What a body means to do and how the costmap sees it. */
static void
plans(struct pb_figure *g, const struct pb_body *b)
{
	double px = 1 / pb_viewport_metres(&g->port);
	struct pb_rgb k = pb_ink_paper(PB_INK_SOLID);

	/* A few dots must be larger to be seen. */
	for (size_t i = 0; i < b->scan.n; i++)
		pb_canvas_disc(&g->map, place(g, b->scan.at[i]),
		    b->scan.n > 32 ? g->unit : 3 * g->unit,
		    pb_ink_paper(PB_INK_SCAN), 0.9);
	if (b->radius > 0) {
		struct pb_vec p = place(g, b->disc);

		pb_canvas_disc(&g->map, p, b->radius * px, k, 0.15);
		pb_canvas_ring(
		    &g->map, p, b->radius * px, 0.7 * g->unit, k, 0.8);
	}
	for (size_t i = 0; i < b->solid.n; i++)
		pb_icon_solid(&g->map, place(g, b->solid.at[i]), g->unit);
	line(g, &b->path, PB_STROKE_LONG, pb_ink_paper(PB_INK_PATH));
	if (b->has_goal)
		pb_icon_goal(&g->map, place(g, b->goal), g->unit);
}

/* More pellets than this are not numbered: a board has hundreds. */
#define NUMBERED 64

static void
number(struct pb_figure *g, struct pb_vec at, double away, int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", id);
	pb_canvas_text(&g->map, pb_canvas_whole(at.x + away),
	    pb_canvas_whole(at.y - 8 * g->unit), g->font, text,
	    pb_ink_paper(PB_INK_TEXT));
}

static void
pellets(struct pb_figure *g, const struct pb_scene *s)
{
	for (size_t i = 0; i < s->pellets; i++) {
		const struct pb_spot *p = &s->pellet[i];
		struct pb_vec at = place(g, p->at);
		bool target = !p->eaten && s->has_target && p->id == s->target;

		if (p->eaten)
			pb_icon_eaten(&g->map, at, g->unit);
		else
			pb_icon_pellet(&g->map, at, g->unit, p->power);
		if (target)
			pb_icon_target(&g->map, at, g->unit);
		if (s->pellets <= NUMBERED && fabs(at.x) < 1e6 &&
		    fabs(at.y) < 1e6)
			number(g, at, (target ? 11 : 6) * g->unit, p->id);
	}
}

static void
marks(struct pb_figure *g, const struct pb_scene *s, bool death)
{
	for (size_t i = 0; i < pb_scene_marks(s); i++) {
		struct pb_mark m = pb_scene_mark_at(s, i);
		struct pb_vec at = place(g, m.at);

		if ((m.kind == PB_MARK_DEATH) != death)
			continue;
		if (m.kind == PB_MARK_DEATH)
			pb_icon_death(&g->map, at, g->unit);
		else if (m.kind == PB_MARK_HOME)
			pb_icon_home(&g->map, at, g->unit);
		else
			pb_icon_eaten(&g->map, at, g->unit);
	}
}

/*
 * The ellipse around p that holds 95 % of a Gaussian with this covariance of x
 * and y: its half axes are sqrt(5.991 l) for the two eigenvalues l (chi-square,
 * two degrees of freedom).
 */
static void
ellipse(struct pb_figure *g, struct pb_pose at, const double cov[3][3])
{
	double a = cov[0][0], d = cov[1][1];
	double h = (cov[0][1] + cov[1][0]) / 2;
	double mean = (a + d) / 2, r = sqrt((a - d) * (a - d) / 4 + h * h);
	double l1 = mean + r, l2 = mean - r, th = 0.5 * pb_atan2(2 * h, a - d);
	struct pb_vec p[65];

	if (!(l1 > 0) || !isfinite(l1))
		return;
	l1 = sqrt(5.991 * l1);
	l2 = sqrt(5.991 * fmax(l2, 0));
	for (int i = 0; i <= 64; i++) {
		double s = i * PB_PI / 32;
		struct pb_pose f = {at.x, at.y, th};
		struct pb_vec v = {l1 * pb_cos(s), l2 * pb_sin(s)};

		p[i] = place(g, pb_vec_from(f, v));
	}
	pb_canvas_polyline(
	    &g->map, p, 65, g->unit, pb_ink_paper(PB_INK_ROBOT_TRAIL), 0.9);
}

/* Particles, and hypotheses by rank, the likeliest on top. */
static void
belief(struct pb_figure *g, const struct pb_body *b)
{
	for (size_t i = 0; i < b->cloud.n; i++)
		pb_canvas_disc(&g->map, place(g, b->cloud.at[i]), 1.5 * g->unit,
		    pb_ink_paper(PB_INK_OTHER), 0.8);
	for (int i = b->guesses - 1; i >= 0; i--) {
		const struct pb_hypothesis *h = &b->guess[i];

		ellipse(g, h->pose, h->cov);
		pb_icon_guess(&g->map, place(g, pb_pose_vec(h->pose)), g->unit,
		    heading(g, h->pose.th), i + 1);
	}
}

/* The robot last, so that it is never hidden. */
static void
bodies(struct pb_figure *g, const struct pb_scene *s)
{
	static const enum pb_body_kind order[] = {
	    PB_BODY_OTHER, PB_BODY_GHOST, PB_BODY_ROBOT};
	double r = pb_figure_radius(g);

	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < s->bodies; i++) {
			const struct pb_body *b = &s->body[i];

			if (!b->placed || b->kind != order[k])
				continue;
			if (b->has_cov)
				ellipse(g, b->pose, b->cov);
			pb_icon_body(&g->map, b, place(g, pb_pose_vec(b->pose)),
			    r, heading(g, b->pose.th));
		}
}

void
pb_figure_things(struct pb_figure *g, const struct pb_scene *s,
    const struct pb_render_opts *o)
{
	for (size_t i = 0; i < s->bodies && !o->no_trails; i++)
		trail(g, &s->body[i]);
	for (size_t i = 0; i < s->bodies; i++)
		plans(g, &s->body[i]);
	marks(g, s, false);
	pellets(g, s);
	marks(g, s, true);
	for (size_t i = 0; i < s->bodies; i++)
		belief(g, &s->body[i]);
	bodies(g, s);
}
