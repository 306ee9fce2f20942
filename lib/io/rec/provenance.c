/* provenance.c - the record of where an output came from. */
#include "io/rec/provenance.h"

#include <stdlib.h>

#include "io/rec/rec.h"
#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "pb/version.h"

static struct {
	bool asked;
	bool started;
	struct pb_rec_provenance is; /* but for the texts of arg it owns it */
} self;

void
pb_provenance_ask(void)
{
	self.asked = true;
	pb_input.hashed = true;
}

void
pb_provenance_args(int argc, char **argv)
{
	free(self.is.arg);
	self.is.args = 0;
	self.is.arg = calloc((size_t)argc + 1, sizeof(*self.is.arg));
	for (int i = 1; self.is.arg != NULL && i < argc; i++)
		self.is.arg[self.is.args++] = argv[i];
}

static void
put_provenance(struct pb_text *out)
{
	struct pb_rec_provenance *p = &self.is;

	p->input = pb_input.hash;
	p->build = pb_build_digest();
	PB_REC_SET(p->tool, pb_msg_program());
	PB_REC_SET(p->version, PB_VERSION);
	PB_REC_SET(p->commit, pb_build_commit);
	PB_REC_SET(p->compiler, pb_build_compiler);
	out->failed |= p->arg == NULL;
	pb_rec_put(out, PB_REC_PROVENANCE, pb_stamp_none(), p);
}

/* Write the record to stdout if it was asked for. */
static void
write_record(void)
{
	struct pb_text out = {.to = stdout};

	if (!self.started)
		return;
	if (self.asked)
		put_provenance(&out);
	pb_text_clear(&out);
	free(self.is.arg);
	self.is.arg = NULL;
	self.started = false;
}

void
pb_provenance_start(const uint64_t *seed)
{
	self.started = true;
	pb_msg_at_finish(write_record);
	self.is.has_seed = seed != NULL;
	self.is.seed = seed != NULL ? *seed : 0;
}

bool
pb_provenance_fits(bool records)
{
	return records || !self.asked ||
	       pb_msg_usage("--provenance: goes with records only");
}
