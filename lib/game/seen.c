/* seen.c - a game on a board of cells as anybody can see it. */
#include "pb/seen.h"

#include <string.h>

static const char *const words[] = {"up", "left", "down", "right", "stop"};

const char *
pb_dir_word(int d)
{
	return words[d];
}

int
pb_dir_of(const char *word)
{
	int d = 0;

	while (d <= PB_STAY && strcmp(word, words[d]) != 0)
		d++;
	return d;
}

static void
set_word(char out[PB_SEEN_WORD], const char *word)
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
	set_word(b->id, id);
	set_word(b->dir, words[d]);
	set_word(b->mode, mode);
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
