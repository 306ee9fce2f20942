/* operator.c - what the operator of a pacmanbot game can say. */
#include <string.h>

#include "io/sim/session.h"
#include "io/stream/msg.h"

static void
start(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	pb_session_start(s);
}

static void
reset(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	s->wants = false;
	pb_round_press_reset(s->round);
}

static void
reset_pellets(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	pb_round_reset_pellets(s->round);
}

static void
reset_ghosts(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	pb_round_reset_clyde(s->round);
}

/* Index of the pellet with that id, -1 if there is none. */
static int
pellet_of(const struct pb_session *s, double id)
{
	for (int i = 0; i < s->arena->n; i++)
		if ((double)pb_trace_id(&s->trace, i) == id)
			return i;
	return -1;
}

static bool
is_pellet(const struct pb_session *s, const struct pb_rec_cmd *c,
    struct pb_error *bad)
{
	if (c->kind != PB_VALUE_NUM)
		return pb_error_set(
		    bad, "cmd.value: expected the number of a pellet");
	return pellet_of(s, c->num) >= 0 ||
	       pb_error_set(bad, "cmd.value: no pellet %.15g", c->num);
}

static void
remove_pellet(struct pb_session *s, const struct pb_rec_cmd *c)
{
	if (pb_round_remove(s->round, pellet_of(s, c->num)) != PB_OK)
		pb_msg_note("t %g: pellet %.0f is gone already",
		    pb_round_time(s->round), c->num);
}

/* As published: a click while he runs is ignored, one into a wall is not. */
static bool
is_place(const struct pb_session *s, const struct pb_rec_cmd *c,
    struct pb_error *bad)
{
	struct pb_cell at;

	if (c->kind != PB_VALUE_POINT)
		return pb_error_set(bad, "cmd.value: expected a point [x, y]");
	at = pb_clyde_cell(&s->arena->clyde, c->point);
	return pb_clyde_safe(&s->arena->clyde, at) ||
	       pb_round_state(s->round) == PB_RUNNING ||
	       pb_error_set(bad,
		   "cmd.value: (%g, %g) is no place for Clyde: a wall, too "
		   "near one, or outside the map",
		   c->point.x, c->point.y);
}

static void
spawn(struct pb_session *s, const struct pb_rec_cmd *c)
{
	if (pb_round_click(s->round, c->point) != PB_OK)
		pb_msg_note("t %g: spawn ignored: the round is running",
		    pb_round_time(s->round));
}

static bool
is_speed(const struct pb_session *s, const struct pb_rec_cmd *c,
    struct pb_error *bad)
{
	(void)s;
	if (c->kind != PB_VALUE_NUM)
		return pb_error_set(bad, "cmd.value: expected a speed in m/s");
	return (c->num > 0 && c->num <= 100) ||
	       pb_error_set(bad,
		   "cmd.value: expected a speed above 0 and up to 100 m/s, "
		   "got %g",
		   c->num);
}

static void
speed(struct pb_session *s, const struct pb_rec_cmd *c)
{
	pb_round_clyde_speed(s->round, c->num);
}

static void
base_speed(struct pb_session *s, const struct pb_rec_cmd *c)
{
	pb_round_base_speed(s->round, c->num);
}

/*
 * What an operator can say, the node whose id it may carry, which values it
 * can take (NULL: whatever), and what it does.
 */
static const struct command {
	const char *name, *node;
	bool (*takes)(const struct pb_session *s, const struct pb_rec_cmd *c,
	    struct pb_error *bad);
	void (*act)(struct pb_session *s, const struct pb_rec_cmd *c);
} command[] = {
    {"start", "controller", NULL, start},
    {"reset", "controller", NULL, reset},
    {"base_speed", "controller", is_speed, base_speed},
    {"speed", "clyde", is_speed, speed},
    {"spawn", "clyde", is_place, spawn},
    {"reset_ghosts", "clyde", NULL, reset_ghosts},
    {"remove_pellet", "pellets", is_pellet, remove_pellet},
    {"reset_pellets", "pellets", NULL, reset_pellets},
};

/* The command meant, NULL if it is for nobody here. */
static const struct command *
find(const char *name, const char *id)
{
	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		if (strcmp(name, command[i].name) == 0 &&
		    (id[0] == '\0' || strcmp(id, command[i].node) == 0))
			return &command[i];
	return NULL;
}

bool
pb_session_takes(const struct pb_session *s, const struct pb_rec_cmd *c,
    const char *id, struct pb_error *bad)
{
	const struct command *v = find(c->name, id);

	return v == NULL || v->takes == NULL || v->takes(s, c, bad);
}

void
pb_session_command(
    struct pb_session *s, const struct pb_rec_cmd *c, const char *id)
{
	const struct command *v = find(c->name, id);

	if (v != NULL && !pb_session_over(s))
		v->act(s, c);
}
