/* botscore.c - who chooses the pellets of a pacmanbot game, as a program. */
#include "io/sim/botscore.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "io/rec.h"
#include "io/stream/msg.h"

/* More lines beside those that it was told, and there is no answer. */
#define OTHERS 1000

/* What has been gathered is told when it is more than this (bytes). */
#define ENOUGH 4096

/* Whether the planner's node hears of e, but for pellets. */
static bool
heard(const struct pb_event *e)
{
	return e->kind == PB_EV_COMMAND || e->kind == PB_EV_GOAL ||
	       e->kind == PB_EV_GOAL_END || e->kind == PB_EV_ESTIMATE ||
	       e->kind == PB_EV_CLYDE;
}

static void
fail(struct pb_botscore *b, const struct pb_error *bad)
{
	b->failed = true;
	if (!pb_msg_stopped())
		pb_msg_error_at((struct pb_place){b->command, 0}, bad);
}

static bool
tell(struct pb_botscore *b, struct pb_error *bad)
{
	bool ok = pb_agent_tell(&b->agent, &b->ask, bad);

	for (size_t i = 0; i < b->ask.len; i++)
		b->told += b->ask.s[i] == '\n';
	b->ask.len = 0;
	return ok;
}

static void
watch(void *ctx, const struct pb_event *e)
{
	struct pb_botscore *b = ctx;
	struct pb_error bad;

	if (b->failed || !heard(e))
		return;
	pb_trace_event(&b->trace, e);
	if (b->ask.len > ENOUGH && !tell(b, &bad))
		fail(b, &bad);
}

static long
id_of(const struct pb_botscore *b, int i)
{
	return b->id ? b->id[i] : i;
}

/* The pellets that are left on the planner's list. */
static void
put_pellets(struct pb_botscore *b, const struct pb_view *v)
{
	struct pb_rec_pellets p = {.pellet = b->pellet};

	for (int i = 0; i < v->pellets; i++)
		if (v->left[i])
			p.pellet[p.n++] =
			    (struct pb_rec_pellet){.id = id_of(b, i),
				.x = b->arena->at[i].x,
				.y = b->arena->at[i].y,
				.power = b->arena->pellet[i].kind ==
			                 PB_PELLET_POWER};
	pb_put_pellets(&b->ask, pb_stamp_at(v->t, NULL), &p);
}

static bool
ask(struct pb_botscore *b, const struct pb_view *v, struct pb_error *bad)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	put_pellets(b, v);
	PB_REC_SET(c.name, "choose");
	pb_put_cmd(&b->ask, pb_stamp_at(v->t, "planner"), &c);
	return tell(b, bad);
}

/* The next target of time t; stamps may be rounded to 1e-6 s. */
static bool
next_target(
    struct pb_botscore *b, double t, struct pb_rec *r, struct pb_error *bad)
{
	long others = OTHERS + b->told;

	for (long i = 0; i < others; i++) {
		size_t n;
		const char *line = pb_agent_answer(&b->agent, &n, bad);

		if (!line ||
		    !pb_rec_read(line, n, PB_REC_BIT(PB_REC_TARGET), r, bad))
			return false;
		if (r->type == PB_REC_TARGET && !(r->stamp.t < t - 2e-6))
			return true;
		pb_rec_clear(r);
	}
	return pb_error_set(
	    bad, "expected a target, got %ld other records", others);
}

static bool
hear(struct pb_botscore *b, const struct pb_view *v, struct pb_answer *out,
    struct pb_error *bad)
{
	struct pb_rec r;
	double late;
	long id;

	if (!next_target(b, v->t, &r, bad))
		return false;
	late = r.stamp.t - v->t;
	id = r.target.pellet;
	pb_rec_clear(&r);
	b->told = 0;
	if (fabs(late) > 2e-6)
		return pb_error_set(bad, "target.t: expected %.10g, got %.10g",
		    v->t, v->t + late);
	if (id < 0)
		return true;
	for (int i = 0; i < v->pellets; i++)
		if (v->left[i] && id_of(b, i) == id) {
			out->kind = PB_GO_PELLET;
			out->pellet = i;
			return true;
		}
	return pb_error_set(bad, "target.pellet: %ld is not left", id);
}

static void
decide(void *ctx, const struct pb_view *v, struct pb_answer *out)
{
	struct pb_botscore *b = ctx;
	struct pb_error bad;

	if (!b->failed && !(ask(b, v, &bad) && hear(b, v, out, &bad)))
		fail(b, &bad);
}

bool
pb_botscore_begin(struct pb_botscore *b, const char *command, double patience,
    const struct pb_arena *a, const long *id, struct pb_round *r)
{
	*b = (struct pb_botscore){
	    .command = command, .arena = a, .id = id, .ask.exact = true};
	b->trace = (struct pb_trace){.out = &b->ask,
	    .kinds = PB_TRACE_DEFAULT,
	    .round = r,
	    .arena = a,
	    .id = id};
	b->pellet = calloc((size_t)a->n, sizeof(*b->pellet));
	if (!b->pellet) {
		errno = ENOMEM;
		pb_msg_system("cannot start %.80s", command);
		return false;
	}
	if (!pb_agent_start(&b->agent, command, patience))
		return false;
	/* A filter passes everything on. */
	b->agent.skips = true;
	pb_round_chooser(r, (struct pb_chooser){watch, decide, b});
	return true;
}

void
pb_botscore_end(struct pb_botscore *b)
{
	pb_agent_end(&b->agent);
	pb_text_clear(&b->ask);
	free(b->pellet);
	b->pellet = NULL;
}
