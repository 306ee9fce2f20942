/* record_bad.c - tests of records that are refused, or odd and taken. */
#include "check.h"
#include "read_text.h"

#include "io/rec/rec.h"

static void
check_refused(int line, const char *s, const char *why)
{
	struct pb_error bad = {"(read)"};
	struct pb_rec r = {0};
	bool ok = read_text(s, &r, &bad);

	if (!ok && strcmp(bad.text, why) == 0)
		return;
	printf("# record_bad.c:%d: %s\n#   says: %s\n#   not:  %s\n", line, s,
	    ok ? "(accepted)" : bad.text, why);
	check_bad = 1;
	pb_rec_clear(&r);
}
#define refused(s, why) check_refused(__LINE__, s, why)

test(complaints)
{
	refused("", "not JSON: expected a value, got the end, column 1");
	refused("[1]", "expected a JSON object, got an array");
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
	refused("{\"type\":\"pose\",\"x\":1,\"y\":2,\"x\":1}",
	    "a key that is there twice, column 28");
	refused("{\"type\":\"pose\",\"x\":1,\"y\":2,\"\\u0078\":1}",
	    "a key that is there twice, column 28");
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
	refused("{\"type\":\"pose\",\"x\":1,\"y\":2}x",
	    "not JSON: expected the end, got 'x', column 28");
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
	    "\"k\":1,\"outcomes\":{\"a\":1},\"histogram\":[1,1]}",
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
