/* pacbot_place.c - tests of placing Pac-Man on a cell. */
#define CHECK_MAIN
#include "check.h"

#include "pb/pacbot.h"

static struct pb_pacbot_rules rules;

/* Frightened ghosts are none of these tests' business. */
static int
pick(void *ctx, int ghost, int n)
{
	(void)ctx;
	(void)ghost;
	(void)n;
	return 0;
}

static const struct pb_arcade_draw draw = {.pick = pick};

/* A new game, its first update done and playing. */
static void
start(struct pb_pacbot *s, int active)
{
	uint8_t play = 'P';

	pb_pacbot_init(s, &rules, active);
	check(pb_pacbot_begin(s, &rules, &draw));
	pb_pacbot_command(s, &rules, &draw, &play, 1);
}

static void
place(struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row, int col)
{
	const uint8_t cmd[] = {'x', (uint8_t)row, (uint8_t)col};

	pb_pacbot_command(s, k, &draw, cmd, 3);
}

/* A placed Pac-Man walks up to eleven cells, eating, and jumps farther. */
test(placing)
{
	static const struct {
		int row, col, dir, score;
	} want[] = {
	    {23, 10, PB_LEFT, 30},  /* three cells, a pellet on each */
	    {20, 21, PB_UP, 100},   /* eleven, nothing on the first */
	    {19, 21, PB_RIGHT, 10}, /* twelve: he jumps, as he looked before */
	    {1, 1, PB_RIGHT, 10},
	};
	struct pb_pacbot s;

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		start(&s, 0);
		place(&s, &rules, want[i].row, want[i].col);
		check_int(s.pac.row, want[i].row);
		check_int(s.pac.col, want[i].col);
		check_int(s.pac.dir, want[i].dir);
		check_int(s.score, want[i].score);
		check_int(s.left, PB_PACBOT_DOTS - want[i].score / 10);
	}
}

test(placing_that_does_nothing)
{
	static const int nowhere[][2] = {
	    {0, 0}, {13, 13}, {31, 5}, {-1, 5}, {5, 28}, {5, -1}, {23, 13}};
	const uint8_t cut[] = {'x', 23, 10};
	struct pb_pacbot s, was;

	start(&s, 0);
	was = s;
	for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
		place(&s, &rules, nowhere[i][0], nowhere[i][1]);
	pb_pacbot_command(&s, &rules, &draw, cut, 2);
	s.paused = was.paused = true;
	place(&s, &rules, 23, 10);
	s.paused = was.paused = false;
	s.pause_on_update = was.pause_on_update = true;
	place(&s, &rules, 23, 10);
	check(memcmp(&s, &was, sizeof s) == 0);
}

/* Whom he meets on the way ends it; where no way leads he jumps. */
test(placing_on_the_way)
{
	struct pb_pacbot_rules island;
	struct pb_maze z;
	struct pb_pacbot s;

	start(&s, 1);
	s.ghost[0].loc = (struct pb_at){23, 11, PB_UP};
	place(&s, &rules, 23, 10);
	check_int(s.lives, 2);
	check_int(s.score, 20);
	check(s.pac.row == PB_ARCADE_OFF && s.pac.col == PB_ARCADE_OFF);
	check(s.pellets[23] >> 10 & 1);
	check_int(pb_maze_standard("pacman", &z), PB_OK);
	z.cell[3][3] = PB_MAZE_PELLET;
	pb_pacbot_rules_init(&island, &z);
	start(&s, 0);
	s.pellets[3] |= 1u << 3;
	place(&s, &island, 3, 3);
	check(s.pac.row == 3 && s.pac.col == 3 && s.pac.dir == PB_RIGHT);
	check_int(s.score, 10);
}

int
main(void)
{
	struct pb_maze z;

	pb_maze_standard("pacman", &z);
	pb_pacbot_rules_init(&rules, &z);
	run_tests();
	return done();
}
