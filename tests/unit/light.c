/* light.c - tests of what the ring of LEDs shows. */
#include "check.h"

#include "robot/signals.h"

/* What follows is written down from the specification, not from the tables. */
static const struct pb_led yellow = {255, 180, 0}, red = {255, 0, 0},
			   blue = {0, 0, 255}, orange = {255, 80, 0},
			   pink = {255, 60, 180}, white = {255, 255, 255},
			   off = {0, 0, 0};

static int
same(struct pb_led a, struct pb_led b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void
check_ring(const char *name, long i, const struct pb_led want[PB_RING_LEDS])
{
	struct pb_ring r = pb_light_frame(pb_light_find(name), i);

	for (int k = 0; k < PB_RING_LEDS; k++)
		if (!same(r.led[k], want[k])) {
			printf("# %s, frame %ld, led %d\n", name, i, k);
			check(same(r.led[k], want[k]));
		}
}

static void
check_all(const char *name, long i, struct pb_led c)
{
	check_ring(name, i, (struct pb_led[]){c, c, c, c, c, c});
}

test(start)
{
	const struct pb_led pattern[] = {yellow, red, blue, orange, pink, off};
	const struct pb_light *l = pb_light_find("start");

	check_int(l->frames, 51);
	check(!l->loops && l->again);
	for (int step = 0; step < 30; step++) {
		struct pb_led want[PB_RING_LEDS];

		for (int i = 0; i < PB_RING_LEDS; i++)
			want[i] = pattern[((i - step) % 6 + 6) % 6];
		check_ring("start", step, want);
	}
	for (int step = 30; step < 50; step++)
		check_all("start", step, off);
	check_all("start", 50, yellow);
	check_all("start", 51, yellow);
}

test(game_over)
{
	check_int(pb_light_find("game over")->frames, 6);
	check(pb_light_find("game over")->loops);
	for (int step = 0; step < 13; step++) {
		struct pb_led want[PB_RING_LEDS];

		for (int i = 0; i < PB_RING_LEDS; i++)
			want[i] = (struct pb_led){60, 0, 0};
		want[(step + 1) % 6].r = want[(step + 5) % 6].r = 140;
		want[step % 6].r = 255;
		check_ring("game over", step, want);
	}
}

test(pellets)
{
	const struct pb_led chomp[2][6] = {
	    {yellow, off, off, off, yellow, yellow},
	    {yellow, yellow, off, yellow, yellow, yellow}};

	check_int(pb_light_find("pellet")->frames, 4);
	check(!pb_light_find("pellet")->loops);
	check_ring("pellet", 0, chomp[0]);
	check_ring("pellet", 1, chomp[1]);
	check_all("pellet", 2, (struct pb_led){80, 55, 0});
	check_all("pellet", 3, off);
	check_all("pellet", 99, off);
	for (int i = 0; i < 5; i++)
		check_ring("pacman", i, chomp[i % 2]);
	for (int i = 0; i < 5; i++)
		check_all("power pellet", i, i % 2 ? white : yellow);
	check(pb_light_find("powerup") == pb_light_find("power pellet"));
}

test(win)
{
	const struct pb_led y = yellow, w = white, b = {0, 80, 255}, p = pink,
			    o = orange;
	const struct pb_led want[6][6] = {{y, w, b, p, o, w},
	    {w, y, w, b, p, o}, {o, w, y, w, b, p}, {p, o, w, y, w, b},
	    {off, off, off, off, off, off}, {w, w, w, w, w, w}};

	check_int(pb_light_find("win")->frames, 6);
	for (int i = 0; i < 14; i++)
		check_ring("win", i, want[i % 6]);
}

test(ghosts)
{
	const char *const name[] = {"blinky", "pinky", "inky", "clyde"};
	const struct pb_led colour[] = {red, pink, blue, orange};
	const struct pb_led dim = {90, 0, 0};

	for (int i = 0; i < 4; i++) {
		struct pb_led g = colour[i];
		const struct pb_led one[] = {g, red, g, red, g, red},
				    two[] = {red, g, red, g, red, g};
		char word[32];

		snprintf(word, sizeof(word), "%s caught", name[i]);
		check_int(pb_light_find(word)->frames, 2);
		check_all(word, 0, g);
		check_all(word, 3, yellow);
		snprintf(word, sizeof(word), "%s killed", name[i]);
		check_int(pb_light_find(word)->frames, 6);
		check(pb_light_find(word)->loops);
		check_all(word, 0, g);
		check_all(word, 1, red);
		check_ring(word, 2, one);
		check_ring(word, 3, two);
		check_all(word, 4, dim);
		check_all(word, 5, off);
		check_all(word, 6, g);
	}
}

test(colours)
{
	const char *const name[] = {
	    "yellow", "red", "blue", "pink", "orange", "white", "off"};
	const struct pb_led led[] = {
	    yellow, red, blue, pink, orange, white, off};

	for (int i = 0; i < 7; i++) {
		check_int(pb_light_find(name[i])->frames, 1);
		check_all(name[i], 0, led[i]);
	}
	check(pb_light_find("green") == NULL);
	check(pb_light_find("") == NULL);
}

/* Every light's parts make up its frames: the last is not the first of none. */
test(all_lights)
{
	int n = 0;

	for (const struct pb_light *l = pb_lights; l->name; l++, n++) {
		check(pb_light_find(l->name) == l);
		for (long i = 0; i < 3L * l->frames; i++) {
			struct pb_ring a = pb_light_frame(l, i);
			struct pb_ring b =
			    pb_light_frame(l, i + (l->loops ? l->frames : 0));

			check(memcmp(&a, &b, sizeof(a)) == 0);
		}
	}
	check_int(n, 21);
}
