/* steering.c - steering by keys of the terminal, which is restored in any case,
 * and by joysticks. */
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

/* Not in POSIX, though every system with windows has it: another size. */
#ifndef SIGWINCH
#define SIGWINCH 28
#endif

#define HIDE_CURSOR "\033[?25l"
#define SHOW_CURSOR "\033[0m\033[?25h"

/* There is one terminal; signal handlers must find it. */
static struct {
	FILE *out;
	int fd; /* -1: not taken */
	struct termios before;
	volatile sig_atomic_t raw;   /* the terminal is in raw mode */
	volatile sig_atomic_t stop;  /* SIGTSTP came */
	volatile sig_atomic_t fresh; /* the screen must be drawn anew */
	char in[64];                 /* bytes that are no keys yet */
	size_t n;
} self = {.fd = -1};

/* Signals that end the program, at once or by pb_msg_catch(); that suspend it;
 * that report a resized window. */
static const int caught[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGPIPE,
    SIGQUIT, SIGSEGV, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGINT, SIGTERM,
    SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
enum { CAUGHT = sizeof(caught) / sizeof(*caught), SIGNALS = 65 };

/* What was done before, by number. */
static struct sigaction old[SIGNALS];

/*
 * Only calls that a handler may make. In the background the terminal is the
 * shell's already.
 */
static void
give_back(void)
{
	int err = errno;

	if (self.raw && tcgetpgrp(self.fd) == getpgrp()) {
		tcsetattr(self.fd, TCSANOW, &self.before);
		if (write(self.fd, SHOW_CURSOR, sizeof(SHOW_CURSOR) - 1) < 0)
			errno = 0; /* it has gone: nothing to give back */
	}
	self.raw = 0;
	errno = err;
}

static void
take_terminal(void)
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

/* Give the terminal back, then do what would have been done without us: once
 * this has returned. */
static void
on_signal(int sig)
{
	if (sig == SIGTSTP) {
		self.stop = 1;
	} else if (sig == SIGCONT || sig == SIGWINCH) {
		self.fresh = 1;
	} else {
		give_back();
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
	atexit(give_back);
	catch_signals();
	take_terminal();
	return self.out;
}

void
pb_keys_end(void)
{
	if (self.fd < 0)
		return;
	give_back();
	for (int i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &old[caught[i]], NULL);
	fclose(self.out);
	self.fd = -1;
}

/*
 * Stop as the user asked; go on when the shell lets us. Nothing happens where
 * no shell could.
 */
static void
suspend_process(void)
{
	struct sigaction ours;
	sigset_t set;

	self.stop = 0;
	self.fresh = 1;
	give_back();
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

/* More bytes; false: the terminal has gone. */
static bool
read_bytes(void)
{
	ssize_t got;

	got = read(self.fd, self.in + self.n, sizeof(self.in) - self.n);
	if (got > 0)
		self.n += (size_t)got;
	return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* A key of the bytes that have come. */
static enum pb_key
from_bytes(void)
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

/* The key that a signal stands for. */
static enum pb_key
from_signals(void)
{
	if (pb_msg_stopped())
		return PB_KEY_SIGNAL;
	if (self.stop)
		suspend_process();
	if (!self.fresh)
		return PB_KEY_NONE;
	take_terminal(); /* the shell may have changed it meanwhile */
	self.fresh = 0;
	return PB_KEY_REDRAW;
}

/* Further state for from_signals(). */
static const int looked_at[] = {SIGTSTP, SIGCONT, SIGWINCH, 0};

enum pb_key
pb_keys_next(double until)
{
	enum pb_key k;
	sigset_t was;

	pb_msg_hold(looked_at, &was);
	for (;;) {
		if ((k = from_signals()) != PB_KEY_NONE ||
		    (k = from_bytes()) != PB_KEY_NONE)
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
of_letter(char c)
{
	static const char letter[] = "wasd p+=-qQWASDP";
	static const enum pb_key key[] = {PB_KEY_UP, PB_KEY_LEFT, PB_KEY_DOWN,
	    PB_KEY_RIGHT, PB_KEY_STOP, PB_KEY_PAUSE, PB_KEY_FASTER,
	    PB_KEY_FASTER, PB_KEY_SLOWER, PB_KEY_QUIT, PB_KEY_QUIT, PB_KEY_UP,
	    PB_KEY_LEFT, PB_KEY_DOWN, PB_KEY_RIGHT, PB_KEY_PAUSE};
	const char *at = c != '\0' ? strchr(letter, c) : NULL;

	return at != NULL ? key[at - letter] : PB_KEY_NONE;
}

/* ESC [ or ESC O, numbers, a letter: the arrows end in A, B, C, D. */
enum pb_key
pb_key_of(const char *s, size_t n, size_t *used)
{
	static const enum pb_key arrow[] = {
	    PB_KEY_UP, PB_KEY_DOWN, PB_KEY_RIGHT, PB_KEY_LEFT};
	size_t i = 2;

	*used = 1;
	if (s[0] != '\033')
		return of_letter(s[0]);
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

/* Handle an event; the first of each button and axis reports its initial state.
 * */
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

/* Read the waiting events; false: the device has gone. */
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
