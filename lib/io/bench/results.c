/* results.c - read the results of a benchmark back. */
#include "io/bench/results.h"

#include <inttypes.h>
#include <string.h>

#include "io/line.h"
#include "io/rec.h"
#include "io/rejects.h"
#include "io/trail.h"

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
	if (!ok) {
		ok = add(p, &r.result.trial, bad);
	}
	pb_rec_clear(&r);
	return ok;
}

/* A record without its end, as a killed run leaves it. */
static bool
is_torn(const struct pb_line *l)
{
	return l->raw == l->len && l->len > 0 && l->text[0] == '{' &&
	       l->text[l->len - 1] != '}';
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
		if (got == PB_LINE_TEXT && take_line(p, &l, &bad))
			continue;
		if (is_torn(&l)) {
			pb_msg_warn(l.at, "the last line is cut; ignored");
			continue;
		}
		pb_msg_bad(l.at, &bad);
		pb_trail_refused();
		pb_rejects_put(&rejects, &l);
		ok = p->common && p->common->keep_going;
	}
	pb_lines_free(in);
	pb_rejects_close(&rejects);
	return ok && got != PB_LINE_FAIL;
}
