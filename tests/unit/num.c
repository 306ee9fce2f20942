/* num.c - tests of numbers as text. */
#include "check.h"

#include <stdint.h>

#include "io/stream/text.h"

/* The slow, obvious rounding: printf, zeros cut off, no minus zero. */
static void
round_twin(char *out, size_t size, double v)
{
	size_t n = (size_t)snprintf(out, size, "%.6f", v);

	while (out[n - 1] == '0')
		n--;
	n -= out[n - 1] == '.';
	out[n] = 0;
	if (strcmp(out, "-0") == 0)
		strcpy(out, "0");
}

static void
check_round(double v)
{
	char got[PB_NUM_MAX], want[400];
	size_t n = pb_num_round(got, v);

	round_twin(want, sizeof(want), v);
	if (n == strlen(got) && strcmp(got, want) == 0)
		return;
	printf("# %.17g: %s, expected %s\n", v, got, want);
	check_bad = 1;
}

test(round_as_printf)
{
	struct pb_rng g = draws(3, PB_FOR_MAP);

	for (int i = 0; i < 200000; i++) {
		double v = pb_rng_between(&g, -1, 1) *
		           pow(10, pb_rng_between(&g, -8, 14.9));

		check_round(v);
	}
	/* Near halves, where scaling alone would go wrong. */
	for (int i = 0; i < 100000; i++) {
		double v = (pb_rng_below(&g, 2000000000) + 0.5) * 1e-6;

		check_round(v);
		check_round(nextafter(v, 0));
		check_round(nextafter(v, 1e9));
		check_round(-v);
	}
	for (int i = 0; i < 1000000; i += 3)
		check_round(i * 1e-6);
}

test(round_corners)
{
	static const double v[] = {0, -0.0, 1e-7, -1e-7, 4.9e-7, 5e-7, -5e-7,
	    0.9999995, 0.99999949, 1, -1, 999999.9999995, 1099511.627775,
	    1099511.627776, 1099511.6277765, 1e14, 123456789012345.678};
	char s[PB_NUM_MAX];

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++)
		check_round(v[i]);
	check_int((long)pb_num_round(s, NAN), 4);
	check_str(s, "null");
	pb_num_round(s, -INFINITY);
	check_str(s, "null");
	pb_num_round(s, 1e300);
	check(strtod(s, NULL) == 1e300);
}

test(exact_comes_back)
{
	struct pb_rng g = draws(4, PB_FOR_MAP);
	char s[PB_NUM_MAX];

	for (int i = 0; i < 100000; i++) {
		uint64_t bits = pb_rng_u64(&g);
		double v;

		memcpy(&v, &bits, sizeof(v));
		if (!isfinite(v))
			continue;
		check(pb_num_exact(s, v) == strlen(s));
		check(strtod(s, NULL) == v);
		v = pb_rng_between(&g, -100, 100);
		pb_num_exact(s, v);
		check(strtod(s, NULL) == v);
		v = (double)pb_rng_below(&g, 1000000) / 10000;
		check(pb_num_exact(s, v) <= 7);
	}
	pb_num_exact(s, 0.05);
	check_str(s, "0.05");
	pb_num_exact(s, 0.0889);
	check_str(s, "0.0889");
	pb_num_exact(s, -0.0);
	check_str(s, "0");
	pb_num_exact(s, 0.1 + 0.2);
	check_str(s, "0.30000000000000004");
}

test(integers)
{
	char s[PB_NUM_MAX];
	int64_t v;
	uint64_t u;

	pb_num_int(s, INT64_MIN);
	check_str(s, "-9223372036854775808");
	check(pb_num_parse_int(s, &v) && v == INT64_MIN);
	pb_num_u64(s, UINT64_MAX);
	check_str(s, "18446744073709551615");
	check(pb_num_parse_u64(s, &u) && u == UINT64_MAX);
	check(pb_num_parse_int("+12", &v) && v == 12);
	check(!pb_num_parse_int("", &v));
	check(!pb_num_parse_int("-", &v));
	check(!pb_num_parse_int(" 1", &v));
	check(!pb_num_parse_int("1 ", &v));
	check(!pb_num_parse_int("0x1", &v));
	check(!pb_num_parse_int("1e3", &v));
	check(!pb_num_parse_int("9223372036854775808", &v));
	check(!pb_num_parse_u64("-1", &u));
	check(!pb_num_parse_u64("18446744073709551616", &u));
}

test(parse_is_strict)
{
	static const char *const good[] = {
	    "1", "-1", "+1", ".5", "5.", "1e3", "007", "-0.25E-2"};
	static const char *const bad[] = {"", " ", " 1", "1 ", "1x", "0x10",
	    "nan", "inf", "1e", "e1", "--1", "1e999", "1,5", "1.2.3", "."};
	double v = 42;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		check(pb_num_parse(good[i], &v));
		check(v == strtod(good[i], NULL));
	}
	v = 42;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		check(!pb_num_parse(bad[i], &v));
	check(v == 42);
}
