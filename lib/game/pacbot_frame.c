/* pacbot_frame.c - the frame that the competition's server sends. */
#include "game/pacbot.h"

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
	static const int8_t drow[] = {-1, 0, 1, 0, 0};
	static const int8_t dcol[] = {0, -1, 0, 1, 0};

	*p++ = (uint8_t)((a.row & 63) | drow[a.dir] * 64);
	*p++ = (uint8_t)((a.col & 63) | dcol[a.dir] * 64);
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
