/* opt_list.c - option arguments that are lists. */
#include "io/opt/opt_list.h"

#include <string.h>

#include "io/stream/num.h"

int
pb_opt_word(const char **at, char *out, int size)
{
	size_t n;

	if (!*at)
		return 0;
	n = strcspn(*at, ",");
	if (n == 0 || n >= (size_t)size)
		return -1;
	memcpy(out, *at, n);
	out[n] = '\0';
	*at = (*at)[n] == ',' ? *at + n + 1 : NULL;
	return 1;
}

static bool
add_number(struct pb_numbers *to, int64_t v)
{
	for (int i = 0; i < to->n; i++)
		if (to->v[i] == v)
			return false;
	if (v < 1 || v > PB_NUMBERS || to->n == PB_NUMBERS)
		return false;
	to->v[to->n++] = (int)v;
	return true;
}

/* "7" or "3-7". */
static bool
add_word(struct pb_numbers *to, char *word)
{
	char *dash = strchr(word, '-');
	int64_t lo, hi;

	if (dash)
		*dash = '\0';
	if (!pb_num_parse_int(word, &lo) ||
	    !pb_num_parse_int(dash ? dash + 1 : word, &hi) || lo > hi ||
	    hi > PB_NUMBERS)
		return false;
	for (; lo <= hi; lo++)
		if (!add_number(to, lo))
			return false;
	return true;
}

bool
pb_opt_numbers(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_numbers list = {.n = 0};
	const char *at = arg;
	char word[32];
	int got;

	while ((got = pb_opt_word(&at, word, sizeof(word))) > 0)
		if (!add_word(&list, word))
			break;
	if (got != 0)
		return pb_error_set(bad,
		    "expected numbers from 1 to %d like 1,3,5-7, none twice, "
		    "got \"%.80s\"",
		    PB_NUMBERS, arg);
	*(struct pb_numbers *)to = list;
	return true;
}

bool
pb_opt_shard(void *to, const char *arg, struct pb_error *bad)
{
	const char *slash = strchr(arg, '/');
	size_t n = slash ? (size_t)(slash - arg) : 0;
	struct pb_shard s;
	char first[32];

	if (n == 0 || n >= sizeof(first))
		return pb_error_set(
		    bad, "expected I/N like 2/8, got \"%.80s\"", arg);
	memcpy(first, arg, n);
	first[n] = '\0';
	if (!pb_num_parse_u64(first, &s.i) ||
	    !pb_num_parse_u64(slash + 1, &s.n) || s.i < 1 || s.i > s.n)
		return pb_error_set(
		    bad, "expected I/N with I from 1 to N, got \"%.80s\"", arg);
	s.i--;
	*(struct pb_shard *)to = s;
	return true;
}
