/* bot_search.c - a player of Pacbot that looks ahead in the exact engine. */
#include "policy/bots.h"
#include "policy/search_lines.h"

/*
 * The first move of the best line that a beam search finds is taken. Ghosts
 * are predicted exactly but for their turns while frightened. Then a line that
 * fits one made-up future proves little, so each first move is searched in
 * several futures, the same for all moves, and the average decides; shorter,
 * because the longer a line the more it fits its future. So it is before a
 * power pellet is eaten, which makes the ghosts roam; no longer once those who
 * still roam are out of reach, for the others may set a trap that only long
 * lines show.
 */
enum {
	DEPTH = 40,         /* moves ahead */
	FUTURES = 8,        /* while a ghost is frightened */
	FUTURES_DEPTH = 12, /* moves ahead in them */
};

/*
 * Memory of a game, followed by that of the search. What it holds from one
 * decision to the next are numbers: copying it is a snapshot.
 */
struct memory {
	struct pb_at believed; /* where his own moves have put Pac-Man */
	int lives, level;
	int since; /* tick at which the last power pellet was eaten */
	int power; /* power pellets left */
	int width; /* lines kept in a search */
	double lines[];
};

static int
beam_width(const struct pb_match_opts *o)
{
	int w = o->nodes / (DEPTH * 3);

	return w < 4 ? 4 : w > PB_BEAM_WIDEST ? PB_BEAM_WIDEST : w;
}

static size_t
memory(const struct pb_match_opts *o)
{
	return sizeof(struct memory) + pb_lines_size(beam_width(o));
}

static void
new_life(struct memory *m, const struct pb_bot_view *v)
{
	m->believed = v->s->pac;
	m->lives = v->s->lives;
	m->level = v->s->level;
	m->power = pb_search_power(v->s, &v->board->rules);
	m->since = v->s->tick;
}

static void
reset(void *mem, const struct pb_bot_view *v)
{
	struct memory *m = mem;

	m->width = beam_width(v->opts);
	new_life(m, v);
}

/* The move that is best on the average of several futures. */
static int
average(struct pb_lines *q, const struct pb_pacbot *now, int width)
{
	unsigned moves = pb_lines_moves(q, now);
	double best = -1e300;
	int first = PB_STAY, n = 0;

	for (int d = 0; d <= PB_STAY; d++)
		n += moves >> d & 1;
	q->depth = FUTURES_DEPTH;
	q->width = width * DEPTH / (FUTURES_DEPTH * FUTURES * n);
	if (q->width < 2)
		q->width = 2;
	for (int d = 0; d <= PB_STAY; d++) {
		double sum = 0;

		if (!(moves >> d & 1))
			continue;
		for (q->future = 0; q->future < FUTURES; q->future++) {
			pb_lines_search(q, now, 1u << d);
			sum += q->best;
		}
		if (sum > best) {
			best = sum;
			first = d;
		}
	}
	return first;
}

/* Whether going in direction d from s leads to a power pellet. */
static bool
eats_power(const struct pb_bot_view *v, const struct pb_pacbot *s, int d)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	struct pb_at to = pb_arcade_step(s->pac, d);

	return d != PB_STAY && to.row >= 0 && to.row < PB_PACBOT_ROWS &&
	       (s->pellets[to.row] & k->power[to.row]) >> to.col & 1;
}

static int
choose(struct memory *m, const struct pb_bot_view *v, struct pb_pacbot now)
{
	struct pb_lines q = {
	    .v = v, .aim = pb_search_aim(v, m->since), .depth = DEPTH};

	pb_lines_place(&q, m->lines, m->width);
	if (pb_search_hunts(v, &now))
		return average(&q, &now, m->width);
	pb_lines_search(&q, &now, ~0u);
	if (eats_power(v, &now, q.first))
		return average(&q, &now, m->width);
	return q.first;
}

/*
 * Whether the camera shows Pac-Man where he cannot be if his moves went well,
 * late and wrong as it is.
 */
static bool
strayed(const struct pb_bot_view *v, struct pb_at believed)
{
	const struct pb_cells *c = &v->board->cells;
	const struct pb_match_opts *o = v->opts;
	int seen = pb_cells_at(c, v->s->pac.row, v->s->pac.col);
	int here = pb_cells_at(c, believed.row, believed.col);
	int moved =
	    (o->camera_delay + o->ticks_per_cell - 1) / o->ticks_per_cell;

	return seen >= 0 && (here < 0 || pb_cells_dist(c, here, seen) >
					     moved + (o->wrong_cell > 0));
}

static int
decide(void *mem, const struct pb_bot_view *v)
{
	struct memory *m = mem;
	struct pb_pacbot now = *v->s;
	int d, power = pb_search_power(v->s, &v->board->rules);

	if (v->s->lives != m->lives || v->s->level != m->level) {
		new_life(m, v);
		m->believed = (struct pb_at){23, 13, PB_RIGHT};
	}
	if (power != m->power) {
		m->power = power;
		m->since = v->s->tick;
	}
	/* The camera is late and may be wrong; his own moves seldom are. */
	if (strayed(v, m->believed)) {
		m->believed.row = v->s->pac.row;
		m->believed.col = v->s->pac.col;
	}
	now.pac = m->believed;
	d = choose(m, v, now);
	if (d == PB_STAY)
		return d;
	m->believed.dir = (uint8_t)d;
	if (v->board->rules.board.exits[now.pac.row][now.pac.col] >> d & 1)
		m->believed = pb_arcade_step(m->believed, d);
	return d;
}

const struct pb_bot pb_bot_search = {
    "search", "looks ahead in the exact engine", memory, reset, decide};
