/* pacbot_server.c - the official Pacbot server and a client of it: frames and
 * commands. */
#include "io/play/pacbot_server.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/play/pacbot_net.h"
#include "io/play/pacbot_tick.h"
#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/source.h"
#include "io/stream/wait.h"
#include "pb/match.h"

/* Who is shown the game at each frame. */
struct reader {
	const struct pb_pacbot_rules *k;
	bool newest;  /* only the newest frame that can be read is taken */
	double until; /* of pb_pace_seconds, when to end; INFINITY: never */
	/* Frame at.line shows s; `old` frames before it were not taken. Returns
	 * whether to go on. */
	bool (*take)(
	    void *user, const struct pb_pacbot *s, struct pb_place at, int old);
	void *user;
};

/* Frames read so far, and the beginning of the next. */
struct wire {
	const struct reader *r;
	struct pb_pacbot_seen seen;
	struct pb_place at; /* the line is the number of the frame */
	uint8_t frame[PB_PACBOT_FRAME];
	size_t len;
	struct pb_source in;
	int old; /* frames that were not taken */
};

/* A server that sends without end is answered all the same. */
enum { OLD_MAX = 1000 };

/* Given n bytes that were read and not looked at. */
static bool
take_frame(struct wire *w, size_t n)
{
	int wrong = pb_pacbot_see(&w->seen, w->r->k, w->frame);

	if (wrong >= 0)
		return pb_msg_refuse(w->at,
		    "frame byte %d: no server sends 0x%02x", wrong,
		    w->frame[wrong]);
	pb_input_add((const char *)w->frame, sizeof(w->frame));
	w->len = 0;
	if (w->r->newest && w->old < OLD_MAX &&
	    (n >= sizeof(w->frame) || pb_source_more(&w->in))) {
		w->old++;
		w->at.line++;
		return true;
	}
	if (!w->r->take(w->r->user, &w->seen.s, w->at, w->old))
		return false;
	w->old = 0;
	w->at.line++;
	return pb_msg_out_ok();
}

static bool
take_bytes(struct wire *w, const char *s, size_t n)
{
	while (n > 0) {
		size_t room = sizeof(w->frame) - w->len;
		size_t some = n < room ? n : room;

		memcpy(w->frame + w->len, s, some);
		w->len += some;
		s += some;
		n -= some;
		if (w->len == sizeof(w->frame) && !take_frame(w, n))
			return false;
	}
	return true;
}

/* Wait for bytes; false: it is time to end, or a signal asks for it. */
static bool
wait_for_bytes(const struct wire *w)
{
	struct pollfd p = {.fd = w->in.fd, .events = POLLIN};
	const int look = 20; /* at the clock and for signals, so often (ms) */

	while (isfinite(w->r->until) && poll(&p, 1, 0) == 0) {
		fflush(stdout);
		if (pb_msg_stopped() || pb_pace_seconds() >= w->r->until)
			return false;
		poll(&p, 1, look);
	}
	return pb_pace_seconds() < w->r->until;
}

/* Returns what ended it: bytes, if they were refused or not taken. */
static enum pb_source_got
read_wire(const char *file, const struct reader *r)
{
	struct wire w = {.r = r, .at = {file, 1}};
	struct pb_error bad;
	char buf[16384];
	size_t n;
	enum pb_source_got got = PB_SOURCE_BYTES;

	if (strcmp(file, "-") == 0)
		w.at.file = "<stdin>";
	if (!pb_source_open(&w.in, file, &bad)) {
		pb_msg_error_at((struct pb_place){file, 0}, &bad);
		return PB_SOURCE_BAD;
	}
	while (got == PB_SOURCE_BYTES) {
		got = wait_for_bytes(&w)
		          ? pb_source_read(&w.in, buf, sizeof(buf), &n, &bad)
		          : PB_SOURCE_STOP;
		if (got == PB_SOURCE_BYTES && !take_bytes(&w, buf, n))
			break;
	}
	if (got == PB_SOURCE_BAD)
		pb_msg_error_at(w.at, &bad);
	else if (got == PB_SOURCE_END && w.len > 0)
		pb_msg_refuse(w.at,
		    "the frame is cut off after %zu of %d bytes", w.len,
		    PB_PACBOT_FRAME);
	else if (got == PB_SOURCE_END && w.at.line == 1)
		pb_msg_refuse((struct pb_place){w.at.file, 0},
		    "expected frames, got none");
	pb_source_close(&w.in);
	return got;
}

/* Where ticks go. */
struct ticks {
	const struct pb_maze *z;
	const struct pb_pacbot_rules *k;
	struct pb_text *out;
};

static bool
put_tick(void *user, const struct pb_pacbot *s, struct pb_place at, int old)
{
	struct ticks *t = user;
	struct pb_seen k;

	(void)old;
	pb_pacbot_look(&k, s, t->z, t->k);
	pb_rec_put(t->out, PB_REC_TICK,
	    pb_stamp_at((double)(at.line - 1) / PB_PACBOT_FPS, NULL), &k);
	return true;
}

void
pb_wire_ticks(const char *file, const struct pb_maze *z,
    const struct pb_pacbot_rules *k, struct pb_text *o)
{
	struct ticks t = {z, k, o};
	const struct reader r = {
	    .k = k, .until = INFINITY, .take = put_tick, .user = &t};

	read_wire(file, &r);
}

struct server {
	const struct pb_pacsim *p;
	const struct pb_pacbot_rules *k;
	struct pb_pacbot s;
	struct pb_rng draws;
	struct pb_inbox in;
	struct pb_pacnet *net; /* ports that are listened to, NULL: none */
	bool show;             /* write frames to stdout */
	struct timespec from;  /* when the first of so many ticks was due */
	double ticks;
};

static int
pick(void *ctx, int ghost, int n)
{
	(void)ghost;
	return (int)pb_rng_below(ctx, (uint32_t)n);
}

/* Whether there is something to read: now, or with wait, once there is. */
static bool
readable(bool wait)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return wait ? pb_wait_for(STDIN_FILENO) : poll(&p, 1, 0) > 0;
}

static void
fill(struct pb_inbox *in, bool wait)
{
	ssize_t got;

	if (in->closed || !readable(wait))
		return;
	got = read(STDIN_FILENO, in->byte + in->n, sizeof(in->byte) - in->n);
	if (got > 0)
		in->n += (size_t)got;
	else if (got == 0 || (errno != EINTR && errno != EAGAIN))
		in->closed = true;
	if (got < 0 && in->closed)
		pb_msg_system("<stdin>: cannot read");
}

/* What clients send comes while the next tick is waited for. */
static void
hear(struct server *v, bool wait)
{
	if (v->net == NULL)
		fill(&v->in, wait);
	else if (wait)
		pb_pacnet_serve(v->net, 1, true);
}

/* The length of the command that came first, 0: there is none, or a part. */
static int
first(const struct pb_inbox *in)
{
	size_t n = in->n > 0 && in->byte[0] == 'x' ? 3 : 1;

	return n <= in->n ? (int)n : 0;
}

/* Whether there is none any more, and none will come. */
static bool
dry(const struct pb_inbox *in)
{
	return in->closed && first(in) == 0;
}

static void
carry_out(struct server *v, int n)
{
	const struct pb_arcade_draw d = {.pick = pick, .ctx = &v->draws};
	struct pb_inbox *in = &v->in;

	pb_pacbot_command(&v->s, v->k, &d, in->byte, n);
	in->n -= (size_t)n;
	memmove(in->byte, in->byte + n, in->n);
}

/*
 * Carry out all that has come; in lock-step the answer to the frame, once it
 * is here. False: there was nothing, and nothing will come.
 */
static bool
obey(struct server *v)
{
	bool one = v->p->o->lockstep;
	int n;

	hear(v, false);
	while (one && !first(&v->in) && !dry(&v->in) && !pb_msg_stopped())
		hear(v, true);
	if (dry(&v->in))
		return false;
	while ((n = first(&v->in)) > 0) {
		carry_out(v, n);
		if (one)
			break;
	}
	return true;
}

static void
send_frame(const struct server *v)
{
	uint8_t frame[PB_PACBOT_FRAME];

	pb_pacbot_frame(&v->s, frame);
	if (v->net != NULL)
		pb_pacnet_send(v->net, frame);
	if (!v->show)
		return;
	fwrite(frame, 1, sizeof(frame), stdout);
	fflush(stdout);
}

/* How a match of so many levels stands, 0: without an end. */
static enum pb_match_ending
standing(const struct pb_pacbot *s, int levels)
{
	if (levels > 0 && s->level > levels)
		return PB_MATCH_CLEARED;
	if (s->lives == 0)
		return PB_MATCH_DEAD;
	if (s->paused && s->tick == UINT16_MAX)
		return levels > 0 ? PB_MATCH_CLOCK : PB_MATCH_SURVIVED;
	return PB_MATCH_ON;
}

/* How the referee sees the game. */
static enum pb_match_ending
ending(const struct server *v)
{
	return v->p->o->referee ? standing(&v->s, v->p->game->levels)
	                        : PB_MATCH_ON;
}

static void
tell_end(const char *how, const struct pb_pacbot *s)
{
	pb_msg_note("%s: %d points, %d %s, tick %d", how, s->score, s->lives,
	    s->lives == 1 ? "life" : "lives", s->tick);
}

/* The next tick is due; those that were missed are not made up for. */
static void
wait_for_tick(struct server *v)
{
	double tick = 1 / (PB_PACBOT_FPS * v->p->o->speed);

	v->ticks++;
	if (v->net != NULL)
		pb_pacnet_serve(
		    v->net, v->ticks * tick - pb_pace_since(v->from), false);
	else
		pb_pace_wait(v->from, v->ticks * tick);
	if (pb_pace_since(v->from) - v->ticks * tick < tick)
		return;
	v->from = pb_pace_now();
	v->ticks = 0;
}

/*
 * One iteration of the server's loop, as its rules order it. Returns whether
 * there is another.
 */
static bool
iterate(struct server *v)
{
	const struct pb_arcade_draw d = {.pick = pick, .ctx = &v->draws};
	const uint8_t play = 'P';

	pb_pacbot_begin(&v->s, v->k, &d);
	send_frame(v);
	if (ending(v) != PB_MATCH_ON)
		return false;
	if (v->p->o->referee && v->s.paused)
		pb_pacbot_command(&v->s, v->k, &d, &play, 1);
	if (!obey(v))
		return false;
	if (ending(v) == PB_MATCH_CLEARED) {
		send_frame(v);
		return false;
	}
	pb_pacbot_end(&v->s);
	return true;
}

static void
begin(struct server *v)
{
	const struct pb_pacsim *p = v->p;

	pb_rng_start(&v->draws, p->play->session->seed, p->play->session->trial,
	    PB_FOR_GHOST, 0);
	pb_pacbot_init(&v->s, v->k, p->game->ghosts);
	v->s.lives = (uint8_t)p->game->lives;
	v->from = pb_pace_now();
}

void
pb_pacserve(const struct pb_pacsim *p, const struct pb_match_board *b)
{
	const struct pb_opt_list *ports = &p->o->listen;
	struct server v = {.p = p, .k = &b->rules};
	enum pb_match_ending e;

	if (ports->n > 0 && (v.net = pb_pacnet_open(ports, &p->o->trust,
				 p->o->lockstep, &v.in)) == NULL)
		return;
	v.show = v.net == NULL || !isatty(STDOUT_FILENO);
	begin(&v);
	while (pb_msg_out_ok() && !pb_msg_stopped() && iterate(&v))
		if (!p->o->lockstep)
			wait_for_tick(&v);
	pb_pacnet_close(v.net);
	e = ending(&v);
	tell_end(
	    e == PB_MATCH_ON ? "no more commands" : pb_match_ending_name(e),
	    &v.s);
}

struct client {
	const struct pb_pacsim *p;
	const struct pb_match_board *b;
	struct pb_seat seat;
	struct pb_pacdial *dial; /* the server, NULL: of files */
	double until;            /* of pb_pace_seconds, when to end */
	struct pb_text out;      /* for the result, nowhere if to is NULL */
	struct pb_file file;     /* that it goes to, if any */
	struct pb_pacbot s;      /* of the newest frame */
	enum pb_match_ending ending;
	int born;      /* lives that the match began with, 0: not known */
	int decisions; /* in it */
	bool begun;
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

	if (s->paused || s->pac.row >= PB_ARCADE_OFF) {
		c->due = 0;
		c->move = -1;
	}
	if (s->pac.row >= PB_ARCADE_OFF)
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
	c->ending = standing(s, c->p->game->levels);
}

static bool
take(void *user, const struct pb_pacbot *s, struct pb_place at, int old)
{
	struct client *c = user;
	struct pb_error bad;
	char byte;

	note_lag(c, at, old);
	follow(c, s);
	if (c->ending != PB_MATCH_ON)
		return false;
	if (c->live)
		note_deafness(c, s);

	if (s->pac.row < PB_ARCADE_OFF && !possible(c, s, &bad))
		return pb_msg_error_at(at, &bad);
	byte = command(c, s);
	/* Any byte is an answer; this one asks for nothing. */
	if (byte == 0 && c->p->o->lockstep)
		byte = '.';
	if (byte != 0 && c->dial != NULL)
		pb_pacdial_say(c->dial, (uint8_t)byte);
	else if (byte != 0)
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

/* What there is to say of the match from outside: not which ghosts were eaten,
 * and of deaths only if it was seen from its beginning. */
static void
put_result(struct client *c, const char *outcome)
{
	const struct pb_pacsim *p = c->p;
	const struct pb_ground ground = {.maze = &c->b->maze};
	const struct pb_outside server = {
	    .body = {NULL, p->o->connect ? p->o->connect : "server"}};
	const int dots = c->b->rules.dots, levels = p->game->levels;
	const int cleared = c->s.level - 1, eaten = dots - c->s.left;
	uint8_t frame[PB_PACBOT_FRAME];
	struct pb_rec_result r;
	struct pb_trial *t = &r.trial;

	pb_pacbot_frame(&c->s, frame);
	pb_play_sign(p->play, &ground, p->play->player->name, &server, &r);
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
	pb_rec_put(&c->out, PB_REC_RESULT, pb_stamp_none(), &r);
}

/* The match is over, or nothing more is heard of it. */
static void
end_match(struct client *c)
{
	const char *outcome = c->ending != PB_MATCH_ON
	                          ? pb_match_ending_name(c->ending)
	                      : pb_msg_stopped()              ? "interrupted"
	                      : pb_pace_seconds() >= c->until ? "timeout"
	                                                      : "disconnected";

	if (c->frames == 0)
		return;
	tell_end(outcome, &c->s);
	if (c->out.to != NULL)
		put_result(c, outcome);
	if (c->live)
		pb_msg_note("%ld frames, %ld passed over for newer ones, at "
			    "most %d (%.2g s) at once",
		    c->frames, c->passed, c->lag, seconds(c, c->lag));
	c->frames = c->passed = 0;
}

static void
read_frames(struct client *c, const char *file)
{
	struct reader r = {
	    .k = &c->b->rules, .until = c->until, .take = take, .user = c};

	c->live = !c->p->o->lockstep && is_live(file);
	r.newest = c->live;
	/* What is refused is no match. */
	if (read_wire(file, &r) != PB_SOURCE_BYTES ||
	    c->ending != PB_MATCH_ON || !pb_msg_out_ok())
		end_match(c);
}

/* Play on a server until the match is over. */
static void
play_there(struct client *c)
{
	const struct pb_pacsim_opts *o = c->p->o;
	struct pb_pacbot_seen seen = {0};
	struct pb_place at = {o->connect, 0};
	uint8_t frame[PB_PACBOT_FRAME];
	bool ok = true;
	int n;

	c->dial =
	    pb_pacdial_open(o->connect, o->patience, o->wire ? stdout : NULL);
	c->live = !o->lockstep;
	while (c->dial != NULL && ok && pb_msg_out_ok() &&
	       (n = pb_pacdial_next(c->dial, frame, c->until)) > 0) {
		int bad = pb_pacbot_see(&seen, &c->b->rules, frame);

		at.line += n;
		ok = bad < 0 ? take(c, &seen.s, at, n - 1)
		             : pb_msg_refuse(at,
				   "frame byte %d: no server sends 0x%02x", bad,
				   frame[bad]);
	}
	pb_pacdial_close(c->dial);
	if (ok || c->ending != PB_MATCH_ON)
		end_match(c);
}

/* Where results go: a file; standard output, if that is free; or nowhere. */
static bool
open_results(struct client *c)
{
	const struct pb_pacsim_opts *o = c->p->o;
	struct pb_error f;

	if (o->result != NULL && pb_file_create(o->result, &c->file, &f) != 0)
		return pb_msg_error(&f);
	if (o->result != NULL)
		c->out.to = c->file.out;
	else if (o->connect != NULL && !o->wire)
		c->out.to = stdout;
	return true;
}

/* The file appears whole, or what was there before stays. */
static void
close_results(struct client *c)
{
	struct pb_error f;

	if (c->file.out != NULL && pb_file_finish(&c->file, &f) != 0)
		pb_msg_error(&f);
	pb_file_abandon(&c->file);
	pb_text_clear(&c->out);
}

static void
play_all(struct client *c, char *const *files, int n)
{
	if (c->p->o->connect != NULL) {
		play_there(c);
		return;
	}
	for (int i = 0; i < n && !pb_msg_stopped(); i++)
		read_frames(c, files[i]);
}

void
pb_pacserve_client(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	const struct pb_play_opts *o = p->play;
	struct client c = {.p = p,
	    .b = b,
	    .seat = {.world = b, .opts = o->opts, .player = o->player},
	    .until = pb_pace_seconds() + p->o->duration,
	    .move = -1};

	if (!open_results(&c))
		return;
	/* A server that has gone takes no command, and leaves a result. */
	if (p->o->result != NULL)
		signal(SIGPIPE, SIG_IGN);
	if (pb_seat_take(&c.seat, &pb_game_pacbot) == PB_OK) {
		pb_seat_start(&c.seat, o->session->seed, o->session->trial);
		play_all(&c, files, n);
		pb_seat_leave(&c.seat, &pb_game_pacbot);
	} else
		pb_msg_system("no memory for the player");
	close_results(&c);
}
