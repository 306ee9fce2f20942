/* opt_list.c - tests of option arguments that are lists. */
#include "check.h"

#include "io/opt/opt.h"

static bool
numbers(const char *arg, struct pb_numbers *to)
{
	struct pb_error bad = {""};
	bool ok = pb_opt_numbers(to, arg, &bad);

	check(ok == (bad.text[0] == '\0'));
	return ok;
}

test(numbers)
{
	struct pb_numbers n = {.n = 0};

	check(numbers("4", &n) && n.n == 1 && n.v[0] == 4);
	check(numbers("1-10", &n) && n.n == 10 && n.v[9] == 10);
	check(numbers("7,1,3-5", &n) && n.n == 5 && n.v[0] == 7);
	check(n.v[1] == 1 && n.v[4] == 5);
	check(numbers("1-1000", &n) && n.n == 1000);
}

test(numbers_refused)
{
	static const char *const wrong[] = {"", ",", "1,", ",1", "0", "-1",
	    "1-", "5-3", "1001", "1-1001", "1,1", "1-3,2", "a", "1.5", "1 ",
	    "99999999999999999999", "1--2",
	    "00000000000000000000000000000000000001"};
	struct pb_numbers n = {.n = 3};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		check(!numbers(wrong[i], &n));
		check_int(n.n, 3);
	}
}

test(shard)
{
	static const char *const wrong[] = {"", "/", "1", "1/", "/3", "0/3",
	    "4/3", "1/0", "a/3", "1/b", "1/2/3", "-1/2",
	    "00000000000000000000000000000000000001/2"};
	struct pb_shard s = {7, 7};
	struct pb_error bad;

	check(pb_opt_shard(&s, "2/8", &bad) && s.i == 1 && s.n == 8);
	check(pb_opt_shard(&s, "1/1", &bad) && s.i == 0 && s.n == 1);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		check(!pb_opt_shard(&s, wrong[i], &bad));
		check(s.i == 0 && s.n == 1);
	}
}

test(words)
{
	const char *at = "seed,safe";
	char word[8];

	check_int(pb_opt_word(&at, word, sizeof(word)), 1);
	check_str(word, "seed");
	check_int(pb_opt_word(&at, word, sizeof(word)), 1);
	check_str(word, "safe");
	check_int(pb_opt_word(&at, word, sizeof(word)), 0);
	at = "nearest8";
	check_int(pb_opt_word(&at, word, sizeof(word)), -1);
}
