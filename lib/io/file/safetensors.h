/* safetensors.h - reading the weights of networks: files of safetensors. */
#pragma once

#include "io/stream/msg.h"
#include "pb/weights.h"

/*
 * Both return 0, or -1 with f filled in and t untouched. Taken are tensors of
 * F32, at most PB_SAFETENSORS_MOST of at most PB_TENSOR_DIMS dimensions, that
 * fill the file without gaps and overlaps and have finite values; a
 * __metadata__ is passed over. They are for pb_tensors_clear, and come in the
 * order of the file.
 */
#define PB_SAFETENSORS_MOST  1024
#define PB_SAFETENSORS_BYTES ((size_t)1 << 28) /* of a file */

int pb_safetensors_decode(const char *bytes, size_t n, const char *name,
    struct pb_tensors *t, struct pb_error *f);
int pb_safetensors_read(
    const char *path, struct pb_tensors *t, struct pb_error *f);
