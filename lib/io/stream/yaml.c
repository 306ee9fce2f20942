/* yaml.c - libyaml's parser for text that anybody may have written. */
#include "io/stream/yaml.h"

#define OPEN 1000 /* brackets that may be */

/*
 * Line at which more brackets than OPEN are open, 0 if there is none. Those in
 * texts count, too.
 */
static long
too_deep(const char *s, size_t n)
{
	long line = 1;
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		line += s[i] == '\n';
		if (s[i] == '[' || s[i] == '{')
			depth++;
		else if ((s[i] == ']' || s[i] == '}') && depth > 0)
			depth--;
		if (depth > OPEN)
			return line;
	}
	return 0;
}

int
pb_yaml_open(yaml_parser_t *y, const char *s, size_t n, const char *name,
    struct pb_error *f)
{
	long deep = too_deep(s, n);

	if (deep > 0)
		return pb_error_file(f, name, deep, NULL,
		    "YAML: more than %d brackets are open", OPEN);
	if (yaml_parser_initialize(y) == 0)
		return pb_error_file_nomem(f, name);
	yaml_parser_set_input_string(y, (const unsigned char *)s, n);
	return 0;
}

int
pb_yaml_fault(const yaml_parser_t *y, const char *name, struct pb_error *f)
{
	/* Without memory libyaml may lack words, too. */
	if (y->error == YAML_MEMORY_ERROR || y->problem == NULL)
		return pb_error_file_nomem(f, name);
	return pb_error_file(f, name, (long)y->problem_mark.line + 1, NULL,
	    "YAML: %s", y->problem);
}
