/* scene.c - tests of collecting what is to be drawn, by calls and from records.
 */
#include "check.h"
#include "room.h"

/* Feed a record whose stamp is (t, id). */
static void
feed(struct pb_scene *s, struct pb_rec *r, double t, const char *id)
{
	r->stamp.t = t;
	snprintf(r->stamp.id, sizeof(r->stamp.id), "%s", id);
	pb_scene_build(s, r);
}

test(bodies_have_kinds)
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
		pb_scene_pose(pb_scene_body(&s, id), (struct pb_pose){i, i, 0});
	}
	check_int((long long)s.bodies, PB_SCENE_BODIES);
	check(pb_scene_body(&s, "one too many") == &s.body[PB_SCENE_BODIES]);
	check(!pb_scene_body(&s, "and one more")->placed);
	pb_scene_clear(&s);
	check_int((long long)s.bodies, 0);
	pb_scene_clear(&s);
}

test(long_ids_are_cut)
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
test(trails_thin_evenly)
{
	struct pb_scene s = {0};
	const struct pb_points *p;
	double longest = 0, end;

	for (int i = 0; i < 200000; i++) {
		double r = 1 + i * 1e-5, th = i * 1e-3;

		pb_scene_pose(pb_scene_body(&s, "robot"),
		    (struct pb_pose){r * cos(th), r * sin(th), 0});
	}
	p = &s.body[0].trail;
	check(p->n >= PB_SCENE_TRAIL / 4 && p->n < PB_SCENE_TRAIL);
	for (size_t i = 1; i < p->n; i++)
		longest = fmax(longest, pb_dist(p->at[i - 1], p->at[i]));
	/* A step is 1 to 3 mm, of which every 64th is kept. */
	check(longest < 64 * 0.0031);
	end = pb_dist(p->at[p->n - 1], pb_pose_vec(s.body[0].pose));
	check(end < 64 * 0.0031);
	check(pb_dist(p->at[0], (struct pb_vec){1, 0}) < 64 * 0.0031);
	pb_scene_clear(&s);
}

test(jumps_interrupt)
{
	struct pb_scene s = {0};
	const struct pb_points *p;
	size_t breaks = 0;

	for (int i = 0; i < 30000; i++) {
		if (i % 10000 == 0)
			pb_scene_body(&s, "robot")->jump = true;
		pb_scene_pose(pb_scene_body(&s, "robot"),
		    (struct pb_pose){i % 10000 * 0.01, i / 10000, 0});
	}
	p = &s.body[0].trail;
	for (size_t i = 0; i < p->n; i++)
		breaks += !isfinite(p->at[i].x);
	check_int((long long)breaks, 2);
	check(p->n < PB_SCENE_TRAIL);
	pb_scene_pose(pb_scene_body(&s, "robot"), (struct pb_pose){NAN, 0, 0});
	check_near(s.body[0].pose.y, 2, 0);
	pb_scene_clear(&s);
}

static size_t
left(const struct pb_scene *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->pellets; i++)
		n += !s->pellet[i].eaten;
	return n;
}

static void
command(struct pb_scene *s, const char *name, double id)
{
	struct pb_rec r = {.type = PB_REC_CMD};

	r.cmd.kind = PB_VALUE_NUM;
	r.cmd.num = id;
	snprintf(r.cmd.name, sizeof(r.cmd.name), "%s", name);
	feed(s, &r, 0, "");
}

test(pellet_sets)
{
	struct pb_scene s = {0};

	for (int set = 0; set < 3; set++)
		lay_pellets(&s, set, 10);
	check_int((long long)s.pellets, 10);
	check_int((long long)left(&s), 8);
	command(&s, "remove_pellet", 5);
	command(&s, "remove_pellet", 5);
	command(&s, "remove_pellet", 77);
	check_int((long long)left(&s), 7);
	check(s.pellet[0].eaten && s.pellet[1].eaten && s.pellet[5].eaten);
	command(&s, "reset_pellets", 0);
	check_int((long long)left(&s), 10);
	pb_scene_clear(&s);
}

test(marks_are_bounded)
{
	struct pb_scene s = {0};

	for (int i = 0; i < PB_SCENE_MARKS + 10; i++)
		pb_scene_mark(&s, PB_SIGN_DEATH, (struct pb_vec){i, 0}, NULL);
	check_int((long long)s.marks, PB_SCENE_MARKS);
	pb_scene_clear(&s);
}

test(long_lists_keep_their_ends)
{
	struct pb_scene s = {0};
	size_t n = 3 * PB_SCENE_POINTS + 5;
	struct pb_vec *at = calloc(n, sizeof(*at));

	for (size_t i = 0; i < n; i++)
		at[i] = (struct pb_vec){(double)i, 0};
	at[0].x = NAN;
	pb_scene_points(&pb_scene_body(&s, "robot")->path, at, n);
	check(s.body[0].path.n <= PB_SCENE_POINTS);
	check_near(
	    s.body[0].path.at[s.body[0].path.n - 1].x, (double)(n - 1), 0);
	pb_scene_points(&pb_scene_body(&s, "robot")->path, NULL, 0);
	check_int((long long)s.body[0].path.n, 0);
	free(at);
	pb_scene_clear(&s);
}

test(feed_follows_truth)
{
	struct pb_scene s = {0};
	struct pb_rec r = {.type = PB_REC_POSE};

	r.pose = (struct pb_rec_pose){.x = 1, .y = 2, .source = "truth"};
	feed(&s, &r, 1, "robot");
	r.pose = (struct pb_rec_pose){.x = 1.5, .y = 2, .source = "estimate"};
	feed(&s, &r, 1, "robot");
	check_int((long long)s.bodies, 2);
	check_near(s.body[0].pose.x, 1, 0);
	check_str(s.body[1].id, "estimate");
	check_near(s.t, 1, 0);
	/* 100 m in a tenth of a second is no drive. */
	r.pose = (struct pb_rec_pose){.x = 101, .y = 2, .source = "truth"};
	feed(&s, &r, 1.1, "");
	check_int((long long)s.body[0].trail.n, 3);
	check(!isfinite(s.body[0].trail.at[1].x));
	pb_scene_clear(&s);
}

/* A scan of one beam ahead by the robot at time t. */
static void
feed_beam(struct pb_scene *s, double t, double radius)
{
	double range = 2;
	struct pb_rec r = {.type = PB_REC_SCAN};

	r.scan = (struct pb_rec_scan){.range_min = NAN,
	    .range_max = NAN,
	    .radius = radius,
	    .range = &range,
	    .n = 1};
	feed(s, &r, t, "robot");
}

static void
feed_at(struct pb_scene *s, double t, const char *id, double x)
{
	struct pb_rec r = {.type = PB_REC_POSE};

	r.pose.x = x;
	feed(s, &r, t, id);
}

test(feed_scan_lies_where_its_body_was)
{
	struct pb_scene s = {0};
	const struct pb_body *b = &s.body[0];

	/* No pose at all: nowhere. */
	feed_beam(&s, 0, 0);
	check_int((long long)b->scan.n, 0);
	/* Its own pose, whenever that was, but the truth of that time. */
	feed_at(&s, 1, "robot", 10);
	feed_beam(&s, 2, 0);
	check_near(b->scan.at[0].x, 12, 1e-12);
	feed_at(&s, 3, "truth", 20);
	feed_beam(&s, 3, 0.5);
	check_near(b->scan.at[0].x, 22.5, 1e-12);
	/* The estimate of that time comes after the scan. */
	feed_at(&s, 3, "robot", 21);
	check_near(b->scan.at[0].x, 23.5, 1e-12);
	feed_at(&s, 4, "robot", 22);
	check_near(b->scan.at[0].x, 23.5, 1e-12);
	feed_at(&s, 5, "robot", 30);
	feed_at(&s, 5, "truth", 31);
	feed_beam(&s, 5, 0);
	check_near(b->scan.at[0].x, 32, 1e-12);
	pb_scene_clear(&s);
}

test(feed_belief_is_kept)
{
	struct pb_scene s = {0};
	struct pb_pose cloud[3] = {{1, 2, 0}, {3, 4, 0}, {5, 6, 0}};
	struct pb_rec r = {.type = PB_REC_BELIEF};
	struct pb_vec lo, hi;

	r.belief =
	    (struct pb_rec_belief){.n = 2, .particle = cloud, .particles = 3};
	r.belief.at[1].pose = (struct pb_pose){-7, 8, 1};
	feed(&s, &r, 1, "robot");
	check_int(s.body[0].guesses, 2);
	check_near(s.body[0].guess[1].pose.y, 8, 0);
	check_int((long long)s.body[0].cloud.n, 3);
	check(pb_scene_bounds(&s, &lo, &hi) && lo.x == -7 && hi.x == 5);
	/* The next replaces it. */
	r.belief = (struct pb_rec_belief){.n = 0};
	feed(&s, &r, 2, "robot");
	check(s.body[0].guesses == 0 && s.body[0].cloud.n == 0);
	pb_scene_clear(&s);
}

/* An estimate that means nothing leaves no way behind it. */
test(feed_uncertain_poses)
{
	struct pb_scene s = {0};
	struct pb_rec r = {.type = PB_REC_POSE};
	static const char *const status[] = {
	    "ambiguous", "lost", "tracking", "tracking"};
	int gaps = 0;

	for (int i = 0; i < 4; i++) {
		r.pose.x = 0.1 * i;
		PB_REC_SET(r.pose.status, status[i]);
		feed(&s, &r, i, "robot");
	}
	for (size_t i = 0; i < s.body[0].trail.n; i++)
		gaps += !isfinite(s.body[0].trail.at[i].x);
	check_int(gaps, 2);
	check_int((long long)s.body[0].trail.n, 6);
	check_int((long long)s.body[0].doubt[PB_LOC_AMBIGUOUS].n, 1);
	check_near(s.body[0].doubt[PB_LOC_LOST].at[0].x, 0.1, 1e-12);
	/* However many come, what is kept is bounded. */
	r.pose.has_fit = true;
	for (int i = 0; i < 5 * PB_SCENE_TRAIL; i++) {
		r.pose.fit = i % 3 ? 0.5 : NAN;
		PB_REC_SET(r.pose.status, "unmapped");
		feed(&s, &r, i, "robot");
	}
	check(s.body[0].doubt[PB_LOC_UNMAPPED].n > PB_SCENE_TRAIL / 4);
	check(s.body[0].doubt[PB_LOC_UNMAPPED].n < PB_SCENE_TRAIL);
	check(s.fit[PB_LOC_UNMAPPED].n > PB_SCENE_TRAIL / 4);
	check(s.fit[PB_LOC_UNMAPPED].n < PB_SCENE_TRAIL);
	check_near(s.fit[PB_LOC_UNMAPPED].at[9].y, 0.5, 1e-12);
	pb_scene_clear(&s);
}

/* In a game a trail goes back so many seconds, to the last jump at most. */
test(feed_trails_of_games)
{
	struct pb_scene s = {0};
	struct pb_rec r = {.type = PB_REC_STATE};
	const struct pb_body *b = &s.body[0];
	struct pb_points p;

	for (int i = 0; i <= 30; i++)
		feed_at(&s, i, "robot", 0.1 * (i < 28 ? i : 28));
	check_int((long long)pb_scene_trail(&s, b, 10).n, 29);
	feed(&s, &r, 30, "");
	p = pb_scene_trail(&s, b, 10);
	check_int((long long)p.n, 10);
	/* That from which it came in the tenth second before. */
	check_near(p.at[0].x, 1.9, 1e-12);
	check_near(p.at[9].x, 2.8, 1e-12);
	check_int((long long)pb_scene_trail(&s, b, 0).n, 29);
	feed_at(&s, 31, "robot", 80);
	feed_at(&s, 32, "robot", 80.5);
	check_int((long long)pb_scene_trail(&s, b, 10).n, 2);
	check_int((long long)pb_scene_trail(&s, b, 0).n, 32);
	pb_scene_clear(&s);
}

static void
feed_event(struct pb_scene *s, double t, const char *name)
{
	struct pb_rec r = {.type = PB_REC_EVENT};

	snprintf(r.event.name, sizeof(r.event.name), "%s", name);
	feed(s, &r, t, "");
}

/* Who caught the robot: the ghost that is named, that stares, or the nearest.
 */
test(feed_deaths)
{
	struct pb_scene s = {0};

	feed_event(&s, 0, "killed");
	check_int((long long)s.marks, 0);
	feed_at(&s, 1, "pacman", 1);
	feed_event(&s, 1, "killed");
	check(s.mark[0].by == NULL);
	feed_at(&s, 1, "inky", 4);
	feed_at(&s, 1, "clyde", 2);
	feed_event(&s, 1, "killed");
	check_str(s.mark[1].by->id, "clyde");
	feed_event(&s, 1, "inky killed");
	check_str(s.mark[2].by->id, "inky");
	/* A game may end otherwise. */
	feed_event(&s, 1, "game over");
	feed_event(&s, 1, "clyde caught");
	check_int((long long)s.marks, 3);
	PB_REC_SET(s.body[1].mode, "staring");
	feed_event(&s, 1, "game over");
	check_str(s.mark[3].by->id, "inky");
	check_near(s.mark[3].at.x, 1, 0);
	/* Ghosts that begin anew leave no line to there. */
	feed_at(&s, 2, "clyde", 2);
	feed_at(&s, 2, "clyde", 2.5);
	check_int((long long)s.body[2].trail.n, 3);
	pb_scene_clear(&s);
}

/* The ghosts' house: the box where ghosts begin in walls, and its door. */
test(houses)
{
	struct pb_scene s = {0};
	struct pb_maze z;
	int n = 0;

	check_int(pb_maze_standard("pacman", &z), PB_OK);
	check_int(pb_scene_build_maze(&s, &z), PB_OK);
	for (int r = 0; r < z.rows; r++)
		for (int c = 0; c < z.cols; c++)
			n += s.board.cell[r][c] == PB_SCENE_HOUSE;
	check_int(n, 11);
	check(s.has_house && s.board.cell[12][13] == PB_SCENE_HOUSE);
	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_scene_build_maze(&s, &z), PB_OK);
	check(s.has_house && s.board.cell[5][4] == PB_SCENE_HOUSE);
	check_int(pb_maze_standard("zumy", &z), PB_OK);
	check_int(pb_scene_build_maze(&s, &z), PB_OK);
	check(!s.has_house);
	pb_scene_clear(&s);
}

test(feed_scan_and_goal)
{
	struct pb_scene s = {0};
	struct pb_rec r = {.type = PB_REC_POSE};
	double range[] = {1, NAN, 2, 50, 0.01};

	r.pose = (struct pb_rec_pose){.x = 1, .y = 1, .theta = PB_PI / 2};
	feed(&s, &r, 0, "robot");
	r = (struct pb_rec){.type = PB_REC_SCAN};
	r.scan = (struct pb_rec_scan){.angle_increment = PB_PI / 2,
	    .range_min = 0.1,
	    .range_max = 10,
	    .range = range,
	    .n = 5};
	feed(&s, &r, 0, "robot");
	check_int((long long)s.body[0].scan.n, 2);
	check_near(s.body[0].scan.at[0].y, 2, 1e-12);
	check_near(s.body[0].scan.at[1].y, -1, 1e-12);
	r = (struct pb_rec){.type = PB_REC_GOAL};
	r.goal = (struct pb_rec_goal){
	    .status = "sent", .pellet = -1, .x = 3, .y = 4};
	feed(&s, &r, 0, "robot");
	check(s.body[0].has_goal);
	r.goal.pellet = 5;
	feed(&s, &r, 0, "robot");
	check(!s.body[0].has_goal && s.has_target && s.target == 5);
	PB_REC_SET(r.goal.status, "reached");
	feed(&s, &r, 0, "robot");
	check(!s.body[0].has_goal && !s.has_target);
	r.goal = (struct pb_rec_goal){
	    .kind = "home", .status = "sent", .pellet = -1, .x = 3, .y = 4};
	feed(&s, &r, 0, "robot");
	feed(&s, &r, 0, "robot");
	check(s.body[0].has_goal);
	check_int((long long)s.marks, 1);
	pb_scene_clear(&s);
}

test(feed_tells_the_state)
{
	struct pb_scene s = {0};
	struct pb_rec_pellet p[2] = {
	    {.id = 4, .x = 1, .y = 1}, {.id = 7, .x = 2, .y = 1}};
	struct pb_rec r = {.type = PB_REC_PELLETS};

	r.pellets = (struct pb_rec_pellets){p, 2};
	feed(&s, &r, 1, "");
	r.pellets = (struct pb_rec_pellets){p, 1};
	feed(&s, &r, 2, "");
	r = (struct pb_rec){.type = PB_REC_STATE};
	snprintf(r.state.state, sizeof(r.state.state), "returning_home");
	feed(&s, &r, 3.25, "");
	pb_scene_build_caption(&s);
	check_str(s.caption, "t 3.2 s, returning home, 1 of 2 pellets");
	r = (struct pb_rec){.type = PB_REC_CMD};
	r.cmd = (struct pb_rec_cmd){
	    .name = "remove_pellet", .kind = PB_VALUE_NUM, .num = 4};
	feed(&s, &r, 4, "");
	check_int((long long)left(&s), 0);
	pb_scene_clear(&s);
}

test(feed_boards)
{
	struct pb_scene s = {0};
	struct pb_rec r = {.type = PB_REC_MAZE};

	r.maze = (struct pb_maze){.rows = 2,
	    .cols = 2,
	    .cell = {"#o", ".#"},
	    .start = {1, 0, PB_UP},
	    .ghost = {{0, 1, PB_LEFT}},
	    .ghosts = 1};
	feed(&s, &r, NAN, "");
	check_int(s.map->width, 2);
	check_int(s.map->cell[2], 100); /* top left */
	check_int(s.map->cell[3], 0);
	check_int((long long)s.pellets, 2);
	check(s.pellet[0].power && !s.pellet[1].power);
	check_near(s.pellet[0].at.x, 1.5 * PB_MAZE_CELL, 1e-12);
	check_near(s.pellet[0].at.y, 1.5 * PB_MAZE_CELL, 1e-12);
	check_near(s.body[0].pose.th, PB_PI / 2, 1e-12);
	r = (struct pb_rec){.type = PB_REC_TICK};
	r.tick.body[0] = (struct pb_seen_body){
	    .id = "pacman", .row = 0, .col = 1, .dir = "right"};
	r.tick.bodies = 1;
	feed(&s, &r, 1, "");
	check_int((long long)left(&s), 1);
	check_near(s.body[0].pose.y, 1.5 * PB_MAZE_CELL, 1e-12);
	pb_scene_clear(&s);
}
