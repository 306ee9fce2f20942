/* filekind.c - what a file is, by its first bytes. */
#include "io/stream/file.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define OF(kind, s)                    \
	{                              \
		kind, s, sizeof(s) - 1 \
	}

static const struct {
	enum pb_filekind kind;
	const char *s;
	size_t n;
} of[] = {
    OF(PB_FILE_UNKNOWN, ""),
    OF(PB_FILE_UNKNOWN, "{\"type\":\"pose\",\"x\":0,\"y\":0}\n"),
    OF(PB_FILE_UNKNOWN, "# a comment\n1 2 0 0 0 0 0 1\n"),
    OF(PB_FILE_UNKNOWN, "P60\n"),
    OF(PB_FILE_UNKNOWN, "P5\0"),
    OF(PB_FILE_UNKNOWN, "BM is a text of more than eighteen bytes"),
    OF(PB_FILE_UNKNOWN, "the header:\n  is none\n"),
    OF(PB_FILE_UNKNOWN, "header:\nnone\n"),
    /* Boards of 12 columns, which numpy.savetxt() writes so. */
    OF(PB_FILE_UNKNOWN, "0 1 0 1 9 1 0 1 0 1 0 1\n"),
    OF(PB_FILE_UNKNOWN, "0. 1. 0. 1. 9. 1. 0. 1. 0. 1. 0. 1e0\n"),
    OF(PB_FILE_FOREIGN, "1 0 0 .5 0 1 0 0 0 0 1 0\n"),
    OF(PB_FILE_UNKNOWN, "1 0 0 .5 0 1 0 0 0 0 1 0\nhello\n"),
    OF(PB_FILE_FOREIGN, "1.5, 0, 0, 0, 0, 0, 0, 1\r\n2,1,0,0,0,0,0,1\r\n"),
    OF(PB_FILE_UNKNOWN, "1.5,0,0,0,0,0,0\n"),
    OF(PB_FILE_MAPYAML, "# a map\nimage: a.pgm\n"),
    OF(PB_FILE_MAPYAML, "image: a.pgm\n"),
    OF(PB_FILE_FOREIGN, "\xef\xbb\xbf <HTML>"),
    OF(PB_FILE_FOREIGN, "header: \r\n  seq: 1\r\n"),
    OF(PB_FILE_FOREIGN, "---\nposes:\n- position:\n"),
    OF(PB_FILE_PNM, "P6"),
    OF(PB_FILE_PNG, "\x89PNG\r\n\x1a\n...."),
    OF(PB_FILE_ROS1, "#ROSBAG V2.0\n"),
    OF(PB_FILE_FOREIGN, "#ROSBAG V1.2\n"),
    OF(PB_FILE_DB3, "SQLite format 3"),
    OF(PB_FILE_FOREIGN_IMAGE, "RIFF....WEBP"),
    OF(PB_FILE_UNKNOWN, "RIFF....WAVE"),
};

test(kinds)
{
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (pb_filekind_of(of[i].s, of[i].n) != of[i].kind)
			check_str(of[i].s, "of its kind");
}

/* Cut off anywhere, and with any bit another: no byte beyond is read. */
test(cut_and_flipped)
{
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		for (size_t n = 0; n <= of[i].n; n++) {
			char *s = malloc(n + 1), *at = s + 1;

			if (s == NULL)
				abort();
			memcpy(at, of[i].s, n);
			pb_filekind_of(at, n);
			for (size_t k = 0; k < 8 * n; k++) {
				at[k / 8] ^= (char)(1 << k % 8);
				pb_filekind_of(at, n);
				at[k / 8] ^= (char)(1 << k % 8);
			}
			free(s);
		}
	check(true);
}

test(check)
{
	struct pb_error bad = {""};

	check(pb_filekind_check(PB_FILES_IMAGES, "P5\n1 1\n", 7, &bad));
	check(pb_filekind_check(0, "{}", 2, &bad));
	check_str(bad.text, "");
	check(!pb_filekind_check(PB_FILES_IMAGES, "PK\3\4", 4, &bad));
	check_str(bad.text, "is a zip archive: unpack it first");
}
