/*
 * pacbot.c - any bytes as what happens in a game of the competition: ticks,
 * commands of players and of a referee, and draws. After each the game is one
 * that the rules know.
 */
#include "fuzz.h"
#include "../unit/usual.h"

#include "pb/pacbot.h"

static struct pb_maze board;
static struct pb_pacbot_rules rules;

static int
pick(void *ctx, int ghost, int n)
{
	must(ghost >= 0 && ghost < PB_ARCADE_GHOSTS);
	must(n >= 1 && n <= 4);
	return fuzz_byte(ctx) % n;
}

static void
check_at(struct pb_at a)
{
	must(a.dir <= PB_STAY);
	must((a.row == PB_ARCADE_OFF && a.col == PB_ARCADE_OFF) ||
	     (a.row >= 0 && a.row < PB_PACBOT_ROWS && a.col >= 0 &&
		 a.col < PB_PACBOT_COLS));
}

static void
check_game(const struct pb_pacbot *s)
{
	int left = 0;

	for (int r = 0; r < PB_PACBOT_ROWS; r++) {
		must((s->pellets[r] & ~rules.pellets[r]) == 0);
		for (uint32_t b = s->pellets[r]; b != 0; b &= b - 1)
			left++;
	}
	must(left == s->left && left <= rules.dots);
	must(s->lives <= 3 && s->level >= 1 && s->combo <= 4);
	must(s->period >= 1 && s->period <= 12);
	must(s->mode == PB_SCATTER || s->mode == PB_CHASE);
	must(s->fruit_steps <= PB_FRUIT_STEPS);
	check_at(s->pac);
	if (s->pac.row != PB_ARCADE_OFF)
		must(pb_maze_open(&board, s->pac.row, s->pac.col));
	for (int i = 0; i < s->active; i++) {
		check_at(s->ghost[i].loc);
		check_at(s->ghost[i].next);
		must(s->ghost[i].fright <= PB_ARCADE_FRIGHT);
	}
}

/* What is on the wire is all that a frame can tell, and comes back. */
static void
check_frame(const struct pb_pacbot *s)
{
	uint8_t frame[PB_PACBOT_FRAME], again[PB_PACBOT_FRAME];
	struct pb_pacbot t;

	pb_pacbot_frame(s, frame);
	must(pb_pacbot_unframe(&t, frame) == -1);
	pb_pacbot_frame(&t, again);
	must(memcmp(frame, again, sizeof(frame)) == 0);
}

static void
command(struct pb_pacbot *s, struct fuzz_script *in,
    const struct pb_arcade_draw *draw, int op)
{
	static const uint8_t letter[] = "wasdwasdpPPPxxrR";
	uint8_t cmd[3];

	cmd[0] = letter[op % 16];
	cmd[1] = (uint8_t)(op / 16 > 13 ? fuzz_byte(in) : op * 7 % 31);
	cmd[2] = (uint8_t)(op / 16 > 13 ? fuzz_byte(in) : op * 5 % 28);
	pb_pacbot_command(s, &rules, draw, cmd, op / 16 % 4);
}

static void
happen(struct pb_pacbot *s, struct fuzz_script *in,
    const struct pb_arcade_draw *draw)
{
	int op = fuzz_byte(in);

	if (op < 160) {
		command(s, in, draw, op);
	} else if (op < 192) {
		pacbot_update(s, &rules, draw);
	} else if (op < 224) {
		pb_pacbot_end(s);
		pb_pacbot_begin(s, &rules, draw);
	} else {
		pb_pacbot_move(s, &rules, op % 5);
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct fuzz_script in = {bytes, bytes + n};
	struct pb_arcade_draw draw = {pick, &in};
	struct pb_pacbot s;

	if (board.rows == 0) {
		must(pb_maze_standard("pacman", &board) == PB_OK);
		pb_pacbot_rules_init(&rules, &board);
	}
	pb_pacbot_init(&s, &rules, fuzz_byte(&in) % 5);
	pb_pacbot_begin(&s, &rules, &draw);
	while (in.at < in.end) {
		happen(&s, &in, &draw);
		check_game(&s);
	}
	check_frame(&s);
	return 0;
}
