/* kml.c - tests of boards in KML files. */
#include "check.h"

#include "io/file/mapfile.h"

/* Boards that the library has, from files, down to every wall and cell. */
static void
check_board(const char *path, const char *name)
{
	static char text[1 << 20];
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(text, 1, sizeof(text), file) : 0;
	struct pb_maze z, back;
	struct pb_error f;

	if (file)
		fclose(file);
	check_int(pb_maze_standard(name, &z), PB_OK);
	check_int(pb_boardfile_decode(path, text, n, 0, &back, &f), 0);
	check_int(back.rows, z.rows);
	check_int(back.cols, z.cols);
	check(memcmp(z.side, back.side, sizeof(z.side)) == 0);
	for (int r = 0; r < z.rows; r++)
		check(memcmp(z.cell[r], back.cell[r], (size_t)z.cols) == 0);
	check_near(back.pitch, pb_maze_pitch(&z), 1e-9);
	check_int(back.start.row, z.start.row);
	check_int(back.start.col, z.start.col);
	check_int(back.ghosts, z.ghosts);
	check_int(back.homes, z.homes);
	for (int i = 0; i < z.ghosts; i++) {
		check_int(back.ghost[i].row, z.ghost[i].row);
		check_int(back.ghost[i].col, z.ghost[i].col);
	}
}

test(boards)
{
	check_board("testdata/roomba.kml", "roomba");
	/* Robots on pellets, in a closed house. */
	check_board("testdata/pacman.kml", "pacman");
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

	check_int(
	    pb_boardfile_decode("x.kml", body, strlen(body), 1, &z, &f), -1);
	check_has(f.text, text);
	check_int(z.rows, 77);
}

/* One degree of longitude is 111320 m, of latitude 110574. */
test(hand_made)
{
	static const char body[] =
	    "<?xml version='1.0'?><kml:kml xmlns:kml='k'>" ORIGIN POINT(
		"somewhere",
		"10.000004,0.000004") "<Placemark><LineString><coordinates>10,0 10.00001796622,0\n"
				      "10.00001796622,0.00000904372 10,0.00000904372 10,0"
				      "</coordinates></LineString></Placemark></kml:kml>";
	struct pb_error f;
	struct pb_maze z;

	check_int(
	    pb_boardfile_decode("x.kml", body, strlen(body), 1, &z, &f), 0);
	check_int(z.rows, 1);
	check_int(z.cols, 2);
	check_int(z.cell[0][0], PB_MAZE_PELLET);
	check(pb_maze_pass(&z, 0, 0, PB_RIGHT));
}

test(bad_files)
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
	    "without gaps");
	refuses("<kml>" ORIGIN WALL("10,0 10.0000089831,0 "
				    "10.0000089831,0.0000090437")
		    POINT("start", "10.1,0.000004") "</kml>",
	    "outside of the walls");
}
