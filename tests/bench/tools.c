/* tools.c - speed of tools as a whole: a large map, and many threads. */
#define _DEFAULT_SOURCE /* wait4: the memory of a process */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 5 };

/* Start a command of the shell, which is gone when its tool runs. */
static pid_t
start(const char *command)
{
	pid_t pid = fork();

	if (pid < 0)
		bench_stop("cannot start a tool");
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	return pid;
}

static struct rusage
end(pid_t pid)
{
	struct rusage used;
	int status;

	if (wait4(pid, &status, 0, &used) != pid || status != 0)
		bench_stop("a tool failed");
	return used;
}

struct rusage
bench_command(const char *command)
{
	return end(start(command));
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Seconds of the processor: what else runs takes nothing from it. */
static void
bench_large(void)
{
	char dir[] = "/tmp/pb-bench-XXXXXX", command[256];
	double s[TIMES], bytes[TIMES];

	if (mkdtemp(dir) == NULL)
		bench_stop("cannot make a folder");
	snprintf(command, sizeof(command),
	    "exec " BENCH_BUILD "/pb-mapgen random-house -S 200,200 "
	    "-o %s/house.yaml",
	    dir);
	bench_command(command);
	snprintf(command, sizeof(command),
	    "exec " BENCH_BUILD
	    "/pb-bench -q -n 1 -j 1 --set spacing=8 --set duration=1 -m %s/house.yaml "
	    ">/dev/null",
	    dir);
	for (int i = 0; i < TIMES; i++) {
		struct rusage used = bench_command(command);

		bytes[i] = 1024.0 * (double)used.ru_maxrss;
		s[i] = seconds(used.ru_utime) + seconds(used.ru_stime);
	}
	bench_figure("first game in a house of 4000 x 4000", "s", s, TIMES);
	bench_figure("  its memory", "bytes", bytes, TIMES);
	snprintf(command, sizeof(command), "exec rm -r %s", dir);
	bench_command(command);
}

/* One game after the other, by n processes of a share each or n threads. */
static double
play(int processes, int threads)
{
	double t = bench_now();
	pid_t pid[64];
	char command[256];

	for (int i = 0; i < processes; i++) {
		snprintf(command, sizeof(command),
		    "exec " BENCH_BUILD "/pb-bench -q -n 400 -j %d -p seed "
		    "-m testdata/house.yaml --shard %d/%d >/dev/null",
		    threads, i + 1, processes);
		pid[i] = start(command);
	}
	for (int i = 0; i < processes; i++)
		end(pid[i]);
	return bench_now() - t;
}

/* In turn: a machine has better and worse moments. */
static void
bench_threads(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int n = cores > 64 ? 64 : (int)cores;
	double share[2 * TIMES];

	play(n, 1);
	for (int i = 0; i < 2 * TIMES; i++) {
		double apart = play(n, 1);

		share[i] = 100 * apart / play(1, n);
	}
	bench_figure(
	    "pb-bench -j, of as many processes", "%", share, 2 * TIMES);
}

void
bench_tools(void)
{
	bench_large();
	bench_threads();
}
