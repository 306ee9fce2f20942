/*
 * ritgolden.c - pursuit, localization and wheels of the published Pacbot robot
 * against answers of its own code: files of cases, one JSON object a line.
 *
 *	ritgolden [FILE ...]
 *
 * prints for each file how many cases come out the same, and the numbers of the
 * lines of the others by kind. Without an operand, cases made by hand, and
 * those of others if they are there. Lengths are in cells.
 */
#define CHECK_MAIN
#include "golden.h"
#include "mazeworld.h"

#include <jansson.h>

#include "localize/methods.h"
#include "robot/rover.h"

static struct world official;

static json_t *
of(const json_t *o, const char *key)
{
	return json_object_get(o, key);
}

static double
num(const json_t *a, size_t i)
{
	return json_number_value(json_array_get(a, i));
}

static double
real(const json_t *o, const char *key)
{
	return json_number_value(of(o, key));
}

static bool
near(const json_t *a, size_t i, double v, double tolerance)
{
	return json_is_number(json_array_get(a, i)) &&
	       fabs(num(a, i) - v) <= tolerance;
}

static bool
is_point(const json_t *out, struct pb_vec v, double tolerance)
{
	return near(out, 0, v.x, tolerance) && near(out, 1, v.y, tolerance);
}

static bool
test_pursuit(const json_t *in, const json_t *out)
{
	const json_t *cell = of(in, "cell"), *path = of(in, "path");
	const struct pb_pursuit_opts o = {real(in, "speed"),
	    real(in, "lookahead"), real(in, "turn_speed"), real(in, "snap"),
	    real(in, "snap_multiplier")};
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {
	    {num(of(in, "at"), 0), num(of(in, "at"), 1)}, (int)num(cell, 0),
	    (int)num(cell, 1)};
	int to[PB_PURSUIT_PATH][2], n = (int)json_array_size(path);
	struct pb_vec v;

	if (n > PB_PURSUIT_PATH)
		return false;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			to[i][k] = (int)num(
			    json_array_get(path, (size_t)i), (size_t)k);
	if ((n > 0 && !json_is_array(cell)) ||
	    !pb_pursuit_step(&s, &o, &p, (const int(*)[2])to, n, 0.03, &v))
		return json_is_null(out);
	return is_point(out, v, 1e-3);
}

static struct pb_tof
ranges(const json_t *in)
{
	struct pb_tof z = {.r = {0}};

	for (size_t i = 0; i < PB_TOF; i++) {
		const json_t *r = json_array_get(of(in, "ranges"), i);

		z.r[i] = json_is_number(r) ? json_number_value(r)
		         : json_is_null(r) ? NAN
		                           : -1;
	}
	return z;
}

static struct pb_tof_cell
camera(const json_t *in)
{
	const json_t *c = of(in, "camera");

	return (struct pb_tof_cell){
	    (int)num(c, 0), (int)num(c, 1), json_is_array(c)};
}

static bool
test_cell_ray(const json_t *in, const json_t *out)
{
	struct pb_cell_ray_opts o;
	struct pb_tof z = ranges(in);
	struct pb_tof_cell c = camera(in);

	pb_localizer_defaults(&pb_loc_cell_ray, &o);
	o.radius /= CELL;
	o.cv_error = real(in, "cv_error");
	if (!c.known)
		return json_is_null(out);
	return is_point(out,
	    pb_cell_ray(&official.cells, &o, CELL, &z, c.row, c.col).at, 2e-3);
}

static bool
test_region(const json_t *in, const json_t *out)
{
	struct pb_region_opts o;
	struct pb_tof z = ranges(in);
	struct pb_belief b;
	void *model;

	pb_localizer_defaults(&pb_loc_region, &o);
	o.published = true;
	o.following = json_is_true(of(in, "trust_camera"));
	if (pb_loc_region.learn(&pb_loc_region, &official.w, &o, &model) !=
	    PB_OK)
		return false;
	o.radius /= CELL;
	o.reach /= CELL;
	pb_region_where(
	    &(struct pb_region_at){model, &o}, &z, camera(in), 0, &b);
	pb_loc_region.forget(model);
	return is_point(out,
	    (struct pb_vec){b.at[0].pose.x / CELL, b.at[0].pose.y / CELL},
	    2e-3);
}

static bool
test_omni(const json_t *in, const json_t *out)
{
	const json_t *v = of(in, "v"), *wheels = of(out, "wheels");
	struct pb_motion u = {
	    num(v, 0) * CELL, num(v, 1) * CELL, real(in, "w")};
	double speed[PB_OMNI_WHEELS];

	pb_omni_wheels(u, speed);
	for (size_t i = 0; i < PB_OMNI_WHEELS; i++) {
		if (!near(wheels, i, speed[i], 1e-4))
			return false;
		speed[i] = num(wheels, i);
	}
	u = pb_omni_motion(speed);
	return near(of(out, "back"), 0, u.x / CELL, 1e-4) &&
	       near(of(out, "back"), 1, u.y / CELL, 1e-4) &&
	       near(of(out, "back"), 2, u.w, 1e-4);
}

static const struct kind {
	const char *name;
	bool (*holds)(const json_t *in, const json_t *out);
} kinds[] = {{"pursuit", test_pursuit}, {"cell-ray", test_cell_ray},
    {"region", test_region}, {"omni", test_omni}};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* Whether a case comes out the same; *kind is its number, KINDS: unknown. */
static bool
test_case(const json_t *line, int *kind)
{
	const char *name = json_string_value(of(line, "kind"));

	for (*kind = 0; *kind < KINDS; ++*kind)
		if (name != NULL && strcmp(kinds[*kind].name, name) == 0)
			return kinds[*kind].holds(
			    of(line, "in"), of(line, "out"));
	return false;
}

/* Cases that come out the same, of *all; lines of the others to stdout. */
static int
test_file(FILE *f, int *all)
{
	char *text = NULL;
	size_t size = 0;
	int same = 0, kind;

	for (*all = 0; getline(&text, &size, f) > 0; ++*all) {
		json_t *line = json_loads(text, 0, NULL);

		if (test_case(line, &kind))
			same++;
		else
			printf("# line %d: %s\n", *all + 1,
			    kind < KINDS ? kinds[kind].name : "unknown");
		json_decref(line);
	}
	free(text);
	return same;
}

int
main(int argc, char **argv)
{
	int status;

	open_world(&official, "pacman");
	status = run_goldens(test_file, argc, argv, "testdata/rit-cases.jsonl",
	    "../shared/data/rit-golden/rit-golden.jsonl");
	close_world(&official);
	return status;
}
