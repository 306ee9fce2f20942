/* boards.c - what the rule sets on boards of cells have in common. */
#include "game/boards.h"

#include <math.h>
#include <string.h>

#include "map/board.h"

void
pb_heat_add(struct pb_heat *sum, const struct pb_heat *h)
{
	for (int r = 0; r < PB_HEAT_SIDE; r++)
		for (int c = 0; c < PB_HEAT_SIDE; c++) {
			sum->here[r][c] += h->here[r][c];
			sum->died[r][c] += h->died[r][c];
		}
}

int
pb_bumps_watch(struct pb_bumps *b, const struct pb_rover *r, int n, double size)
{
	uint64_t pair = 1;
	int begun = 0;

	for (int i = 1; i < n; i++)
		for (int k = 0; k < i; k++, pair <<= 1) {
			double d = pb_pose_dist(r[i].pose, r[k].pose);

			b->nearest = fmin(b->nearest, d);
			begun += d < size && !(b->close & pair);
			b->close =
			    d < size ? b->close | pair : b->close & ~pair;
		}
	return begun;
}

bool
pb_has_pellet(const struct pb_maze *z, int row, int col)
{
	char c = z->cell[row][col];

	return c == PB_MAZE_PELLET || c == PB_MAZE_POWER;
}

int
pb_count_pellets(const struct pb_maze *z)
{
	int n = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			n += pb_has_pellet(z, r, c);
	return n;
}

const char *const pb_ghost_caught[4] = {
    "blinky caught", "pinky caught", "inky caught", "clyde caught"};
const char *const pb_ghost_killed[4] = {
    "blinky killed", "pinky killed", "inky killed", "clyde killed"};

void
pb_add_event(struct pb_news *out, int *n, const char *name)
{
	out[(*n)++] = (struct pb_news){.kind = PB_NEWS_EVENT, .name = name};
}

void
pb_add_message(struct pb_news *out, int *n, int body, const char *name)
{
	out[(*n)++] = (struct pb_news){.body = body, .name = name};
}

const char *
pb_dir_word(int d)
{
	return pb_board_dir[d];
}

int
pb_dir_of(const char *word)
{
	int d = 0;

	while (d <= PB_STAY && strcmp(word, pb_board_dir[d]) != 0)
		d++;
	return d;
}

void
pb_seen_word(char out[PB_SEEN_WORD], const char *word)
{
	memcpy(out, word, strlen(word) + 1);
}

struct pb_seen_body *
pb_seen_add(struct pb_seen *k, const char *id, int row, int col, int d,
    const char *mode)
{
	struct pb_seen_body *b = &k->body[k->bodies++];

	*b = (struct pb_seen_body){
	    .row = row, .col = col, .fright = -1, .trapped = -1};
	pb_seen_word(b->id, id);
	pb_seen_word(b->dir, pb_board_dir[d]);
	pb_seen_word(b->mode, mode);
	return b;
}

const struct pb_seen_body *
pb_seen_find(const struct pb_seen *k, const char *id)
{
	for (int i = 0; i < k->bodies; i++)
		if (strcmp(k->body[i].id, id) == 0)
			return &k->body[i];
	return NULL;
}

struct pb_seen
pb_seen_none(void)
{
	return (struct pb_seen){.score = -1,
	    .lives = -1,
	    .left = -1,
	    .level = -1,
	    .combo = -1,
	    .period = -1,
	    .mode_steps = -1,
	    .level_steps = -1,
	    .fruit = -1};
}
