/* canvas.c - tests of how a scene is drawn, whatever it is drawn on. */
#include "check.h"
#include "room.h"

#include <stdarg.h>

#include "view/canvas.h"

/* What was drawn, a line for each call. */
static char drawn[8192];

static void
note(const char *format, ...)
{
	size_t n = strlen(drawn);
	va_list ap;

	va_start(ap, format);
	vsnprintf(drawn + n, sizeof(drawn) - n, format, ap);
	va_end(ap);
}

static void
put_line(void *to, enum pb_sign what, const struct pb_points *p,
    const struct pb_body *b)
{
	(void)to;
	if (p->n > 0)
		note("line %s: %s %g,%g to %g,%g\n", pb_signs[what].text,
		    b ? b->id : "-", p->at[0].x, p->at[0].y, p->at[p->n - 1].x,
		    p->at[p->n - 1].y);
}

static void
put_dots(void *to, enum pb_sign what, const struct pb_points *p)
{
	(void)to;
	if (p->n > 0)
		note("dots %s: %zu\n", pb_signs[what].text, p->n);
}

static void
put_sign(
    void *to, enum pb_sign what, struct pb_vec at, const struct pb_body *by)
{
	(void)to;
	note("%s%s%s: %g,%g\n", pb_signs[what].text,
	    by && what == PB_SIGN_DEATH ? " by " : "",
	    by && what == PB_SIGN_DEATH ? by->id : "", at.x, at.y);
}

static void
put_guess(void *to, const struct pb_hypothesis *h, int rank)
{
	(void)to;
	note("guess %d: %g,%g\n", rank, h->pose.x, h->pose.y);
}

static void
put_body(void *to, const struct pb_body *b)
{
	(void)to;
	note("%s: %g,%g %g\n", b->id, b->pose.x, b->pose.y, b->pose.th);
}

static void
draw(const struct pb_scene *s, bool no_trails)
{
	const struct pb_render_opts o = {
	    .hide = no_trails ? PB_HIDE_TRAILS : 0};
	const struct pb_canvas c = {.line = put_line,
	    .dots = put_dots,
	    .sign = put_sign,
	    .guess = put_guess,
	    .body = put_body};

	drawn[0] = '\0';
	pb_canvas_draw(&c, s, &o);
}

static void
check_drawn(const char *want)
{
	check_str(drawn, want);
}

static const char above_trails[] = "line path: robot 0.5,0.5 to 3,2\n"
				   "goal: 3,2\n"
				   "dots obstacle: 3\n"
				   "home: -0.5,0.5\n"
				   "eaten: 0,2\n"
				   "pellet: 1,2\n"
				   "pellet: 2,2\n"
				   "power pellet: 3,2\n"
				   "target: 1,2\n"
				   "guess 2: 1,1\n"
				   "guess 1: 0.5,0.5\n"
				   "estimate: 0.6,0.4 1\n"
				   "clyde: 2.5,1 3.14159\n"
				   "robot: 0.5,0.5 0\n"
				   "caught: 0,1\n";

/* From below to above: the robot's trail and the robot, then deaths. */
test(order)
{
	struct pb_scene s = {0};
	struct pb_body *robot;
	char want[2048];

	furnish(&s);
	robot = pb_scene_body(&s, "robot");
	robot->guesses = 2;
	robot->guess[0].pose = (struct pb_pose){0.5, 0.5, 0};
	robot->guess[1].pose = (struct pb_pose){1, 1, 0};
	draw(&s, false);
	snprintf(want, sizeof(want),
	    "dots scan: 3\n"
	    "line other trail: estimate 0.6,0.4 to 0.6,0.4\n"
	    "line ghosts' trails: clyde 3,1.5 to 2.5,1\n"
	    "line trail: robot -0.5,0.5 to 0.5,0.5\n%s",
	    above_trails);
	check_drawn(want);
	draw(&s, true);
	snprintf(want, sizeof(want), "dots scan: 3\n%s", above_trails);
	check_drawn(want);
	pb_scene_clear(&s);
}

/* Marks of a way, and pairs of places that were matched. */
test(ways)
{
	struct pb_scene s = {0};

	pb_scene_loop(&s, (struct pb_vec){0, 0}, (struct pb_vec){1, 1});
	pb_scene_mark(&s, PB_SIGN_DEATH, (struct pb_vec){1, 1}, NULL);
	pb_scene_mark(&s, PB_SIGN_CUT, (struct pb_vec){2, 1}, NULL);
	pb_scene_mark(&s, PB_SIGN_GUESSED, (struct pb_vec){3, 1}, NULL);
	pb_scene_mark(&s, PB_SIGN_DENIED, (struct pb_vec){4, 1}, NULL);
	draw(&s, false);
	check_drawn("line loop closed: - 0,0 to nan,nan\n"
		    "dots loop closed: 3\n"
		    "way cut: 2,1\n"
		    "step by the wheels alone: 3,1\n"
		    "step the wheels deny: 4,1\n"
		    "caught: 1,1\n");
	pb_scene_clear(&s);
}

/* The texts of the legend, with a blank after each. */
static const char *
legend(const struct pb_scene *s, bool house)
{
	static char text[2048];
	const struct pb_render_opts o = {.trail = 0};
	const bool dot[PB_DOTS] = {[PB_DOT_HOUSE] = house};
	struct pb_legend e[PB_LEGEND];
	size_t n = pb_legend(s, &o, dot, e);

	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		strcat(text, e[i].text);
		strcat(text, "; ");
	}
	return text;
}

/* It says whose trails there are, and who caught the robot. */
test(legends)
{
	struct pb_scene s = {0};

	for (int i = 0; i < 2; i++) {
		pb_scene_pose(
		    pb_scene_body(&s, "robot"), (struct pb_pose){i, 0, 0});
		pb_scene_pose(
		    pb_scene_body(&s, "truth"), (struct pb_pose){i, 1, 0});
		pb_scene_pose(
		    pb_scene_body(&s, "inky"), (struct pb_pose){i, 2, 0});
	}
	check_str(legend(&s, false),
	    "robot; truth; inky; inky's trail; robot's trail; "
	    "truth's trail; ");
	for (int i = 0; i < 2; i++)
		pb_scene_pose(
		    pb_scene_body(&s, "clyde"), (struct pb_pose){i, 3, 0});
	pb_scene_mark(&s, PB_SIGN_DEATH, (struct pb_vec){0, 0}, NULL);
	pb_scene_mark(&s, PB_SIGN_DEATH, (struct pb_vec){1, 0}, NULL);
	s.mark[0].by = &s.body[2];
	check_str(legend(&s, true),
	    "robot; truth; inky; clyde; ghosts' house; ghosts' trails; "
	    "robot's trail; truth's trail; caught; caught by inky; ");
	pb_scene_clear(&s);
}
