/* wait.c - until something can be read, or a signal asks us to end. */
#include "io/stream/wait.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>

#include "io/stream/msg.h"

static struct {
	void (*serve)(void *user);
	void *user;
} meanwhile;

void
pb_wait_meanwhile(void (*serve)(void *user), void *user)
{
	meanwhile.serve = serve;
	meanwhile.user = user;
}

bool
pb_wait_for(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	sigset_t old;
	fd_set set;

	if (poll(&p, 1, 0) != 0)
		return true;
	fflush(stdout);
	while (meanwhile.serve && !pb_msg_stopped() && poll(&p, 1, 0) == 0)
		meanwhile.serve(meanwhile.user);
	if (fd >= FD_SETSIZE)
		return true;
	pb_msg_hold(NULL, &old);
	do {
		FD_ZERO(&set);
		FD_SET(fd, &set);
	} while (!pb_msg_stopped() &&
		 pselect(fd + 1, &set, NULL, NULL, NULL, &old) < 0 &&
		 errno == EINTR);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !pb_msg_stopped();
}
