/* unpack.h - what recordings are compressed by, unpacked piece by piece. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum pb_pack {
	PB_PACK_NONE,
	PB_PACK_LZ4, /* its frames, lz4frame.h */
	PB_PACK_ZSTD,
	PB_PACK_BZ2
};

/* The name that recordings have for it, and back: -1 for none that we know. */
extern const char *const pb_pack_name[];
int pb_pack_find(const char *s, size_t n);

struct pb_unpack;

/* For pb_unpack_free(); NULL without memory. */
struct pb_unpack *pb_unpack_new(enum pb_pack kind);
void pb_unpack_free(struct pb_unpack *u);

enum pb_unpacked {
	PB_UNPACKED,       /* go on */
	PB_UNPACKED_WHOLE, /* a frame has ended: another may follow, or nothing
	                    */
	PB_UNPACKED_BROKEN,
	PB_UNPACKED_NOMEM
};

/*
 * Take some of the *n bytes at in, which may be none, and put some, at most
 * *room > 0, to out: *n and *room become how many.
 */
enum pb_unpacked pb_unpack_step(struct pb_unpack *u, const unsigned char *in,
    size_t *n, unsigned char *out, size_t *room);
