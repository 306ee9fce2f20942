/* keys.c - single keys from the terminal, which is given back in any case. */
#include "io/play/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
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
	volatile sig_atomic_t raw;   /* the terminal is not as before */
	volatile sig_atomic_t stop;  /* SIGTSTP came */
	volatile sig_atomic_t fresh; /* the screen must be drawn anew */
	char in[64];                 /* bytes that are no keys yet */
	size_t n;
} self = {.fd = -1};

/* Signals that end the program at once, and those of pb_msg_catch(). */
static const int deadly[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGPIPE,
    SIGQUIT, SIGSEGV, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGINT, SIGTERM,
    SIGHUP};
enum { DEADLY = sizeof(deadly) / sizeof(*deadly) };
static struct sigaction old[DEADLY], old_stop, old_go, old_size;

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
take(void)
{
	struct termios t = self.before;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	self.raw = 1;
	self.fresh = 1;
	tcsetattr(self.fd, TCSANOW, &t);
	if (write(self.fd, HIDE_CURSOR, sizeof(HIDE_CURSOR) - 1) < 0)
		errno = 0; /* reading will tell */
}

/* Give the terminal back, then do what would have been done without us. */
static void
on_deadly(int sig)
{
	for (int i = 0; i < DEADLY; i++) {
		if (deadly[i] != sig)
			continue;
		give_back();
		if (old[i].sa_handler != SIG_DFL &&
		    !(old[i].sa_flags & SA_SIGINFO)) {
			old[i].sa_handler(sig);
			return;
		}
		sigaction(sig, &old[i], NULL);
		raise(sig);
	}
}

static void
on_other(int sig)
{
	if (sig == SIGTSTP)
		self.stop = 1;
	else
		self.fresh = 1;
}

static void catch (int sig, void (*f)(int), struct sigaction *was)
{
	struct sigaction sa = {.sa_handler = f};

	sigemptyset(&sa.sa_mask);
	if (f == on_deadly)
		sa.sa_flags = SA_RESTART;
	if (sigaction(sig, NULL, was) == 0 && was->sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
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
	for (int i = 0; i < DEADLY; i++)
		catch (deadly[i], on_deadly, &old[i]);
	catch (SIGTSTP, on_other, &old_stop);
	catch (SIGCONT, on_other, &old_go);
	catch (SIGWINCH, on_other, &old_size);
	take();
	return self.out;
}

void
pb_keys_end(void)
{
	if (self.fd < 0)
		return;
	give_back();
	for (int i = 0; i < DEADLY; i++)
		sigaction(deadly[i], &old[i], NULL);
	sigaction(SIGTSTP, &old_stop, NULL);
	sigaction(SIGCONT, &old_go, NULL);
	sigaction(SIGWINCH, &old_size, NULL);
	fclose(self.out);
	self.fd = -1;
}

/*
 * Stop as the user asked; go on when the shell lets us. Nothing happens where
 * no shell could.
 */
static void
stop(void)
{
	struct sigaction ours;
	sigset_t set;

	self.stop = 0;
	self.fresh = 1;
	give_back();
	sigaction(SIGTSTP, &old_stop, &ours);
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

/* Whether there is something to read before `until`. */
static bool
wait_for_bytes(double until, const sigset_t *mask)
{
	return pb_keys_wait(self.fd, until - pb_pace_seconds(), mask);
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

/* What signals have to say. */
static enum pb_key
from_signals(void)
{
	if (pb_msg_stopped())
		return PB_KEY_SIGNAL;
	if (self.stop)
		stop();
	if (!self.fresh)
		return PB_KEY_NONE;
	take(); /* who stopped us may have changed it */
	self.fresh = 0;
	return PB_KEY_REDRAW;
}

/* What else from_signals() looks at. */
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
		if (wait_for_bytes(until, &was)) {
			if (!read_bytes()) {
				k = PB_KEY_QUIT;
				break;
			}
		} else if (pb_pace_seconds() >= until) {
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
