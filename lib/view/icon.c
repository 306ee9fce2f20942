/* icon.c - the small shapes of a PNG picture. */
#include "view/icon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

#define MOUTH 0.61 /* half of Pac-Man's mouth: 35 degrees (rad) */

static const struct pb_rgb white = {255, 255, 255};
static const struct pb_rgb ink = {30, 30, 36};

static struct pb_vec
shift(struct pb_vec p, double x, double y)
{
	return (struct pb_vec){p.x + x, p.y + y};
}

void
pb_icon_robot(struct pb_canvas *c, struct pb_vec p, double r, double th)
{
	struct pb_pie pie = {p, r, th, MOUTH};
	struct pb_vec eye;

	if (!isfinite(th))
		pie.th = th = 0;
	pb_canvas_pie(c, &pie, 0.16 * r + 0.6, ink, 1);
	pb_canvas_pie(c, &pie, 0, pb_ink_paper(PB_INK_ROBOT), 1);
	/* The eye above the mouth as seen by one who looks to the right. */
	eye = shift(p, r * 0.45 * pb_cos(th + (pb_cos(th) < 0 ? -1.4 : 1.4)),
	    -r * 0.45 * pb_sin(th + (pb_cos(th) < 0 ? -1.4 : 1.4)));
	pb_canvas_disc(c, eye, 0.13 * r, ink, 1);
}

/* The outline of a ghost: dome, body, three feet. */
static void
ghost_shape(struct pb_canvas *c, struct pb_vec p, double r, double grow,
    struct pb_rgb k)
{
	struct pb_vec body[4] = {{p.x - r - grow, p.y}, {p.x + r + grow, p.y},
	    {p.x + r + grow, p.y + 0.75 * r}, {p.x - r - grow, p.y + 0.75 * r}};

	pb_canvas_disc(c, p, r + grow, k, 1);
	pb_canvas_convex(c, body, 4, k, 1);
	for (int i = -1; i <= 1; i++)
		pb_canvas_disc(
		    c, shift(p, i * r * 2 / 3, 0.75 * r), r / 3 + grow, k, 1);
}

void
pb_icon_ghost(
    struct pb_canvas *c, struct pb_vec p, double r, double th, struct pb_rgb k)
{
	double look = isfinite(th) ? 0.13 * r : 0;

	if (!isfinite(th))
		th = 0;
	ghost_shape(c, p, r, 0.16 * r + 0.6, ink);
	ghost_shape(c, p, r, 0, k);
	for (int i = -1; i <= 1; i += 2) {
		struct pb_vec eye = shift(p, i * 0.4 * r, -0.1 * r);

		pb_canvas_disc(c, eye, 0.3 * r, white, 1);
		pb_canvas_disc(c,
		    shift(eye, look * pb_cos(th), -look * pb_sin(th)), 0.16 * r,
		    ink, 1);
	}
}

void
pb_icon_other(struct pb_canvas *c, struct pb_vec p, double r, double th)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_OTHER);
	struct pb_vec d[4] = {
	    shift(p, r, 0), shift(p, 0, r), shift(p, -r, 0), shift(p, 0, -r)};

	pb_canvas_convex(c, d, 4, k, 0.9);
	for (int i = 0; i < 4; i++)
		pb_canvas_line(c, d[i], d[(i + 1) % 4], 1.5, ink, 1);
	if (isfinite(th))
		pb_canvas_line(c, p,
		    shift(p, 1.6 * r * pb_cos(th), -1.6 * r * pb_sin(th)), 2,
		    ink, 1);
}

/* A place known only roughly: a frame. */
static void
fix(struct pb_canvas *c, struct pb_vec p, double r)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_OTHER);
	struct pb_vec d[4] = {
	    shift(p, r, r), shift(p, -r, r), shift(p, -r, -r), shift(p, r, -r)};

	for (int i = 0; i < 4; i++)
		pb_canvas_line(c, d[i], d[(i + 1) % 4], 4, ink, 1);
	for (int i = 0; i < 4; i++)
		pb_canvas_line(c, d[i], d[(i + 1) % 4], 2, k, 1);
}

struct pb_rgb
pb_ghost_color(const char *id)
{
	/* Okabe and Ito's nearest to the arcade's red, pink, cyan, orange. */
	static const struct {
		const char *id;
		struct pb_rgb k;
	} list[] = {{"blinky", {196, 30, 58}}, {"red", {196, 30, 58}},
	    {"pinky", {204, 121, 167}}, {"pink", {204, 121, 167}},
	    {"inky", {86, 180, 233}}, {"cyan", {86, 180, 233}},
	    {"blue", {0, 114, 178}}, {"patrol1", {213, 94, 0}},
	    {"patrol2", {0, 158, 115}}, {"patrol3", {204, 121, 167}},
	    {"patrol4", {86, 180, 233}}};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (strncmp(id, list[i].id, strlen(list[i].id)) == 0)
			return list[i].k;
	return pb_ink_paper(PB_INK_GHOST);
}

/* Ghosts of a kind have numbers. */
static void
number(struct pb_canvas *c, const char *id, struct pb_vec p, double r)
{
	char text[2] = {id[strlen(id) - 1], '\0'};
	int size = r < 16 ? 1 : (int)(r / 8);

	if (text[0] >= '0' && text[0] <= '9' && r >= 8)
		pb_canvas_text(c,
		    pb_canvas_whole(floor(p.x - 2.5 * size + 0.5)),
		    pb_canvas_whole(floor(p.y + 0.3 * r + 0.5)), size, text,
		    white);
}

void
pb_icon_body(struct pb_canvas *c, const struct pb_body *b, struct pb_vec p,
    double r, double th)
{
	if (b->kind == PB_BODY_ROBOT)
		pb_icon_robot(c, p, r, th);
	else if (b->kind == PB_BODY_GHOST) {
		pb_icon_ghost(c, p, r, th, pb_ghost_color(b->id));
		number(c, b->id, p, r);
	} else if (strcmp(b->id, "fix") == 0)
		fix(c, p, r);
	else
		pb_icon_other(c, p, 0.6 * r, th);
}

void
pb_icon_pellet(struct pb_canvas *c, struct pb_vec p, double u, bool power)
{
	double r = power ? 5.5 * u : 3.5 * u;

	pb_canvas_disc(c, p, r + 0.8 * u, ink, 1);
	pb_canvas_disc(
	    c, p, r, pb_ink_paper(power ? PB_INK_POWER : PB_INK_PELLET), 1);
	if (power)
		pb_canvas_disc(c, p, 2 * u, white, 1);
}

void
pb_icon_eaten(struct pb_canvas *c, struct pb_vec p, double u)
{
	pb_canvas_disc(c, p, 3.5 * u, white, 0.7);
	pb_canvas_ring(c, p, 3.5 * u, 1.3 * u, pb_ink_paper(PB_INK_EATEN), 1);
}

/* Four ticks around p, from a to b away from it. */
static void
cross(struct pb_canvas *c, struct pb_vec p, double a, double b, double width,
    struct pb_rgb k)
{
	for (int i = 0; i < 4; i++) {
		double x = (i & 1) * (i - 2), y = !(i & 1) * (i - 1);

		pb_canvas_line(c, shift(p, a * x, a * y),
		    shift(p, b * x, b * y), width, k, 1);
	}
}

void
pb_icon_target(struct pb_canvas *c, struct pb_vec p, double u)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TARGET);

	pb_canvas_ring(c, p, 7 * u, 1.5 * u, k, 1);
	cross(c, p, 7 * u, 10 * u, 1.5 * u, k);
}

void
pb_icon_goal(struct pb_canvas *c, struct pb_vec p, double u)
{
	cross(c, p, 2.5 * u, 6 * u, 1.5 * u, pb_ink_paper(PB_INK_TARGET));
}

void
pb_icon_home(struct pb_canvas *c, struct pb_vec p, double u)
{
	struct pb_vec wall[4] = {shift(p, -3 * u, 0), shift(p, 3 * u, 0),
	    shift(p, 3 * u, 4 * u), shift(p, -3 * u, 4 * u)};
	struct pb_vec roof[3] = {
	    shift(p, -5 * u, 0), shift(p, 5 * u, 0), shift(p, 0, -5 * u)};

	pb_canvas_convex(c, wall, 4, ink, 1);
	pb_canvas_convex(c, roof, 3, ink, 1);
	pb_canvas_fill(c, pb_canvas_whole(p.x - u),
	    pb_canvas_whole(p.y + 2 * u), pb_canvas_whole(p.x + u),
	    pb_canvas_whole(p.y + 6 * u), white, 1);
}

void
pb_icon_death(struct pb_canvas *c, struct pb_vec p, double u)
{
	for (int pass = 0; pass < 2; pass++) {
		struct pb_rgb k = pass ? pb_ink_paper(PB_INK_DEATH) : white;
		double w = pass ? 2 * u : 4 * u, s = 5 * u;

		pb_canvas_line(c, shift(p, -s, -s), shift(p, s, s), w, k, 1);
		pb_canvas_line(c, shift(p, -s, s), shift(p, s, -s), w, k, 1);
	}
}

void
pb_icon_solid(struct pb_canvas *c, struct pb_vec p, double u)
{
	struct pb_vec d[4] = {shift(p, 2 * u, 0), shift(p, 0, 2 * u),
	    shift(p, -2 * u, 0), shift(p, 0, -2 * u)};

	pb_canvas_convex(c, d, 4, pb_ink_paper(PB_INK_SOLID), 0.8);
}

/* A line that is being cut into dashes. */
struct dash {
	struct pb_vec *out;
	size_t n, cap;
	double on, off; /* lengths (px) */
	double left;    /* of the present dash or gap (px) */
	bool drawing;
};

static void
dash_put(struct dash *d, struct pb_vec p)
{
	if (d->n < d->cap)
		d->out[d->n++] = p;
}

static void
dash_segment(struct dash *d, struct pb_vec p, struct pb_vec q)
{
	double length = pb_dist(p, q), at = 0;

	if (!isfinite(length)) {
		dash_put(d, (struct pb_vec){NAN, NAN});
		dash_put(d, q);
		return;
	}
	while (length - at > d->left && d->n < d->cap) {
		at += d->left;
		dash_put(d, shift(p, (q.x - p.x) * at / length,
				(q.y - p.y) * at / length));
		if (d->drawing)
			dash_put(d, (struct pb_vec){NAN, NAN});
		d->drawing = !d->drawing;
		d->left = d->drawing ? d->on : d->off;
	}
	d->left -= length - at;
	if (d->drawing)
		dash_put(d, q);
}

/* Most points that a dashed line becomes: 16000 px at 3 px, many times. */
#define DASHES 262144

static void
dashed(struct pb_canvas *c, const struct pb_vec *p, size_t n, double width,
    double on, double off, struct pb_rgb k)
{
	struct dash d = {.cap = DASHES, .on = on, .off = off, .left = on};

	d.drawing = true;
	if (n < 2 || (d.out = malloc(DASHES * sizeof(*d.out))) == NULL)
		return;
	dash_put(&d, p[0]);
	for (size_t i = 1; i < n; i++)
		dash_segment(&d, p[i - 1], p[i]);
	pb_canvas_polyline(c, d.out, d.n, width, k, 0.9);
	free(d.out);
}

void
pb_icon_line(struct pb_canvas *c, const struct pb_vec *p, size_t n, double u,
    enum pb_stroke stroke, struct pb_rgb k)
{
	if (stroke == PB_STROKE_FULL)
		pb_canvas_polyline(c, p, n, 1.7 * u, k, 0.9);
	else if (stroke == PB_STROKE_LONG)
		dashed(c, p, n, 1.5 * u, 14 * u, 4 * u, k);
	else if (stroke == PB_STROKE_DASH)
		dashed(c, p, n, 1.5 * u, 4 * u, 4 * u, k);
	else
		dashed(c, p, n, 2 * u, 0.2 * u, 4 * u, k);
}

void
pb_icon_guess(
    struct pb_canvas *c, struct pb_vec p, double u, double th, int rank)
{
	char text[2] = {(char)('0' + rank), '\0'};
	int size = u < 1.5 ? 1 : (int)(u + 0.5);
	double r = 5.5 * size + 1;
	struct pb_rgb k = pb_ink_paper(PB_INK_TARGET);
	struct pb_vec tip = {
	    p.x + 1.9 * r * pb_cos(th), p.y - 1.9 * r * pb_sin(th)};

	if (isfinite(th))
		pb_canvas_line(c, p, tip, 1.5 * u, k, 1);
	pb_canvas_disc(c, p, r + u, k, 1);
	pb_canvas_disc(c, p, r, pb_ink_paper(PB_INK_PAPER), 1);
	pb_canvas_text(c, pb_canvas_whole(floor(p.x - 2.5 * size + 0.5)),
	    pb_canvas_whole(floor(p.y - 3.5 * size + 0.5)), size, text,
	    pb_ink_paper(PB_INK_TEXT));
}
