/* controller.c - the published game controller as a state machine. */
#include "game/pacmanbot/round_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *
pb_state_name(enum pb_state s)
{
	static const char *const name[] = {"menu", "returning_home", "starting",
	    "running", "dying", "complete"};

	return name[s];
}

const char *
pb_node_message_name(enum pb_node_message s)
{
	static const char *const name[] = {
	    [PB_MSG_COLLECTED] = "pellet_collected",
	    [PB_MSG_COMPLETE] = "game_complete",
	    [PB_MSG_DEATH] = "death_detected",
	    [PB_MSG_HOME] = "home_reached",
	    [PB_MSG_HOME_FAILED] = "home_failed"};

	return name[s];
}

const char *
pb_act_name(enum pb_act a)
{
	static const char *const name[] = {"disable", "enable", "reset_round",
	    "return_home", "event", "reset_pellets", "reset_clyde", "speed",
	    "state", "counts", "result"};

	return name[a];
}

/* A full list drops actions. One input makes fewer than PB_ACTIONS, so this
 * happens only if the caller never empties the list. */
static void
add_action(
    struct pb_controller *c, enum pb_act a, double value, const char *text)
{
	if (c->actions < PB_ACTIONS)
		c->action[c->actions++] = (struct pb_action){a, value, text};
}

static void
enter_state(struct pb_controller *c, enum pb_state s)
{
	c->state = s;
	add_action(c, PB_ACT_STATE, s, pb_state_name(s));
}

static void
add_state_action(struct pb_controller *c)
{
	add_action(c, PB_ACT_STATE, c->state, pb_state_name(c->state));
	add_action(c, PB_ACT_RESULT, 0, NULL);
	add_action(c, PB_ACT_COUNTS, 0, NULL);
}

char *
pb_append_int(char *p, int n)
{
	char digit[12];
	int k = 0;

	do
		digit[k++] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	while (k > 0)
		*p++ = digit[--k];
	*p = '\0';
	return p;
}

/* "<what> - Score: N<tail>" */
static void
set_result(struct pb_controller *c, const char *what, const char *tail)
{
	char *p = c->result;

	memcpy(p, what, strlen(what));
	p += strlen(what);
	memcpy(p, " - Score: ", 10);
	p = pb_append_int(p + 10, c->score);
	memcpy(p, tail, strlen(tail) + 1);
	add_action(c, PB_ACT_RESULT, 0, NULL);
}

double
pb_controller_speed(const struct pb_controller *c)
{
	return c->base_speed + c->step * (c->round - 1);
}

/* Which parts of the game a reset of the round clears. */
enum { KEEP = 0, CLEAR_RESULT = 1, RESET_GAME = 2, TO_MENU = 4 };

static void
reset_round(struct pb_controller *c, int how)
{
	add_action(c, PB_ACT_DISABLE, 0, NULL);
	add_action(c, PB_ACT_RESET_ROUND, 0, NULL);
	add_action(c, PB_ACT_EVENT, 0, "reset");
	add_action(c, PB_ACT_RESET_PELLETS, 0, NULL);
	add_action(c, PB_ACT_RESET_CLYDE, 0, NULL);
	if (how & RESET_GAME) {
		c->round = 1;
		c->score = 0;
	}
	c->collected = 0;
	c->spawned = 0;
	c->awaiting = true;
	memset(c->seen, 0, sizeof(c->seen));
	if (how & CLEAR_RESULT)
		c->result[0] = '\0';
	if (how & TO_MENU)
		c->state = PB_MENU;
	add_action(c, PB_ACT_SPEED, pb_controller_speed(c), NULL);
	add_state_action(c);
}

void
pb_controller_init(struct pb_controller *c, double base, double step,
    double theatrical, double death_show)
{
	*c = (struct pb_controller){
	    .state = PB_MENU,
	    .until = -1,
	    .theatrical = theatrical,
	    .death_show = death_show,
	    .base_speed = base,
	    .step = step,
	    .round = 1,
	    .awaiting = true,
	};
	add_action(c, PB_ACT_DISABLE, 0, NULL);
	add_action(c, PB_ACT_SPEED, pb_controller_speed(c), NULL);
	add_state_action(c);
}

bool
pb_controller_start(struct pb_controller *c)
{
	if (c->state != PB_MENU)
		return false;
	reset_round(c, CLEAR_RESULT);
	c->pending = PB_PENDING_START;
	enter_state(c, PB_RETURNING_HOME);
	add_action(c, PB_ACT_RETURN_HOME, 0, NULL);
	return true;
}

void
pb_controller_reset(struct pb_controller *c)
{
	c->until = -1;
	c->pending = PB_PENDING_NONE;
	reset_round(c, CLEAR_RESULT | RESET_GAME | TO_MENU);
}

static void
complete_round(struct pb_controller *c)
{
	enter_state(c, PB_COMPLETE);
	c->until = -1;
	set_result(c, "Complete", "");
	add_action(c, PB_ACT_DISABLE, 0, NULL);
	add_action(c, PB_ACT_EVENT, 0, "win");
	c->pending = PB_PENDING_COMPLETED;
	enter_state(c, PB_RETURNING_HOME);
	add_action(c, PB_ACT_RETURN_HOME, 0, NULL);
}

/* Whether id was counted before; false for ids out of range. */
static bool
was_counted(struct pb_controller *c, int id)
{
	uint64_t bit;

	if (id < 0 || id >= PB_ROUND_IDS)
		return false;
	bit = UINT64_C(1) << (id % 64);
	if (c->seen[id / 64] & bit)
		return true;
	c->seen[id / 64] |= bit;
	return false;
}

static void
count_pellet(struct pb_controller *c, int id, const char *event)
{
	if (c->state != PB_RUNNING || was_counted(c, id))
		return;
	c->collected++;
	c->score++;
	add_action(c, PB_ACT_COUNTS, 0, NULL);
	add_action(c, PB_ACT_EVENT, 0, event);
	if (c->spawned > 0 && c->collected >= c->spawned)
		complete_round(c);
}

static void
start_death(struct pb_controller *c, double now)
{
	enter_state(c, PB_DYING);
	set_result(c, "Death", "");
	add_action(c, PB_ACT_DISABLE, 0, NULL);
	c->until = now + c->death_show;
}

static void
arrive_before_start(struct pb_controller *c, double now, bool reached)
{
	static const char failed[] = "Could not return home before start";

	if (reached) {
		enter_state(c, PB_STARTING);
		add_action(c, PB_ACT_EVENT, 0, "start theatrical");
		add_action(c, PB_ACT_DISABLE, 0, NULL);
		c->until = now + c->theatrical;
		return;
	}
	memcpy(c->result, failed, sizeof(failed));
	reset_round(c, RESET_GAME | TO_MENU);
}

static void
arrive_home(struct pb_controller *c, double now, bool reached)
{
	enum pb_pending why = c->pending;

	if (c->state != PB_RETURNING_HOME)
		return;
	c->pending = PB_PENDING_NONE;
	switch (why) {
	case PB_PENDING_START:
		arrive_before_start(c, now, reached);
		break;
	case PB_PENDING_COMPLETED:
		if (!reached)
			set_result(c, "Complete", "; return home failed");
		c->round++;
		reset_round(c, TO_MENU);
		break;
	case PB_PENDING_NONE:
		reset_round(c, RESET_GAME | TO_MENU);
		break;
	}
}

void
pb_controller_receive(
    struct pb_controller *c, double now, enum pb_node_message said, int id)
{
	bool on = c->state == PB_RUNNING || c->state == PB_STARTING;

	switch (said) {
	case PB_MSG_COLLECTED:
		count_pellet(c, id, "pellet");
		break;
	case PB_MSG_COMPLETE:
		if (on)
			complete_round(c);
		break;
	case PB_MSG_DEATH:
		if (on)
			start_death(c, now);
		break;
	case PB_MSG_HOME:
	case PB_MSG_HOME_FAILED:
		arrive_home(c, now, said == PB_MSG_HOME);
		break;
	}
}

void
pb_controller_markers(struct pb_controller *c, int remaining)
{
	if (c->awaiting) {
		c->spawned = remaining;
		c->awaiting = false;
	} else if (remaining + c->collected > c->spawned) {
		c->spawned = remaining + c->collected;
	}
	add_action(c, PB_ACT_COUNTS, 0, NULL);
}

void
pb_controller_base_speed(struct pb_controller *c, double speed)
{
	if (!(speed > 0) || !isfinite(speed))
		return;
	c->base_speed = speed;
	if (c->state == PB_MENU)
		add_action(c, PB_ACT_SPEED, pb_controller_speed(c), NULL);
}

void
pb_controller_tick(struct pb_controller *c, double now)
{
	/* Times are sums of steps: tolerate rounding. */
	if (c->until < 0 || now < c->until - 1e-6)
		return;
	c->until = -1;
	if (c->state == PB_STARTING) {
		enter_state(c, PB_RUNNING);
		add_action(c, PB_ACT_SPEED, pb_controller_speed(c), NULL);
		add_action(c, PB_ACT_ENABLE, 0, NULL);
	} else if (c->state == PB_DYING) {
		c->pending = PB_PENDING_NONE;
		enter_state(c, PB_RETURNING_HOME);
		add_action(c, PB_ACT_RETURN_HOME, 0, NULL);
	}
}

void
pb_controller_done(struct pb_controller *c)
{
	c->actions = 0;
}
