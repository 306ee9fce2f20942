/* bench.c - play on one map after the other and write the results. */
#include "io/tool/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/play/world.h"
#include "io/stream/build.h"
#include "io/stream/pace.h"
#include "io/tool/bench_results.h"
#include "map/gen_house.h"
#include "pb/version.h"

/* A run: what take() and pause_run() need. */
struct run {
	const struct pb_bench *b;
	struct pb_experiment *now;
	const struct pb_bench_opts *o; /* of b */
	struct pb_text out;            /* records on stdout */
	bool results;                  /* are written to out */
	struct pb_bench_resume resume;
	struct pb_progress progress;
	struct pb_world world; /* from the streams, once read */
	struct pb_maze maze;   /* being played on */
	uint64_t before;       /* trials taken on earlier maps */
	uint64_t told;         /* hash of the map that was told about */
	uint64_t failed;       /* trials that a program ended */
	bool fell_short;       /* of a jump that did it was told */
};

/* Whether the file of --resume says the same of a trial that it knows. */
static bool
fits_known(struct run *run, const struct pb_trial *t)
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

/* The build that played a trial; of one that the file of --resume knows, the
 * one that it says there. */
static uint64_t
build_of(const struct run *run, const struct pb_trial *t, bool fresh)
{
	struct pb_trial was = *t;

	if (fresh)
		return pb_build_digest();
	return pb_tally_get(run->resume.known, &was) ? was.build : 0;
}

/* Say once that a robot was not carried as far as was asked for. */
static void
tell_jump(struct run *run, const struct pb_trial *t)
{
	const struct pb_experiment *e = run->now;

	if (e->number >= 0 || run->fell_short ||
	    !(t->jump < e->loc->rules.trial.jump))
		return;
	run->fell_short = true;
	pb_progress_wipe(&run->progress);
	pb_msg_warn((struct pb_place){NULL, 0},
	    "map %s, trial %" PRIu64 ": no place of the drive is jump=%g m "
	    "from where the robot was; it was carried %.3g m, to the farthest",
	    t->map, t->trial, e->loc->rules.trial.jump, t->jump);
}

/* The next result, in order. */
static bool
take(void *ctx, const struct pb_trial *t, bool fresh)
{
	struct run *run = ctx;
	struct pb_rec_result r;
	struct pb_error bad;

	pb_rec_none(PB_REC_RESULT, &r);
	r.trial = *t;
	PB_REC_SET(r.trial.preset, run->now->preset);
	r.trial.told = pb_constants_told(&run->now->told, t->weights);
	r.trial.build = build_of(run, t, fresh);
	if (!fresh && !fits_known(run, t))
		return false;
	tell_jump(run, t);
	if (!pb_bench_taken(pb_tally_add(run->b->tally, &r.trial), t, &bad)) {
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

/* So many failures of programs are told, the others counted (trials). */
#define FAILURES 3

static void
failed(void *ctx, const struct pb_trial *t, const char *why)
{
	struct run *run = ctx;

	if (run->failed++ >= FAILURES)
		return;
	pb_progress_wipe(&run->progress);
	pb_msg_warn((struct pb_place){*t->program ? t->program : t->ghosts, 0},
	    "trial %" PRIu64 ", player %s: %s", t->trial, t->policy, why);
}

static bool
pause_run(void *ctx, uint64_t taken)
{
	struct run *run = ctx;

	pb_progress_show(&run->progress, run->before + taken);
	fflush(stdout);
	return pb_bench_resume_flush(&run->resume) && pb_msg_out_ok() &&
	       !pb_msg_stopped();
}

static struct pb_trials
request(struct run *run, const struct pb_experiment *e)
{
	const struct pb_bench *b = run->b;

	return (struct pb_trials){.rules = e->rules,
	    .opts = pb_experiment_opts(e),
	    .players = &e->players,
	    .rounds = &e->rounds,
	    .seed = e->seed,
	    .trials = e->trials,
	    .shard = b->o->shard,
	    .threads = b->o->jobs,
	    .agents = &b->o->agents,
	    .failed = failed,
	    .known = run->resume.known,
	    .notes = b->notes,
	    .take = take,
	    .pause = pause_run,
	    .ctx = run};
}

/* Say, once a map, why nobody wins there. */
static void
tell_beyond(struct run *run, const struct pb_ground *g, int beyond)
{
	uint64_t hash = pb_ground_hash(g);

	/* By what the map is: two files may have one name. */
	if (beyond == 0 || hash == run->told)
		return;
	run->told = hash;
	pb_progress_wipe(&run->progress);
	pb_msg_note("map %s: %d pellet%s out of reach of the start; no round "
		    "is complete without",
	    pb_ground_name(g), beyond, beyond == 1 ? " is" : "s are");
}

static void
refuse(const struct pb_ground *g, const struct pb_trials_end *e)
{
	const char *why = e->no.why ? e->no.why : pb_status_text(e->status);

	if (e->no.row >= 0 && e->no.why)
		pb_msg_refuse((struct pb_place){NULL, 0},
		    "map %s: (%d, %d): %s", pb_ground_name(g), e->no.row,
		    e->no.col, why);
	else if (e->no.found > 0)
		pb_msg_refuse((struct pb_place){NULL, 0}, "map %s: %s, got %d",
		    pb_ground_name(g), why, e->no.found);
	else
		pb_msg_refuse((struct pb_place){NULL, 0}, "map %s: %s",
		    pb_ground_name(g), why);
}

/* Play on one map; false if the run should end here. */
static bool
play_ground(struct run *run, const struct pb_ground *g)
{
	struct pb_trials t = request(run, run->now);
	struct pb_trials_end e;

	t.ground = *g;
	e = pb_trials_run(&t);
	run->before += e.taken;
	tell_beyond(run, g, e.beyond);
	if (e.status == PB_OK)
		return e.end == PB_WORK_DONE;
	pb_progress_wipe(&run->progress);
	if (e.status == PB_ENOMEM)
		pb_msg_system("no memory to play on %s", pb_ground_name(g));
	else
		refuse(g, &e);
	return e.status != PB_ENOMEM && run->o->common.keep_going;
}

static bool
play_on(struct run *run, const struct pb_world *w)
{
	const struct pb_ground g = {.map = &w->map,
	    .truth = run->o->world ? &run->o->truth.map : NULL,
	    .pellets = w->has_pellets ? &w->pellets : NULL};

	return play_ground(run, &g);
}

static bool
play_file(struct run *run, const char *path)
{
	struct pb_world w = {.has_map = false};
	bool ok = pb_world_file(&w, path);

	ok = ok ? play_on(run, &w) : run->o->common.keep_going;
	pb_world_clear(&w);
	return ok;
}

static bool
play_house(struct run *run, int seed)
{
	struct pb_house_opts h = pb_house_defaults();
	struct pb_world w = {.has_map = true};
	bool ok;

	h.seed = (unsigned long long)seed;
	if (pb_gen_house(&h, &w.map) != PB_OK)
		return pb_msg_system("no memory for a house");
	snprintf(w.map.name, sizeof(w.map.name), "house %d", seed);
	ok = play_on(run, &w);
	pb_world_clear(&w);
	return ok;
}

/* The streams are read once, for all experiments that have no map. */
static bool
play_stream(struct run *run)
{
	const struct pb_bench *b = run->b;

	if (!run->world.has_map &&
	    !pb_world_stream(&run->world, b->file, b->files, &b->o->common))
		return false;
	return play_on(run, &run->world);
}

/* On the board of that name or file, NULL: the one of the rules. */
static bool
play_board(struct run *run, const char *path)
{
	const struct pb_ground g = {.maze = &run->maze};

	if (!path)
		pb_maze_standard(run->now->rules->game->board, &run->maze);
	else if (!pb_world_maze(path, &run->maze))
		return run->o->common.keep_going;
	if (run->b->board)
		*run->b->board = run->maze;
	return play_ground(run, &g);
}

static bool
play_boards(struct run *run)
{
	const struct pb_experiment *e = run->now;
	const struct pb_bench *b = run->b;
	bool ok = true;

	if (e->maps + b->files == 0)
		return play_board(run, NULL);
	for (int i = 0; ok && i < e->maps; i++)
		ok = play_board(run, e->map[i]);
	for (int i = 0; ok && i < b->files; i++)
		ok = play_board(run, b->file[i]);
	return ok;
}

static bool
play_one(struct run *run)
{
	const struct pb_experiment *e = run->now;
	bool ok = true;

	if (e->rules->game->board != NULL)
		return play_boards(run);
	if (e->maps + e->houses == 0)
		return play_stream(run);
	for (int i = 0; ok && i < e->maps; i++)
		ok = play_file(run, e->map[i]);
	for (int i = 1; ok && i <= e->houses; i++)
		ok = play_house(run, i);
	return ok;
}

/* Say of trials that were played which are not independent. */
static void
tell_doubts(const struct pb_experiments *l)
{
	for (int i = 0; i < l->n; i++)
		if (l->at[i].number < 0)
			pb_bench_localize_doubt(l->at[i].loc, l->at[i].trials);
}

static bool
play_all(struct run *run)
{
	const struct pb_experiments *l = &run->o->list;
	bool ok = true;

	for (int i = 0; ok && i < l->n; i++) {
		run->now = &l->at[i];
		ok = play_one(run);
	}
	return ok;
}

/* How many trials there are, known ones included. */
static uint64_t
count_all(struct run *run)
{
	uint64_t total = 0;

	for (int i = 0; i < run->o->list.n; i++) {
		const struct pb_experiment *e = &run->o->list.at[i];
		struct pb_trials t = request(run, e);
		int maps = e->maps + e->houses;

		if (e->rules->game->board != NULL)
			maps += run->b->files;
		total += pb_trials_count(&t) * (uint64_t)(maps ? maps : 1);
	}
	return total;
}

bool
pb_bench_play(const struct pb_bench *b)
{
	const struct pb_bench_opts *o = b->o;
	struct run run = {.b = b,
	    .o = o,
	    .out = {.to = stdout},
	    .results = !o->no_results && !pb_bench_for_people(o)};
	uint64_t total = count_all(&run);
	bool ok = !o->resume || pb_bench_resume_open(&run.resume, o->resume);

	pb_progress_start(&run.progress, "trials", total, o->common.quiet);
	ok = ok && play_all(&run);
	pb_progress_wipe(&run.progress);
	if (ok)
		tell_doubts(&o->list);
	if (run.failed > FAILURES)
		pb_msg_note("%" PRIu64 " of %" PRIu64 " trials were ended by "
			    "programs that failed",
		    run.failed, run.before);
	if (pb_msg_stopped())
		pb_msg_note("stopped after %" PRIu64 " of %" PRIu64 " trials",
		    run.before, total);
	pb_text_clear(&run.out);
	pb_world_clear(&run.world);
	return pb_bench_resume_close(&run.resume) && ok;
}

bool
pb_bench_load(struct pb_bench_opts *o)
{
	return pb_bench_localize_load(&o->loc, &o->common) &&
	       (!o->world || pb_world_file(&o->truth, o->world));
}
