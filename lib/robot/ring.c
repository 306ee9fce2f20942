/* ring.c - the ring of six lights on the robot: colours and animations. */
#include "robot/ring.h"

#include <string.h>

/* Six letters of the palette, shown a number of times. */
struct pb_light_part {
	const char *leds;
	int frames;
	bool turns; /* by one LED from frame to frame */
};

/* PacManBot, game_light_node: the palette. */
static const struct {
	char letter;
	struct pb_led led;
} palette[] = {
    {'Y', {255, 180, 0}},
    {'R', {255, 0, 0}},
    {'B', {0, 0, 255}},
    {'O', {255, 80, 0}},
    {'P', {255, 60, 180}},
    {'W', {255, 255, 255}},
    {'V', {0, 80, 255}}, /* the blue of a win */
    {'y', {80, 55, 0}},  /* behind a pellet */
    {'r', {140, 0, 0}},  /* beside the red one when a game is over */
    {'e', {60, 0, 0}},   /* and the rest */
    {'k', {90, 0, 0}},   /* of somebody killed */
    {'.', {0, 0, 0}},
};

/* The same: the animations. 'G' is the colour of the ghost. */
#define OFF "......"
static const struct pb_light_part start[] = {
    {"YRBOP.", 30, true}, {OFF, 20, false}, {"YYYYYY", 1, false}};
static const struct pb_light_part game_over[] = {{"Rreeer", 6, true}};
static const struct pb_light_part pellet[] = {{"Y...YY", 1, false},
    {"YY.YYY", 1, false}, {"yyyyyy", 1, false}, {OFF, 1, false}};
static const struct pb_light_part power[] = {
    {"YYYYYY", 1, false}, {"WWWWWW", 1, false}};
static const struct pb_light_part win[] = {
    {"YWVPOW", 4, true}, {OFF, 1, false}, {"WWWWWW", 1, false}};
static const struct pb_light_part caught[] = {
    {"GGGGGG", 1, false}, {"YYYYYY", 1, false}};
static const struct pb_light_part killed[] = {{"GGGGGG", 1, false},
    {"RRRRRR", 1, false}, {"GRGRGR", 1, false}, {"RGRGRG", 1, false},
    {"kkkkkk", 1, false}, {OFF, 1, false}};
static const struct pb_light_part solid[] = {{"GGGGGG", 1, false}};

static const struct pb_light light[] = {
    {"start", NULL, 51, false, true, 0, start},
    {"game over", NULL, 6, true, false, 0, game_over},
    {"pellet", NULL, 4, false, false, 0, pellet},
    {"power pellet", "powerup", 2, true, false, 0, power},
    {"pacman", NULL, 2, true, false, 0, pellet},
    {"win", NULL, 6, true, false, 0, win},
    {"blinky caught", NULL, 2, true, false, 'R', caught},
    {"pinky caught", NULL, 2, true, false, 'P', caught},
    {"inky caught", NULL, 2, true, false, 'B', caught},
    {"clyde caught", NULL, 2, true, false, 'O', caught},
    {"blinky killed", NULL, 6, true, false, 'R', killed},
    {"pinky killed", NULL, 6, true, false, 'P', killed},
    {"inky killed", NULL, 6, true, false, 'B', killed},
    {"clyde killed", NULL, 6, true, false, 'O', killed},
    {"off", NULL, 1, false, false, '.', solid},
    {"yellow", NULL, 1, false, false, 'Y', solid},
    {"red", NULL, 1, false, false, 'R', solid},
    {"blue", NULL, 1, false, false, 'B', solid},
    {"pink", NULL, 1, false, false, 'P', solid},
    {"orange", NULL, 1, false, false, 'O', solid},
    {"white", NULL, 1, false, false, 'W', solid},
};
enum { LIGHTS = sizeof(light) / sizeof(*light) };

const struct pb_light *
pb_light_at(int i)
{
	return i >= 0 && i < LIGHTS ? &light[i] : NULL;
}

const struct pb_light *
pb_light_find(const char *name)
{
	for (int i = 0; i < LIGHTS; i++)
		if (strcmp(name, light[i].name) == 0 ||
		    (light[i].alias && strcmp(name, light[i].alias) == 0))
			return &light[i];
	return NULL;
}

static struct pb_led
colour(char letter)
{
	int i = 0;

	while (palette[i].letter != letter && palette[i].letter != '.')
		i++;
	return palette[i].led;
}

struct pb_ring
pb_light_frame(const struct pb_light *l, long i)
{
	const struct pb_light_part *p = l->part;
	struct pb_ring r;
	int k = (int)(l->loops            ? i % l->frames
		      : i < l->frames - 1 ? i
					  : l->frames - 1);

	for (; k >= p->frames; p++)
		k -= p->frames;
	for (int n = 0; n < PB_RING_LEDS; n++) {
		int from = p->turns ? (n - k) % PB_RING_LEDS : n;
		char c = p->leds[from < 0 ? from + PB_RING_LEDS : from];

		r.led[n] = colour(c == 'G' ? l->ghost : c);
	}
	return r;
}

bool
pb_ring_dark(const struct pb_ring *r)
{
	for (int i = 0; i < PB_RING_LEDS; i++)
		if (r->led[i].r + r->led[i].g + r->led[i].b > 0)
			return false;
	return true;
}
