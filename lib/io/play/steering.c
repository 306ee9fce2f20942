/* steering.c - who steers: moves and joysticks out of streams, and a device. */
#include "io/play/steering.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "io/file/filter.h"
#include "io/play/program.h"
#include "io/play/keys.h"
#include "io/stream/pace.h"

/* A stick less far from the middle says nothing. */
#define DEAD 0.5

/* The events of linux/joystick.h, which other systems lack. */
struct event {
	uint32_t time; /* ms */
	int16_t value;
	uint8_t type, number;
};
enum { BUTTON = 1, AXIS = 2, INIT = 0x80 };

struct pb_joystick {
	int fd;
	const char *path;
	double speed;  /* times real time */
	double t, due; /* of the game, and when that is on the clock (s) */
	bool begun;    /* t and due mean something */
	struct pb_rec_joy now;
	unsigned char in[sizeof(struct event)]; /* the part of one */
	size_t n;
};

struct pb_joy
pb_joy_still(void)
{
	return (struct pb_joy){PB_STAY, PB_STAY, PB_STAY, {false, false}};
}

/* An axis; what is no number (null) counts as the middle. */
static double
axis(const struct pb_rec_joy *now, int i)
{
	return now->axes > i && isfinite(now->axis[i]) ? now->axis[i] : 0;
}

static enum pb_dir
dir_of(const struct pb_rec_joy *now, enum pb_dir last)
{
	double x = axis(now, 0), y = axis(now, 1);

	if (fabs(x) < DEAD && fabs(y) < DEAD)
		return PB_STAY;
	if (fabs(x) == fabs(y))
		return last;
	if (fabs(x) > fabs(y))
		return x > 0 ? PB_RIGHT : PB_LEFT;
	return y > 0 ? PB_UP : PB_DOWN;
}

unsigned
pb_joy_take(struct pb_joy *j, const struct pb_rec_joy *now)
{
	unsigned pressed = 0;

	j->held = dir_of(now, j->last);
	if (j->held != PB_STAY)
		j->pushed = j->last = j->held;
	for (int i = 0; i < 2; i++) {
		bool down = i < now->buttons && now->button[i];

		if (down && !j->down[i])
			pressed |= i == 0 ? PB_JOY_START : PB_JOY_RESET;
		j->down[i] = down;
	}
	if (pressed & PB_JOY_START) /* what came before is no move */
		j->pushed = PB_STAY;
	return pressed;
}

enum pb_dir
pb_joy_dir(struct pb_joy *j, bool decides)
{
	enum pb_dir d = j->pushed != PB_STAY ? j->pushed : j->held;

	if (decides)
		j->pushed = PB_STAY;
	return d;
}

struct pb_joystick *
pb_joystick_open(const char *path, double speed)
{
	struct pb_joystick *s = pb_alloc(1, sizeof(*s));

	/* A FIFO waits here for who writes to it. */
	s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (s->fd < 0 || s->fd >= FD_SETSIZE ||
	    fcntl(s->fd, F_SETFL, O_NONBLOCK) != 0) {
		pb_msg_system("%.1000s: cannot open", path);
		if (s->fd >= 0)
			close(s->fd);
		free(s);
		return NULL;
	}
	s->path = path;
	s->speed = speed;
	s->now.axes = s->now.buttons = 2;
	return s;
}

void
pb_joystick_close(struct pb_joystick *s)
{
	if (s == NULL)
		return;
	close(s->fd);
	free(s);
}

/* What an event says; the first of each tell how things are. */
static unsigned
take_event(struct pb_joystick *s, struct pb_joy *j)
{
	struct event e;

	memcpy(&e, s->in, sizeof(e));
	s->n = 0;
	if (e.number > 1)
		return 0;
	if ((e.type & ~INIT) == AXIS)
		s->now.axis[e.number] =
		    (e.number == 1 ? -1 : 1) * fmax(e.value, -32767) / 32767;
	else if ((e.type & ~INIT) == BUTTON)
		s->now.button[e.number] = e.value != 0;
	if (e.type == (BUTTON | INIT))
		j->down[e.number] = e.value != 0;
	return pb_joy_take(j, &s->now);
}

/* Take what there is; false: the device has gone. */
static bool
take_events(struct pb_joystick *s, struct pb_joy *j, unsigned *pressed)
{
	for (;;) {
		ssize_t got = read(s->fd, s->in + s->n, sizeof(s->in) - s->n);

		if (got > 0) {
			s->n += (size_t)got;
			if (s->n == sizeof(s->in))
				*pressed |= take_event(s, j);
			continue;
		}
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (got < 0 && errno != ENODEV)
			pb_msg_system("%.1000s: cannot read", s->path);
		else
			pb_msg_note("%.1000s: the joystick has gone", s->path);
		return false;
	}
}

bool
pb_joystick_until(
    struct pb_joystick *s, double t, struct pb_joy *j, unsigned *pressed)
{
	double now = pb_pace_seconds();
	bool forever = isinf(t);

	s->due = s->begun ? pb_pace_due(s->due, now) : now;
	if (s->begun && !forever)
		s->due += (t - s->t) / s->speed;
	s->begun = !forever;
	s->t = t;
	do {
		if (pb_msg_stopped() || !take_events(s, j, pressed))
			return false;
		if (*pressed != 0)
			return true;
		pb_keys_wait(s->fd,
		    forever ? 1 : fmin(s->due - pb_pace_seconds(), 1), NULL);
	} while (forever || pb_pace_seconds() < s->due);
	return true;
}

static bool
is_other(const struct pb_script *s, const char *id)
{
	for (int i = 1; s->body[i]; i++)
		if (strcmp(s->body[i], id) == 0)
			return true;
	return false;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	const struct pb_script *s = f->user;
	const char *id = r->stamp.id;
	int d;

	/* Who has no id is meant, too; the others go by their own rules. */
	if (*id != '\0' && strcmp(id, s->body[0]) != 0)
		return (r->type == PB_REC_MOVE && is_other(s, id)) ||
		       pb_error_set(bad,
			   "%s: expected one of %s, got one of \"%s\"",
			   pb_rec_name(r->type), s->body[0], id);
	if (r->type == PB_REC_JOY) {
		f->stop = !s->joy(s->game, r->stamp.t, &r->joy);
		return true;
	}
	if ((d = pb_move_dir(&r->move, bad)) < 0)
		return false;
	f->stop = !s->play(s->game, (enum pb_dir)d);
	return true;
}

bool
pb_script_play(const struct pb_script *s, char *const *files, int n,
    const struct pb_opt_common *common)
{
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MOVE) |
	                              (s->joy ? PB_REC_BIT(PB_REC_JOY) : 0),
	    .common = common,
	    .take = take,
	    .user = (void *)s};

	return pb_filter_run(&f, files, n);
}
