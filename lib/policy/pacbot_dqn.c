/* pacbot_dqn.c - a player of Pacbot that was trained: the network of a
 * published team, with the masks that keep it from ghosts. */
#include <stdlib.h>

#include "policy/pacbot_qnet.h"
#include "policy/pacbot_value.h"
#include "policy/players.h"

/* Cells that a target is to be away from a ghost, where there is one. */
#define DISTANCE 3

/* Which of the two networks plays. */
enum { GAME, END, NETS };

/* Of the files as they were published. */
static const uint64_t published[NETS] = {
    UINT64_C(0x3349ca97e3fc87f1), UINT64_C(0x9b70f395ee6a1272)};

static const struct pb_weights_plan plan = {.files = NETS,
    .what = "the network of the game and the one of its end",
    .tensor = pb_qnet_tensors,
    .tensors = PB_QNET_TENSORS,
    .known = published};

struct known {
	struct pb_qnet *net[NETS];
};

struct memory {
	_Alignas(double) float planes[PB_QNET_INPUTS];
	_Alignas(double) unsigned char work[];
};

static void
forget(void *known)
{
	struct known *k = known;

	for (int i = 0; k && i < NETS; i++)
		pb_qnet_free(k->net[i]);
	free(k);
}

static enum pb_status
learn(const void *world, const void *opts, void **known)
{
	const struct pb_weights *w =
	    ((const struct pb_match_opts *)opts)->weights;
	struct known *k;

	(void)world;
	if (!w || pb_weights_check(&plan, w).fault != PB_WEIGHTS_FIT)
		return PB_EVALUE;
	if (!(k = calloc(1, sizeof(*k))))
		return PB_ENOMEM;
	for (int i = 0; i < NETS; i++)
		if (!(k->net[i] = pb_qnet_new(&w->file[i]))) {
			forget(k);
			return PB_ENOMEM;
		}
	*known = k;
	return PB_OK;
}

static size_t
memory(const void *world, const void *opts, const void *known)
{
	(void)world;
	(void)opts;
	(void)known;
	return sizeof(struct memory) + pb_qnet_memory();
}

/* Where the game lasts: a power pellet is left, or a ghost is frightened. */
static int
net_for(const struct pb_bot_view *v)
{
	if (pb_search_power(v->s, &v->board->rules) > 0)
		return GAME;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		if (v->s->ghost[i].fright > 0)
			return GAME;
	return END;
}

/* Of each action, in the order of the network's. */
static const enum pb_dir dir_of[PB_QNET_ACTIONS] = {[PB_QNET_STAY] = PB_STAY,
    [PB_QNET_DOWN] = PB_DOWN,
    [PB_QNET_UP] = PB_UP,
    [PB_QNET_LEFT] = PB_LEFT,
    [PB_QNET_RIGHT] = PB_RIGHT};

/* Steps from a cell to the nearest ghost that is not frightened, through walls.
 */
static int
ghost_distance(const struct pb_pacbot *s, struct pb_at p)
{
	int least = 2 * PB_ARCADE_OFF;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		struct pb_at g = s->ghost[i].loc;
		int d = abs(g.row - p.row) + abs(g.col - p.col);

		if (s->ghost[i].fright == 0 && d < least)
			least = d;
	}
	return least;
}

/* Actions whose cells are farther than that from ghosts, or have power pellets.
 */
static unsigned
allowed(const struct pb_bot_view *v, int distance)
{
	const struct pb_pacbot *s = v->s;
	unsigned set = 0;

	for (int a = 0; a < PB_QNET_ACTIONS; a++) {
		struct pb_at p = s->pac;

		if (dir_of[a] != PB_STAY)
			p = pb_arcade_step(p, dir_of[a]);
		if (pb_cells_at(&v->board->cells, p.row, p.col) < 0)
			continue;
		if (ghost_distance(s, p) > distance ||
		    (s->pellets[p.row] & v->board->rules.power[p.row]) >>
			    p.col &
			1)
			set |= 1u << a;
	}
	return set;
}

/* The same with as much distance as leaves more than to stay. */
static unsigned
mask(const struct pb_bot_view *v)
{
	unsigned set = 0;

	if (pb_cells_at(&v->board->cells, v->s->pac.row, v->s->pac.col) < 0)
		return 0;
	for (int k = DISTANCE; k >= 0; k--) {
		set = allowed(v, k);
		if (set & ~(1u << PB_QNET_STAY))
			break;
	}
	return set;
}

static void
decide(void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	const struct known *k = known;
	struct memory *m = mem;
	unsigned set = mask(v);
	float q[PB_QNET_ACTIONS] = {0};
	int best = -1;

	/* Where there is no choice there is nothing to compare. */
	if (set & (set - 1)) {
		pb_qnet_look(
		    v->s, v->board, v->opts->ticks_per_cell, m->planes);
		pb_qnet_values(k->net[net_for(v)], m->planes, m->work, q);
	}
	for (int a = 0; a < PB_QNET_ACTIONS; a++)
		if (set >> a & 1 && (best < 0 || q[a] > q[best]))
			best = a;
	out->dir = best < 0 ? PB_STAY : dir_of[best];
}

const struct pb_player pb_bot_dqn = {.name = "dqn",
    .summary = "the network of a published team; needs its --weights",
    .weights = &plan,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .decide = decide};
