/* onboard.c - tests of localizers on board of the robots that play. */
#include "check.h"
#include "rulesrun.h"
#include "usual.h"

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "localize/onboard.h"

#define ROBOTS 3

/* Three robots drive to and fro in their rows, half a cell a second. */
struct drive {
	struct pb_onboard *b;
	struct pb_onboard_robots c;
	struct pb_rover all[ROBOTS];
	struct pb_rover_opts o;
	double cell;
};

static void
begin(struct drive *d, const char *board, double cell, int localizer)
{
	const struct pb_roomba_opts game = pb_roomba_defaults();
	struct pb_maze z;

	*d = (struct drive){.cell = cell};
	d->o.slip = 0.2;
	d->o.localizer = localizer;
	check_int(pb_maze_standard(board, &z), PB_OK);
	z.pitch = cell;
	check_int(pb_onboard_new(&z, localizer, 0.7 * cell, pb_roomba_params,
		      &game, &d->b),
	    PB_OK);
	d->c = (struct pb_onboard_robots){
	    d->b, calloc(1, pb_onboard_memory(d->b, ROBOTS)), ROBOTS};
	for (int i = 0; i < ROBOTS; i++)
		pb_rover_start(&d->all[i], &d->o,
		    (struct pb_pose){
			(0.5 + i) * cell, (i == 1 ? 10.5 : 0.5) * cell, 0},
		    1, 0, (unsigned)i);
	pb_onboard_start(&d->c, d->all, 1, 0);
}

static void
end(struct drive *d)
{
	free(d->c.mem);
	pb_onboard_free(d->b);
}

/* Step n: 2 cells there, half a turn, 2 cells back, half a turn. */
static void
drive(struct drive *d, int n)
{
	bool turns = n % 120 >= 80;
	struct pb_twist u = {turns ? 0 : 0.5 * d->cell, turns ? PB_PI / 2 : 0};

	for (int i = 0; i < ROBOTS; i++)
		pb_onboard_drive(&d->c, d->all, i, &d->o, u, 0.05);
}

/* One rule for all boards: errors are the same in cells. */
test(any_size)
{
	static const double side[] = {0.05, 0.14, 0.43, 2};
	double off[4] = {0};

	for (int k = 0; k < 4; k++) {
		struct pb_trial r = {.seed = 1};
		struct drive d;

		begin(&d, "roomba", side[k], PB_ROVER_MCL);
		for (int n = 0; n < 1500; n++)
			drive(&d, n);
		pb_onboard_result(d.c, 0, &r);
		off[k] = r.error_rms / side[k];
		printf("# cells of %g m: %d updates, rms %.4f cells\n", side[k],
		    r.updates, off[k]);
		check(r.updates > 200);
		check_int(r.wrong, 0);
		check_int(r.lost, 0);
		check(r.error_mean < 0.06 * side[k]);
		check(
		    pb_pose_dist(d.all[2].seen, d.all[2].pose) < 0.2 * side[k]);
		end(&d);
	}
	/* Only the range of the lidar is of the world. */
	check_near(off[1], off[2], 0.01);
}

/* Wheels alone drift away, with the same wheels. */
test(wheels_drift)
{
	struct pb_trial r = {.seed = 1};
	struct drive d;

	begin(&d, "roomba", 0.43, PB_ROVER_ODOM);
	for (int n = 0; n < 3000; n++)
		drive(&d, n);
	pb_onboard_result(d.c, 0, &r);
	check(r.error_rms > 0.25 * 0.43);
	check(r.wrong_cell > 0);
	/* Off by its place or by its heading, while it says that it tracks. */
	printf("# wrong: %d of %d, %d lost\n", r.wrong, r.updates, r.lost);
	check(r.wrong > 20 && r.wrong + r.lost <= r.updates);
	/* Without slip wheels are right. */
	end(&d);
	begin(&d, "roomba", 0.43, PB_ROVER_ODOM);
	d.o.slip = 0;
	for (int n = 0; n < 1200; n++)
		drive(&d, n);
	check(pb_pose_dist(d.all[1].seen, d.all[1].pose) < 1e-9);
	end(&d);
}

/* Each life has draws of its own, the first the same in all games. */
test(lives_differ)
{
	struct drive d;
	size_t n, differ = 0;
	unsigned char *first;

	begin(&d, "roomba", 0.43, PB_ROVER_MCL);
	n = pb_onboard_memory(d.b, ROBOTS);
	first = malloc(n);
	memcpy(first, d.c.mem, n);
	for (int i = 0; i < ROBOTS; i++)
		pb_onboard_place(&d.c, i, d.all[i].pose);
	for (size_t i = 0; i < n; i++)
		differ += ((unsigned char *)d.c.mem)[i] != first[i];
	/* Particles, not only a count of lives. */
	check(differ > 1000);
	free(first);
	end(&d);
}

/* Noise has no memory, and nothing is told of it. */
test(noise)
{
	struct pb_trial r = {.updates = 0};
	struct drive d;

	begin(&d, "zumy", 0.14, PB_ROVER_NOISE);
	check(d.b == NULL);
	check(pb_onboard_memory(d.b, 5) == 0);
	pb_onboard_result(d.c, 0, &r);
	check_int(r.updates, 0);
	end(&d);
}

/* A copy plays on as the game does, though its memory lies elsewhere. */
static void
copied(const char *name, const void *opts, const char *player, int steps)
{
	const struct pb_rules *rules = pb_rules_find(name);
	const struct pb_game *g = rules->game;
	const struct pb_player *p =
	    rules->player[pb_rules_player(rules, player)];
	struct pb_trial a = {.seed = 3}, b = a;
	struct pb_maze z;
	const struct pb_ground ground = {.maze = &z};
	struct pb_refusal no;
	void *world, *one, *two;

	check_int(pb_maze_standard(name, &z), PB_OK);
	check_int(pb_game_prepare(g, &ground, opts, &world, &no), PB_OK);
	check_int(pb_game_open(g, &one, world, opts, p, NULL), PB_OK);
	check_int(pb_game_open(g, &two, world, opts, p, NULL), PB_OK);
	pb_game_start(g, one, 3, 0, NULL);
	for (int i = 0; i < steps; i++)
		check(pb_game_step(g, one, NULL));
	pb_game_copy(g, two, one);
	while (pb_game_step(g, one, NULL))
		;
	pb_game_result(g, one, &a);
	pb_game_close(g, one);
	while (pb_game_step(g, two, NULL))
		;
	pb_game_result(g, two, &b);
	pb_game_close(g, two);
	pb_game_discard(g, world);
	check(a.hash == b.hash);
	check_int(a.updates, b.updates);
	check(a.updates > 10);
	check(a.error_rms == b.error_rms);
}

test(snapshot)
{
	struct pb_roomba_opts r = pb_roomba_defaults();
	struct pb_zumy_opts z = pb_zumy_defaults();

	r.motion = PB_MOTION_DRIVE;
	r.limit = 60;
	r.bodies.rover.localizer = PB_ROVER_MCL;
	copied("roomba", &r, "flee", 500);
	z.motion = PB_ZUMY_DRIVE;
	z.bodies.rover.localizer = PB_ROVER_MCL;
	copied("zumy", &z, "astar", 50);
}

/* A robot without a body has no lidar. */
test(refused)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	const struct pb_game *g = pb_rules_find("zumy")->game;
	char why[PB_GAME_WHY];

	o.bodies.rover.localizer = PB_ROVER_ODOM;
	check_str(pb_game_check(g, &o, why), "localizer");
	check_str(why, "has no effect here, only with motion=drive");
	o.motion = PB_ZUMY_DRIVE;
	check(pb_game_check(g, &o, why) == NULL);
}
