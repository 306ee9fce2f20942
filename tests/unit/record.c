/* record.c - tests of writing records and reading them back, or refusing. */
#include "check.h"

#include <limits.h>

#include <jansson.h>

#include "io/rec/rec.h"

/* Reads the C string s; the record is the caller's to clear. */
static bool
read_text(const char *s, struct pb_rec *r, struct pb_error *bad)
{
	return pb_rec_read(s, strlen(s), PB_REC_ALL, r, bad);
}

/* Whether writing what was read from s gives s again. */
static void
check_same(int line, const char *s)
{
	struct pb_error bad = {""};
	struct pb_rec r = {0};
	struct pb_text o = {0};
	bool ok = read_text(s, &r, &bad);

	if (ok)
		pb_rec_write(&o, &r);
	if (!ok || o.len != strlen(s) + 1 || memcmp(o.s, s, o.len - 1) != 0) {
		printf("# record.c:%d: %s\n#   gives: %.*s%s\n", line, s,
		    (int)o.len, o.s ? o.s : "", bad.text);
		check_bad = 1;
	}
	pb_text_clear(&o);
	pb_rec_clear(&r);
}
#define same(s) check_same(__LINE__, s)

test(worlds_come_back)
{
	same("{\"type\":\"map\",\"name\":\"a\",\"resolution\":0.05,"
	     "\"width\":3,\"height\":2,\"origin\":[-4.163,-6.09,0.1],"
	     "\"rows\":[\"#.?\",\"...\"]}");
	same("{\"type\":\"map\",\"resolution\":0.1,\"width\":2,\"height\":2,"
	     "\"origin\":[0,0,0],\"data\":[0,100,-1,37]}");
	same("{\"type\":\"maze\",\"name\":\"m\",\"rows\":[\"###\",\"#.o\"],"
	     "\"start\":{\"row\":1,\"col\":1,\"dir\":\"left\"},"
	     "\"ghosts\":[{\"row\":0,\"col\":2,\"dir\":\"stop\"}]}");
	same("{\"type\":\"pellets\",\"t\":1.5,\"pellets\":[{\"id\":0,\"x\":1,"
	     "\"y\":-2.5,\"kind\":\"pellet\"},{\"id\":4,\"x\":0.000001,"
	     "\"y\":3,\"kind\":\"power\"}]}");
	same("{\"type\":\"pellets\",\"pellets\":[]}");
}

test(commands_and_bodies_come_back)
{
	same("{\"type\":\"cmd\",\"name\":\"start\"}");
	same("{\"type\":\"cmd\",\"t\":0,\"id\":\"clyde\",\"name\":\"speed\","
	     "\"value\":0.3}");
	same("{\"type\":\"cmd\",\"name\":\"spawn\",\"value\":[1.25,-3]}");
	same(
	    "{\"type\":\"cmd\",\"name\":\"event\",\"value\":\"win \\\"x\\\"\"}");
	same("{\"type\":\"pose\",\"t\":0.2,\"id\":\"clyde\",\"x\":1,\"y\":2,"
	     "\"theta\":-3.141592}");
	same("{\"type\":\"pose\",\"x\":1,\"y\":2,\"theta\":3.141593,"
	     "\"source\":\"truth\",\"cov\":[[0.04,0,0],[0,0.04,0],"
	     "[0,0,1e-07]]}");
	same("{\"type\":\"pose\",\"x\":1,\"y\":2,\"theta\":3,"
	     "\"source\":\"estimate\",\"status\":\"unmapped\",\"fit\":0.25,"
	     "\"jump\":1.5}");
	same("{\"type\":\"odom\",\"t\":3,\"id\":\"robot\",\"x\":1,\"y\":2,"
	     "\"theta\":0,\"v\":0.3,\"w\":-0.1}");
	same("{\"type\":\"scan\",\"t\":3,\"angle_min\":-1.5,"
	     "\"angle_increment\":0.017453292519943295,\"range_min\":0.1,"
	     "\"range_max\":12,\"ranges\":[1,2.5,null,11.999999]}");
	same("{\"type\":\"fix\",\"t\":1,\"id\":\"robot\",\"x\":0.5,\"y\":2}");
}

test(plans_come_back)
{
	same("{\"type\":\"target\",\"t\":1,\"pellet\":3,\"x\":1,\"y\":2,"
	     "\"total\":4.5,\"why\":\"safe\",\"threat\":true,"
	     "\"changed\":false}");
	same("{\"type\":\"target\",\"pellet\":null,\"threat\":false,"
	     "\"changed\":true}");
	same("{\"type\":\"goal\",\"t\":9,\"id\":\"robot\",\"kind\":\"pellet\","
	     "\"status\":\"sent\",\"pellet\":2,\"x\":1,\"y\":2}");
	same("{\"type\":\"path\",\"t\":9,\"points\":[[0,0],[1,0.5]]}");
	same("{\"type\":\"path\",\"points\":[]}");
	same("{\"type\":\"twist\",\"v\":0.31,\"w\":-1}");
	same("{\"type\":\"obstacle\",\"id\":\"clyde\",\"x\":1,\"y\":2,"
	     "\"radius\":0.05}");
	same("{\"type\":\"obstacle\",\"points\":[[1,2],[1.05,2]]}");
}

test(games_come_back)
{
	same("{\"type\":\"tick\",\"tick\":7,\"score\":50,\"lives\":3,"
	     "\"left\":240,\"bodies\":[{\"id\":\"red\",\"row\":11,"
	     "\"col\":13,\"dir\":\"left\",\"mode\":\"chase\"}],"
	     "\"hash\":\"0123456789abcdef\"}");
	same("{\"type\":\"move\",\"id\":\"pacman\",\"dir\":\"up\"}");
	same("{\"type\":\"draw\",\"purpose\":\"ghost\",\"value\":0.125}");
	same("{\"type\":\"state\",\"t\":1,\"state\":\"running\",\"round\":1,"
	     "\"spawned\":8,\"collected\":0,\"score\":0}");
	same("{\"type\":\"state\",\"state\":\"menu\",\"result\":\"Death - "
	     "Score: 3\"}");
	same("{\"type\":\"event\",\"t\":1,\"name\":\"pellet\",\"pellet\":3}");
	same("{\"type\":\"light\",\"name\":\"start\",\"leds\":[[255,180,0],"
	     "[0,0,0],[0,0,0],[0,0,0],[0,0,0],[1,2,3]]}");
	same("{\"type\":\"sound\",\"name\":\"pacman_theme\"}");
	same("{\"type\":\"motion\",\"name\":\"spin\",\"duration\":8,"
	     "\"w\":1.5}");
}

test(results_come_back)
{
	same(
	    "{\"type\":\"result\",\"rules\":\"pacmanbot\",\"map\":\"house\","
	    "\"map_hash\":\"00ff00ff00ff00ff\","
	    "\"options\":\"0123456789abcdef\",\"preset\":\"published\","
	    "\"constants\":{\"clyde-speed\":0.3,\"judge\":\"truth\","
	    "\"world-seed\":12,\"start\":\"1,2\",\"weights\":\"00ff\"},"
	    "\"policy\":\"safe\",\"round\":1,\"seed\":\"18446744073709551615\","
	    "\"trial\":12,\"outcome\":\"complete\",\"success\":true,"
	    "\"pellets\":8,\"pellets_total\":8,\"removed\":0,\"score\":8,"
	    "\"time\":93.25,\"limit\":900,\"driven\":21.5,\"nearest\":0.61,"
	    "\"hash\":\"89abcdef01234567\",\"metric\":2,"
	    "\"version\":\"0.1.0\",\"build\":\"0123456789abcdef\"}");
}

/* A share that nobody knows is told as such, and no jump is not. */
test(an_unknown_fit_is_null)
{
	struct pb_text out = {0};
	struct pb_rec_pose p = {.has_fit = true, .fit = NAN};

	pb_rec_put(&out, PB_REC_POSE, pb_stamp_none(), &p);
	pb_text_put(&out, "", 1);
	check_str(out.s, "{\"type\":\"pose\",\"x\":0,\"y\":0,\"theta\":0,"
			 "\"fit\":null}\n");
	pb_text_clear(&out);
	check_str(pb_loc_status_text(PB_LOC_UNMAPPED), "unmapped");
}

test(beliefs_come_back)
{
	same("{\"type\":\"belief\",\"t\":1,\"id\":\"robot\","
	     "\"status\":\"ambiguous\",\"hypotheses\":[{\"x\":1,\"y\":2,"
	     "\"theta\":3,\"weight\":0.5,\"cov\":[[1,0,0],[0,2,0],"
	     "[0,0,3]]}],\"particles\":[[1,2,3],[4,5,-1]]}");
	same("{\"type\":\"belief\",\"status\":\"lost\",\"hypotheses\":[]}");
	same("{\"type\":\"pose\",\"x\":1,\"y\":2}");
}

test(others_are_left_alone)
{
	struct pb_error bad;
	struct pb_rec r;
	const char *pose = "{\"type\":\"pose\",\"x\":\"no number\"}";

	check(read_text("{\"type\":\"summary\",\"t\":3,\"n\":-1}", &r, &bad));
	check(r.type == PB_REC_SUMMARY && r.stamp.t == 3);
	pb_rec_clear(&r);
	check(
	    read_text("{\"type\":\"weather\",\"x\":[{\"a\":NaN}]}", &r, &bad));
	check_int(r.type, PB_REC_OTHER);
	check(read_text("{\"type\":\"a name that is longer than any of the "
			"names we have\"}",
	    &r, &bad));
	check_int(r.type, PB_REC_OTHER);
	/* Nothing of it is read, so there is nothing to free either. */
	memset(&r, 0xff, sizeof(r));
	check(
	    pb_rec_read(pose, strlen(pose), PB_REC_BIT(PB_REC_SCAN), &r, &bad));
	check_int(r.type, PB_REC_POSE);
	pb_rec_clear(&r);
	check_int(PB_REC_TYPES <= 64, 1);
}

/* What a line that nobody wants is found to be: nothing, or its type and t. */
static bool
passed(const char *s, size_t n, struct pb_rec *r)
{
	struct pb_error bad;
	bool read = pb_rec_read(s, n, 0, r, &bad);

	if (read)
		pb_rec_clear(r);
	return read;
}

/* Change a byte, take one out or put one in, of those that lines have. */
static size_t
spoil(struct pb_rng *g, char *s, size_t n)
{
	static const char byte[] = "{}[],:\"\"\\ 0129.-+eEtfnrua\xc3\xa4\x01";
	size_t at = 8 + (size_t)(pb_rng_unit(g) * (double)(n - 8));
	char c = byte[(size_t)(pb_rng_unit(g) * (sizeof(byte) - 1))];
	int how = (int)(pb_rng_unit(g) * 3);

	if (how == 0) {
		s[at] = c;
		return n;
	}
	if (how == 1) {
		memmove(s + at, s + at + 1, n - at - 1);
		return n - 1;
	}
	memmove(s + at + 1, s + at, n - at);
	s[at] = c;
	return n + 1;
}

/*
 * Lines that begin with their type are looked through, others taken apart;
 * both find the same, in whole lines and in spoilt ones.
 */
test(lines_looked_through_and_taken_apart)
{
	static const char *const line[] = {
	    "{\"type\":\"battery\",\"t\":12.25,\"id\":\"robot\",\"cells\":[3.71,"
	    "-3.68e-2],\"health\":{\"t\":4,\"state\":\"good\",\"n\":null}}",
	    "{\"type\" : \"x\\u0041\", \"t\": -1e300, \"t2\": [ ], \"o\": { }}",
	    "{\"type\":\"\xc3\xa4\",\"a\":{\"b\":{\"b\":[[1],{\"b\":true}]}},"
	    "\"t\":18446744073709551616}",
	    "{\"type\":\"pose\",\"t\":\"1\",\"x\":false,\"y\":[{\"t\":7}]}"};
	const char first[] = "{\"zz\":0,";
	int read = 0, refused = 0;
	struct pb_rng g = draws(4, PB_FOR_SENSOR);

	for (int i = 0; i < 40000; i++) {
		const char *from = line[i % 4];
		char s[256], other[300];
		size_t n = strlen(from);
		struct pb_rec a, b;
		bool is_read;

		memcpy(s, from, n);
		for (int k = i / 4 % 4; k > 0; k--)
			n = spoil(&g, s, n);
		memcpy(other, first, sizeof(first) - 1);
		memcpy(other + sizeof(first) - 1, s + 1, n - 1);
		is_read = passed(s, n, &a);
		read += is_read;
		refused += !is_read;
		check_int(passed(other, n + sizeof(first) - 2, &b), is_read);
		check(!is_read || a.type == b.type);
		check(!is_read ||
		      memcmp(&a.stamp.t, &b.stamp.t, sizeof(double)) == 0);
	}
	check(read > 10000 && refused > 10000);
}

/* A number as sensors and games give them. */
static double
some_number(struct pb_rng *g)
{
	double v = pb_rng_between(g, -1, 1);

	return v * pow(10, pb_rng_between(g, -7, 7));
}

static double
rounded(double v)
{
	char s[400];

	snprintf(s, sizeof(s), "%.6f", v);
	return strtod(s, NULL);
}

/* The hand-made writers against jansson's reading of what they write. */
test(hot_writers_against_jansson)
{
	struct pb_rng g = draws(1, PB_FOR_SENSOR);
	struct pb_text o = {0};

	for (int i = 0; i < 5000; i++) {
		struct pb_rec_pose p = {.x = some_number(&g),
		    .y = some_number(&g),
		    .theta = pb_rng_between(&g, -3, 3)};
		double range[7];
		struct pb_rec_scan s = {.angle_min = some_number(&g),
		    .angle_increment = some_number(&g),
		    .range_min = NAN,
		    .range_max = INFINITY,
		    .range = range,
		    .n = 7};
		struct pb_stamp at = pb_stamp_at(fabs(some_number(&g)), "a\"b");
		json_t *j;
		size_t line;

		for (int k = 0; k < 7; k++)
			range[k] = k == 3 ? NAN : fabs(some_number(&g));
		o.len = 0;
		pb_rec_put(&o, PB_REC_POSE, at, &p);
		line = o.len;
		pb_rec_put(&o, PB_REC_SCAN, at, &s);
		j = json_loadb(o.s, line, JSON_REJECT_DUPLICATES, NULL);
		check_near(json_number_value(json_object_get(j, "x")),
		    rounded(p.x), 0);
		check_near(json_number_value(json_object_get(j, "y")),
		    rounded(p.y), 0);
		check_near(json_number_value(json_object_get(j, "t")),
		    rounded(at.t), 0);
		check_str(json_string_value(json_object_get(j, "id")), "a\"b");
		json_decref(j);
		j = json_loadb(
		    o.s + line, o.len - line, JSON_REJECT_DUPLICATES, NULL);
		check_near(
		    json_number_value(json_object_get(j, "angle_increment")),
		    s.angle_increment, 0);
		for (size_t k = 0; k < 7; k++) {
			json_t *v =
			    json_array_get(json_object_get(j, "ranges"), k);

			check(json_is_null(v) == (k == 3));
			if (k != 3)
				check_near(
				    json_number_value(v), rounded(range[k]), 0);
		}
		check(json_object_get(j, "range_max") == NULL);
		json_decref(j);
	}
	pb_text_clear(&o);
}

test(words_are_cut_at_characters)
{
	char out[5];

	pb_rec_set(out, sizeof(out), "ab\xc3\xa4\xc3\xa4");
	check_str(out, "ab\xc3\xa4");
	pb_rec_set(out, sizeof(out), "abc\xc3\xa4");
	check_str(out, "abc");
	check_str(pb_rec_name(PB_REC_SCAN), "scan");
	for (int i = 1; i < PB_REC_TYPES; i++) {
		char line[64];
		struct pb_error bad;
		struct pb_rec r;
		int n = snprintf(line, sizeof(line), "{\"type\":\"%s\"}",
		    pb_rec_name((enum pb_rec_type)i));

		check(pb_rec_read(line, (size_t)n, 0, &r, &bad));
		check_int(r.type, i);
	}
}

static void
check_refused(int line, const char *s, const char *why)
{
	struct pb_error bad = {"(read)"};
	struct pb_rec r = {0};
	bool ok = read_text(s, &r, &bad);

	if (!ok && strcmp(bad.text, why) == 0)
		return;
	printf("# record.c:%d: %s\n#   says: %s\n#   not:  %s\n", line, s,
	    ok ? "(accepted)" : bad.text, why);
	check_bad = 1;
	pb_rec_clear(&r);
}
#define refused(s, why) check_refused(__LINE__, s, why)

test(complaints)
{
	refused("{}", "record.type: expected a string, got nothing");
	refused("{\"type\":3}", "record.type: expected a string, got 3");
	refused("{\"type\":\"pose\",\"x\":\"1\",\"y\":2}",
	    "pose.x: expected a number, got a string");
	refused("{\"type\":\"pose\",\"y\":2}",
	    "pose.x: expected a number, got nothing");
	refused("{\"type\":\"pose\",\"x\":NaN,\"y\":2}",
	    "pose.x: expected a number, got NaN");
	refused("{\"type\":\"pose\",\"x\":1e999,\"y\":2}",
	    "pose.x: expected a number, got a number beyond the range of a double");
	refused("{\"type\":\"pose\",\"x\":1,\"y\":2,\"t\":\"now\"}",
	    "pose.t: expected a number, got a string");
	refused("{\"type\":\"pose\",\"x\":1,\"y\":2,\"cov\":[[1,2,3],[1,2]]}",
	    "pose.cov[1]: expected an array of 3 numbers, got an array of 2");
	refused(
	    "{\"type\":\"pose\",\"x\":1,\"y\":2,\"cov\":[[1,2,3],[1,NaN,2]]}",
	    "pose.cov[1][1]: expected a number, got NaN");
	refused("{\"type\":\"map\",\"resolution\":1,\"width\":1,\"height\":1,"
		"\"origin\":[0,\"a\",0],\"rows\":[\".\"]}",
	    "map.origin[1]: expected a number, got a string");
	refused("{\"type\":\"belief\",\"status\":\"lost\","
		"\"hypotheses\":[{\"x\":1}]}",
	    "belief.hypotheses[0].y: expected a number, got nothing");
	refused("{\"type\":\"scan\",\"angle_min\":0,\"angle_increment\":1,"
		"\"ranges\":[1,\"2\"]}",
	    "scan.ranges[1]: expected a number or null, got a string");
	refused("{\"type\":\"scan\",\"angle_min\":0,\"angle_increment\":1,"
		"\"ranges\":[1,2],\"errors\":[0,2]}",
	    "scan.errors[1]: expected the number of a beam, from 0 on, got 2");
	refused("{\"type\":\"pellets\",\"pellets\":[{\"id\":0,\"x\":0,"
		"\"y\":0},{\"id\":1.5,\"x\":0,\"y\":0}]}",
	    "pellets.pellets[1].id: expected a whole number, got 1.5");
	refused("{\"type\":\"pellets\",\"pellets\":[{\"id\":3,\"x\":0,"
		"\"y\":0},{\"id\":3,\"x\":0,\"y\":0}]}",
	    "pellets.pellets: expected unlike ids, got two of 3");
	refused("{\"type\":\"pellets\",\"pellets\":[7]}",
	    "pellets.pellets[0]: expected an object, got 7");
	refused("{\"type\":\"pellets\",\"pellets\":[{\"id\":1,\"x\":0,"
		"\"y\":0,\"kind\":\"big\"}]}",
	    "pellets.pellets[0].kind: expected \"pellet\" or \"power\", got a "
	    "string");
	refused("{\"type\":\"cmd\",\"name\":\"x\",\"value\":true}",
	    "cmd.value: expected a string, a number or [x, y], got true");
	refused("{\"type\":\"obstacle\",\"x\":1,\"y\":1,\"radius\":-1}",
	    "obstacle.radius: expected a number of at least 0, got -1");
	refused("{\"type\":\"result\",\"rules\":\"r\",\"policy\":\"p\","
		"\"seed\":-1,\"trial\":0}",
	    "result.seed: expected a whole number from 0 to "
	    "9223372036854775807, larger ones as a string, got -1");
}

test(map_complaints)
{
#define MAP "{\"type\":\"map\",\"resolution\":1,\"width\":2,\"height\":2,"
	refused(MAP "\"rows\":[\"..\",\".x\"]}",
	    "map.rows[1]: expected '#', '.' or '?', got x");
	refused(MAP "\"rows\":[\"..\",\"...\"]}",
	    "map.rows[1]: expected 2 cells, got 3");
	refused(MAP "\"rows\":[\"..\"]}",
	    "map.rows: expected 2 rows, got an array of 1");
	refused(MAP "\"rows\":[\"..\",\"..\",\"..\"]}",
	    "map.rows: expected 2 rows, got an array of 3");
	refused(MAP "\"data\":[0,0,0]}",
	    "map.data: expected 4 cells, got an array of 3");
	refused(MAP "\"data\":[0,0,0,0,0]}",
	    "map.data: expected 4 cells, got an array of 5");
	refused(MAP "\"data\":[0,0,101,0]}",
	    "map.data[2]: expected a whole number from -1 to 100, got 101");
	refused(MAP "\"data\":[0,0,0.5,0]}",
	    "map.data[2]: expected a whole number from -1 to 100, got 0.5");
	refused(MAP "\"data\":[0,null,0,0]}",
	    "map.data[1]: expected a whole number from -1 to 100, got null");
	refused(MAP "\"x\":1}", "map.rows: expected an array, got nothing");
	refused("{\"type\":\"map\",\"resolution\":0,\"rows\":[\".\"]}",
	    "map.resolution: expected a number from 1e-06 to 1000000, got 0");
	refused("{\"type\":\"map\",\"resolution\":1,\"rows\":[]}",
	    "map.rows: expected 1 to 20000 rows of 1 to 20000 cells, got an "
	    "array of 0");
	refused("{\"type\":\"map\",\"resolution\":1,\"width\":20001,"
		"\"height\":1,\"data\":[0]}",
	    "map.width: expected a whole number from 1 to 20000, got 20001");
#undef MAP
}

test(map_tolerates)
{
	struct pb_error bad;
	struct pb_rec r;

	/* Blanks, numbers written oddly, escapes, rows without a size. */
	check(read_text("{ \"type\" : \"map\",\"resolution\":1e-1,\"width\":2,"
			"\"height\":1,\"data\":[ -1 , 1e2 ] }",
	    &r, &bad));
	check_int(r.map.cell[0], -1);
	check_int(r.map.cell[1], 100);
	pb_rec_clear(&r);
	check(read_text("{\"type\":\"map\",\"resolution\":1,\"rows\":["
			"\"\\u0023.\",\"?#\"]}",
	    &r, &bad));
	check_int(r.map.width, 2);
	check_int(r.map.height, 2);
	check_int(r.map.cell[2], 100);
	check_int(r.map.cell[0], -1);
	pb_rec_clear(&r);
}

test(scan_no_returns)
{
	struct pb_error bad;
	struct pb_rec r;
	static const int none[] = {0, 1, 1, 1, 1, 1, 1, 1, 0};

	check(read_text("{\"type\":\"scan\",\"angle_min\":0,"
			"\"angle_increment\":0.1,\"range_min\":0.2,"
			"\"range_max\":8,\"ranges\":[1,NaN,Infinity,"
			"-Infinity,null,0,0.1,8.5,8]}",
	    &r, &bad));
	check_int((long)r.scan.n, 9);
	for (int i = 0; i < 9; i++)
		check(isnan(r.scan.range[i]) == none[i]);
	pb_rec_clear(&r);
}

test(scan_errors)
{
	struct pb_error bad;
	struct pb_rec r;
	double range[] = {1, -1, NAN, -1};
	struct pb_rec_scan s = {.angle_increment = 1.5,
	    .range_min = NAN,
	    .range_max = NAN,
	    .range = range,
	    .n = 4};
	struct pb_text o = {0};
	const char *line = "{\"type\":\"scan\",\"angle_min\":0,"
			   "\"angle_increment\":1.5,"
			   "\"ranges\":[1,null,null,null],\"errors\":[1,3]}\n";

	pb_rec_put(&o, PB_REC_SCAN, pb_stamp_at(NAN, NULL), &s);
	check_int((long)o.len, (long)strlen(line));
	check(memcmp(o.s, line, o.len) == 0);
	check(read_text(line, &r, &bad));
	check(r.scan.range[0] == 1 && isnan(r.scan.range[2]));
	check(r.scan.range[1] < 0 && r.scan.range[3] < 0);
	pb_rec_clear(&r);
	pb_text_clear(&o);
}

/* Bytes changed at random must give a record or a complaint, no more. */
test(damaged_lines)
{
	static const char *const seed[] = {
	    "{\"type\":\"map\",\"resolution\":0.05,\"width\":3,\"height\":2,"
	    "\"origin\":[0,0,0],\"data\":[0,100,-1,0,7,0]}",
	    "{\"type\":\"maze\",\"rows\":[\"##\",\".o\"],\"start\":{\"row\":0,"
	    "\"col\":1},\"ghosts\":[{\"row\":0,\"col\":1,\"dir\":\"up\"}]}",
	    "{\"type\":\"pellets\",\"pellets\":[{\"id\":0,\"x\":1,\"y\":2},"
	    "{\"id\":1,\"x\":1e5,\"y\":2,\"kind\":\"power\"}]}",
	    "{\"type\":\"summary\",\"rules\":\"r\",\"policy\":\"p\",\"n\":2,"
	    "\"k\":1,\"outcomes\":{\"a\":1},\"killed\":[1,1]}",
	    "{\"type\":\"scan\",\"angle_min\":0,\"angle_increment\":1,"
	    "\"ranges\":[1,NaN,null,\"\\ud83d\\ude00\"]}",
	    "{\"type\":\"light\",\"name\":\"\\u00e4\",\"leds\":[[1,2,3],"
	    "[1,2,3],[1,2,3],[1,2,3],[1,2,3],[1,2,3]]}"};
	static const char bytes[] = "{}[]\",:\\019.eE-u#?nN \xc3\xa4\xff";
	struct pb_rng g = draws(2, PB_FOR_SENSOR);
	long read = 0;

	for (int i = 0; i < 60000; i++) {
		const char *from = seed[i % 6];
		size_t n = strlen(from);
		char *s = malloc(n + 1); /* exact: the sanitizer watches */
		struct pb_error bad = {""};
		struct pb_rec r;

		memcpy(s, from, n + 1);
		for (uint32_t k = pb_rng_below(&g, 4); k-- > 0;)
			s[pb_rng_below(&g, (uint32_t)n)] =
			    bytes[pb_rng_below(&g, sizeof(bytes) - 1)];
		if (pb_rec_read(s, n, PB_REC_ALL, &r, &bad)) {
			read++;
			pb_rec_clear(&r);
		} else {
			check(bad.text[0] != 0);
		}
		free(s);
	}
	check(read > 5000);
}
