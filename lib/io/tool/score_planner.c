/* score_planner.c - what the planner of a game knows, from records. */
#include "io/tool/score_planner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"

void
pb_planner_clear(struct pb_planner *p)
{
	free(p->id);
	free(p->at);
	free(p->left);
	free(p->score);
	free(p->row);
}

static void
make_room(struct pb_planner *p, size_t n)
{
	pb_planner_clear(p);
	p->n = 0;
	p->id = pb_alloc(n + 1, sizeof(p->id[0]));
	p->at = pb_alloc(n + 1, sizeof(p->at[0]));
	p->left = pb_alloc(n + 1, sizeof(p->left[0]));
	p->score = pb_alloc(n + 1, sizeof(p->score[0]));
	p->row = pb_alloc(n + 1, sizeof(p->row[0]));
}

bool
pb_planner_ids(
    struct pb_planner_ghosts *g, const char *ids, struct pb_error *bad)
{
	char id[PB_OPT_ID_MAX + 1];
	int got;

	g->n = 0;
	while ((got = pb_opt_word(&ids, id, sizeof(id))) > 0) {
		if (pb_planner_ghost(g, id) >= 0)
			return pb_error_set(bad, "%s is given twice", id);
		if (g->n == PB_PLANNER_GHOSTS)
			return pb_error_set(
			    bad, "more than %d ids", PB_PLANNER_GHOSTS);
		memcpy(g->id[g->n++], id, sizeof(id));
	}
	return (got == 0 && g->n > 0) ||
	       pb_error_set(bad,
		   "expected ids of 1 to %d bytes, separated by commas",
		   PB_OPT_ID_MAX);
}

int
pb_planner_ghost(const struct pb_planner_ghosts *g, const char *id)
{
	for (int i = 0; i < g->n; i++)
		if (strcmp(g->id[i], id) == 0)
			return i;
	return -1;
}

static void
find_nearest(struct pb_planner *p)
{
	double least = INFINITY;

	for (int i = 0; i < p->ghosts->n; i++) {
		double d = pb_dist(p->scene.robot, p->ghost[i]);

		if (!(p->known >> i & 1) || d >= least)
			continue;
		least = d;
		p->scene.has_ghost = true;
		p->scene.ghost = p->ghost[i];
	}
}

/* When all poses of one time are there it is known who is nearest. */
static void
see_ghosts(struct pb_planner *p)
{
	if (p->fresh != 0 && p->has_robot) {
		find_nearest(p);
		pb_closing_see(
		    &p->closing, p->scene.robot, p->scene.ghost, p->ghosts_t);
	}
	p->fresh = 0;
}

void
pb_planner_pellets(struct pb_planner *p, const struct pb_rec_pellets *r)
{
	/* The set is laid anew, maybe in another order: ids stay. */
	long target = p->target < 0 ? -1 : p->id[p->target];

	p->target = -1;
	make_room(p, r->n);
	for (size_t i = 0; i < r->n; i++) {
		p->id[i] = r->pellet[i].id;
		p->at[i] = (struct pb_vec){r->pellet[i].x, r->pellet[i].y};
		p->left[i] = 1;
		if (p->id[i] == target)
			p->target = (long)i;
	}
	p->n = r->n;
	p->has_pellets = true;
}

static bool
remove_pellet(
    struct pb_planner *p, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (c->kind != PB_VALUE_NUM || c->num != floor(c->num))
		return pb_error_set(
		    bad, "cmd.value: expected the number of a pellet");
	/* One that is not there was removed before: no mistake. */
	for (size_t i = 0; i < p->n; i++)
		if ((double)p->id[i] == c->num)
			p->left[i] = 0;
	return true;
}

bool
pb_planner_cmd(
    struct pb_planner *p, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	const char *name = c->name;
	bool reset = strcmp(name, "reset_round") == 0;

	if (strcmp(name, "remove_pellet") == 0 ||
	    (strcmp(name, "pellet_collected") == 0 && c->kind != PB_VALUE_NONE))
		return remove_pellet(p, c, bad);
	if (strcmp(name, "enable") == 0)
		p->off = false;
	if (reset || strcmp(name, "disable") == 0 ||
	    strcmp(name, "return_home") == 0) {
		p->off = true;
		p->target = p->named = -1;
	}
	see_ghosts(p);
	if (reset)
		p->closing = (struct pb_closing){0};
	return true;
}

void
pb_planner_goal(
    struct pb_planner *p, struct pb_stamp s, const struct pb_rec_goal *g)
{
	if (g->pellet < 0 || (*s.id && strcmp(s.id, p->robot) != 0))
		return;
	if (strcmp(g->status, "sent") != 0) {
		if (p->target >= 0 && p->id[p->target] == g->pellet)
			p->target = -1;
		return;
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->id[i] == g->pellet && p->left[i])
			p->target = (long)i;
}

bool
pb_planner_pose(
    struct pb_planner *p, struct pb_stamp s, const struct pb_rec_pose *r)
{
	struct pb_vec at = {r->x, r->y};
	int i = pb_planner_ghost(p->ghosts, s.id);

	if (i < 0 || (p->fresh >> i & 1) || s.t != p->ghosts_t)
		see_ghosts(p);
	if (i >= 0) {
		p->ghost[i] = at;
		p->ghosts_t = s.t;
		p->known |= 1u << i;
		p->fresh |= 1u << i;
		return false;
	}
	if (strcmp(s.id, p->robot) != 0 ||
	    (*r->source != '\0' && strcmp(r->source, p->other) == 0))
		return false;
	p->has_robot = true;
	p->scene.robot = at;
	return true;
}

const char *
pb_planner_choose(
    struct pb_planner *p, const struct pb_score_opts *o, bool *threat)
{
	struct pb_choice best;

	see_ghosts(p);
	find_nearest(p);
	p->scene.closing = p->closing.speed;
	best = pb_score_choose(o, &p->scene, p->at, p->left, p->n, p->score);
	*threat = best.threat;
	if (p->target < 0 || !p->left[p->target] || best.index < 0 ||
	    pb_score_replan(o, &p->scene, p->at[p->target], p->at[best.index]))
		p->target = best.index;
	else if (p->target != best.index)
		return "kept";
	return pb_why_name(best.why);
}
