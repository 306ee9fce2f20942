/* import.c - tests of logs that are found out by what is in them. */
#include "check.h"

#include <unistd.h>

#include "io/file/logfile.h"
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

/* Where records were, as "file:line:". */
static void
see(struct pb_filter *f, const struct pb_rec *r)
{
	char at[32];
	int i = 0;

	(void)r;
	while (i < 2 && strcmp(f->line.at.file, path[i]) != 0)
		i++;
	snprintf(at, sizeof(at), "%d:%ld:", i, f->line.at.line);
	pb_text_puts(f->into, at);
}

/* Every record of the files as "file:line:TYPE|", and how many lines are
 * refused. */
static void
check_import(int n, const char *want, int refused)
{
	char *file[] = {path[0], path[1], path[2]};
	const struct pb_opt_common common = {.keep_going = true};
	struct pb_text text = {.s = NULL};
	struct pb_filter f = {
	    .passes = true, .into = &text, .common = &common, .see = see};
	char out[1000] = "";

	check(pb_filter_run(&f, file, n));
	pb_text_put(&text, "", 1);
	for (char *s = text.s, *end; (end = strchr(s, '\n')); s = end + 1)
		snprintf(out + strlen(out), sizeof(out) - strlen(out),
		    "%.*s%s|", (int)strcspn(s, "{"), s,
		    strncmp(strchr(s, '{'), "{\"type\":\"odom\"", 14) == 0
			? "odom"
		    : strstr(s, "\"scan\"") ? "scan"
					    : "other");
	check_str(out, want);
	check_int(f.refused, refused);
	pb_text_clear(&text);
}

test(import)
{
	for (int i = 0; i < 3; i++)
		sprintf(path[i], "/tmp/carmen-test-%d-%ld", i, (long)getpid());
	write_file(0, "# a log\n\nPARAM a b c 1\nODOM 1 0 0 0 0 0 1 h 1\n"
		      "FLASER 1 1 1 0 0 1 0 0 1 h 1\nFLASER 2 1 1 0");
	write_file(1, "{\"type\":\"a\"}\nODOM 1 0 0 0 0 0 1 h 1\n");
	write_file(2, "# no log\n#\n{\"type\":\"b\"}");
	check_import(3, "0:4:odom|0:5:scan|1:1:other|2:3:other|", 4);
	check_import(1, "0:4:odom|0:5:scan|", 1);
	write_file(1, "");
	unlink(path[2]);
	check_import(3, "0:4:odom|0:5:scan|", 2);
	write_file(1, "# only\n# comments");
	check_import(2, "0:4:odom|0:5:scan|", 3);
	unlink(path[0]);
	unlink(path[1]);
}

/* Comments of a file that may be anything are not held without limit. */
test(comments_without_end)
{
	char *file[] = {path[0]};
	struct pb_filter log = {.see = see, .passes = false};
	FILE *f = fopen(path[0], "w");

	for (int i = 0; i < 600000; i++)
		fputs("#\n", f);
	fputs("ODOM 1 0 0 0 0 0 1 h 1\n", f);
	fclose(f);
	/* It would be a log with fewer; so its first line is refused. */
	check(!pb_filter_run(&log, file, 1));
	check(log.refused == 1 && log.seen == 0);
	unlink(path[0]);
}
