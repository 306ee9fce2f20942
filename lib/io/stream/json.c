/* json.c - one line of JSON: what jansson says of it. */
#include "io/stream/json.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/json_nonfinite.h"

/*
 * Where jansson gets no memory for a string it speaks of an invalid token, or
 * leaves part of it out; so whether it got all it asked for is noted here. It
 * then asks again for each byte that is left: the kernel is not bothered.
 *
 * Where a number grows that its buffer cannot hold, jansson ends the program
 * (an assertion in lex_unget_unsave). Its buffer asks for powers of two, each
 * once: they come from a reserve, so that it gets as far as asking for what
 * keeps the number, which it does not get. Longer numbers are refused before
 * jansson sees them. Where the reserve has refused something, it refuses all:
 * of a string without its end, which did not fit, there must be no copy.
 */
enum { SMALLEST = 32, LARGEST = PB_JSON_NUMBER + 1 };
static _Thread_local bool no_memory;
static _Thread_local _Alignas(max_align_t) char reserve[2 * LARGEST];
static _Thread_local size_t reserved; /* sum of sizes that are not there */

static void *
get_reserve(size_t n)
{
	bool power = (n & (n - 1)) == 0;

	if (!power || n < SMALLEST || n > LARGEST || (reserved & n) != 0) {
		reserved = SIZE_MAX;
		return NULL;
	}
	reserved += n;
	return reserve + n - SMALLEST;
}

static void *
get_memory(size_t n)
{
	void *p = no_memory ? NULL : malloc(n);

	no_memory |= !p;
	return p ? p : get_reserve(n);
}

static void
give_back(void *p)
{
	if ((char *)p < reserve || (char *)p >= reserve + sizeof(reserve))
		free(p);
}

static void
watch_memory(void)
{
	json_set_alloc_funcs(get_memory, give_back);
}

/* Whole numbers beyond 64 bits are numbers, too: JSON sets no limit. */
static json_t *
load(const char *s, size_t n, json_error_t *e)
{
	const size_t flags =
	    JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL;
	json_t *j;

	/* The code, which jansson does not set where memory ends early. */
	e->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_unknown;
	j = json_loadb(s, n, flags, e);
	if (!j && json_error_code(e) == json_error_numeric_overflow)
		j = json_loadb(s, n, flags | JSON_DECODE_INT_AS_REAL, e);
	return j;
}

/* Say what jansson said; line 0 means that it does not know the place. */
static bool
refuse(const json_error_t *e, struct pb_error *bad)
{
	enum json_error_code code = json_error_code(e);
	bool grammar = code != json_error_duplicate_key &&
	               code != json_error_numeric_overflow &&
	               code != json_error_stack_overflow;
	const char *end = strstr(e->text, " near end of file");
	int n = (int)(end ? (size_t)(end - e->text) : strlen(e->text));
	char place[64] = "";

	if (e->line > 1) /* of a file with a record over many lines */
		snprintf(place, sizeof(place), ", line %d", e->line);
	else if (e->line == 1)
		snprintf(place, sizeof(place), ", column %d", e->column);
	return pb_error_set(bad, "%s%.*s%s%s", grammar ? "not JSON: " : "", n,
	    e->text, end ? " at the end" : "", place);
}

/* jansson's tree of s, mended if that is what it takes. */
static json_t *
load_mended(struct pb_json *j, const char *s, size_t n, json_error_t *e)
{
	json_t *root = load(s, n, e);
	char *mended;
	size_t len;

	if (root || (json_error_code(e) != json_error_invalid_syntax &&
			json_error_code(e) != json_error_null_byte_in_key))
		return root;
	mended = pb_json_mend(s, n, &len, &j->mended);
	if (!mended)
		return NULL;
	root = load(mended, len, e);
	free(mended);
	return root;
}

/* The tree of s, without the cells of a map. */
static void
read_line(struct pb_json *j, const char *s, size_t n, json_error_t *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct pb_lift l;
	bool lifted = pb_json_lift(s, n, &l);

	pthread_once(&once, watch_memory);
	no_memory = false;
	reserved = 0;
	*j = (struct pb_json){.cell = l.cell, .cells = l.cells};
	j->root = load_mended(j, lifted ? l.rest : s, lifted ? l.len : n, e);
	if (j->mended || (lifted && (size_t)e->position > l.at))
		e->line = 0; /* places have moved */
	free(l.rest);
}

bool
pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad)
{
	size_t over = pb_json_number_over(s, n, PB_JSON_NUMBER);
	json_error_t e;

	if (over > 0) {
		*j = (struct pb_json){0};
		*g = (struct pb_get){.line = j, .bad = bad};
		return pb_error_set(bad,
		    "expected numbers of at most %d bytes, got one of %zu",
		    PB_JSON_NUMBER, over);
	}
	read_line(j, s, n, &e);
	*g = (struct pb_get){.line = j, .obj = j->root, .bad = bad};
	snprintf(g->path, sizeof(g->path), "%.*s", PB_JSON_PATH - 1, path);
	if (no_memory)
		pb_error_nomem(bad, "JSON");
	else if (!j->root)
		refuse(&e, bad);
	else if (!json_is_object(j->root))
		pb_error_set(bad, "expected a JSON object, got %s",
		    json_is_array(j->root) ? "an array" : "a bare value");
	else
		g->ok = true;
	if (!g->ok)
		pb_json_close(j);
	return g->ok;
}

void
pb_json_close(struct pb_json *j)
{
	json_decref(j->root);
	free(j->cell);
	*j = (struct pb_json){0};
}
