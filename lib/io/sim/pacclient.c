/* pacclient.c - a client of a Pacbot server: frames in, commands out. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sim/pacserve.h"
#include "io/sim/pactick.h"
#include "io/sim/wire.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"

struct client {
	const struct pb_pacsim *p;
	const struct pb_match_board *b;
	struct pb_seat seat;
	bool begun;
	int tick;  /* of the frame before */
	int due;   /* tick of the move or of the next decision */
	int move;  /* that is made then, -1: not decided */
	bool live; /* frames come at the server's pace */
	long frames;
	long passed;           /* of them, as there were newer ones */
	int lag;               /* the most at once */
	bool moving;           /* a move was sent */
	struct timespec moved; /* when the last was */
	int moves;             /* sent since Pac-Man moved */
	struct pb_at pac;
	bool deaf; /* the server is paused, or ignores moves */
	struct timespec since;
	bool said; /* and that was said */
};

/* A pause that lasts so long (s) is said: the usual one is a second. */
#define PAUSE 5

/* Of so many moves Pac-Man can make one, wherever he is. */
#define IGNORED 8

/*
 * The game as a command will find it: in lock-step at once, else the server
 * reads it in its next iteration.
 */
static struct pb_pacbot
as_found(const struct client *c, const struct pb_pacbot *s)
{
	const struct pb_arcade_draw d = {.pick = pb_arcade_first_way};
	struct pb_pacbot next = *s;

	next.paused = false;
	if (c->p->o->lockstep)
		return next;
	pb_pacbot_end(&next);
	pb_pacbot_begin(&next, &c->b->rules, &d);
	if (!next.paused && next.pac.row < PB_ARCADE_OFF)
		return next;
	return *s;
}

/* Frames can show what no board has; players are not asked about that. */
static bool
possible(
    const struct client *c, const struct pb_pacbot *s, struct pb_error *bad)
{
	struct pb_seen k;
	struct pb_pacbot again;

	pb_pacbot_look(&k, s, &c->b->maze, &c->b->rules);
	if (!pb_pactick_read(&k, &c->b->rules, &again, bad))
		return false;
	if (pb_cells_at(&c->b->cells, s->pac.row, s->pac.col) < 0)
		return pb_error_set(bad, "frame: pacman is in a wall");
	return true;
}

static void
decide(struct client *c, const struct pb_pacbot *s)
{
	const struct pb_match_opts *o = c->p->game;
	struct pb_pacbot seen = as_found(c, s);
	const struct pb_bot_view v = {&seen, c->b, o, &c->seat.rng};

	if (!c->begun)
		pb_seat_reset(&c->seat, &v);
	c->begun = true;
	c->move = (int)pb_seat_ask(&c->seat, &v);
	c->due = s->tick;
	if (c->move != PB_STAY && c->move != s->pac.dir)
		c->due += o->turn_ticks;
}

/* Seconds of so many frames at the server's pace. */
static double
seconds(const struct client *c, double frames)
{
	return frames / (PB_PACBOT_FPS * c->p->o->speed);
}

/*
 * Frames that were held up on their way come close together, and so would the
 * moves that answer them: the server would make two at once. False: the robot
 * has not driven its cell yet. The last half of a frame is waited for.
 */
static bool
driven(struct client *c)
{
	double cell = seconds(c, c->p->game->ticks_per_cell);

	if (!c->live || !c->moving)
		return true;
	if (cell - pb_pace_since(c->moved) > seconds(c, 0.5))
		return false;
	pb_pace_wait(c->moved, cell);
	return true;
}

/* The move if it is due, after which the robot is on its way for a cell. */
static int
move(struct client *c, const struct pb_pacbot *s)
{
	int d = c->move;

	if (c->due > s->tick)
		return PB_STAY;
	if (d != PB_STAY) {
		c->moved = pb_pace_now();
		c->moving = true;
		c->moves++;
	}
	c->due = s->tick + c->p->game->ticks_per_cell;
	c->move = -1;
	return d;
}

/* What to tell the server at this frame, 0: nothing. */
static char
command(struct client *c, const struct pb_pacbot *s)
{
	int d;

	if (s->tick < c->tick)
		c->begun = false;
	c->tick = s->tick;
	if (s->paused || s->pac.row >= PB_ARCADE_OFF) {
		c->due = 0;
		c->move = -1;
	}
	if (s->pac.row >= PB_ARCADE_OFF || pb_pacbot_over(s))
		return 0;
	if (s->paused && c->p->o->referee)
		return 'P';
	/* In lock-step a referee there has pressed play when this arrives. */
	if (s->paused && !c->p->o->lockstep)
		return 0;
	/* What was decided before a stop is about another game. */
	if (c->move >= 0 && s->tick >= c->due + c->p->game->ticks_per_cell)
		c->move = -1;
	if (c->move < 0 && c->due <= s->tick && driven(c))
		decide(c, s);
	d = c->move < 0 ? PB_STAY : move(c, s);
	return d == PB_STAY ? 0 : "wasd"[d];
}

/* The newest frame is so many frames newer than that before. */
static void
note_lag(struct client *c, struct pb_place at, int old)
{
	c->frames += old + 1;
	c->passed += old;
	/* A cell's time behind, and more than has been told. */
	if (old >= c->p->game->ticks_per_cell && old > c->lag)
		pb_msg_note("frame %lu: %d frames (%.2g s) behind, going on "
			    "with the newest",
		    at.line, old, seconds(c, old));
	c->lag = old > c->lag ? old : c->lag;
}

/* What keeps a server that hears us from playing; said once each time. */
static void
note_deafness(struct client *c, const struct pb_pacbot *s)
{
	const char *doubt = "a server ignores who connects from an address "
			    "that it does not trust";
	bool here = s->pac.row == c->pac.row && s->pac.col == c->pac.col;

	if (!here || s->paused)
		c->moves = 0;
	c->pac = s->pac;
	if (!s->paused && c->moves < IGNORED) {
		c->deaf = c->said = false;
		return;
	}
	if (!c->deaf)
		c->since = pb_pace_now();
	c->deaf = true;
	if (c->said || (s->paused && pb_pace_since(c->since) < PAUSE))
		return;
	c->said = true;
	if (!s->paused)
		pb_msg_note("%d moves were sent and Pac-Man stays where he "
			    "is: %s",
		    c->moves, doubt);
	else if (c->p->o->referee)
		pb_msg_note("the server stays paused although play is "
			    "pressed: %s",
		    doubt);
	else
		pb_msg_note("the server stays paused: somebody has to press "
			    "play, or --referee does");
}

static bool
take(void *user, const struct pb_pacbot *s, struct pb_place at, int old)
{
	struct client *c = user;
	struct pb_error bad;
	char byte;

	note_lag(c, at, old);
	if (c->live && !pb_pacbot_over(s))
		note_deafness(c, s);

	if (s->pac.row < PB_ARCADE_OFF && !possible(c, s, &bad)) {
		pb_msg_error_at(at, &bad);
		return false;
	}
	byte = command(c, s);
	/* Any byte is an answer; this one asks for nothing. */
	if (byte == 0 && c->p->o->lockstep)
		byte = '.';
	if (byte != 0)
		putchar(byte);
	return true;
}

/* Whether a server writes while we read, as it never does to a file. */
static bool
is_live(const char *file)
{
	struct stat st;
	bool in = strcmp(file, "-") == 0;

	return (in ? fstat(STDIN_FILENO, &st) : stat(file, &st)) == 0 &&
	       !S_ISREG(st.st_mode);
}

static void
read_frames(struct client *c, const char *file)
{
	struct pb_wire_reader r = {.k = &c->b->rules, .take = take, .user = c};

	c->live = !c->p->o->lockstep && is_live(file);
	r.newest = c->live;
	pb_wire_read(file, &r);
}

void
pb_pacserve_client(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	const struct pb_play_opts *o = p->play;
	struct client c = {.p = p,
	    .b = b,
	    .seat = {.world = b, .opts = o->opts, .player = o->player},
	    .move = -1};

	if (pb_seat_open(&c.seat) != PB_OK) {
		pb_msg_system("no memory for the player");
		return;
	}
	pb_seat_start(&c.seat, o->seed, o->trial);
	if (n == 0)
		read_frames(&c, "-");
	for (int i = 0; i < n && !pb_msg_stopped(); i++)
		read_frames(&c, files[i]);
	if (c.live && c.frames > 0)
		pb_msg_note("%ld frames, %ld passed over for newer ones, at "
			    "most %d (%.2g s) at once",
		    c.frames, c.passed, c.lag, seconds(&c, c.lag));
	pb_seat_close(&c.seat);
}
