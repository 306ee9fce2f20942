/* steering.c - steer by keys of the terminal, which is always restored, or by a
 * joystick. */
#include "io/play/steering.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "io/stream/pace.h"

/* POSIX lacks it; sent when the window is resized. */
#ifndef SIGWINCH
#define SIGWINCH 28
#endif

#define HIDE_CURSOR "\033[?25l"
#define SHOW_CURSOR "\033[0m\033[?25h"

/* The terminal; global, as signal handlers must find it. */
static struct {
	FILE *out;
	int fd; /* -1: not in use */
	struct termios before;
	volatile sig_atomic_t raw;   /* the terminal is in raw mode */
	volatile sig_atomic_t stop;  /* SIGTSTP came */
	volatile sig_atomic_t fresh; /* the screen must be redrawn */
	char in[64];                 /* bytes of an incomplete key */
	size_t n;
} self = {.fd = -1};

/* Signals that end or suspend the program, or report a resized window. */
static const int caught[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGPIPE,
    SIGQUIT, SIGSEGV, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGINT, SIGTERM,
    SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
enum { CAUGHT = sizeof(caught) / sizeof(*caught), SIGNALS = 65 };

/* Previous handlers by signal number. */
static struct sigaction old[SIGNALS];

/* Restore the terminal; async-signal-safe. In the background, the shell already
 * has the terminal. */
static void
restore_terminal(void)
{
	int err = errno;

	if (self.raw && tcgetpgrp(self.fd) == getpgrp()) {
		tcsetattr(self.fd, TCSANOW, &self.before);
		if (write(self.fd, SHOW_CURSOR, sizeof(SHOW_CURSOR) - 1) < 0)
			errno = 0; /* it has gone */
	}
	self.raw = 0;
	errno = err;
}

static void
set_raw_mode(void)
{
	struct termios t = self.before;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	self.raw = 1;
	self.fresh = 1;
	tcsetattr(self.fd, TCSANOW, &t);
	if (write(self.fd, HIDE_CURSOR, sizeof(HIDE_CURSOR) - 1) < 0)
		errno = 0; /* read() will report the error */
}

/* Restore the terminal, then repeat the signal with its previous handler once
 * this one has returned. */
static void
on_signal(int sig)
{
	if (sig == SIGTSTP) {
		self.stop = 1;
	} else if (sig == SIGCONT || sig == SIGWINCH) {
		self.fresh = 1;
	} else {
		restore_terminal();
		sigaction(sig, &old[sig], NULL);
		raise(sig);
	}
}

static void
catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigemptyset(&sa.sa_mask);
	for (int i = 0; i < CAUGHT; i++) {
		struct sigaction *was = &old[caught[i]];

		if (sigaction(caught[i], NULL, was) == 0 &&
		    was->sa_handler != SIG_IGN)
			sigaction(caught[i], &sa, NULL);
	}
}

FILE *
pb_keys_begin(struct pb_error *bad)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 || fd >= FD_SETSIZE || tcgetattr(fd, &self.before) != 0 ||
	    (self.out = fdopen(fd, "w")) == NULL) {
		pb_error_set(bad, "there is no terminal to play in");
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	self.fd = fd;
	self.n = 0;
	atexit(restore_terminal);
	catch_signals();
	set_raw_mode();
	return self.out;
}

void
pb_keys_end(void)
{
	if (self.fd < 0)
		return;
	restore_terminal();
	for (int i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &old[caught[i]], NULL);
	fclose(self.out);
	self.fd = -1;
}

/* Suspend the process as the user asked, if a shell could continue it. */
static void
suspend_process(void)
{
	struct sigaction ours;
	sigset_t set;

	self.stop = 0;
	self.fresh = 1;
	restore_terminal();
	sigaction(SIGTSTP, &old[SIGTSTP], &ours);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGTSTP, &ours, NULL);
}

bool
pb_keys_wait(int fd, double left, const sigset_t *mask)
{
	struct timespec t = {0};
	fd_set set;

	left = left > 0 ? fmin(left, 3600) : 0;
	t.tv_sec = (time_t)left;
	t.tv_nsec = (long)((left - floor(left)) * 1e9);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return pselect(fd + 1, &set, NULL, NULL, &t, mask) > 0;
}

/* Read more bytes; false: the terminal has gone. */
static bool
read_bytes(void)
{
	ssize_t got;

	got = read(self.fd, self.in + self.n, sizeof(self.in) - self.n);
	if (got > 0)
		self.n += (size_t)got;
	return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Parse a key from the bytes that have come. */
static enum pb_key
parse_key(void)
{
	enum pb_key k = PB_KEY_NONE;
	size_t used = 1;

	while (k == PB_KEY_NONE && self.n > 0 && used > 0) {
		k = pb_key_of(self.in, self.n, &used);
		self.n -= used;
		memmove(self.in, self.in + used, self.n);
	}
	if (self.n == sizeof(self.in))
		self.n = 0;
	return k;
}

/* Returns the key that a signal stands for. */
static enum pb_key
read_signals(void)
{
	if (pb_msg_stopped())
		return PB_KEY_SIGNAL;
	if (self.stop)
		suspend_process();
	if (!self.fresh)
		return PB_KEY_NONE;
	set_raw_mode(); /* the shell may have changed the mode */
	self.fresh = 0;
	return PB_KEY_REDRAW;
}

/* Signals that read_signals() handles. */
static const int looked_at[] = {SIGTSTP, SIGCONT, SIGWINCH, 0};

enum pb_key
pb_keys_next(double until)
{
	enum pb_key k;
	sigset_t was;

	pb_msg_hold(looked_at, &was);
	for (;;) {
		if ((k = read_signals()) != PB_KEY_NONE ||
		    (k = parse_key()) != PB_KEY_NONE)
			break;
		if (!pb_keys_wait(self.fd, until - pb_pace_seconds(), &was)) {
			if (pb_pace_seconds() >= until)
				break;
		} else if (!read_bytes()) {
			k = PB_KEY_QUIT;
			break;
		}
	}
	sigprocmask(SIG_SETMASK, &was, NULL);
	return k;
}

static enum pb_key
map_letter(char c)
{
	static const char letter[] = "wasd p+=-qQWASDP";
	static const enum pb_key key[] = {PB_KEY_UP, PB_KEY_LEFT, PB_KEY_DOWN,
	    PB_KEY_RIGHT, PB_KEY_STOP, PB_KEY_PAUSE, PB_KEY_FASTER,
	    PB_KEY_FASTER, PB_KEY_SLOWER, PB_KEY_QUIT, PB_KEY_QUIT, PB_KEY_UP,
	    PB_KEY_LEFT, PB_KEY_DOWN, PB_KEY_RIGHT, PB_KEY_PAUSE};
	const char *at = c != '\0' ? strchr(letter, c) : NULL;

	return at != NULL ? key[at - letter] : PB_KEY_NONE;
}

/* Escape sequences: ESC [ or ESC O, numbers, a letter; arrows end in A, B, C,
 * D. */
enum pb_key
pb_key_of(const char *s, size_t n, size_t *used)
{
	static const enum pb_key arrow[] = {
	    PB_KEY_UP, PB_KEY_DOWN, PB_KEY_RIGHT, PB_KEY_LEFT};
	size_t i = 2;

	*used = 1;
	if (s[0] != '\033')
		return map_letter(s[0]);
	if (n == 1) {
		*used = 0;
		return PB_KEY_NONE;
	}
	if (s[1] != '[' && s[1] != 'O')
		return PB_KEY_NONE;
	while (i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
		i++;
	*used = i < n ? i + 1 : 0;
	return i < n && s[i] >= 'A' && s[i] <= 'D' ? arrow[s[i] - 'A']
	                                           : PB_KEY_NONE;
}

/* Ignore a stick that is nearer to the middle (1: its end). */
#define DEAD 0.5

/* struct js_event of linux/joystick.h, which other systems lack. */
struct event {
	uint32_t time; /* ms */
	int16_t value;
	uint8_t type, number;
};
enum { BUTTON = 1, AXIS = 2, INIT = 0x80 };

struct pb_joystick {
	int fd;
	const char *path;
	double speed; /* times real time */
	double t,
	    due;    /* time of the game, and when it is due on the clock (s) */
	bool begun; /* t and due are set */
	struct pb_rec_joy now;
	unsigned char in[sizeof(struct event)]; /* part of an event */
	size_t n;
};

struct pb_joy
pb_joy_still(void)
{
	return (struct pb_joy){PB_STAY, PB_STAY, PB_STAY, {false, false}};
}

/* The value of an axis; null counts as the middle. */
static double
read_axis(const struct pb_rec_joy *now, int i)
{
	return now->axes > i && isfinite(now->axis[i]) ? now->axis[i] : 0;
}

static enum pb_dir
find_direction(const struct pb_rec_joy *now, enum pb_dir last)
{
	double x = read_axis(now, 0), y = read_axis(now, 1);

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

	j->held = find_direction(now, j->last);
	if (j->held != PB_STAY)
		j->pushed = j->last = j->held;
	for (int i = 0; i < 2; i++) {
		bool down = i < now->buttons && now->button[i];

		if (down && !j->down[i])
			pressed |= i == 0 ? PB_JOY_START : PB_JOY_RESET;
		j->down[i] = down;
	}
	if (pressed & PB_JOY_START) /* an earlier push is no move */
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

	/* Opening a FIFO waits for a writer. */
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

/* Handle an event; the first of each button and axis is its initial state. */
static unsigned
handle_event(struct pb_joystick *s, struct pb_joy *j)
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

/* Handle the waiting events; false: the device has gone. */
static bool
handle_events(struct pb_joystick *s, struct pb_joy *j, unsigned *pressed)
{
	for (;;) {
		ssize_t got = read(s->fd, s->in + s->n, sizeof(s->in) - s->n);

		if (got > 0) {
			s->n += (size_t)got;
			if (s->n == sizeof(s->in))
				*pressed |= handle_event(s, j);
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
		if (pb_msg_stopped() || !handle_events(s, j, pressed))
			return false;
		if (*pressed != 0)
			return true;
		pb_keys_wait(s->fd,
		    forever ? 1 : fmin(s->due - pb_pace_seconds(), 1), NULL);
	} while (forever || pb_pace_seconds() < s->due);
	return true;
}
