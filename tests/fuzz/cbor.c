/*
 * cbor.c - any bytes as CBOR: a complaint, or JSON that can be read.
 */
#include "fuzz.h"

#include <jansson.h>

#include "io/ros/cbor.h"

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct pb_error bad = {.text = ""};
	struct pb_text out = {.s = NULL};
	bool ok = pb_cbor_put(&out, bytes, n, &bad);
	json_t *v;

	must(ok || bad.text[0] != '\0');
	if (ok) {
		v = json_loadb(out.s, out.len, JSON_DECODE_ANY, NULL);
		must(v != NULL);
		json_decref(v);
	}
	pb_text_clear(&out);
	return 0;
}
