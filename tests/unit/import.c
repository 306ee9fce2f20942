/* import.c - tests of logs that are found out by what is in them. */
#include "check.h"

#include <string.h>
#include <unistd.h>

#include "io/file/carmen.h"
#include "io/file/filter.h"
#include "io/rec/rec.h"

static char path[3][64];

static void
write_file(int i, const char *s)
{
	FILE *f = fopen(path[i], "w");

	fputs(s, f);
	fclose(f);
}

/* Every line of the files as "file:line:first 12 bytes|" or "!bad|". */
static void
check_import(int n, const char *want)
{
	char *file[] = {path[0], path[1], path[2]};
	struct pb_import *m = pb_import_new(file, n, 0, NULL);
	struct pb_text made = {0};
	struct pb_line l;
	struct pb_rec r;
	struct pb_error bad;
	enum pb_next got;
	char out[1000] = "";
	size_t at = 0;

	while ((got = pb_import_next(m, &l, &r, &bad)) != PB_END) {
		int i = 0;

		made.len = 0;
		pb_rec_write(&made, &r);
		pb_text_put(&made, "", 1);
		if (r.type) {
			check(l.raw == 0);
			l.text = made.s;
			l.raw = made.len - 1;
			pb_rec_clear(&r);
		}

		while (i < 2 && strcmp(l.at.file, path[i]) != 0)
			i++;
		at += (size_t)snprintf(out + at, sizeof(out) - at,
		    "%d:%ld:%s%.15s|", i, l.at.line, got == PB_BAD ? "!" : "",
		    got == PB_BAD ? bad.text : l.text);
		if (got == PB_NEXT) {
			check(strlen(l.text) == l.raw);
			check(l.len <= l.raw);
		}
	}
	if (strcmp(out, want) != 0)
		printf("# got: %s\n", out);
	check(strcmp(out, want) == 0);
	pb_text_clear(&made);
	pb_import_free(m);
}

static void
test_import(void)
{
	for (int i = 0; i < 3; i++)
		sprintf(path[i], "/tmp/carmen-test-%d-%ld", i, (long)getpid());
	write_file(0, "# a log\n\nPARAM a b c 1\nODOM 1 0 0 0 0 0 1 h 1\n"
		      "FLASER 1 1 1 0 0 1 0 0 1 h 1\nFLASER 2 1 1 0");
	write_file(1, "{\"type\":\"a\"}\nODOM 1 0 0 0 0 0 1 h 1\n");
	write_file(2, "# no log\n#\n{\"type\":\"b\"}");
	check_import(3,
	    "0:4:{\"type\":\"odom\",|0:5:{\"type\":\"scan\",|"
	    "0:6:!FLASER: expecte|1:1:{\"type\":\"a\"}\n|1:2:ODOM 1 0 0 0 0 |"
	    "2:1:# no log|2:2:#|2:3:{\"type\":\"b\"}|");
	check_import(1, "0:4:{\"type\":\"odom\",|0:5:{\"type\":\"scan\",|"
			"0:6:!FLASER: expecte|");
	write_file(1, "");
	unlink(path[2]);
	check_import(3, "0:4:{\"type\":\"odom\",|0:5:{\"type\":\"scan\",|"
			"0:6:!FLASER: expecte|2:0:!cannot open: No|");
	write_file(1, "# only\n# comments");
	check_import(2, "0:4:{\"type\":\"odom\",|0:5:{\"type\":\"scan\",|"
			"0:6:!FLASER: expecte|1:1:# only|1:2:# comments|");
	unlink(path[0]);
	unlink(path[1]);
}

/* Comments of a file that may be anything are not held without limit. */
static void
test_comments_without_end(void)
{
	char *file[] = {path[0]};
	struct pb_import *m;
	struct pb_line l;
	struct pb_rec r;
	struct pb_error bad;
	FILE *f = fopen(path[0], "w");

	for (int i = 0; i < 600000; i++)
		fputs("#\n", f);
	fputs("ODOM 1 0 0 0 0 0 1 h 1\n", f);
	fclose(f);
	/* It would be a log with fewer. */
	m = pb_import_new(file, 1, 0, NULL);
	check(pb_import_next(m, &l, &r, &bad) == PB_NEXT);
	check(r.type == PB_REC_OTHER && strncmp(l.text, "#", 1) == 0);
	pb_import_free(m);
	unlink(path[0]);
}

int
main(void)
{
	run(test_import);
	run(test_comments_without_end);
	return done();
}
