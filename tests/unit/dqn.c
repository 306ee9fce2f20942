/*
 * dqn.c - tests of the player dqn: its network against loops in double, with
 * weights made here; and against golden data, if they are there.
 */
#define CHECK_MAIN
#include "check.h"
#include "usual.h"

#include <jansson.h>

#include "io/play/weights_opt.h"
#include "io/stream/file.h"
#include "made_weights.h"
#include "pb/match.h"
#include "policy/pacbot_dqn.h"
#include "policy/pacbot_search.h"
#include "policy/players.h"

static struct pb_maze maze;
static struct pb_match_board board;

static struct pb_tensors
read_made(uint64_t seed, int odd)
{
	struct made_file f = made_qnet(seed, odd);
	struct pb_tensors t = {.n = 0};
	struct pb_error bad;

	check_int(pb_safetensors_decode(f.s, f.n, "made", &t, &bad), 0);
	free(f.s);
	return t;
}

static double
silu(double x)
{
	return x / (1 + exp(-x));
}

/* Planes of numbers: channel, row, column. */
struct planes {
	int n, rows, cols;
	double v[32 * 1024];
};

static double
cell(const struct planes *p, int i, int row, int col)
{
	if (row < 0 || row >= p->rows || col < 0 || col >= p->cols)
		return 0;
	return p->v[(i * p->rows + row) * p->cols + col];
}

/* The obvious twin: k x k sums, in groups. */
static void
convolve(struct planes *out, const struct planes *in, const float *w,
    const float *bias, int n, int k, int groups)
{
	int each = in->n / groups;

	*out = (struct planes){n, in->rows, in->cols, {0}};
	for (int o = 0; o < n; o++)
		for (int r = 0; r < in->rows; r++)
			for (int c = 0; c < in->cols; c++) {
				double sum = bias[o];

				for (int i = 0; i < each; i++)
					for (int a = 0; a < k; a++)
						for (int b = 0; b < k; b++)
							sum +=
							    (double)
								w[((o * each +
								       i) *
									  k +
								      a) *
									k +
								    b] *
							    cell(in,
								o / (n / groups) *
									each +
								    i,
								r + a - k / 2,
								c + b - k / 2);
				out->v[(o * in->rows + r) * in->cols + c] = sum;
			}
}

/* The largest of 2 x 2 cells, or of all. */
static void
pool(struct planes *p, int side)
{
	struct planes *in = malloc(sizeof(*in));

	*in = *p;
	p->rows = (in->rows + side - 1) / side;
	p->cols = (in->cols + side - 1) / side;
	for (int i = 0; i < in->n; i++)
		for (int r = 0; r < p->rows; r++)
			for (int c = 0; c < p->cols; c++) {
				double most = -INFINITY;

				for (int a = r * side;
				     a < r * side + side && a < in->rows; a++)
					for (int b = c * side;
					     b < c * side + side &&
					     b < in->cols;
					     b++)
						most = fmax(
						    most, cell(in, i, a, b));
				p->v[(i * p->rows + r) * p->cols + c] = most;
			}
	free(in);
}

static void
activate(struct planes *p)
{
	for (int i = 0; i < p->n * p->rows * p->cols; i++)
		p->v[i] = silu(p->v[i]);
}

static const float *
tensor(const struct pb_tensors *t, const char *name)
{
	return pb_tensor_find(t, name)->value;
}

/* The whole network, layer by layer. */
static void
twin(const struct pb_tensors *t, const float *in, double q[PB_QNET_ACTIONS])
{
	static const struct {
		const char *w, *b;
		int n, k, groups, pool;
	} layer[] = {{"backbone.0.weight", "backbone.0.bias", 16, 5, 1, 1},
	    {"backbone.2.weight", "backbone.2.bias", 32, 3, 1, 2},
	    {"backbone.5.weight", "backbone.5.bias", 64, 3, 1, 2},
	    {"backbone.8.weight", "backbone.8.bias", 128, 3, 1, 2},
	    {"backbone.11.weight", "backbone.11.bias", 128, 3, 8, 4},
	    {"backbone.15.weight", "backbone.15.bias", 256, 1, 1, 1},
	    {"value_head.0.weight", "value_head.0.bias", 1, 1, 1, 0},
	    {"advantage_head.0.weight", "advantage_head.0.bias", 5, 1, 1, 0}};
	struct planes *p = calloc(1, sizeof(*p)), *o = calloc(1, sizeof(*o));
	double v = 0, mean = 0;

	*p = (struct planes){PB_QNET_PLANES, PB_QNET_ROWS, PB_QNET_COLS, {0}};
	for (int i = 0; i < PB_QNET_INPUTS; i++)
		p->v[i] = in[i];
	for (int i = 0; i < 8; i++) {
		convolve(o, p, tensor(t, layer[i].w), tensor(t, layer[i].b),
		    layer[i].n, layer[i].k, layer[i].groups);
		if (i == 6)
			v = o->v[0];
		if (i >= 6)
			continue;
		if (layer[i].pool > 1)
			pool(o, layer[i].pool);
		*p = *o;
		activate(p);
	}
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		mean += o->v[i] / PB_QNET_ACTIONS;
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		q[i] = v - mean + o->v[i];
	free(p);
	free(o);
}

static void
check_values(const struct pb_tensors *t, const float *in)
{
	struct pb_qnet *n = pb_qnet_new(t);
	void *mem = malloc(pb_qnet_memory());
	float q[PB_QNET_ACTIONS], again[PB_QNET_ACTIONS];
	double want[PB_QNET_ACTIONS], most = 0;

	pb_qnet_values(n, in, mem, q);
	/* What was in the memory before means nothing. */
	memset(mem, 0x5a, pb_qnet_memory());
	pb_qnet_values(n, in, mem, again);
	check(memcmp(q, again, sizeof(q)) == 0);
	twin(t, in, want);
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		most = fmax(most, fabs(want[i]));
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		check_near(q[i], want[i], 2e-5 * most);
	check(most > 0.01 && most < 1e4);
	free(mem);
	pb_qnet_free(n);
}

test(network)
{
	static float in[PB_QNET_INPUTS];
	struct pb_rng r = draws(1, PB_FOR_PLAYER);

	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct pb_tensors t = read_made(seed, -1);

		for (int i = 0; i < PB_QNET_INPUTS; i++)
			in[i] = seed > 1 && pb_rng_unit(&r) < 0.9
			            ? 0
			            : (float)pb_rng_unit(&r);
		check_values(&t, in);
		pb_tensors_clear(&t);
	}
}

test(silu)
{
	float x[4096], y[4096];

	for (int i = 0; i < 4096; i++)
		x[i] = y[i] = (float)(i - 2048) / 16;
	pb_net_silu(y, 4096);
	for (int i = 0; i < 4096; i++)
		check_near(y[i], silu(x[i]), 1e-6 * fabs(silu(x[i])) + 1e-35);
}

static struct pb_pacbot
game(void)
{
	struct pb_pacbot s;

	pb_pacbot_init(&s, &board.rules, PB_ARCADE_GHOSTS);
	s.paused = false;
	return s;
}

static float
seen(const float *in, int plane, int row, int col)
{
	return in[(plane * 28 + col) * 31 + 30 - row];
}

/* What is in the planes, place by place. */
test(look)
{
	static float in[PB_QNET_INPUTS];
	struct pb_pacbot s = game();
	int walls = 0;

	s.combo = 2;
	s.fruit_steps = 3;
	s.ghost[PB_PINK].loc = (struct pb_at){3, 1, PB_UP};
	s.ghost[PB_PINK].fright = 10;
	s.ghost[PB_CYAN].loc = PB_NOWHERE;
	s.ghost[PB_RED].loc = (struct pb_at){11, 13, PB_LEFT};
	pb_qnet_encode(&s, &board, 6, in);
	for (int i = 0; i < 28 * 31; i++)
		walls += in[i] == 1;
	check_int(walls, 580);
	check(seen(in, 0, 13, 13) == 1 && seen(in, 0, 23, 13) == 0);
	check(seen(in, 1, 1, 1) == 0.05f && seen(in, 1, 17, 13) == 0.5f);
	check(seen(in, 1, 3, 1) == 4.25f && seen(in, 1, 3, 26) == 0.25f);
	check(seen(in, 2, 23, 13) == 1 && seen(in, 3, 23, 13) == 1);
	check(seen(in, 4, 11, 13) == 1 && seen(in, 8, 11, 13) == 1);
	check(seen(in, 12, 11, 13) == 60 / 180.0f);
	check(seen(in, 13, 11, 13) == 0 && seen(in, 12, 3, 1) == 0);
	check(seen(in, 14, 3, 1) == 0.25f && seen(in, 15, 30, 27) == 0.5f);
	check(seen(in, 16, 23, 26) == 1 && seen(in, 16, 1, 1) == 0);
	for (int i = 0; i < 28 * 31; i++)
		check(in[6 * 28 * 31 + i] == 0);
	memset(s.pellets, 0, sizeof(s.pellets));
	s.pellets[1] = 1u << 1;
	s.mode = PB_CHASE;
	pb_qnet_encode(&s, &board, 6, in);
	check_near(seen(in, 1, 1, 1), 15.05, 1e-6);
	check(seen(in, 13, 11, 13) == 60 / 180.0f);
}

/* A player with these weights. */
static struct pb_player_state
sit(struct pb_match_opts *o, const struct pb_weights *w)
{
	struct pb_player_state t = {
	    .world = &board, .opts = o, .player = &pb_bot_dqn};

	o->weights = w;
	check_int(pb_player_load(&t, &pb_game_pacbot), PB_OK);
	return t;
}

static enum pb_dir
ask(const struct pb_player_state *t, const struct pb_pacbot *s)
{
	const struct pb_bot_view v = {s, &board, t->opts, NULL};

	return pb_player_ask(t, &v);
}

/* Three ghosts and a wall leave one way; a power pellet lifts the ban. */
test(masks)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_weights w = {{read_made(1, -1), read_made(2, -1)}, 2, 0};
	struct pb_player_state t = sit(&o, &w);
	struct pb_pacbot s = game();

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		s.ghost[i].loc = PB_NOWHERE;
	/* In the corridor of row 29, a ghost beside him on the left. */
	s.pac = (struct pb_at){29, 10, PB_LEFT};
	s.ghost[PB_RED].loc = (struct pb_at){29, 9, PB_RIGHT};
	check_int(ask(&t, &s), PB_RIGHT);
	s.ghost[PB_RED].loc = (struct pb_at){29, 11, PB_RIGHT};
	check_int(ask(&t, &s), PB_LEFT);
	/* Both ways: nothing is left but to stay. */
	s.ghost[PB_PINK].loc = (struct pb_at){29, 9, PB_RIGHT};
	check_int(ask(&t, &s), PB_STAY);
	/* Above the power pellet at (23, 1), ghosts above and below it. */
	s.pac = (struct pb_at){22, 1, PB_UP};
	s.ghost[PB_RED].loc = (struct pb_at){21, 1, PB_DOWN};
	s.ghost[PB_PINK].loc = (struct pb_at){23, 2, PB_LEFT};
	check_int(ask(&t, &s), PB_DOWN);
	/* In a wall: stay. */
	s.pac = (struct pb_at){0, 0, PB_UP};
	check_int(ask(&t, &s), PB_STAY);
	pb_player_unload(&t, &pb_game_pacbot);
	pb_weights_clear(&w);
}

/* What is no network for it, it does not take. */
test(plan)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_weights w = {{read_made(1, -1), read_made(2, 3)}, 2, 0};
	struct pb_player_state t = {
	    .world = &board, .opts = &o, .player = &pb_bot_dqn};
	struct pb_weights_misfit m;

	check(pb_player_load(&t, &pb_game_pacbot) == PB_EVALUE);
	o.weights = &w;
	check(pb_player_load(&t, &pb_game_pacbot) == PB_EVALUE);
	m = pb_weights_check(pb_bot_dqn.weights, &w);
	check_int(m.fault, PB_WEIGHTS_LACK);
	check_int(m.file, 1);
	check_str(m.want->name, "backbone.2.bias");
	pb_tensors_clear(&w.file[1]);
	w.files = 1;
	check_int(
	    pb_weights_check(pb_bot_dqn.weights, &w).fault, PB_WEIGHTS_COUNT);
	w.file[w.files++] = read_made(2, -1);
	check_int(
	    pb_weights_check(pb_bot_dqn.weights, &w).fault, PB_WEIGHTS_FIT);
	w.file[1].at[4].side[2] = 5;
	m = pb_weights_check(pb_bot_dqn.weights, &w);
	check_int(m.fault, PB_WEIGHTS_SHAPE);
	pb_weights_clear(&w);
}

/* Other weights are another trial, of another player; other players' are as
 * they were. */
test(credit)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_weights w = {.files = 1, .hash = 5};
	struct pb_trial a = {.options = 12}, b = a;

	w.file[0] = read_made(1, -1);
	o.weights = &w;
	pb_game_credit(&pb_game_pacbot, &pb_bot_dqn, &o, &a);
	check_str(a.policy, "dqn");
	check(a.weights == 5 && a.options == (12 ^ 5));
	pb_game_credit(&pb_game_pacbot, pb_pacbot_players[0], &o, &b);
	check(b.weights == 0 && b.options == 12);
	pb_game_credit(&pb_game_pacbot, &pb_bot_quick, &o, &b);
	check(b.weights == 0 && b.options == 12);
	check(pb_game_fingerprint(&pb_game_pacbot, &o, NULL, "dqn") ==
	      (o.weights = NULL,
		  pb_game_fingerprint(&pb_game_pacbot, &o, NULL, "dqn")));
	/* Nodes are of players that search. */
	o.nodes = 9;
	a = b = (struct pb_trial){.options = 12};
	pb_game_credit(&pb_game_pacbot, &pb_bot_dqn, &o, &a);
	check(a.own == 0 && a.options == 12);
	pb_game_credit(&pb_game_pacbot, &pb_bot_search, &o, &b);
	check(b.own != 0 && b.options == (12 ^ b.own));
	pb_weights_clear(&w);
}

/* A copy of a match goes on as the match itself. */
test(copy)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_weights w = {{read_made(1, -1), read_made(2, -1)}, 2, 0};
	const struct pb_game *g = &pb_game_pacbot;
	struct pb_trial r[2] = {{.seed = 1}, {.seed = 1}};
	void *model, *a, *b;

	o.weights = &w;
	o.lives = 1;
	check_int(pb_game_learn(g, &pb_bot_dqn, &board, &o, &model), PB_OK);
	check_int(pb_game_open(g, &a, &board, &o, &pb_bot_dqn, model), PB_OK);
	check_int(pb_game_open(g, &b, &board, &o, &pb_bot_dqn, model), PB_OK);
	pb_game_start(g, a, 1, 0, NULL);
	for (int i = 0; i < 200; i++)
		pb_game_step(g, a, NULL);
	pb_game_copy(g, b, a);
	while (pb_game_step(g, a, NULL))
		;
	while (pb_game_step(g, b, NULL))
		;
	pb_game_result(g, a, &r[0]);
	pb_game_result(g, b, &r[1]);
	check(r[0].hash == r[1].hash && r[0].time == r[1].time);
	check(r[0].decisions > 0);
	pb_game_close(g, a);
	pb_game_close(g, b);
	pb_game_forget(g, &pb_bot_dqn, model);
	pb_weights_clear(&w);
}

/* Golden data, of the weights that were published. */
#define DIR "../shared/data/dqn/"

static struct pb_weights published;
static struct pb_qnet *net[2];

static bool
have_published(void)
{
	static const char *const path[] = {
	    DIR "q_net.safetensors", DIR "endgame.safetensors"};
	const struct pb_file_look any = {.most = {PB_SAFETENSORS_BYTES, ""}};
	struct pb_error bad;
	char *bytes;
	size_t n;

	for (int i = 0; i < 2; i++) {
		if (pb_file_read(path[i], &any, &bytes, &n, &bad) != 0)
			return false;
		check_int(pb_safetensors_decode(
			      bytes, n, path[i], &published.file[i], &bad),
		    0);
		free(bytes);
		published.files++;
		net[i] = pb_qnet_new(&published.file[i]);
	}
	return true;
}

static int
digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Frames with what no server sends in a byte that the network does not see are
 * taken, too. */
static bool
unframe(const char *hex, struct pb_pacbot *s)
{
	uint8_t frame[PB_PACBOT_FRAME];

	for (int i = 0; i < PB_PACBOT_FRAME; i++)
		frame[i] =
		    (uint8_t)(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
	return pb_pacbot_unframe(s, frame) < 0;
}

/* NULL: he is nowhere, and stays there. */
static enum pb_dir
dir_named(const char *name)
{
	int d = name ? pb_dir_of(name) : PB_STAY;

	return (enum pb_dir)(d < PB_STAY ? d : PB_STAY);
}

static void
check_golden(
    const json_t *j, struct pb_match_opts *o, const struct pb_player_state *t)
{
	static const char *const name[] = {"q_net", "endgame"};
	static float in[PB_QNET_INPUTS];
	void *mem = malloc(pb_qnet_memory());
	struct pb_pacbot s;
	float q[PB_QNET_ACTIONS];
	int nonzero = 0;

	check(unframe(json_string_value(json_object_get(j, "frame")), &s));
	o->ticks_per_cell =
	    (int)json_integer_value(json_object_get(j, "ticks_per_step"));
	pb_qnet_encode(&s, &board, o->ticks_per_cell, in);
	for (int c = 0; c < PB_QNET_PLANES; c++) {
		double sum = 0;

		for (int i = 0; i < 28 * 31; i++) {
			sum += in[c * 28 * 31 + i];
			nonzero += in[c * 28 * 31 + i] != 0;
		}
		check_near(sum,
		    json_number_value(json_array_get(
			json_object_get(j, "obs_channel_sums"), (size_t)c)),
		    1e-3);
	}
	check_int(
	    nonzero, json_integer_value(json_object_get(j, "obs_nonzero")));
	for (int i = 0; i < 2; i++) {
		const json_t *want =
		    json_object_get(json_object_get(j, "q"), name[i]);

		pb_qnet_values(net[i], in, mem, q);
		for (int a = 0; a < PB_QNET_ACTIONS; a++)
			check_near(q[a],
			    json_number_value(json_array_get(want, (size_t)a)),
			    1e-3);
	}
	check_int(ask(t, &s),
	    dir_named(json_string_value(json_object_get(j, "hybrid_action"))));
	free(mem);
}

/* Each of the n cases of a file, if the published weights are there. */
static void
check_file(const char *path, int n,
    void (*f)(
	const json_t *, struct pb_match_opts *, const struct pb_player_state *))
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_player_state t;
	FILE *in;
	json_t *j;

	if (published.files < 2)
		return;
	in = fopen(path, "r");
	t = sit(&o, &published);
	while (in && (j = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL))) {
		f(j, &o, &t);
		json_decref(j);
		n--;
	}
	check_int(n, 0);
	pb_player_unload(&t, &pb_game_pacbot);
	fclose(in);
}

test(golden)
{
	check_file(DIR "dqn-golden.jsonl", 119, check_golden);
}

/* A match that was recorded: what was decided when. */
struct recorded {
	const json_t *decisions;
	size_t n;    /* so far */
	bool unsure; /* a margin was too small to go on */
	int wrong;
	const struct pb_player_state *ps;
	const struct pb_match *m;
};

static enum pb_dir
compare(void *ctx, const void *view)
{
	struct recorded *r = ctx;
	const json_t *d = json_array_get(r->decisions, r->n++);
	const json_t *margin = json_array_get(d, 3);
	enum pb_dir got = pb_player_ask(r->ps, view);

	r->unsure |= json_is_number(margin) && json_number_value(margin) < 1e-3;
	r->wrong +=
	    !r->unsure &&
	    (got != dir_named(json_string_value(json_array_get(d, 2))) ||
		r->m->out.ticks != json_integer_value(json_array_get(d, 0)));
	return got;
}

static void
check_match(
    const json_t *j, struct pb_match_opts *o, const struct pb_player_state *t)
{
	void *m;
	struct recorded r = {
	    .decisions = json_object_get(j, "decisions"), .ps = t};
	const struct pb_agents agents = {.ctx = &r, .decide = compare};

	check_int(
	    pb_game_open(&pb_game_pacbot, &m, &board, o, &pb_bot_dqn, t->model),
	    PB_OK);
	r.m = m;
	pb_game_start(&pb_game_pacbot, m,
	    (uint64_t)json_integer_value(json_object_get(j, "seed")), 0,
	    &agents);
	while (pb_game_step(&pb_game_pacbot, m, &agents) && !r.unsure)
		;
	check_int(r.wrong, 0);
	check(r.n > 20);
	pb_game_close(&pb_game_pacbot, m);
}

test(matches)
{
	check_file(DIR "dqn-match.jsonl", 6, check_match);
}

int
main(void)
{
	pb_maze_standard("pacman", &maze);
	if (pb_match_board_init(&board, &maze) != PB_OK)
		return 3;
	if (!have_published())
		printf("# golden data skipped: no " DIR "\n");
	run_tests();
	pb_qnet_free(net[0]);
	pb_qnet_free(net[1]);
	pb_weights_clear(&published);
	pb_match_board_clear(&board);
	return done();
}
