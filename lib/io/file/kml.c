/* kml.c - boards as the boundaries of a KML file. */
#include "io/file/kml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/kml_parts.h"

#define METRES_LON 111320.0  /* of a degree on the equator (m) */
#define METRES_LAT 110574.0  /* of a degree along a meridian (m) */
#define TEXT_MAX   (1 << 20) /* bytes of one element's text */
#define CORNERS    100000    /* of all chains together */
#define POINTS     10000

void
pb_kml_fail(struct pb_kml *k, long line, const char *text)
{
	if (!k->failed)
		pb_fault_set(k->f, k->file, line, NULL, "%s", text);
	k->failed = true;
	XML_StopParser(k->xml, XML_FALSE);
}

void
pb_kml_fail_memory(struct pb_kml *k)
{
	pb_kml_fail(k, 0, "out of memory");
	if (k->f != NULL)
		k->f->system = k->f->memory = true;
}

/* Names without a prefix: kml:Point is Point. */
static bool
is(const char *element, const char *name)
{
	const char *colon = strrchr(element, ':');

	return strcmp(colon != NULL ? colon + 1 : element, name) == 0;
}

static void XMLCALL
on_start(void *user, const char *element, const char **attribute)
{
	struct pb_kml *k = user;

	(void)attribute;
	k->len = 0;
	if (is(element, "Placemark")) {
		k->name[0] = '\0';
		k->inside = true;
		k->chain = false;
		k->from = (size_t)k->corners;
	} else if (is(element, "LineString")) {
		k->chain = true;
	}
}

static void XMLCALL
on_text(void *user, const char *s, int n)
{
	struct pb_kml *k = user;

	if (k->len + (size_t)n + 1 > k->cap) {
		size_t cap = 2 * (k->len + (size_t)n) + 256;
		char *text = cap <= TEXT_MAX ? realloc(k->text, cap) : NULL;

		if (text == NULL && cap > TEXT_MAX)
			pb_kml_fail(k, (long)XML_GetCurrentLineNumber(k->xml),
			    "more than half a megabyte of text in one element");
		else if (text == NULL)
			pb_kml_fail_memory(k);
		if (text == NULL)
			return;
		k->text = text;
		k->cap = cap;
	}
	memcpy(k->text + k->len, s, (size_t)n);
	k->len += (size_t)n;
	k->text[k->len] = '\0';
}

/* "lon,lat[,alt]" at *s; *s moves behind it. */
static bool
take_tuple(const char **s, struct pb_kml_corner *c)
{
	char *end;

	c->lon = strtod(*s, &end);
	if (end == *s || *end != ',')
		return false;
	*s = end + 1;
	c->lat = strtod(*s, &end);
	if (end == *s)
		return false;
	*s = end;
	if (*end == ',')
		strtod(end + 1, &end);
	if (*end != '\0' && strchr(" \t\r\n", *end) == NULL)
		return false;
	*s = end;
	return fabs(c->lon) <= 360 && fabs(c->lat) < 90;
}

/* The tuples of a coordinates element. */
static void
take_coordinates(struct pb_kml *k)
{
	long line = (long)XML_GetCurrentLineNumber(k->xml);
	const char *s = k->len > 0 ? k->text : "";
	bool first = true;

	for (;;) {
		struct pb_kml_corner c = {.first = first, .line = line};

		s += strspn(s, " \t\r\n");
		if (*s == '\0')
			return;
		if (!take_tuple(&s, &c)) {
			pb_kml_fail(k, line,
			    "coordinates: expected longitude,latitude in "
			    "degrees with blanks between");
			return;
		}
		if (k->corners == CORNERS) {
			pb_kml_fail(k, line, "more than 100000 corners");
			return;
		}
		k->corner[k->corners++] = c;
		first = false;
	}
}

/* A placemark that is no chain is a point, the first of its coordinates. */
static void
end_placemark(struct pb_kml *k)
{
	struct pb_kml_point *p = &k->point[k->points];

	k->inside = false;
	if (k->chain || (size_t)k->corners == k->from)
		return;
	if (k->points == POINTS) {
		pb_kml_fail(
		    k, k->corner[k->from].line, "more than 10000 points");
		return;
	}
	memcpy(p->name, k->name, sizeof(p->name));
	p->at = k->corner[k->from];
	k->points++;
	k->corners = (int)k->from;
}

static void XMLCALL
on_end(void *user, const char *element)
{
	struct pb_kml *k = user;

	if (!k->inside)
		return;
	if (is(element, "name")) {
		size_t n = k->len < sizeof(k->name) ? k->len : 0;

		memcpy(k->name, n > 0 ? k->text : "", n);
		k->name[n] = '\0';
	} else if (is(element, "coordinates")) {
		take_coordinates(k);
	} else if (is(element, "Placemark")) {
		end_placemark(k);
	}
	k->len = 0;
}

/* No entities: whoever declares some wants to make text out of nothing. */
static void XMLCALL
on_doctype(void *user, const char *name, const char *sys, const char *pub,
    int internal)
{
	struct pb_kml *k = user;

	(void)name;
	(void)sys;
	(void)pub;
	(void)internal;
	pb_kml_fail(k, (long)XML_GetCurrentLineNumber(k->xml),
	    "a document type is no part of KML");
}

/* What expat found, unless one of ours stopped it. */
static void
blame_xml(struct pb_kml *k)
{
	enum XML_Error e = XML_GetErrorCode(k->xml);

	if (k->failed)
		return;
	if (e == XML_ERROR_NO_MEMORY)
		pb_kml_fail_memory(k);
	else
		pb_kml_fail(k, (long)XML_GetCurrentLineNumber(k->xml),
		    XML_ErrorString(e));
}

static void
parse(struct pb_kml *k, const char *p, size_t n)
{
	XML_SetUserData(k->xml, k);
	XML_SetElementHandler(k->xml, on_start, on_end);
	XML_SetCharacterDataHandler(k->xml, on_text);
	XML_SetStartDoctypeDeclHandler(k->xml, on_doctype);
	/* Expat counts in int. */
	while (!k->failed) {
		int part = n > 1 << 20 ? 1 << 20 : (int)n;

		if (XML_Parse(k->xml, p, part, (size_t)part == n) !=
		    XML_STATUS_OK)
			blame_xml(k);
		p += part;
		n -= (size_t)part;
		if (n == 0)
			return;
	}
}

int
pb_kml_read(const char *p, size_t n, const char *name, double cell,
    struct pb_maze *z, struct pb_fault *f)
{
	struct pb_kml k = {.xml = XML_ParserCreate(NULL), .file = name, .f = f};
	struct pb_maze got;

	k.corner = malloc(CORNERS * sizeof(*k.corner));
	k.point = malloc((POINTS + 1) * sizeof(*k.point));
	if (k.xml == NULL || k.corner == NULL || k.point == NULL) {
		k.failed = true;
		pb_fault_nomem(f, name);
	} else {
		parse(&k, p, n);
	}
	if (!k.failed && pb_kml_board(&k, cell, &got))
		*z = got;
	if (k.xml != NULL)
		XML_ParserFree(k.xml);
	free(k.text);
	free(k.corner);
	free(k.point);
	return k.failed ? -1 : 0;
}
