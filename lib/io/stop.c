/* stop.c - end in good order on SIGINT, SIGTERM or SIGHUP. */
#include "io/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void
note_signal(int sig)
{
	came = sig;
}

void
pb_stop_watch(void)
{
	const int sigs[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction a = {.sa_handler = note_signal}, old;

	/* Once only: the default action is back when the handler begins. */
	a.sa_flags = SA_RESTART | (int)SA_RESETHAND;
	sigemptyset(&a.sa_mask);
	for (size_t i = 0; i < sizeof(sigs) / sizeof(*sigs); i++)
		if (sigaction(sigs[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &a, NULL);
}

int
pb_stop_signal(void)
{
	return came;
}

void
pb_stop_die(void)
{
	if (came) {
		signal(came, SIG_DFL);
		raise(came);
	}
}
