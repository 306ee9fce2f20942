/*
 * mcl_search.c - where a scan fits: near a pose, in a window, and particles
 * drawn there.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/mcl.h"

/* The quadratic that the scan looks like about a pose. */
struct normal {
	double a[3][3]; /* curvature */
	double b[3];    /* slope */
	double cost;    /* -log posterior (nat) */
};

/*
 * A beam pulls with the chance that it hit what the map knows, as in
 * expectation maximization; what is far from everything pulls nothing.
 */
static void
add_beam(const struct pb_likelihood *f, double d, const double j[3],
    double temper, struct normal *q)
{
	double s2 = f->sigma * f->sigma;
	double hit = (1 - f->stray) * pb_exp(-0.5 * d * d / s2);
	double w = temper * hit / (hit + f->stray) / s2;

	q->cost -= temper * pb_log(hit + f->stray);
	for (int i = 0; i < 3; i++) {
		q->b[i] += w * d * j[i];
		for (int k = 0; k <= i; k++)
			q->a[i][k] += w * j[i] * j[k];
	}
}

static void
add_prior(double inv[3][3], const struct pb_gauss *g, struct pb_pose p,
    struct normal *q)
{
	double d[3];

	pb_gauss_diff(p, g->mean, d);
	for (int i = 0; i < 3; i++) {
		double s = 0;

		for (int k = 0; k < 3; k++)
			s += inv[i][k] * d[k];
		for (int k = 0; k <= i; k++)
			q->a[i][k] += inv[i][k];
		q->b[i] += s;
		q->cost += 0.5 * d[i] * s;
	}
}

static void
approximate(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, double inv[3][3], struct pb_pose p,
    struct normal *q)
{
	pb_pair u = pb_direction(p.th);
	double c = u[0], n = u[1];

	memset(q, 0, sizeof(*q));
	for (int i = 0; i < s->n; i++) {
		double x = c * s->end[i].x - n * s->end[i].y;
		double y = n * s->end[i].x + c * s->end[i].y;
		struct pb_vec g;
		double d = pb_likelihood_dist(&k->field, p.x + x, p.y + y, &g);
		double j[3] = {g.x, g.y, g.y * x - g.x * y};

		add_beam(&k->field, d, j, s->temper, q);
	}
	if (prior != NULL)
		add_prior(inv, prior, p, q);
	for (int i = 0; i < 3; i++)
		for (int l = 0; l < i; l++)
			q->a[l][i] = q->a[i][l];
}

/* One step downhill from p; lambda holds it back. */
static bool
newton(const struct normal *q, double lambda, struct pb_pose p,
    struct pb_pose *out)
{
	/* A metre and a radian: what nothing holds stays where it is. */
	double a[3][3], inv[3][3], d[3] = {0};

	memcpy(a, q->a, sizeof(a));
	for (int i = 0; i < 3; i++)
		a[i][i] += lambda * a[i][i] + 1;
	if (!pb_gauss_invert(a, inv))
		return false;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			d[i] -= inv[i][j] * q->b[j];
	*out = (struct pb_pose){p.x + d[0], p.y + d[1], pb_wrap(p.th + d[2])};
	return true;
}

/*
 * Variance that no scan takes away: an obstacle is known to a cell only, and
 * the scan lines up with it all along.
 */
static bool
settle(const struct pb_mcl_known *k, struct normal *q, struct pb_pose p,
    struct pb_gauss *out)
{
	double cell = k->field.resolution, cov[3][3];

	for (int i = 0; i < 3; i++)
		q->a[i][i] += 1;
	if (!pb_gauss_invert(q->a, cov))
		return false;
	cov[0][0] += cell * cell / 12;
	cov[1][1] += cell * cell / 12;
	cov[2][2] += PB_MCL_TURN_VAR;
	return pb_gauss_init(out, p, cov);
}

/*
 * Levenberg and Marquardt: lambda grows where a step makes the fit worse, and
 * shrinks where it does not.
 */
bool
pb_mcl_match(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose from, struct pb_gauss *out)
{
	struct normal q, next;
	struct pb_pose p = from, to;
	double inv[3][3] = {{0}}, lambda = 0.01;

	if (prior != NULL) {
		double cov[3][3];

		memcpy(cov, prior->cov, sizeof(cov));
		if (!pb_gauss_invert(cov, inv))
			return false;
	}
	approximate(k, s, prior, inv, p, &q);
	for (int i = 0; i < 12; i++) {
		double gain;

		if (!newton(&q, lambda, p, &to))
			return false;
		approximate(k, s, prior, inv, to, &next);
		gain = q.cost - next.cost;
		if (gain <= 0) {
			lambda *= 8;
			continue;
		}
		p = to;
		q = next;
		lambda /= 4;
		if (gain < 1e-3)
			break;
	}
	return settle(k, &q, p, out);
}

/* Costs of blocks beside each other, in two rows. */
struct tile {
	int i, j; /* of the first, multiples of the sides */
	uint16_t cost[2][PB_LIKELIHOOD_TILE];
};

#define TILES 16 /* that are remembered */

/*
 * Branch and bound over blocks of places, as Hess, Kohler, Rapp and Andor,
 * "Real-time loop closure in 2D lidar SLAM" (2016), but keeping all that is
 * within `slack` of the best instead of the best alone. The cost of a block is
 * the sum of the lowest costs that each beam can have from anywhere in it:
 * never more than the cost of a place inside.
 */
struct search {
	const struct pb_mcl_known *k;
	const struct pb_mcl_scan *s;
	const struct pb_mcl_window *w;
	int level;
	int turn;                /* whose offsets these are */
	int32_t ox[PB_MCL_SEEK]; /* of each beam's end (blocks) */
	int32_t oy[PB_MCL_SEEK];
	struct tile tile[TILES];  /* the last in their columns */
	struct pb_mcl_node *list; /* room for o.blocks */
	int n;
	int room;
	int32_t limit; /* cost beyond which nothing is kept */
};

/* floor(), in line. */
static int32_t
below(double v)
{
	int32_t n = (int32_t)v;

	return n - (v < n);
}

static void
aim(struct search *s, int turn)
{
	double th = turn * (2 * PB_PI / PB_MCL_TURNS);
	double scale = 1 / s->k->field.resolution / (1 << s->level);
	pb_pair u = pb_direction(th);
	double c = u[0] * scale, n = u[1] * scale;

	for (int b = 0; b < s->s->nseek; b++) {
		const struct pb_beam_end *e = &s->s->seek[b];

		/* One more: windows begin a block before the table. */
		s->ox[b] = below(c * e->x - n * e->y) + 1;
		s->oy[b] = below(n * e->x + c * e->y) + 1;
	}
	s->turn = turn;
	for (int i = 0; i < TILES; i++)
		s->tile[i].j = -1;
}

/* Eight sums; or costs, two in each. */
typedef uint16_t lanes __attribute__((vector_size(16)));

/* Add a row of costs to the sums of every other and of those between. */
static inline void
add_row(lanes sum[2], const uint8_t *cost)
{
	lanes c;

	memcpy(&c, cost, sizeof(c));
	sum[0] += c & 255;
	sum[1] += c >> 8;
}

/* Whether a block of these rows can be kept. */
static inline bool
may_keep(const struct search *s, lanes sum[2][2])
{
	uint16_t limit =
	    s->limit < UINT16_MAX ? (uint16_t)s->limit : UINT16_MAX;
	lanes most = (lanes){0} + limit;
	lanes kept = (lanes)(sum[0][0] <= most) | (lanes)(sum[0][1] <= most) |
	             (lanes)(sum[1][0] <= most) | (lanes)(sum[1][1] <= most);
	uint64_t bits[2];

	memcpy(bits, &kept, sizeof(bits));
	return (bits[0] | bits[1]) != 0;
}

/* All at once; what is left out of sums that are beyond the limit anyway does
 * not matter. */
static void
weigh_tile(const struct search *s, struct tile *t)
{
	const struct pb_likelihood_level *l = &s->k->field.level[s->level];
	size_t pitch = pb_likelihood_at(l, 0, 1) - pb_likelihood_at(l, 0, 0);
	const union {
		uint8_t byte[2];
		uint16_t pair;
	} first = {{1, 0}};
	lanes sum[2][2] = {{{0}}};

	for (int b = 0; b < s->s->nseek;) {
		int end = b + 16 < s->s->nseek ? b + 16 : s->s->nseek;

		for (; b < end; b++) {
			const uint8_t *c =
			    l->cost + pb_likelihood_at(l,
					  t->i - l->left + s->ox[b],
					  t->j - l->below + s->oy[b]);

			add_row(sum[0], c);
			add_row(sum[1], c + pitch);
		}
		if (!may_keep(s, sum))
			break;
	}
	for (int i = 0; i < PB_LIKELIHOOD_TILE; i++)
		for (int j = 0; j < 2; j++)
			t->cost[j][i] =
			    sum[j][i % 2 ^ (first.pair != 1)][i / 2];
}

static inline int32_t
cost(struct search *s, int i, int j)
{
	struct tile *t = &s->tile[i / PB_LIKELIHOOD_TILE % TILES];
	int x = i % PB_LIKELIHOOD_TILE, y = j % 2;

	if (t->i != i - x || t->j != j - y) {
		t->i = i - x;
		t->j = j - y;
		weigh_tile(s, t);
	}
	return t->cost[y][x];
}

/*
 * Keep the better half. Of those that are as good as the last that is kept,
 * the first found stay.
 */
static void
prune(struct search *s)
{
	enum { STEP = 16 };
	int32_t bin[UINT16_MAX / STEP + 1] = {0}, lo = 0;
	int kept = 0, sum = 0, spare;

	for (int i = 0; i < s->n; i++)
		bin[s->list[i].cost / STEP]++;
	while (sum + bin[lo] <= s->room / 2)
		sum += bin[lo++];
	spare = s->room / 2 - sum;
	for (int i = 0; i < s->n; i++) {
		int32_t at = s->list[i].cost / STEP;

		if (at < lo || (at == lo && spare-- > 0))
			s->list[kept++] = s->list[i];
	}
	s->n = kept;
	s->limit = lo * STEP + STEP - 1;
}

static inline void
try(struct search *s, int i, int j)
{
	int32_t c = cost(s, i, j);

	if (c > s->limit)
		return;
	if (s->n == s->room)
		prune(s);
	if (c <= s->limit)
		s->list[s->n++] = (struct pb_mcl_node){
		    (int16_t)i, (int16_t)j, (uint16_t)s->turn, (uint16_t)c};
}

/* Blocks of the window, as indices lo..hi. */
struct frame {
	int i0, i1, j0, j1;
};

static int
block(const struct search *s, double v, int first, int n)
{
	double b = floor((v / s->k->field.resolution + 1) / (1 << s->level));

	return b < first ? first : b > n - 1 ? n - 1 : (int)b;
}

static struct frame
frame(const struct search *s)
{
	const struct pb_likelihood_level *l = &s->k->field.level[s->level];
	int cols = l->left + l->width, rows = l->below + l->height;

	return (struct frame){block(s, s->w->lo.x, l->left, cols),
	    block(s, s->w->hi.x, 0, cols), block(s, s->w->lo.y, l->below, rows),
	    block(s, s->w->hi.y, 0, rows)};
}

static void
roots(struct search *s)
{
	const struct pb_likelihood_level *l = &s->k->field.level[s->level];
	double turn = 2 * PB_PI / PB_MCL_TURNS;
	int mid = (int)floor(s->w->th / turn + 0.5);
	int side = (int)ceil(s->w->half / turn);
	int last = side;
	struct frame f = frame(s);

	if (2 * side + 1 > PB_MCL_TURNS) {
		side = PB_MCL_TURNS / 2;
		last = PB_MCL_TURNS - side - 1;
	}
	for (int d = -side; d <= last; d++) {
		aim(s,
		    ((mid + d) % PB_MCL_TURNS + PB_MCL_TURNS) % PB_MCL_TURNS);
		for (int j = f.j0; j <= f.j1; j++) {
			const uint8_t *free =
			    l->free + pb_likelihood_at(l, 0, j - l->below);

			for (int i = f.i0; i <= f.i1; i++)
				if (free[i - l->left])
					try(s, i, j);
		}
	}
}

/* Replace the blocks of `from` by those of their quarters worth keeping. */
static void
descend(struct search *s, const struct pb_mcl_node *from, int n)
{
	const struct pb_likelihood_level *l = &s->k->field.level[--s->level];
	struct frame f;

	s->n = 0;
	s->turn = -1;
	f = frame(s);
	for (int a = 0; a < n; a++) {
		if (from[a].turn != s->turn)
			aim(s, from[a].turn);
		for (int q = 0; q < 4; q++) {
			int i = 2 * from[a].i + q % 2;
			int j = 2 * from[a].j + q / 2;

			if (i >= f.i0 && i <= f.i1 && j >= f.j0 && j <= f.j1 &&
			    l->free[pb_likelihood_at(
				l, i - l->left, j - l->below)])
				try(s, i, j);
		}
	}
}

/*
 * Where to begin: blocks a quarter of the window, but no larger than `level`,
 * unless there are too many of those.
 */
static int
top(const struct search *s, int level)
{
	double x = s->w->hi.x - s->w->lo.x, y = s->w->hi.y - s->w->lo.y;
	double side = (x > y ? x : y) / s->k->field.resolution;
	int l = 1;

	while (l < level && (4 << l) < side)
		l++;
	while (l < PB_LIKELIHOOD_LEVELS - 1 && side / (1 << l) > 200)
		l++;
	return l;
}

/* From that level to the leaves, in lists of so much room. */
static void
run(struct search *s, struct pb_mcl_node *a, struct pb_mcl_node *b, int room,
    int level, int32_t limit)
{
	s->level = top(s, level);
	s->list = a;
	s->n = 0;
	s->room = room;
	s->limit = limit;
	roots(s);
	while (s->level > 1) {
		struct pb_mcl_node *from = s->list;
		int n = s->n;

		s->list = from == a ? b : a;
		descend(s, from, n);
		if (s->n > 0 || s->limit == limit)
			continue;
		/* Bounds that no quarter keeps had lowered the limit. */
		s->limit = limit;
		s->level++;
		descend(s, from, n);
	}
}

static int
better(const void *a, const void *b)
{
	const struct pb_mcl_node *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	if (x->j != y->j)
		return x->j < y->j ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static bool
apart(struct pb_pose a, const struct pb_pose *b, int n)
{
	for (int i = 0; i < n; i++) {
		double dx = a.x - b[i].x, dy = a.y - b[i].y;

		if (dx * dx + dy * dy < 0.3 * 0.3 &&
		    fabs(pb_wrap(a.th - b[i].th)) < 0.2)
			return false;
	}
	return true;
}

/* The best leaves that are apart from each other. */
static int
pick(const struct search *s, struct pb_pose *out, int max)
{
	double cell = s->k->field.resolution;
	int n = 0;

	qsort(s->list, (size_t)s->n, sizeof(*s->list), better);
	for (int a = 0; a < s->n && n < max; a++) {
		struct pb_pose p = {(2 * s->list[a].i) * cell,
		    (2 * s->list[a].j) * cell,
		    pb_wrap(s->list[a].turn * (2 * PB_PI / PB_MCL_TURNS))};

		if (apart(p, out, n))
			out[n++] = p;
	}
	return n;
}

/*
 * Places of the window, best first, each at least 0.3 m or 0.2 rad from the
 * better ones, where the scan fits nearly as well as at the best.
 */
int
pb_mcl_search(struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    const struct pb_mcl_window *w, struct pb_pose *out, int max)
{
	struct pb_mcl_node *a = PB_MCL_ARRAY(m, k, struct pb_mcl_node, node);
	struct pb_mcl_node *b = PB_MCL_ARRAY(m, k, struct pb_mcl_node, next);
	struct search s = {.k = k, .s = &m->scan, .w = w};
	const int32_t slack = 12 * PB_LIKELIHOOD_NAT;
	int32_t best = INT32_MAX;

	if (m->scan.nseek == 0)
		return 0;
	/*
	 * A dive in a narrow list says how good the best is. Bounds of large
	 * blocks would say nothing there; once a limit is known they do.
	 */
	run(&s, a, b, 2048, 3, UINT16_MAX);
	for (int i = 0; i < s.n; i++)
		best = s.list[i].cost < best ? s.list[i].cost : best;
	if (s.n == 0)
		return 0;
	run(&s, a, b, k->o.blocks, 5, best + slack);
	return pick(&s, out, max);
}

/*
 * Logarithm of the integral of prior times likelihood about a mode (Laplace).
 */
static double
mass(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *g, double log_prior)
{
	return pb_mcl_fit(k, s, g->mean) + log_prior - g->log_norm;
}

static void
add_mode(struct pb_mcl_mem *m, const struct pb_gauss *g, double log_mass,
    int cluster)
{
	for (int i = 0; i < m->nmodes; i++) {
		struct pb_mcl_mode *o = &m->mode[i];
		double d[3];

		pb_gauss_diff(g->mean, o->g.mean, d);
		if (o->cluster == cluster &&
		    d[0] * d[0] + d[1] * d[1] < 0.1 * 0.1 && fabs(d[2]) < 0.05)
			return; /* two ways to the same place */
	}
	if (m->nmodes < PB_MCL_MODES)
		m->mode[m->nmodes++] = (struct pb_mcl_mode){
		    .g = *g, .log_mass = log_mass, .cluster = cluster};
}

/* Proposals are wider than what they propose: twice the variance. */
static bool
widen(struct pb_gauss *g)
{
	double cov[3][3];

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			cov[i][j] = 2 * g->cov[i][j];
	return pb_gauss_init(g, g->mean, cov);
}

/* The places within three sigma of a cluster where the scan fits. */
void
pb_mcl_look_near(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int c)
{
	const struct pb_gauss *g = &m->cluster[c].g;
	double x = 3 * sqrt(g->cov[0][0]), y = 3 * sqrt(g->cov[1][1]);
	struct pb_mcl_window w = {{g->mean.x - x, g->mean.y - y},
	    {g->mean.x + x, g->mean.y + y}, g->mean.th, 3 * sqrt(g->cov[2][2])};
	struct pb_pose from[PB_MCL_NEAR];
	int n = pb_mcl_search(m, k, &w, from, m->moved ? 4 : PB_MCL_NEAR);

	m->cluster[c].mode = m->nmodes;
	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, g, from[i], &at))
			continue;
		log_mass = mass(k, &m->scan, &at,
		    pb_log(m->cluster[c].w) + pb_gauss_log(g, at.mean));
		if (widen(&at))
			add_mode(m, &at, log_mass, c);
	}
	m->cluster[c].modes = m->nmodes - m->cluster[c].mode;
}

/*
 * Wheels slide, are pushed, or count backwards as forwards: then the robot is
 * about where it was at the last scan, as far off as they turned, give or take
 * so much.
 */
#define SLIP_WAY  0.1 /* either way (m) */
#define SLIP_TURN 0.1 /* (rad) */

/* Where a cluster is in that case; g is where the wheels say that it went. */
static bool
slipped(const struct pb_mcl_mem *m, const struct pb_gauss *g,
    struct pb_pose was, struct pb_gauss *out)
{
	pb_pair u = pb_direction(was.th);
	double along = SLIP_WAY + m->way, turn = SLIP_TURN + 0.5 * m->turn;
	double a = along * along, b = SLIP_WAY * SLIP_WAY, cov[3][3];

	memcpy(cov, g->cov, sizeof(cov));
	cov[0][0] += u[0] * u[0] * a + u[1] * u[1] * b;
	cov[1][1] += u[1] * u[1] * a + u[0] * u[0] * b;
	cov[0][1] += u[0] * u[1] * (a - b);
	cov[1][0] = cov[0][1];
	cov[2][2] += turn * turn;
	was.th = pb_wrap(was.th + 0.5 * m->since.th);
	return pb_gauss_init(out, was, cov);
}

/*
 * The places there where the scan fits, although the wheels say that they are
 * more than three sigma away; those worth less than a thousandth of the
 * cluster are left out. They are another cluster, which has no particles yet.
 */
void
pb_mcl_look_slipped(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int c)
{
	const struct pb_mcl_cluster *o = &m->cluster[c];
	struct pb_mcl_cluster *slip = &m->cluster[m->nclusters];
	struct pb_pose back = {-m->since.x, -m->since.y, m->since.th};
	struct pb_pose was =
	    pb_pose_compose(o->g.mean, pb_pose_inverse(m->since));
	const struct pb_pose from[] = {
	    was, pb_pose_compose(was, back), o->g.mean};
	double best = o->log_w;

	if (m->nclusters == PB_MCL_CLUSTERS)
		return;
	*slip = (struct pb_mcl_cluster){
	    .w = o->w * k->o.slip, .label = -1, .mode = m->nmodes};
	if (!slipped(m, &o->g, was, &slip->g))
		return;
	for (int i = o->mode; i < o->mode + o->modes; i++)
		best = fmax(best, m->mode[i].log_mass);
	for (int i = 0; i < 3; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, &slip->g, from[i], &at) ||
		    o->g.log_norm - pb_gauss_log(&o->g, at.mean) < 0.5 * 3 * 3)
			continue;
		log_mass = mass(k, &m->scan, &at,
		    pb_log(slip->w) + pb_gauss_log(&slip->g, at.mean));
		if (log_mass > best - 7 && widen(&at))
			add_mode(m, &at, log_mass, m->nclusters);
	}
	slip->modes = m->nmodes - slip->mode;
	m->nclusters += slip->modes > 0;
}

/* All places of the map where the scan fits, before anything was known. */
void
pb_mcl_look_everywhere(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, double share)
{
	struct pb_mcl_window w = {
	    {0, 0}, {k->size_x, k->size_y}, 0, PB_PI + 0.1};
	struct pb_pose from[PB_MCL_MODES];
	double cell = k->field.resolution;
	double log_prior = pb_log(share) - pb_log((double)k->field.nfree *
						  cell * cell * 2 * PB_PI);
	int n = pb_mcl_search(m, k, &w, from, PB_MCL_MODES);

	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, NULL, from[i], &at))
			continue;
		log_mass = mass(k, &m->scan, &at, log_prior);
		if (widen(&at))
			add_mode(m, &at, log_mass, -1);
	}
}

/* How many particles to draw from each mode: by mass, all in all `draws`. */
static void
share_out(struct pb_mcl_mem *m, int draws)
{
	double top = -INFINITY, sum = 0;

	for (int i = 0; i < m->nmodes; i++)
		if (m->mode[i].log_mass > top)
			top = m->mode[i].log_mass;
	for (int i = 0; i < m->nmodes; i++)
		sum += pb_exp(m->mode[i].log_mass - top);
	for (int i = 0; i < m->nmodes; i++)
		m->mode[i].draws = (int)floor(
		    draws * pb_exp(m->mode[i].log_mass - top) / sum + 0.5);
}

/* Log of n_p p(x) + sum n_m q_m(x), the density that all of c's samples have.
 */
static double
density(const struct pb_mcl_mem *m, const struct pb_mcl_cluster *c,
    struct pb_pose x, double *log_prior)
{
	double p = pb_gauss_log(&c->g, x), q[PB_MCL_NEAR], sum;
	double top = c->n > 0 ? p : -INFINITY;

	*log_prior = p;
	for (int i = 0; i < c->modes; i++) {
		q[i] = pb_gauss_log(&m->mode[c->mode + i].g, x);
		top = q[i] > top ? q[i] : top;
	}
	sum = c->n > 0 ? c->n * pb_exp(p - top) : 0;
	for (int i = 0; i < c->modes; i++)
		sum += m->mode[c->mode + i].draws * pb_exp(q[i] - top);
	return top + pb_log(sum);
}

/*
 * Particles and draws together are one sample of a mixture; each weighs what
 * it ought to over the density of the mixture (Veach and Guibas, "Optimally
 * combining sampling techniques", 1995, the balance heuristic).
 */
static void
balance(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	const struct pb_mcl_bin *t =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_bin, table);
	const int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);

	for (int i = 0; i < m->n; i++) {
		int32_t c = t[slot[i]].label;
		double prior, mix;

		if (c < 0 || m->cluster[c].modes == 0)
			continue;
		mix = density(m, &m->cluster[c], p[i].at, &prior);
		p[i].w += pb_log(m->cluster[c].n) + prior - mix;
	}
}

/*
 * Append the draws to the n particles. Returns the first that may be anywhere.
 */
static int
draw(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int *n)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	double cell = k->field.resolution;
	double area = (double)k->field.nfree * cell * cell * 2 * PB_PI;
	int elsewhere = INT_MAX;

	for (int i = 0; i < m->nmodes; i++) {
		const struct pb_mcl_mode *o = &m->mode[i];
		bool near = o->cluster >= 0;
		double share = near ? pb_log(m->cluster[o->cluster].w)
		                    : -pb_log(area) - pb_log(o->draws);

		if (!near && *n < elsewhere)
			elsewhere = *n;
		for (int j = 0; j < o->draws && *n < 2 * k->o.most; j++) {
			struct pb_mcl_particle *q = &p[(*n)++];
			double prior, mix;

			q->at = pb_gauss_draw(&o->g, &m->rng);
			q->w = pb_mcl_fit(k, &m->scan, q->at);
			if (!near) {
				q->w += share - pb_gauss_log(&o->g, q->at);
				continue;
			}
			mix =
			    density(m, &m->cluster[o->cluster], q->at, &prior);
			q->w += share + prior - mix;
		}
	}
	return elsewhere;
}

/*
 * Draw about so many particles from the modes and append them to the n that
 * were weighed, all with the logarithm of their weight. Returns the first of
 * those that may be anywhere.
 */
int
pb_mcl_propose(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, int draws, int *n)
{
	share_out(m, draws);
	if (*n > 0)
		balance(m, k);
	return draw(m, k, n);
}
