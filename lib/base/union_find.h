/* union_find.h - which of some things hang together. */
#pragma once

/*
 * The thing that stands for all that i is joined with: up[] leads there, and
 * the way is halved on it. Alone i has up[i] == i; two are joined by the
 * up[] of one's root.
 */
static inline int
pb_root(int *up, int i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}
