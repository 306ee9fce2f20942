/* filekind.c - recognise the kind of a file by its first bytes. */
#include "io/stream/filekind.h"

#include <string.h>
#include <strings.h>

#include "io/stream/text.h"

/* Bytes of the head in which a text must have a keyword or a number. */
#define TEXT ((size_t)4096)

#define RECORDING "pb-localize reads it, and pb-mapgen its map"
#define CONVERT   "convert it to PNG, PGM or BMP, which maps are read from"
#define IMAGE     "pb-mapgen reads it as a map, and so does -m"
#define UNPACK    "unpack it first"
#define SCANS     "of scans, only those of a 2D lidar are read (see pb-localize)"
#define TUM       "TUM's are read, \"t x y z qx qy qz qw\""
#define OLD_BAG                     \
	"a ROS bag of version 1.x", \
	    "\"rosbag reindex\" makes one of version 2.0, which is read"
#define ECHOED                                                                \
	"what \"ros2 topic echo\" prints, which leaves out most of an array", \
	    "record the topic (ros2 bag record), which pb-localize reads"

static bool begins_bmp(const unsigned char *s, size_t n);
static bool begins_pnm(const unsigned char *s, size_t n);
static bool begins_tag(const unsigned char *s, size_t n);
static bool begins_html(const unsigned char *s, size_t n);
static bool begins_echo(const unsigned char *s, size_t n);
static bool names_image(const unsigned char *s, size_t n);
static bool begins_pretty(const unsigned char *s, size_t n);
static bool has_kitti(const unsigned char *s, size_t n);
static bool has_commas(const unsigned char *s, size_t n);

/* Known kinds of files; the first row that matches counts. Each says what the
 * file is, and what to do with it if the reader does not read it. */
static const struct row {
	enum pb_filekind kind;
	size_t at, n; /* magic bytes: offset and length */
	const char *magic;
	bool (*is)(
	    const unsigned char *s, size_t n); /* further test, or NULL */
	const char *what, *advice;
} rows[] = {
#define AT(at, s) at, sizeof(s) - 1, s
#define BEGINS(s) AT(0, s), NULL
#define LOOKS(is) 0, 0, "", is
    {PB_FILE_FOREIGN, BEGINS("version https://git-lfs.github.com/spec/"),
	"a Git LFS pointer in place of the file",
	"fetch the file with \"git lfs pull\""},
    {PB_FILE_FOREIGN, BEGINS("#ROSRECORD V"), OLD_BAG},
    {PB_FILE_FOREIGN, BEGINS("#ROSLOG V"), OLD_BAG},
    {PB_FILE_FOREIGN, BEGINS("#ROSBAG V1"), OLD_BAG},
    {PB_FILE_ROS1, BEGINS("#ROSBAG V"), "a ROS 1 bag", RECORDING},
    {PB_FILE_MCAP, BEGINS("\x89MCAP"), "an MCAP recording of ROS topics",
	RECORDING},
    {PB_FILE_DB3, BEGINS("SQLite format 3"),
	"an SQLite file, as rosbag2 records", RECORDING},
    {PB_FILE_FOREIGN, BEGINS("rosbag2_bagfile_information:"),
	"the metadata of a rosbag2 recording", "name its folder instead"},
    {PB_FILE_ZSTD, BEGINS("\x28\xb5\x2f\xfd"), "a zstd file", UNPACK},
    {PB_FILE_GZIP, BEGINS("\x1f"), "a gzip file", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("PK\3\4"), "a zip archive", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("BZh"), "a bzip2 file", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("\3757zXZ"), "an xz file", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("7z\xbc\xaf"), "a 7z archive", UNPACK},
    {PB_FILE_FOREIGN, AT(257, "ustar"), NULL, "a tar archive", UNPACK},
    {PB_FILE_PNG, BEGINS("\x89PNG\r\n\x1a\n"), "a PNG image", IMAGE},
    {PB_FILE_BMP, AT(0, "BM"), begins_bmp, "a BMP image", IMAGE},
    {PB_FILE_PNM, AT(0, "P2"), begins_pnm, "a PGM image", IMAGE},
    {PB_FILE_PNM, AT(0, "P5"), begins_pnm, "a PGM image", IMAGE},
    {PB_FILE_PNM, AT(0, "P3"), begins_pnm, "a PPM image", IMAGE},
    {PB_FILE_PNM, AT(0, "P6"), begins_pnm, "a PPM image", IMAGE},
    {PB_FILE_FOREIGN_IMAGE, AT(0, "P1"), begins_pnm, "a PBM image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, AT(0, "P4"), begins_pnm, "a PBM image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, AT(0, "P7"), begins_pnm, "a PAM image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("\xff\xd8\xff"),
	"a JPEG image, whose shades are not exact", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("GIF8"), "a GIF image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("II*\0"), "a TIFF image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("MM\0*"), "a TIFF image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, AT(8, "WEBP"), NULL, "a WebP image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("%PDF-"), "a PDF document", CONVERT},
    {PB_FILE_FOREIGN, LOOKS(begins_html), "a web page in place of the file",
	"download the file itself"},
    {PB_FILE_XML, LOOKS(begins_tag), "an XML file",
	"only boards in KML are read (pb-mapgen)"},
    {PB_FILE_MAPYAML, LOOKS(names_image), "the YAML of a map", IMAGE},
    {PB_FILE_PRETTY, LOOKS(begins_pretty), "JSON over several lines",
	"a record is one line (jq -c . FILE)"},
    {PB_FILE_UTF16, BEGINS("\xff\xfe"), "a text in UTF-16",
	"\"iconv -f UTF-16 -t UTF-8\" converts it"},
    {PB_FILE_UTF16, BEGINS("\xfe\xff"), "a text in UTF-16",
	"\"iconv -f UTF-16 -t UTF-8\" converts it"},
    {PB_FILE_FOREIGN, BEGINS("# .PCD"), "a point cloud (PCD)", SCANS},
    {PB_FILE_FOREIGN, BEGINS("ply\n"), "a point cloud (PLY)", SCANS},
    {PB_FILE_FOREIGN, BEGINS("LASF"), "a point cloud (LAS)", SCANS},
    {PB_FILE_FOREIGN, BEGINS("\xd4\xc3\xb2\xa1"), "packets of a network (pcap)",
	SCANS},
    {PB_FILE_FOREIGN, BEGINS("\x93NUMPY"), "an array of NumPy",
	"write its rows as text under names of columns, as pb-localize(1) says"},
    {PB_FILE_FOREIGN, BEGINS("\177ELF"), "a program", "run it instead"},
    {PB_FILE_FOREIGN, BEGINS("VERTEX_SE2"), "a pose graph (g2o)",
	"of poses, " TUM},
    {PB_FILE_FOREIGN, BEGINS("#timestamp [ns]"), "a trajectory of EuRoC",
	TUM "; \"evo_traj euroc FILE --save_as_tum\" makes them"},
    {PB_FILE_FOREIGN, LOOKS(has_kitti),
	"a trajectory of KITTI, whose poses have no time", TUM},
    {PB_FILE_FOREIGN, LOOKS(has_commas), "a trajectory of TUM with commas",
	"it is read with blanks in their place (tr , ' ')"},
    {PB_FILE_FOREIGN, LOOKS(begins_echo), ECHOED},
#undef AT
#undef BEGINS
#undef LOOKS
};

/* Two letters alone may begin a text, so check the header, too: it has 40 to
 * 124 bytes, and its image has one plane. */
static bool
begins_bmp(const unsigned char *s, size_t n)
{
	return n >= 18 && s[14] >= 40 && s[14] < 128 && s[15] == 0 &&
	       s[16] == 0 && s[17] == 0;
}

/* "P" and a digit may begin a text, so a blank must follow. */
static bool
begins_pnm(const unsigned char *s, size_t n)
{
	return n == 2 || s[2] == ' ' || s[2] == '#' ||
	       (s[2] >= '\t' && s[2] <= '\r');
}

/* Skip a byte order mark and blanks; *n becomes the bytes left. */
static const char *
skip_blanks(const unsigned char *s, size_t *n)
{
	const char *at = (const char *)s, *end = at + *n;

	if (*n >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
		at++;
	*n = (size_t)(end - at);
	return at;
}

static bool
begins_html(const unsigned char *s, size_t n)
{
	const char *at = skip_blanks(s, &n);

	return (n >= 14 && strncasecmp(at, "<!doctype html", 14) == 0) ||
	       (n >= 5 && strncasecmp(at, "<html", 5) == 0);
}

static bool
begins_tag(const unsigned char *s, size_t n)
{
	const char *at = skip_blanks(s, &n);

	return n > 0 && *at == '<';
}

static bool
begins_pretty(const unsigned char *s, size_t n)
{
	const char *at = skip_blanks(s, &n);

	return n > 1 && (*at == '{' || *at == '[') &&
	       (at[1] == '\n' || at[1] == '\r');
}

/* Whether a line has a key that only the YAML of a map has. */
static bool
names_image(const unsigned char *s, size_t n)
{
	static const char key[] = "\nimage:";
	const size_t k = sizeof(key) - 1;

	n = n < TEXT ? n : TEXT;
	if (n < k || memcmp(s, key + 1, k - 1) == 0)
		return n >= k;
	for (size_t i = 0; i + k <= n; i++)
		if (s[i] == '\n' && memcmp(s + i, key, k) == 0)
			return true;
	return false;
}

/* Whether the first member of a message has its value in the lines below. */
static bool
begins_echo(const unsigned char *s, size_t n)
{
	static const char *const first[] = {"header:", "transforms:", "info:",
	    "pose:", "poses:", "twist:", "linear:", "position:", "markers:"};
	const char *at = skip_blanks(s, &n);

	if (n > 4 && memcmp(at, "---\n", 4) == 0) {
		at += 4;
		n -= 4;
	}
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		size_t k = strlen(first[i]);

		if (n < k + 3 || memcmp(at, first[i], k) != 0)
			continue;
		while (k < n && (at[k] == ' ' || at[k] == '\r'))
			k++;
		return k + 1 < n && at[k] == '\n' &&
		       strchr(" -", at[k + 1]) != NULL && at[k + 1] != '\0';
	}
	return false;
}

/* Returns how many numbers a line has, 0 if it has anything else; sets *odd if
 * a number is none of a board's cells, 0, 1 and 9. */
static int
count_numbers(char *line, bool *odd)
{
	char *rest, *word = strtok_r(line, " \t\r,", &rest);
	int k = 0;
	double v;

	for (; word != NULL; word = strtok_r(NULL, " \t\r,", &rest), k++) {
		if (!pb_num_parse(word, &v))
			return 0;
		*odd |= v != 0 && v != 1 && v != 9;
	}
	return k;
}

/* Whether all whole lines that are no comments have `want` numbers. */
static bool
has_numbers(const unsigned char *s, size_t n, bool commas, int want)
{
	char text[TEXT + 1], *at = text, *end;
	bool odd = false;

	n = n < TEXT ? n : TEXT;
	memcpy(text, s, n);
	text[n] = '\0';
	for (; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		if (*at == '#')
			continue;
		if ((commas && strchr(at, ',') == NULL) ||
		    count_numbers(at, &odd) != want)
			return false;
	}
	return odd;
}

static bool
has_kitti(const unsigned char *s, size_t n)
{
	return has_numbers(s, n, false, 12);
}

static bool
has_commas(const unsigned char *s, size_t n)
{
	return has_numbers(s, n, true, 8);
}

/* The row of a file with that head, NULL: unknown. */
static const struct row *
find_row(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		if (n >= r->at + r->n &&
		    memcmp(s + r->at, r->magic, r->n) == 0 &&
		    (r->is == NULL || r->is(s, n)))
			return r;
	}
	return NULL;
}

enum pb_filekind
pb_filekind_of(const void *head, size_t n)
{
	const struct row *r = find_row(head, n);

	return r != NULL ? r->kind : PB_FILE_UNKNOWN;
}

bool
pb_filekind_check(
    unsigned reads, const void *head, size_t n, struct pb_error *bad)
{
	const struct row *r = find_row(head, n);

	if (r == NULL || (reads & PB_FILES(r->kind)))
		return true;
	return pb_error_set(bad, "is %s: %s", r->what, r->advice);
}
