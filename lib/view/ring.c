/* ring.c - the ring of lights as six signs on a line. */
#include "view/ring.h"

#include <ctype.h>

/* Full discs and empty ones. */
#define DISC_ON  0x25cf
#define DISC_OFF 0x25cb

/* A light whose strongest part is below is dim (0..255). */
#define DIM 200

static int
strongest(struct pb_led l)
{
	int most = l.r > l.g ? l.r : l.g;

	return l.b > most ? l.b : most;
}

/* How far l is from k, both as bright as can be. */
static int
apart(struct pb_led l, int most, struct pb_led k)
{
	int r = l.r * 255 / most - k.r, g = l.g * 255 / most - k.g;
	int b = l.b * 255 / most - k.b;

	return r * r + g * g + b * b;
}

char
pb_ring_letter(struct pb_led l)
{
	static const char *const name[] = {
	    "yellow", "red", "blue", "orange", "pink", "white"};
	int most = strongest(l), nearest = 3 * 255 * 255 + 1;
	char best = '.';

	if (most == 0)
		return best;
	for (int i = 0; i < 6; i++) {
		struct pb_led k =
		    pb_light_frame(pb_light_find(name[i]), 0).led[0];

		if (apart(l, most, k) < nearest) {
			nearest = apart(l, most, k);
			best = name[i][0];
		}
	}
	return (char)(most < DIM ? best : toupper((unsigned char)best));
}

int
pb_ring_put(struct pb_glyphs *c, int x, int y, const struct pb_ring *r,
    bool utf8, enum pb_depth depth)
{
	for (int i = 0; i < PB_RING_LEDS; i++, x++) {
		struct pb_led l = r->led[i];
		bool on = strongest(l) > 0;
		uint32_t sign = (unsigned char)pb_ring_letter(l);

		if (utf8 && depth != PB_DEPTH_NONE)
			sign = on ? DISC_ON : DISC_OFF;
		c->own[i] = (struct pb_rgb){l.r, l.g, l.b};
		pb_glyphs_put(c, x, y, sign,
		    on ? (enum pb_ink)(PB_INK_OWN + i) : PB_INK_DIM);
	}
	return x;
}

void
pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f)
{
	struct pb_glyph at[PB_RING_LEDS];
	struct pb_glyphs line = {PB_RING_LEDS, 1, at, {{0}}};

	for (int i = 0; i < PB_RING_LEDS; i++)
		at[i] = (struct pb_glyph){' ', PB_INKS, PB_INKS};
	pb_ring_put(&line, 0, 0, r, t->utf8, t->depth);
	pb_glyphs_line(&line, 0, t->depth, f);
}
