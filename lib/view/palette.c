/* palette.c - the colours of pictures and what they mean. */
#include "view/palette.h"

/*
 * Okabe and Ito, "Color Universal Design" (2008): black, orange 230 159 0,
 * sky blue 86 180 233, bluish green 0 158 115, yellow 240 228 66, blue
 * 0 114 178, vermillion 213 94 0, reddish purple 204 121 167.
 */
static const struct {
	struct pb_rgb paper, screen;
} ink[PB_INKS] = {
    [PB_INK_FREE] = {{255, 255, 255}, {16, 16, 20}},
    [PB_INK_UNKNOWN] = {{222, 224, 228}, {92, 94, 104}},
    [PB_INK_SHADE] = {{222, 224, 228}, {48, 50, 60}},
    [PB_INK_WALL] = {{38, 42, 56}, {86, 180, 233}},
    [PB_INK_PELLET] = {{230, 159, 0}, {240, 228, 66}},
    [PB_INK_POWER] = {{230, 159, 0}, {240, 228, 66}},
    [PB_INK_EATEN] = {{140, 140, 140}, {150, 150, 150}},
    [PB_INK_ROBOT] = {{240, 228, 66}, {240, 228, 66}},
    [PB_INK_ROBOT_TRAIL] = {{0, 114, 178}, {230, 159, 0}},
    [PB_INK_GHOST] = {{213, 94, 0}, {255, 120, 40}},
    [PB_INK_GHOST_TRAIL] = {{213, 94, 0}, {213, 94, 0}},
    [PB_INK_OTHER] = {{204, 121, 167}, {204, 121, 167}},
    [PB_INK_PATH] = {{0, 158, 115}, {0, 190, 140}},
    [PB_INK_TARGET] = {{0, 114, 178}, {255, 255, 255}},
    [PB_INK_SCAN] = {{204, 121, 167}, {204, 121, 167}},
    [PB_INK_SOLID] = {{213, 94, 0}, {213, 94, 0}},
    [PB_INK_DEATH] = {{190, 30, 45}, {255, 90, 90}},
    [PB_INK_TEXT] = {{30, 30, 36}, {220, 220, 220}},
    [PB_INK_DIM] = {{150, 152, 160}, {140, 140, 140}},
    [PB_INK_PAPER] = {{255, 255, 255}, {0, 0, 0}},
};

struct pb_rgb
pb_ink_paper(enum pb_ink i)
{
	return ink[i].paper;
}

struct pb_rgb
pb_ink_screen(enum pb_ink i)
{
	return ink[i].screen;
}

static int
apart(struct pb_rgb a, struct pb_rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, l = a.b - b.b;

	return r * r + g * g + l * l;
}

/* xterm's colours 16..255: a 6 x 6 x 6 cube, then 24 grays. */
static struct pb_rgb
xterm(int i)
{
	static const unsigned char level[] = {0, 95, 135, 175, 215, 255};
	unsigned char g;

	if (i >= 232) {
		g = (unsigned char)(8 + 10 * (i - 232));
		return (struct pb_rgb){g, g, g};
	}
	i -= 16;
	return (struct pb_rgb){level[i / 36], level[i / 6 % 6], level[i % 6]};
}

int
pb_rgb_256(struct pb_rgb k)
{
	int best = 16;

	for (int i = 17; i < 256; i++)
		if (apart(k, xterm(i)) < apart(k, xterm(best)))
			best = i;
	return best;
}

int
pb_rgb_16(struct pb_rgb k)
{
	static const struct pb_rgb usual[16] = {{0, 0, 0}, {205, 0, 0},
	    {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205},
	    {0, 205, 205}, {229, 229, 229}, {90, 90, 90}, {255, 0, 0},
	    {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255},
	    {0, 255, 255}, {255, 255, 255}};
	int best = 0;

	for (int i = 1; i < 16; i++)
		if (apart(k, usual[i]) < apart(k, usual[best]))
			best = i;
	return best;
}
