/* map_stage.c - a game on a map for the console. */
#include "io/console/map_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/pacmanbot/arena.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "policy/pacmanbot_players.h"

struct bot {
	const struct pb_stage_opts *w;
	struct pb_session *s; /* owned */
	char *map;            /* file of its map, owned; NULL: a record */
};

enum value {
	TIME,
	STATE,
	ROUND,
	SPAWNED,
	COLLECTED,
	LEFT,
	SCORE,
	RESULT,
	LOCALIZED,
	SPEED,
	ROBOT,
	CLYDE,
	ENDED,
	OUTCOME
};

static const char *const known[] = {"t", "state", "round", "spawned",
    "collected", "left", "score", "result", "localized", "clyde-speed", "robot",
    "clyde", "ended", "outcome", NULL};

/* Begin on the map of another file. */
static bool
begin_there(struct bot *b, const char *path, struct pb_error *bad)
{
	struct pb_world w = {.has_map = false};
	struct pb_session *next = NULL;
	struct pb_error f;
	char *copy = strdup(path);

	if (copy == NULL)
		pb_error_nomem(bad, path);
	else if (!pb_world_read(&w, path, &f))
		pb_error_quote(bad, &f);
	else
		next = pb_session_again(b->s, b->w->session, &w, bad);
	pb_world_clear(&w);
	if (next == NULL) {
		free(copy);
		return false;
	}
	free(b->map);
	b->map = copy;
	b->s = next;
	return true;
}

static bool
begin(void *game, struct pb_error *bad)
{
	struct bot *b = game;
	struct pb_session_opts *o = b->w->session;
	const char *field, *map = *b->w->map;
	struct pb_session *next;

	o->game = *(const struct pb_round_opts *)b->w->constants;
	if (pb_round_check(&o->game, &field) != PB_OK)
		return pb_error_set(bad, "%s: out of range", field);
	if (pb_sense_check(&o->senses.sense, &field) != PB_OK)
		return pb_error_set(bad, "%s", field);
	if (map != NULL && (b->map == NULL || strcmp(map, b->map) != 0))
		return begin_there(b, map, bad);
	next = pb_session_again(b->s, o, NULL, bad);
	if (next == NULL)
		return false;
	b->s = next;
	return true;
}

static bool
step(void *game)
{
	struct bot *b = game;

	if (pb_session_over(b->s))
		return false;
	pb_session_step(b->s);
	return true;
}

static bool
idle(const void *game)
{
	const struct bot *b = game;

	return pb_session_idle(b->s) || pb_session_over(b->s);
}

static double
time_of(const void *game)
{
	const struct bot *b = game;

	return pb_round_time(b->s->round);
}

static double
pace(const void *game)
{
	const struct bot *b = game;

	return b->s->o.game.dt;
}

static int
pellets_left(const struct pb_session *s)
{
	const unsigned char *left = pb_round_left(s->round);
	int n = 0;

	for (int i = 0; i < s->arena->n; i++)
		n += left[i];
	return n;
}

static void
tell_place(struct pb_vec p, char *out, size_t size)
{
	snprintf(out, size, "%.2f,%.2f", p.x, p.y);
}

static void
tell_robot(const struct pb_session *s, char *out, size_t size)
{
	if (pb_round_localized(s->round))
		tell_place(pb_pose_vec(pb_round_estimate(s->round)), out, size);
	else
		snprintf(out, size, "unknown");
}

static void
tell(const void *game, int i, char *out, size_t size)
{
	const struct pb_session *s = ((const struct bot *)game)->s;
	const struct pb_controller *c = pb_round_controller(s->round);
	struct pb_outcome e = pb_round_outcome(s->round);
	const long n[] = {[ROUND] = c->round,
	    [SPAWNED] = c->spawned,
	    [COLLECTED] = c->collected,
	    [LEFT] = pellets_left(s),
	    [SCORE] = c->score,
	    [ENDED] = pb_round_ended(s->round)};

	switch (i) {
	case TIME:
		snprintf(out, size, "%.6g", pb_round_time(s->round));
		break;
	case STATE:
		snprintf(out, size, "%s", pb_state_name(c->state));
		break;
	case RESULT:
		snprintf(out, size, "%s", c->result);
		break;
	case LOCALIZED:
		snprintf(out, size, "%s",
		    pb_round_localized(s->round) ? "yes" : "no");
		break;
	case SPEED:
		snprintf(out, size, "%.4g", pb_controller_speed(c));
		break;
	case ROBOT:
		tell_robot(s, out, size);
		break;
	case CLYDE:
		tell_place(pb_round_clyde(s->round), out, size);
		break;
	case OUTCOME:
		snprintf(out, size, "%s",
		    n[ENDED] > 0 ? pb_ending_name(e.ending) : "");
		break;
	default:
		snprintf(out, size, "%ld", n[i]);
	}
}

static bool
put(void *game, enum pb_stage_view v, struct pb_text *o)
{
	return pb_stage_bot_put(((struct bot *)game)->s, v, o);
}

static bool
command(void *game, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	struct pb_session *s = ((struct bot *)game)->s;

	bool start = strcmp(c->name, "start") == 0;

	if (!pb_session_takes(s, c, "", bad))
		return false;
	if (start && pb_round_localized(s->round) &&
	    pb_round_state(s->round) != PB_MENU)
		return pb_error_set(bad, "cannot start from state \"%s\"",
		    pb_state_name(pb_round_state(s->round)));
	pb_rec_put(
	    s->out, PB_REC_CMD, pb_stamp_at(pb_round_time(s->round), NULL), c);
	pb_session_command(s, c, "");
	if (start && s->wants)
		fprintf(stderr, "the robot does not know where it is yet: "
				"start waits for that\n");
	return true;
}

static struct pb_cues *
cues(void *game)
{
	struct bot *b = game;

	return &b->s->cues;
}

static void *
save(const void *game)
{
	const struct bot *b = game;

	return pb_session_save(b->s);
}

static void
load(void *game, const void *saved)
{
	struct bot *b = game;

	pb_session_load(b->s, saved);
}

static void
drop(void *saved)
{
	pb_session_drop(saved);
}

static void
leave(void *game)
{
	struct bot *b = game;

	pb_session_leave(b->s);
	pb_cues_finish(&b->s->cues);
}

static const struct pb_stage_type type = {"pacmanbot", known, begin, step, idle,
    time_of, pace, tell, put, command, NULL, cues, NULL, save, load, drop,
    leave};

/* Read the map and begin. */
static bool
open_game(struct bot *b, char *const *files, int n)
{
	const struct pb_stage_opts *w = b->w;
	const struct pb_botsim p = {w->session, *w->map, w->common};
	struct pb_place map = {NULL, 0};
	struct pb_error bad = {""};

	if (!pb_botsim_read(&p, b->s, files, n, &map))
		return false;
	if (*w->map != NULL && (b->map = strdup(*w->map)) == NULL)
		pb_error_nomem(&bad, "the map");
	else if (pb_session_begin(b->s, &bad))
		return true;
	if (bad.text[0] != '\0')
		pb_msg_error_at(map, &bad);
	return false;
}

bool
pb_stage_bot_new(const struct pb_stage_opts *w, char *const *files, int n,
    struct pb_stage *stage)
{
	struct bot *b = calloc(1, sizeof(*b));

	if (b == NULL || (b->s = calloc(1, sizeof(*b->s))) == NULL) {
		pb_msg_system("no memory for the game");
		free(b);
		return false;
	}
	b->w = w;
	w->session->game = *(const struct pb_round_opts *)w->constants;
	*b->s = (struct pb_session){.o = *w->session, .out = w->out};
	stage->type = &type;
	stage->game = b;
	return open_game(b, files, n);
}

void
pb_stage_bot_free(struct pb_stage *stage)
{
	struct bot *b = stage->game;

	if (b == NULL)
		return;
	pb_session_clear(b->s);
	free(b->s);
	free(b->map);
	free(b);
	*stage = (struct pb_stage){NULL, NULL};
}

static void
put_pose(const struct pb_session *s, const char *id, const char *source,
    struct pb_pose at, struct pb_text *o)
{
	struct pb_rec_pose p = {.x = at.x, .y = at.y, .theta = at.th};

	PB_REC_SET(p.source, source);
	pb_rec_put(
	    o, PB_REC_POSE, pb_stamp_at(pb_round_time(s->round), id), &p);
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
	struct pb_rec_target t;

	pb_rec_none(PB_REC_TARGET, &t);
	if (c->index >= 0) {
		t.pellet = pb_trace_id(&s->trace, (int)c->index);
		t.x = s->arena->at[c->index].x;
		t.y = s->arena->at[c->index].y;
		t.total = score[c->index].total;
	}
	PB_REC_SET(t.why, pb_why_name(c->why));
	t.threat = c->threat;
	pb_rec_put(o, PB_REC_TARGET,
	    pb_stamp_at(pb_round_time(s->round), "robot"), &t);
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
	pb_rec_put(o, PB_REC_SCORED,
	    pb_stamp_at(pb_round_time(s->round), "robot"), &r);
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
		pb_rec_put(o, PB_REC_MAP, pb_stamp_none(), &s->world.map);
	if (v != PB_STAGE_PELLETS)
		put_state(s, o);
	if (v != PB_STAGE_STATE)
		put_pellets(s, o);
	if (v == PB_STAGE_NOW || v == PB_STAGE_PICTURE)
		put_poses(s, o);
	return true;
}
