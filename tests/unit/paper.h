/* paper.h - files that the tests of pictures draw into, and their main. */
#pragma once

#define CHECK_MAIN
#include "check.h"

#include <dirent.h>
#include <unistd.h>

#include "map/pixel.h"

static char paper_dir[] = "/tmp/pb-paper-XXXXXX";

/* The path of a file, until the next call but three. */
static inline const char *
paper_path(const char *name)
{
	static char path[4][300];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", paper_dir, name);
	return path[next];
}

static inline bool
paper_there(const char *name)
{
	return access(paper_path(name), F_OK) == 0;
}

/* The whole file, with a zero byte behind it, to be freed. */
static inline char *
paper_bytes(const char *name, size_t *n)
{
	FILE *f = fopen(paper_path(name), "rb");
	char *bytes = calloc(1, 1 << 22);

	*n = f != NULL ? fread(bytes, 1, (1 << 22) - 1, f) : 0;
	if (f != NULL)
		fclose(f);
	return bytes;
}

static inline char *
paper_text(const char *name)
{
	size_t n;

	return paper_bytes(name, &n);
}

static inline bool
paper_is(const struct pb_image *im, int x, int y, int r, int g, int b)
{
	const unsigned char *p = pb_image_at(im, x, y);

	return p[0] == r && p[1] == g && p[2] == b;
}

int
main(void)
{
	const struct dirent *e;
	DIR *d;

	check(mkdtemp(paper_dir) != NULL);
	run_tests();
	d = opendir(paper_dir);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			remove(paper_path(e->d_name));
	if (d != NULL)
		closedir(d);
	remove(paper_dir);
	return done();
}
