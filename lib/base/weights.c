/* weights.c - the weights of trained players. */
#include "pb/weights.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

size_t
pb_tensor_size(int dims, const int *side)
{
	size_t n = 1;

	for (int i = 0; i < dims; i++)
		n *= (size_t)side[i];
	return n;
}

const struct pb_tensor *
pb_tensor_find(const struct pb_tensors *t, const char *name)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->at[i].name, name) == 0)
			return &t->at[i];
	return NULL;
}

/* Hash the bits of numbers, in one byte order. */
static uint64_t
hash_values(uint64_t h, const float *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t u;
		unsigned char b[4];

		memcpy(&u, &v[i], sizeof(u));
		for (int k = 0; k < 4; k++)
			b[k] = (unsigned char)(u >> 8 * k);
		h = pb_hash_bytes(h, b, sizeof(b));
	}
	return h;
}

uint64_t
pb_tensors_hash(const struct pb_tensors *t)
{
	uint64_t sum = 0;

	for (int i = 0; i < t->n; i++) {
		const struct pb_tensor *x = &t->at[i];
		uint64_t h =
		    pb_hash_bytes(PB_HASH_START, x->name, strlen(x->name) + 1);

		for (int k = 0; k < x->dims; k++)
			h = pb_hash_u64(h, (uint64_t)x->side[k]);
		sum +=
		    hash_values(h, x->value, pb_tensor_size(x->dims, x->side));
	}
	return sum;
}

uint64_t
pb_weights_hash(const struct pb_weights *w)
{
	uint64_t h = PB_HASH_START;

	for (int i = 0; i < w->files; i++)
		h = pb_hash_u64(h, pb_tensors_hash(&w->file[i]));
	return h;
}

bool
pb_weights_meant(const struct pb_weights_plan *p, const struct pb_weights *w)
{
	return w->files > 0 &&
	       pb_tensor_find(&w->file[0], p->tensor[0].name) != NULL;
}

static struct pb_weights_misfit
check_file(const struct pb_weights_plan *p, const struct pb_tensors *t)
{
	for (int i = 0; i < p->tensors; i++) {
		const struct pb_tensor_plan *want = &p->tensor[i];
		const struct pb_tensor *got = pb_tensor_find(t, want->name);

		if (!got || got->dims != want->dims ||
		    memcmp(got->side, want->side,
			(size_t)want->dims * sizeof(*want->side)) != 0)
			return (struct pb_weights_misfit){
			    got ? PB_WEIGHTS_SHAPE : PB_WEIGHTS_LACK, 0, want,
			    got};
	}
	for (int i = 0; i < t->n; i++) {
		int k = 0;

		while (k < p->tensors &&
		       strcmp(t->at[i].name, p->tensor[k].name) != 0)
			k++;
		if (k == p->tensors)
			return (struct pb_weights_misfit){
			    PB_WEIGHTS_FOREIGN, 0, NULL, &t->at[i]};
	}
	return (struct pb_weights_misfit){.fault = PB_WEIGHTS_FIT};
}

/* Whether file i has the known hash of another file of the plan. */
static bool
is_misplaced(const struct pb_weights_plan *p, const struct pb_weights *w, int i)
{
	uint64_t h = pb_tensors_hash(&w->file[i]);

	for (int k = 0; k < p->files; k++)
		if (h == p->known[k])
			return k != i;
	return false;
}

struct pb_weights_misfit
pb_weights_check(const struct pb_weights_plan *p, const struct pb_weights *w)
{
	struct pb_weights_misfit m = {.fault = PB_WEIGHTS_COUNT};
	int moved = 0;

	if (w->files != p->files)
		return m;
	for (int i = 0; i < w->files; i++) {
		m = check_file(p, &w->file[i]);
		m.file = i;
		if (m.fault != PB_WEIGHTS_FIT)
			return m;
	}
	for (int i = 0; p->known && i < w->files; i++)
		moved += is_misplaced(p, w, i);
	/* One file out of place is deliberate: the same network named twice. */
	if (moved > 1)
		m = (struct pb_weights_misfit){.fault = PB_WEIGHTS_ORDER};
	return m;
}

void
pb_tensors_clear(struct pb_tensors *t)
{
	free(t->at);
	free(t->value);
	*t = (struct pb_tensors){.n = 0};
}

void
pb_weights_clear(struct pb_weights *w)
{
	for (int i = 0; i < w->files; i++)
		pb_tensors_clear(&w->file[i]);
	*w = (struct pb_weights){.files = 0};
}
