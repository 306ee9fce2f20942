/*
 * wire.c - any bytes as frames of the competition's server: refused, or a game
 * whose frame is the same and whose record can be read, and which can be
 * played on, by players too.
 */
#include "fuzz.h"
#include "../unit/usual.h"

#include "game/pacbot/pacbot_frame.h"
#include "pb/match.h"
#include "policy/players.h"
#include "io/rec/rec.h"

static struct pb_maze board;
static struct pb_match_board tables;
static struct pb_weights weights; /* those of a trained player, all 0 */

static int
first(void *ctx, int ghost, int n)
{
	(void)ctx;
	(void)ghost;
	(void)n;
	return 0;
}

static const struct pb_arcade_draw draw = {first, NULL};

/* What any trained player plays by. */
static void
make_weights(const struct pb_weights_plan *p)
{
	static float zero[1 << 17];
	static struct pb_tensor at[64];

	must(p->tensors <= 64 && p->files <= PB_WEIGHTS_FILES);
	for (int i = 0; i < p->tensors; i++) {
		const struct pb_tensor_plan *t = &p->tensor[i];

		must(pb_tensor_size(t->dims, t->side) <= 1 << 17);
		at[i] = (struct pb_tensor){.dims = t->dims, .value = zero};
		strcpy(at[i].name, t->name);
		memcpy(at[i].side, t->side, sizeof(at[i].side));
	}
	for (int i = 0; i < p->files; i++)
		weights.file[i] =
		    (struct pb_tensors){.at = at, .n = p->tensors};
	weights.files = p->files;
}

/* What players make of it. */
static void
ask(const struct pb_pacbot *s)
{
	const struct pb_player *const *bot = pb_pacbot_players;
	struct pb_match_opts o = pb_match_defaults();
	struct pb_rng rng;
	const struct pb_bot_view v = {s, &tables, &o, &rng};

	if (pb_cells_at(&tables.cells, s->pac.row, s->pac.col) < 0)
		return;
	o.nodes = 100;
	pb_rng_start(&rng, 1, 0, PB_FOR_PLAYER, 0);
	for (int i = 0; bot[i] != NULL; i++) {
		struct pb_player_state t = {
		    .world = &tables, .opts = &o, .player = bot[i]};
		enum pb_dir d;

		o.weights = bot[i]->weights ? &weights : NULL;
		if (o.weights)
			make_weights(bot[i]->weights);
		must(pb_player_load(&t, &pb_game_pacbot) == PB_OK);
		pb_player_reset(&t, &v);
		d = pb_player_ask(&t, &v);
		must(d <= PB_STAY);
		pb_player_unload(&t, &pb_game_pacbot);
	}
}

/* Play on from the game. */
static void
play_on(struct pb_pacbot s)
{
	if (s.pac.row >= PB_ARCADE_OFF ||
	    pb_pacbot_impossible(&s, &tables.rules) != NULL)
		return;
	s.paused = false;
	ask(&s);
	for (int i = 0; i < 20; i++)
		pacbot_update(&s, &tables.rules, &draw);
}

/* A tick record of the game can be read. */
static void
tell(const struct pb_pacbot *s)
{
	struct pb_text o = {0};
	struct pb_seen k;
	struct pb_error bad;
	struct pb_rec r;

	pb_pacbot_observe(&k, s, &board, &tables.rules);
	pb_rec_put(&o, PB_REC_TICK,
	    pb_stamp_at((double)s->tick / PB_PACBOT_FPS, NULL), &k);
	must(o.len > 0);
	must(pb_rec_read(o.s, o.len - 1, PB_REC_ALL, &r, &bad));
	must(r.type == PB_REC_TICK);
	pb_rec_clear(&r);
	pb_text_clear(&o);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	uint8_t again[PB_PACBOT_FRAME];
	struct pb_pacbot_seen seen = {0};

	if (board.rows == 0) {
		must(pb_maze_standard("pacman", &board) == PB_OK);
		must(pb_match_board_init(&tables, &board) == PB_OK);
	}
	for (; n >= PB_PACBOT_FRAME;
	     bytes += PB_PACBOT_FRAME, n -= PB_PACBOT_FRAME) {
		int wrong = pb_pacbot_see_frame(&seen, &tables.rules, bytes);

		if (wrong >= 0) {
			must(wrong < PB_PACBOT_FRAME);
			continue;
		}
		pb_pacbot_frame(&seen.s, again);
		must(memcmp(again, bytes, sizeof(again)) == 0);
		tell(&seen.s);
		play_on(seen.s);
	}
	return 0;
}
