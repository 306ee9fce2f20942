/* pacbot_seen.c - the whole Pacbot game, told from the frames of a server. */
#include "game/pacbot/pacbot_seen.h"

#include <stddef.h>

/* The frame before, if there was one update at most since; else NULL. */
static const struct pb_pacbot *
before(const struct pb_pacbot_seen *v, const struct pb_pacbot *s)
{
	int passed = s->tick - v->s.tick;
	int updates = v->s.level_steps - s->level_steps;

	if (!v->begun || passed < 0)
		return NULL;
	return passed <= 1 || updates == 0 || updates == 1 ? &v->s : NULL;
}

static bool
power_eaten(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k)
{
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		if (was->pellets[r] & ~s->pellets[r] & k->power[r])
			return true;
	return false;
}

/* At 20 and at 10 pellets left a chase begins without anybody turning. */
static bool
angered(const struct pb_pacbot *was, const struct pb_pacbot *s)
{
	return (was->left > 20 && s->left <= 20) ||
	       (was->left > 10 && s->left <= 10);
}

/* Whether the update between two frames made the ghosts turn round. */
static bool
turned(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k)
{
	return power_eaten(was, s, k) ||
	       (was->mode_steps == 0 && !angered(was, s));
}

/* The plan that ghost i has made in the update that the frame shows. */
static struct pb_at
plan(const struct pb_pacbot *s, const struct pb_pacbot_rules *k, int i,
    int turns)
{
	const struct pb_arcade_view v = {
	    s->pac, s->ghost[PB_RED].loc, s->mode == PB_CHASE};
	const struct pb_arcade_draw d = {.pick = pb_arcade_first_way};
	struct pb_arcade g = s->ghost[i];

	g.trapped = (uint8_t)turns;
	pb_arcade_plan(&g, i, &k->board, &v, &d);
	return g.next;
}

/* Where a ghost comes from that is nowhere. */
static struct pb_at
arrival(const struct pb_pacbot *was, const struct pb_pacbot *s, int i)
{
	struct pb_arcade g = s->ghost[i];
	bool absent = was && was->ghost[i].loc.row == PB_ARCADE_OFF &&
	              was->ghost[i].next.row == PB_ARCADE_OFF;

	if (s->pac.row == PB_ARCADE_OFF && !absent)
		pb_arcade_reset(&g, i, s->lives == 0);
	else if (g.eaten && !absent)
		pb_arcade_respawn(&g, i);
	return g.next;
}

/*
 * Updates of turning on the spot that ghost i had left before the update that
 * the frame shows. A power pellet gives one; if one has just been eaten, the
 * update was before it.
 */
static int
trapped(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k, int i)
{
	const struct pb_arcade *g = &s->ghost[i];

	/* With a life or a level all ghosts start anew. */
	if (!was || was->lives != s->lives || was->level != s->level)
		return g->trapped == 1 && g->fright == PB_ARCADE_FRIGHT
		           ? 0
		           : g->trapped + (g->trapped > 0);
	if (was->ghost[i].trapped == 0)
		return turned(was, s, k);
	return was->ghost[i].trapped;
}

static struct pb_at
next_of(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k, int i)
{
	if (s->ghost[i].loc.row == PB_ARCADE_OFF)
		return arrival(was, s, i);
	/* Every update counts these steps. */
	if (was && was->level_steps == s->level_steps)
		return was->ghost[i].next;
	return plan(s, k, i, trapped(was, s, k, i));
}

int
pb_pacbot_see(struct pb_pacbot_seen *v, const struct pb_pacbot_rules *k,
    const uint8_t *frame)
{
	struct pb_pacbot s;
	const struct pb_pacbot *was;
	int wrong = pb_pacbot_unframe(&s, frame);

	if (wrong >= 0)
		return wrong;
	was = before(v, &s);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		s.ghost[i].next = next_of(was, &s, k, i);
	s.pause_on_update = s.pac.row == PB_ARCADE_OFF && !s.paused;
	*v = (struct pb_pacbot_seen){s, true};
	return -1;
}
