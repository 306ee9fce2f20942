/* filter.c - the loop of every tool: read records, hand over, pass on. */
#include "io/file/filter.h"

#include <stdio.h>
#include <string.h>

#include "io/file/import.h"
#include "io/stream/msg.h"

bool
pb_filter_is_of(const struct pb_rec *r, const char *id)
{
	const char *of = r->stamp.id;

	return *of == '\0' || strcmp(of, id) == 0 ||
	       (r->type == PB_REC_POSE && strcmp(of, "truth") == 0);
}

void
pb_filter_pass(struct pb_filter *f)
{
	const struct pb_line *l = &f->line;
	bool cut = l->raw > 0 && l->text[l->raw - 1] != '\n';

	if (f->into) {
		pb_text_put(f->into, l->text, l->raw);
		pb_text_put(f->into, "\n", cut);
		return;
	}
	fwrite(l->text, 1, l->raw, stdout);
	if (cut)
		putchar('\n');
}

void
pb_filter_release(struct pb_filter *f)
{
	fwrite(f->into->s, 1, f->into->len, stdout);
	f->into = NULL;
}

/* The line was refused: say it, go on or not. */
static bool
refuse(struct pb_filter *f, const struct pb_error *bad)
{
	f->refused++;
	pb_msg_error_at(f->line.at, bad);
	return f->common && f->common->keep_going;
}

/* Whether the record is a scan that is to be left out. */
static bool
left_out(struct pb_filter *f, enum pb_rec_type type)
{
	bool odd;

	if (type != PB_REC_SCAN)
		return false;
	odd = f->scan++ % 2;
	return f->scans != PB_SCANS_ALL && odd != (f->scans == PB_SCANS_ODD);
}

/* A record that is wanted; false ends the loop. */
static bool
take(struct pb_filter *f, struct pb_rec *r)
{
	struct pb_error bad = {""};

	if (f->take(f, r, &bad))
		return !f->stop;
	return bad.text[0] && refuse(f, &bad);
}

/* One record, which ends here; false ends the loop. */
static bool
do_record(struct pb_filter *f, struct pb_rec *r)
{
	bool goes_on = true;

	f->seen |= PB_REC_BIT(r->type);
	if (left_out(f, r->type)) {
		; /* as if it had not come */
	} else if (f->want & PB_REC_BIT(r->type) & PB_REC_ALL) {
		goes_on = take(f, r);
	} else {
		if (f->see)
			f->see(f, r);
		if (f->passes)
			pb_filter_pass(f);
		goes_on = !f->stop;
	}
	pb_rec_clear(r);
	return goes_on;
}

/* One line of text; false ends the loop. */
static bool
do_line(struct pb_filter *f)
{
	struct pb_error bad;
	struct pb_rec r;

	if (strspn(f->line.text, " \t") >= f->line.len) {
		if (f->passes)
			pb_filter_pass(f);
		return true;
	}
	if (!pb_rec_read(f->line.text, f->line.len, f->want, &r, &bad))
		return refuse(f, &bad);
	return do_record(f, &r);
}

/* A record of another program's line; its own line is written if need be. */
static bool
do_made(struct pb_filter *f, struct pb_rec *r)
{
	f->made.len = 0;
	if (f->passes) {
		pb_rec_write(&f->made, r);
		pb_text_put(&f->made, "", 1);
		if (f->made.failed) {
			pb_msg_nomem("cannot pass on a record");
			pb_rec_clear(r);
			return false;
		}
		f->line.text = f->made.s;
		f->line.raw = f->made.len - 1;
		f->line.len = f->line.raw - 1;
	}
	return do_record(f, r);
}

static bool
loop(struct pb_filter *f, struct pb_import *in)
{
	struct pb_error bad;
	struct pb_rec r;

	while (pb_msg_out_ok()) {
		switch (pb_import_next(in, &f->line, &r, &bad)) {
		case PB_LINE_TEXT:
			if (r.type ? !do_made(f, &r) : !do_line(f))
				return f->stop;
			break;
		case PB_LINE_BAD:
			if (!refuse(f, &bad))
				return false;
			break;
		case PB_LINE_END:
			return true;
		case PB_LINE_FAIL:
			return false;
		}
	}
	return false;
}

bool
pb_filter_run(struct pb_filter *f, char *const *files, int n)
{
	uint64_t maps = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	struct pb_import *in;
	bool whole = false;

	/* Who passes records on may be given the map of a pipe first, too. */
	if ((f->want & maps) || !f->passes)
		maps &= f->want;

	f->out.to = stdout;
	in = pb_import_new(files, n, maps, f->ros);
	pb_msg_catch();
	if (in)
		whole = loop(f, in);
	else
		pb_msg_nomem("cannot read");
	pb_import_free(in);
	if (f->end)
		f->end(f, whole);
	pb_text_clear(&f->out);
	pb_text_clear(&f->made);
	return whole;
}
