/* pacbot_client.c - a client of the official Pacbot server: receive its frames,
 * send the commands of a player. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/pacbot/pacbot_frame.h"
#include "io/play/pacbot_modes.h"
#include "io/play/play.h"
#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"

/* Most commands that wait to be sent. */
#define COMMANDS 32

/* Print a note if the server sends no frames for this long (s). */
#define SILENT 5

/* Wait at most this long for the first frame of a new connection (s). */
#define MOMENT 1

/* Most frames skipped for a newer one, so that a server that sends without end
 * is answered, too. */
#define OLD_MAX 1000

/* Print a note about a pause of this length; usual ones take 1 s (s). */
#define PAUSE 5

/* In any cell, at least one of so many different moves is possible. */
#define IGNORED 8

/* Frames this far behind our clock are late (s). */
#define LATE 1

/* Time over which a constant lag is forgotten, as clocks differ (s). */
#define FORGOTTEN 60

struct client {
	const struct pb_pacsim *p;
	struct pb_pacbot_player player;
	double until; /* when to end, of pb_pace_seconds() */

	struct pb_net_client net;
	double heard; /* last frame, or first connection; 0: none (s) */
	bool noted;   /* a missing frame was reported */
	int waiting;  /* frames received and not yet read */
	uint8_t newest[PB_PACBOT_FRAME];
	uint8_t part[PB_PACBOT_FRAME]; /* beginning of the next frame */
	size_t parts;

	struct pb_pacbot_seen seen;
	long frames;
	long passed;           /* frames skipped for newer ones */
	int lag;               /* most frames skipped at once */
	long missed;           /* ticks without a frame */
	struct timespec came;  /* time of the newest frame */
	double behind, oldest; /* lag behind our clock, now and at most (s) */
	bool late;             /* the lag was reported */
	int moves;             /* sent since Pac-Man last moved */
	struct pb_at pac;
	bool deaf; /* the server is paused or ignores moves */
	struct timespec since;
	bool said; /* that was reported */
};

/* Receive bytes; `whole`: the last of a message, where a partial frame is
 * dropped. */
static void
on_bytes(void *user, const uint8_t *s, size_t n, bool whole)
{
	struct client *c = user;

	for (size_t i = 0; i < n; i++) {
		c->part[c->parts++] = s[i];
		if (c->parts < sizeof(c->part))
			continue;
		memcpy(c->newest, c->part, sizeof(c->part));
		c->heard = pb_pace_seconds();
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
	if (c->heard == 0)
		c->heard = pb_pace_seconds();
}

/*
 * Whether to go on waiting. The official server always sends frames: without
 * any, this is another kind of server, or the network failed without closing
 * the connection.
 */
static bool
may_wait(struct client *c)
{
	double now = pb_pace_seconds();
	double silent = c->heard > 0 ? now - c->heard : 0;

	/* If this process was stopped, frames may be waiting. */
	if (silent >= c->net.patience)
		pb_net_attend(&c->net.loop, 0);
	if (c->waiting > 0)
		return true;
	/* A new connection gets MOMENT for its first frame. */
	if ((now >= c->until && c->frames == 0) ||
	    (silent >= c->net.patience && c->net.up &&
		now - c->net.since >= fmin(c->net.patience, MOMENT))) {
		errno = 0;
		return pb_net_client_lose(
		    &c->net, c->frames == 0 ? "0 frames came"
					    : "no frames come any more");
	}
	if (silent >= SILENT && c->frames == 0 && !c->noted) {
		c->noted = true;
		pb_msg_note(
		    "%s: connected, but no frame came; check that it "
		    "is a Pacbot server, and whether its port is for ws:// "
		    "or tcp://",
		    c->net.url);
	}
	return now < c->until;
}

/*
 * Wait for a frame; connect again if the connection is lost.
 *
 * Returns  number of frames that came, > 0, the last in c->newest; 0: a signal,
 *          the time is over, or, with a message (status 3), the server cannot
 *          be reached or sent no frame
 */
static int
wait_for_frame(struct client *c)
{
	int n;

	/* First the frames that have already come. */
	do {
		n = c->waiting;
		pb_net_attend(&c->net.loop, 0);
	} while (c->waiting > n && c->waiting < OLD_MAX);
	while (c->waiting == 0) {
		if (pb_msg_stopped() || !may_wait(c) ||
		    !pb_net_client_attend(&c->net, PB_NET_LOOK))
			return 0;
	}
	n = c->waiting;
	c->waiting = 0;
	return n;
}

/* Predict the game one iteration later, when the server reads the command. */
static struct pb_pacbot
predict_state(const struct pb_pacbot_player *c, const struct pb_pacbot *s)
{
	const struct pb_arcade_draw d = {.pick = pb_arcade_first_way};
	struct pb_pacbot next = *s;

	next.paused = false;
	pb_pacbot_end(&next);
	pb_pacbot_begin(&next, &c->m.board->rules, &d);
	if (!next.paused && next.pac.row < PB_ARCADE_OFF)
		return next;
	return *s;
}

static void
plan_move(struct pb_pacbot_player *c, const struct pb_pacbot *s)
{
	const struct pb_session_opts *o = c->p->play->session;
	struct pb_pacbot seen = c->server ? predict_state(c, s) : *s;
	const struct pb_bot_view v = {
	    &seen, c->m.board, c->m.opts, &c->m.ps.rng};
	struct pb_agents agents = {.ctx = NULL};

	if (c->programs.game)
		agents = pb_programs_agents(&c->programs);
	if (!c->begun && c->programs.game)
		pb_programs_reset(&c->programs, &c->m, o->seed, o->trial);
	else if (!c->begun)
		pb_player_reset(&c->m.ps, &v);
	c->begun = true;
	c->m.out.decisions++;
	c->move = (int)pb_player_decide(&c->m.ps, &agents, &v);
	c->due = s->tick;
	if (c->move != PB_STAY && c->move != s->pac.dir)
		c->due += c->m.opts->turn_ticks;
}

/* Duration of `frames` frames at the server's pace (s). */
static double
frame_seconds(const struct pb_pacsim *p, double frames)
{
	return frames / (PB_PACBOT_FPS * p->o->speed);
}

/*
 * Delayed frames arrive in a burst. If each were answered at once, two moves
 * would reach the server in one tick. So wait up to half a frame; false if the
 * robot needs longer for its cell.
 */
static bool
wait_for_cell(struct pb_pacbot_player *c)
{
	double cell = frame_seconds(c->p, c->m.opts->ticks_per_cell);
	double left = c->moved + cell - pb_pace_seconds();

	if (left > frame_seconds(c->p, 0.5))
		return false;
	pb_pace_wait(pb_pace_now(), left);
	return true;
}

/* Returns the planned move if it is due; the robot then takes a cell's time. */
static int
due_move(struct pb_pacbot_player *c, const struct pb_pacbot *s)
{
	int d = c->move;

	if (c->due > s->tick)
		return PB_STAY;
	if (d != PB_STAY && c->server != NULL)
		c->moved = pb_pace_seconds();
	c->due = s->tick + c->m.opts->ticks_per_cell;
	c->move = -1;
	return d;
}

enum pb_match_ending
pb_pacbot_standing(const struct pb_pacbot *s, int levels)
{
	if (levels > 0 && s->level > levels)
		return PB_MATCH_CLEARED;
	if (s->lives == 0)
		return PB_MATCH_DEAD;
	if (s->paused && s->tick == UINT16_MAX)
		return levels > 0 ? PB_MATCH_CLOCK : PB_MATCH_SURVIVED;
	return PB_MATCH_ON;
}

void
pb_pacbot_note_end(const char *how, const struct pb_pacbot *s)
{
	pb_msg_note("%s: %d points, %d %s, tick %d", how, s->score, s->lives,
	    s->lives == 1 ? "life" : "lives", s->tick);
}

/* Note the match of a frame and its result so far. */
static void
update_match(struct pb_pacbot_player *c, const struct pb_pacbot *s)
{
	/* The tick decreases only when a new match begins. */
	if (!c->shown || s->tick < c->m.s.tick) {
		c->begun = false;
		c->m.out.decisions = 0;
		c->born =
		    s->tick == 0 || s->lives == PB_PACBOT_LIVES ? s->lives : 0;
	}
	c->shown = true;
	c->m.s = *s;
	c->m.out.ending = pb_pacbot_standing(s, c->m.opts->levels);
}

char
pb_pacbot_player_ask(struct pb_pacbot_player *c, const struct pb_pacbot *s)
{
	int d;

	update_match(c, s);
	if (s->paused || s->pac.row >= PB_ARCADE_OFF) {
		c->due = 0;
		c->move = -1;
	}
	if (c->m.out.ending != PB_MATCH_ON || s->pac.row >= PB_ARCADE_OFF)
		return 0;
	if (s->paused && c->p->o->referee)
		return 'P';
	if (s->paused)
		return 0;
	/* A move planned before a pause is for another state. */
	if (c->move >= 0 && s->tick >= c->due + c->m.opts->ticks_per_cell)
		c->move = -1;
	if (c->move < 0 && c->due <= s->tick && wait_for_cell(c))
		plan_move(c, s);
	d = c->move < 0 ? PB_STAY : due_move(c, s);
	return d == PB_STAY || c->programs.failed ? 0 : "wasd"[d];
}

void
pb_pacbot_player_open(struct pb_pacbot_player *c, const struct pb_pacsim *p,
    const struct pb_match_board *b, const char *server)
{
	const struct pb_play_opts *o = p->play;

	*c = (struct pb_pacbot_player){.p = p,
	    .server = server,
	    .ground.maze = &b->maze,
	    .move = -1,
	    .moved = -INFINITY};
	c->m.board = b;
	c->m.opts = p->game;
	c->m.ps = (struct pb_player_state){
	    .world = b, .opts = o->opts, .player = o->player};
	if (p->o->agent != NULL)
		pb_programs_begin(&c->programs, o->game, o->programs,
		    o->patience, &c->ground, NULL);
	else if (server != NULL) {
		if (pb_player_load(&c->m.ps, o->game) != PB_OK)
			pb_msg_end_memory();
		pb_player_start(&c->m.ps, o->session->seed, o->session->trial);
	}
}

void
pb_pacbot_player_close(struct pb_pacbot_player *c)
{
	if (c->programs.failed)
		pb_programs_complain(&c->programs);
	if (c->p->o->agent != NULL)
		pb_programs_leave(&c->programs);
	else if (c->server != NULL)
		pb_player_unload(&c->m.ps, c->p->play->game);
}

/*
 * Report that frames arrive late: the server's clock falls behind ours, since
 * the link or the server is too slow, or the server has another --speed. The
 * newest frame is n frames after the previous one.
 */
static void
report_lag(
    struct client *c, struct pb_place at, int n, const struct pb_pacbot *s)
{
	const struct pb_pacsim *p = c->p;
	double dt = c->frames > 0 ? pb_pace_since(c->came) : 0;
	int old = n - 1,
	    ticks = c->frames > 0 ? s->tick - c->player.m.s.tick : n;

	c->came = pb_pace_now();
	c->frames += n;
	c->passed += old;
	c->missed += ticks > n ? ticks - n : 0;
	c->behind += dt - frame_seconds(p, ticks > n ? ticks : n) -
	             c->behind * fmin(dt / FORGOTTEN, 1);
	c->behind = fmax(c->behind, 0);
	c->oldest = fmax(c->oldest, c->behind);
	/* Report a lag of a cell's time that is greater than the last
	 * reported. */
	if (old >= p->game->ticks_per_cell && old > c->lag)
		pb_msg_note("frame %lu: %d frames (%.2g s) behind, skipping "
			    "to the newest",
		    at.line, old, frame_seconds(p, old));
	c->lag = old > c->lag ? old : c->lag;
	if (c->behind >= LATE && !c->late)
		pb_msg_note("frame %lu: %.2g s late: the link or the server "
			    "is slow, or --speed is not the server's",
		    at.line, c->behind);
	c->late |= c->behind >= LATE;
}

/* Report once per pause why a connected server does not play. */
static void
report_ignored(struct client *c, const struct pb_pacbot *s)
{
	const char *doubt =
	    c->late
		? "frames come late"
		: "a server ignores connections from addresses that it does not --trust";
	bool here = s->pac.row == c->pac.row && s->pac.col == c->pac.col;

	if (!here || s->paused)
		c->moves = 0;
	c->pac = s->pac;
	if (!s->paused && c->moves == 0) {
		c->deaf = c->said = false;
		return;
	}
	if (!c->deaf)
		c->since = pb_pace_now();
	c->deaf = true;
	/* The effect of a move shows in frames that leave the server later. */
	if (c->said || pb_pace_since(c->since) < PAUSE + c->behind ||
	    (!s->paused && c->moves < IGNORED))
		return;
	c->said = true;
	if (!s->paused)
		pb_msg_note(
		    "%d moves were sent and Pac-Man stays where it is: %s",
		    c->moves, doubt);
	else if (c->p->o->referee)
		pb_msg_note("the server stays paused although play is "
			    "pressed: %s",
		    doubt);
	else
		pb_msg_note(
		    "the server stays paused: press play there, or give --referee");
}

/* Answer the newest frame, number `line`, the last of n. False: the match is
 * over. */
static bool
answer_frame(struct client *c, long line, int n)
{
	const struct pb_place at = {c->net.url, line};
	const struct pb_pacbot_rules *k = &c->player.m.board->rules;
	const struct pb_pacbot *s = &c->seen.s;
	int wrong = pb_pacbot_see_frame(&c->seen, k, c->newest);
	const char *why;
	char byte;

	if (wrong >= 0)
		return pb_msg_refuse(at,
		    "frame byte %d: 0x%02x is invalid there", wrong,
		    c->newest[wrong]);
	/* The frame must be one that a player can decide on. */
	if (s->pac.row < PB_ARCADE_OFF &&
	    pb_pacbot_standing(s, c->p->game->levels) == PB_MATCH_ON) {
		why = pb_cells_at(
			  &c->player.m.board->cells, s->pac.row, s->pac.col) < 0
		          ? "pacman is in a wall"
		          : pb_pacbot_impossible(s, k);
		if (why != NULL)
			return pb_msg_refuse(at, "frame: %s", why);
	}
	report_lag(c, at, n, s);
	byte = pb_pacbot_player_ask(&c->player, s);
	if (c->player.m.out.ending == PB_MATCH_ON)
		report_ignored(c, s);
	c->moves += byte != 0 && byte != 'P';
	if (byte != 0 && c->net.queue.waiting < COMMANDS)
		pb_net_client_send(&c->net, &byte, 1, LWS_WRITE_BINARY);
	return true;
}

/* Fill in the result as a client can know it: without eaten ghosts, and with
 * deaths only if it was connected from the beginning. */
void
pb_pacbot_player_result(struct pb_pacbot_player *c, const struct pb_pacbot *s,
    const char *unended, struct pb_text *out)
{
	const struct pb_play_opts *o = c->p->play;
	const struct pb_outside who = {.body = {c->p->o->agent, c->server}};
	const int dots = c->m.board->rules.dots, levels = c->m.opts->levels;
	const int cleared = s->level - 1, eaten = dots - s->left;
	struct pb_match_outcome *e = &c->m.out;
	struct pb_settings_room settings;
	struct pb_rec_result r;
	struct pb_trial *t = &r.trial;

	update_match(c, s);
	e->ticks = s->tick;
	e->score = s->score;
	e->pellets = cleared * dots + eaten;
	e->cleared = cleared;
	e->deaths = c->born > 0 ? c->born - s->lives : -1;
	e->eaten = -1;
	pb_play_sign(o, &c->ground, o->player->name, &who, &settings, &r);
	pb_game_result(o->game, &c->m, t);
	t->total = dots * (levels > cleared ? levels
					    : cleared + (levels == 0 || eaten));
	/* A signal ends the wait for a program: no fault of the program. */
	if (e->ending == PB_MATCH_ON)
		PB_REC_SET(t->outcome, c->programs.failed && !pb_msg_stopped()
					   ? "forfeit"
					   : unended);
	pb_pacbot_note_end(t->outcome, s);
	pb_rec_put(out, PB_REC_RESULT, pb_stamp_none(), &r);
	free(settings.at);
}

/* Report the result of a match that is over, or whose frames end. */
static void
end_match(struct client *c, struct pb_text *out)
{
	const struct pb_pacbot last = c->player.m.s;
	const char *unended = pb_msg_stopped()                ? "interrupted"
	                      : pb_pace_seconds() >= c->until ? "timeout"
	                                                      : "disconnected";

	if (c->frames == 0)
		return;
	pb_pacbot_player_result(&c->player, &last, unended, out);
	pb_msg_note("%ld frames, %ld skipped for newer ones, at most %d "
		    "(%.2g s) at once; %ld ticks had none, at most %.2g s late",
	    c->frames, c->passed, c->lag, frame_seconds(c->p, c->lag),
	    c->missed, c->oldest);
}

/* Play until the match is over. A refused connection has no result. */
static void
play_match(struct client *c, struct pb_text *out)
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
	while (ok && c->player.m.out.ending == PB_MATCH_ON &&
	       !c->player.programs.failed && pb_msg_out_ok() &&
	       (n = wait_for_frame(c)) > 0) {
		line += n;
		ok = answer_frame(c, line, n);
	}
	pb_net_client_close(&c->net);
	if (ok)
		end_match(c, out);
}

/* Play, and write the result to a file, as a whole or not at all, or to
 * stdout. */
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
	play_match(c, &out);
	if (name != NULL && pb_file_finish(&file, &f) != 0)
		pb_msg_error(&f);
	pb_file_abandon(&file);
	pb_text_clear(&out);
}

void
pb_pacbot_client(const struct pb_pacsim *p, const struct pb_match_board *b)
{
	struct client *c = pb_alloc(1, sizeof(*c));

	c->p = p;
	c->until = pb_pace_seconds() + p->o->duration;
	pb_pacbot_player_open(&c->player, p, b, p->o->connect);
	play_and_report(c);
	pb_pacbot_player_close(&c->player);
	free(c);
}
