/* env.c - speed of batches of games, from C and from Python. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pb/env.h"
#include "pb/rng.h"

enum { GAMES = 1024, STEPS = 20, DRAWN = 64 };

struct batch {
	struct pb_env *e;
	int games;
	size_t bytes;   /* of the actions of a step */
	int32_t *drawn; /* those of DRAWN steps, drawn beforehand */
	int at;
};

static void
bind(struct pb_env *e, const char *kind, void *p)
{
	if (!p || pb_env_bind(e, kind, p, pb_env_bytes(e, kind)) != 0)
		bench_stop("cannot bind memory");
}

static void *
memory(struct pb_env *e, const char *kind)
{
	void *p = calloc(1, pb_env_bytes(e, kind));

	bind(e, kind, p);
	return p;
}

static double
decisions(void *arg)
{
	struct batch *b = arg;
	size_t n = b->bytes / sizeof(int32_t);

	for (int i = 0; i < STEPS; i++) {
		bind(b->e, "actions", b->drawn + (size_t)(b->at++ % DRAWN) * n);
		if (pb_env_step(b->e, 0, b->games) != 0)
			bench_stop("cannot step");
	}
	return (double)STEPS * b->games;
}

/* Any direction, or any pellet, set with a value. */
static void
bench_batch(const char *row, const char *rules, int games, const char *name,
    const char *value)
{
	static const char *const kind[] = {"observations", "final", "rewards",
	    "terminated", "truncated", "masks"};
	struct batch b = {pb_env_new(PB_ENV_ABI, rules, games), games};
	struct pb_rng r;
	void *p[6];
	size_t n;

	if (!b.e || pb_env_set(b.e, name, value) != 0 || pb_env_open(b.e) != 0)
		bench_stop(b.e ? pb_env_error(b.e) : "no memory");
	for (int i = 0; i < 6; i++)
		p[i] = memory(b.e, kind[i]);
	b.bytes = pb_env_bytes(b.e, "actions");
	n = DRAWN * b.bytes / sizeof(int32_t);
	b.drawn = malloc(n * sizeof(int32_t));
	bind(b.e, "actions", b.drawn);
	pb_rng_start(&r, 1, 0, PB_FOR_PLAYER, 0);
	for (size_t i = 0; i < n; i++)
		b.drawn[i] = (int32_t)pb_rng_below(
		    &r, (uint32_t)pb_env_count(b.e, "actions") - 1);
	pb_env_reset(b.e, 0, games, NULL);
	bench_row(row, "decisions", decisions, &b);
	pb_env_free(b.e);
	free(b.drawn);
	for (int i = 0; i < 6; i++)
		free(p[i]);
}

/* To and from the script beside this, which steps a batch when it is told. */
struct child {
	FILE *to, *from;
};

static double
python(void *arg)
{
	struct child *c = arg;
	double n;

	fprintf(c->to, "%d\n", STEPS);
	fflush(c->to);
	if (fscanf(c->from, "%lf", &n) != 1)
		bench_stop("python has stopped");
	return n;
}

/* Whichever python has numpy; its first number says that it is ready. */
static void
run_python(const int *in, const int *out)
{
	dup2(in[0], 0);
	dup2(out[1], 1);
	close(in[1]);
	close(out[0]);
	execl("/bin/sh", "sh", "-c",
	    "for p in python3 /usr/bin/python3; do "
	    "$p -c 'import numpy' 2>/dev/null && "
	    "exec $p tests/bench/env.py " BENCH_BUILD "/libpb.so"
	    "; done",
	    (char *)NULL);
	_exit(3);
}

static void
bench_python(void)
{
	int in[2], out[2];
	struct child c;
	double games;
	pid_t pid = -1;

	if (pipe(in) != 0 || pipe(out) != 0 || (pid = fork()) < 0)
		bench_stop("cannot start python");
	if (pid == 0)
		run_python(in, out);
	close(in[0]);
	close(out[1]);
	c = (struct child){fdopen(in[1], "w"), fdopen(out[0], "r")};
	if (fscanf(c.from, "%lf", &games) == 1)
		bench_row_with("the same from Python, numpy arrays",
		    "decisions", python, &c);
	else
		printf("from Python: no python3 with numpy\n");
	fclose(c.to);
	fclose(c.from);
	waitpid(pid, NULL, 0);
}

void
bench_env(void)
{
	bench_batch("env, pacbot as frames, 1024 games", "pacbot", GAMES,
	    "observe", "frame");
	bench_python();
	bench_batch(
	    "env, pacbot as planes", "pacbot", GAMES, "observe", "planes");
	bench_batch(
	    "env, pacbot as features", "pacbot", GAMES, "observe", "features");
	bench_batch("env, pacbot, ghosts decided, too", "pacbot", GAMES,
	    "decide", "all");
	bench_batch("env, roomba", "roomba", GAMES, "observe", "features");
	bench_batch("env, zumy", "zumy", GAMES, "observe", "features");
	bench_batch("env, pacmanbot, choices of pellets", "pacmanbot", 16,
	    "observe", "features");
}
