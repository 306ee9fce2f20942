/* suggest.h - the word that somebody may have meant. */
#pragma once

#include <stddef.h>

/*
 * Of the words that were right, the one nearest to what was typed: fewest
 * letters put in, left out, changed or swapped; the first of equals. More than
 * a third of the letters, or two, is too far.
 */
struct pb_suggest {
	const char *typed;
	const char *best; /* NULL: none is near */
	size_t n;         /* its length */
	size_t distance;
	char text[120]; /* see pb_suggest_text() */
};

struct pb_suggest pb_suggest_for(const char *typed);

/* Try a word, n bytes; every word of a list with any of "|, " between. */
void pb_suggest_try(struct pb_suggest *near, const char *word, size_t n);
void pb_suggest_list(struct pb_suggest *near, const char *list);

/* The end of a message: "; did you mean \"safe\"?", "" if nothing is near. */
const char *pb_suggest_text(struct pb_suggest *near);
