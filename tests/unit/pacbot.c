/* pacbot.c - tests of the official competition game, and of placing Pac-Man. */
#define CHECK_MAIN
#include "check.h"
#include "usual.h"

#include "base/hash.h"
#include "pb/pacbot.h"

static struct pb_pacbot_rules rules;

static struct pb_rng rng;
static const struct pb_arcade_draw draw = {pb_arcade_any_way, &rng};

/* A new game, its first update done and playing. */
static void
start(struct pb_pacbot *s, int active)
{
	uint8_t play = 'P';

	pb_rng_start(&rng, 1, 0, PB_FOR_GHOST, 0);
	pb_pacbot_init(s, &rules, active);
	check(pb_pacbot_begin(s, &rules, &draw));
	pb_pacbot_command(s, &rules, &draw, &play, 1);
}

test(first_frame)
{
	/* The first 35 bytes of a fresh game on the official server. */
	static const uint8_t want[35] = {0x00, 0x00, 0x0c, 0x00, 0x3b, 0x3c,
	    0x03, 0xbf, 0x00, 0x00, 0x01, 0x03, 0x00, 0x0b, 0xcd, 0x80, 0x00,
	    0x4d, 0x0d, 0x80, 0x04, 0xce, 0x0b, 0x80, 0x0f, 0xce, 0x0f, 0x80,
	    0x1f, 0x17, 0x4d, 0x20, 0x20, 0x00, 0x1e};
	uint8_t frame[PB_PACBOT_FRAME];
	struct pb_pacbot s;

	pb_pacbot_init(&s, &rules, 4);
	pb_pacbot_begin(&s, &rules, &draw);
	pb_pacbot_frame(&s, frame);
	check(memcmp(frame, want, sizeof want) == 0);
	check(sizeof s <= 256);
}

test(update_runs_once)
{
	struct pb_pacbot s;

	pb_pacbot_init(&s, &rules, 4);
	check(pb_pacbot_begin(&s, &rules, &draw));
	pb_pacbot_end(&s);
	check_int(s.tick, 0);
	check(!pb_pacbot_begin(&s, &rules, &draw));
}

test(first_scatter_lasts_sixty_updates)
{
	struct pb_pacbot s;

	start(&s, 0);
	for (int i = 0; i < 60; i++) {
		check_int(s.mode, PB_SCATTER);
		pacbot_update(&s, &rules, &draw);
	}
	check_int(s.mode, PB_CHASE);
	check_int(s.tick, 720);
}

test(penalties)
{
	struct pb_pacbot s;

	start(&s, 0);
	while (s.period == 12)
		pacbot_update(&s, &rules, &draw);
	check_int(s.tick, 11520);
	check_int(s.period, 10);
}

test(power_pellet)
{
	struct pb_pacbot s;

	start(&s, 4);
	s.pac = (struct pb_at){4, 1, PB_UP};
	pb_pacbot_move(&s, &rules, PB_UP);
	check_int(s.score, 50);
	check_int(s.left, 243);
	for (int i = 0; i < 4; i++) {
		check_int(s.ghost[i].fright, 40);
		check(s.ghost[i].trapped > 0);
	}
	/* Ghosts in one cell count 200, 400, 800 and 1600. */
	for (int i = 0; i < 4; i++)
		s.ghost[i].loc = (struct pb_at){2, 1, PB_UP};
	pb_pacbot_move(&s, &rules, PB_UP);
	check_int(s.score, 50 + 10 + 3000);
	check(s.ghost[0].eaten && s.ghost[0].next.row == 13);
}

test(death_and_respawn)
{
	struct pb_pacbot s;

	start(&s, 4);
	s.ghost[2].loc = s.pac;
	pb_pacbot_move(&s, &rules, PB_DOWN); /* a wall: he only turns */
	check_int(s.lives, 2);
	check_int(s.pac.row, PB_ARCADE_OFF);
	check(s.pause_on_update);
	check_int(pacbot_update(&s, &rules, &draw), 12);
	check(s.paused);
	check_int(s.pac.row, 23);
	check_int(s.ghost[2].loc.row, 14);
}

test(mixed_ghosts_kill)
{
	struct pb_pacbot s;

	/* One frightened and one not in the same cell: death, no points. */
	start(&s, 4);
	s.ghost[0].loc = s.ghost[3].loc = s.pac;
	s.ghost[0].fright = 10;
	pb_pacbot_move(&s, &rules, PB_DOWN);
	check_int(s.lives, 2);
	check_int(s.score, 0);
}

test(level_is_cleared)
{
	struct pb_pacbot s;

	start(&s, 4);
	memset(s.pellets, 0, sizeof s.pellets);
	s.pellets[1] = 1u << 2;
	s.left = 1;
	s.pac = (struct pb_at){1, 1, PB_RIGHT};
	pb_pacbot_move(&s, &rules, PB_RIGHT);
	check_int(s.level, 2);
	check_int(s.period, 10);
	check_int(s.left, PB_PACBOT_DOTS);
	check_int(s.lives, 3);
	check(memcmp(s.pellets, rules.pellets, sizeof s.pellets) == 0);
}

test(clock_stops_at_the_last_tick)
{
	uint8_t play = 'P';
	struct pb_pacbot s;

	start(&s, 0);
	while (pacbot_update(&s, &rules, &draw) > 0)
		;
	check_int(s.tick, 65535);
	pb_pacbot_command(&s, &rules, &draw, &play, 1);
	check(s.paused);
}

test(pinned_hash)
{
	uint64_t h = PB_HASH_START;
	uint8_t frame[PB_PACBOT_FRAME], play = 'P', again = 'r';
	struct pb_pacbot s;
	struct pb_rng q = draws(1, PB_FOR_PLAYER);

	start(&s, 4);
	for (int i = 0; i < 100000; i++) {
		if (s.lives == 0 || s.tick > 60000)
			pb_pacbot_command(&s, &rules, &draw, &again, 1);
		pb_pacbot_command(&s, &rules, &draw, &play, 1);
		pb_pacbot_move(&s, &rules, (int)(pb_rng_u64(&q) >> 62));
		pacbot_update(&s, &rules, &draw);
		pb_pacbot_frame(&s, frame);
		h = pb_hash_bytes(h, frame, sizeof frame);
	}
	check(h == UINT64_C(0x5d50e84e26e88794));
}

/* Frames of a wild game are read back; no other byte passes unseen. */
test(frames_are_read)
{
	struct pb_rng q = draws(5, PB_FOR_PLAYER);
	struct pb_pacbot s, t = {0};
	uint8_t frame[PB_PACBOT_FRAME], again[PB_PACBOT_FRAME];
	const uint8_t play = 'P';

	pb_rng_start(&rng, 5, 0, PB_FOR_GHOST, 0);
	pb_pacbot_init(&s, &rules, 4);
	for (int i = 0; i < 20000; i++) {
		pb_pacbot_begin(&s, &rules, &draw);
		pb_pacbot_frame(&s, frame);
		check_int(pb_pacbot_unframe(&t, frame), -1);
		pb_pacbot_frame(&t, again);
		check(memcmp(frame, again, sizeof(frame)) == 0);
		check_int(t.left, s.left);
		pb_pacbot_command(&s, &rules, &draw, &play, 1);
		if (i % 3 == 0)
			pb_pacbot_move(&s, &rules, (int)(pb_rng_u64(&q) >> 62));
		pb_pacbot_end(&s);
	}
	/* A pellet where no board has one counts as well. */
	pb_pacbot_frame(&s, frame);
	frame[38] |= 1;
	check_int(pb_pacbot_unframe(&t, frame), -1);
	check_int(t.left, s.left + 1);
	frame[34] = 31;
	check_int(pb_pacbot_unframe(&t, frame), 34);
	frame[2] = 0;
	check_int(pb_pacbot_unframe(&t, frame), 2);
}

/* Bytes that a state can hold and no game can have. */
test(impossible_frames)
{
	static const struct {
		int byte, value;
	} bad[] = {
	    {12, 5},    /* a combo of more than four ghosts */
	    {13, 31},   /* the red ghost below the board */
	    {18, 28},   /* the pink one beside it */
	    {23, 41},   /* frightened for too long */
	    {29, 32},   /* Pac-Man nowhere, but for his column */
	    {30, 63},   /* and beside the board */
	    {35, 0x10}, /* a pellet there */
	};
	struct pb_pacbot s, t;
	uint8_t frame[PB_PACBOT_FRAME];

	pb_pacbot_init(&s, &rules, 4);
	pb_pacbot_begin(&s, &rules, &draw);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		pb_pacbot_frame(&s, frame);
		frame[bad[i].byte] = (uint8_t)bad[i].value;
		check_int(pb_pacbot_unframe(&t, frame), bad[i].byte);
	}
	/* What the other bytes say is told all the same. */
	frame[12] = 5;
	check_int(pb_pacbot_unframe(&t, frame), 12);
	check_int(t.lives, 3);
}

/* Whatever the combo, a ghost is worth no more than a score can hold. */
test(any_combo)
{
	static const struct {
		uint8_t combo;
		int score, next;
	} want[] = {{0, 200, 1}, {3, 1600, 4}, {8, 51200, 9}, {9, 65535, 10},
	    {31, 65535, 32}, {255, 65535, 255}};

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		struct pb_pacbot s;

		start(&s, 1);
		s.score = 0;
		s.pellets[1] = 0;
		s.pac = (struct pb_at){1, 1, PB_RIGHT};
		s.combo = want[i].combo;
		s.ghost[0].fright = 9;
		s.ghost[0].loc = (struct pb_at){1, 2, PB_LEFT};
		pb_pacbot_move(&s, &rules, PB_RIGHT);
		check_int(s.score, want[i].score);
		check_int(s.combo, want[i].next);
	}
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
