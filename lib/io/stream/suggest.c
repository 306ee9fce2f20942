/* suggest.c - the word that somebody may have meant. */
#include "io/stream/suggest.h"

#include <stdio.h>
#include <string.h>

/* Longer words are not looked at. */
enum { LONGEST = 48 };

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Damerau's distance, where no two swaps overlap, by the table of the
 * distances of all beginnings: three rows of it at a time.
 */
static size_t
distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][LONGEST + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = row[i % 3], *was = row[(i - 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(least(was[j], now[j - 1]) + 1,
			    was[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] =
				    least(now[j], row[(i - 2) % 3][j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

struct pb_suggest
pb_suggest_for(const char *typed)
{
	size_t n = strlen(typed);

	/* One beyond what is near enough: half of a short word is. */
	return (struct pb_suggest){
	    .typed = typed, .distance = (n < 6 ? least(n / 2, 2) : n / 3) + 1};
}

void
pb_suggest_try(struct pb_suggest *near, const char *word, size_t n)
{
	size_t typed = strlen(near->typed), d;

	if (n == 0 || n > LONGEST || typed > LONGEST)
		return;
	d = distance(near->typed, typed, word, n);
	if (d >= near->distance)
		return;
	near->distance = d;
	near->best = word;
	near->n = n;
}

void
pb_suggest_list(struct pb_suggest *near, const char *list)
{
	while (*list != '\0') {
		size_t n = strcspn(list, "|, ");

		pb_suggest_try(near, list, n);
		list += n;
		list += strspn(list, "|, ");
	}
}

const char *
pb_suggest_text(struct pb_suggest *near)
{
	near->text[0] = '\0';
	if (near->best != NULL)
		snprintf(near->text, sizeof(near->text),
		    "; did you mean \"%.*s\"?", (int)near->n, near->best);
	return near->text;
}
