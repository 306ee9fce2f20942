/* pacbot_client.c - a client of the official Pacbot server: its frames are the
 * game, and the commands of a player are sent. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/pacbot/pacbot_frame.h"
#include "io/play/pacbot_modes.h"
#include "io/play/play.h"
#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"

/* Commands that wait to be sent, at most. */
#define COMMANDS 32

/* A server without frames is noted after so long (s). */
#define SILENT 5

/* Frames that are passed over for a newer one, at most: a server that sends
 * without end is answered all the same. */
#define OLD_MAX 1000

/* A pause that lasts so long (s) is said: the usual one is a second. */
#define PAUSE 5

/* Of so many moves Pac-Man can make one, wherever he is. */
#define IGNORED 8

struct client {
	const struct pb_pacsim *p;
	const struct pb_match_board *b;
	struct pb_seat seat;
	double until; /* of pb_pace_seconds, when to end */

	struct pb_net_client net;
	double up;   /* when it was connected at first, 0: never yet (s) */
	bool noted;  /* that no frame came */
	int waiting; /* frames that have come and were not taken */
	uint8_t newest[PB_PACBOT_FRAME];
	uint8_t part[PB_PACBOT_FRAME]; /* of the next frame */
	size_t parts;

	struct pb_pacbot_seen seen;
	struct pb_pacbot s; /* of the newest frame */
	enum pb_match_ending ending;
	int born;      /* lives that the match began with, 0: not known */
	int decisions; /* in it */
	bool begun;
	int due;  /* tick of the move or of the next decision */
	int move; /* that is made then, -1: not decided */
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

/* Bytes came, `whole`: the last of a message, in which no frame goes on. */
static void
on_bytes(void *user, const uint8_t *s, size_t n, bool whole)
{
	struct client *c = user;

	for (size_t i = 0; i < n; i++) {
		c->part[c->parts++] = s[i];
		if (c->parts < sizeof(c->part))
			continue;
		memcpy(c->newest, c->part, sizeof(c->part));
		c->waiting++;
		c->parts = 0;
	}
	if (whole)
		c->parts = 0;
}

static void
on_connected(void *user)
{
	struct client *c = user;

	c->parts = 0;
	if (c->up == 0)
		c->up = pb_pace_seconds();
}

/* A server sends frames without end: who sends none is no such server. Whether
 * to wait on. */
static bool
hopes(struct client *c)
{
	double now = pb_pace_seconds(), silent = c->up > 0 ? now - c->up : 0;

	if (c->frames > 0)
		return now < c->until;
	if (now >= c->until || silent >= c->net.patience) {
		errno = 0;
		return pb_net_client_lose(&c->net, "0 frames came");
	}
	if (silent >= SILENT && !c->noted) {
		c->noted = true;
		pb_msg_note("%s: connected, but no frame comes: is it a "
			    "Pacbot server, and that kind of port?",
		    c->net.url);
	}
	return true;
}

/*
 * Wait for a frame. A connection that is lost is made again.
 *
 * Returns  how many frames came, > 0: c->newest is the last; 0: a signal, it
 *          is time to end, or the server is not to be reached or no frame
 *          ever came, which was said (status 3)
 */
static int
next_frame(struct client *c)
{
	int n;

	/* What has come already, then what comes. */
	do {
		n = c->waiting;
		pb_net_attend(&c->net.loop, 0);
	} while (c->waiting > n && c->waiting < OLD_MAX);
	while (c->waiting == 0) {
		if (pb_msg_stopped() || !hopes(c) ||
		    !pb_net_client_attend(&c->net, PB_NET_LOOK))
			return 0;
	}
	n = c->waiting;
	c->waiting = 0;
	return n;
}

/* The game as a command will find it: the server reads it in its next
 * iteration. */
static struct pb_pacbot
as_found(const struct client *c, const struct pb_pacbot *s)
{
	const struct pb_arcade_draw d = {.pick = pb_arcade_first_way};
	struct pb_pacbot next = *s;

	next.paused = false;
	pb_pacbot_end(&next);
	pb_pacbot_begin(&next, &c->b->rules, &d);
	if (!next.paused && next.pac.row < PB_ARCADE_OFF)
		return next;
	return *s;
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
	c->decisions++;
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

	if (!c->moving)
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

	if (s->paused || s->pac.row >= PB_ARCADE_OFF) {
		c->due = 0;
		c->move = -1;
	}
	if (s->pac.row >= PB_ARCADE_OFF)
		return 0;
	if (s->paused && c->p->o->referee)
		return 'P';
	if (s->paused)
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

/* What the match is that the frame shows, and how it stands. */
static void
follow(struct client *c, const struct pb_pacbot *s)
{
	/* The clock goes back in a new one only. */
	if (c->frames == 1 + c->passed || s->tick < c->s.tick) {
		c->begun = false;
		c->decisions = 0;
		c->born =
		    s->tick == 0 || s->lives == PB_PACBOT_LIVES ? s->lives : 0;
	}
	c->s = *s;
	c->ending = pb_pacbot_standing(s, c->p->game->levels);
}

/* Answer the newest frame, number `line`; `old` before it were passed over.
 * Whether to go on. */
static bool
answer(struct client *c, long line, int old)
{
	const struct pb_place at = {c->net.url, line};
	const struct pb_pacbot *s = &c->seen.s;
	int wrong = pb_pacbot_see(&c->seen, &c->b->rules, c->newest);
	const char *why;
	char byte;

	if (wrong >= 0)
		return pb_msg_refuse(at,
		    "frame byte %d: no server sends 0x%02x", wrong,
		    c->newest[wrong]);
	note_lag(c, at, old);
	follow(c, s);
	if (c->ending != PB_MATCH_ON)
		return true;
	note_deafness(c, s);
	/* Why players cannot be asked about what it shows. */
	if (s->pac.row < PB_ARCADE_OFF) {
		why = pb_cells_at(&c->b->cells, s->pac.row, s->pac.col) < 0
		          ? "pacman is in a wall"
		          : pb_pacbot_impossible(s, &c->b->rules);
		if (why != NULL)
			return pb_msg_refuse(at, "frame: %s", why);
	}
	byte = command(c, s);
	if (byte != 0 && c->net.queue.waiting < COMMANDS)
		pb_net_client_send(&c->net, &byte, 1, LWS_WRITE_BINARY);
	return true;
}

/* What there is to say of the match from outside: not which ghosts were eaten,
 * and of deaths only if it was seen from its beginning. */
static void
put_result(const struct client *c, const char *outcome, struct pb_text *out)
{
	const struct pb_pacsim *p = c->p;
	const struct pb_ground ground = {.maze = &c->b->maze};
	const struct pb_outside server = {.body = {NULL, p->o->connect}};
	const int dots = c->b->rules.dots, levels = p->game->levels;
	const int cleared = c->s.level - 1, eaten = dots - c->s.left;
	uint8_t frame[PB_PACBOT_FRAME];
	struct pb_told_room told;
	struct pb_rec_result r;
	struct pb_trial *t = &r.trial;

	pb_pacbot_frame(&c->s, frame);
	pb_play_sign(
	    p->play, &ground, p->play->player->name, &server, &told, &r);
	PB_REC_SET(t->outcome, outcome);
	t->success =
	    c->ending == PB_MATCH_CLEARED || c->ending == PB_MATCH_SURVIVED;
	t->collected = cleared * dots + eaten;
	t->total = dots * (levels > cleared ? levels
					    : cleared + (levels == 0 || eaten));
	t->score = c->s.score;
	t->time = (double)c->s.tick / PB_PACBOT_FPS;
	t->limit = (double)UINT16_MAX / PB_PACBOT_FPS;
	t->deaths = c->born > 0 ? c->born - c->s.lives : -1;
	t->levels = cleared;
	t->decisions = c->decisions;
	t->hash = pb_hash_bytes(PB_HASH_START, frame, sizeof(frame));
	pb_rec_put(out, PB_REC_RESULT, pb_stamp_none(), &r);
	free(told.at);
}

/* The match is over, or nothing more is heard of it. */
static void
end_match(struct client *c, struct pb_text *out)
{
	const char *outcome = c->ending != PB_MATCH_ON
	                          ? pb_match_ending_name(c->ending)
	                      : pb_msg_stopped()              ? "interrupted"
	                      : pb_pace_seconds() >= c->until ? "timeout"
	                                                      : "disconnected";

	if (c->frames == 0)
		return;
	pb_pacbot_note_end(outcome, &c->s);
	put_result(c, outcome, out);
	pb_msg_note("%ld frames, %ld passed over for newer ones, at "
		    "most %d (%.2g s) at once",
	    c->frames, c->passed, c->lag, seconds(c, c->lag));
}

/* Play until the match is over. What is refused is no match. */
static void
play(struct client *c, struct pb_text *out)
{
	static const struct pb_net_calls calls = {on_connected, on_bytes};
	const struct pb_pacsim_opts *o = c->p->o;
	long line = 0;
	bool ok = true;
	int n;

	c->net = (struct pb_net_client){.url = o->connect,
	    .patience = o->patience,
	    .calls = &calls,
	    .user = c};
	pb_net_client_open(&c->net);
	while (ok && c->ending == PB_MATCH_ON && pb_msg_out_ok() &&
	       (n = next_frame(c)) > 0) {
		line += n;
		ok = answer(c, line, n - 1);
	}
	pb_net_client_close(&c->net);
	if (ok)
		end_match(c, out);
}

/* Play, and leave the result in a file, which appears whole or not at all, or
 * on standard output. */
static void
play_and_report(struct client *c)
{
	const char *name = c->p->o->result;
	struct pb_text out = {.to = stdout};
	struct pb_file file = {0};
	struct pb_error f;

	if (name != NULL && pb_file_create(name, &file, &f) != 0) {
		pb_msg_error(&f);
		return;
	}
	if (name != NULL)
		out.to = file.out;
	play(c, &out);
	if (name != NULL && pb_file_finish(&file, &f) != 0)
		pb_msg_error(&f);
	pb_file_abandon(&file);
	pb_text_clear(&out);
}

void
pb_pacbot_client(const struct pb_pacsim *p, const struct pb_match_board *b)
{
	const struct pb_play_opts *o = p->play;
	struct client c = {.p = p,
	    .b = b,
	    .seat = {.world = b, .opts = o->opts, .player = o->player},
	    .until = pb_pace_seconds() + p->o->duration,
	    .move = -1};

	if (pb_seat_take(&c.seat, &pb_game_pacbot) != PB_OK)
		pb_msg_end_memory();
	pb_seat_start(&c.seat, o->session->seed, o->session->trial);
	play_and_report(&c);
	pb_seat_leave(&c.seat, &pb_game_pacbot);
}
