/* pacbot_frame.c - frames of the competition's server, and the game
 * reconstructed from them. */
#include "game/pacbot/pacbot_frame.h"

#include <stddef.h>

static uint8_t *
put16(uint8_t *p, unsigned v)
{
	*p++ = (uint8_t)(v >> 8);
	*p++ = (uint8_t)v;
	return p;
}

/* Coordinate in the low six bits, the step along it in the high two. */
static uint8_t *
put_at(uint8_t *p, struct pb_at a)
{
	*p++ = (uint8_t)((a.row & 63) | pb_dir_row[a.dir] * 64);
	*p++ = (uint8_t)((a.col & 63) | pb_dir_col[a.dir] * 64);
	return p;
}

void
pb_pacbot_frame(const struct pb_pacbot *s, uint8_t *frame)
{
	uint8_t *p = put16(frame, s->tick);

	*p++ = s->period;
	*p++ = s->paused ? PB_PAUSED : s->mode;
	*p++ = s->mode_steps;
	*p++ = s->mode == PB_CHASE ? PB_CHASE_STEPS : PB_SCATTER_STEPS;
	p = put16(p, s->level_steps);
	p = put16(p, s->score);
	*p++ = s->level;
	*p++ = s->lives;
	*p++ = s->combo;
	for (const struct pb_arcade *g = s->ghost;
	     g < s->ghost + PB_ARCADE_GHOSTS; g++) {
		p = put_at(p, g->loc);
		*p++ = (uint8_t)(g->fright | g->spawning << 7);
		*p++ = (uint8_t)(g->trapped | g->eaten << 7);
	}
	p = put_at(p, s->pac);
	p = put_at(p, s->fruit_steps > 0
			  ? (struct pb_at){PB_FRUIT_ROW, PB_FRUIT_COL, PB_STAY}
			  : PB_NOWHERE);
	*p++ = s->fruit_steps;
	*p++ = PB_FRUIT_STEPS;
	for (int r = 0; r < PB_PACBOT_ROWS; r++) {
		p = put16(p, s->pellets[r] >> 16);
		p = put16(p, s->pellets[r] & 0xffff);
	}
}

static unsigned
get16(const uint8_t *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

static struct pb_at
get_at(const uint8_t *p)
{
	struct pb_at a = {(int8_t)(p[0] & 63), (int8_t)(p[1] & 63), PB_STAY};

	if (p[0] >> 6)
		a.dir = p[0] >> 7 ? PB_UP : PB_DOWN;
	else if (p[1] >> 6)
		a.dir = p[1] >> 7 ? PB_LEFT : PB_RIGHT;
	return a;
}

/* The lower of two byte indices; -1: none. */
static int
first_byte(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The first byte that differs if the state is encoded again, -1: none. */
static int
find_changed_byte(const struct pb_pacbot *s, const uint8_t *frame)
{
	uint8_t again[PB_PACBOT_FRAME];

	pb_pacbot_frame(s, again);
	for (int i = 0; i < PB_PACBOT_FRAME; i++)
		if (again[i] != frame[i])
			return i;
	return -1;
}

/*
 * The byte of a place (`byte` or the next) that leads off the board; -1: none.
 */
static int
find_off_board_byte(struct pb_at a, int byte)
{
	if (a.row == PB_ARCADE_OFF && a.col == PB_ARCADE_OFF)
		return -1;
	if (a.row >= PB_PACBOT_ROWS)
		return byte;
	return a.col >= PB_PACBOT_COLS ? byte + 1 : -1;
}

/* The first byte with a valid value that the server never sends. */
static int
find_impossible_byte(const struct pb_pacbot *s)
{
	int bad = s->combo > PB_ARCADE_GHOSTS ? 12 : -1;

	if (s->period == 0)
		return 2;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		bad = first_byte(
		    bad, find_off_board_byte(s->ghost[i].loc, 13 + 4 * i));
		if (s->ghost[i].fright > PB_ARCADE_FRIGHT)
			bad = first_byte(bad, 15 + 4 * i);
	}
	bad = first_byte(bad, find_off_board_byte(s->pac, 29));
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		if (s->pellets[r] >> PB_PACBOT_COLS)
			bad = first_byte(bad, 35 + 4 * r);
	return bad;
}

int
pb_pacbot_unframe(struct pb_pacbot *s, const uint8_t *frame)
{
	const uint8_t *p = frame + 13;

	*s = (struct pb_pacbot){.tick = (uint16_t)get16(frame),
	    .period = frame[2],
	    .paused = frame[3] == PB_PAUSED,
	    .mode_steps = frame[4],
	    .mode = frame[5] == PB_CHASE_STEPS ? PB_CHASE : PB_SCATTER,
	    .level_steps = (uint16_t)get16(frame + 6),
	    .score = (uint16_t)get16(frame + 8),
	    .level = frame[10],
	    .lives = frame[11],
	    .combo = frame[12],
	    .pac = get_at(frame + 29),
	    .fruit_steps = frame[33],
	    .active = PB_ARCADE_GHOSTS};
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++, p += 4)
		s->ghost[i] = (struct pb_arcade){.loc = get_at(p),
		    .next = PB_NOWHERE,
		    .fright = p[2] & 127,
		    .spawning = p[2] >> 7,
		    .trapped = p[3] & 127,
		    .eaten = p[3] >> 7};
	p = frame + 35;
	for (int r = 0; r < PB_PACBOT_ROWS; r++, p += 4) {
		s->pellets[r] = (uint32_t)get16(p) << 16 | get16(p + 2);
		for (uint32_t b = s->pellets[r]; b; b &= b - 1)
			s->left++;
	}
	return first_byte(find_changed_byte(s, frame), find_impossible_byte(s));
}

/* The last frame if at most one update came since, else NULL. */
static const struct pb_pacbot *
frame_before(const struct pb_pacbot_seen *v, const struct pb_pacbot *s)
{
	int passed = s->tick - v->s.tick;
	int updates = v->s.level_steps - s->level_steps;

	if (!v->begun || passed < 0)
		return NULL;
	return passed <= 1 || updates == 0 || updates == 1 ? &v->s : NULL;
}

bool
pb_pacbot_eaten(
    const uint32_t *was, const uint32_t *left, const uint32_t *which)
{
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		if (was[r] & ~left[r] & which[r])
			return true;
	return false;
}

/* Whether the update between two frames made the ghosts turn round. */
static bool
ghosts_turned(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k)
{
	/* At 20 and at 10 pellets left a chase begins without turning. */
	bool angered = (was->left > 20 && s->left <= 20) ||
	               (was->left > 10 && s->left <= 10);

	return pb_pacbot_eaten(was->pellets, s->pellets, k->power) ||
	       (was->mode_steps == 0 && !angered);
}

/* The step that ghost i planned in the update of the frame. */
static struct pb_at
planned_step(const struct pb_pacbot *s, const struct pb_pacbot_rules *k, int i,
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

/* Where a ghost enters the board. */
static struct pb_at
entry_cell(const struct pb_pacbot *was, const struct pb_pacbot *s, int i)
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
 * Updates of turning on the spot that ghost i had left before the update of the
 * frame. A power pellet gives one; if one was just eaten, it was before that
 * update.
 */
static int
updates_trapped(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k, int i)
{
	const struct pb_arcade *g = &s->ghost[i];

	/* A new life or level restarts all ghosts. */
	if (!was || was->lives != s->lives || was->level != s->level)
		return g->trapped == 1 && g->fright == PB_ARCADE_FRIGHT
		           ? 0
		           : g->trapped + (g->trapped > 0);
	if (was->ghost[i].trapped == 0)
		return ghosts_turned(was, s, k);
	return was->ghost[i].trapped;
}

static struct pb_at
next_cell(const struct pb_pacbot *was, const struct pb_pacbot *s,
    const struct pb_pacbot_rules *k, int i)
{
	if (s->ghost[i].loc.row == PB_ARCADE_OFF)
		return entry_cell(was, s, i);
	/* Each update changes level_steps. */
	if (was && was->level_steps == s->level_steps)
		return was->ghost[i].next;
	return planned_step(s, k, i, updates_trapped(was, s, k, i));
}

int
pb_pacbot_see_frame(struct pb_pacbot_seen *v, const struct pb_pacbot_rules *k,
    const uint8_t *frame)
{
	struct pb_pacbot s;
	const struct pb_pacbot *was;
	int wrong = pb_pacbot_unframe(&s, frame);

	if (wrong >= 0)
		return wrong;
	was = frame_before(v, &s);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		s.ghost[i].next = next_cell(was, &s, k, i);
	s.pause_on_update = s.pac.row == PB_ARCADE_OFF && !s.paused;
	*v = (struct pb_pacbot_seen){s, true};
	return -1;
}

const char *
pb_pacbot_impossible(const struct pb_pacbot *s, const struct pb_pacbot_rules *k)
{
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		if (s->pellets[r] & ~k->pellets[r])
			return "a pellet where the board has none";
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		if (s->ghost[i].next.row < 0 || s->ghost[i].next.col < 0 ||
		    find_off_board_byte(s->ghost[i].next, 0) >= 0)
			return "a ghost that leaves the board";
	return NULL;
}
