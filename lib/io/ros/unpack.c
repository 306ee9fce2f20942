/* unpack.c - what recordings are compressed by, unpacked piece by piece. */
#include "io/ros/unpack.h"

#include <bzlib.h>
#include <limits.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

struct pb_unpack {
	enum pb_pack kind;
	ZSTD_DCtx *zstd;
	LZ4F_dctx *lz4;
	bz_stream bz2;
	bool bz2_begun; /* inside of a stream */
};

const char *const pb_pack_name[] = {"none", "lz4", "zstd", "bz2"};

int
pb_pack_find(const char *s, size_t n)
{
	/* MCAP has no word for none, bags of ROS 1 have one. */
	if (n == 0)
		return PB_PACK_NONE;
	for (int i = 0; i <= PB_PACK_BZ2; i++)
		if (strlen(pb_pack_name[i]) == n &&
		    memcmp(pb_pack_name[i], s, n) == 0)
			return i;
	return -1;
}

struct pb_unpack *
pb_unpack_new(enum pb_pack kind)
{
	struct pb_unpack *u = calloc(1, sizeof(*u));
	bool ok = true;

	if (u == NULL)
		return NULL;
	u->kind = kind;
	if (kind == PB_PACK_ZSTD)
		ok = (u->zstd = ZSTD_createDCtx()) != NULL;
	if (kind == PB_PACK_LZ4)
		ok = !LZ4F_isError(
		    LZ4F_createDecompressionContext(&u->lz4, LZ4F_VERSION));
	if (ok)
		return u;
	pb_unpack_free(u);
	return NULL;
}

void
pb_unpack_free(struct pb_unpack *u)
{
	if (u == NULL)
		return;
	ZSTD_freeDCtx(u->zstd);
	LZ4F_freeDecompressionContext(u->lz4);
	if (u->bz2_begun)
		BZ2_bzDecompressEnd(&u->bz2);
	free(u);
}

static enum pb_unpacked
step_zstd(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	ZSTD_inBuffer from = {in, *n, 0};
	ZSTD_outBuffer to = {out, *room, 0};
	size_t rc = ZSTD_decompressStream(u->zstd, &to, &from);

	*n = from.pos;
	*room = to.pos;
	if (!ZSTD_isError(rc))
		return rc == 0 ? PB_UNPACKED_WHOLE : PB_UNPACKED;
	return ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation
	           ? PB_UNPACKED_NOMEM
	           : PB_UNPACKED_BROKEN;
}

static enum pb_unpacked
step_lz4(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	size_t rc = LZ4F_decompress(u->lz4, out, room, in, n, NULL);

	if (!LZ4F_isError(rc))
		return rc == 0 ? PB_UNPACKED_WHOLE : PB_UNPACKED;
	*n = *room = 0; /* they are not set */
	/* Codes are not of the interface, names are. */
	return strcmp(LZ4F_getErrorName(rc), "ERROR_allocation_failed") == 0
	           ? PB_UNPACKED_NOMEM
	           : PB_UNPACKED_BROKEN;
}

static enum pb_unpacked
step_bz2(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	bz_stream *z = &u->bz2;
	unsigned had = *n > UINT_MAX / 2 ? UINT_MAX / 2 : (unsigned)*n;
	unsigned space = *room > UINT_MAX / 2 ? UINT_MAX / 2 : (unsigned)*room;
	int rc = BZ_OK;

	if (!u->bz2_begun && had > 0) {
		*z = (bz_stream){0};
		rc = BZ2_bzDecompressInit(z, 0, 0);
		u->bz2_begun = rc == BZ_OK;
	}
	z->next_in = (char *)in; /* which it only reads */
	z->avail_in = had;
	z->next_out = (char *)out;
	z->avail_out = space;
	if (u->bz2_begun)
		rc = BZ2_bzDecompress(z);
	*n = had - z->avail_in;
	*room = space - z->avail_out;
	if (rc == BZ_OK)
		return PB_UNPACKED;
	if (u->bz2_begun)
		BZ2_bzDecompressEnd(z);
	u->bz2_begun = false;
	if (rc == BZ_STREAM_END)
		return PB_UNPACKED_WHOLE;
	return rc == BZ_MEM_ERROR ? PB_UNPACKED_NOMEM : PB_UNPACKED_BROKEN;
}

enum pb_unpacked
pb_unpack_step(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	switch (u->kind) {
	case PB_PACK_ZSTD:
		return step_zstd(u, in, n, out, room);
	case PB_PACK_LZ4:
		return step_lz4(u, in, n, out, room);
	case PB_PACK_BZ2:
		return step_bz2(u, in, n, out, room);
	case PB_PACK_NONE:
		break;
	}
	*n = *room = *n < *room ? *n : *room;
	memcpy(out, in, *n);
	return PB_UNPACKED_WHOLE;
}
