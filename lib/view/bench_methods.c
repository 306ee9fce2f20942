/* bench_methods.c - how a benchmark was done, as a paragraph for a paper. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/version.h"
#include "stats/sweep.h"
#include "view/bench_view.h"
#include "view/term.h"

/* As CITATION.cff has it. */
#define TITLE "pb: Pac-Man for real robots, from the shell"
#define WIDTH 78 /* (columns) */

/* What is being written, and of what. */
struct methods {
	const struct pb_bench_paper *p;
	const struct pb_report *r;
	struct pb_text o;
};

static void __attribute__((format(printf, 2, 3)))
say(struct methods *m, const char *format, ...)
{
	char text[2 * PB_TRIAL_TOLD];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	pb_text_puts(&m->o, text);
}

/* A word that a summary has, of *n bytes; what says which. NULL: none. */
typedef const char *word_of(
    const struct pb_summary *s, const char *what, size_t *n);

static const char *
member(const struct pb_summary *s, const char *what, size_t *n)
{
	const struct pb_trial *k = &s->key;
	const char *w = *what == 'r'   ? k->rules
	                : *what == 'm' ? k->map
	                : *what == 'p' ? k->policy
	                : *what == 'a' ? k->program
	                               : k->preset;

	*n = strlen(w);
	return *w ? w : NULL;
}

static const char *
constant(const struct pb_summary *s, const char *what, size_t *n)
{
	return pb_told_value(s->key.told, what, n);
}

/* Whether summary i is the first with its word. */
static bool
is_new(const struct methods *m, word_of *of, const char *what, int i)
{
	const struct pb_summary *s = m->r->summary;
	size_t n, len;
	const char *w = of(&s[i], what, &n), *v;

	for (int k = 0; w && k < i; k++)
		if ((v = of(&s[k], what, &len)) && len == n &&
		    memcmp(v, w, n) == 0)
			return false;
	return w != NULL;
}

/* How many words there are. */
static int
count(const struct methods *m, word_of *of, const char *what)
{
	int n = 0;

	for (int i = 0; i < m->r->summaries; i++)
		n += is_new(m, of, what, i);
	return n;
}

/* All of them, as people list them. */
static void
list(struct methods *m, word_of *of, const char *what)
{
	int all = count(m, of, what), told = 0;

	for (int i = 0; i < m->r->summaries; i++) {
		size_t n;
		const char *w = of(&m->r->summary[i], what, &n);

		if (!is_new(m, of, what, i))
			continue;
		told++;
		say(m, "%s%.*s",
		    told == 1    ? ""
		    : told < all ? ", "
				 : " and ",
		    (int)n, w);
	}
}

/* The builds of the results, unless they are of this one alone. */
static void
tell_builds(struct methods *m)
{
	const struct pb_builds b = pb_tally_builds(m->p->tally);

	if (b.n == 1 && b.build[0] == pb_build_digest())
		return;
	for (int i = 0; i < b.n; i++)
		say(m, "%s %016" PRIx64,
		    i == 0 ? "; results of self-test" : ",", b.build[i]);
}

static void
tell_players(struct methods *m)
{
	const struct pb_summary *s = m->r->summary;
	long least = s->n, most = s->n, all = 0;
	int first = s->key.round, last = first, maps = count(m, member, "map");

	for (int i = 0; i < m->r->summaries; i++) {
		least = s[i].n < least ? s[i].n : least;
		most = s[i].n > most ? s[i].n : most;
		first = s[i].key.round < first ? s[i].key.round : first;
		last = s[i].key.round > last ? s[i].key.round : last;
		all += s[i].n;
	}
	say(m, "%s %s %s (commit %s, self-test %016" PRIx64,
	    m->p->o->from ? "Results were read and compared with"
			  : "Trials were played and compared with",
	    pb_msg_program(), PB_VERSION, pb_build_commit, pb_build_digest());
	tell_builds(m);
	say(m, "): ");
	list(m, member, "policy");
	if (count(m, member, "agent") > 0) {
		say(m, " (the programs ");
		list(m, member, "agent");
		say(m, ")");
	}
	say(m, " under the rules ");
	list(m, member, "rules");
	if (maps > 3)
		say(m, " on %d maps", maps);
	else if (maps > 0) {
		say(m, " on ");
		list(m, member, "map");
	}
	say(m, first < last ? ", rounds %d to %d" : ", round %d", first, last);
	say(m, least < most ? "; %ld to %ld trials" : "; %ld trials", least,
	    most);
	say(m, " of each player in each setting, %ld in all. ", all);
}

/* Constants that vary, or those that do not, each once. */
static void
tell_values(struct methods *m, bool vary, const char *before)
{
	const struct pb_report *r = m->r;

	for (int i = 0; i < r->summaries; i++) {
		const char *at = r->summary[i].key.told, *s;
		size_t n, len;

		while ((s = pb_told_next(&at, &n, &len)) != NULL) {
			char name[PB_TRIAL_NAME];
			bool known = false;
			size_t none;

			snprintf(name, sizeof(name), "%.*s", (int)len, s);
			for (int k = 0; k < i; k++)
				known |= pb_told_value(r->summary[k].key.told,
					     name, &none) != NULL;
			if (known || (count(m, constant, name) > 1) != vary)
				continue;
			say(m, "%s%s ", before, name);
			list(m, constant, name);
			before = "; ";
		}
	}
}

static void
tell_constants(struct methods *m)
{
	bool usual = false;
	size_t at;

	for (int i = 0; i < m->r->summaries; i++)
		usual |= m->r->summary[i].key.preset[0] == '\0';
	say(m, "Constants were %s", usual ? "the defaults" : "those of ");
	if (count(m, member, "set") > 0) {
		say(m, usual ? ", or those of the preset " : "the preset ");
		list(m, member, "set");
	}
	tell_values(m, false, ", but for ");
	at = m->o.len;
	tell_values(m, true, ". Varied were ");
	if (m->o.len > at)
		say(m, " (%d summaries)", m->r->summaries);
	say(m, ". ");
}

/* Only trials of one seed and number are alike, and not all need be shared. */
static void
tell_seeds(struct methods *m)
{
	const struct pb_report *r = m->r;
	bool one = pb_bench_one_seed(r);

	if (one && r->apart == 0)
		say(m,
		    "Trial i has the same random numbers for every player and "
		    "every setting (common random numbers; seed %" PRIu64
		    "), and is compared with itself. ",
		    r->summary->key.seed);
	else if (r->comparisons + r->sweeps.cells + r->againsts > 0)
		say(m,
		    "Only trials of the same seed and number are compared, "
		    "which have the same random numbers (common random "
		    "numbers; %s). ",
		    one ? "one seed" : "several seeds");
	else
		say(m, "Trials have %s. ", one ? "one seed" : "several seeds");
	if (r->apart > 0)
		say(m,
		    "%d pair%s of players had no trial in common and could "
		    "not be compared. ",
		    r->apart, r->apart == 1 ? "" : "s");
}

static void
tell_intervals(struct methods *m)
{
	const struct pb_report *r = m->r;
	double level = 100 * m->p->o->confidence;

	say(m,
	    "Success rates have exact %g %% intervals (Clopper and "
	    "Pearson), means Student's, made longer where Hall's, "
	    "which takes out skewness, reaches further. ",
	    level);
	if (r->aggregates > 0)
		say(m, "Rates over several maps and rounds have the effective "
		       "number of trials of Korn and Graubard. ");
}

/* What the comparisons were, how many, and by what. */
static void
tell_tests(struct methods *m, const struct pb_comparison *c, int n,
    const char *what, const char *family)
{
	char by[PB_TRIAL_NAME];

	if (n == 0)
		return;
	pb_by_text(c->by, by, sizeof(by));
	say(m,
	    "%d comparison%s %s by %s: exact McNemar tests of who did better "
	    "on a trial, corrected after Holm over all of %s; their rates have "
	    "the interval for pairs of Bonett and Price. ",
	    n, n == 1 ? "" : "s", what, by, family);
}

static void
tell_comparisons(struct methods *m)
{
	const struct pb_report *r = m->r;

	tell_tests(
	    m, r->comparison, r->comparisons, "of players", "one setting");
	tell_tests(m, r->sweeps.cell, r->sweeps.cells, "of settings",
	    "a player's settings");
	tell_tests(m, r->against, r->againsts, "with the baseline", "these");
}

bool
pb_bench_methods(const struct pb_bench_paper *p, FILE *f)
{
	struct methods m = {.p = p, .r = p->report};
	bool ok;

	if (p->report->summaries > 0) {
		tell_players(&m);
		tell_constants(&m);
		tell_seeds(&m);
		tell_intervals(&m);
		tell_comparisons(&m);
		say(&m,
		    "Software: the pb maintainers, %s, version %s, "
		    "commit %s.",
		    TITLE, PB_VERSION, pb_build_commit);
	}
	pb_text_put(&m.o, "", 1);
	ok = !m.o.failed;
	if (ok)
		pb_columns_wrap(m.o.s, WIDTH, f);
	pb_text_clear(&m.o);
	return ok;
}
