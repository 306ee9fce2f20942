/* steering.h - who steers: moves and joysticks out of streams, and a device. */
#pragma once

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "pb/maze.h"

/*
 * The robot makes directions of the raw stick: of the first two axes, right
 * and up, the larger counts if it is 0.5 or more; equal ones are the direction
 * before. A push is kept until the robot next decides, even if the stick is
 * back in the middle by then; one that is held counts every time.
 */
struct pb_joy {
	enum pb_dir held;   /* now; PB_STAY: in the middle */
	enum pb_dir pushed; /* since the last decision, PB_STAY: nowhere */
	enum pb_dir last;
	bool down[2]; /* the first two buttons */
};

/* Buttons that were pressed, not held: a set. */
enum { PB_JOY_START = 1, PB_JOY_RESET = 2 };

struct pb_joy pb_joy_still(void);

/* The stick as it stands now; returns the buttons that were pressed. */
unsigned pb_joy_take(struct pb_joy *j, const struct pb_rec_joy *now);

/* Where it points; if the robot decides by that, the push is over. */
enum pb_dir pb_joy_dir(struct pb_joy *j, bool decides);

/*
 * A device of Linux that gives struct js_event (linux/joystick.h): a joystick,
 * or a FIFO or file with such events. Its second axis points down.
 */
struct pb_joystick;

/*
 * Given    speed  > 0, times real time
 * Returns  the joystick for pb_joystick_close(); NULL: it was said why not
 */
struct pb_joystick *pb_joystick_open(const char *path, double speed);
void pb_joystick_close(struct pb_joystick *s);

/*
 * Let the time of the game, t (s), pass on the clock, and take what the stick
 * does until then: into j, and into *pressed. INFINITY waits for a button.
 *
 * Returns  false if the device has gone, which was said, or the program is
 *          asked to end
 */
bool pb_joystick_until(
    struct pb_joystick *s, double t, struct pb_joy *j, unsigned *pressed);

/* The stick that a script moves. */
struct pb_script {
	/* Ids, NULL-ended: of its moves first, those without one are its, too;
	 * moves of the others are passed over. */
	const char *const *body;
	bool (*play)(void *game, enum pb_dir d); /* whether to go on */
	/* The same of a joystick, at t of its clock (NaN: unknown); or NULL. */
	bool (*joy)(void *game, double t, const struct pb_rec_joy *j);
	void *game;
};

/*
 * Play the move and joy records of the streams, one after the other.
 *
 * Returns  false if a record was refused, which was said
 */
bool pb_script_play(const struct pb_script *s, char *const *files, int n,
    const struct pb_opt_common *common);
