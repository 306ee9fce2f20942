/* stop.h - end in good order on SIGINT, SIGTERM or SIGHUP. */
#ifndef PB_IO_STOP_H
#define PB_IO_STOP_H

/*
 * A tool that runs long asks now and then whether it should end, finishes the
 * record that it is writing, and then dies of the very signal, so that its
 * parent sees why. A second signal while it tidies up kills it at once.
 */

/* Take notice of the signals from now on, unless the parent ignores them. */
void pb_stop_watch(void);

/* The signal that came, 0 if none. */
int pb_stop_signal(void);

/* Die of the signal that came; returns if none did. */
void pb_stop_die(void);

#endif
