/*
 * import.c - any bytes as a file of another program: what comes out of it are
 * records, or a complaint.
 */
#include <stdlib.h>
#include <string.h>

#include "io/log/carmen.h"
#include "io/rec.h"
#include "io/log/rosbridge.h"
#include "io/log/tum.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);

/* All that was written are records that can be read. */
static void
check_records(struct pb_text *o)
{
	struct pb_bad bad;
	struct pb_rec r;
	char *nl;

	for (size_t i = 0; i < o->len; i += (size_t)(nl - o->s) - i + 1) {
		char *at = o->s + i;

		nl = memchr(at, '\n', o->len - i);
		if (!nl)
			abort();
		if (!pb_rec_read(at, (size_t)(nl - at), PB_REC_ALL, &r, &bad))
			abort();
		pb_rec_clear(&r);
	}
	o->len = 0;
}

static void
convert(struct pb_carmen *log, struct pb_rosbridge *ros, char *line, size_t n)
{
	struct pb_text o = {0};
	struct pb_bad bad;

	if (pb_carmen_convert(log, line, n, &o, &bad))
		check_records(&o);
	o.len = 0;
	if (pb_tum_convert(line, n, &o, &bad))
		check_records(&o);
	o.len = 0;
	/* A line that only looks like a message comes back as it is. */
	if (pb_rosbridge_is(line, n))
		pb_rosbridge_convert(ros, line, n, &o, &bad);
	pb_text_clear(&o);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct pb_carmen log;
	struct pb_rosbridge ros = {.said = true};
	char *s = malloc(n + 1), *at = s, *end = s + n, *nl;

	memcpy(s, bytes, n);
	*end = 0;
	pb_carmen_survey(&log, s, n);
	for (; at < end; at = nl < end ? nl + 1 : end) {
		nl = memchr(at, '\n', (size_t)(end - at));
		if (!nl)
			nl = end;
		*nl = 0;
		if (!memchr(at, 0, (size_t)(nl - at)))
			convert(&log, &ros, at, (size_t)(nl - at));
	}
	pb_carmen_clear(&log);
	free(s);
	return 0;
}
