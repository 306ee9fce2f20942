/*
 * round.c - any bytes as what an operator does in a round of pacmanbot, on one
 * small house: after each step the game is one that the rules know, and a copy
 * made on the way goes on in the same way.
 */
#include "fuzz.h"

#include "game/pacmanbot/round_state.h"
#include "policy/players.h"

enum { W = 50, H = 40 };

/* So long may one input play, or few could (steps). */
enum { MOST = 600 };

static struct pb_arena *arena;
static struct pb_round *round_, *copy;

/* 5 x 4 m with a wall across and a gap in it; made once. */
static void
begin(void)
{
	struct pb_round_opts o = pb_round_defaults();
	struct pb_map m;

	o.estimate.sd = 0.1;
	o.clyde_missed = 0.2;
	o.theatrical = o.death_show = 1;
	o.duration = 60;
	must(pb_map_init(&m, W, H, 0.1, (struct pb_pose){0, 0, 0}) == PB_OK);
	for (int i = 0; i < W * H; i++) {
		int x = i % W, y = i / W;

		m.cell[i] = x == 0 || y == 0 || x == W - 1 || y == H - 1 ||
		                    (x == 24 && (y < 14 || y > 25))
		                ? 100
		                : 0;
	}
	must(pb_arena_new(&arena, &m, &o, NULL, NULL) == PB_OK);
	must(pb_round_new(&round_, arena, &o, &pb_player_seed, NULL) == PB_OK);
	must(pb_round_new(&copy, arena, &o, &pb_player_seed, NULL) == PB_OK);
	pb_map_clear(&m);
}

static void
check_round(const struct pb_round *r, double before)
{
	const struct pb_controller *c = &r->g.ctl;
	struct pb_vec ghost = r->clyde.at;
	struct pb_pose p = r->g.truth;

	must(pb_round_time(r) >= before);
	must(c->state >= PB_MENU && c->state <= PB_COMPLETE);
	must(c->round >= 1 && c->collected >= 0);
	must(c->actions >= 0 && c->actions <= PB_ACTIONS);
	must(memchr(c->result, 0, sizeof(c->result)) != NULL);
	must(p.x > 0 && p.x < W * 0.1 && p.y > 0 && p.y < H * 0.1);
	must(pb_arena_clearance(arena, (struct pb_vec){p.x, p.y}) > 0);
	must(pb_clyde_safe(&arena->clyde, pb_clyde_cell(&arena->clyde, ghost)));
}

static void
press(struct pb_round *r, int op, struct fuzz_script *in)
{
	switch (op) {
	case 0:
		pb_round_press_start(r);
		break;
	case 1:
		pb_round_press_reset(r);
		break;
	case 2:
		pb_round_clyde_speed(r, fuzz_byte(in) / 32. - 1);
		break;
	case 3:
		pb_round_base_speed(r, fuzz_byte(in) / 32. - 1);
		break;
	case 4:
		pb_round_click(r, (struct pb_vec){fuzz_byte(in) / 40. - 0.5,
				      fuzz_byte(in) / 40. - 0.5});
		break;
	case 5:
		pb_round_remove(r, fuzz_byte(in) - 4);
		break;
	case 6:
		pb_round_reset_pellets(r);
		break;
	default:
		pb_round_reset_clyde(r);
		break;
	}
}

/* Play the script; from the middle on the copy plays along. */
static void
play(struct fuzz_script *in, const unsigned char *middle)
{
	bool twin = false;
	int left = MOST;

	while (in->at < in->end && left > 0) {
		struct fuzz_script same = {0};
		int op = fuzz_byte(in), steps = op < 64 ? op / 8 : op - 63;
		double t = pb_round_time(round_);

		if (!twin && in->at >= middle) {
			pb_round_copy(copy, round_);
			twin = true;
		}
		same = *in;
		if (op < 64)
			press(round_, op % 8, in);
		if (op < 64 && twin)
			press(copy, op % 8, &same);
		for (int i = 0; i < steps && left > 0; i++, left--) {
			pb_round_step(round_);
			if (twin)
				pb_round_step(copy);
		}
		check_round(round_, t);
		if (twin)
			must(pb_round_hash(round_) == pb_round_hash(copy));
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct fuzz_script in = {bytes, bytes + n};

	if (arena == NULL)
		begin();
	pb_round_start(round_, (unsigned)fuzz_byte(&in), 0);
	play(&in, bytes + n / 2);
	return 0;
}
