/* expect.c - tests of bounds on summaries. */
#include "check.h"

#include "io/tool/bench.h"

static bool
parse(const char *text, struct pb_expect *e)
{
	struct pb_error bad = {""};
	bool ok = pb_expect_parse(text, e, &bad);

	check(ok == (bad.text[0] == '\0'));
	return ok;
}

test(parse)
{
	struct pb_expect e;

	check(parse("success>=0.95", &e));
	check(strcmp(e.number, "success") == 0 && e.player[0] == '\0');
	check(e.round == 0 && e.op == PB_AT_LEAST && e.bound == 0.95);
	check(parse("safe:time<=120", &e));
	check(strcmp(e.player, "safe") == 0 && e.op == PB_AT_MOST);
	check(parse(" safe@10 : success.lo > 9e-1 ", &e));
	check(e.round == 10 && e.op == PB_ABOVE && e.bound == 0.9);
	check_str(e.number, "success.lo");
	check(parse("killed<.5", &e) && e.op == PB_BELOW);
}

test(refused)
{
	static const char *const wrong[] = {"", "success", ">=1", "success=1",
	    "success>=", "success>=x", "success>=1x", "success>=nan",
	    "sucess>=1", "eaten>=1", ":success>=1", "@3:success>=1",
	    "safe@:success>=1", "safe@0:success>=1", "safe@x:success>=1",
	    "success>==1", "success=>1", "success>=0.9,time<=3",
	    "a123456789012345678901234567890123456789:success>=1",
	    "a123456789012345678901234567890123456789>=1"};
	struct pb_expect e = {.round = 77};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		check(!parse(wrong[i], &e));
		check_int(e.round, 77);
	}
}

static struct pb_summary
summary(void)
{
	struct pb_summary s = {.n = 1000, .k = 950, .at_least = 990};

	strcpy(s.key.rules, "pacmanbot");
	strcpy(s.key.policy, "safe");
	s.key.round = 3;
	s.rate = pb_rate_interval(950, 1000, 0.95);
	s.time_mean = 100;
	s.outcomes.n = 2;
	strcpy(s.outcomes.word[0], "complete");
	strcpy(s.outcomes.word[1], "timeout");
	s.total = 10;
	s.outcomes.count[0] = 950;
	s.outcomes.count[1] = 50;
	return s;
}

test(kept)
{
	static const struct {
		const char *text;
		bool kept;
	} rows[] = {{"success>=0.95", true}, {"success>0.95", false},
	    {"success<0.95", false}, {"success<=0.95", true},
	    {"success.lo>=0.95", false}, {"success.lo>=0.93", true},
	    {"time<=100", true}, {"time<=99.9", false}, {"killed<=0", true},
	    {"killed>0", false}, {"cleared<=0", false},
	    {"complete>=0.95", true}, {"all_but_one>=0.99", true},
	    {"n>=1000", true}, {"seed:success>=0.99", false},
	    {"safe:success>=0.99", false}, {"safe@3:success>=0.95", true},
	    {"safe@2:success>=0.95", false}};
	struct pb_summary s = summary();
	const struct pb_report r = {.summary = &s, .summaries = 1};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pb_expect e;

		check(parse(rows[i].text, &e));
		check(pb_expect_judge(&e, &r) == rows[i].kept);
	}
}
