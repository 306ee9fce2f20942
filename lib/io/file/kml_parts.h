/* kml_parts.h - a KML file between its parser and the board made of it. */
#ifndef PB_IO_FILE_KML_PARTS_H
#define PB_IO_FILE_KML_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <expat.h>

#include "io/file/kml.h"

#define PB_KML_LON 111320.0 /* of a degree on the equator (m) */
#define PB_KML_LAT 110574.0 /* of a degree along a meridian (m) */

/* The ghosts in the order of a maze's places; static storage. */
extern const char *const pb_kml_ghost[4];

/* A corner of a chain, or a point: longitude, latitude, where in the file. */
struct pb_kml_corner {
	double lon, lat;
	bool first; /* of its chain */
	long line;
};

struct pb_kml_point {
	char name[32];
	struct pb_kml_corner at;
};

struct pb_kml {
	XML_Parser xml;
	const char *file;
	struct pb_fault *f;
	bool failed;
	char *text; /* of the element at hand, owned */
	size_t len, cap;
	char name[32];                /* of the placemark at hand */
	bool chain, inside;           /* a LineString; a Placemark */
	struct pb_kml_corner *corner; /* owned */
	int corners;
	size_t from;                /* first corner of the placemark at hand */
	struct pb_kml_point *point; /* owned */
	int points;
};

/* Refuse the file; the first complaint counts. Memory is the system's. */
void pb_kml_fail(struct pb_kml *k, long line, const char *text);
void pb_kml_fail_memory(struct pb_kml *k);

/* Make the board of what was read; false with k->failed set. */
bool pb_kml_board(struct pb_kml *k, double cell, struct pb_maze *z);

#endif
