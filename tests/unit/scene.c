/* scene.c - tests of collecting what is to be drawn. */
#include "check.h"

#include <string.h>

#include "view/scene.h"

static void
test_bodies_have_kinds(void)
{
	struct pb_scene s = {0};

	check(pb_scene_body(&s, "robot")->kind == PB_BODY_ROBOT);
	check(pb_scene_body(&s, "clyde")->kind == PB_BODY_GHOST);
	check(pb_scene_body(&s, "clyde_2")->kind == PB_BODY_GHOST);
	check(pb_scene_body(&s, "my_ghost")->kind == PB_BODY_GHOST);
	check(pb_scene_body(&s, "estimate")->kind == PB_BODY_OTHER);
	check(pb_scene_body(&s, "robot") == &s.body[0]);
	check_int((long long)s.bodies, 5);
	for (int i = 0; i < 2 * PB_SCENE_BODIES; i++) {
		char id[PB_SCENE_ID + 8];

		snprintf(id, sizeof(id), "body%d", i);
		pb_scene_pose(
		    &s, pb_scene_body(&s, id), (struct pb_pose){i, i, 0});
	}
	check_int((long long)s.bodies, PB_SCENE_BODIES);
	check(pb_scene_body(&s, "one too many") == &s.body[PB_SCENE_BODIES]);
	check(!pb_scene_body(&s, "and one more")->placed);
	pb_scene_clear(&s);
	check_int((long long)s.bodies, 0);
	pb_scene_clear(&s);
}

static void
test_long_ids_are_cut(void)
{
	struct pb_scene s = {0};
	char id[200];

	memset(id, 'x', sizeof(id));
	id[199] = '\0';
	check(pb_scene_body(&s, id) == pb_scene_body(&s, id));
	check_int((long long)strlen(s.body[0].id), PB_SCENE_ID - 1);
	pb_scene_clear(&s);
}

/* A spiral of 200,000 points: the trail stays bounded, even, and complete. */
static void
test_trails_thin_evenly(void)
{
	struct pb_scene s = {0};
	const struct pb_points *p;
	double longest = 0, end;

	for (int i = 0; i < 200000; i++) {
		double r = 1 + i * 1e-5, th = i * 1e-3;

		pb_scene_pose(&s, pb_scene_body(&s, "robot"),
		    (struct pb_pose){r * cos(th), r * sin(th), 0});
	}
	p = &s.body[0].trail;
	check(p->n >= PB_SCENE_TRAIL / 4 && p->n < PB_SCENE_TRAIL);
	for (size_t i = 1; i < p->n; i++)
		longest = fmax(longest, pb_dist(p->at[i - 1], p->at[i]));
	check(longest < 4 * s.body[0].step);
	end = pb_dist(p->at[p->n - 1], pb_pose_vec(s.body[0].pose));
	check(end <= s.body[0].step);
	check(pb_dist(p->at[0], (struct pb_vec){1, 0}) <= s.body[0].step);
	pb_scene_clear(&s);
}

static void
test_jumps_interrupt(void)
{
	struct pb_scene s = {0};
	const struct pb_points *p;
	size_t breaks = 0;

	for (int i = 0; i < 30000; i++) {
		if (i % 10000 == 0)
			pb_scene_body(&s, "robot")->jump = true;
		pb_scene_pose(&s, pb_scene_body(&s, "robot"),
		    (struct pb_pose){i % 10000 * 0.01, i / 10000, 0});
	}
	p = &s.body[0].trail;
	for (size_t i = 0; i < p->n; i++)
		breaks += !isfinite(p->at[i].x);
	check_int((long long)breaks, 2);
	check(p->n < PB_SCENE_TRAIL);
	pb_scene_pose(
	    &s, pb_scene_body(&s, "robot"), (struct pb_pose){NAN, 0, 0});
	check_near(s.body[0].pose.y, 2, 0);
	pb_scene_clear(&s);
}

static void
test_pellet_sets(void)
{
	struct pb_scene s = {0};

	for (int set = 0; set < 3; set++) {
		pb_scene_pellets_begin(&s);
		for (int i = set; i < 10; i++)
			pb_scene_pellet(&s, i, (struct pb_vec){i, 0}, i == 9);
		pb_scene_pellets_end(&s);
	}
	check_int((long long)s.pellets, 10);
	check_int((long long)pb_scene_left(&s), 8);
	pb_scene_eat(&s, 5);
	pb_scene_eat(&s, 5);
	pb_scene_eat(&s, 77);
	check_int((long long)pb_scene_left(&s), 7);
	check(s.pellet[0].eaten && s.pellet[1].eaten && s.pellet[5].eaten);
	pb_scene_restore(&s);
	check_int((long long)pb_scene_left(&s), 10);
	pb_scene_clear(&s);
}

static void
test_marks_keep_the_newest(void)
{
	struct pb_scene s = {0};

	for (int i = 0; i < PB_SCENE_MARKS + 10; i++)
		pb_scene_mark(&s, PB_MARK_DEATH, (struct pb_vec){i, 0});
	check_int((long long)pb_scene_marks(&s), PB_SCENE_MARKS);
	check_near(pb_scene_mark_at(&s, 0).at.x, 10, 0);
	check_near(pb_scene_mark_at(&s, PB_SCENE_MARKS - 1).at.x,
	    PB_SCENE_MARKS + 9, 0);
	pb_scene_clear(&s);
}

static void
test_long_lists_keep_their_ends(void)
{
	struct pb_scene s = {0};
	size_t n = 3 * PB_SCENE_POINTS + 5;
	struct pb_vec *at = calloc(n, sizeof(*at));

	for (size_t i = 0; i < n; i++)
		at[i] = (struct pb_vec){(double)i, 0};
	at[0].x = NAN;
	pb_scene_points(&s, &pb_scene_body(&s, "robot")->path, at, n);
	check(s.body[0].path.n <= PB_SCENE_POINTS);
	check_near(
	    s.body[0].path.at[s.body[0].path.n - 1].x, (double)(n - 1), 0);
	pb_scene_points(&s, &pb_scene_body(&s, "robot")->path, NULL, 0);
	check_int((long long)s.body[0].path.n, 0);
	free(at);
	pb_scene_clear(&s);
}

int
main(void)
{
	run(test_bodies_have_kinds);
	run(test_long_ids_are_cut);
	run(test_trails_thin_evenly);
	run(test_jumps_interrupt);
	run(test_pellet_sets);
	run(test_marks_keep_the_newest);
	run(test_long_lists_keep_their_ends);
	return done();
}
