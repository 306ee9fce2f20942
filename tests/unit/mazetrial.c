/* mazetrial.c - tests of trials in mazes, and of the drives of these. */
#include "check.h"
#include "mazerun.h"

#include "localize/trial.h"

/* Room for a robot, and what a method that only remembers needs. */
struct echo {
	struct pb_vec fix;
	double range;
	int fixes, scans, moves;
	struct pb_loc_start start;
};

static void
echo_reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	struct echo *e = mem;

	(void)model;
	*e = (struct echo){.start = *s};
}

static void
echo_predict(void *mem, const void *model, struct pb_pose odom)
{
	struct echo *e = mem;

	(void)model;
	(void)odom;
	e->moves++;
}

static void
echo_scan(void *mem, const void *model, const struct pb_scan *z)
{
	struct echo *e = mem;

	(void)model;
	e->range = z->range[0];
	e->scans++;
}

static void
echo_fix(void *mem, const void *model, const struct pb_loc_fix *z)
{
	struct echo *e = mem;

	(void)model;
	e->fix = z->at;
	e->fixes++;
}

/* The camera's cell; nothing before it, lost for ten scans after. */
static void
echo_estimate(const void *mem, const void *model, struct pb_belief *b)
{
	const struct echo *e = mem;

	(void)model;
	*b = (struct pb_belief){
	    .status = e->scans < 60 ? PB_LOC_LOST : PB_LOC_TRACKING,
	    .n = e->fixes > 0};
	b->at[0].pose = (struct pb_pose){e->fix.x, e->fix.y, 0};
}

static const struct pb_localizer echo = {.name = "echo",
    .reset = echo_reset,
    .predict = echo_predict,
    .scan = echo_scan,
    .fix = echo_fix,
    .estimate = echo_estimate};

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Every number of a trial against a loop that keeps them all. */
test(numbers)
{
	enum { N = 301, EVERY = 50 };
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun *s = malloc(sizeof(*s));
	struct pb_maze_trial_opts t = pb_maze_trial_defaults();
	struct pb_loc_trial_opts how = pb_loc_trial_defaults();
	double work[N], err[N], sum = 0, squares = 0, way = 0;
	int n = 0, cell = 0, lost = 0, wrong = 0;
	struct pb_trial r = {.seed = 1};
	struct pb_loc_fix fix;
	struct pb_pose answer = {0, 0, 0}, truth, was = {0, 0, 0};
	struct echo e;
	const struct pb_loc_instance a = {&echo, NULL, &e};

	o.d.every = t.drive.every = EVERY;
	o.d.wrong = t.drive.wrong = 0.2;
	t.updates = N;
	mazerun_open(s, &o);
	pb_maze_trial(a, &s->dw, &t, &how, work, &r);
	check_int(e.start.kind, PB_LOC_ANYWHERE);
	check_int(e.scans, N);
	check_int(e.moves, N + 1);
	check_int(e.fixes, N / EVERY);
	for (int i = 1; i <= N; i++) {
		bool seen = pb_maze_drive_tick(&s->d, &fix), right;
		int row[2], col[2];

		truth = pb_maze_drive_pose(&s->d);
		if (seen)
			answer = (struct pb_pose){fix.at.x, fix.at.y, 0};
		way += i > 1 ? hypot(truth.x - was.x, truth.y - was.y) : 0;
		was = truth;
		lost += i < 60;
		pb_cells_of_xy(s->d.at, &row[0], &col[0]);
		pb_cells_of_xy((struct pb_vec){answer.x / PB_MAZE_CELL,
				   answer.y / PB_MAZE_CELL},
		    &row[1], &col[1]);
		cell += i < EVERY || row[0] != row[1] || col[0] != col[1];
		if (i < EVERY)
			continue;
		err[n] = hypot(answer.x - truth.x, answer.y - truth.y);
		right = err[n] <= PB_MAZE_CELL / 2;
		wrong += i >= 60 && !right;
		sum += err[n];
		squares += err[n] * err[n];
		n++;
	}
	qsort(err, (size_t)n, sizeof(err[0]), by_size);
	check_int(r.updates, N);
	check_int(r.wrong_cell, cell);
	check_int(r.lost, lost);
	check_int(r.wrong, wrong);
	check(wrong > 0 && cell > EVERY && cell < N);
	check_near(r.error_mean, sum / n, 1e-12);
	check_near(r.error_median, (err[(n - 1) / 2] + err[n / 2]) / 2, 1e-12);
	check_near(r.error_rms, sqrt(squares / n), 1e-12);
	check_near(r.driven, way, 1e-9);
	check_near(r.limit, (N - 1) * 0.015, 1e-12);
	mazerun_close(s);
	free(s);
}

/* A warm-up is not counted; at its end somebody lifts the robot. */
test(protocols)
{
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun *s = malloc(sizeof(*s));
	struct pb_maze_trial_opts t = pb_maze_trial_defaults();
	struct pb_loc_trial_opts how = pb_loc_trial_defaults();
	double work[10];
	struct pb_trial r = {.seed = 1};
	struct echo e;
	const struct pb_loc_instance a = {&echo, NULL, &e};
	double far = 0;

	t.updates = 10;
	t.warm = 40;
	mazerun_open(s, &o);
	how.protocol = PB_LOC_TRACK;
	pb_maze_trial(a, &s->dw, &t, &how, work, &r);
	check_int(e.start.kind, PB_LOC_NEAR);
	check_near(e.start.pose.x, pb_maze_drive_pose(&s->d).x, 0);
	check_int(e.scans, 50);
	check_int(r.updates, 10);
	/* The same drive as far as the lift, and then another place. */
	for (uint64_t i = 0; i < 8; i++) {
		struct pb_vec stay, gone;

		r.trial = i;
		how.protocol = PB_LOC_TRACK;
		pb_maze_trial(a, &s->dw, &t, &how, work, &r);
		stay = e.fix;
		how.protocol = PB_LOC_KIDNAP;
		pb_maze_trial(a, &s->dw, &t, &how, work, &r);
		gone = e.fix;
		far = fmax(far, pb_dist(stay, gone));
	}
	check(far > 5 * PB_MAZE_CELL);
	mazerun_close(s);
	free(s);
}

/* Way to the first wall, in steps so small that none is missed. */
static double
step_by_step(const struct pb_regions *g, struct pb_vec v, double th)
{
	const double step = 1e-3;
	double d = 0;

	while (pb_region_at(g, (int)floor(v.x + d * cos(th)),
		   (int)floor(v.y + d * sin(th))) >= 0)
		d += step;
	return d;
}

/* Four and eight sensors of a robot that is held at any heading. */
test(ranges_at_a_heading)
{
	static const double heading[] = {0, 0.2, -1, PB_PI / 4, 3};

	for (int i = 0; i < 10; i++) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun *s = malloc(sizeof(*s));
		struct pb_loc_fix fix;

		o.d.noise = 0;
		o.d.sensors = i % 2;
		o.d.heading = heading[i / 2];
		o.d.reach = 100;
		mazerun_open(s, &o);
		for (int k = 0; k < 40; k++) {
			struct pb_scan z;

			for (int n = 0; n < 7; n++)
				pb_maze_drive_tick(&s->d, &fix);
			z = pb_maze_drive_scan(&s->d);
			check_int((long)z.n, i % 2 ? 8 : 4);
			for (size_t b = 0; b < z.n; b++) {
				double th = o.d.heading + (double)b * z.inc;
				double far =
				    step_by_step(&s->dw.g, s->d.at, th);
				double want = far * PB_MAZE_CELL - 0.06604;

				/* A millimetre, and a step. */
				check_near(z.range[b], fmax(want, 0), 6e-4);
			}
		}
		mazerun_close(s);
		free(s);
	}
}

/* Wheels see the way turned by the compass's error, and too short. */
test(wheels)
{
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun *s = malloc(sizeof(*s));
	struct pb_loc_fix fix;
	struct pb_vec from;

	o.d.motor = 0;
	o.d.bias = 0.25;
	o.d.compass = PB_PI / 2;
	o.d.speed = 1;
	mazerun_open(s, &o);
	pb_maze_drive_tick(&s->d, &fix);
	from = s->d.at;
	s->d.odom = (struct pb_vec){0, 0};
	pb_maze_drive_tick(&s->d, &fix);
	check_near(s->d.at.x - from.x, 1.25 * s->d.odom.y, 1e-9);
	check_near(s->d.at.y - from.y, -1.25 * s->d.odom.x, 1e-9);
	check_near(pb_maze_drive_odom(&s->d).th, PB_PI / 2, 1e-12);
	mazerun_close(s);
	free(s);
}
