/* hash.h - 64-bit hashes for fingerprints of maps, states and results. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pb/geom.h"

struct pb_rng;

/*
 * FNV-1a (Fowler, Noll and Vo). Numbers are fed least significant byte
 * first, so that a hash is the same on every machine. Start from
 * PB_HASH_START and feed each result to the next call.
 */
#define PB_HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t pb_hash_bytes(uint64_t h, const void *buf, size_t n);
uint64_t pb_hash_u64(uint64_t h, uint64_t v);

/* The bits of v; -0 counts as 0. */
uint64_t pb_hash_double(uint64_t h, double v);

/* All numbers of a place, of a pose, of a stream. */
uint64_t pb_hash_vec(uint64_t h, struct pb_vec v);
uint64_t pb_hash_pose(uint64_t h, struct pb_pose p);
uint64_t pb_hash_rng(uint64_t h, const struct pb_rng *r);
