/* pacbot.c - the Pacbot game: its ghosts, and the engine tick by tick. */
#include "pb/pacbot.h"

#include <string.h>

#include "pb/rng.h"

static const struct pb_at spawn[PB_ARCADE_GHOSTS] = {
    {11, 13, PB_LEFT}, {13, 13, PB_DOWN}, {14, 11, PB_UP}, {14, 15, PB_UP}};

/* Updates that each ghost stays in the house after a reset. */
static const uint8_t first_trapped[PB_ARCADE_GHOSTS] = {0, 5, 16, 32};

/* Targets of the ghosts while they scatter; off the board. */
static const struct pb_at corner[PB_ARCADE_GHOSTS] = {
    {-3, 25, PB_STAY}, {-3, 2, PB_STAY}, {31, 27, PB_STAY}, {31, 0, PB_STAY}};

/* The inside of the house and the cell above it that leads out. */
static bool
is_in_house(int row, int col)
{
	return (row >= 13 && row <= 14 && col >= 11 && col <= 15) ||
	       (row == 12 && col == 13);
}

void
pb_arcade_board_init(struct pb_arcade_board *b, const struct pb_maze *z)
{
	memset(b, 0, sizeof(*b));
	for (int r = 0; r < PB_ARCADE_SIDE; r++)
		for (int c = 0; c < PB_ARCADE_SIDE; c++)
			for (int d = 0; d < 4; d++) {
				int tr = r + pb_dir_row[d],
				    tc = c + pb_dir_col[d];
				bool open = pb_maze_open(z, tr, tc);
				bool home = open || is_in_house(tr, tc);

				b->exits[r][c] |= (uint8_t)(open << d);
				b->house[r][c] |= (uint8_t)(home << d);
			}
}

int
pb_arcade_any_way(void *ctx, int ghost, int n)
{
	(void)ghost;
	return (int)pb_rng_below(ctx, (uint32_t)n);
}

int
pb_arcade_first_way(void *ctx, int ghost, int n)
{
	(void)ctx;
	(void)ghost;
	(void)n;
	return 0;
}

void
pb_arcade_reset(struct pb_arcade *g, int which, bool over)
{
	g->spawning = true;
	g->trapped = first_trapped[which];
	g->fright = 0;
	g->loc = (struct pb_at){PB_ARCADE_OFF, PB_ARCADE_OFF, PB_STAY};
	g->next = spawn[which];
	if (over)
		g->next.dir = which == PB_ORANGE ? PB_LEFT : PB_STAY;
}

void
pb_arcade_respawn(struct pb_arcade *g, int which)
{
	g->spawning = true;
	g->eaten = true;
	g->loc = (struct pb_at){PB_ARCADE_OFF, PB_ARCADE_OFF, PB_STAY};
	/* The red ghost's own spawn is outside: it takes the pink one's. */
	g->next = spawn[which == PB_RED ? PB_PINK : which];
	g->next.dir = PB_UP;
}

/* The cell `n` steps ahead of p. */
static struct pb_at
cell_ahead(struct pb_at p, int n)
{
	p.row = (int8_t)(p.row + n * pb_dir_row[p.dir]);
	p.col = (int8_t)(p.col + n * pb_dir_col[p.dir]);
	return p;
}

static struct pb_at
chase_target(
    const struct pb_arcade *g, int which, const struct pb_arcade_view *v)
{
	struct pb_at t = v->pac;
	int dr, dc;

	switch (which) {
	case PB_PINK:
		return cell_ahead(t, 4);
	case PB_CYAN:
		t = cell_ahead(t, 2);
		t.row = (int8_t)(2 * t.row - v->red.row);
		t.col = (int8_t)(2 * t.col - v->red.col);
		return t;
	case PB_ORANGE:
		dr = g->loc.row - t.row;
		dc = g->loc.col - t.col;
		return dr * dr + dc * dc >= 64 ? t : corner[which];
	default:
		return t;
	}
}

static struct pb_at
current_target(
    const struct pb_arcade *g, int which, const struct pb_arcade_view *v)
{
	if (g->spawning && !pb_arcade_out(g->loc) && !pb_arcade_out(g->next))
		return (struct pb_at){
		    PB_ARCADE_OUT_ROW, PB_ARCADE_OUT_COL, PB_STAY};
	return v->chase ? chase_target(g, which, v) : corner[which];
}

/* The lowest direction of a set that is not empty. */
static int
lowest_direction(unsigned ways)
{
	static const uint8_t least[16] = {
	    0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};

	return least[ways];
}

/*
 * The direction among `ways` whose cell is nearest to t, the first of equals.
 * Squared distances differ by a constant from twice the step along the line
 * from t.
 */
static int
nearest_direction(struct pb_at p, unsigned ways, struct pb_at t)
{
	int dr = p.row - t.row, dc = p.col - t.col;
	const int along[4] = {-dr, -dc, dr, dc};
	int best = lowest_direction(ways);

	for (ways &= ways - 1; ways; ways &= ways - 1)
		if (along[lowest_direction(ways)] < along[best])
			best = lowest_direction(ways);
	return best;
}

/* The k-th direction of `ways`. */
static int
nth_way(unsigned ways, int k)
{
	while (k-- > 0)
		ways &= ways - 1;
	return lowest_direction(ways);
}

void
pb_arcade_plan(struct pb_arcade *g, int which, const struct pb_arcade_board *b,
    const struct pb_arcade_view *v, const struct pb_arcade_draw *draw)
{
	static const uint8_t bits[16] = {
	    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
	unsigned ways;
	int drawn = -1;

	if (g->loc.row >= PB_ARCADE_OFF)
		return;
	g->next = pb_arcade_step(g->loc, g->loc.dir);
	if (g->trapped > 0) {
		g->next.dir = (uint8_t)pb_arcade_back(g->loc.dir);
		g->trapped--;
		return;
	}
	ways = (g->spawning ? b->house
			    : b->exits)[g->next.row & 31][g->next.col & 31];
	ways &= ~(1u << pb_arcade_back(g->next.dir)) & 15;
	if (ways == 0)
		return;
	if (g->fright > 1)
		drawn = draw->pick(draw->ctx, which, bits[ways]);
	if (which < draw->agents.n) {
		g->next.dir = (uint8_t)draw->agents.turn(
		    draw->agents.ctx, which, ways, drawn);
	} else if (drawn >= 0) {
		g->next.dir = (uint8_t)nth_way(ways, drawn);
	} else if ((ways & (ways - 1)) == 0) {
		g->next.dir = (uint8_t)lowest_direction(ways);
	} else {
		g->next.dir = (uint8_t)nearest_direction(
		    g->next, ways, current_target(g, which, v));
	}
}

/* Constants of the server's rules. */
enum {
	LEVEL_STEPS = 960,   /* to the first speed-up of a level */
	PENALTY_STEPS = 240, /* and between two of these penalties */
	SPEED_UP = 2,        /* ticks */
	DOT_POINTS = 10,
	POWER_POINTS = 50,
	FRUIT_POINTS = 100,
	GHOST_POINTS = 200, /* doubled by each further ghost, */
	DOUBLINGS = 9,      /* but no oftener: more than any score holds */
	FRUIT_AT_1 = 174,   /* pellets left when a fruit appears */
	FRUIT_AT_2 = 74,
	ANGER_AT_1 = 20, /* pellets left when the ghosts speed up */
	ANGER_AT_2 = 10,
	LAST_TICK = 0xffff
};

void
pb_pacbot_rules_init(struct pb_pacbot_rules *k, const struct pb_maze *z)
{
	memset(k, 0, sizeof *k);
	pb_arcade_board_init(&k->board, z);
	for (int r = 0; r < z->rows && r < PB_PACBOT_ROWS; r++)
		for (int c = 0; c < z->cols && c < PB_PACBOT_COLS; c++) {
			uint32_t bit = UINT32_C(1) << c;

			if (z->cell[r][c] == PB_MAZE_POWER)
				k->power[r] |= bit;
			if (z->cell[r][c] != PB_MAZE_POWER &&
			    z->cell[r][c] != PB_MAZE_PELLET)
				continue;
			k->pellets[r] |= bit;
			k->dots++;
		}
}

static void
reset_ghosts(struct pb_pacbot *s)
{
	s->combo = 0;
	for (int i = 0; i < s->active; i++)
		pb_arcade_reset(&s->ghost[i], i, s->lives == 0);
}

static void
add_score(struct pb_pacbot *s, int points)
{
	s->score =
	    (uint16_t)(s->score + points > UINT16_MAX ? UINT16_MAX
						      : s->score + points);
}

static void
speed_up(struct pb_pacbot *s)
{
	s->period = (uint8_t)(s->period > SPEED_UP ? s->period - SPEED_UP : 1);
}

static void
set_mode(struct pb_pacbot *s, enum pb_pacbot_mode m)
{
	s->mode = (uint8_t)m;
	s->mode_steps = m == PB_CHASE ? PB_CHASE_STEPS : PB_SCATTER_STEPS;
}

void
pb_pacbot_init(struct pb_pacbot *s, const struct pb_pacbot_rules *k, int active)
{
	*s = (struct pb_pacbot){
	    .pac = {23, 13, PB_RIGHT},
	    .level_steps = LEVEL_STEPS,
	    .period = PB_PACBOT_PERIOD,
	    .level = 1,
	    .lives = PB_PACBOT_LIVES,
	    .left = k->dots,
	    .active = (uint8_t)active,
	    .paused = true,
	    .ticked = true,
	};
	set_mode(s, PB_SCATTER);
	memcpy(s->pellets, k->pellets, sizeof s->pellets);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		pb_arcade_reset(&s->ghost[i], i, false);
		if (i >= active)
			s->ghost[i].next = PB_NOWHERE;
	}
}

static void
lose_life(struct pb_pacbot *s)
{
	s->pause_on_update = true;
	s->pac = PB_NOWHERE;
	if (s->lives > 0)
		s->lives--;
	if (s->left > ANGER_AT_1)
		set_mode(s, PB_SCATTER);
	s->fruit_steps = 0;
	reset_ghosts(s);
}

static void
next_level(struct pb_pacbot *s, const struct pb_pacbot_rules *k)
{
	int period;

	s->pause_on_update = true;
	s->pac = PB_NOWHERE;
	set_mode(s, PB_SCATTER);
	s->level_steps = LEVEL_STEPS;
	s->fruit_steps = 0;
	reset_ghosts(s);
	memcpy(s->pellets, k->pellets, sizeof s->pellets);
	s->left = k->dots;
	if (s->level < UINT8_MAX)
		s->level++;
	period = PB_PACBOT_PERIOD - SPEED_UP * (s->level - 1);
	s->period = (uint8_t)(period > 1 ? period : 1);
}

/*
 * Pac-Man meets ghosts: it dies if one is neither frightened nor eaten, else it
 * eats those that are frightened.
 */
static void
meet_ghosts(struct pb_pacbot *s, unsigned ghosts)
{
	/* A received state may hold any combo. */
	int doublings;

	for (int i = 0; ghosts >> i; i++)
		if ((ghosts >> i & 1) && s->ghost[i].fright == 0 &&
		    !s->ghost[i].eaten) {
			lose_life(s);
			return;
		}
	for (int i = 0; ghosts >> i; i++)
		if ((ghosts >> i & 1) && !s->ghost[i].eaten) {
			pb_arcade_respawn(&s->ghost[i], i);
			doublings = s->combo < DOUBLINGS ? s->combo : DOUBLINGS;
			add_score(s, GHOST_POINTS << doublings);
			s->combo = (uint8_t)(s->combo + (s->combo < UINT8_MAX));
		}
}

static void
collide(struct pb_pacbot *s)
{
	unsigned here = 0;

	if (s->pac.row >= PB_ARCADE_OFF)
		return;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		struct pb_at g = s->ghost[i].loc;

		/* Compare row and column at once, as contacts are rare. */
		if (((g.row ^ s->pac.row) | (g.col ^ s->pac.col)) == 0)
			here |= 1u << i;
	}
	if (here)
		meet_ghosts(s, here);
}

/* Apply the rules that depend on the number of pellets left. */
static void
count_pellets(struct pb_pacbot *s, const struct pb_pacbot_rules *k)
{
	if ((s->left == FRUIT_AT_1 || s->left == FRUIT_AT_2) &&
	    s->fruit_steps == 0)
		s->fruit_steps = PB_FRUIT_STEPS;
	if (s->left == ANGER_AT_1 || s->left == ANGER_AT_2) {
		speed_up(s);
		set_mode(s, PB_CHASE);
	}
	if (s->left == 0)
		next_level(s, k);
}

/* Collect the pellet or fruit in Pac-Man's cell. */
static void
collect_pellet(struct pb_pacbot *s, const struct pb_pacbot_rules *k)
{
	int r = s->pac.row, c = s->pac.col;
	uint32_t bit;
	bool power;

	if (r >= PB_PACBOT_ROWS)
		return;
	bit = UINT32_C(1) << c;
	if (s->fruit_steps > 0 && r == PB_FRUIT_ROW && c == PB_FRUIT_COL) {
		s->fruit_steps = 0;
		add_score(s, FRUIT_POINTS);
	}
	if (!(s->pellets[r] & bit))
		return;
	s->pellets[r] &= ~bit;
	s->left--;
	power = k->power[r] & bit;
	add_score(s, power ? POWER_POINTS : DOT_POINTS);
	s->combo = power ? 0 : s->combo;
	for (int i = 0; power && i < PB_ARCADE_GHOSTS; i++) {
		s->ghost[i].fright = PB_ARCADE_FRIGHT;
		if (s->ghost[i].trapped == 0)
			s->ghost[i].trapped = 1;
	}
	count_pellets(s, k);
}

void
pb_pacbot_move(struct pb_pacbot *s, const struct pb_pacbot_rules *k, int d)
{
	if (!s->paused && !s->pause_on_update && s->pac.row < PB_ARCADE_OFF) {
		s->pac.dir = (uint8_t)d;
		if (k->board.exits[s->pac.row][s->pac.col] >> d & 1) {
			s->pac = pb_arcade_step(s->pac, d);
			collect_pellet(s, k);
		}
	}
	collide(s);
}

/* The longest path that a placed Pac-Man walks; else it jumps (cells). */
#define JUMP_STEPS 11

/* Breadth-first search from Pac-Man, see find_path. */
struct search {
	uint8_t from[PB_ARCADE_SIDE][PB_ARCADE_SIDE]; /* 1 + direction */
	struct pb_at queue[PB_ARCADE_SIDE * PB_ARCADE_SIDE];
};

/* The path from Pac-Man to (row, col) that the server's breadth-first search
 * finds, its directions in way[]. Returns its steps, -1 if there is none. */
static int
find_path(const struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row,
    int col, uint8_t *way)
{
	static const uint8_t order[] = {PB_DOWN, PB_RIGHT, PB_UP, PB_LEFT};
	struct search q = {{{0}}, {{0, 0, 0}}};
	struct pb_at p = s->pac;
	int head = 0, tail = 0, n = 0;

	q.from[p.row][p.col] = 5;
	q.queue[tail++] = p;
	while (head < tail && !q.from[row][col]) {
		struct pb_at c = q.queue[head++];

		for (int i = 0; i < 4; i++) {
			struct pb_at to = pb_arcade_step(c, order[i]);

			if (!(k->board.exits[c.row][c.col] >> order[i] & 1) ||
			    q.from[to.row][to.col])
				continue;
			q.from[to.row][to.col] = (uint8_t)(1 + order[i]);
			q.queue[tail++] = to;
		}
	}
	if (!q.from[row][col])
		return -1;
	p = (struct pb_at){(int8_t)row, (int8_t)col, PB_STAY};
	while (p.row != s->pac.row || p.col != s->pac.col) {
		int d = q.from[p.row][p.col] - 1;

		if (n < JUMP_STEPS)
			way[n] = (uint8_t)d;
		n++;
		p = pb_arcade_step(p, pb_arcade_back(d));
	}
	return n;
}

static bool
is_walkable(const struct pb_pacbot_rules *k, int row, int col)
{
	/* A cell is open if the cell below has an exit up. */
	return row >= 0 && row < PB_PACBOT_ROWS && col >= 0 &&
	       col < PB_PACBOT_COLS && (k->board.exits[row + 1][col] & 1);
}

void
pb_pacbot_place(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row, int col)
{
	uint8_t way[JUMP_STEPS];
	int n;

	if (s->paused || s->pause_on_update || !is_walkable(k, row, col) ||
	    s->pac.row >= PB_ARCADE_OFF ||
	    (row == s->pac.row && col == s->pac.col))
		return;
	n = find_path(s, k, row, col, way);
	if (n < 0 || n > JUMP_STEPS) {
		s->pac.row = (int8_t)row;
		s->pac.col = (int8_t)col;
		collect_pellet(s, k);
		collide(s);
	} else {
		while (n-- > 0)
			pb_pacbot_move(s, k, way[n]);
	}
}

void
pb_pacbot_plan(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw)
{
	struct pb_arcade_view v = {
	    s->pac, s->ghost[PB_RED].loc, s->mode == PB_CHASE};

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		pb_arcade_plan(&s->ghost[i], i, &k->board, &v, draw);
}

/* Advance the timers of mode, level and fruit. */
static void
advance_timers(struct pb_pacbot *s)
{
	if (s->mode_steps == 0) {
		set_mode(s, s->mode == PB_CHASE ? PB_SCATTER : PB_CHASE);
		for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
			if (s->ghost[i].trapped == 0)
				s->ghost[i].trapped = 1;
	}
	if (s->level_steps == 0) {
		speed_up(s);
		s->level_steps = PENALTY_STEPS;
	}
	if (s->left >= ANGER_AT_1 && s->mode_steps > 0)
		s->mode_steps--;
	if (s->level_steps > 0)
		s->level_steps--;
	if (s->fruit_steps > 0)
		s->fruit_steps--;
}

static void
new_game(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw)
{
	pb_pacbot_init(s, k, s->active);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		pb_arcade_update(&s->ghost[i]);
	advance_timers(s);
	pb_pacbot_plan(s, k, draw);
}

void
pb_pacbot_arrive(struct pb_pacbot *s)
{
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		pb_arcade_update(&s->ghost[i]);
	if (s->pac.row >= PB_ARCADE_OFF && s->lives > 0)
		s->pac = (struct pb_at){23, 13, PB_RIGHT};
	if (s->pause_on_update) {
		s->paused = true;
		s->pause_on_update = false;
	}
	collide(s);
	advance_timers(s);
}

/* Run the update block. */
static void
run_update(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw)
{
	pb_pacbot_arrive(s);
	pb_pacbot_plan(s, k, draw);
}

bool
pb_pacbot_begin(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw)
{
	/* Whether this tick has an update block that has not run yet. */
	if (!s->ticked || s->tick % s->period != 0)
		return false;
	run_update(s, k, draw);
	return true;
}

void
pb_pacbot_command(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw, const uint8_t *cmd, int n)
{
	static const char moves[] = "wasd";
	const char *m;

	if (n < 1)
		return;
	if (cmd[0] != 0 && (m = strchr(moves, cmd[0])) != NULL)
		pb_pacbot_move(s, k, (int)(m - moves));
	else if (cmd[0] == 'p')
		s->paused = true;
	else if (cmd[0] == 'P' && s->lives > 0 && s->tick != LAST_TICK)
		s->paused = false;
	else if (cmd[0] == 'r' || cmd[0] == 'R')
		new_game(s, k, draw);
	else if (cmd[0] == 'x' && n == 3)
		pb_pacbot_place(s, k, (int8_t)cmd[1], (int8_t)cmd[2]);
}

void
pb_pacbot_end(struct pb_pacbot *s)
{
	s->ticked = !s->paused;
	if (s->paused)
		return;
	if (s->tick == LAST_TICK - 1)
		s->paused = true;
	s->tick++;
}
