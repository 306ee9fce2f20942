/* bench.c - play on one map after the other and write the results. */
#include "io/tool/bench.h"

#include <inttypes.h>
#include <stdio.h>

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
	const struct pb_experiment *now;
	const struct pb_bench_opts *o;   /* of b */
	const struct pb_seq_opts *tests; /* or NULL */
	struct pb_text out;              /* records on stdout */
	bool results;                    /* are written to out */
	struct pb_resume resume;
	struct pb_progress progress;
	struct pb_world world;    /* from the streams, once read */
	struct pb_maze maze;      /* being played on */
	struct pb_seq seq;        /* tests of the round being played */
	bool won[PB_SEQ_PLAYERS]; /* the trial that is taken */
	int taken;                /* results of it */
	bool enough;              /* every test of the round is decided */
	uint64_t before;          /* trials taken on earlier maps */
	uint64_t told;            /* hash of the map that was told about */
};

/* A round begins, and with it its tests. */
static void
begin(void *ctx)
{
	struct run *run = ctx;

	run->taken = 0;
	run->enough = false;
	if (run->tests)
		pb_seq_start(&run->seq, run->tests, run->now->players.n);
}

/* Look after each trial of all players. */
static void
test(struct run *run, bool success)
{
	run->won[run->taken++] = success;
	if (run->taken < run->now->players.n)
		return;
	run->taken = 0;
	run->enough = pb_seq_add(&run->seq, run->won);
}

static bool
enough(void *ctx)
{
	const struct run *run = ctx;

	return run->enough;
}

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

/* The next result, in order. */
static bool
take(void *ctx, const struct pb_trial *t, bool fresh)
{
	struct run *run = ctx;
	struct pb_rec_result r;

	pb_rec_none(PB_REC_RESULT, &r);
	r.trial = *t;
	PB_REC_SET(r.trial.preset, run->now->preset);
	PB_REC_SET(r.trial.told, run->now->told);
	r.trial.sequential = run->tests != NULL;
	if (!fresh && !fits_known(run, t))
		return false;
	if (pb_tally_add(run->b->tally, &r.trial) == PB_TALLY_NOMEM)
		return pb_msg_system("no memory for more trials");
	if (run->tests)
		test(run, t->success);
	PB_REC_SET(r.version, PB_VERSION);
	r.build = pb_build_digest();
	if (run->resume.path && fresh)
		pb_rec_put(
		    &run->resume.out, PB_REC_RESULT, pb_stamp_none(), &r);
	else if (!run->resume.path && run->results)
		pb_rec_put(&run->out, PB_REC_RESULT, pb_stamp_none(), &r);
	return pb_msg_out_ok() && !pb_msg_stopped();
}

static bool
pause_run(void *ctx, uint64_t taken)
{
	struct run *run = ctx;

	pb_progress_show(&run->progress, run->before + taken);
	fflush(stdout);
	return pb_resume_flush(&run->resume) && pb_msg_out_ok() &&
	       !pb_msg_stopped();
}

static struct pb_trials
request(struct run *run, const struct pb_experiment *e)
{
	const struct pb_bench *b = run->b;

	return (struct pb_trials){.rules = e->rules,
	    .opts = pb_experiment_opts(e),
	    .player = e->players.player,
	    .players = e->players.n,
	    .round = e->rounds.v,
	    .rounds = e->rounds.n,
	    .seed = e->seed,
	    .trials = e->trials,
	    .shard = b->o->shard.i,
	    .shards = b->o->shard.n,
	    .threads = b->o->jobs,
	    .known = run->resume.known,
	    .notes = b->notes,
	    .begin = begin,
	    .take = take,
	    .enough = enough,
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
	const struct pb_ground g = {
	    .map = &w->map, .pellets = w->has_pellets ? &w->pellets : NULL};

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
	    .tests = pb_bench_tests(o),
	    .out = {.to = stdout},
	    .results = !o->no_results && !pb_bench_for_people(o)};
	uint64_t total = count_all(&run);
	bool ok = !o->resume || pb_resume_open(&run.resume, o->resume);

	pb_progress_start(&run.progress, "trials", total, o->common.quiet);
	ok = ok && play_all(&run);
	pb_progress_wipe(&run.progress);
	if (pb_msg_stopped())
		pb_msg_note("stopped after %" PRIu64 " of %" PRIu64 " trials",
		    run.before, total);
	pb_text_clear(&run.out);
	pb_world_clear(&run.world);
	return pb_resume_close(&run.resume) && ok;
}
