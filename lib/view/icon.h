/* icon.h - the small shapes of a PNG picture. */
#ifndef PB_VIEW_ICON_H
#define PB_VIEW_ICON_H

#include "view/canvas.h"
#include "view/scene.h"

/*
 * Each is drawn around p, in pixels, u pixels to the unit (about the width
 * of a thin line); headings th count as on the picture, 0 to the right.
 */
void pb_icon_robot(struct pb_canvas *c, struct pb_vec p, double r, double th);
void pb_icon_ghost(
    struct pb_canvas *c, struct pb_vec p, double r, double th, struct pb_rgb k);
void pb_icon_other(struct pb_canvas *c, struct pb_vec p, double u, double th);
void pb_icon_body(struct pb_canvas *c, const struct pb_body *b, struct pb_vec p,
    double r, double th);
void pb_icon_pellet(struct pb_canvas *c, struct pb_vec p, double u, bool power);
void pb_icon_eaten(struct pb_canvas *c, struct pb_vec p, double u);
void pb_icon_target(struct pb_canvas *c, struct pb_vec p, double u);
void pb_icon_goal(struct pb_canvas *c, struct pb_vec p, double u);
void pb_icon_home(struct pb_canvas *c, struct pb_vec p, double u);
void pb_icon_death(struct pb_canvas *c, struct pb_vec p, double u);

/* A hypothesis: its rank, 1..9, and where it looks. */
void pb_icon_guess(
    struct pb_canvas *c, struct pb_vec p, double u, double th, int rank);
void pb_icon_solid(struct pb_canvas *c, struct pb_vec p, double u);

/* The colour of a ghost: Clyde's, or the arcade ghost's that id names. */
struct pb_rgb pb_ghost_color(const char *id);

/* How a line is drawn; others than the robot's are broken. */
enum pb_stroke {
	PB_STROKE_FULL,
	PB_STROKE_LONG, /* long dashes */
	PB_STROKE_DASH, /* short ones */
	PB_STROKE_DOTS
};
void pb_icon_line(struct pb_canvas *c, const struct pb_vec *p, size_t n,
    double u, enum pb_stroke stroke, struct pb_rgb k);

#endif
