/*
 * wire.c - any bytes as frames of the competition's server: refused, or a game
 * whose frame is the same and whose record can be read, and which can be
 * played on.
 */
#include "fuzz.h"

#include "game/pacbot.h"
#include "io/sim/pactick.h"
#include "io/rec.h"

static struct pb_maze board;
static struct pb_pacbot_rules rules;

static int
first(void *ctx, int ghost, int n)
{
	(void)ctx;
	(void)ghost;
	(void)n;
	return 0;
}

static const struct pb_arcade_draw draw = {first, NULL};

/* A tick record of the game, and the game of that record again. */
static void
tell(const struct pb_pacbot *s)
{
	struct pb_text o = {0};
	struct pb_rec_tick k;
	struct pb_bad bad;
	struct pb_rec r;
	struct pb_pacbot again;

	pb_pactick(&k, s, &board, &rules, false);
	pb_put_tick(&o, pb_pactick_stamp(s->tick), &k);
	must(o.len > 0 && !o.failed);
	must(pb_rec_read(o.s, o.len - 1, PB_REC_ALL, &r, &bad));
	must(r.type == PB_REC_TICK);
	if (pb_pactick_read(&r.tick, &rules, &again, &bad))
		for (int i = 0; i < 20; i++)
			pb_pacbot_skip(&again, &rules, &draw);
	pb_rec_clear(&r);
	pb_text_clear(&o);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	uint8_t again[PB_PACBOT_FRAME];
	struct pb_pacbot s;

	if (board.rows == 0) {
		must(pb_maze_standard("pacman", &board) == PB_OK);
		pb_pacbot_rules_init(&rules, &board);
	}
	for (; n >= PB_PACBOT_FRAME;
	     bytes += PB_PACBOT_FRAME, n -= PB_PACBOT_FRAME) {
		int wrong = pb_pacbot_unframe(&s, bytes);

		if (wrong >= 0) {
			must(wrong < PB_PACBOT_FRAME);
			continue;
		}
		pb_pacbot_frame(&s, again);
		must(memcmp(again, bytes, sizeof(again)) == 0);
		tell(&s);
	}
	return 0;
}
