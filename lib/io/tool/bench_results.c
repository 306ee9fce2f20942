/* bench_results.c - read the results of a benchmark back. */
#include "io/tool/bench_results.h"

#include <inttypes.h>
#include <string.h>

#include "io/rec.h"
#include "io/stream/line.h"
#include "io/stream/provenance.h"
#include "io/stream/rejects.h"

/* Add one trial; false and bad filled in if it is refused. */
static bool
add(struct pb_results *p, const struct pb_trial *t, struct pb_bad *bad)
{
	p->read++;
	switch (pb_tally_add(p->tally, t)) {
	case PB_TALLY_ADDED:
		return true;
	case PB_TALLY_AGAIN:
		p->again++;
		return true;
	case PB_TALLY_CONFLICT:
		return pb_bad_set(bad,
		    "result: trial %" PRIu64 " of seed %" PRIu64
		    ", player %s, round %d, came before with another result",
		    t->trial, t->seed, t->policy, t->round);
	case PB_TALLY_HASH:
		return pb_bad_set(bad,
		    "result.hash: trial %" PRIu64 " of seed %" PRIu64
		    ", player %s, round %d, came before with the same numbers "
		    "and another hash: two builds play it differently",
		    t->trial, t->seed, t->policy, t->round);
	case PB_TALLY_REFUSED:
		return pb_bad_set(
		    bad, "result: numbers that no trial can have");
	case PB_TALLY_NOMEM:
		break;
	}
	return pb_bad_nomem(bad, "result");
}

static bool
take_line(struct pb_results *p, const struct pb_line *l, struct pb_bad *bad)
{
	struct pb_rec r;
	bool ok;

	if (l->len == 0)
		return true;
	if (!pb_rec_read(l->text, l->len, PB_REC_BIT(PB_REC_RESULT), &r, bad))
		return false;
	ok = r.type != PB_REC_RESULT;
	if (!ok)
		ok = add(p, &r.result.trial, bad);
	pb_rec_clear(&r);
	return ok;
}

/* Whether text ends within the object that it begins. */
static bool
is_open(const char *s, size_t n)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += s[i] == '\\';
		else if (s[i] == '{' || s[i] == '[')
			depth++;
		else if (s[i] == '}' || s[i] == ']')
			depth--;
		if (depth == 0)
			return false;
	}
	return n > 0 && s[0] == '{';
}

/*
 * A record without its end at the end of a file. Where a machine lost its
 * power, zeros may stand for what was not written.
 */
static bool
is_torn(const struct pb_line *l, const struct pb_bad *bad)
{
	size_t n = l->len;

	while (n > 0 && l->text[n - 1] == '\0')
		n--;
	return bad->cut || (l->raw == l->len && l->raw < PB_LINE_MAX &&
			       (is_open(l->text, n) || n < l->len));
}

/* A line that cannot be taken. Returns whether to go on. */
static bool
refuse(struct pb_results *p, struct pb_rejects *rejects,
    const struct pb_line *l, const struct pb_bad *bad)
{
	bool torn = is_torn(l, bad);

	p->torn |= torn;
	if (torn && !p->strict) {
		pb_msg_warn(l->at, "the last line is cut; not counted");
		return true;
	}
	if (torn)
		pb_msg_refuse(l->at,
		    "the last line is cut; --torn-ok counts those before it");
	else
		pb_msg_bad(l->at, bad);
	pb_trail_refused();
	pb_rejects_put(rejects, l);
	return p->common && p->common->keep_going;
}

bool
pb_results_read(struct pb_results *p, char *const *files, int n)
{
	struct pb_rejects rejects;
	struct pb_lines *in;
	enum pb_line_got got = PB_LINE_FAIL;
	struct pb_line l;
	struct pb_bad bad;
	bool ok = true;

	if (!pb_rejects_open(&rejects, p->common ? p->common->rejects : NULL))
		return false;
	in = pb_lines_new(files, n);
	if (!in)
		pb_msg_system("no memory");
	while (in && ok && (got = pb_lines_next(in, &l, &bad)) != PB_LINE_END &&
	       got != PB_LINE_FAIL) {
		p->unended = l.raw == l.len;
		p->whole += p->unended ? 0 : (off_t)l.raw;
		if (got != PB_LINE_TEXT || !take_line(p, &l, &bad))
			ok = refuse(p, &rejects, &l, &bad);
	}
	pb_lines_free(in);
	pb_rejects_close(&rejects);
	if (ok && p->again > 0)
		pb_msg_note("%llu result%s came again, with the same hash or "
			    "none: counted once",
		    p->again, p->again == 1 ? "" : "s");
	return ok && got != PB_LINE_FAIL;
}
