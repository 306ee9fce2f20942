/* opt_help.c - a command line from one table: usage, help, listing. */
#include <stdio.h>
#include <string.h>

#include "io/opt/opt.h"

/* Columns of --help, and widest left one; what is longer has its own line. */
enum { WIDTH = 80, LEFT = 30 };

/*
 * Text in lines of WIDTH columns, broken at blanks, or else behind commas; the
 * first goes on in column `at`, the others begin in column `indent`.
 */
static void
put_text(const char *text, int at, int indent)
{
	while (*text != '\0') {
		int room = WIDTH - at, n = (int)strlen(text), cut = n;

		if (n > room) {
			for (cut = room; cut > 0 && text[cut] != ' '; cut--)
				;
			if (cut == 0)
				for (cut = room;
				     cut > 1 && text[cut - 1] != ','; cut--)
					;
			if (cut <= 1)
				cut = (int)strcspn(text, " ");
		}
		printf("%.*s\n", cut, text);
		text += cut + (int)strspn(text + cut, " ");
		at = indent;
		if (*text != '\0')
			printf("%*s", indent, "");
	}
}

void
pb_opt_help_line(const char *left, const char *text)
{
	if (strlen(left) >= LEFT)
		printf("%s\n%*s", left, LEFT, "");
	else
		printf("%-*s", LEFT, left);
	put_text(text, LEFT, LEFT);
}

static void
help_row(const struct pb_opt *o)
{
	char left[128], value[256], text[600];

	snprintf(left, sizeof(left), "  %c%c%c --%s%s%s", o->letter ? '-' : ' ',
	    o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name,
	    o->arg ? " " : "", o->arg ? o->arg : "");
	pb_opt_value(o, value, sizeof(value));
	snprintf(text, sizeof(text), *value ? "%s (%s)" : "%s", o->help, value);
	pb_opt_help_line(left, text);
}

void
pb_opt_help(const struct pb_tool *t, unsigned mode, bool all)
{
	bool hidden = false;

	printf("usage: %s [option ...]%s%s\n%s\n\n", pb_msg_program(),
	    *t->operands ? " " : "", t->operands, t->purpose);
	for (size_t i = 0; i < t->nopt; i++)
		if (all || pb_opt_goes(&t->opt[i], mode))
			help_row(&t->opt[i]);
		else
			hidden = true;
	if (hidden)
		puts("\n--help all lists the options of other modes, too.");
}
