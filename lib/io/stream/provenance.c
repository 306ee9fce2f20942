/* provenance.c - what a run read and wrote, and the records that say so. */
#include "io/stream/provenance.h"

#include <stdlib.h>

#include "base/hash.h"
#include "io/rec/run_records.h"
#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "pb/version.h"

static struct {
	bool provenance, end; /* asked for */
	bool started;
	char **arg; /* owned, the texts are not */
	size_t args;
	bool has_seed;
	uint64_t seed;
	uint64_t input; /* hash of all that was read */
	struct pb_rec_finish count;
} self = {.input = PB_HASH_START};

void
pb_trail_provenance(void)
{
	self.provenance = true;
}

void
pb_trail_end(void)
{
	self.end = true;
}

void
pb_trail_args(int argc, char **argv)
{
	free(self.arg);
	self.args = 0;
	self.arg = calloc((size_t)argc + 1, sizeof(*self.arg));
	for (int i = 1; self.arg != NULL && i < argc; i++)
		self.arg[self.args++] = argv[i];
}

void
pb_trail_start(const uint64_t *seed)
{
	self.started = true;
	self.has_seed = seed != NULL;
	self.seed = seed != NULL ? *seed : 0;
}

bool
pb_trail_fits(bool records)
{
	if (records || !(self.provenance || self.end))
		return true;
	pb_msg_usage(
	    "--%s: goes with records only", self.end ? "end" : "provenance");
	return false;
}

void
pb_trail_file(const char *s, size_t n)
{
	if (self.provenance)
		self.input = pb_hash_bytes(self.input, s, n);
}

void
pb_trail_line(const char *s, size_t n)
{
	self.count.read++;
	pb_trail_file(s, n);
}

void
pb_trail_refused(void)
{
	self.count.refused++;
}

void
pb_trail_wrote(void)
{
	self.count.written++;
}

static void
put_provenance(struct pb_text *out)
{
	struct pb_rec_provenance p = {.arg = self.arg,
	    .args = self.args,
	    .has_seed = self.has_seed,
	    .seed = self.seed,
	    .input = self.input,
	    .build = pb_build_digest()};

	PB_REC_SET(p.tool, pb_msg_program());
	PB_REC_SET(p.version, PB_VERSION);
	PB_REC_SET(p.commit, pb_build_commit);
	PB_REC_SET(p.compiler, pb_build_compiler);
	out->failed |= self.arg == NULL;
	pb_put_provenance(out, &p);
}

void
pb_trail_write(void)
{
	struct pb_text out = {.to = stdout};

	if (!self.started)
		return;
	if (self.provenance)
		put_provenance(&out);
	PB_REC_SET(self.count.tool, pb_msg_program());
	self.count.status = pb_msg_worst();
	if (self.end)
		pb_put_finish(&out, &self.count);
	pb_text_clear(&out);
	free(self.arg);
	self.arg = NULL;
	self.started = false;
}
