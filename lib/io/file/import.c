/* import.c - records and lines of them from files, also of other programs. */
#include "io/file/import.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/mapsource.h"
#include "io/file/carmen.h"
#include "io/file/poselog.h"
#include "io/file/rosbridge.h"
#include "io/rec/rec.h"
#include "io/stream/text.h"

/* What the file at hand is. */
enum kind {
	UNKNOWN, /* comments so far: either */
	RECORDS, /* of ours, or messages of rosbridge */
	TUM,
	CSV,
	LOG
};

struct pb_import {
	char *const *operand; /* operands, and the next to be opened */
	int operands, next_operand;
	uint64_t maps; /* which of map and maze are wanted: PB_REC_BIT() */
	struct pb_lines *in; /* of the operand at hand, NULL: none yet */
	enum kind kind;

	struct pb_text map;    /* the record of a map file, ended by a NUL */
	struct pb_error fault; /* why there is none */

	/* Lines of an unknown file or a log, each ended by LF; a line that
	 * could not be read is a NUL and what was said about it. */
	struct pb_text held;
	const char *file; /* of the held lines */
	bool giving;      /* the held lines are being handed out */
	size_t at;        /* where in them */
	long line;        /* the number of the line before `at` */
	struct pb_carmen log;

	struct pb_csv csv; /* by its header, which may look like a comment */

	struct pb_rosbridge ros;
	struct pb_ros_records *records; /* of its messages; NULL: none came */
	struct pb_rec_few made;         /* of one line of another program */
	int given;                      /* of them */
	struct pb_place from;           /* where the line was */

	/* What pb_lines_next() gave while lines were held. */
	bool pending;
	enum pb_line_got got;
	struct pb_line next;
	struct pb_error bad;
};

struct pb_import *
pb_import_new(char *const *files, int n, uint64_t maps)
{
	static char in[] = "-", *const standard_input[] = {in};
	struct pb_import *m = calloc(1, sizeof(*m));

	if (m) {
		m->operand = n > 0 ? files : standard_input;
		m->operands = n > 0 ? n : 1;
		m->maps = maps;
	}
	return m;
}

/* Forget records that are not given. */
static void
drop_made(struct pb_import *m)
{
	while (m->given < m->made.n)
		pb_rec_clear(&m->made.rec[m->given++]);
	m->made.n = m->given = 0;
}

/* Forget messages and records of them. */
static void
end_messages(struct pb_import *m)
{
	pb_ros_records_free(m->records);
	m->records = NULL;
	pb_rosbridge_clear(&m->ros);
}

void
pb_import_free(struct pb_import *m)
{
	if (!m)
		return;
	pb_lines_free(m->in);
	pb_carmen_clear(&m->log);
	pb_text_clear(&m->held);
	drop_made(m);
	pb_text_clear(&m->map);
	end_messages(m);
	free(m);
}

static enum pb_line_got
no_memory(void)
{
	errno = ENOMEM;
	pb_msg_system("cannot hold a log");
	return PB_LINE_FAIL;
}

static void
hold(struct pb_import *m, enum pb_line_got got, const struct pb_line *l,
    const struct pb_error *bad)
{
	m->file = l->at.file;
	if (got == PB_LINE_BAD) {
		pb_text_put(&m->held, "", 1);
		pb_text_puts(&m->held, bad->text);
	} else {
		pb_text_put(&m->held, l->text, l->len);
	}
	pb_text_put(&m->held, "\n", 1);
}

/* The lines of the held file are complete: hand them out. */
static bool
begin_giving(struct pb_import *m)
{
	char remark[256];

	/* Every line is ended by a byte that may become a NUL. */
	m->giving = true;
	m->at = 0;
	m->line = 0;
	if (m->kind != LOG)
		return true;
	pb_carmen_survey(&m->log, m->held.s, m->held.len);
	if (m->log.failed)
		return false;
	if (pb_carmen_remark(&m->log, remark, sizeof(remark)))
		pb_msg_warn((struct pb_place){m->file, 0}, "%s", remark);
	return true;
}

/* The next record of those made from one line, or of messages. */
static bool
give_made(struct pb_import *m, struct pb_line *l, struct pb_rec *r)
{
	static char none[] = "";

	*l = (struct pb_line){none, 0, 0, m->from};
	if (m->given < m->made.n)
		*r = m->made.rec[m->given++];
	else
		return m->records &&
		       pb_ros_records_next(m->records, r, &l->at.line);
	return true;
}

/* A message of rosbridge. */
static bool
take_message(struct pb_import *m, const struct pb_line *l, bool *same,
    struct pb_error *bad)
{
	if (!m->records && !(m->records = pb_ros_records_new(NULL, l->at.file)))
		return pb_error_nomem(bad, "messages");
	m->ros.records = m->records;
	return pb_rosbridge_take(
	    &m->ros, l->text, l->len, l->at.line, same, bad);
}

/* *same: it is a record of ours after all. */
static bool
convert(struct pb_import *m, const struct pb_line *l, bool *same,
    struct pb_error *bad)
{
	if (m->kind == CSV)
		return pb_csv_convert(&m->csv, l->text, l->len, &m->made, bad);
	if (m->kind == LOG)
		return pb_carmen_convert(
		    &m->log, l->text, l->len, &m->made, bad);
	if (m->kind == TUM)
		return pb_tum_convert(l->text, l->len, &m->made, bad);
	return take_message(m, l, same, bad);
}

/* A line that ends in LF, whatever it ended in. */
static void
end_in_lf(struct pb_line *l)
{
	if (l->raw > l->len) {
		l->text[l->len] = '\n';
		l->raw = l->len + 1;
		l->text[l->raw] = '\0';
	}
}

/*
 * Turn one line into records: PB_LINE_END if that is done, PB_LINE_TEXT if the
 * line is a record itself.
 */
static enum pb_line_got
make(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	bool same = false, ok;

	m->made.n = m->given = 0;
	m->from = l->at;
	ok = convert(m, l, &same, bad);
	for (int i = 0; ok && i < m->made.n; i++)
		ok = pb_rec_settle(&m->made.rec[i], bad);
	if (!ok) {
		drop_made(m);
		return PB_LINE_BAD;
	}
	if (same)
		end_in_lf(l);
	return same ? PB_LINE_TEXT : PB_LINE_END;
}

/* The next line of those held; PB_LINE_END after the last. */
static enum pb_line_got
give_held(struct pb_import *m, struct pb_line *l, struct pb_rec *r,
    struct pb_error *bad)
{
	for (;;) {
		char *s, *nl;
		enum pb_line_got got;

		if (give_made(m, l, r))
			return PB_LINE_TEXT;
		if (m->at == m->held.len)
			return PB_LINE_END;
		if (pb_msg_stopped())
			return PB_LINE_FAIL;
		s = m->held.s + m->at;
		nl = memchr(s, '\n', m->held.len - m->at);
		*nl = '\0';
		*l = (struct pb_line){s, (size_t)(nl - s), (size_t)(nl - s),
		    {m->file, ++m->line}};
		m->at += l->raw + 1;
		if (l->raw > 0 && *s == '\0') {
			pb_error_set(bad, "%s", s + 1);
			l->raw = l->len = 0;
			return PB_LINE_BAD;
		}
		if (m->kind != LOG)
			return PB_LINE_TEXT;
		got = make(m, l, bad);
		if (got != PB_LINE_END)
			return got;
	}
}

/* Whether a line is the first of a file, or there are no more. */
static bool
begins_file(enum pb_line_got got, const struct pb_line *l)
{
	return got == PB_LINE_END || got == PB_LINE_FAIL || l->at.line <= 1;
}

/* The first line of a file that is no comment says what the file is. */
static void
sniff(struct pb_import *m, enum pb_line_got got, const struct pb_line *l)
{
	bool text = got == PB_LINE_TEXT;

	if (text && pb_carmen_is(l->text, l->len))
		m->kind = LOG;
	else if (text && pb_tum_is(l->text, l->len))
		m->kind = TUM;
	else if (text && pb_carmen_is_comment(l->text, l->len))
		pb_csv_is(&m->csv, l->text, l->len);
	else if (text && pb_csv_fits(&m->csv, l->text, l->len))
		m->kind = CSV;
	else if (text && pb_csv_is(&m->csv, l->text, l->len))
		m->csv.header = true;
	else
		m->kind = RECORDS;
	if (m->csv.header)
		m->kind = CSV;
}

/* A line, or what else came, is kept back until the held ones are out. */
static void
keep_back(struct pb_import *m, enum pb_line_got got, const struct pb_line *l,
    const struct pb_error *bad)
{
	m->pending = true;
	m->got = got;
	m->next = *l;
	m->bad = *bad;
}

static enum pb_line_got
give_before(struct pb_import *m, enum pb_line_got got, const struct pb_line *l,
    const struct pb_error *bad)
{
	keep_back(m, got, l, bad);
	return begin_giving(m) ? PB_LINE_END : no_memory();
}

/* Whether records of messages are held back that come before what came. */
static bool
has_messages(struct pb_import *m, enum pb_line_got got, const struct pb_line *l)
{
	bool ours = got == PB_LINE_TEXT && strspn(l->text, " \t") < l->len &&
	            !pb_rosbridge_is(l->text, l->len);

	return m->records && (ours || begins_file(got, l)) &&
	       pb_ros_records_flush(m->records);
}

/* A file begins, and nothing is held of the one before. */
static void
turn_over(struct pb_import *m)
{
	m->kind = UNKNOWN;
	m->csv = (struct pb_csv){.columns = 0};
	if (m->records)
		pb_ros_records_end(m->records);
	end_messages(m);
}

/*
 * What becomes of what pb_lines_next() gave: PB_LINE_TEXT and the like for
 * what is handed out as it is, PB_LINE_END if it was kept or made into
 * something else.
 */
static enum pb_line_got
take(struct pb_import *m, enum pb_line_got got, struct pb_line *l,
    struct pb_error *bad)
{
	if (begins_file(got, l) && m->held.len > 0)
		return give_before(m, got, l, bad);
	if (has_messages(m, got, l)) {
		keep_back(m, got, l, bad);
		return PB_LINE_END;
	}
	if (begins_file(got, l))
		turn_over(m);
	if (m->kind == UNKNOWN)
		sniff(m, got, l);
	if (m->kind == LOG || m->kind == UNKNOWN) {
		hold(m, got, l, bad);
		return m->held.failed ? no_memory() : PB_LINE_END;
	}
	if (m->kind == TUM || m->kind == CSV)
		m->held.len = 0; /* its comments */
	if (m->held.len > 0)
		return give_before(m, got, l, bad);
	if (got != PB_LINE_TEXT ||
	    (m->kind == RECORDS && !pb_rosbridge_is(l->text, l->len)))
		return got;
	return make(m, l, bad);
}

/* Write the map or board in the file at path as a record. */
static int
put_map(struct pb_import *m, const char *path)
{
	const struct pb_mapsource_opts usual = pb_mapsource_defaults();
	struct pb_mapsource p = {.has_map = true};
	int rc;

	m->map.len = 0;
	if (m->maps & PB_REC_BIT(PB_REC_MAZE))
		rc = pb_mapsource_init(&p, path, &usual, &m->fault);
	else
		rc = pb_mapfile_read(path, NULL, &p.map, &p.notes, &m->fault);
	if (rc != 0)
		return -1;
	pb_mapsource_notes(path, &p.notes);
	if (p.has_map)
		pb_rec_put(&m->map, PB_REC_MAP, pb_stamp_none(), &p.map);
	else
		pb_rec_put(&m->map, PB_REC_MAZE, pb_stamp_none(), &p.maze);
	pb_mapsource_clear(&p);
	pb_text_put(&m->map, "", 1);
	return m->map.failed ? pb_error_file_nomem(&m->fault, path) : 0;
}

/* A file with a map instead of records, as one line. */
static enum pb_line_got
map_line(struct pb_import *m, const char *path, struct pb_line *l,
    struct pb_error *bad)
{
	*l = (struct pb_line){(char[]){""}, 0, 0, {path, 0}};
	if (put_map(m, path) == 0) {
		l->text = m->map.s;
		l->raw = m->map.len - 1;
		l->len = l->raw - 1;
		return PB_LINE_TEXT;
	}
	l->at = (struct pb_place){m->fault.file, m->fault.line};
	pb_error_set(bad, "%s%s%s", m->fault.field,
	    m->fault.field[0] != '\0' ? ": " : "", m->fault.text);
	bad->kind = m->fault.kind;
	return PB_LINE_BAD;
}

/* The next line of the operands, one after the other. */
static enum pb_line_got
next_of_files(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	for (;;) {
		char *const *at = &m->operand[m->next_operand];
		enum pb_line_got got = PB_LINE_END;

		if (m->in)
			got = pb_lines_next(m->in, l, bad);
		if (got != PB_LINE_END || m->next_operand == m->operands)
			return got;
		m->next_operand++;
		pb_lines_free(m->in);
		m->in = NULL;
		if (m->maps && pb_mapkind_is_operand(*at))
			return map_line(m, *at, l, bad);
		if (!(m->in = pb_lines_new(at, 1)))
			return no_memory();
	}
}

/* The next line from below, or the one that was kept back. */
static enum pb_line_got
next_line(struct pb_import *m, struct pb_line *l, struct pb_error *bad)
{
	if (!m->pending)
		return next_of_files(m, l, bad);
	m->pending = false;
	*l = m->next;
	*bad = m->bad;
	return m->got;
}

enum pb_line_got
pb_import_next(struct pb_import *m, struct pb_line *l, struct pb_rec *r,
    struct pb_error *bad)
{
	r->type = PB_REC_OTHER;
	r->owns = false;
	for (;;) {
		enum pb_line_got got;

		if (m->giving) {
			got = give_held(m, l, r, bad);
			if (got != PB_LINE_END)
				return got;
			m->giving = false;
			pb_carmen_clear(&m->log);
			m->held.len = 0;
		}
		if (give_made(m, l, r))
			return PB_LINE_TEXT;
		got = next_line(m, l, bad);
		if ((got == PB_LINE_END || got == PB_LINE_FAIL) &&
		    m->held.len == 0 && !m->records)
			return got;
		got = take(m, got, l, bad);
		if (got != PB_LINE_END)
			return got;
	}
}
