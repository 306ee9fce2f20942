/* session.c - tests of a game commanded by records, and of its trace. */
#include "check.h"

#include <string.h>

#include "io/play/pacmanbot_session.h"

/*
 * A player that stands still and counts what it was taught; its memory is
 * what it knows.
 */
static int lessons, taught;
static struct pb_round_opts last;
static size_t bytes = 8;

static enum pb_status
learn(const void *world, const void *opts, void **known)
{
	size_t *k = malloc(sizeof(*k));

	(void)world;
	if (k == NULL)
		return PB_ENOMEM;
	*k = bytes;
	*known = k;
	last = *(const struct pb_round_opts *)opts;
	lessons++;
	taught++;
	return PB_OK;
}

static void
forget(void *known)
{
	lessons--;
	free(known);
}

static size_t
memory(const void *world, const void *opts, const void *known)
{
	(void)world;
	(void)opts;
	return *(const size_t *)known;
}

static void
decide(void *mem, const void *known, const void *v, struct pb_answer *out)
{
	(void)mem;
	(void)known;
	(void)v;
	(void)out;
}

static const struct pb_player statue = {.name = "statue",
    .summary = "stands still",
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .decide = decide};

/* A hall of 6 x 5 m, and a session in it whose records are dropped. */
static struct pb_session
session(struct pb_text *out)
{
	struct pb_session s = {.o = {.game = pb_round_defaults(),
				   .player = &statue,
				   .seed = 1,
				   .rounds = 1,
				   .max_gap = 3600,
				   .trace = PB_TRACE_DEFAULT,
				   .period = 1}};
	struct pb_map *m = &s.world.map;

	s.out = out;
	taught = 0;
	bytes = 8;
	check_int(pb_map_init(m, 60, 50, 0.1, (struct pb_pose){0}), PB_OK);
	for (int y = 0; y < 50; y++)
		for (int x = 0; x < 60; x++)
			m->cell[y * 60 + x] =
			    x == 0 || y == 0 || x == 59 || y == 49 ? 100 : 0;
	s.world.has_map = true;
	return s;
}

static struct pb_rec_cmd
number(const char *name, double v)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NUM, .num = v};

	PB_REC_SET(c.name, name);
	return c;
}

static void
test_kinds(void)
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

static void
test_ids(void)
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
static void
test_start_waits(void)
{
	struct pb_text out = {0};
	struct pb_session s = session(&out);
	struct pb_error bad;

	check(pb_session_begin(&s, &bad));
	pb_session_command(&s, &(struct pb_rec_cmd){"start"}, "");
	check(s.wants && !s.started);
	pb_session_command(&s, &(struct pb_rec_cmd){"reset"}, "controller");
	check(!s.wants);
	check(pb_session_until(&s, 2, &bad));
	check_int(pb_round_state(s.round), PB_MENU);
	pb_session_command(&s, &(struct pb_rec_cmd){"start"}, "robot");
	check(!s.started);
	pb_session_command(&s, &(struct pb_rec_cmd){"start"}, "");
	check(s.started);
	check(!pb_session_until(&s, 4000, &bad));
	check_near(pb_round_time(s.round), 2, 1e-9);
	pb_session_clear(&s);
	pb_text_clear(&out);
	check_int(lessons, 0);
}

static void
test_values(void)
{
	struct pb_text out = {0};
	struct pb_session s = session(&out);
	struct pb_rec_cmd c;
	struct pb_error bad;

	check(pb_session_begin(&s, &bad));
	c = number("speed", 0);
	check(!pb_session_takes(&s, &c, "", &bad));
	check(!pb_session_takes(&s, &c, "clyde", &bad));
	check(pb_session_takes(&s, &c, "blinky", &bad));
	c = number("remove_pellet", s.arena->n);
	check(!pb_session_takes(&s, &c, "", &bad));
	c.num--;
	check(pb_session_takes(&s, &c, "", &bad));
	pb_session_command(&s, &c, "");
	check_int(pb_round_left(s.round)[s.arena->n - 1], 0);
	pb_session_clear(&s);
	pb_text_clear(&out);
}

/* The player learns anew when Clyde's speed is another, and only then. */
static void
test_lessons(void)
{
	struct pb_text out = {0};
	struct pb_session s = session(&out);
	struct pb_rec_cmd c = number("base_speed", 0.5);
	struct pb_error bad;

	check(pb_session_begin(&s, &bad));
	check_int(taught, 1);
	check(pb_session_until(&s, 1, &bad));
	pb_session_command(&s, &(struct pb_rec_cmd){"start"}, "");
	check_int(taught, 1);
	pb_session_command(&s, &(struct pb_rec_cmd){"reset"}, "");
	check(pb_session_until(&s, 30, &bad));
	pb_session_command(&s, &c, "");
	pb_session_command(&s, &(struct pb_rec_cmd){"start"}, "");
	check_int(taught, 2);
	check_int(last.round, 1);
	check_near(last.clyde_speed, 0.5, 0);
	check_int(lessons, 1);
	pb_session_clear(&s);
	pb_text_clear(&out);
	check_int(lessons, 0);
}

/* A game never grows while it is played. */
static void
test_lesson_of_another_size(void)
{
	struct pb_text out = {0};
	struct pb_session s = session(&out);
	size_t other = 9;
	struct pb_error bad;

	check(pb_session_begin(&s, &bad));
	check_int(pb_round_teach(s.round, &other), PB_EVALUE);
	other = 8;
	check_int(pb_round_teach(s.round, &other), PB_OK);
	check_int(pb_round_teach(s.round, s.known), PB_OK);
	pb_session_clear(&s);
	pb_text_clear(&out);
	check_int(lessons, 0);
}

/* A statue is caught or runs out of time; either way the session ends. */
static void
test_ends(void)
{
	struct pb_text out = {0};
	struct pb_session s = session(&out);
	struct pb_error bad;

	s.o.autostart = true;
	s.o.rounds = 3;
	s.o.game.duration = 100;
	check(pb_session_begin(&s, &bad));
	pb_session_finish(&s);
	check(pb_session_over(&s));
	check_int(s.played, 3);
	check(!s.waits && !out.failed);
	pb_session_clear(&s);
	pb_text_clear(&out);
}

int
main(void)
{
	run(test_kinds);
	run(test_ids);
	run(test_start_waits);
	run(test_values);
	run(test_lessons);
	run(test_lesson_of_another_size);
	run(test_ends);
	return done();
}
