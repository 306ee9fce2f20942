/* pacbot_frame.c - the frame that the competition's server sends. */
#include "pb/pacbot.h"

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

static uint8_t *
put_ghost(uint8_t *p, const struct pb_arcade *g)
{
	p = put_at(p, g->loc);
	*p++ = (uint8_t)(g->fright | g->spawning << 7);
	*p++ = (uint8_t)(g->trapped | g->eaten << 7);
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
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		p = put_ghost(p, &s->ghost[i]);
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

static struct pb_arcade
get_ghost(const uint8_t *p)
{
	return (struct pb_arcade){.loc = get_at(p),
	    .next = PB_NOWHERE,
	    .fright = p[2] & 127,
	    .spawning = p[2] >> 7,
	    .trapped = p[3] & 127,
	    .eaten = p[3] >> 7};
}

static void
get_pellets(struct pb_pacbot *s, const uint8_t *p)
{
	for (int r = 0; r < PB_PACBOT_ROWS; r++, p += 4) {
		s->pellets[r] = (uint32_t)get16(p) << 16 | get16(p + 2);
		for (uint32_t b = s->pellets[r]; b; b &= b - 1)
			s->left++;
	}
}

/* The one of two bytes that comes first; -1: none. */
static int
earlier(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Written again it must be the same. */
static int
first_changed(const struct pb_pacbot *s, const uint8_t *frame)
{
	uint8_t again[PB_PACBOT_FRAME];

	pb_pacbot_frame(s, again);
	for (int i = 0; i < PB_PACBOT_FRAME; i++)
		if (again[i] != frame[i])
			return i;
	return -1;
}

/* Which byte of a place, `byte` or the next, leads off the board; or -1. */
static int
off_board(struct pb_at a, int byte)
{
	if (a.row == PB_ARCADE_OFF && a.col == PB_ARCADE_OFF)
		return -1;
	if (a.row >= PB_PACBOT_ROWS)
		return byte;
	return a.col >= PB_PACBOT_COLS ? byte + 1 : -1;
}

/* What can be written, but never is. */
static int
first_impossible(const struct pb_pacbot *s)
{
	int bad = s->combo > PB_ARCADE_GHOSTS ? 12 : -1;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		bad = earlier(bad, off_board(s->ghost[i].loc, 13 + 4 * i));
		if (s->ghost[i].fright > PB_ARCADE_FRIGHT)
			bad = earlier(bad, 15 + 4 * i);
	}
	bad = earlier(bad, off_board(s->pac, 29));
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		if (s->pellets[r] >> PB_PACBOT_COLS)
			bad = earlier(bad, 35 + 4 * r);
	return bad;
}

int
pb_pacbot_unframe(struct pb_pacbot *s, const uint8_t *frame)
{
	struct pb_pacbot t = {.tick = (uint16_t)get16(frame),
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
	int bad;

	if (t.period == 0)
		return 2;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		t.ghost[i] = get_ghost(frame + 13 + 4 * i);
	get_pellets(&t, frame + 35);
	bad = earlier(first_changed(&t, frame), first_impossible(&t));
	if (bad < 0)
		*s = t;
	return bad;
}
