/* operator.c - tests of a game that commands lead, and of its trace. */
#include "check.h"

#include "game/pacmanbot/round_state.h"
#include "io/play/play.h"

/*
 * A player that stands still and counts what it was taught; its memory is
 * what it knows.
 */
static int lessons, taught;
static struct pb_round_opts last;
static size_t bytes = 8;

static enum pb_status
learn(const void *world, const void *opts, void **model)
{
	size_t *k = malloc(sizeof(*k));

	(void)world;
	if (k == NULL)
		return PB_ENOMEM;
	*k = bytes;
	*model = k;
	last = *(const struct pb_round_opts *)opts;
	lessons++;
	taught++;
	return PB_OK;
}

static void
forget(void *model)
{
	lessons--;
	free(model);
}

static size_t
memory(const void *world, const void *opts, const void *model)
{
	(void)world;
	(void)opts;
	return *(const size_t *)model;
}

static void
decide(void *mem, const void *model, const void *v, struct pb_answer *out)
{
	(void)mem;
	(void)model;
	(void)v;
	(void)out;
}

static const struct pb_player statue = {.name = "statue",
    .summary = "stands still",
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .decide = decide};

/* What is wanted of a game in a hall of 6 x 5 m whose records are dropped. */
static struct pb_round_opts game;
static struct pb_session_opts session;
static const struct pb_play_opts wanted = {.game = &pb_game_pacmanbot,
    .player = &statue,
    .opts = &game,
    .session = &session};

static void
defaults(void)
{
	game = pb_round_defaults();
	session = (struct pb_session_opts){
	    .seed = 1, .rounds = 1, .trace = PB_TRACE_DEFAULT, .rate = 1};
}

static void
begin(struct pb_play *p)
{
	struct pb_map *m = &p->land.map;
	struct pb_ground ground;
	struct pb_error bad;

	taught = 0;
	bytes = 8;
	check(pb_play_open(p, &wanted));
	p->c.out.to = NULL;
	check_int(pb_map_init(m, 60, 50, 0.1, (struct pb_pose){0}), PB_OK);
	for (int y = 0; y < 50; y++)
		for (int x = 0; x < 60; x++)
			m->cell[y * 60 + x] =
			    x == 0 || y == 0 || x == 59 || y == 49 ? 100 : 0;
	p->land.has_map = true;
	ground = pb_play_ground(p);
	check(pb_play_on(p, &ground, &bad));
	check(pb_play_begin(p));
}

static void
command(struct pb_play *p, const char *name, const char *id)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	PB_REC_SET(c.name, name);
	pb_operator_command(p, &c, id);
}

static struct pb_rec_cmd
number(const char *name, double v)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NUM, .num = v};

	PB_REC_SET(c.name, name);
	return c;
}

test(kinds)
{
	struct pb_error bad;
	uint32_t set = 7;

	check(pb_opt_trace(&set, "state,obstacle", &bad));
	check_int(set, PB_TRACE_STATE | PB_TRACE_OBSTACLE);
	check(pb_opt_trace(&set, "all", &bad));
	check_int(set, 0xfff);
	check(pb_opt_trace(&set, "none", &bad));
	check_int(set, 0);
	check(!pb_opt_trace(&set, "state,,goal", &bad));
	check(!pb_opt_trace(&set, "states", &bad));
	check_int(set, 0);
}

test(ids)
{
	const long id[] = {7, 3};
	struct pb_trace t = {.id = id};

	check_int(pb_trace_id(&t, 0), 7);
	check_int(pb_trace_id(&t, 1), 3);
	check_int(pb_trace_id(&t, -1), -1);
	t.id = NULL;
	check_int(pb_trace_id(&t, 1), 1);
}

/* Start waits for an estimate; reset takes it back. */
test(start_waits)
{
	struct pb_play p;
	struct pb_error bad;

	defaults();
	begin(&p);
	command(&p, "start", "");
	check(p.wants && !p.started);
	command(&p, "reset", "controller");
	check(!p.wants);
	check(pb_operator_until(&p, 2, &bad));
	check(p.game->on_map->idle(p.state));
	command(&p, "start", "robot");
	check(!p.started);
	command(&p, "start", "");
	check(p.started);
	check(!pb_operator_until(&p, 4000, &bad));
	check_near(pb_play_time(&p), 2, 1e-9);
	pb_play_close(&p);
	check_int(lessons, 0);
}

test(values)
{
	struct pb_play p;
	struct pb_rec_cmd c;
	struct pb_error bad;
	const unsigned char *left;
	int n;

	defaults();
	begin(&p);
	c = number("speed", 0);
	check(!pb_operator_takes(&p, &c, "", &bad));
	check(!pb_operator_takes(&p, &c, "clyde", &bad));
	check(pb_operator_takes(&p, &c, "blinky", &bad));
	p.game->on_map->pellets(p.state, &n, &left);
	c = number("remove_pellet", n);
	check(!pb_operator_takes(&p, &c, "", &bad));
	c.num--;
	check(pb_operator_takes(&p, &c, "", &bad));
	pb_operator_command(&p, &c, "");
	p.game->on_map->pellets(p.state, &n, &left);
	check_int(left[n - 1], 0);
	pb_play_close(&p);
}

/* The player learns anew when Clyde's speed is another, and only then. */
test(lessons)
{
	struct pb_play p;
	struct pb_rec_cmd c = number("base_speed", 0.5);
	struct pb_error bad;

	defaults();
	begin(&p);
	check_int(taught, 1);
	check(pb_operator_until(&p, 1, &bad));
	command(&p, "start", "");
	check_int(taught, 1);
	command(&p, "reset", "");
	check(pb_operator_until(&p, 30, &bad));
	pb_operator_command(&p, &c, "");
	command(&p, "start", "");
	check_int(taught, 2);
	check_int(last.round, 1);
	check_near(last.clyde_speed, 0.5, 0);
	check_int(lessons, 1);
	pb_play_close(&p);
	check_int(lessons, 0);
}

/* A game never grows while it is played. */
test(lesson_of_another_size)
{
	struct pb_play p;
	size_t other = 9;

	defaults();
	begin(&p);
	check_int(p.game->on_map->set_model(p.state, &other), PB_EVALUE);
	other = 8;
	check_int(p.game->on_map->set_model(p.state, &other), PB_OK);
	check_int(p.game->on_map->set_model(p.state, p.known), PB_OK);
	pb_play_close(&p);
	check_int(lessons, 0);
}

/* A statue is caught or runs out of time; either way the game ends. */
test(ends)
{
	struct pb_play p;

	defaults();
	session.autostart = true;
	session.rounds = 3;
	game.duration = 100;
	begin(&p);
	pb_operator_finish(&p);
	check(pb_operator_over(&p));
	check_int(p.reported, 3);
	check_int(p.game->on_map->ended(p.state), 3);
	pb_play_close(&p);
}
