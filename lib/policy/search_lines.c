/* search_lines.c - lines of moves, followed in the exact engine of Pacbot. */
#include "policy/search_lines.h"

#include <math.h>

#include "base/hash.h"

size_t
pb_lines_size(int width)
{
	size_t w = (size_t)width;

	return 2 * ((w + 1) * sizeof(struct pb_line) + pb_beam_size(width));
}

void
pb_lines_place(struct pb_lines *q, void *mem, int width)
{
	struct pb_line *line = mem;
	char *beams = (char *)(line + 2 * (width + 1));

	for (int i = 0; i < 2; i++) {
		q->layer[i].line = line + i * (width + 1);
		pb_beam_place(&q->layer[i].beam,
		    beams + (size_t)i * pb_beam_size(width), width);
	}
	q->now = 0;
	q->width = width;
}

/* Made-up turns of frightened ghosts: a counter, mixed. */
static int
pick(void *ctx, int ghost, int n)
{
	uint64_t *c = ctx, x;

	*c += UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)ghost;
	x = (*c ^ *c >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	return (int)((x >> 33) % (uint64_t)n);
}

static int
ticks_to_update(const struct pb_pacbot *s)
{
	return s->period - s->tick % s->period;
}

/*
 * The ghosts plan what they will do, if they have not. That is put off until
 * somebody wants to know: most states are never looked at again.
 */
static void
plan(struct pb_line *n, const struct pb_pacbot_rules *k)
{
	const struct pb_arcade_draw draw = {pick, &n->luck};

	if (!n->planned)
		pb_pacbot_plan(&n->s, k, &draw);
	n->planned = true;
}

/* Let `ticks` pass, updates included, or until the game pauses. */
static void
pass(struct pb_line *n, const struct pb_pacbot_rules *k, int ticks)
{
	struct pb_pacbot *s = &n->s;

	while (!s->paused) {
		int end = s->tick + ticks, period = s->period;

		if (n->due > ticks || s->tick + n->due >= UINT16_MAX) {
			s->tick =
			    (uint16_t)(end < UINT16_MAX ? end : UINT16_MAX - 1);
			n->due -= ticks;
			return;
		}
		ticks -= n->due;
		s->tick = (uint16_t)(s->tick + n->due);
		s->ticked = true;
		plan(n, k);
		pb_pacbot_arrive(s);
		n->planned = false;
		n->due = s->period == period ? period : ticks_to_update(s);
	}
}

/* What two states must share to be one: all that decides what comes next. */
static uint64_t
key_of(const struct pb_pacbot *s)
{
	uint64_t h = (uint64_t)s->pac.row << 8 | (uint64_t)s->pac.col;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];

		h = h * UINT64_C(0x100000001b3) +
		    ((uint64_t)(uint8_t)g->loc.row << 24 |
			(uint64_t)(uint8_t)g->loc.col << 16 |
			(uint64_t)g->loc.dir << 8 | (uint64_t)(g->fright > 0));
	}
	return h;
}

/* n: what comes of waiting or moving in direction d from p, a planned one. */
static void
follow(const struct pb_lines *q, const struct pb_line *p, int d, uint64_t luck,
    struct pb_line *n)
{
	const struct pb_pacbot_rules *k = &q->v->board->rules;
	const struct pb_match_opts *o = q->v->opts;
	int turn = d != PB_STAY && d != p->s.pac.dir ? o->turn_ticks : 0;

	*n = *p;
	n->ticks += turn + o->ticks_per_cell;
	n->luck = luck;
	if (turn > 0)
		pass(n, k, turn);
	plan(n, k);
	if (d != PB_STAY) {
		pb_pacbot_move(&n->s, k, d);
		n->fruits += pb_search_eats_fruit(&p->s, &n->s);
		if (n->s.period != p->s.period)
			n->due = ticks_to_update(&n->s);
	}
	pass(n, k, o->ticks_per_cell);
}

unsigned
pb_lines_moves(const struct pb_lines *q, const struct pb_pacbot *s)
{
	unsigned stay = 1u << PB_STAY;

	/* Who is asked without a life left dies and has none less. */
	if (s->pac.row >= PB_ARCADE_OFF)
		return stay;
	return q->v->board->rules.board.exits[s->pac.row][s->pac.col] | stay;
}

static void
consider(struct pb_lines *q, double value, int first)
{
	if (value <= q->best)
		return;
	q->best = value;
	q->first = first;
}

/* Keep the line n, which is in the making, if it is good enough. */
static void
judge(struct pb_lines *q, struct pb_beam *beam, const struct pb_line *n)
{
	const struct pb_pacbot *s = q->v->s;
	double value, floor = -INFINITY;
	bool ends = n->s.lives < s->lives || n->s.level != s->level;
	uint64_t key = 0;
	int at = 0;

	if (!ends) {
		key = key_of(&n->s);
		floor = pb_beam_floor(beam, key, &at);
	}
	value = pb_search_value(&q->aim, &n->s, n->ticks, n->fruits, floor);
	if (ends)
		consider(q, value, n->first);
	else if (value > floor)
		pb_beam_keep(beam, at, key, value);
}

/* One move of every kept line; only `moves` where it is the first. */
static void
expand(struct pb_lines *q, int depth, unsigned moves)
{
	const struct pb_pacbot *s = q->v->s;
	uint64_t luck = pb_hash_u64(s->tick + q->future * 100003, depth);
	struct pb_line_layer *from = &q->layer[q->now],
			     *to = &q->layer[!q->now];

	pb_beam_empty(&to->beam, q->width);
	for (int i = 0; i < from->beam.n; i++) {
		struct pb_line *p = &from->line[from->beam.slot[i]];
		unsigned open = pb_lines_moves(q, &p->s) & moves;

		plan(p, &q->v->board->rules);
		for (int d = 0; d <= PB_STAY; d++) {
			struct pb_line *n;

			if (!(open >> d & 1))
				continue;
			n = &to->line[pb_beam_spare(&to->beam)];
			follow(q, p, d, luck, n);
			if (depth == 0)
				n->first = (uint8_t)d;
			judge(q, &to->beam, n);
		}
	}
	q->now = !q->now;
}

void
pb_lines_search(struct pb_lines *q, const struct pb_pacbot *s, unsigned moves)
{
	struct pb_line_layer *l = &q->layer[q->now];

	q->best = -1e300;
	q->first = PB_STAY;
	pb_beam_empty(&l->beam, 1);
	l->line[pb_beam_spare(&l->beam)] = (struct pb_line){
	    .s = *s, .due = ticks_to_update(s), .planned = true};
	pb_beam_keep(&l->beam, 0, 0, 0);
	for (int depth = 0; depth < q->depth && l->beam.n > 0; depth++) {
		expand(q, depth, depth == 0 ? moves : ~0u);
		l = &q->layer[q->now];
	}
	for (int i = 0; i < l->beam.n; i++)
		consider(q, l->beam.value[i], l->line[l->beam.slot[i]].first);
}
