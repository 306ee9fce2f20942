/* record.c - makes recordings of Pacbot games for tests of engines. */
#include <string.h>

#include "io/sim/conform.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

/* A game being recorded. */
struct tape {
	const struct pb_recorder *r;
	struct pb_pacbot s;
	struct pb_rng ghosts, odd;
	struct pb_seat seat;
	struct pb_step k;
	long wait; /* iterations to the next move */
};

static int
pick(void *ctx, int ghost, int n)
{
	struct tape *t = ctx;
	int v = (int)pb_rng_below(&t->ghosts, (uint32_t)n);

	if (t->k.draws < PB_STEP_DRAWS)
		t->k.draw[t->k.draws++] = (struct pb_step_draw){ghost, n, v};
	return v;
}

static void
command(struct tape *t, const void *bytes, int n)
{
	const struct pb_arcade_draw d = {pick, t};
	struct pb_step_cmd *c = &t->k.cmd[t->k.cmds++];

	memcpy(c->byte, bytes, (size_t)n);
	c->n = n;
	pb_pacbot_command(&t->s, &t->r->board->rules, &d, c->byte, n);
}

static void
move(struct tape *t)
{
	const struct pb_bot_view v = {
	    &t->s, t->r->board, t->r->opts, &t->seat.rng};
	int d = (int)pb_seat_ask(&t->seat, &v);

	if (d != PB_STAY)
		command(t, &"wasd"[d], 1);
}

static void
odd_command(struct tape *t)
{
	static const char list[] = "pPwasd.q";
	uint8_t place[3] = {'x', 0, 0};
	uint32_t n = pb_rng_below(&t->odd, 40);

	if (n == 0)
		command(t, pb_rng_below(&t->odd, 2) ? "r" : "R", 1);
	else if (n < 16) {
		place[1] = (uint8_t)(pb_rng_below(&t->odd, 33) - 1);
		place[2] = (uint8_t)(pb_rng_below(&t->odd, 30) - 1);
		command(t, place, pb_rng_below(&t->odd, 20) ? 3 : 2);
	} else
		command(t, &list[pb_rng_below(&t->odd, 8)], 1);
}

/* The commands of one iteration. */
static void
command_all(struct tape *t)
{
	if (t->r->odd > 0 && pb_rng_unit(&t->odd) < t->r->odd)
		odd_command(t);
	if (t->s.paused)
		command(t, pb_pacbot_over(&t->s) ? "r" : "P", 1);
	else if (t->wait > 0)
		t->wait--;
	else if (t->s.pac.row < PB_ARCADE_OFF && !t->s.pause_on_update) {
		move(t);
		t->wait = t->r->opts->ticks_per_cell - 1;
	}
}

static void
iterate(struct tape *t, long it, struct pb_text *o)
{
	const struct pb_arcade_draw d = {pick, t};
	bool update;

	t->k = (struct pb_step){.it = it, .has_frame = true};
	update = pb_pacbot_begin(&t->s, &t->r->board->rules, &d);
	pb_step_values(&t->s, update, t->k.value);
	pb_pacbot_frame(&t->s, t->k.frame);
	command_all(t);
	t->k.has_post = t->k.cmds > 0;
	pb_pacbot_frame(&t->s, t->k.post);
	t->k.post_pause = t->s.pause_on_update;
	if (update || t->k.cmds > 0)
		pb_step_put(o, &t->k);
	pb_pacbot_end(&t->s);
}

static void
begin(struct tape *t, struct pb_text *o)
{
	const struct pb_recorder *r = t->r;
	const struct pb_bot_view v = {&t->s, r->board, r->opts, &t->seat.rng};
	const struct pb_step_meta meta = {
	    r->opts->ghosts, r->bot->name, "update", r->seed, r->trial};

	pb_rng_start(&t->ghosts, r->seed, r->trial, PB_FOR_GHOST, 0);
	pb_rng_start(&t->odd, r->seed, r->trial, PB_FOR_SENSOR, 0);
	pb_seat_start(&t->seat, r->seed, r->trial);
	pb_pacbot_init(&t->s, &r->board->rules, r->opts->ghosts);
	pb_seat_reset(&t->seat, &v);
	pb_step_put_meta(o, &meta);
}

bool
pb_conform_record(const struct pb_recorder *r, struct pb_text *o)
{
	struct tape t = {.r = r,
	    .seat = {.world = r->board, .opts = r->opts, .player = r->bot}};

	if (pb_seat_open(&t.seat) != PB_OK) {
		pb_msg_system("no memory for the player");
		return false;
	}
	begin(&t, o);
	for (long i = 0; i < r->iterations && pb_msg_out_ok(); i++)
		iterate(&t, i, o);
	pb_seat_close(&t.seat);
	return true;
}
