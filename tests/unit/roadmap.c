/* roadmap.c - tests of what the lidar closes on a roadmap. */
#include "check.h"

#include "policy/roadmap.h"

/* A hall of 6 m by 4 m, in two by a wall with a door below and one above. */
struct hall {
	struct pb_round_opts o;
	struct pb_map m;
	struct pb_arena *a;
	struct pb_roadmap r;
	struct pb_pool pool;
	struct pb_marks marks;
	struct pb_mark mark[8];
	unsigned char left[512];
	struct pb_view v;
};

static void
hall_make(struct hall *h)
{
	struct pb_block size = {.at = NULL}, block = {.at = NULL};

	memset(h, 0, sizeof(*h));
	h->o = pb_round_defaults();
	h->o.sensor_layer = PB_LAYER_ON;
	check_int(
	    pb_map_init(&h->m, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	for (int i = 0; i < 60 * 40; i++) {
		int row = i / 60;
		bool door = (row >= 4 && row < 11) || (row >= 29 && row < 36);

		h->m.cell[i] = i % 60 == 30 && !door ? 100 : 0;
	}
	check_int(pb_arena_new(&h->a, &h->m, &h->o, NULL, NULL), PB_OK);
	check_int(
	    pb_roadmap_init(&h->r, h->a, 0.3, 6000, &h->pool, &h->pool), PB_OK);
	check_int(pb_roadmap_measure_pellets(&h->r, &h->pool), PB_OK);
	pb_marks_alloc(&size, &h->r, true);
	block.at = pb_pool_get(&h->pool, size.used, 1);
	h->marks = pb_marks_alloc(&block, &h->r, true);
	check(h->a->n <= 512);
	memset(h->left, 1, sizeof(h->left));
	h->v = (struct pb_view){.t = 100,
	    .arena = h->a,
	    .opts = &h->o,
	    .pellets = h->a->n,
	    .remaining = h->a->n,
	    .left = h->left,
	    .mark = h->mark};
}

static void
hall_clear(struct hall *h)
{
	pb_pool_clear(&h->pool);
	pb_arena_free(h->a);
	pb_map_clear(&h->m);
}

/* Marks across the lower door, seen for so long until now. */
static void
shut_door(struct hall *h, double seen)
{
	h->v.marks = 8;
	for (int i = 0; i < 8; i++)
		h->mark[i] = (struct pb_mark){
		    {3.05, 0.35 + 0.1 * i}, h->v.t - seen, h->v.t, (size_t)i};
}

/* How far it is from p to pellet i as things are (m). */
static double
far_from(struct hall *h, int i, struct pb_vec p)
{
	struct pb_roadmap r = pb_marks_apply(&h->marks, &h->r);

	return r.pellet_dist[i * r.graph.n + pb_roadmap_node_at(&r, p)];
}

/* The pellet nearest to p. */
static int
pellet_near(const struct pb_arena *a, struct pb_vec p)
{
	int best = 0;

	for (int i = 1; i < a->n; i++)
		if (pb_dist(a->at[i], p) < pb_dist(a->at[best], p))
			best = i;
	return best;
}

/* Take in the marks. Returns whether other edges are open than before. */
static bool
see(struct hall *h)
{
	bool news = false;

	check(pb_marks_update(
	    &h->marks, &h->r, &h->v, (struct pb_vec){2, 0.7}, &news));
	return news;
}

test(a_shut_door_costs_the_way_round)
{
	struct pb_vec here = {2, 0.7};
	struct hall h;
	double open;
	int i;

	hall_make(&h);
	i = pellet_near(h.a, (struct pb_vec){4, 0.7});
	open = far_from(&h, i, here);
	check(open < 3);
	shut_door(&h, 60);
	check(see(&h));
	/* Up to the other door and down again. */
	check(far_from(&h, i, here) > open + 1.35);
	check(far_from(&h, i, here) < open + 2);
	hall_clear(&h);
}

test(who_passes_is_waited_for)
{
	struct pb_vec here = {2, 0.7};
	struct hall h;
	double open, far;
	int i;

	hall_make(&h);
	i = pellet_near(h.a, (struct pb_vec){4, 0.7});
	open = far_from(&h, i, here);
	shut_door(&h, 0);
	check(see(&h));
	far = far_from(&h, i, here);
	check(far > open + 0.5 && far < open + 1.3);
	hall_clear(&h);
}

test(old_marks_are_forgotten)
{
	bool news = false;
	struct hall h;

	hall_make(&h);
	check(!pb_marks_update(
	    &h.marks, &h.r, &h.v, (struct pb_vec){2, 0.7}, &news));
	shut_door(&h, 5);
	check(see(&h));
	h.v.t += 10;
	check(!see(&h));
	h.v.t += 10;
	check(see(&h));
	for (int j = 0; j < h.r.graph.first[h.r.graph.n]; j++)
		check(!h.marks.closed[j]);
	for (int x = 0; x < h.r.graph.n; x++)
		check(
		    !h.marks.shut[x] && pb_dist(h.marks.at[x], h.r.at[x]) == 0);
	hall_clear(&h);
}

test(a_covered_pellet_is_taken_from_beside_it)
{
	struct pb_roadmap now;
	struct pb_vec at;
	struct hall h;
	int i, stand;

	hall_make(&h);
	i = pellet_near(h.a, (struct pb_vec){1, 2});
	h.v.marks = 1;
	h.mark[0] = (struct pb_mark){h.a->at[i], 40, 100, 7};
	check(see(&h));
	now = pb_marks_apply(&h.marks, &h.r);
	stand = now.pellet_node[i];
	check(stand >= 0 && !now.shut[stand]);
	at = now.at[stand];
	check(!now.marked[pb_arena_cell(h.a, at)]);
	check(pb_dist(at, h.a->at[i]) < h.o.plan_tol + h.o.goal_tol);
	check(!pb_roadmap_can_drive(&now, at, h.a->at[i]));
	check(pb_roadmap_can_drive(&h.r, at, h.a->at[i]));
	/* Asked for in vain it is left, and later sought again. */
	pb_marks_postpone(&h.marks, i, h.v.t);
	see(&h);
	check(h.marks.pellet_node[i] == -1);
	h.v.t += 30;
	see(&h);
	check(h.marks.pellet_node[i] == stand);
	hall_clear(&h);
}
