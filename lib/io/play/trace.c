/* trace.c - write a game as records: events on a map, output of simulated
 * sensors. */
#include "io/play/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/pellets.h"
#include "io/opt/opt.h"
#include "io/play/feedback_out.h"

/* In the order of enum pb_trace_kind. */
static const char trace_names[] =
    "state|event|cmd|pellets|goal|path|pose|truth|"
    "clyde|odom|twist|obstacle";

static bool
add_kind(uint32_t *set, const char *word, struct pb_error *bad)
{
	int i = pb_word_find(trace_names, word, strlen(word));
	char some[160];

	if (strcmp(word, "none") == 0)
		return true;
	*set |= i < 0 ? PB_TRACE_ALL : UINT32_C(1) << i;
	if (i >= 0 || strcmp(word, "all") == 0)
		return true;
	pb_opt_words(some, sizeof(some), trace_names, PB_TRACE_ALL, ", ");
	return pb_error_set(
	    bad, "expected some of %s, all or none, got \"%.80s\"", some, word);
}

bool
pb_opt_trace(void *to, const char *arg, struct pb_error *bad)
{
	const char *at = arg;
	char word[32];
	uint32_t set = 0;
	int got;

	while ((got = pb_opt_word(&at, word, sizeof(word))) > 0)
		if (!add_kind(&set, word, bad))
			return false;
	if (got < 0)
		return pb_error_set(bad,
		    "expected names separated by commas, got \"%.80s\"", arg);
	*(uint32_t *)to = set;
	return true;
}

long
pb_trace_id(const struct pb_trace *t, int i)
{
	return i >= 0 && t->id != NULL ? t->id[i] : i;
}

int
pb_trace_pellet(const struct pb_trace *t, double id)
{
	const unsigned char *left;
	int n;

	t->game->on_map->pellets(t->state, &n, &left);
	for (int i = 0; i < n; i++)
		if ((double)pb_trace_id(t, i) == id)
			return i;
	return -1;
}

static struct pb_stamp
make_stamp(const struct pb_trace *t, const char *id)
{
	return pb_stamp_at(pb_game_time(t->game, t->state), id);
}

void
pb_trace_pellets(
    const struct pb_trace *t, const unsigned char *left, struct pb_text *o)
{
	struct pb_rec_pellets p = {.pellet = t->pellet};
	const unsigned char *there;
	const struct pb_pellet *all;
	int n;

	all = t->game->on_map->pellets(t->state, &n, &there);
	if (left == NULL)
		left = there;
	for (int i = 0; i < n; i++)
		if (left[i])
			p.pellet[p.n++] =
			    (struct pb_rec_pellet){.id = pb_trace_id(t, i),
				.x = all[i].at.x,
				.y = all[i].at.y};
	pb_rec_put(o, PB_REC_PELLETS, make_stamp(t, NULL), &p);
}

static struct pb_rec_state
make_state(const struct pb_trace *t)
{
	struct pb_rec_state s;
	struct pb_standing p;

	pb_rec_none(PB_REC_STATE, &s);
	t->game->on_map->standing(t->state, &p);
	PB_REC_SET(s.state, p.phase);
	s.round = p.round;
	s.spawned = p.spawned;
	s.collected = p.collected;
	s.score = p.score;
	PB_REC_SET(s.result, p.result);
	return s;
}

void
pb_trace_state(const struct pb_trace *t, struct pb_text *o)
{
	struct pb_rec_state s = make_state(t);

	pb_rec_put(o, PB_REC_STATE, make_stamp(t, NULL), &s);
}

/* Write the state if it has changed; the published node repeats it. */
static void
write_state(struct pb_trace *t, const struct pb_event *n)
{
	struct pb_rec_state s = make_state(t);

	/* Use the phase of the event: the controller may have left it, as
	 * "complete" lasts only a moment. */
	if (n->name != NULL)
		t->phase = n->name;
	else if (t->phase != NULL && strcmp(t->phase, s.state) != 0)
		memcpy(s.result, t->last.result, sizeof(s.result));
	if (t->phase != NULL)
		PB_REC_SET(s.state, t->phase);
	/* Padding is equal, too: both were zeroed first. */
	if (memcmp(&s, &t->last, sizeof(s)) == 0)
		return;
	t->last = s;
	pb_rec_put(t->out, PB_REC_STATE, make_stamp(t, NULL), &s);
}

static void
write_cmd(struct pb_trace *t, const struct pb_event *n)
{
	bool report = n->kind == PB_EVENT_REPORT;
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	if (report && n->pellet >= 0) {
		c.kind = PB_VALUE_NUM;
		c.num = (double)pb_trace_id(t, n->pellet);
	} else if (report && !isnan(n->v)) {
		c.kind = PB_VALUE_NUM;
		c.num = n->v;
	}
	PB_REC_SET(c.name, n->name);
	pb_rec_put(t->out, PB_REC_CMD, make_stamp(t, n->to), &c);
}

static void
write_goal(struct pb_trace *t, const struct pb_event *n)
{
	struct pb_rec_goal g;
	bool sent = n->kind == PB_EVENT_GOAL;

	pb_rec_none(PB_REC_GOAL, &g);
	PB_REC_SET(g.status, sent ? "sent" : n->name);
	if (sent) {
		PB_REC_SET(g.kind, n->name);
		g.x = n->pose.x;
		g.y = n->pose.y;
	}
	g.pellet = pb_trace_id(t, n->pellet);
	pb_rec_put(t->out, PB_REC_GOAL, make_stamp(t, t->game->body[0]), &g);
}

static void
write_path(struct pb_trace *t, const struct pb_event *n)
{
	/* The cast is safe: the points are only read. */
	struct pb_rec_points p = {(struct pb_vec *)n->point, (size_t)n->n};

	pb_rec_put(t->out, PB_REC_PATH, make_stamp(t, t->game->body[0]), &p);
}

/* Write the true pose of a body; "robot" is the id of the estimate. */
static void
write_truth(
    const struct pb_trace *t, struct pb_pose at, int body, struct pb_text *o)
{
	pb_rec_put_pose(o,
	    make_stamp(t, body > 0 ? t->game->body[body] : "truth"), at,
	    "truth");
}

void
pb_trace_poses(const struct pb_trace *t, struct pb_text *o)
{
	struct pb_pose at;

	write_truth(t, pb_game_pose(t->game, t->state, 0), 0, o);
	if (pb_game_estimate(t->game, t->state, &at))
		pb_rec_put_pose(
		    o, make_stamp(t, t->game->body[0]), at, "estimate");
	for (int i = 1; t->game->body[i] != NULL; i++)
		write_truth(t, pb_game_pose(t->game, t->state, i), i, o);
}

static void
write_obstacle(struct pb_trace *t, const struct pb_event *n)
{
	struct pb_rec_obstacle b = {.point = (struct pb_vec *)n->point,
	    .n = (size_t)n->n,
	    .x = NAN,
	    .y = NAN,
	    .radius = NAN};

	pb_rec_put(t->out, PB_REC_OBSTACLE,
	    make_stamp(t, n->name ? n->name : t->game->body[n->body]), &b);
}

static void
write_odom(struct pb_trace *t, const struct pb_event *n)
{
	const struct pb_rec_odom o = {
	    n->pose.x, n->pose.y, n->pose.th, n->v, n->w};

	pb_rec_put(t->out, PB_REC_ODOM, make_stamp(t, t->game->body[0]), &o);
}

static void
write_twist(struct pb_trace *t, const struct pb_event *n)
{
	struct pb_rec_twist w = {n->v, n->w};

	pb_rec_put(t->out, PB_REC_TWIST, make_stamp(t, t->game->body[0]), &w);
}

static void
write_event(struct pb_trace *t, const struct pb_event *n)
{
	pb_cues_put(t->out, pb_game_time(t->game, t->state), n->name);
}

static void
write_pellets(struct pb_trace *t, const struct pb_event *n)
{
	(void)n;
	pb_trace_pellets(t, NULL, t->out);
}

static void
write_estimate(struct pb_trace *t, const struct pb_event *n)
{
	pb_rec_put_pose(
	    t->out, make_stamp(t, t->game->body[0]), n->pose, "estimate");
}

static void
write_body(struct pb_trace *t, const struct pb_event *n)
{
	write_truth(t, n->pose, n->body, t->out);
}

/* By kind of event: the record's kind, and the function that writes it. */
static const struct {
	uint32_t kind;
	void (*put)(struct pb_trace *t, const struct pb_event *n);
} tellers[] = {
    [PB_EVENT_STATE] = {PB_TRACE_STATE, write_state},
    [PB_EVENT_SIGNAL] = {PB_TRACE_EVENT, write_event},
    [PB_EVENT_COMMAND] = {PB_TRACE_CMD, write_cmd},
    [PB_EVENT_REPORT] = {PB_TRACE_CMD, write_cmd},
    [PB_EVENT_PELLETS] = {PB_TRACE_PELLETS, write_pellets},
    [PB_EVENT_GOAL] = {PB_TRACE_GOAL, write_goal},
    [PB_EVENT_GOAL_END] = {PB_TRACE_GOAL, write_goal},
    [PB_EVENT_PATH] = {PB_TRACE_PATH, write_path},
    [PB_EVENT_ESTIMATE] = {PB_TRACE_ESTIMATE, write_estimate},
    [PB_EVENT_POSE] = {PB_TRACE_TRUTH, write_body}, /* of the robot */
    [PB_EVENT_OBSTACLE] = {PB_TRACE_OBSTACLE, write_obstacle},
    [PB_EVENT_ODOM] = {PB_TRACE_ODOM, write_odom},
    [PB_EVENT_TWIST] = {PB_TRACE_TWIST, write_twist},
};

/* Whether a record that is written at a fixed rate is due. */
static bool
is_due(struct pb_trace *t, const struct pb_event *n)
{
	double now = pb_game_time(t->game, t->state);

	if (n->kind != PB_EVENT_ODOM && n->kind != PB_EVENT_TWIST &&
	    (n->kind != PB_EVENT_POSE || n->body > 0))
		return true;
	/* Tolerance for rounding: times are sums of steps. */
	if (now < t->due[n->kind] - 1e-6)
		return false;
	t->due[n->kind] = now + t->period;
	return true;
}

void
pb_trace_put(struct pb_trace *t, const struct pb_event *n)
{
	uint32_t kind = n->kind == PB_EVENT_POSE && n->body > 0
	                    ? PB_TRACE_CLYDE
	                    : tellers[n->kind].kind;

	if ((t->kinds & kind) && is_due(t, n))
		tellers[n->kind].put(t, n);
}

void
pb_trace_begin(
    struct pb_trace *t, struct pb_text *out, uint32_t kinds, const void *state)
{
	const unsigned char *left;
	int n;

	pb_trace_end(t);
	*t = (struct pb_trace){.game = t->game,
	    .id = t->id,
	    .period = t->period,
	    .out = out,
	    .kinds = kinds,
	    .state = state};
	t->game->on_map->pellets(t->state, &n, &left);
	t->pellet = pb_alloc((size_t)n, sizeof(*t->pellet));
}

void
pb_trace_end(struct pb_trace *t)
{
	free(t->pellet);
	t->pellet = NULL;
}

void
pb_senses_begin(struct pb_senses *z, const struct pb_sense_opts *o,
    const struct pb_map *m, uint64_t seed, uint64_t trial, struct pb_pose p,
    struct pb_text *out)
{
	*z = (struct pb_senses){
	    .out = out, .sense = pb_alloc(1, sizeof(*z->sense))};
	if (pb_rays_new(m, false, &z->rays) != PB_OK)
		pb_msg_end_memory();
	pb_sense_start(z->sense, o, z->rays, seed, trial, p);
}

void
pb_senses_end(struct pb_senses *z)
{
	pb_rays_free(z->rays);
	free(z->sense);
	*z = (struct pb_senses){0};
}

static void
write_scan(struct pb_senses *z, struct pb_stamp at)
{
	struct pb_scan s = pb_sense_scan(z->sense);
	struct pb_rec_scan r = {.angle_min = s.angle_min,
	    .angle_increment = s.inc,
	    .range_min = s.range_min,
	    .range_max = s.range_max,
	    .radius = s.radius,
	    .range = z->sense->range,
	    .n = s.n};

	pb_rec_put(z->out, PB_REC_SCAN, at, &r);
}

void
pb_senses_step(struct pb_senses *z, double t, struct pb_pose p, bool carried)
{
	const struct pb_stamp at = pb_stamp_at(t, "robot");
	const struct pb_sense_odom *d = &z->sense->odom;
	unsigned came = pb_sense_step(z->sense, t, p, carried);
	const struct pb_rec_odom odom = {
	    d->pose.x, d->pose.y, d->pose.th, d->v, d->w};
	const struct pb_rec_fix fix = {z->sense->fix.x, z->sense->fix.y};

	if (came != 0)
		pb_rec_put_pose(z->out, pb_stamp_at(t, "truth"), p, "truth");
	if (came & PB_SENSED_ODOM)
		pb_rec_put(z->out, PB_REC_ODOM, at, &odom);
	if (came & PB_SENSED_SCAN)
		write_scan(z, at);
	if (came & PB_SENSED_FIX)
		pb_rec_put(z->out, PB_REC_FIX, at, &fix);
}
