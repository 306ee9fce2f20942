/* zumy_plan.c - what patrols of the Zumy game decide, and share. */
#include "game/zumy/zumy_state.h"

static bool
same(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return a.row == b.row && a.col == b.col;
}

/* What one has seen, all know. */
void
pb_zumy_share(struct pb_zumy *s, const struct pb_zumy_opts *o)
{
	struct pb_zumy_set all = s->patrol[0].map.known;

	for (int i = 1; i < o->patrols; i++)
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			all.row[r] |= s->patrol[i].map.known.row[r];
	for (int i = 0; i < o->patrols; i++)
		s->patrol[i].map.known = all;
}

/* How many patrols are nearer to the player's last place than patrol i. */
static int
rank(const struct pb_zumy *s, const struct pb_zumy_opts *o, int i)
{
	struct pb_zumy_cell last = s->patrol[i].map.last;
	int mine = pb_zumy_manhattan(s->patrol[i].body.at, last), n = 0;

	for (int k = 0; k < o->patrols; k++) {
		int d = pb_zumy_manhattan(s->patrol[k].body.at, last);

		n += d < mine || (d == mine && k < i);
	}
	return n;
}

/* How far cell c is from the nearest patrol but i. */
static int
apart(const struct pb_zumy *s, const struct pb_zumy_opts *o, int i,
    struct pb_zumy_cell c)
{
	int least = 100;

	for (int k = 0; k < o->patrols; k++) {
		int d = pb_zumy_manhattan(s->patrol[k].body.at, c);

		if (k != i && d < least)
			least = d;
	}
	return least;
}

/*
 * Patrols that share: the one nearest to the player goes after him, the others
 * to known cells next to him on other sides, so that he is cut off.
 */
static struct pb_zumy_cell
spread_goal(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i, struct pb_zumy_cell usual)
{
	struct pb_zumy_cell last = s->patrol[i].map.last, best = usual;
	int worth = -1;

	if (rank(s, o, i) == 0)
		return usual;
	for (int row = last.row - 3; row <= last.row + 3; row++)
		for (int col = last.col - 3; col <= last.col + 3; col++) {
			struct pb_zumy_cell c = {(int8_t)row, (int8_t)col};
			int w;

			if (!pb_zumy_has(&b->ground.open, row, col) ||
			    !pb_zumy_has(&s->patrol[i].map.known, row, col) ||
			    same(c, b->ground.goal))
				continue;
			w = 4 * apart(s, o, i, c) - pb_zumy_manhattan(c, last);
			if (w > worth) {
				worth = w;
				best = c;
			}
		}
	return best;
}

/* What a decision of patrol i depends on. */
static struct pb_zumy_plan
premises(const struct pb_zumy *s, const struct pb_zumy_opts *o, int i)
{
	const struct pb_zumy_patrol *p = &s->patrol[i];
	struct pb_zumy_plan n = {
	    .made = true, .at = p->body.at, .last = p->map.last};

	for (int k = 0; k < o->patrols; k++)
		n.other[k] = s->patrol[k].body.at;
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		n.known += p->map.known.row[r];
	return n;
}

static bool
same_premises(const struct pb_zumy_plan *a, const struct pb_zumy_plan *b,
    const struct pb_zumy_opts *o)
{
	for (int k = 0; k < o->patrols; k++)
		if (!same(a->other[k], b->other[k]))
			return false;
	return a->made == b->made && a->known == b->known &&
	       same(a->at, b->at) && same(a->last, b->last);
}

/* Where patrol i wants to be, and what it knows that it may drive on. */
static struct pb_zumy_cell
goal_of(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i, struct pb_zumy_set *open)
{
	const struct pb_zumy_patrol *p = &s->patrol[i];
	struct pb_zumy_cell other[PB_ZUMY_PATROLS], goal;
	int n = 0;

	for (int k = 0; k < o->patrols; k++)
		if (k != i)
			other[n++] = s->patrol[k].body.at;
	goal = pb_patrol_goal(&p->map, &b->ground, p->body.at, other, n);
	if (o->share)
		goal = spread_goal(s, b, o, i, goal);
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		open->row[r] = p->map.known.row[r] & b->ground.open.row[r];
	return goal;
}

struct pb_zumy_cell
pb_zumy_patrol_plan(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i, struct pb_zumy_path *way)
{
	struct pb_zumy_set open;
	const struct pb_zumy_search search = {.ground = &b->ground,
	    .open = &open,
	    .start_prices = pb_zumy_slips(o, PB_ZUMY_START_PRICES),
	    .wraps = pb_zumy_slips(o, PB_ZUMY_WRAPS)};
	struct pb_zumy_cell goal = goal_of(s, b, o, i, &open);

	pb_zumy_find(&search, s->patrol[i].body.at, goal, way);
	return goal;
}

/* Where patrol i wants to drive, by what it knows; it is planned once. */
static const struct pb_zumy_plan *
plan(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	struct pb_zumy_plan now = premises(s, o, i);
	struct pb_zumy_path way;
	struct pb_zumy_set open;
	const struct pb_zumy_search plain = {
	    .ground = &b->ground, .open = &open};

	if (same_premises(&p->plan, &now, o))
		return &p->plan;
	if (pb_zumy_slips(o, PB_ZUMY_START_PRICES) ||
	    pb_zumy_slips(o, PB_ZUMY_WRAPS)) {
		pb_zumy_patrol_plan(s, b, o, i, &way);
		now.dir = (int8_t)pb_zumy_first(&way);
		now.ends = way.ended;
	} else {
		struct pb_zumy_cell goal = goal_of(s, b, o, i, &open);

		now.dir = (int8_t)pb_zumy_way(&plain, p->body.at, goal);
	}
	p->plan = now;
	return &p->plan;
}

bool
pb_zumy_patrol_ends(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i)
{
	return pb_zumy_slips(o, PB_ZUMY_WRAPS) && plan(s, b, o, i)->ends;
}

enum pb_dir
pb_zumy_choose(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i)
{
	enum pb_dir d = (enum pb_dir)plan(s, b, o, i)->dir;

	return pb_zumy_patrol_may(s, b, o, i, d) ? d : PB_STAY;
}
