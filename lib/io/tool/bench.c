/* bench.c - play many trials on all cores, on one map after the other; read
 * results of files, and add to them. */
#define _DEFAULT_SOURCE /* flock */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "io/file/mapsource.h"
#include "io/file/filter.h"
#include "io/stream/file.h"
#include "io/tool/bench.h"
#include "map/gen_house.h"
#include "pb/version.h"
#include "policy/localize_game.h"

/* Results being read from files. */
struct results {
	struct pb_tally *tally;        /* receives the trials */
	const struct pb_bench_opts *o; /* NULL: defaults */
	unsigned long long fresh;      /* trials not known before */
	unsigned long long again;      /* trials known with the same result */
	bool strict;                   /* refuse an incomplete last line */
	bool torn;                     /* the last line is incomplete */
	bool unended; /* the last line lacks only its line end */
	off_t whole;  /* bytes of complete lines */
};

/* Whether a tally accepted a trial, or has it with the same result; else bad
 * says why. */
static bool
check_added(
    enum pb_tally_add got, const struct pb_trial *t, struct pb_error *bad)
{
	const char *member = "", *why = ": numbers that no trial can have";

	switch (got) {
	case PB_TALLY_ADDED:
	case PB_TALLY_AGAIN:
		return true;
	case PB_TALLY_CONFLICT:
		why = ", came before with another result";
		break;
	case PB_TALLY_HASH:
		member = ".hash";
		why = ", came before with the same numbers and another hash: "
		      "two builds play it differently";
		break;
	case PB_TALLY_REFUSED:
		break;
	case PB_TALLY_NOMEM:
		pb_msg_end_memory();
	}
	return pb_error_set(bad,
	    "result%s: trial %" PRIu64 " of seed %" PRIu64
	    ", player %s, round %d%s",
	    member, t->trial, t->seed, t->policy, t->round, why);
}

/* Add the trial of a line; false with bad filled in: refused. */
static bool
add_line(struct results *p, const struct pb_line *l, struct pb_error *bad)
{
	enum pb_tally_add got;
	struct pb_rec r;
	bool ok = true;

	if (l->len == 0)
		return true;
	if (!pb_rec_read(l->text, l->len, PB_REC_BIT(PB_REC_RESULT), &r, bad))
		return false;
	if (r.type == PB_REC_RESULT) {
		got = pb_tally_add(p->tally, &r.result.trial);
		p->fresh += got == PB_TALLY_ADDED;
		p->again += got == PB_TALLY_AGAIN;
		ok = check_added(got, &r.result.trial, bad);
	}
	pb_rec_clear(&r);
	return ok;
}

/* Whether the object that begins in the text has no end. */
static bool
is_open(const char *s, size_t n)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += s[i] == '\\';
		else if (s[i] == '{' || s[i] == '[')
			depth++;
		else if (s[i] == '}' || s[i] == ']')
			depth--;
		if (depth == 0)
			return false;
	}
	return n > 0 && s[0] == '{';
}

/* Whether a line is an incomplete record at the end of a file. After a power
 * failure, unwritten bytes may be zeros. */
static bool
is_torn(const struct pb_line *l, const struct pb_error *bad)
{
	size_t n = l->len;

	while (n > 0 && l->text[n - 1] == '\0')
		n--;
	return bad->kind == PB_ERROR_CUT ||
	       (l->raw == l->len && !l->part &&
		   (is_open(l->text, n) || n < l->len));
}

/* Refuse a line. Returns whether to go on. */
static bool
refuse_line(
    struct results *p, const struct pb_line *l, const struct pb_error *bad)
{
	bool torn = is_torn(l, bad);

	p->torn |= torn;
	if (torn && !p->strict) {
		pb_msg_warn(l->at, "the last line is incomplete; it is not "
				   "counted");
		return true;
	}
	if (torn)
		pb_msg_refuse(l->at, "the last line is incomplete");
	else
		pb_msg_error_at(l->at, bad);
	return p->o != NULL && p->o->common.keep_going;
}

/* An invalid or partial line; the next result of reading shows whether it is
 * the last of its file. A zeroed struct is none. */
struct held {
	struct pb_line line; /* copied text, owned */
	struct pb_error bad;
};

static void
hold_line(struct held *h, const struct pb_line *l, const struct pb_error *bad)
{
	char *copy = pb_alloc(l->raw + 1, 1);

	memcpy(copy, l->text, l->raw + 1);
	h->line = *l;
	h->line.text = copy;
	h->bad = *bad;
}

/* next: what follows the line, NULL: nothing. Returns whether to go on. */
static bool
refuse_held(struct results *p, struct held *h, const struct pb_line *next)
{
	bool go_on = true;

	if (h->line.text == NULL)
		return true;
	h->line.part = next != NULL && next->at.file == h->line.at.file;
	go_on = refuse_line(p, &h->line, &h->bad);
	free(h->line.text);
	h->line.text = NULL;
	return go_on;
}

static bool
read_results(struct results *p, char *const *files, int n)
{
	struct pb_lines *in = pb_lines_new(files, n);
	enum pb_next got = PB_HALT;
	struct held held = {.line = {0}};
	struct pb_line l;
	struct pb_error bad;
	bool ok = true;

	while (ok && (got = pb_lines_next(in, &l, &bad)) != PB_END &&
	       got != PB_HALT) {
		p->unended = l.raw == l.len;
		p->whole += p->unended ? 0 : (off_t)l.raw;
		ok = refuse_held(p, &held, &l);
		if (!ok || (got == PB_NEXT && add_line(p, &l, &bad)))
			continue;
		if (l.part)
			hold_line(&held, &l, &bad);
		else
			ok = refuse_line(p, &l, &bad);
	}
	ok = refuse_held(p, &held, NULL) && ok;
	pb_lines_free(in);
	if (ok && p->again > 0)
		pb_msg_note("%llu result%s came again, with the same hash or "
			    "none: counted once",
		    p->again, p->again == 1 ? "" : "s");
	return ok && got != PB_HALT;
}

/*
 * The file of --resume. Trials in it are not played again; results are
 * appended, whole lines at a time, so that a killed run loses only the results
 * not yet written. A line that is incomplete nevertheless, as after a power
 * failure, is removed. One run at a time locks the file. A zeroed struct is no
 * file.
 */
struct resume {
	struct pb_tally *known; /* trials of the file; owned */
	struct pb_text out;     /* lines to be appended */
	const char *path;       /* kept by the caller; NULL: no file */
	int fd;
};

static bool
fail_file(const struct resume *r, const char *what)
{
	return pb_msg_system("%s: %s", r->path, what);
}

static bool
refuse_file(const struct resume *r, const char *what)
{
	return pb_msg_refuse((struct pb_place){r->path, 0}, "%s", what);
}

/*
 * Lock the file, as two runs would play the same trials. The lock ends with the
 * process. flock(), because locks of fcntl() end when any descriptor of the
 * file is closed, and it is opened a second time to be read.
 */
static bool
lock_results(const struct resume *r)
{
	errno = 0;
	if (flock(r->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno == EWOULDBLOCK) {
		errno = 0;
		return fail_file(r, "another run is adding to it");
	}
	pb_msg_warn((struct pb_place){r->path, 0},
	    "cannot be locked (%s): let no other run add to it",
	    strerror(errno));
	return true;
}

/* Refuse devices, pipes and compressed files: nothing can be appended. */
static bool
check_appendable(const struct resume *r)
{
	unsigned char first = 0;
	struct stat st;

	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return refuse_file(r, "expected a regular file to resume from");
	if (pread(r->fd, &first, 1, 0) < 0)
		return fail_file(r, "cannot read");
	return first != 0x1f ||
	       refuse_file(
		   r, "expected lines to add to, got a compressed file");
}

/* Write all of s; *done: bytes written. */
static bool
write_all(int fd, const char *s, size_t n, size_t *done)
{
	for (*done = 0; *done < n;) {
		ssize_t got = write(fd, s + *done, n - *done);

		if (got < 0 && errno != EINTR)
			return false;
		*done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Open the file at path, or create it, lock it, and read its results. */
static bool
resume_open(struct resume *r, const char *path)
{
	struct results in = {.tally = pb_tally_new()};
	char *name = (char *)path;
	struct pb_error bad;
	size_t done;

	*r = (struct resume){.known = in.tally, .path = path, .fd = -1};
	errno = 0;
	if (!in.tally)
		pb_msg_end_memory();
	r->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (r->fd < 0)
		return fail_file(r, "cannot open");
	if (pb_file_added(r->fd, path, &bad) != 0)
		return pb_msg_error(&bad);
	if (!check_appendable(r) || !lock_results(r) ||
	    !read_results(&in, &name, 1))
		return false;
	/* Remove an incomplete line; add a missing line end. */
	errno = 0;
	if (in.torn)
		return ftruncate(r->fd, in.whole) == 0 ||
		       fail_file(r, "cannot cut");
	return !in.unended || write_all(r->fd, "\n", 1, &done) ||
	       fail_file(r, "cannot write");
}

/* Append the lines. False, with a message: failed; the file then ends with a
 * complete line. */
static bool
resume_flush(struct resume *r)
{
	struct pb_text *o = &r->out;
	size_t done;
	off_t end;
	int e;

	if (o->len == 0)
		return true;
	end = lseek(r->fd, 0, SEEK_END);
	if (end >= 0 && write_all(r->fd, o->s, o->len, &done)) {
		o->len = 0;
		return true;
	}
	e = errno;
	while (end >= 0 && done > 0 && o->s[done - 1] != '\n')
		done--;
	if (end >= 0 && ftruncate(r->fd, end + (off_t)done) != 0)
		pb_msg_warn(
		    (struct pb_place){r->path, 0}, "its last line may be cut");
	o->len = 0;
	errno = e;
	return fail_file(r, "cannot write");
}

/* Close the file; false, with a message: some lines could not be written. */
static bool
resume_close(struct resume *r)
{
	bool ok = !r->path || resume_flush(r);

	errno = 0;
	if (r->path && r->fd >= 0 && close(r->fd) != 0 && ok)
		ok = fail_file(r, "cannot write");
	pb_text_clear(&r->out);
	pb_tally_free(r->known);
	*r = (struct resume){.path = NULL};
	return ok;
}

/* Read result records from files ("-" and none: standard input) into the tally.
 * An incomplete last line, as a full disk leaves it, is only a warning, unless
 * --expect or --margin checks the results. */
static bool
read_files(const struct pb_bench_opts *o, struct pb_tally *tally,
    char *const *files, int n)
{
	struct results in = {.tally = tally,
	    .o = o,
	    .strict = o->expect_text.n > 0 || o->baseline != NULL};
	bool ok = read_results(&in, files, n), none = in.fresh + in.again == 0;
	bool piped = n == 0 || strcmp(files[0], "-") == 0;

	if (ok && none && n > 1)
		pb_msg_warn((struct pb_place){NULL, 0},
		    "no result records in %d files", n);
	else if (ok && none)
		pb_msg_warn((struct pb_place){piped ? "<stdin>" : files[0], 0},
		    "no result records");
	return ok;
}

/* Warn of results from several builds in that file (NULL: in all); with a gate,
 * refuse them. */
static bool
check_build(const struct pb_tally *t, const char *file, bool gate)
{
	static const char differ[] =
	    "results of different builds, %016" PRIx64 " and %016" PRIx64
	    ", which are not to be compared";
	const struct pb_builds b = pb_tally_builds(t);
	const struct pb_place at = {file, 0};

	if (b.n < 2)
		return true;
	if (gate)
		return pb_msg_refuse(at, differ, b.build[0], b.build[1]);
	pb_msg_warn(at, differ, b.build[0], b.build[1]);
	return true;
}

struct result {
	struct pb_trial trial;
	bool fresh;
	char why[160]; /* why a program ended it; "": none did */
};

static uint64_t
count_shard(const struct pb_bench_opts *o)
{
	if (o->shard.i >= (uint64_t)o->trials)
		return 0;
	return ((uint64_t)o->trials - o->shard.i - 1) / o->shard.n + 1;
}

/* Count the trials of one round. */
static uint64_t
count_round(const struct pb_bench_opts *o, const struct pb_experiment *e)
{
	return count_shard(o) * (uint64_t)e->players.n;
}

uint64_t
pb_trials_count(const struct pb_bench_opts *o, const struct pb_experiment *e)
{
	return count_round(o, e) * (uint64_t)e->rounds.n;
}

/* Allocate memory for games of player i. */
static enum pb_status
open_seat(const struct pb_trials *t, int i, void **seat)
{
	return pb_game_open(t->e->rules->game, seat, t->world, t->set,
	    pb_experiment_player(t->e, i), t->learnt[i]);
}

/* A thread's memory for the games of one player. */
struct seat {
	void *game;
	struct pb_notes notes;
	const struct pb_outside *outside; /* NULL: no body is a program */
	struct pb_programs *programs;     /* one for each body, owned */
	bool running;                     /* the programs run */
};

static void
seats_close(void *ctx, void *state)
{
	const struct pb_trials *t = ctx;
	struct seat *seat = state;

	for (int i = 0; i < t->e->players.n; i++) {
		pb_game_close(t->e->rules->game, seat[i].game);
		if (seat[i].running)
			pb_programs_end(seat[i].programs);
		free(seat[i].programs);
		if (!t->notes)
			continue;
		t->notes->games += seat[i].notes.games;
		pb_heat_add(&t->notes->heat, &seat[i].notes.heat);
	}
	free(seat);
}

static void *
seats_open(void *ctx)
{
	const struct pb_trials *t = ctx;
	struct seat *seat = pb_alloc((size_t)t->e->players.n, sizeof(*seat));

	for (int i = 0; i < t->e->players.n; i++) {
		seat[i].outside = pb_experiment_programs(t->o, t->e, i);
		if (seat[i].outside)
			seat[i].programs =
			    pb_alloc(1, sizeof(struct pb_programs));
		if (open_seat(t, i, &seat[i].game) != PB_OK)
			pb_msg_end_memory();
	}
	return seat;
}

/* The key of trial `number` of the shard, played by player `who`. */
static struct pb_trial
make_key(const struct pb_trials *t, int who, uint64_t number)
{
	struct pb_trial r = t->key[who];

	r.trial = number * t->o->shard.n + t->o->shard.i;
	return r;
}

/* Play a trial with programs. One that fails ends the trial, not the run: the
 * next trial starts it again. */
static void
play_outside(const struct pb_trials *t, struct seat *s, struct result *r)
{
	const struct pb_game *game = t->e->rules->game;
	struct pb_programs *p = s->programs;
	struct pb_agents agents;

	if (!s->running)
		pb_programs_begin(p, game, s->outside, t->o->agents.patience,
		    &t->ground, NULL);
	s->running = true;
	pb_programs_reset(p, s->game, r->trial.seed, r->trial.trial);
	agents = pb_programs_agents(p);
	pb_game_play(game, s->game, &r->trial, &agents);
	if (!p->failed)
		pb_programs_eager(p);
	if (!p->failed)
		return;
	snprintf(r->why, sizeof(r->why), "%.150s", pb_programs_why(p));
	snprintf(r->trial.outcome, sizeof(r->trial.outcome), "%s",
	    p->who == 0 ? "forfeit" : "void");
	snprintf(r->trial.cause, sizeof(r->trial.cause), "%s",
	    p->body[p->who].cause);
	r->trial.success = false;
	r->trial.hash = 0;
	pb_programs_end(p);
	s->running = false;
}

static bool
play_job(void *ctx, void *state, uint64_t number, void *out)
{
	const struct pb_trials *t = ctx;
	uint64_t players = (uint64_t)t->e->players.n;
	int who = (int)(number % players);
	struct seat *seat = (struct seat *)state + who;
	struct result *r = out;
	const struct pb_trial *known = NULL;

	r->trial = make_key(t, who, number / players);
	if (t->known)
		known = pb_tally_get(t->known, &r->trial);
	r->fresh = !known;
	r->why[0] = '\0';
	if (!r->fresh && (number >= players || !t->mixed)) {
		r->trial = *known;
		return true;
	}
	if (seat->programs)
		play_outside(t, seat, r);
	else
		pb_game_play(t->e->rules->game, seat->game, &r->trial, NULL);
	if (t->notes) {
		seat->notes.games++;
		pb_heat_add(&seat->notes.heat,
		    &((struct pb_player_state *)seat->game)->heat);
	}
	return true;
}

static bool
emit_result(void *ctx, uint64_t number, const void *result)
{
	const struct pb_trials *t = ctx;
	const struct result *r = result;

	/* A signal that ends the run may have ended the program. */
	if (*r->why && pb_msg_stopped())
		return false;
	if (*r->why)
		t->failed(t->ctx, &r->trial, r->why);
	return t->take(t->ctx, &r->trial,
	    (int)(number % (uint64_t)t->e->players.n), r->fresh);
}

static bool
pause_round(void *ctx, uint64_t emitted)
{
	const struct pb_trials *t = ctx;

	return !t->pause || t->pause(t->ctx, t->taken + emitted);
}

/* Prepare each player for the ground. Open a seat of each first, so that its
 * failure gets its own message. */
static enum pb_status
prepare_players(const struct pb_trials *t)
{
	enum pb_status s = PB_OK;
	void *seat;

	pb_msg_at_once(true);
	for (int i = 0; s == PB_OK && i < t->e->players.n; i++)
		s = pb_game_learn(t->e->rules->game,
		    pb_experiment_player(t->e, i), t->world, t->set,
		    &t->learnt[i]);
	pb_msg_at_once(false);
	for (int i = 0; s == PB_OK && i < t->e->players.n; i++) {
		s = open_seat(t, i, &seat);
		if (s == PB_OK)
			pb_game_close(t->e->rules->game, seat);
	}
	return s;
}

/* Set the parts of the key that all trials of a player share. */
static void
set_keys(const struct pb_trials *t, int round)
{
	const struct pb_game *game = t->e->rules->game;

	for (int i = 0; i < t->e->players.n; i++) {
		struct pb_trial *r = &t->key[i];

		*r = pb_game_key(game, &t->ground, t->opts, round);
		r->seed = t->o->seed;
		pb_game_credit(game, pb_experiment_player(t->e, i), t->opts, r);
		pb_outside_credit(
		    pb_experiment_programs(t->o, t->e, i), game, r);
	}
}

static void
run_round(struct pb_trials *t, int round)
{
	struct pb_work w = {.count = count_round(t->o, t->e),
	    .threads = t->o->jobs,
	    .size = sizeof(struct result),
	    .ctx = t,
	    .open = seats_open,
	    .close = seats_close,
	    .job = play_job,
	    .emit = emit_result,
	    .pause = pause_round};
	struct pb_trial last;
	uint64_t emitted;

	pb_game_set_round(t->e->rules->game, t->set, round);
	set_keys(t, round);
	if (t->known && w.count > 0) {
		last = make_key(t, t->e->players.n - 1, count_shard(t->o) - 1);
		t->mixed = !pb_tally_get(t->known, &last);
	}
	t->status = prepare_players(t);
	if (t->status == PB_OK) {
		t->end = pb_work_run(&w, &emitted);
		t->taken += emitted;
	}
	for (int i = 0; i < t->e->players.n; i++) {
		pb_game_forget(t->e->rules->game, pb_experiment_player(t->e, i),
		    t->learnt[i]);
		t->learnt[i] = NULL;
	}
}

void
pb_trials_run(struct pb_trials *t)
{
	const struct pb_game *game = t->e->rules->game;

	t->end = PB_WORK_DONE;
	t->no = (struct pb_refusal){.row = -1};
	t->taken = 0;
	t->learnt = pb_alloc((size_t)t->e->players.n, sizeof(*t->learnt));
	t->key = pb_alloc((size_t)t->e->players.n, sizeof(*t->key));
	t->set = pb_alloc(1, game->opts_size);
	memcpy(t->set, t->opts, game->opts_size);
	pb_msg_at_once(true);
	t->status =
	    pb_game_prepare(game, &t->ground, t->set, &t->world, &t->no);
	pb_msg_at_once(false);
	if (t->status == PB_OK && game->on_map)
		t->reach = pb_world_reach(game, t->world);
	for (int i = 0;
	     t->status == PB_OK && t->end == PB_WORK_DONE && i < t->e->rounds.n;
	     i++)
		run_round(t, t->e->rounds.v[i]);
	pb_game_discard(game, t->world);
	t->world = NULL;
	free(t->set);
	free(t->key);
	free(t->learnt);
}

static bool
check_log(const struct pb_bench_localize *b)
{
	const struct pb_loc_trial_opts *o = &b->rules.trial;

	switch (pb_loc_trial_check(&b->drive, o)) {
	case PB_OK:
		return true;
	case PB_ENOENT:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected a pose with source truth at every scan");
	case PB_EVALUE:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "no two places of the drive are jump=%g m apart", o->jump);
	default:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected at least %d scans, got %zu; see updates",
		    o->updates + (o->protocol == PB_LOC_KIDNAP ? o->warm : 0),
		    b->drive.scans);
	}
}

/* Read the log, if any, and check that trials can be drawn from it. */
static bool
load_log(struct pb_bench_localize *b, const struct pb_opt_common *common)
{
	char *file[] = {(char *)b->log};
	const struct pb_drivefile_opts o = {.id = "robot",
	    .want = PB_REC_BIT(PB_REC_SCAN) | PB_REC_BIT(PB_REC_ODOM) |
	            PB_REC_BIT(PB_REC_POSE),
	    .untimed = PB_KIND(PB_POSE_ODOM),
	    .scans = b->scans,
	    .common = common,
	    .ros = &b->ros};

	if (!b->log)
		return true;
	if (!pb_drivefile_read(&b->drive, &o, file, 1, NULL))
		return false;
	if (pb_drivefile_broken(&b->drive, b->log, "trials go by time")) {
		pb_msg_status(PB_EXIT_REFUSED);
		return false;
	}
	pb_drive_place(
	    &b->drive, PB_POSE_TRUTH, true, pb_traj_defaults().max_dt);
	b->rules.drive = &b->drive;
	b->rules.drive_hash = pb_drive_hash(&b->drive);
	return check_log(b);
}

/* Warn if there are more trials than separate stretches of the drive. */
static void
warn_of_overlap(const struct pb_bench_opts *o)
{
	const struct pb_bench_localize *b = &o->loc;
	const struct pb_loc_trial_opts *t = &b->rules.trial;
	uint64_t n = 0;

	if (o->list.at[0].number < 0 && !b->rules.in_maze)
		n = pb_loc_stretches(b->drive.scans, t);
	if (n > 0 && (uint64_t)o->trials > n)
		pb_msg_warn((struct pb_place){b->log, 0},
		    "the drive has %" PRIu64 " different stretch%s of "
		    "updates=%d; %d trials are not independent",
		    n, n == 1 ? "" : "es", t->updates, o->trials);
}

/* State of a run for write_result() and show_run(). */
struct run {
	struct pb_bench *b;
	const struct pb_experiment *now;
	const struct pb_bench_opts *o; /* of b */
	struct pb_text out;            /* records on stdout */
	bool results;                  /* write results to out */
	struct resume resume;
	struct pb_progress progress;
	struct pb_world world; /* read from streams */
	uint64_t before;       /* trials on earlier maps */
	uint64_t noted;        /* hash of the last map with a note */
	uint64_t failed;       /* trials that a program ended */
	bool fell_short;       /* a warning about a short jump was printed */
};

/* Whether a result equals the one in the file of --resume, if that has the
 * trial. */
static bool
matches_known(struct run *run, const struct pb_trial *t)
{
	enum pb_tally_add got = pb_tally_add(run->resume.known, t);

	if (got != PB_TALLY_CONFLICT && got != PB_TALLY_HASH)
		return true;
	pb_progress_wipe(&run->progress);
	return pb_msg_refuse((struct pb_place){run->resume.path, 0},
	    "trial %" PRIu64 " of seed %" PRIu64 ", player %s, round %d: "
	    "played again it has another %s: another build wrote it",
	    t->trial, t->seed, t->policy, t->round,
	    got == PB_TALLY_HASH ? "hash" : "result");
}

/* Warn once that a robot could not be carried as far as was requested. */
static void
warn_of_jump(struct run *run, const struct pb_trial *t)
{
	double jump = run->b->o->loc.rules.trial.jump;

	if (run->now->number >= 0 || run->fell_short || !(t->jump < jump))
		return;
	run->fell_short = true;
	pb_progress_wipe(&run->progress);
	pb_msg_warn((struct pb_place){NULL, 0},
	    "map %s, trial %" PRIu64 ": no place of the drive is jump=%g m "
	    "from where the robot was; it was carried %.3g m, to the farthest",
	    t->map, t->trial, jump, t->jump);
}

/* Write the next result, in order. */
static bool
write_result(void *ctx, const struct pb_trial *t, int who, bool fresh)
{
	struct run *run = ctx;
	struct pb_rec_result r;
	struct pb_error bad;

	pb_rec_none(PB_REC_RESULT, &r);
	r.trial = *t;
	if (run->o->preset_name)
		PB_REC_SET(r.trial.preset, run->o->preset_name);
	r.trial.settings =
	    pb_constants_settings(&run->now->settings[who], t->weights);
	/* A trial from the file of --resume keeps its build. */
	r.trial.build = fresh ? pb_build_digest()
	                      : pb_tally_get(run->resume.known, t)->build;
	if (!fresh && !matches_known(run, t))
		return false;
	if (fresh)
		warn_of_jump(run, t);
	if (!check_added(pb_tally_add(run->b->tally, &r.trial), t, &bad)) {
		pb_progress_wipe(&run->progress);
		return pb_msg_error(&bad);
	}
	PB_REC_SET(r.version, PB_VERSION);
	if (run->resume.path && fresh)
		pb_rec_put(
		    &run->resume.out, PB_REC_RESULT, pb_stamp_none(), &r);
	else if (!run->resume.path && run->results)
		pb_rec_put(&run->out, PB_REC_RESULT, pb_stamp_none(), &r);
	return pb_msg_out_ok() && !pb_msg_stopped();
}

/* Most failures of programs that are printed; later ones are counted. */
#define FAILURES 3

static void
warn_of_failure(void *ctx, const struct pb_trial *t, const char *why)
{
	struct run *run = ctx;

	if (run->failed++ >= FAILURES)
		return;
	pb_progress_wipe(&run->progress);
	pb_msg_warn((struct pb_place){*t->program ? t->program : t->ghosts, 0},
	    "trial %" PRIu64 ", player %s: %s", t->trial, t->policy, why);
}

/* Show progress and flush results between trials. Returns whether the run goes
 * on. */
static bool
show_run(void *ctx, uint64_t taken)
{
	struct run *run = ctx;

	pb_progress_show(&run->progress, run->before + taken);
	fflush(stdout);
	return resume_flush(&run->resume) && pb_msg_out_ok() &&
	       !pb_msg_stopped();
}

/* Print, once for each map, why no player can win there. */
static void
warn_of_reach(
    struct run *run, const struct pb_ground *g, struct pb_world_reach reach)
{
	uint64_t hash = pb_ground_hash(g);
	char name[sizeof(g->map->name) + 8];

	/* Compare maps by hash: two files may have the same name. */
	if (reach.beyond + reach.left_out == 0 || hash == run->noted)
		return;
	run->noted = hash;
	pb_progress_wipe(&run->progress);
	snprintf(name, sizeof(name), "map %s: ", pb_ground_name(g));
	pb_world_tell_reach(name, reach);
}

/* Play on one map; false: end the run. */
static bool
play_ground(struct run *run, const struct pb_ground *g)
{
	struct pb_trials t = {.o = run->o,
	    .e = run->now,
	    .opts = pb_experiment_opts(run->o, run->now),
	    .ground = *g,
	    .known = run->resume.known,
	    .notes = run->b->notes,
	    .take = write_result,
	    .failed = warn_of_failure,
	    .pause = show_run,
	    .ctx = run};
	struct pb_error why;

	pb_trials_run(&t);
	run->before += t.taken;
	warn_of_reach(run, g, t.reach);
	if (t.status == PB_OK)
		return t.end == PB_WORK_DONE;
	pb_progress_wipe(&run->progress);
	pb_msg_refuse((struct pb_place){NULL, 0}, "map %s: %s",
	    pb_ground_name(g),
	    pb_world_refuse(
		t.e->rules->game, g, t.opts, t.status, &t.no, &why));
	return run->o->common.keep_going;
}

static bool
play_world(struct run *run, const struct pb_world *w)
{
	const struct pb_ground g = {.map = &w->map,
	    .truth = run->o->world ? &run->o->truth.map : NULL,
	    .pellets = w->has_pellets ? &w->pellets : NULL};

	return play_ground(run, &g);
}

/* Play on the map in a file; NULL: on the random house of that seed. */
static bool
play_map(struct run *run, const char *path, int seed)
{
	struct pb_house_opts h = pb_house_defaults();
	struct pb_world w = {.has_map = path == NULL};
	bool ok = path == NULL || pb_world_file(&w, path, &run->o->pixels);

	h.seed = (unsigned long long)seed;
	if (!path && pb_gen_house(&h, &w.map) != PB_OK)
		pb_msg_end_memory();
	if (!path)
		snprintf(w.map.name, sizeof(w.map.name), "house %d", seed);
	ok = ok ? play_world(run, &w) : run->o->common.keep_going;
	pb_world_clear(&w);
	return ok;
}

/* Play on the board of that name or file, NULL: the default one. */
static bool
play_board(struct run *run, const char *path)
{
	struct pb_maze *maze = &run->b->board;
	const struct pb_ground g = {.maze = maze};
	struct pb_error bad;

	if (!path)
		pb_maze_standard(run->now->rules->game->board, maze);
	else if (!pb_world_maze(path, maze, &bad))
		return pb_msg_error(&bad) || run->o->common.keep_going;
	return play_ground(run, &g);
}

/* Number of boards or maps of an experiment, 0: the default one. */
static int
count_grounds(const struct pb_bench *b, const struct pb_experiment *e)
{
	return b->o->maps.n +
	       (e->rules->game->board != NULL ? b->files : b->o->houses);
}

/* Play an experiment: on its maps, then on boards or houses. */
static bool
play_experiment(struct run *run)
{
	const struct pb_opt_list *maps = &run->o->maps;
	const struct pb_bench *b = run->b;
	bool board = run->now->rules->game->board != NULL, ok = true;
	int n = count_grounds(b, run->now);

	if (n == 0 && board)
		return play_board(run, NULL);
	/* Streams are read once, for all experiments without a map. */
	if (n == 0)
		return (run->world.has_map ||
			   pb_world_stream(&run->world, b->file, b->files,
			       &b->o->common)) &&
		       play_world(run, &run->world);
	for (int i = 0; ok && i < n; i++) {
		int k = i - maps->n;
		const char *path = k < 0   ? maps->arg[i]
		                   : board ? b->file[k]
		                           : NULL;

		ok = board ? play_board(run, path) : play_map(run, path, k + 1);
	}
	return ok;
}

static bool
play_all(struct pb_bench *b)
{
	struct pb_bench_opts *o = b->o;
	struct run run = {.b = b,
	    .o = o,
	    .out = {.to = stdout},
	    .results = !o->no_results && !pb_bench_for_people(o)};
	uint64_t total = 0; /* trials, known ones included */
	bool ok =
	    load_log(&o->loc, &o->common) &&
	    (!o->world || pb_world_file(&o->truth, o->world, &o->pixels)) &&
	    (!o->resume || resume_open(&run.resume, o->resume));

	for (int i = 0; i < o->list.n; i++) {
		const struct pb_experiment *e = &o->list.at[i];
		int n = count_grounds(b, e);

		total += pb_trials_count(o, e) * (uint64_t)(n ? n : 1);
	}
	pb_progress_start(&run.progress, "trials", total, o->common.quiet);
	for (int i = 0; ok && i < o->list.n; i++) {
		run.now = &o->list.at[i];
		ok = play_experiment(&run);
	}
	pb_progress_wipe(&run.progress);
	if (ok)
		warn_of_overlap(o);
	if (run.failed > FAILURES)
		pb_msg_note("%" PRIu64 " of %" PRIu64 " trials were ended by "
			    "programs that failed",
		    run.failed, run.before);
	if (pb_msg_stopped())
		pb_msg_note("stopped after %" PRIu64 " of %" PRIu64 " trials",
		    run.before, total);
	pb_text_clear(&run.out);
	pb_world_clear(&run.world);
	return resume_close(&run.resume) && ok;
}

/* Whether the user set a constant, so that it may differ from the
 * baseline's. */
static bool
is_asked(const struct pb_bench_opts *o, const char *name)
{
	size_t n = strlen(name);

	for (int i = 0; i < o->vary.n; i++)
		if (strncmp(o->vary.arg[i], name, n) == 0 &&
		    o->vary.arg[i][n] == '=')
			return true;
	return o->preset_name || pb_set_given(&o->set, name);
}

/* A constant with another value in the second list that the user did not set;
 * NULL: none. */
static const char *
find_difference(
    const struct pb_bench_opts *o, struct pb_settings a, struct pb_settings b)
{
	for (int i = 0; i < a.n; i++) {
		const char *value = pb_settings_value(b, a.at[i].name);

		if ((!value || strcmp(value, a.at[i].value) != 0) &&
		    !is_asked(o, a.at[i].name))
			return a.at[i].name;
	}
	return NULL;
}

/* Refuse a group whose constants differ from those in the baseline. */
static bool
check_baseline(const struct pb_bench *b)
{
	const char *name = NULL, *then, *now;

	for (int i = 0; b->base && i < pb_tally_groups(b->tally); i++) {
		const struct pb_trial *x = pb_tally_key(b->tally, i), *y;
		int j = pb_tally_find(b->tally, i, b->base);

		y = j < 0 ? x : pb_tally_key(b->base, j);
		if (x->options == y->options ||
		    (!(name =
			     find_difference(b->o, x->settings, y->settings)) &&
			!(name = find_difference(
			      b->o, y->settings, x->settings))))
			continue;
		then = pb_settings_value(y->settings, name);
		now = pb_settings_value(x->settings, name);
		return pb_msg_refuse((struct pb_place){b->o->baseline, 0},
		    "%s, map %s, round %d: %s is %s, here %s; to compare them "
		    "all the same, play with --set %s",
		    x->policy, pb_bench_map(x), x->round, name,
		    then ? then : "as usual", now ? now : "as usual", name);
	}
	return true;
}

bool
pb_bench_run(struct pb_bench *b)
{
	const struct pb_bench_opts *o = b->o;
	char *base = (char *)o->baseline;

	pb_msg_catch();
	/* Check that files can be written before an hour of games. */
	if (!pb_file_writable(o->png) || !pb_file_writable(o->heat) ||
	    !pb_file_writable(o->report))
		return false;
	b->tally = pb_tally_new();
	b->base = base ? pb_tally_new() : NULL;
	b->notes = o->heat ? pb_alloc(1, sizeof(*b->notes)) : NULL;
	if (!b->tally || (base && !b->base))
		pb_msg_end_memory();
	if (base && (!read_files(o, b->base, &base, 1) ||
			!check_build(b->base, base, false)))
		return false;
	return (o->from ? read_files(o, b->tally, b->file, b->files)
			: play_all(b)) &&
	       check_build(b->tally, NULL, o->expect_text.n > 0) &&
	       check_baseline(b);
}

void
pb_bench_clear(struct pb_bench *b)
{
	free(b->notes);
	pb_tally_free(b->tally);
	pb_tally_free(b->base);
}
