/* stage_bot_put.c - how a pacmanbot game stands, as records. */
#include <stdlib.h>

#include "game/pacmanbot/arena.h"
#include "io/rec.h"
#include "io/console/stage_bot.h"
#include "policy/pacmanbot_players.h"

static void
put_pose(const struct pb_session *s, const char *id, const char *source,
    struct pb_pose at, struct pb_text *o)
{
	struct pb_rec_pose p = {.x = at.x, .y = at.y, .theta = at.th};

	PB_REC_SET(p.source, source);
	pb_put_pose(o, pb_stamp_at(pb_round_time(s->round), id), &p);
}

static void
put_poses(const struct pb_session *s, struct pb_text *o)
{
	struct pb_vec c = pb_round_clyde(s->round);

	put_pose(s, "truth", "truth", pb_round_truth(s->round), o);
	if (pb_round_localized(s->round))
		put_pose(
		    s, "robot", "estimate", pb_round_estimate(s->round), o);
	put_pose(s, "clyde", "truth", (struct pb_pose){c.x, c.y, 0}, o);
}

/* Into o, which need not be where the trace goes. */
static void
put_pellets(struct pb_session *s, struct pb_text *o)
{
	struct pb_trace t = s->trace;

	t.out = o;
	pb_trace_pellets(&t, pb_round_time(s->round));
}

static void
put_state(struct pb_session *s, struct pb_text *o)
{
	struct pb_trace t = s->trace;

	t.out = o;
	pb_trace_state(&t, pb_round_time(s->round));
}

static void
put_target(const struct pb_session *s, const struct pb_choice *c,
    const struct pb_score *score, struct pb_text *o)
{
	struct pb_rec_target t = pb_rec_target_none();

	if (c->index >= 0) {
		t.pellet = pb_trace_id(&s->trace, (int)c->index);
		t.x = s->arena->at[c->index].x;
		t.y = s->arena->at[c->index].y;
		t.total = score[c->index].total;
	}
	PB_REC_SET(t.why, pb_why_name(c->why));
	t.threat = c->threat;
	pb_put_target(o, pb_stamp_at(pb_round_time(s->round), "robot"), &t);
}

/* What the published planner would choose now. */
static bool
put_scores(const struct pb_session *s, struct pb_text *o)
{
	const struct pb_score_opts so = pb_player_seed_scores(&s->o.game);
	const struct pb_scene z = {
	    .robot = pb_pose_vec(pb_round_estimate(s->round)),
	    .has_ghost = true,
	    .ghost = pb_round_clyde(s->round),
	    .closing = pb_round_closing(s->round)};
	const unsigned char *left = pb_round_left(s->round);
	size_t n = (size_t)s->arena->n;
	struct pb_score *score = calloc(n, sizeof(*score));
	struct pb_rec_score *row = calloc(n, sizeof(*row));
	struct pb_rec_scored r = {.pellet = row};
	struct pb_choice c;

	if (score == NULL || row == NULL || !pb_round_localized(s->round)) {
		free(score);
		free(row);
		return false;
	}
	c = pb_score_choose(&so, &z, s->arena->at, left, n, score);
	r.threat = c.threat;
	for (size_t i = 0; i < n; i++)
		if (left[i])
			row[r.n++] = (struct pb_rec_score){
			    pb_trace_id(&s->trace, (int)i), s->arena->at[i].x,
			    s->arena->at[i].y, score[i].distance, score[i].risk,
			    score[i].direction, score[i].total, score[i].safe,
			    score[i].excluded};
	pb_put_scored(o, pb_stamp_at(pb_round_time(s->round), "robot"), &r);
	put_target(s, &c, score, o);
	free(score);
	free(row);
	return true;
}

bool
pb_stage_bot_put(struct pb_session *s, enum pb_stage_view v, struct pb_text *o)
{
	if (v == PB_STAGE_SCORES)
		return put_scores(s, o);
	if (v == PB_STAGE_PICTURE)
		pb_put_map(o, &s->world.map);
	if (v != PB_STAGE_PELLETS)
		put_state(s, o);
	if (v != PB_STAGE_STATE)
		put_pellets(s, o);
	if (v == PB_STAGE_NOW || v == PB_STAGE_PICTURE)
		put_poses(s, o);
	return true;
}
