/* bench.c - play on one map after the other and write the results. */
#include "io/tool/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/provenance.h"
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
	const struct pb_bench_opts *o; /* of b */
	struct pb_text out;              /* records on stdout */
	bool results;                    /* are written to out */
	struct pb_bench_resume resume;
	struct pb_progress progress;
	struct pb_world world; /* from the streams, once read */
	struct pb_maze maze;   /* being played on */
	uint64_t before;  /* trials taken on earlier maps */
	uint64_t told;    /* hash of the map that was told about */
	uint64_t failed;  /* trials that a program ended */
	bool fell_short;  /* of a jump that did it was told */
	uint64_t same;    /* trials that came again as they were .. */
	uint64_t other;   /* .. and otherwise */
	uint64_t missing; /* .. and that the file lacks */
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

/* How a trial ended, for people. */
static void
tell_end(const struct pb_trial *t, char text[160])
{
	snprintf(text, 160,
	    "%s, %d pellets, score %.6g, %.6g s, hash %016" PRIx64, t->outcome,
	    t->collected, t->score, t->time, t->hash);
}

/* Say if it is not what it was. */
static void
check_again(struct run *run, const struct pb_trial *t)
{
	char now[160], then[160] = "missing";
	struct pb_trial was = *t;

	if (pb_tally_get(run->b->again, &was)) {
		if (pb_tally_add(run->b->again, t) == PB_TALLY_AGAIN) {
			run->same++;
			return;
		}
		run->other++;
		tell_end(&was, then);
	} else {
		run->missing++;
	}
	tell_end(t, now);
	pb_progress_wipe(&run->progress);
	pb_msg_unmet("%s: trial %" PRIu64 " of seed %" PRIu64
		     ", player %s, map %s, round %d: now %s; was %s",
	    run->b->again_from, t->trial, t->seed, t->policy, t->map, t->round,
	    now, then);
}

/* Say what else there is to say of results that were to come again. */
static void
end_again(const struct run *run)
{
	const struct pb_bench *b = run->b;
	uint64_t left = b->results - run->same - run->other;
	uint64_t all = run->same + run->other + run->missing;

	if (run->missing > 0)
		pb_msg_note("%s: %" PRIu64 " of %" PRIu64
			    " came again; %" PRIu64 " %s missing",
		    b->again_from, run->same, all, run->missing,
		    run->missing == 1 ? "was" : "were");
	if (left > 0)
		pb_msg_unmet("%s: %" PRIu64 " of its %" PRIu64
			     " results are of no trial of the run",
		    b->again_from, left, b->results);
	else if (run->same == all)
		pb_msg_note("%s: all %" PRIu64 " results came again",
		    b->again_from, run->same);
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
	    "map %s, trial %" PRIu64 ": no place of the drive is --jump %g m "
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
	PB_REC_SET(r.trial.told, run->now->told);
	pb_constants_tell_weights(&r.trial);
	r.trial.build = build_of(run, t, fresh);
	if (!fresh && !fits_known(run, t))
		return false;
	tell_jump(run, t);
	if (!pb_bench_taken(pb_tally_add(run->b->tally, &r.trial), t, &bad)) {
		pb_progress_wipe(&run->progress);
		return pb_msg_error(&bad);
	}
	if (run->b->again) {
		check_again(run, t);
		return !pb_msg_stopped();
	}
	PB_REC_SET(r.version, PB_VERSION);
	if (run->resume.path && fresh)
		pb_rec_put(
		    &run->resume.out, PB_REC_RESULT, pb_stamp_none(), &r);
	else if (run->b->sheet->type == PB_REC_RESULT)
		pb_bench_sheet_add(run->b->sheet, &r, r.trial.told);
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

/* One line for each player in each cell, the last ones: for --watch. */
static int
show_rates(void *ctx, int rows)
{
	const struct run *run = ctx;
	const struct pb_tally *t = run->b->tally;
	int n = pb_tally_groups(t), first = n > rows ? n - rows : 0;

	for (int i = first; i < n; i++) {
		double c = run->o->confidence;
		long all, won;
		const struct pb_trial *g = pb_tally_sofar(t, i, &all, &won);
		struct pb_interval in =
		    pb_rate_interval((double)won, (double)all, c);

		fprintf(stderr, "%5.1f %%  %5.1f to %5.1f  of %ld  %s@%d %s %s",
		    100.0 * (double)won / (double)all, 100 * in.lo, 100 * in.hi,
		    all, g->policy, g->round, g->map, g->told);
		pb_progress_line();
	}
	return n - first;
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
	if (o->watch) {
		run.progress.above = show_rates;
		run.progress.ctx = &run;
	}
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
	else if (b->again && ok)
		end_again(&run);
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

/* Play by the arguments, but show nothing and write nothing. */
static void
play_again(const struct pb_bench_opts *o, const struct pb_bench_results *in,
    char **argv, int argc)
{
	static struct pb_bench_opts x;
	struct pb_bench_sheet none = {.end = 0};
	int first = pb_bench_opts_read(&x, argc, argv);
	struct pb_bench b = {.o = &x,
	    .file = argv + first,
	    .files = argc - first,
	    .tally = pb_tally_new(),
	    .again = in->tally,
	    .again_from = o->again,
	    .results = in->fresh,
	    .sheet = &none};

	/* What that run was to say beside its results is not said again. */
	pb_provenance_drop();
	pb_msg_quiet(o->common.quiet);
	if (first >= 0 && !b.tally) {
		pb_msg_system("no memory");
	} else if (first >= 0 &&
		   (x.from || x.again || x.traj.asked || x.list_rules)) {
		pb_msg_refuse((struct pb_place){o->again, 0},
		    "expected a run that played, got one that did not");
	} else if (first >= 0 && pb_bench_load(&x)) {
		x.jobs = o->jobs;
		x.resume = NULL;
		pb_bench_play(&b);
	}
	pb_tally_free(b.tally);
	if (first >= 0)
		pb_bench_opts_clear(&x);
}

void
pb_bench_again(const struct pb_bench_opts *o)
{
	struct pb_rec made = {.type = PB_REC_OTHER};
	struct pb_bench_results in = {
	    .tally = pb_tally_new(), .made = &made, .strict = true};
	char *file = (char *)o->again, **argv = NULL;
	bool ok = in.tally && pb_bench_results_read(&in, &file, 1);
	size_t n = made.type ? made.provenance.args : 0;

	if (ok && !made.type)
		ok = pb_msg_refuse((struct pb_place){o->again, 0},
		    "expected a provenance record of %s, got none; "
		    "--provenance writes it",
		    pb_msg_program());
	argv = calloc(n + 2, sizeof(*argv));
	if (!in.tally || !argv) {
		pb_msg_system("no memory");
	} else if (ok) {
		argv[0] = (char *)pb_msg_program();
		memcpy(argv + 1, made.provenance.arg, n * sizeof(*argv));
		play_again(o, &in, argv, (int)n + 1);
	}
	free(argv);
	pb_rec_clear(&made);
	pb_tally_free(in.tally);
}
