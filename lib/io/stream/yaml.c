/* yaml.c - libyaml's parser for text that anybody may have written. */
#include "io/stream/yaml.h"

#define MOST 1000 /* brackets that may be open; anchors */

/*
 * Line at which there is more of something than MOST, 0 if there is none. What
 * is in texts counts, too.
 */
static long
excess(const char *s, size_t n, const char **what)
{
	long line = 1;
	int depth = 0, anchors = 0;

	for (size_t i = 0; i < n; i++) {
		line += s[i] == '\n';
		anchors += s[i] == '&';
		if (s[i] == '[' || s[i] == '{')
			depth++;
		else if ((s[i] == ']' || s[i] == '}') && depth > 0)
			depth--;
		*what = depth > MOST ? "brackets are open" : "anchors";
		if (depth > MOST || anchors > MOST)
			return line;
	}
	return 0;
}

int
pb_yaml_load(yaml_document_t *doc, const char *s, size_t n, const char *name,
    struct pb_error *f)
{
	yaml_parser_t y;
	const char *what;
	long line = excess(s, n, &what);
	int rc = 0;

	if (line > 0)
		return pb_error_file(
		    f, name, line, NULL, "YAML: more than %d %s", MOST, what);
	if (yaml_parser_initialize(&y) == 0)
		pb_msg_end_memory();
	yaml_parser_set_input_string(&y, (const unsigned char *)s, n);
	if (!yaml_parser_load(&y, doc)) {
		/* Without memory libyaml may lack words, too. */
		if (y.error == YAML_MEMORY_ERROR || y.problem == NULL)
			pb_msg_end_memory();
		rc = pb_error_file(f, name, (long)y.problem_mark.line + 1, NULL,
		    "YAML: %s", y.problem);
	}
	yaml_parser_delete(&y);
	return rc;
}
