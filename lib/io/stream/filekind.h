/* filekind.h - what a file is, by its first bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"

enum pb_filekind {
	PB_FILE_UNKNOWN, /* a text, or bytes of no format that is known */
	PB_FILE_MCAP,    /* recordings of ROS topics */
	PB_FILE_ROS1,
	PB_FILE_DB3,
	PB_FILE_ZSTD, /* any file, packed */
	PB_FILE_GZIP,
	PB_FILE_UTF16,
	PB_FILE_XML,
	PB_FILE_MAPYAML,
	PB_FILE_PRETTY, /* JSON over several lines */
	PB_FILE_PNM,    /* images of maps: PGM or PPM */
	PB_FILE_PNG,
	PB_FILE_BMP,
	PB_FILE_FOREIGN_IMAGE, /* a map may be in it, which is not read */
	PB_FILE_FOREIGN,       /* nothing reads it */
	PB_FILE_KINDS
};

/* A set of kinds. */
#define PB_FILES(k) (1u << (k))
#define PB_FILES_IMAGES \
	(PB_FILES(PB_FILE_PNM) | PB_FILES(PB_FILE_PNG) | PB_FILES(PB_FILE_BMP))
#define PB_FILES_RECORDINGS                                \
	(PB_FILES(PB_FILE_MCAP) | PB_FILES(PB_FILE_ROS1) | \
	    PB_FILES(PB_FILE_DB3) | PB_FILES(PB_FILE_ZSTD))

/* The kind of a file that begins with the n bytes at head. */
enum pb_filekind pb_filekind_of(const void *head, size_t n);

/*
 * Whether a reader of these kinds, a set, may try a file that begins so: what
 * is unknown it must judge for itself. If not, bad says what the file is, and
 * what to do with it or what reads it.
 */
bool pb_filekind_check(
    unsigned reads, const void *head, size_t n, struct pb_error *bad);
