/* happened.c - the events of the games on boards, by name. */
#include "game/happened.h"

/* In the order of both games' ghosts: red, pink, cyan, orange. */
static const char *const caught[] = {
    "blinky caught", "pinky caught", "inky caught", "clyde caught"};
static const char *const killed[] = {
    "blinky killed", "pinky killed", "inky killed", "clyde killed"};

static void
add(struct pb_happened *h, const char *name)
{
	if (h->n < PB_HAPPENED)
		h->name[h->n++] = name;
}

/* What of `which` is in a and not in b. */
static bool
lost(const uint32_t *a, const uint32_t *b, const uint32_t *which)
{
	uint32_t bits = 0;

	for (int row = 0; row < PB_PACBOT_ROWS; row++)
		bits |= a[row] & ~b[row] & which[row];
	return bits != 0;
}

/* The last pellets of a level are back in the same tick. */
static void
add_pellets(struct pb_happened *h, const struct pb_pacbot *a,
    const struct pb_pacbot *b, const struct pb_pacbot_rules *k)
{
	static const uint32_t none[PB_PACBOT_ROWS];
	const uint32_t *left = b->level > a->level ? none : b->pellets;

	if (lost(a->pellets, left, k->power))
		add(h, "power pellet");
	else if (lost(a->pellets, left, k->pellets))
		add(h, "pellet");
}

struct pb_happened
pb_pacbot_happened(const struct pb_pacbot *a, const struct pb_pacbot *b,
    const struct pb_pacbot_rules *k)
{
	struct pb_happened h = {.n = 0};

	add_pellets(&h, a, b, k);
	for (int i = 0; i < b->active; i++)
		if (b->ghost[i].eaten && !a->ghost[i].eaten)
			add(&h, caught[i]);
	if (b->lives < a->lives)
		add(&h, b->lives > 0 ? "killed" : "game over");
	if (b->level > a->level)
		add(&h, "win");
	if (a->pac.row == PB_ARCADE_OFF && b->pac.row != PB_ARCADE_OFF)
		add(&h, "reset");
	return h;
}

struct pb_happened
pb_roomba_happened(const struct pb_roomba *s)
{
	struct pb_happened h = {.n = 0};
	unsigned e = s->events;

	if (e & PB_ROOMBA_RESET)
		add(&h, s->tick > 0 ? "reset" : "start");
	if (e & PB_ROOMBA_POWER_ON)
		add(&h, "power pellet");
	else if (e & PB_ROOMBA_PELLET)
		add(&h, "pellet");
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_EATEN << i)
			add(&h, caught[i]);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_KILLS << i)
			add(&h, killed[i]);
	if (s->ending == PB_ROOMBA_CLEARED)
		add(&h, "win");
	else if (s->ending != PB_ROOMBA_ON)
		add(&h, "game over");
	return h;
}

struct pb_happened
pb_zumy_happened(const struct pb_zumy *s)
{
	struct pb_happened h = {.n = 0};

	if (s->tick == 0)
		add(&h, "start");
	if (s->ending == PB_ZUMY_REACHED)
		add(&h, "win");
	else if (s->ending != PB_ZUMY_ON)
		add(&h, "game over");
	return h;
}
