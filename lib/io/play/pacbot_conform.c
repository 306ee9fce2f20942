/* pacbot_conform.c - recordings of Pacbot games: made, and played again. */
#include "io/play/pacbot_conform.h"

#include <stdio.h>
#include <string.h>

#include "game/pacbot/pacbot_frame.h"
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
	bool joined;   /* since the last update: those may also turn back */
	struct pb_step_verdict v;
	long compared; /* numbers and frames */
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
	if (!t->joined)
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
		t->joined = t->joined && !t->updated;
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
	t->compared++;
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
	for (int i = 0; i < PB_STEP_VALUES && !t->differs; i++) {
		if (k->value[i] < 0)
			continue;
		t->v.compared[i]++;
		t->compared++;
		if (k->value[i] != ours[i])
			compare_number(
			    t, pb_step_field(i, field), k->value[i], ours[i]);
	}
	if (!t->differs && k->has_frame)
		compare_frame(t, t->v.gaps < 0 ? "ser" : "frame", k->frame);
}

static void
command(struct trace *t, const struct pb_step_cmd *c)
{
	const struct pb_arcade_draw d = draws(t);
	struct pb_pacbot before = t->s;

	pb_pacbot_command(&t->s, t->k, &d, c->byte, c->n);
	t->v.commands++;
	if (c->byte[0] == 'r' || c->byte[0] == 'R') {
		t->v.resets++;
		t->open = 0;
	} else
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
	if (!t->differs && k->post_pause >= 0 &&
	    k->post_pause != t->s.pause_on_update)
		compare_number(t, "postPauseOnUpdate", k->post_pause,
		    t->s.pause_on_update);
	t->v.lines++;
	return true;
}

static bool
tell_difference(struct trace *t, struct pb_place at)
{
	t->v.line = at.line;
	return pb_msg_refuse(at, "tick %ld: %s: expected %s, got %s", t->v.tick,
	    t->v.field, t->v.expected, t->v.got);
}

static bool
play_line(struct trace *t, const struct pb_line *l)
{
	struct pb_step k;
	struct pb_error bad = {""};

	if (l->len == 0)
		return true;
	if (!pb_step_read(&k, l->text, l->len, &bad) || !play(t, &k, &bad))
		return pb_msg_error_at(l->at, &bad);
	return !t->differs || tell_difference(t, l->at);
}

/*
 * What was sent between two frames of a capture is not in it. It is looked for:
 * the fewest commands that explain the second frame, of those here, with up to
 * MOVES moves, or a place where Pac-Man is found, in between.
 */
enum { MOVES = 5 };
static const char *const before[] = {"", "P", "r", "rP"};
static const char *const after[] = {"", "p"};

/* What came nearest to the next frame so far. */
struct guess {
	const struct trace *from;
	const struct pb_step *to;
	bool last; /* in it the commands of its tick may show already */
	struct trace best;
	int off; /* bytes that differ */
};

static void
type_in(struct trace *t, const char *keys)
{
	for (; *keys; keys++) {
		const struct pb_step_cmd c = {{(uint8_t)*keys}, 1};

		command(t, &c);
	}
}

static int
bytes_off(const struct trace *t, const struct pb_step *k)
{
	uint8_t ours[PB_PACBOT_FRAME];
	int n = 0;

	pb_pacbot_frame(&t->s, ours);
	for (int i = 0; i < PB_PACBOT_FRAME; i++)
		n += ours[i] != k->frame[i];
	return n;
}

/* Commands that may have been sent. */
struct typed {
	const char *first, *moves;
	const struct pb_at *place; /* NULL: none */
	const char *last;
};

/* False: who is paused does not move. */
static bool
type_all(struct trace *t, const struct typed *c)
{
	type_in(t, c->first);
	if (t->s.paused && (*c->moves || c->place || *c->last))
		return false;
	type_in(t, c->moves);
	if (c->place) {
		const struct pb_step_cmd x = {
		    {'x', (uint8_t)c->place->row, (uint8_t)c->place->col}, 3};

		command(t, &x);
	}
	type_in(t, c->last);
	return true;
}

/* Keep t if nothing came nearer to the frame; whether it is the frame. */
static bool
is_it(struct guess *g, const struct trace *t)
{
	int off = bytes_off(t, g->to);

	if (off < g->off) {
		g->best = *t;
		g->off = off;
	}
	return off == 0;
}

/*
 * Try these commands; whether they explain the frame. In the last they may show
 * already, with the frame that they followed or without, if that was lost.
 */
static bool
try(struct guess *g, const struct typed *c)
{
	struct trace t = *g->from;

	if (type_all(&t, c)) {
		if (g->last && is_it(g, &t))
			return true;
		advance(&t, g->to);
		if (is_it(g, &t))
			return true;
	}
	if (!g->last)
		return false;
	t = *g->from;
	advance(&t, g->to);
	return type_all(&t, c) && is_it(g, &t);
}

/* The same moves with all that may be about them. */
static bool
try_all(struct guess *g, const char *moves, const struct pb_at *place)
{
	/* A new game shows tick 0 or 1, and a pause is shown. */
	const size_t firsts = g->to->value[0] <= 1 ? 4 : 2;
	const size_t lasts = g->to->frame[3] == PB_PAUSED ? 2 : 1;

	for (size_t b = 0; b < firsts; b++)
		for (size_t a = 0; a < lasts; a++)
			if ((b != 1 || g->from->s.paused) &&
			    try(g, &(struct typed){
				       before[b], moves, place, after[a]}))
				return true;
	return false;
}

/* The trace at the frame k, or as near to it as commands get. */
static void
explain(struct trace *t, const struct pb_step *k, bool last)
{
	struct guess g = {
	    .from = t, .to = k, .last = last, .off = PB_PACBOT_FRAME + 1};
	const int *pac = &k->value[PB_STEP_PAC];
	const struct pb_at place = {
	    (int8_t)pac[0], (int8_t)pac[1], (uint8_t)pac[2]};
	bool found = false;

	for (int n = 0; n <= MOVES && !found; n++) {
		for (int i = 0; i < 1 << 2 * n && !found; i++) {
			char moves[MOVES + 1] = "";

			for (int j = 0; j < n; j++)
				moves[j] = "wasd"[i >> 2 * j & 3];
			found = try_all(&g, moves, NULL);
		}
		if (n == 1 && !found)
			found = try_all(&g, "", &place);
	}
	*t = g.best;
}

/*
 * Frames are missing before k, as the frame after it confirms; nothing can
 * after the last, whose tick tells alone.
 */
static bool
is_gap(
    const struct trace *t, const struct pb_step *k, const struct pb_step *next)
{
	int tick = k->value[0], passed = tick - t->s.tick, then;

	if (passed == 0 || passed == 1 || (passed < 0 && tick <= 1))
		return false;
	if (!next)
		return passed > 0;
	then = next->value[0] - tick;
	if (then == 0)
		return next->frame[3] == PB_PAUSED;
	return passed > 0 ? then > 0 : then == 1;
}

/* How many ghosts play: those that do not are never anywhere. */
static int
count_ghosts(const struct pb_pacbot *s)
{
	int n = 0;

	while (n < PB_ARCADE_GHOSTS &&
	       (s->ghost[n].loc.row < PB_ARCADE_OFF || s->ghost[n].eaten ||
		   s->pac.row >= PB_ARCADE_OFF))
		n++;
	return n;
}

/* Take up the game that k shows, whatever was before. */
static void
join(struct trace *t, const struct pb_step *k)
{
	struct pb_pacbot_seen seen = {.begun = false};
	int active = t->v.lines > 0 ? t->s.active : -1;

	pb_pacbot_see(&seen, t->k, k->frame);
	t->v.resets += t->v.lines > 0 && seen.s.tick < t->s.tick;
	t->s = seen.s;
	t->s.active = (uint8_t)(active < 0 ? count_ghosts(&t->s) : active);
	t->s.pause_on_update =
	    t->s.pac.row >= PB_ARCADE_OFF && (t->s.lives > 0 || !t->s.paused);
	t->it = k->it;
	t->open = (1u << t->s.active) - 1;
	t->joined = true;
}

/* Begin with a game's first frame, and compare it, or with any other. */
static void
begin_capture(struct trace *t, const struct pb_step *k)
{
	const struct pb_arcade_draw d = draws(t);
	int lives = k->frame[11];

	join(t, k);
	if (t->s.tick > 0 || !t->s.paused)
		return;
	pb_pacbot_init(&t->s, t->k, t->s.active);
	t->s.lives =
	    (uint8_t)(lives > 0 && lives < PB_PACBOT_LIVES ? lives
							   : PB_PACBOT_LIVES);
	t->open = 0;
	t->updated = pb_pacbot_begin(&t->s, t->k, &d);
	t->v.updates++;
	compare_state(t, k);
}

/* Compare a frame, number `line`; false: it differs, or nobody sends it. */
static bool
play_frame(struct trace *t, const struct pb_step *k, int impossible,
    const struct pb_step *next)
{
	struct pb_place at = {t->v.file, k->it + 1};
	bool first = t->v.lines == 0, gap = !first && is_gap(t, k, next);

	if ((first || gap) && impossible >= 0)
		return pb_msg_refuse(at,
		    "frame byte %d: no server sends 0x%02x", impossible,
		    k->frame[impossible]);
	if (first) {
		begin_capture(t, k);
	} else if (gap) {
		join(t, k);
		t->v.gaps++;
	} else {
		explain(t, k, next == NULL);
		compare_state(t, k);
	}
	t->v.lines++;
	return !t->differs || tell_difference(t, at);
}

/* Play the frames of a server as it sent them; each waits for the next. */
static enum pb_line_got
play_capture(struct trace *t, struct pb_lines *in, struct pb_error *bad)
{
	struct pb_step k[2];
	int wrong[2], n = 0;
	enum pb_line_got got;
	struct pb_line l;
	bool ok = true;

	t->blind = true;
	t->v.gaps = 0;
	while (ok &&
	       (got = pb_lines_block(in, PB_PACBOT_FRAME, &l, bad)) ==
		   PB_LINE_TEXT &&
	       l.len == PB_PACBOT_FRAME) {
		wrong[n % 2] = pb_step_frame(
		    &k[n % 2], (const uint8_t *)l.text, l.at.line - 1);
		if (n++ > 0)
			ok = play_frame(
			    t, &k[n % 2], wrong[n % 2], &k[(n + 1) % 2]);
	}
	if (ok && n > 0)
		ok = play_frame(t, &k[(n + 1) % 2], wrong[(n + 1) % 2], NULL);
	if (ok && got == PB_LINE_TEXT)
		ok = pb_msg_refuse(l.at,
		    "the frame is cut off after %zu of %d bytes", l.len,
		    PB_PACBOT_FRAME);
	if (ok && got == PB_LINE_BAD)
		ok = pb_msg_error_at(l.at, bad);
	return ok ? got : PB_LINE_FAIL;
}

/* Play a recording. */
static enum pb_line_got
play_lines(struct trace *t, struct pb_lines *in, struct pb_error *bad)
{
	struct pb_line l;
	enum pb_line_got got;

	t->v.gaps = -1;
	while ((got = pb_lines_next(in, &l, bad)) == PB_LINE_TEXT)
		if (!play_line(t, &l))
			return PB_LINE_FAIL;
	if (got == PB_LINE_BAD)
		pb_msg_error_at(l.at, bad);
	return got;
}

/* The fourth byte of a frame is a mode, of a text it is none so low. */
enum { MODE = 3, TEXT = '\t' };

static void
run_file(const struct pb_pacbot_rules *k, enum pb_conform_of of,
    char *const *file, struct pb_text *o)
{
	struct trace t = {.k = k, .of = of, .it = -1};
	struct pb_lines *in = pb_lines_new(file, 1);
	struct pb_error bad;
	bool end;

	if (!in) {
		pb_msg_system("no memory for a line");
		return;
	}
	t.v.file = strcmp(*file, "-") != 0 ? *file : "<stdin>";
	end = (pb_lines_below(in, MODE, TEXT) ? play_capture : play_lines)(
		  &t, in, &bad) == PB_LINE_END;
	t.v.agree = end && t.compared > 0;
	if (end && !t.v.agree)
		pb_msg_refuse((struct pb_place){t.v.file, 0}, "%s",
		    t.v.lines > 0 ? "nothing to compare" : "no lines");
	if (t.v.agree || t.differs)
		pb_step_put_verdict(o, &t.v);
	pb_lines_free(in);
}

void
pb_conform_run(const struct pb_pacbot_rules *k, enum pb_conform_of of,
    char *const *files, int n, struct pb_text *o)
{
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

	if (pb_seat_take(&t.seat, &pb_game_pacbot) != PB_OK)
		return pb_msg_system("no memory for the player");
	begin(&t, o);
	for (long i = 0;
	     i < r->iterations && pb_msg_out_ok() && !pb_msg_stopped(); i++)
		iterate(&t, i, o);
	pb_seat_leave(&t.seat, &pb_game_pacbot);
	return true;
}
