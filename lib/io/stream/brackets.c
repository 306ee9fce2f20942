/* brackets.c - text that is nested too deep for a reader of YAML. */
#include "io/stream/brackets.h"

long
pb_brackets_too_deep(const char *p, size_t n)
{
	long line = 1;
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		line += p[i] == '\n';
		if (p[i] == '[' || p[i] == '{')
			depth++;
		else if ((p[i] == ']' || p[i] == '}') && depth > 0)
			depth--;
		if (depth > PB_BRACKETS_MAX)
			return line;
	}
	return 0;
}
