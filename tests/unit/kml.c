/* kml.c - tests of boards in KML files. */
#include "check.h"

#include <string.h>

#include "io/file/boardfile.h"
#include "map/gen_maze.h"

/* Write z as KML into text. */
static size_t
save(const struct pb_maze *z, char *text, size_t size)
{
	FILE *f = tmpfile();
	size_t n;

	pb_kml_write(z, pb_maze_pitch(z), f);
	rewind(f);
	n = fread(text, 1, size, f);
	fclose(f);
	return n;
}

static void
test_boards_read_back(void)
{
	static char text[1 << 20];
	struct pb_board_opts o = pb_roomba_board_defaults();
	struct pb_maze z, back;
	struct pb_error f;

	for (unsigned s = 1; s <= 30; s++) {
		size_t n;

		o.seed = s;
		o.rows = 3 + (int)(s % 30);
		check_int(pb_gen_roomba(&o, &z), PB_OK);
		n = save(&z, text, sizeof(text));
		check_int(pb_kml_read(text, n, "x", 0, &back, &f), 0);
		memset(back.name, 0, sizeof(back.name));
		memset(z.name, 0, sizeof(z.name));
		check(memcmp(z.side, back.side, sizeof(z.side)) == 0);
		check_int(back.rows, z.rows);
		check_int(back.cols, z.cols);
		check_near(back.pitch, z.pitch, 1e-9);
		check(memcmp(back.ghost, z.ghost, sizeof(z.ghost)) == 0);
		check(memcmp(back.home, z.home, sizeof(z.home)) == 0);
		for (int r = 0; r < z.rows; r++)
			check(memcmp(z.cell[r], back.cell[r], (size_t)z.cols) ==
			      0);
	}
}

/* Robots on pellets and in a closed house, parts without any point. */
static void
test_boards_with_houses(void)
{
	static char text[1 << 20];
	struct pb_maze_opts o = pb_maze_defaults();
	struct pb_maze z, back;
	struct pb_error f;

	for (int k = 0; k < 4; k++) {
		if (k % 2 == 0)
			check_int(pb_maze_standard("pacman", &z), PB_OK);
		else
			check_int(pb_gen_maze(&o, &z), PB_OK);
		if (k >= 2) { /* nobody is there */
			z.start.row = -1;
			z.ghosts = 0;
		}
		z.cell[0][0] = PB_MAZE_PELLET;
		check_int(pb_kml_read(text, save(&z, text, sizeof(text)), "x",
			      0, &back, &f),
		    0);
		check_int(back.start.row, z.start.row);
		check_int(back.ghosts, z.ghosts);
		for (int r = 0; r < z.rows; r++)
			check(memcmp(z.cell[r], back.cell[r], (size_t)z.cols) ==
			      0);
	}
}

#define POINT(name, at)                                           \
	"<Placemark><name>" name "</name><Point><coordinates>" at \
	"</coordinates></Point></Placemark>"
#define WALL(at)                                  \
	"<Placemark><LineString><coordinates>" at \
	"</coordinates></LineString></Placemark>"
#define ORIGIN POINT("origin", "10,0,5")

static void
refuses(const char *body, const char *text)
{
	struct pb_error f = {.text = ""};
	struct pb_maze z = {.rows = 77};

	check_int(pb_kml_read(body, strlen(body), "x.kml", 1, &z, &f), -1);
	if (strstr(f.text, text) == NULL)
		printf("# got \"%s\"\n", f.text);
	check(strstr(f.text, text) != NULL);
	check_int(z.rows, 77);
}

/* One degree of longitude is 111320 m, of latitude 110574. */
static void
test_hand_made(void)
{
	static const char body[] =
	    "<?xml version='1.0'?><kml:kml xmlns:kml='k'>" ORIGIN POINT(
		"somewhere",
		"10.000004,0.000004") "<Placemark><LineString><coordinates>10,0 10.00001796622,0\n"
				      "10.00001796622,0.00000904372 10,0.00000904372 10,0"
				      "</coordinates></LineString></Placemark></kml:kml>";
	struct pb_error f;
	struct pb_maze z;

	check_int(pb_kml_read(body, strlen(body), "x", 1, &z, &f), 0);
	check_int(z.rows, 1);
	check_int(z.cols, 2);
	check_int(z.cell[0][0], PB_MAZE_PELLET);
	check(pb_maze_pass(&z, 0, 0, PB_RIGHT));
}

static void
test_bad_files(void)
{
	refuses("", "no element");
	refuses("<kml>", "no element");
	refuses("<kml></kml>", "origin");
	refuses("<kml>" ORIGIN "</kml>", "LineStrings");
	refuses("<kml>" ORIGIN WALL("10,0 10.000004491,0") "</kml>",
	    "off the lattice");
	refuses("<kml>" ORIGIN WALL("10,0 10.0000089831,0.0000090437") "</kml>",
	    "askew");
	refuses("<kml>" ORIGIN WALL("10,0 11,0") "</kml>", "outside");
	refuses("<kml>" ORIGIN WALL("10;0 11,0") "</kml>", "coordinates");
	refuses("<kml>" ORIGIN WALL("nan,0 11,0") "</kml>", "coordinates");
	refuses("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "document type");
	refuses("<kml>" ORIGIN WALL("10,0 10.0000089831,0 "
				    "10.0000089831,0.0000090437")
		    POINT("reset:Pinky", "10.000004,0.000004") "</kml>",
	    "missing before");
	refuses("<kml>" ORIGIN WALL("10,0 10.0000089831,0 "
				    "10.0000089831,0.0000090437")
		    POINT("start", "10.1,0.000004") "</kml>",
	    "outside of the walls");
}

int
main(void)
{
	run(test_boards_read_back);
	run(test_boards_with_houses);
	run(test_hand_made);
	run(test_bad_files);
	return done();
}
