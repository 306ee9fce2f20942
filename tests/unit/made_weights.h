/* made_weights.h - files of safetensors, made for tests. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pb/rng.h"
#include "policy/pacbot_dqn.h"

struct made_file {
	char *s; /* owned */
	size_t n;
};

/* A header, whatever is in it, and `bytes` bytes of data that are 0. */
static inline struct made_file
made_file(const char *header, size_t bytes)
{
	size_t len = strlen(header);
	struct made_file f = {calloc(1, 8 + len + bytes + 1), 8 + len + bytes};

	for (int i = 0; i < 8; i++)
		f.s[i] = (char)((uint64_t)len >> 8 * i);
	memcpy(f.s + 8, header, len);
	return f;
}

/* The header of a network for dqn, but for tensor `odd`, whose name is other
 * (-1: none); where its data begin in at[i]. */
static inline void
made_header(char *out, size_t size, int odd, long at[PB_QNET_TENSORS + 1])
{
	size_t len = (size_t)snprintf(
	    out, size, "{\"__metadata__\":{\"format\":\"pt\"}");

	at[0] = 0;
	for (int i = 0; i < PB_QNET_TENSORS; i++) {
		const struct pb_tensor_plan *p = &pb_qnet_tensors[i];

		len += (size_t)snprintf(out + len, size - len,
		    ",\"%s%s\":{\"dtype\":\"F32\",\"shape\":[", p->name,
		    i == odd ? "x" : "");
		for (int k = 0; k < p->dims; k++)
			len += (size_t)snprintf(out + len, size - len, "%s%d",
			    k ? "," : "", p->side[k]);
		at[i + 1] = at[i] + 4 * (long)pb_tensor_size(p->dims, p->side);
		len += (size_t)snprintf(out + len, size - len,
		    "],\"data_offsets\":[%ld,%ld]}", at[i], at[i + 1]);
	}
	snprintf(out + len, size - len, "}");
}

/* A network for dqn of random weights, so large that signals keep their size
 * from layer to layer. */
static inline struct made_file
made_qnet(uint64_t seed, int odd)
{
	static char header[4096];
	long at[PB_QNET_TENSORS + 1];
	struct pb_rng r = draws(seed, PB_FOR_PLAYER);
	struct made_file f;
	char *to;

	made_header(header, sizeof(header), odd, at);
	f = made_file(header, (size_t)at[PB_QNET_TENSORS]);
	to = f.s + 8 + strlen(header);
	for (int i = 0; i < PB_QNET_TENSORS; i++) {
		const struct pb_tensor_plan *p = &pb_qnet_tensors[i];
		size_t n = pb_tensor_size(p->dims, p->side);
		double most =
		    p->dims > 1 ? sqrt(8 * p->side[0] / (double)n) : 0.5;

		for (size_t k = 0; k < n; k++, to += 4) {
			float x = (float)((2 * pb_rng_unit(&r) - 1) * most);
			uint32_t u;

			memcpy(&u, &x, sizeof(u));
			for (int b = 0; b < 4; b++)
				to[b] = (char)(u >> 8 * b);
		}
	}
	return f;
}
