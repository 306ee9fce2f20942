/* pacbot_ghost.c - a ghost of Pacbot as a program that is asked. */
#include "io/play/pacbot_ghost.h"

#include <math.h>
#include <string.h>

#include "io/file/filter.h"
#include "pb/match.h"

static const char *const nickname[PB_ARCADE_GHOSTS] = {
    "blinky", "pinky", "inky", "clyde"};

/* One ghost, from its own side. */
struct ghost {
	int which;
	int drawn; /* for its next turn, -1: none */
	bool begun;
	struct pb_arcade_board board;
};

static int
pick(void *ctx, int ghost, int n)
{
	const struct ghost *g = ctx;

	(void)ghost;
	return g->drawn >= 0 && g->drawn < n ? g->drawn : 0;
}

/* Where a body is: on the board, or nowhere. */
static bool
place(const struct pb_seen *k, const char *id, struct pb_at *at,
    struct pb_error *bad)
{
	const struct pb_seen_body *b = pb_seen_find(k, id);
	int d = b ? pb_dir_of(b->dir) : 0;

	if (!b)
		return pb_error_set(bad, "tick.bodies: there is no %s", id);
	if (b->row < 0 || b->row > PB_ARCADE_OFF || b->col < 0 ||
	    b->col > PB_ARCADE_OFF || d > PB_STAY)
		return pb_error_set(bad, "tick: %s is off the board", id);
	*at = (struct pb_at){(int8_t)b->row, (int8_t)b->col, (uint8_t)d};
	return true;
}

static bool
answer(struct ghost *g, struct pb_filter *f, const struct pb_rec *r,
    struct pb_error *bad)
{
	const struct pb_seen *k = &r->tick;
	const char *name = pb_pacbot_ghost[g->which];
	const struct pb_seen_body *b = pb_seen_find(k, name);
	struct pb_arcade_draw draw = {.pick = pick, .ctx = g};
	struct pb_arcade_view v = {.chase = strcmp(k->mode, "chase") == 0};
	struct pb_arcade a;
	struct pb_rec_move m;

	if (!g->begun)
		return pb_error_set(bad, "tick: comes before any maze");
	if (!place(k, name, &a.loc, bad) || !place(k, "pacman", &v.pac, bad) ||
	    !place(k, pb_pacbot_ghost[PB_RED], &v.red, bad))
		return false;
	/* Who was eaten is off the board and decides nothing. */
	if (a.loc.row >= PB_ARCADE_OFF || a.loc.dir == PB_STAY)
		return true;
	a.trapped = 0;
	a.fright = (uint8_t)(b->fright > 0 ? b->fright : 0);
	a.spawning = b->spawning;
	a.eaten = b->eaten;
	pb_arcade_plan(&a, g->which, &g->board, &v, &draw);
	g->drawn = -1;
	PB_REC_SET(m.dir, pb_dir_word(a.next.dir));
	pb_rec_put(&f->out, PB_REC_MOVE, pb_stamp_at(r->stamp.t, name), &m);
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct ghost *g = f->user;

	if (r->type == PB_REC_TICK)
		return answer(g, f, r, bad);
	if (r->type == PB_REC_DRAW) {
		g->drawn = (int)fmax(-1, fmin(r->draw.value, 3));
		return true;
	}
	if (r->maze.rows > PB_ARCADE_SIDE || r->maze.cols > PB_ARCADE_SIDE)
		return pb_error_set(bad, "maze: expected at most %d x %d cells",
		    PB_ARCADE_SIDE, PB_ARCADE_SIDE);
	pb_arcade_board_init(&g->board, &r->maze);
	g->begun = true;
	return true;
}

bool
pb_pacghost_run(const char *name, const struct pb_opt_common *common)
{
	struct ghost g = {.drawn = -1};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAZE) |
	                              PB_REC_BIT(PB_REC_TICK) |
	                              PB_REC_BIT(PB_REC_DRAW),
	    .common = common,
	    .take = take,
	    .user = &g};

	while (g.which < PB_ARCADE_GHOSTS &&
	       strcmp(name, pb_pacbot_ghost[g.which]) != 0 &&
	       strcmp(name, nickname[g.which]) != 0)
		g.which++;
	if (g.which == PB_ARCADE_GHOSTS)
		return false;
	pb_filter_run(&f, NULL, 0);
	return true;
}
