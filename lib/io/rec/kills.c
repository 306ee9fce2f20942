/* kills.c - who killed the player, in results and summaries. */
#include "io/rec/fields.h"

static void
put(struct pb_text *o, int n, const long *killed)
{
	if (n == 0)
		return;
	pb_put_key(o, "killed");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_int(o, killed[i]);
	}
	pb_text_put(o, "]", 1);
}

/* Returns how many there are. */
static int
get(struct pb_get *g, long killed[PB_KILLERS])
{
	struct pb_walk w;
	size_t n = 0;

	if (!pb_get_walk(g, "killed", PB_OPTIONAL, &w))
		return 0;
	while (pb_walk_next(g, &w)) {
		if (n == PB_KILLERS)
			pb_walk_fail(g, &w, "at most 8 numbers");
		else if (!pb_json_long(w.at, &killed[n]) || killed[n] < 0 ||
			 killed[n] > INT32_MAX)
			pb_walk_fail(g, &w, "a whole number of at least 0");
		else
			n++;
		if (!g->ok)
			break;
	}
	return (int)n;
}

void
pb_put_kills(struct pb_text *o, const struct pb_trial *t)
{
	long killed[PB_KILLERS];

	for (int i = 0; i < t->killers; i++)
		killed[i] = t->killed[i];
	put(o, t->killers, killed);
}

void
pb_get_kills(struct pb_get *g, struct pb_trial *t)
{
	long killed[PB_KILLERS];

	t->killers = get(g, killed);
	for (int i = 0; i < t->killers; i++)
		t->killed[i] = (int)killed[i];
}

void
pb_put_killers(struct pb_text *o, const struct pb_summary *s)
{
	put(o, s->killers, s->killed);
}

void
pb_get_killers(struct pb_get *g, struct pb_summary *s)
{
	s->killers = get(g, s->killed);
}
