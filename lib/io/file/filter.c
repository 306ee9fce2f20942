/* filter.c - the loop of every tool: read records of any file, handle them,
 * pass them on. */
#include "io/file/filter.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/logfile.h"
#include "io/file/mapsource.h"
#include "io/rec/rec.h"
#include "io/rec/schema.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"

/* --- the next record of any file --- */

/* The kind of the current file. */
enum kind {
	UNKNOWN, /* only comments so far */
	RECORDS, /* of pb, or messages of rosbridge */
	TUM,
	CSV,
	LOG
};

/* Most bytes of comments before the line that decides the kind; logs have
 * fewer. */
#define COMMENTS ((size_t)1 << 20)

/* The text of a record that does not come from a line. */
static char none[] = "";

struct pb_import {
	char *const *operand; /* and the index of the next to open */
	int operands, next_operand;
	uint64_t maps; /* which of map and maze are wanted: PB_REC_BIT() */
	struct pb_lines *in; /* lines of the current operand, NULL: none yet */
	enum kind kind;

	struct pb_text map; /* record made from a map file, ends with NUL */

	/* Lines held back, of an unknown file or a log, each with LF; an
	 * unreadable line is a NUL and its message. */
	struct pb_text held;
	const char *file; /* of the held lines */
	struct pb_lines *
	    giving; /* reads the held lines while they are converted; or NULL */
	struct pb_carmen log;

	struct pb_csv csv;

	const struct pb_ros_opts *ros;
	struct pb_ros_records *records; /* converts messages; NULL: none came */
	bool had_messages;              /* some file had messages */
	struct pb_text whole;           /* parts of a message so far, ... */
	long parts;                     /* ... and their number */
	bool left_out;      /* a note about skipped messages was printed */
	bool found;         /* a recording was found and is not yet open */
	struct pb_bag *bag; /* the open one */
	bool part;          /* a file was opened: the next may be part of it */
	bool odd;           /* a note about an encoding was printed */
	bool broken; /* the recording is damaged: report it behind its last
	                record */

	struct pb_rec_few made; /* of one line */
	int given;              /* number of them given */
	struct pb_place from;   /* place of that line */

	/* Result of pb_lines_next() that waits behind held lines. */
	bool pending;
	enum pb_next got;
	struct pb_line next;
	struct pb_error bad;
};

/* Free records that were not given. */
static void
clear_made(struct pb_import *m)
{
	while (m->given < m->made.n)
		pb_rec_clear(&m->made.rec[m->given++]);
	m->made.n = m->given = 0;
}

/* Free messages and the records made from them. */
static void
clear_messages(struct pb_import *m)
{
	pb_ros_records_free(m->records);
	m->records = NULL;
	pb_text_clear(&m->whole);
	m->parts = 0;
	m->left_out = false;
}

static void
import_clear(struct pb_import *m)
{
	pb_lines_free(m->in);
	pb_lines_free(m->giving);
	pb_carmen_clear(&m->log);
	pb_text_clear(&m->held);
	clear_made(m);
	pb_text_clear(&m->map);
	clear_messages(m);
	if (m->bag)
		m->ros->reader.close(m->bag);
}

static void
hold_line(struct pb_import *m, enum pb_next got, const struct pb_line *l,
    const struct pb_error *bad)
{
	m->file = l->at.file;
	if (got == PB_BAD) {
		pb_text_put(&m->held, "", 1);
		pb_text_puts(&m->held, bad->text);
	} else {
		pb_text_put(&m->held, l->text, l->len);
	}
	pb_text_put(&m->held, "\n", 1);
}

/* All lines of the held file are here: begin to convert them. */
static void
begin_held(struct pb_import *m)
{
	char remark[256];

	if (m->kind == LOG) {
		pb_carmen_survey(&m->log, m->held.s, m->held.len);
		if (pb_carmen_remark(&m->log, remark, sizeof(remark)))
			pb_msg_warn(
			    (struct pb_place){m->file, 0}, "%s", remark);
	}
	m->giving = pb_lines_text(m->file, m->held.s, m->held.len);
	pb_text_clear(&m->held);
}

/* Give the next record made from a line or from messages. */
static bool
give_made(struct pb_import *m, struct pb_line *l, struct pb_rec *r)
{
	*l = (struct pb_line){.text = none, .at = m->from};
	if (m->given < m->made.n)
		*r = m->made.rec[m->given++];
	else
		return m->records &&
		       pb_ros_records_next(m->records, r, &l->at.line);
	return true;
}

/* Prepare for messages in the current file. */
static void
prepare_records(struct pb_import *m, const char *file)
{
	m->had_messages = true;
	if (!m->records)
		m->records = pb_ros_records_new(m->ros, file);
}

/* Convert the message in a "publish" of rosbridge. */
static bool
convert_published(struct pb_import *m, struct pb_get *g, long line)
{
	char topic[PB_ROS_NAME] = "?";
	const struct pb_ros_heard from = {topic, PB_ROS_NEVER, line};
	struct pb_ros_message got;
	enum pb_ros_type type;
	struct pb_get msg;
	bool ok;

	if (!pb_get_object(g, "msg", PB_REQUIRED, &msg))
		return false;
	PB_GET_WORD(g, "topic", PB_OPTIONAL, topic);
	type = pb_ros_type_like(&msg);
	if (type == PB_ROS_OTHER) {
		if (!m->left_out)
			pb_msg_note(
			    "ignoring messages of topics like %s: their type "
			    "is not supported",
			    topic);
		m->left_out = true;
		return *g->ok &&
		       pb_ros_records_skip(m->records, &from, "?", g->bad);
	}
	if (!*g->ok || !pb_ros_get(&got, type, &msg))
		return false;
	ok = pb_ros_records_take(m->records, &from, &got, g->bad);
	pb_ros_clear(&got);
	return ok;
}

static bool convert_message(struct pb_import *m, const char *s, size_t n,
    long line, bool *same, struct pb_error *bad);

/*
 * Add a part of a message that was split as too long, a "fragment" of
 * rosbridge; parts come in order, without others between. The last one converts
 * the message.
 */
static bool
add_fragment(struct pb_import *m, struct pb_get *g, long line)
{
	const char *text = pb_json_text(pb_get_value(g, "data"));
	double total = 0;
	long num = 0;
	bool same;

	pb_get_int(g, "num", PB_REQUIRED, 0, INT32_MAX, &num);
	pb_get_num(g, "total", PB_REQUIRED, 1, INT32_MAX, &total);
	if (!*g->ok)
		return false;
	if (!text || !*text)
		return pb_error_set(g->bad, "data: expected some text");
	if (num == 0)
		m->whole.len = 0;
	if (num != 0 && num != m->parts)
		return pb_error_set(g->bad,
		    "num: expected part %ld of a message, got %ld", m->parts,
		    num);
	if (m->whole.len + strlen(text) > PB_ROSBRIDGE_MOST)
		return pb_error_set(g->bad,
		    "data: a message of more than %zu bytes",
		    PB_ROSBRIDGE_MOST);
	pb_text_puts(&m->whole, text);
	m->parts = num + 1;
	if (m->parts < (long)total)
		return true;
	m->parts = 0;
	pb_text_put(&m->whole, "", 1);
	return convert_message(
	    m, m->whole.s, m->whole.len - 1, line, &same, g->bad);
}

/* Convert the message of a line. *same: it only looks like a message, and is a
 * record of pb. False with bad filled in: the message is incomplete. */
static bool
convert_message(struct pb_import *m, const char *s, size_t n, long line,
    bool *same, struct pb_error *bad)
{
	struct pb_json j;
	struct pb_get g;
	const char *op, *text;
	bool ok = true;

	if (!pb_json_open(&j, s, n, "", &g, bad))
		return false;
	op = pb_json_text(pb_get_value(&g, "op"));
	*same = pb_get_value(&g, "type") || !op;
	if (*same) {
		; /* no message */
	} else if (strcmp(op, "fragment") == 0) {
		ok = add_fragment(m, &g, line);
	} else if (strcmp(op, "status") == 0) {
		text = pb_json_text(pb_get_value(&g, "msg"));
		pb_msg_note("rosbridge says: %.200s", text ? text : "nothing");
	} else {
		ok = convert_published(m, &g, line);
	}
	pb_json_close(&j);
	return ok;
}

/* Convert a line to records; *same: it is a record of pb already. */
static bool
convert_line(struct pb_import *m, const struct pb_line *l, bool *same,
    struct pb_error *bad)
{
	if (m->kind == CSV)
		return pb_csv_convert(&m->csv, l->text, l->len, &m->made, bad);
	if (m->kind == LOG)
		return pb_carmen_convert(
		    &m->log, l->text, l->len, &m->made, bad);
	if (m->kind == TUM)
		return pb_tum_convert(l->text, l->len, &m->made, bad);
	prepare_records(m, l->at.file);
	return convert_message(m, l->text, l->len, l->at.line, same, bad);
}

/* Convert one line to records. PB_NEXT: the line is a record itself. */
static enum pb_next
make_records(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	bool same = false, ok;

	m->made.n = m->given = 0;
	m->from = l->at;
	ok = convert_line(m, l, &same, bad);
	for (int i = 0; ok && i < m->made.n; i++)
		ok = pb_rec_settle(&m->made.rec[i], bad);
	if (!ok) {
		clear_made(m);
		return PB_BAD;
	}
	if (same &&
	    l->raw >
		l->len) { /* pass it on with LF, even if it ended with CR LF */
		l->text[l->len] = '\n';
		l->raw = l->len + 1;
		l->text[l->raw] = '\0';
	}
	return same ? PB_NEXT : PB_END;
}

/* Give the next held line; PB_END behind the last. */
static enum pb_next
give_held(struct pb_import *m, struct pb_line *l, struct pb_rec *r,
    struct pb_error *bad)
{
	for (;;) {
		enum pb_next got;

		if (give_made(m, l, r))
			return PB_NEXT;
		got = pb_lines_next(m->giving, l, bad);
		if (got == PB_BAD) {
			l->text[l->len] = '\0';
			pb_error_set(bad, "%s", l->text + 1);
			l->raw = l->len = 0;
		}
		if (got != PB_NEXT || m->kind != LOG)
			return got;
		got = make_records(m, l, bad);
		if (got != PB_END)
			return got;
	}
}

/* Whether a line is the first of its file, or there are no more. */
static bool
begins_file(enum pb_next got, const struct pb_line *l)
{
	return got == PB_END || got == PB_HALT || l->at.line <= 1;
}

/* Detect the kind of a file by its first line that is no comment. */
static void
detect_kind(struct pb_import *m, enum pb_next got, const struct pb_line *l)
{
	bool text = got == PB_NEXT;

	if (text && pb_carmen_is(l->text, l->len))
		m->kind = LOG;
	else if (text && pb_tum_is(l->text, l->len))
		m->kind = TUM;
	else if (text && (l->len == 0 || *l->text == '#'))
		return;
	else if (text && pb_csv_is(&m->csv, l->text, l->len))
		m->kind = CSV;
	else
		m->kind = RECORDS;
}

/* Hold a line or error back until all held lines have been given. */
static enum pb_next
hold_result(struct pb_import *m, enum pb_next got, const struct pb_line *l,
    const struct pb_error *bad)
{
	m->pending = true;
	m->got = got;
	m->next = *l;
	m->bad = *bad;
	if (m->held.len > 0)
		begin_held(m);
	return PB_END;
}

/* Whether records of messages are pending that come before this line. */
static bool
flush_messages(struct pb_import *m, enum pb_next got, const struct pb_line *l)
{
	bool ours = m->records && got == PB_NEXT &&
	            strspn(l->text, " \t") < l->len &&
	            !pb_rosbridge_is(l->text, l->len);

	return m->records && (ours || begins_file(got, l)) &&
	       pb_ros_records_flush(m->records);
}

/* Begin the next file; nothing of the previous one is held. */
static void
begin_next_file(struct pb_import *m)
{
	m->kind = UNKNOWN;
	m->csv = (struct pb_csv){.columns = 0};
	m->part = false;
	if (m->records)
		pb_ros_records_end(m->records);
	clear_messages(m);
}

/* Give an error behind all valid records. */
static enum pb_next
give_bad(struct pb_import *m, struct pb_error *bad)
{
	m->broken = pb_ros_records_flush(m->records);
	m->bad = *bad;
	return m->broken ? PB_END : PB_BAD;
}

/* Open the recording that was found. */
static enum pb_next
open_bag(struct pb_import *m, const struct pb_line *l, struct pb_error *bad)
{
	const char *head = NULL;
	size_t n = 0;
	struct pb_source *s = m->in ? pb_lines_source(m->in, &head, &n) : NULL;

	m->found = false;
	m->from = l->at;
	prepare_records(m, l->at.file);
	m->odd = false;
	m->part = m->in != NULL;
	m->bag = m->ros->reader.open(l->at.file, s, head, n, bad);
	return m->bag ? PB_END : give_bad(m, bad);
}

/* Convert a message of the recording. */
static bool
convert_recorded(
    struct pb_import *m, const struct pb_bag_message *b, struct pb_error *bad)
{
	const struct pb_ros_heard from = {b->topic, b->t, 0};
	enum pb_ros_type type = pb_ros_type_of(b->type);
	struct pb_ros_message got;
	struct pb_error why;
	bool ok;

	pb_input_add((const char *)b->data, b->size);
	if (m->ros->only && type != m->ros->only)
		return true;
	if (type != PB_ROS_OTHER && b->encoding == PB_BAG_OTHER && !m->odd) {
		m->odd = true;
		pb_msg_warn(m->from,
		    "messages of %.80s are encoded as \"%.40s\"; supported "
		    "are cdr, ros1 and json",
		    b->topic, b->encoded);
	}
	if (type == PB_ROS_OTHER || b->encoding == PB_BAG_OTHER)
		return pb_ros_records_skip(m->records, &from, b->type, bad);
	ok = pb_ros_read(&got, type, b->encoding, b->data, b->size, &why);
	if (ok) {
		ok = pb_ros_records_take(m->records, &from, &got, &why);
		pb_ros_clear(&got);
	}
	if (ok)
		return true;
	pb_error_set(bad, "%.80s at %llu: %.200s", b->topic,
	    (unsigned long long)b->offset, why.text);
	bad->kind = why.kind;
	if (strcmp(b->file, m->from.file) != 0)
		pb_error_at(bad, b->file, 0);
	return false;
}

/* Read and convert the next message of the recording. PB_END: done, or no
 * more. */
static enum pb_next
read_recorded(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	struct pb_bag_message b;

	*l = (struct pb_line){.text = none, .at = m->from};
	if (m->broken) {
		m->broken = false;
		*bad = m->bad;
		return PB_BAD;
	}
	*bad = (struct pb_error){.line = 0};
	switch (m->ros->reader.next(m->bag, &b, bad)) {
	case PB_NEXT:
		return convert_recorded(m, &b, bad) ? PB_END : give_bad(m, bad);
	case PB_BAD:
		return give_bad(m, bad);
	case PB_END:
		m->ros->reader.close(m->bag);
		m->bag = NULL;
		return PB_END;
	default:
		return PB_HALT;
	}
}

/* Handle a result of pb_lines_next(). Returns it if it is given out unchanged,
 * PB_END if it was held or converted to records. */
static enum pb_next
handle_line(struct pb_import *m, enum pb_next got, struct pb_line *l,
    struct pb_error *bad)
{
	if (begins_file(got, l) && m->held.len > 0)
		return hold_result(m, got, l, bad);
	/* Consecutive files are parts of one recording; a folder is a whole
	 * one.
	 */
	if (m->found && m->in && m->part)
		return open_bag(m, l, bad);
	if (flush_messages(m, got, l))
		return hold_result(m, got, l, bad);
	if (begins_file(got, l))
		begin_next_file(m);
	if (m->found)
		return open_bag(m, l, bad);
	if (m->kind == UNKNOWN)
		detect_kind(m, got, l);
	if (m->kind == UNKNOWN && m->held.len > COMMENTS)
		m->kind = RECORDS;
	if (m->kind == LOG || m->kind == UNKNOWN) {
		hold_line(m, got, l, bad);
		return PB_END;
	}
	if (m->kind == TUM || m->kind == CSV)
		m->held.len = 0; /* drop comments */
	if (m->held.len > 0)
		return hold_result(m, got, l, bad);
	if (got != PB_NEXT ||
	    (m->kind == RECORDS && !pb_rosbridge_is(l->text, l->len)))
		return got;
	return make_records(m, l, bad);
}

/* Read a file with a map or board as the line of a record. */
static enum pb_next
read_map_line(struct pb_import *m, const char *path, struct pb_line *l,
    struct pb_error *bad)
{
	const struct pb_mapsource_opts usual = pb_mapsource_defaults();
	struct pb_mapsource p = {.has_map = true};
	int rc;

	*l = (struct pb_line){.text = none, .at = {path, 0}};
	m->map.len = 0;
	if (m->maps & PB_REC_BIT(PB_REC_MAZE))
		rc = pb_mapsource_init(&p, path, &usual, bad);
	else
		rc = pb_mapfile_read(path, NULL, &p.map, &p.notes, bad);
	if (rc != 0)
		return PB_BAD;
	pb_mapsource_notes(path, &p.notes);
	if (p.has_map)
		pb_rec_put(&m->map, PB_REC_MAP, pb_stamp_none(), &p.map);
	else
		pb_rec_put(&m->map, PB_REC_MAZE, pb_stamp_none(), &p.maze);
	pb_mapsource_clear(&p);
	pb_text_put(&m->map, "", 1);
	l->text = m->map.s;
	l->raw = m->map.len - 1;
	l->len = l->raw - 1;
	return PB_NEXT;
}

/* Read the next line of the operands, one after the other. */
static enum pb_next
read_files(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	for (;;) {
		char *const *at = &m->operand[m->next_operand];
		enum pb_next got = PB_END;
		const char *head;
		size_t n;

		if (m->in)
			got = pb_lines_next(m->in, l, bad);
		m->found = m->in && m->ros->reader.open &&
		           pb_lines_source(m->in, &head, &n) &&
		           pb_bag_is(head, n);
		if (got != PB_END || m->next_operand == m->operands)
			return got;
		m->next_operand++;
		pb_lines_free(m->in);
		m->in = NULL;
		m->found = m->ros->reader.open && pb_bag_is_folder(*at);
		if (m->found) {
			*l = (struct pb_line){.text = none, .at = {*at, 0}};
			return PB_BAD;
		}
		if (m->maps && pb_mapkind_is_operand(*at))
			return read_map_line(m, *at, l, bad);
		m->in = pb_lines_new(at, 1);
	}
}

/* Read the next line, first the one that was held back. */
static enum pb_next
read_next(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	if (!m->pending)
		return read_files(m, l, bad);
	m->pending = false;
	*l = m->next;
	*bad = m->bad;
	return m->got;
}

/* Warn of options that had no effect. */
static void
warn_unused(const struct pb_import *m)
{
	if (!m->had_messages &&
	    (m->ros->has_laser || m->ros->topic.n > 0 || m->ros->survey))
		pb_msg_warn((struct pb_place){m->operand[0], 0},
		    "no message of ROS came, which --topic, --laser and "
		    "--info need");
}

/*
 * Like pb_lines_next(). For a line of another program, r is its record, for
 * pb_rec_clear(), and there is no text; with text, r is of PB_REC_OTHER. An
 * incomplete message of a log is PB_BAD.
 */
static enum pb_next
read_import(struct pb_import *m, struct pb_line *l, struct pb_rec *r,
    struct pb_error *bad)
{
	r->type = PB_REC_OTHER;
	r->owns = false;
	for (;;) {
		enum pb_next got;

		if (m->giving) {
			got = give_held(m, l, r, bad);
			if (got != PB_END)
				return got;
			pb_lines_free(m->giving);
			m->giving = NULL;
			pb_carmen_clear(&m->log);
		}
		if (give_made(m, l, r))
			return PB_NEXT;
		if (m->bag || m->broken) {
			got = read_recorded(m, l, bad);
			if (got != PB_END)
				return got;
			continue;
		}
		got = read_next(m, l, bad);
		if ((got == PB_END || got == PB_HALT) && m->held.len == 0 &&
		    !m->records) {
			warn_unused(m);
			return got;
		}
		got = handle_line(m, got, l, bad);
		if (got != PB_END)
			return got;
	}
}

/* --- the loop --- */

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

long
pb_filter_scans_ahead(struct pb_filter *f, const char *id)
{
	struct pb_import *m = f->in;
	char quoted[2 + sizeof(((struct pb_stamp *)0)->id) + 1];

	if (f->scans != PB_SCANS_ALL)
		return 0;
	snprintf(quoted, sizeof(quoted), "\"%s\"", id);
	/* Both records and messages of scans have the member "ranges". */
	return m->in != NULL && !m->pending && !m->giving
	           ? pb_lines_ahead(m->in, "\"ranges\"", "\"id\"", quoted)
	           : 0;
}

void
pb_filter_release(struct pb_filter *f)
{
	fwrite(f->into->s, 1, f->into->len, stdout);
	f->into = NULL;
}

/* Report why the line was refused. Returns whether to go on. */
static bool
refuse_line(struct pb_filter *f, const struct pb_error *bad)
{
	f->refused++;
	pb_msg_error_at(f->line.at, bad);
	return f->common && f->common->keep_going;
}

/* Whether the record is a scan that --scans leaves out. */
static bool
skips_scan(struct pb_filter *f, enum pb_rec_type type)
{
	bool odd;

	if (type != PB_REC_SCAN)
		return false;
	odd = f->scan++ % 2;
	return f->scans != PB_SCANS_ALL && odd != (f->scans == PB_SCANS_ODD);
}

/* Handle a wanted record; false ends the loop. */
static bool
handle_wanted(struct pb_filter *f, struct pb_rec *r)
{
	struct pb_error bad = {""};

	if (f->take(f, r, &bad))
		return !f->stop;
	return bad.text[0] && refuse_line(f, &bad);
}

/* Handle and free one record; false ends the loop. */
static bool
handle_record(struct pb_filter *f, struct pb_rec *r)
{
	bool goes_on = true;

	f->seen |= PB_REC_BIT(r->type);
	if (skips_scan(f, r->type)) {
		; /* skip it */
	} else if (f->want & PB_REC_BIT(r->type) & PB_REC_ALL) {
		goes_on = handle_wanted(f, r);
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

/* Handle one line of text; false ends the loop. */
static bool
handle_text(struct pb_filter *f)
{
	struct pb_error bad;
	struct pb_rec r;

	if (strspn(f->line.text, " \t") >= f->line.len) {
		if (f->passes)
			pb_filter_pass(f);
		return true;
	}
	if (!pb_rec_read(f->line.text, f->line.len, f->want, &r, &bad)) {
		pb_line_is_none(&f->line, &bad);
		return refuse_line(f, &bad);
	}
	return handle_record(f, &r);
}

/* Handle a record that was made from a line; pass it on as a record. */
static bool
handle_made(struct pb_filter *f, struct pb_rec *r)
{
	f->made.len = 0;
	if (f->passes) {
		pb_rec_write(&f->made, r);
		pb_text_put(&f->made, "", 1);
		f->line.text = f->made.s;
		f->line.raw = f->made.len - 1;
		f->line.len = f->line.raw - 1;
	}
	return handle_record(f, r);
}

static bool
run_loop(struct pb_filter *f, struct pb_import *in)
{
	struct pb_error bad;
	struct pb_rec r;

	while (pb_msg_out_ok()) {
		switch (read_import(in, &f->line, &r, &bad)) {
		case PB_NEXT:
			if (r.type ? !handle_made(f, &r) : !handle_text(f))
				return f->stop;
			if (pb_msg_stopped())
				return false;
			break;
		case PB_BAD:
			if (!refuse_line(f, &bad))
				return false;
			break;
		case PB_END:
			return true;
		case PB_HALT:
			return false;
		}
	}
	return false;
}

bool
pb_filter_run(struct pb_filter *f, char *const *files, int n)
{
	static char standard_input[] = "-", *const usual_files[] = {
						standard_input};
	static const struct pb_ros_opts usual = {.has_laser = false};
	uint64_t maps = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	struct pb_import in = {.operand = n > 0 ? files : usual_files,
	    .operands = n > 0 ? n : 1,
	    .ros = f->ros ? f->ros : &usual};
	bool whole;

	/* A tool that passes records on may get its map from a pipe first. */
	if ((f->want & maps) || !f->passes)
		maps &= f->want;
	in.maps = maps;
	f->out.to = stdout;
	f->in = &in;
	pb_msg_catch();
	whole = run_loop(f, &in);
	import_clear(&in);
	if (f->end)
		f->end(f, whole);
	f->in = NULL;
	pb_text_clear(&f->out);
	pb_text_clear(&f->made);
	return whole;
}

/* --- logs of a robot, read to their end --- */

const char *const pb_pose_sources[] = {[PB_POSE_TRUTH] = "truth",
    [PB_POSE_ESTIMATE] = "estimate",
    [PB_POSE_ODOM] = "odom",
    [PB_POSE_PLAIN] = ""};

/* A log being read. */
struct reading {
	const struct pb_drivefile_opts *o;
	struct pb_drive *d;
};

/* The kinds of pose or scan that a record is, as a set of PB_KIND(). */
static unsigned
find_kinds(const struct pb_drivefile_opts *o, const struct pb_rec *r)
{
	if (r->type == PB_REC_SCAN)
		return PB_KIND(PB_POSE_KINDS);
	if (r->type == PB_REC_ODOM)
		return PB_KIND(PB_POSE_ODOM);
	if (r->type != PB_REC_POSE)
		return 0;
	if (r->pose.source[0] == '\0')
		return o->plain;
	for (int k = 0; k < PB_POSE_ODOM; k++)
		if (strcmp(r->pose.source, pb_pose_sources[k]) == 0)
			return PB_KIND(k);
	return 0;
}

static int
parse_status(const struct pb_rec_pose *p)
{
	for (int s = PB_LOC_LOST; s <= PB_LOC_TRACKING; s++)
		if (strcmp(p->status,
			pb_loc_status_text((enum pb_loc_status)s)) == 0)
			return s;
	return PB_TRAJ_NO_STATUS;
}

/* The pose, or odometry pose, of a record with its claimed accuracy. */
static struct pb_timed
make_timed(const struct pb_rec *r)
{
	const struct pb_rec_pose *p = &r->pose;
	struct pb_timed x = {.t = r->stamp.t};

	if (r->type == PB_REC_ODOM) {
		x.p = (struct pb_pose){r->odom.x, r->odom.y, r->odom.theta};
		return x;
	}
	x.p = (struct pb_pose){p->x, p->y, p->theta};
	x.status = parse_status(p);
	x.fit = p->has_fit ? p->fit : NAN;
	x.jump = p->jump;
	for (int i = 0; i < 3; i++)
		x.sigma[i] = p->has_cov ? sqrt(p->cov[i][i]) : NAN;
	return x;
}

static enum pb_status
add_timed(struct pb_drive *d, unsigned kinds, const struct pb_rec *r,
    struct pb_line l)
{
	struct pb_timed x = make_timed(r);
	enum pb_status st = PB_OK;

	x.file = l.at.file;
	x.before = d->pose[PB_POSE_TRUTH].n;
	for (int k = 0; st == PB_OK && k < PB_POSE_KINDS; k++) {
		if (!(kinds & PB_KIND(k)))
			continue;
		if (k == PB_POSE_PLAIN && r->pose.no_theta)
			x.p.th = NAN;
		st = pb_timed_add(&d->pose[k], x);
	}
	return st;
}

static enum pb_status
add_scan(struct pb_drive *d, const struct pb_rec *r, long line)
{
	const struct pb_scan z = pb_rec_as_scan(&r->scan);
	enum pb_status st = pb_drive_add_scan(d, r->stamp.t, &z);

	if (st == PB_OK)
		d->scan[d->scans - 1].line = line;
	return st;
}

static bool
add_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	const struct reading *g = f->user;
	unsigned kinds;
	enum pb_status st;

	if (g->o->see != NULL)
		g->o->see(g->o->seer, r);
	kinds = find_kinds(g->o, r);
	if (kinds == 0 || !pb_filter_is_of(r, g->o->id))
		return true;
	if (!isfinite(r->stamp.t) && (kinds & ~g->o->untimed))
		return pb_error_set(bad, "%s.t: expected a number, got nothing",
		    pb_rec_name(r->type));
	if (g->o->headed && r->type == PB_REC_POSE && r->pose.no_theta)
		return pb_error_set(
		    bad, "pose.theta: expected a number, got nothing");
	st = r->type == PB_REC_SCAN ? add_scan(g->d, r, f->line.at.line)
	                            : add_timed(g->d, kinds, r, f->line);
	if (st != PB_OK)
		pb_msg_end_memory();
	return true;
}

bool
pb_drivefile_read(struct pb_drive *d, const struct pb_drivefile_opts *o,
    char *const *files, int n, long *seen)
{
	struct reading g = {o, d};
	struct pb_filter f = {.want = o->want,
	    .scans = o->scans,
	    .common = o->common,
	    .ros = o->ros,
	    .take = add_record,
	    .user = &g};
	bool ok = pb_filter_run(&f, files, n);

	if (seen != NULL)
		*seen = f.scan;
	return ok;
}

bool
pb_drivefile_broken(
    const struct pb_drive *d, const char *name, const char *remedy)
{
	struct pb_stamps s = {.n = 0};
	char text[160];

	if (d->scans > 0 && pb_stamps_check(&d->scan->t, sizeof(*d->scan),
				d->scans, &s) != PB_OK)
		pb_msg_end_memory();
	/* Scans without any stamp need no warning. */
	if (!s.broken || s.missing == s.n)
		return false;
	pb_msg_warn((struct pb_place){name, 0}, "%s; %s",
	    pb_stamps_text(&s, text, sizeof(text)), remedy);
	return true;
}
