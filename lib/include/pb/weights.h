/* weights.h - weights of trained players. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * A tensor is an array of floats of up to four dimensions, the last of which
 * runs fastest. The program that starts a game reads the tensors, checks that
 * they fit the player, and sets them in the options of the game. They are not
 * changed from then on, so threads share them. A zeroed struct is empty.
 */
#define PB_TENSOR_NAME   64 /* bytes, with the final NUL */
#define PB_TENSOR_DIMS   4
#define PB_WEIGHTS_FILES 4

struct pb_tensor {
	char name[PB_TENSOR_NAME];
	int dims;
	int side[PB_TENSOR_DIMS]; /* `dims` of them, >= 1 */
	const float *value;       /* all of them finite */
};

/* The tensors of one file. */
struct pb_tensors {
	struct pb_tensor *at; /* n of them, owned; no name twice */
	int n;
	float *value;     /* numbers of all tensors, owned */
	const char *name; /* name of the file, not owned, or NULL */
};

struct pb_weights {
	struct pb_tensors file[PB_WEIGHTS_FILES];
	int files;
	uint64_t hash; /* see pb_weights_hash */
};

/* The weights that a player needs: files with exactly these tensors each. */
struct pb_weights_plan {
	int files;
	const char *what; /* description of the files */
	const struct pb_tensor_plan {
		const char *name;
		int dims, side[PB_TENSOR_DIMS];
	} * tensor;
	int tensors;
	bool optional; /* the player has built-in weights */
	const uint64_t
	    *known; /* hash of the known file for each place; NULL: none */
};

enum pb_weights_fault {
	PB_WEIGHTS_FIT,
	PB_WEIGHTS_COUNT,   /* another number of files */
	PB_WEIGHTS_LACK,    /* tensor `want` is not in the file */
	PB_WEIGHTS_SHAPE,   /* tensor `got` has not the shape of `want` */
	PB_WEIGHTS_FOREIGN, /* tensor `got` is not asked for */
	PB_WEIGHTS_ORDER    /* known files, each in another's place */
};

struct pb_weights_misfit {
	enum pb_weights_fault fault;
	int file; /* index of the file */
	const struct pb_tensor_plan *want;
	const struct pb_tensor *got;
};

/* Number of values of a tensor of that shape. */
size_t pb_tensor_size(int dims, const int *side);

/* The tensor of that name, NULL if there is none. */
const struct pb_tensor *pb_tensor_find(
    const struct pb_tensors *t, const char *name);

/* Hash of names, shapes and values; independent of their order. */
uint64_t pb_tensors_hash(const struct pb_tensors *t);

/* Hash of all files, in their order. */
uint64_t pb_weights_hash(const struct pb_weights *w);

/* Whether w is meant for p: its first file has p's first tensor. */
bool pb_weights_meant(
    const struct pb_weights_plan *p, const struct pb_weights *w);

/* The first reason why w does not fit p. */
struct pb_weights_misfit pb_weights_check(
    const struct pb_weights_plan *p, const struct pb_weights *w);

void pb_tensors_clear(struct pb_tensors *t);
void pb_weights_clear(struct pb_weights *w);

PB_END_DECLS
