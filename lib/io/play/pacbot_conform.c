/* pacbot_conform.c - recordings of Pacbot games: made, and played again. */
#include "io/play/pacbot_conform.h"

#include <stdio.h>
#include <string.h>

#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

/* Iterations between two lines: more are a broken number, not a game. */
#define GAP 10000000

/* One trace being played. */
struct trace {
	const struct pb_pacbot_rules *k;
	enum pb_conform_of of;
	struct pb_pacbot s;
	long it; /* iteration that is open, -1: none yet */
	bool updated;
	const struct pb_step *now; /* where draws come from, NULL: none */
	int used;                  /* draws of it */
	bool blind;    /* no draws are recorded: turns come from the trace */
	unsigned open; /* ghosts whose turn is not known yet, as bits */
	struct pb_step_verdict v;
	bool differs;
};

/* Note the first difference: `file` is in the trace, `ours` ours. */
static void
differ(struct trace *t, const char *field, const char *file, const char *ours)
{
	bool test = t->of == PB_CONFORM_THEIRS;

	if (t->differs)
		return;
	t->differs = true;
	t->v.tick = t->s.tick;
	PB_REC_SET(t->v.field, field);
	PB_REC_SET(t->v.expected, test ? ours : file);
	PB_REC_SET(t->v.got, test ? file : ours);
}

static int
pick(void *ctx, int ghost, int n)
{
	struct trace *t = ctx;
	char field[PB_REC_WORD], file[PB_REC_WORD] = "no draw";
	char ours[PB_REC_WORD];
	const struct pb_step_draw *d = NULL;

	if (t->blind) {
		t->open |= 1u << ghost;
		return 0;
	}
	if (t->now && t->used < t->now->draws)
		d = &t->now->draw[t->used];
	if (d && d->ghost == ghost && d->bound == n) {
		t->used++;
		t->v.draws++;
		return d->value;
	}
	snprintf(field, sizeof(field), "draws[%d]", t->used);
	if (d)
		snprintf(
		    file, sizeof(file), "ghost %d of %d", d->ghost, d->bound);
	snprintf(ours, sizeof(ours), "ghost %d of %d", ghost, n);
	differ(t, field, file, ours);
	return 0;
}

static struct pb_arcade_draw
draws(struct trace *t)
{
	return (struct pb_arcade_draw){pick, t};
}

/* What the trace goes through, for the verdict. */
static void
count(struct trace *t, const struct pb_pacbot *before)
{
	const struct pb_pacbot *s = &t->s;

	t->v.deaths += before->lives > s->lives ? before->lives - s->lives : 0;
	t->v.levels += s->level > before->level;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		t->v.eaten += s->ghost[i].eaten && !before->ghost[i].eaten;
}

/*
 * Ghost i will turn as the trace has it, if that is a turn that it might have
 * drawn; if not, the comparison will tell.
 */
static void
turn(struct trace *t, int i, const int *at)
{
	struct pb_arcade *g = &t->s.ghost[i];
	const struct pb_arcade_board *b = &t->k->board;
	unsigned ways;

	t->open &= ~(1u << i);
	/* Eaten in between, it comes from the house. */
	if (g->loc.row >= PB_ARCADE_OFF)
		return;
	ways = (g->spawning ? b->house
			    : b->exits)[g->next.row & 31][g->next.col & 31];
	ways &= ~(1u << pb_arcade_back(g->loc.dir)) & 15;
	if (at[0] == g->next.row && at[1] == g->next.col && at[2] >= 0 &&
	    ways >> at[2] & 1)
		g->next.dir = (uint8_t)at[2];
}

/* Turn ghosts to where they are found after the update that is to come. */
static void
turn_by_loc(struct trace *t, const struct pb_step *k)
{
	struct pb_pacbot seen;
	bool frame = k->has_frame && pb_pacbot_unframe(&seen, k->frame) < 0;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const int *v = &k->value[PB_STEP_GHOST + i * PB_STEP_OF_GHOST];
		const struct pb_at *p = &seen.ghost[i].loc;
		int at[3];

		if (!(t->open >> i & 1))
			continue;
		if (frame) {
			at[0] = p->row;
			at[1] = p->col;
			at[2] = p->dir;
			turn(t, i, at);
		} else if (v[0] >= 0) {
			turn(t, i, v);
		}
	}
}

/* Turn ghosts as they say themselves that they will, if they do. */
static void
turn_by_next(struct trace *t, const struct pb_step *k)
{
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const int *v =
		    &k->value[PB_STEP_GHOST + i * PB_STEP_OF_GHOST + 3];

		if ((t->open >> i & 1) && v[0] >= 0)
			turn(t, i, v);
	}
}

/* Open iteration `it`; false: an update is missing that tells of turns. */
static bool
advance(struct trace *t, const struct pb_step *k)
{
	const struct pb_arcade_draw d = draws(t);

	t->now = NULL;
	t->used = 0;
	while (t->it < k->it && !t->differs) {
		struct pb_pacbot before;

		if (t->it >= 0)
			pb_pacbot_end(&t->s);
		before = t->s;
		if (++t->it == k->it)
			t->now = k;
		if (t->open && pb_pacbot_due(&t->s)) {
			if (t->now)
				turn_by_loc(t, k);
			if (t->open)
				return false;
		}
		t->updated = pb_pacbot_begin(&t->s, t->k, &d);
		t->v.updates += t->updated;
		t->v.ticks += t->s.ticked;
		count(t, &before);
	}
	turn_by_next(t, k);
	return true;
}

static void
compare_frame(struct trace *t, const char *name, const uint8_t *theirs)
{
	uint8_t ours[PB_PACBOT_FRAME];
	char field[PB_REC_WORD], a[8], b[8];

	pb_pacbot_frame(&t->s, ours);
	t->v.frames++;
	for (int i = 0; i < PB_PACBOT_FRAME; i++) {
		if (ours[i] == theirs[i])
			continue;
		snprintf(field, sizeof(field), "%s byte %d", name, i);
		snprintf(a, sizeof(a), "0x%02x", theirs[i]);
		snprintf(b, sizeof(b), "0x%02x", ours[i]);
		differ(t, field, a, b);
		return;
	}
}

static void
compare_number(struct trace *t, const char *field, int theirs, int ours)
{
	char a[16], b[16];

	if (theirs < 0 || theirs == ours)
		return;
	snprintf(a, sizeof(a), "%d", theirs);
	snprintf(b, sizeof(b), "%d", ours);
	differ(t, field, a, b);
}

static void
compare_state(struct trace *t, const struct pb_step *k)
{
	int ours[PB_STEP_VALUES];
	char field[PB_REC_WORD];

	pb_step_values(&t->s, t->updated, ours);
	for (int i = 0; i < PB_STEP_VALUES && !t->differs; i++)
		compare_number(
		    t, pb_step_field(i, field), k->value[i], ours[i]);
	if (!t->differs && k->has_frame)
		compare_frame(t, "ser", k->frame);
}

static void
command(struct trace *t, const struct pb_step_cmd *c)
{
	const struct pb_arcade_draw d = draws(t);
	struct pb_pacbot before = t->s;

	pb_pacbot_command(&t->s, t->k, &d, c->byte, c->n);
	t->v.commands++;
	if (c->byte[0] == 'r' || c->byte[0] == 'R')
		t->v.resets++;
	else
		count(t, &before);
}

static void
compare_draws(struct trace *t, const struct pb_step *k)
{
	char a[32], b[32];

	if (t->used == k->draws)
		return;
	snprintf(a, sizeof(a), "%d", k->draws);
	snprintf(b, sizeof(b), "%d", t->used);
	differ(t, "number of draws", a, b);
}

static bool
check_order(struct trace *t, const struct pb_step *k, struct pb_error *bad)
{
	if (t->v.lines == 0 && t->it < 0)
		pb_pacbot_init(&t->s, t->k, 4);
	if (k->it <= t->it)
		return pb_error_set(bad,
		    "conformance.it: expected more than %ld, that of the line before, "
		    "got %ld",
		    t->it, k->it);
	if (k->it - t->it > GAP)
		return pb_error_set(bad,
		    "conformance.it: expected at most %d iterations after %ld, got %ld",
		    GAP, t->it, k->it);
	if (t->of == PB_CONFORM_THEIRS && !k->has_frame)
		return pb_error_set(bad, "conformance.ser: missing");
	return true;
}

/* Play one line. False: bad says why it is no line of a trace. */
static bool
play(struct trace *t, const struct pb_step *k, struct pb_error *bad)
{
	if (k->meta && t->it >= 0)
		return pb_error_set(
		    bad, "conformance.meta: expected on the first line only");
	if (k->meta) {
		pb_pacbot_init(&t->s, t->k, k->active);
		t->blind = k->blind;
		t->v.lines++;
		return true;
	}
	if (!check_order(t, k, bad))
		return false;
	if (!advance(t, k))
		return pb_error_set(bad,
		    "conformance: expected the ghosts of iteration %ld, for "
		    "want of draws",
		    t->it);
	compare_state(t, k);
	for (int i = 0; i < k->cmds && !t->differs; i++)
		command(t, &k->cmd[i]);
	if (!t->differs)
		compare_draws(t, k);
	if (!t->differs && k->has_post)
		compare_frame(t, "post", k->post);
	if (!t->differs)
		compare_number(t, "postPauseOnUpdate", k->post_pause,
		    t->s.pause_on_update);
	t->v.lines++;
	return true;
}

static bool
play_line(struct trace *t, const struct pb_line *l)
{
	struct pb_step k;
	struct pb_error bad = {""};

	if (l->len == 0)
		return true;
	if (!pb_step_read(&k, l->text, l->len, &bad) || !play(t, &k, &bad)) {
		pb_msg_error_at(l->at, &bad);
		return false;
	}
	if (!t->differs)
		return true;
	t->v.line = l->at.line;
	pb_msg_refuse(l->at, "tick %ld: %s: expected %s, got %s", t->v.tick,
	    t->v.field, t->v.expected, t->v.got);
	return false;
}

static void
run_file(const struct pb_pacbot_rules *k, enum pb_conform_of of,
    char *const *file, struct pb_text *o)
{
	struct trace t = {.k = k, .of = of, .it = -1};
	struct pb_lines *in = pb_lines_new(file, file ? 1 : 0);
	struct pb_line l;
	struct pb_error bad;
	enum pb_line_got got;
	bool ok = true;

	if (!in) {
		pb_msg_system("no memory for a line");
		return;
	}
	t.v.file = file && strcmp(*file, "-") != 0 ? *file : "<stdin>";
	while (ok && (got = pb_lines_next(in, &l, &bad)) == PB_LINE_TEXT)
		ok = play_line(&t, &l);
	if (ok && got == PB_LINE_BAD)
		pb_msg_error_at(l.at, &bad);
	else if (ok && got == PB_LINE_END && t.v.lines == 0)
		pb_msg_refuse((struct pb_place){t.v.file, 0}, "no lines");
	t.v.agree = ok && got == PB_LINE_END && t.v.lines > 0;
	if (t.v.agree || t.differs)
		pb_step_put_verdict(o, &t.v);
	pb_lines_free(in);
}

void
pb_conform_run(const struct pb_pacbot_rules *k, enum pb_conform_of of,
    char *const *files, int n, struct pb_text *o)
{
	if (n == 0)
		run_file(k, of, NULL, o);
	for (int i = 0; i < n && !pb_msg_stopped() && pb_msg_out_ok(); i++)
		run_file(k, of, &files[i], o);
}

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
record_pick(void *ctx, int ghost, int n)
{
	struct tape *t = ctx;
	int v = (int)pb_rng_below(&t->ghosts, (uint32_t)n);

	if (t->k.draws < PB_STEP_DRAWS)
		t->k.draw[t->k.draws++] = (struct pb_step_draw){ghost, n, v};
	return v;
}

static void
record_command(struct tape *t, const void *bytes, int n)
{
	const struct pb_arcade_draw d = {record_pick, t};
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
		record_command(t, &"wasd"[d], 1);
}

static void
odd_command(struct tape *t)
{
	static const char list[] = "pPwasd.q";
	uint8_t place[3] = {'x', 0, 0};
	uint32_t n = pb_rng_below(&t->odd, 40);

	if (n == 0)
		record_command(t, pb_rng_below(&t->odd, 2) ? "r" : "R", 1);
	else if (n < 16) {
		place[1] = (uint8_t)(pb_rng_below(&t->odd, 33) - 1);
		place[2] = (uint8_t)(pb_rng_below(&t->odd, 30) - 1);
		record_command(t, place, pb_rng_below(&t->odd, 20) ? 3 : 2);
	} else
		record_command(t, &list[pb_rng_below(&t->odd, 8)], 1);
}

/* The commands of one iteration. */
static void
command_all(struct tape *t)
{
	if (t->r->odd > 0 && pb_rng_unit(&t->odd) < t->r->odd)
		odd_command(t);
	if (t->s.paused)
		record_command(t, pb_pacbot_over(&t->s) ? "r" : "P", 1);
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
	const struct pb_arcade_draw d = {record_pick, t};
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

	if (pb_seat_take(&t.seat, &pb_game_pacbot) != PB_OK) {
		pb_msg_system("no memory for the player");
		return false;
	}
	begin(&t, o);
	for (long i = 0; i < r->iterations && pb_msg_out_ok(); i++)
		iterate(&t, i, o);
	pb_seat_leave(&t.seat, &pb_game_pacbot);
	return true;
}
