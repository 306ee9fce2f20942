/* opt_help.c - a command line from one table: usage, help, listing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/num.h"
#include "io/opt/opt_row.h"

/* Widest left column of --help; what is longer has a line of its own. */
enum { LEFT = 30 };

static const char *
kind_name(enum pb_opt_kind kind)
{
	static const char *const name[] = {
	    [PB_OPT_FLAG] = "flag",
	    [PB_OPT_UNSET] = "flag",
	    [PB_OPT_HUSH] = "flag",
	    [PB_OPT_BOOL] = "bool",
	    [PB_OPT_INT] = "int",
	    [PB_OPT_NUM] = "number",
	    [PB_OPT_LIMIT] = "limit",
	    [PB_OPT_U64] = "int",
	    [PB_OPT_TEXT] = "text",
	    [PB_OPT_ID] = "id",
	    [PB_OPT_NAME] = "word",
	    [PB_OPT_PAIR] = "pair",
	    [PB_OPT_POSE] = "pose",
	    [PB_OPT_LIST] = "list",
	    [PB_OPT_CALL] = "text",
	    [PB_OPT_DO] = "flag",
	    [PB_OPT_HELP] = "flag",
	    [PB_OPT_VERSION] = "flag",
	    [PB_OPT_DUMP] = "flag",
	};

	return name[kind];
}

/* n numbers with commas between, "" if one is not finite. */
static void
tuple(char *out, size_t size, const double *v, int n)
{
	size_t used = 0;

	*out = 0;
	for (int i = 0; i < n; i++) {
		char one[PB_NUM_MAX];

		if (!isfinite(v[i])) {
			*out = 0;
			return;
		}
		pb_num_exact(one, v[i]);
		used += (size_t)snprintf(
		    out + used, size - used, i ? ",%s" : "%s", one);
	}
}

/* The value that an option has now, as it would be typed; "" if none. */
static void
default_text(const struct pb_opt *o, char *out, size_t size)
{
	const char *word;
	size_t n = 0;

	*out = 0;
	if (!o->to || (o->seen && !*o->seen))
		return;
	switch (o->kind) {
	case PB_OPT_INT:
		snprintf(out, size, "%d", *(int *)o->to);
		break;
	case PB_OPT_U64:
		snprintf(
		    out, size, "%llu", (unsigned long long)*(uint64_t *)o->to);
		break;
	case PB_OPT_BOOL:
		snprintf(out, size, "%s", *(bool *)o->to ? "yes" : "no");
		break;
	case PB_OPT_TEXT:
	case PB_OPT_ID:
		word = *(const char **)o->to;
		snprintf(out, size, "%s", word ? word : "");
		break;
	case PB_OPT_NAME:
		word = *(int *)o->to < 0 ? NULL
		                         : pb_word(o->words, *(int *)o->to, &n);
		snprintf(out, size, "%.*s", (int)n, word ? word : "");
		break;
	case PB_OPT_LIMIT:
		if (isinf(*(double *)o->to))
			snprintf(out, size, "inf");
		else
			tuple(out, size, o->to, 1);
		break;
	case PB_OPT_NUM:
	case PB_OPT_PAIR:
	case PB_OPT_POSE:
		tuple(out, size, o->to,
		    o->kind == PB_OPT_NUM    ? 1
		    : o->kind == PB_OPT_PAIR ? 2
					     : 3);
		break;
	default:
		break;
	}
}

static void
help_row(const struct pb_opt *o)
{
	char left[128], value[256];
	int n;

	n = snprintf(left, sizeof(left), "  %c%c%c --%s%s%s",
	    o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
	    o->letter ? ',' : ' ', o->name, o->arg ? " " : "",
	    o->arg ? o->arg : "");
	default_text(o, value, sizeof(value));
	if (n >= LEFT)
		printf("%s\n%*s", left, LEFT, "");
	else
		printf("%-*s", LEFT, left);
	printf(*value ? "%s (%s)\n" : "%s\n", o->help, value);
}

void
pb_opt_help(const struct pb_tool *t, const struct pb_opt_rows *r)
{
	printf("usage: %s [option ...]%s%s\n%s\n\n", pb_msg_program(),
	    *t->operands ? " " : "", t->operands, t->purpose);
	for (size_t i = 0; i < r->n; i++) {
		if (r->row[i].title)
			printf("\n%s\n", r->row[i].title);
		help_row(&r->row[i].o);
	}
}

/* An option of several groups is one option. */
static bool
named_before(const struct pb_opt_rows *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(r->row[k].o.name, r->row[i].o.name) == 0)
			return true;
	return false;
}

void
pb_opt_dump(const struct pb_opt_rows *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct pb_opt *o = &r->row[i].o;
		char value[256];

		if (named_before(r, i))
			continue;
		default_text(o, value, sizeof(value));
		printf("%c\t%s\t%s\t%s\t%s\t%s\n", o->letter ? o->letter : '-',
		    o->name, o->arg ? o->arg : "-", kind_name(o->kind),
		    *value ? value : "-", o->help);
	}
}

void
pb_opt_usage(const struct pb_tool *t)
{
	fprintf(stderr, "usage: %s [option ...]%s%s; --help tells more\n",
	    pb_msg_program(), *t->operands ? " " : "", t->operands);
}
