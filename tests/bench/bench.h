/* bench.h - what the files of `make bench` share: measuring and its table. */
#pragma once

#include <sys/resource.h>

/*
 * One file per family, each with a function that prints its rows, listed in
 * main.c: that is all it takes to add one. Workloads are the same on every
 * machine and in every run; nothing here is a test.
 */

/*
 * Print a row: how much work is done in a second, and whether that is what is
 * asked (main.c says of which rows what). The work is done once unmeasured,
 * then again and again for at least half a second and 5 times; the row has
 * the median and how far the middle half spreads. Seconds are the processor's
 * own: what else runs on the machine takes little from them.
 *
 * Given    name  of the row
 *          unit  of the work, "cells"
 *          work  does the work, returns how much it was
 *          arg   for work
 */
void bench_row(
    const char *name, const char *unit, double (*work)(void *arg), void *arg);

/* The same by the clock on the wall, where another process does the work. */
void bench_row_with(
    const char *name, const char *unit, double (*work)(void *arg), void *arg);

/* The same of n values that were measured, which it sorts. */
void bench_figure(const char *name, const char *unit, double *value, int n);

/* Run a command of the shell, of which what it prints is dropped; to its end.
 * Returns what it used. */
struct rusage bench_command(const char *command);

/* A clock (s). */
double bench_now(void);

/* The families. */
void bench_base(void);
void bench_env(void);
void bench_growth(void);
void bench_map(void);
void bench_mapping(void);
void bench_mazeloc(void);
void bench_mcl(void);
void bench_path(void);
void bench_ray(void);
void bench_stream(void);
void bench_tools(void);
void bench_round(void);
void bench_pacbot(void);
void bench_robots(void);

/* Say that memory ran out or a workload could not be made, and end. */
void bench_stop(const char *what);

/* A deterministic house of side x side cells at 5 cm. */
struct pb_map;
void bench_house(int side, struct pb_map *m);
