/* base.c - tests of geometry, draws, hashes, beams, described constants. */
#include "check.h"

#include "base/beam.h"
#include "base/hash.h"
#include "pb/geom.h"
#include "pb/param.h"
#include "pb/version.h"

test(wrap_range)
{
	check_near(pb_wrap(0), 0, 0);
	check_near(pb_wrap(PB_PI), PB_PI, 0);
	check_near(pb_wrap(-PB_PI), PB_PI, 0);
	check_near(pb_wrap(3 * PB_PI), PB_PI, 1e-12);
	check(pb_wrap(nextafter(-PB_PI, -4)) == nextafter(PB_PI, 3));
	check(pb_wrap(nextafter(PB_PI, 4)) == nextafter(-PB_PI, -3));
	check(signbit(pb_wrap(-2 * PB_PI)) && !signbit(pb_wrap(2 * PB_PI)));
	for (double a = -50; a < 50; a += 0.37) {
		double w = pb_wrap(a);

		check(w > -PB_PI && w <= PB_PI);
		check(w == remainder(a, 2 * PB_PI));
		check_near(sin(w), sin(a), 1e-12);
		check_near(cos(w), cos(a), 1e-12);
	}
}

test(pose_compose_inverse)
{
	struct pb_pose f = {1.5, -2, 2.5}, i = pb_pose_inverse(f);
	struct pb_pose z = pb_pose_compose(f, i);
	struct pb_vec v = {3, 4}, w = pb_vec_into(f, pb_vec_from(f, v));

	check_near(z.x, 0, 1e-12);
	check_near(z.y, 0, 1e-12);
	check_near(z.th, 0, 1e-12);
	check_near(w.x, 3, 1e-12);
	check_near(w.y, 4, 1e-12);
}

/* A frame at (1, 2) that looks along y; and one that is only shifted. */
test(frames_by_hand)
{
	struct pb_pose f = {1, 2, PB_PI / 2}, shifted = {1, 2, 0}, p;
	struct pb_vec v = pb_vec_from(f, (struct pb_vec){3, 4});

	check_near(v.x, -3, 1e-12);
	check_near(v.y, 5, 1e-12);
	v = pb_vec_into(f, (struct pb_vec){-3, 5});
	check_near(v.x, 3, 1e-12);
	check_near(v.y, 4, 1e-12);
	v = pb_vec_from(shifted, (struct pb_vec){3, 4});
	check(v.x == 4 && v.y == 6);
	v = pb_vec_into(shifted, (struct pb_vec){4, 6});
	check(v.x == 3 && v.y == 4);
	p = pb_pose_compose(f, (struct pb_pose){3, 4, 3});
	check_near(p.x, -3, 1e-12);
	check_near(p.y, 5, 1e-12);
	check_near(p.th, PB_PI / 2 + 3 - 2 * PB_PI, 1e-12);
	check(pb_dist((struct pb_vec){1, -1}, (struct pb_vec){4, 3}) == 5);
}

/* Yaw, then pitch, then roll, as a quaternion of any length. */
test(yaw)
{
	check(pb_yaw(0, 0, 0, 0) == 0);
	for (double yaw = -3; yaw <= 3; yaw += 0.5)
		for (double pitch = -1.2; pitch <= 1.2; pitch += 0.4)
			for (double roll = -3; roll <= 3; roll += 0.75) {
				double a = cos(yaw / 2), b = sin(yaw / 2);
				double c = cos(pitch / 2), d = sin(pitch / 2);
				double e = cos(roll / 2), f = sin(roll / 2);
				double k = 1 + yaw * yaw;

				check_near(pb_yaw(k * (a * c * f - b * d * e),
					       k * (a * d * e + b * c * f),
					       k * (b * c * e - a * d * f),
					       k * (a * c * e + b * d * f)),
				    yaw, 1e-12);
			}
}

test(rng_reference)
{
	/* The first outputs of the published xoshiro256** for this state. */
	struct pb_rng r = {{1, 2, 3, 4}};

	check(pb_rng_u64(&r) == 11520);
	check(pb_rng_u64(&r) == 0);
	check(pb_rng_u64(&r) == 1509978240);
	check(pb_rng_u64(&r) == UINT64_C(1215971899390074240));
}

test(rng_streams_differ)
{
	struct pb_rng a, b;
	uint64_t first;

	pb_rng_start(&a, 7, 3, PB_FOR_GHOST, 0);
	first = pb_rng_u64(&a);
	pb_rng_start(&b, 7, 3, PB_FOR_GHOST, 0);
	check(pb_rng_u64(&b) == first);
	pb_rng_start(&b, 8, 3, PB_FOR_GHOST, 0);
	check(pb_rng_u64(&b) != first);
	pb_rng_start(&b, 7, 4, PB_FOR_GHOST, 0);
	check(pb_rng_u64(&b) != first);
	pb_rng_start(&b, 7, 3, PB_FOR_POSE, 0);
	check(pb_rng_u64(&b) != first);
	pb_rng_start(&b, 7, 3, PB_FOR_GHOST, 1);
	check(pb_rng_u64(&b) != first);
}

test(rng_below_is_uniform)
{
	enum { N = 7, DRAWS = 70000 };
	struct pb_rng r = draws(1, PB_FOR_TRIAL);
	int count[N] = {0};
	double chi2 = 0;

	for (int i = 0; i < DRAWS; i++)
		count[pb_rng_below(&r, N)]++;
	for (int i = 0; i < N; i++) {
		double d = count[i] - DRAWS / (double)N;

		chi2 += d * d * N / DRAWS;
	}
	check(chi2 < 22.46); /* 6 degrees of freedom, one in a thousand */
}

test(rng_normal_moments)
{
	enum { DRAWS = 200000 };
	struct pb_rng r = draws(2, PB_FOR_TRIAL);
	double s1 = 0, s2 = 0, s4 = 0;

	for (int i = 0; i < DRAWS; i++) {
		double v = pb_rng_normal(&r);

		s1 += v;
		s2 += v * v;
		s4 += v * v * v * v;
	}
	check_near(s1 / DRAWS, 0, 0.01);
	check_near(s2 / DRAWS, 1, 0.015);
	check_near(s4 / DRAWS, 3, 0.12);
}

test(hash_reference)
{
	/* Published FNV-1a values. */
	check(pb_hash_bytes(PB_HASH_START, "", 0) ==
	      UINT64_C(0xcbf29ce484222325));
	check(pb_hash_bytes(PB_HASH_START, "a", 1) ==
	      UINT64_C(0xaf63dc4c8601ec8c));
	check(pb_hash_double(1, 0.0) == pb_hash_double(1, -0.0));
	check(pb_hash_double(1, 1.0) != pb_hash_double(1, -1.0));
	/* Least significant byte first, whatever the machine. */
	check(pb_hash_u64(7, UINT64_C(0x6867666564636261)) ==
	      pb_hash_bytes(7, "abcdefgh", 8));
}

struct consts {
	double real, limit;
	int count, choice;
	bool yes;
};

#define PB_PARAMS_OF struct consts

static const struct pb_param rows[] = {
    PB_REAL("real", real, "m", 1, -1, 2, ""),
    PB_LIMIT("limit", limit, "m", INFINITY, 3, ""),
    PB_COUNT("count", count, "", 5, 4, 6, ""),
    PB_CHOICE("choice", choice, "a|bc|d", ""),
    PB_BOOL("yes", yes, true, ""),
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };
static const struct pb_params all = PB_PARAMS(rows);

/* Name of the first parameter out of range, "" if none is. */
static const char *
first_bad(struct consts c)
{
	const struct pb_param *p = pb_params_check(all, &c);

	return p != NULL ? p->name : "";
}

/* Against a list of the highest value of each key; values all differ. */
test(beam)
{
	enum { WIDTH = 20, KEYS = 60 };
	struct pb_beam b;
	struct pb_rng r;
	double mem[500], value[WIDTH + 1], best[KEYS];

	check(pb_beam_size(WIDTH) <= sizeof(mem));
	pb_beam_place(&b, mem, WIDTH);
	for (uint64_t trial = 0; trial < 200; trial++) {
		int width = 1 + (int)(trial % WIDTH);

		pb_rng_start(&r, 1, trial, PB_FOR_TRIAL, 0);
		pb_beam_empty(&b, width);
		for (int k = 0; k < KEYS; k++)
			best[k] = -INFINITY;
		for (int i = 0; i < 200; i++) {
			uint64_t key = pb_rng_below(&r, KEYS);
			double v = pb_rng_normal(&r);
			int at;

			value[pb_beam_spare(&b)] = v;
			if (v > pb_beam_floor(&b, key, &at))
				pb_beam_keep(&b, at, key, v);
			best[key] = fmax(best[key], v);
		}
		check_int(b.n, width);
		for (int i = 0; i < b.n; i++) {
			int higher = 0;

			for (int k = 0; k < KEYS; k++)
				higher += best[k] > b.value[i];
			check(higher < width);
			check(b.value[i] == best[b.key[i]]);
			check(b.value[i] == value[b.slot[i]]);
		}
	}
}

test(usual_values)
{
	struct consts c = {9, 9, 9, 9, false};

	pb_params_defaults(all, &c);
	check(c.real == 1 && c.limit == INFINITY && c.count == 5);
	check(c.choice == 0 && c.yes);
	check(*first_bad(c) == '\0');
}

/* Ends of ranges belong to them. */
test(ranges)
{
	static const struct {
		struct consts c;
		const char *bad;
	} want[] = {
	    {{0, 3, 4, 0, false}, ""},
	    {{-1, INFINITY, 6, 2, true}, ""},
	    {{2, 1e300, 5, 1, true}, ""},
	    {{-1.001, 3, 4, 0, false}, "real"},
	    {{2.001, 3, 4, 0, false}, "real"},
	    {{NAN, 3, 4, 0, false}, "real"},
	    {{INFINITY, 2, 4, 0, false}, "real"},
	    {{0, 2.999, 7, 0, false}, "limit"},
	    {{0, NAN, 4, 0, false}, "limit"},
	    {{0, 3, 3, 9, false}, "count"},
	    {{0, 3, 7, 0, false}, "count"},
	    {{0, 3, 4, -1, false}, "choice"},
	    {{0, 3, 4, 3, false}, "choice"},
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		check_str(first_bad(want[i].c), want[i].bad);
}

/* Every constant counts, and so do the names. */
test(hash_of_constants)
{
	const struct consts c = {0, 3, 4, 0, false};
	struct consts d[ROWS] = {c, c, c, c, c};
	uint64_t h = pb_params_hash(1, all, &c, NULL, 0);

	d[0].real = 1;
	d[1].limit = INFINITY;
	d[2].count = 5;
	d[3].choice = 1;
	d[4].yes = true;
	check(pb_params_hash(1, all, &c, NULL, 0) == h);
	for (int i = 0; i < ROWS; i++)
		check(pb_params_hash(1, all, &d[i], NULL, 0) != h);
	check(pb_params_hash(1, (struct pb_params){rows, 1}, &c, NULL, 0) !=
	      pb_params_hash(1, (struct pb_params){rows + 1, 1}, &c, NULL, 0));
	check(pb_params_hash(1, (struct pb_params){rows, 0}, &c, NULL, 0) == 1);
}

/* The same for every compiler and its flags: see base/selftest.h. */
test(selftest)
{
	check(pb_selftest() == PB_SELFTEST);
}

test(words)
{
	size_t n = 0;
	const char *w = pb_word("a|bc|d", 1, &n);

	check(w != NULL && n == 2 && memcmp(w, "bc", 2) == 0);
	check(pb_word("a|bc|d", 3, &n) == NULL);
	check(pb_word(NULL, 0, &n) == NULL);
	check_int(pb_word_find("a|bc|d", "d", 1), 2);
	check_int(pb_word_find("a|bc|d", "bcd", 2), 1);
	check_int(pb_word_find("a|bc|d", "b", 1), -1);
	check_int(pb_word_find("a|bc|d", "bcd", 3), -1);
}

/* Random numbers of up to 15 digits, against the C library. */
test(numbers_as_the_c_library_reads_them)
{
	struct consts c;
	const struct pb_param wide = {
	    .kind = PB_PARAM_REAL, .min = -INFINITY, .max = INFINITY};
	struct pb_rng r;

	pb_rng_start(&r, 4, 0, 0, 0);
	for (int i = 0; i < 5000; i++) {
		int digits = 1 + (int)pb_rng_below(&r, 15), n = 0;
		int point = (int)pb_rng_below(&r, (uint32_t)digits + 1);
		int power = (int)pb_rng_below(&r, 45) - 22;
		bool far;
		char text[40];
		double v = 0;

		if (pb_rng_below(&r, 3) > 0)
			text[n++] = pb_rng_below(&r, 2) ? '-' : '+';
		for (int k = 0; k < digits; k++) {
			if (k == point)
				text[n++] = '.';
			text[n++] = (char)('0' + pb_rng_below(&r, 10));
		}
		if (pb_rng_below(&r, 2))
			snprintf(text + n, sizeof(text) - (size_t)n, "%c%d",
			    "eE"[power & 1], power);
		else
			text[n] = '\0', power = 0;
		power -= point < digits ? digits - point : 0;
		far = power < -22 || power > 22;
		check((pb_param_read(&wide, &v, text) != NULL) == far);
		check(far || v == strtod(text, NULL));
	}
	check(!pb_param_read(&rows[3], &c, "bc") && c.choice == 1);
	check(!pb_param_read(&rows[4], &c, "yes") && c.yes);
	check(!pb_param_read(&rows[4], &c, "no") && !c.yes);
	check(!pb_param_read(&rows[1], &c, "inf") && c.limit == INFINITY);
	check(!pb_param_read(&rows[2], &c, "4") && c.count == 4);
	check(!pb_param_read(&rows[2], &c, "6e0") && c.count == 6);
	check(!pb_param_read(&rows[0], &c, "-1") && c.real == -1);
	check(!pb_param_read(&rows[0], &c, "2") && c.real == 2);
}

test(what_is_no_value)
{
	static const struct {
		int row;
		const char *text, *want;
	} bad[] = {{0, "", "a number"}, {0, ".", "a number"},
	    {0, "-", "a number"}, {0, "1.2.", "a number"},
	    {0, "1e", "a number"}, {0, "1e+", "a number"},
	    {0, "1e1x", "a number"}, {0, "1 ", "a number"},
	    {0, "0.0000000000000001", NULL}, {0, "1.00000000000000", NULL},
	    {0, "1.000000000000000", "a number"}, {0, "inf", "a number"},
	    {0, "2.01", "a number in its range"},
	    {0, "-1.01", "a number in its range"},
	    {1, "2.9", "a number in its range"}, {2, "4.5", "a whole number"},
	    {2, "x", "a whole number"}, {2, "7", "a number in its range"},
	    {3, "b", "a|bc|d"}, {4, "ye", "no|yes"}};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct consts c;
		const char *got =
		    pb_param_read(&rows[bad[i].row], &c, bad[i].text);

		check_str(got ? got : "", bad[i].want ? bad[i].want : "");
	}
}
