/* console_parts.h - what the console*.c share. */
#ifndef PB_IO_CONSOLE_CONSOLE_PARTS_H
#define PB_IO_CONSOLE_CONSOLE_PARTS_H

#include "io/console/console.h"

/* For the table: see pb_console_command. */
typedef bool pb_console_fn(
    struct pb_console *c, const char *arg, struct pb_error *bad);

/* console_time.c */
pb_console_fn pb_console_step, pb_console_run, pb_console_speed, pb_console_go,
    pb_console_pause;

/* console_past.c */
pb_console_fn pb_console_undo, pb_console_snapshot, pb_console_restart;

/* console_say.c */
pb_console_fn pb_console_start, pb_console_reset, pb_console_clyde_speed,
    pb_console_base_speed, pb_console_spawn, pb_console_reset_clyde,
    pb_console_remove, pb_console_reset_pellets, pb_console_event,
    pb_console_light, pb_console_sound, pb_console_motion, pb_console_move;

/* console_look.c */
pb_console_fn pb_console_status, pb_console_state, pb_console_pellets,
    pb_console_scores, pb_console_map, pb_console_set, pb_console_show,
    pb_console_save, pb_console_replay, pb_console_help, pb_console_quit;

/* Keep the steps that passed without a command. */
void pb_console_keep_steps(struct pb_console *c);

/*
 * How things are: the game and what it shows, or the settings; forget it.
 * False: there is no memory.
 */
bool pb_console_keep(struct pb_console *c, enum pb_console_changes what,
    struct pb_console_past *p);
void pb_console_forget(struct pb_console_past *p);

/* Have p be the last thing that can be taken back. */
void pb_console_push(struct pb_console *c, struct pb_console_past p);

/* The value of what the game knows under that name; false: nothing. */
bool pb_console_known(
    const struct pb_console *c, const char *name, char *out, size_t size);

/* Arguments. False with bad filled in. */
bool pb_console_none(const char *arg, struct pb_error *bad);
bool pb_console_number(
    const char *arg, const char *what, double *v, struct pb_error *bad);

/* The first word of *at into out, *at behind it; false: there is none, or it
 * is too long. */
bool pb_console_take(const char **at, char *out, size_t size);

/* What lights and sounds go to: those of the game if it shows any. */
struct pb_cues *pb_console_ring(struct pb_console *c);

/* Write what lights, sounds and motions are due. */
void pb_console_cues(struct pb_console *c);

/* The game cannot do that. */
bool pb_console_cannot(const struct pb_console *c, struct pb_error *bad);

#endif
