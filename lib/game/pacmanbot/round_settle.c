/* round_settle.c - what the controller's actions do; how a round ends. */
#include "game/pacmanbot/round_state.h"

/* A robot within this distance (m) for this time (s) is stuck. */
#define STUCK_DIST 0.5
#define STUCK_TIME 60.0

static void
begin(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;

	k->running = true;
	k->since = r->g.step;
	k->removed = k->replans = k->clears = 0;
	k->distance = 0;
	k->nearest = pb_dist(pb_pose_vec(r->g.truth), r->clyde.at);
	k->still = pb_pose_vec(r->g.truth);
	k->still_since = r->g.step;
}

static uint64_t
missed(const struct pb_round *r)
{
	uint64_t bits = 0;

	for (int i = 0; i < r->arena->n && i < 64; i++)
		if (!r->had[i])
			bits |= UINT64_C(1) << i;
	return bits;
}

void
pb_end_round(struct pb_round *r, enum pb_ending e)
{
	const struct pb_controller *c = &r->g.ctl;
	struct pb_tracker *k = &r->g.track;

	k->last = (struct pb_outcome){
	    .ending = e,
	    .round = c->round,
	    .spawned = c->spawned,
	    .collected = c->collected,
	    .removed = k->removed,
	    .score = c->score,
	    .distance = k->distance,
	    .nearest = k->nearest,
	    .where = pb_pose_vec(r->g.truth),
	    .clyde = r->clyde.at,
	    .target = r->g.nav.pellet,
	    .missed = missed(r),
	    .replans = k->replans,
	    .clears = k->clears,
	};
	if (k->running)
		k->last.time = (double)(r->g.step - k->since) * r->o.dt;
	k->running = false;
	k->ended++;
	k->last.hash = pb_round_hash(r);
}

/* Follow the controller's state: a round begins and ends with it. */
static void
enter(struct pb_round *r, enum pb_state s)
{
	const struct pb_controller *c = &r->g.ctl;

	pb_clyde_state(&r->clyde, pb_state_name(s));
	pb_tell_ghost(r, (struct pb_ghost_news){.told = PB_GHOST_STATE,
			     .state = pb_state_name(s)});
	if (s == PB_STARTING || s == PB_DYING)
		r->g.show_t = pb_round_time(r);
	if (s == PB_RUNNING)
		begin(r);
	if (!r->g.track.running)
		return;
	if (s == PB_DYING)
		pb_end_round(r, PB_KILLED);
	else if (s == PB_COMPLETE)
		pb_end_round(
		    r, c->collected >= c->spawned ? PB_DONE : PB_PARTIAL);
	else if (s != PB_RUNNING)
		/* Reset by the operator: it neither ended nor goes on. */
		r->g.track.running = false;
}

static void
tell_state(struct pb_round *r, const struct pb_action *a)
{
	pb_tell(r, (struct pb_event){.kind = PB_EV_STATE,
		       .text = a->text,
		       .value = r->g.ctl.round,
		       .n = r->g.ctl.score});
}

static void
tell_counts(struct pb_round *r)
{
	const struct pb_controller *c = &r->g.ctl;

	pb_tell(r, (struct pb_event){.kind = PB_EV_COUNTS,
		       .id = c->spawned,
		       .n = c->collected,
		       .value = c->score,
		       .value2 = c->round});
}

static void
carry_out(struct pb_round *r, const struct pb_action *a)
{
	switch (a->act) {
	case PB_ACT_DISABLE:
	case PB_ACT_ENABLE:
	case PB_ACT_RESET_ROUND:
	case PB_ACT_RETURN_HOME:
		pb_tell_text(r, PB_EV_COMMAND, pb_act_name(a->act));
		pb_node_command(r, a->act);
		break;
	case PB_ACT_EVENT:
		pb_tell_text(r, PB_EV_EVENT, a->text);
		break;
	case PB_ACT_RESET_PELLETS:
		pb_tell_text(r, PB_EV_COMMAND, "reset_pellets");
		pb_round_reset_pellets(r);
		break;
	case PB_ACT_RESET_CLYDE:
		pb_tell_text(r, PB_EV_COMMAND, "reset_ghosts");
		pb_round_reset_clyde(r);
		break;
	case PB_ACT_SPEED:
		pb_round_clyde_speed(r, a->value);
		break;
	case PB_ACT_STATE:
		tell_state(r, a);
		enter(r, (enum pb_state)a->value);
		break;
	case PB_ACT_COUNTS:
		tell_counts(r);
		break;
	case PB_ACT_RESULT:
		pb_tell_text(r, PB_EV_RESULT, r->g.ctl.result);
		break;
	}
}

/*
 * Carrying out an action may make the node say something, which appends more
 * actions: they are done in turn, not inside each other.
 */
void
pb_settle(struct pb_round *r)
{
	struct pb_controller *c = &r->g.ctl;

	if (r->settling)
		return;
	r->settling = true;
	for (int i = 0; i < c->actions; i++) {
		struct pb_action a = c->action[i];

		carry_out(r, &a);
	}
	pb_controller_done(c);
	r->settling = false;
}

void
pb_say(struct pb_round *r, enum pb_said said, int pellet)
{
	struct pb_controller *c = &r->g.ctl;
	bool before =
	    c->state == PB_RETURNING_HOME && c->pending == PB_PENDING_START;

	pb_tell(r, (struct pb_event){.kind = PB_EV_STATUS,
		       .text = pb_said_name(said),
		       .id = pellet});
	pb_controller_said(c, pb_round_time(r), said, pellet);
	if (said == PB_SAID_HOME_FAILED && before)
		pb_end_round(r, PB_HOME_FAILED);
	pb_settle(r);
}

/* Over time: give up as the operator would, by the reset button. */
static void
time_out(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;
	double still = (double)(r->g.step - k->still_since) * r->o.dt;

	pb_end_round(r, still >= STUCK_TIME ? PB_STUCK : PB_TIMEOUT);
	pb_round_press_reset(r);
}

void
pb_track(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;
	struct pb_vec p = pb_pose_vec(r->g.truth);
	double v = r->g.twist.v, d;

	if (!k->running)
		return;
	k->distance += (v < 0 ? -v : v) * r->o.dt;
	d = pb_dist(p, r->clyde.at);
	if (d < k->nearest)
		k->nearest = d;
	if (pb_dist(p, k->still) > STUCK_DIST) {
		k->still = p;
		k->still_since = r->g.step;
	}
	if ((double)(r->g.step - k->since) * r->o.dt >= r->o.duration)
		time_out(r);
}
