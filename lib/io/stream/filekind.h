/* filekind.h - recognise the kind of a file by its first bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"

enum pb_filekind {
	PB_FILE_UNKNOWN, /* a text, or bytes of an unknown format */
	PB_FILE_MCAP,    /* recordings of ROS topics */
	PB_FILE_ROS1,
	PB_FILE_DB3,
	PB_FILE_ZSTD, /* compressed file of any kind */
	PB_FILE_GZIP,
	PB_FILE_UTF16,
	PB_FILE_XML,
	PB_FILE_MAPYAML,
	PB_FILE_PRETTY, /* one JSON value over several lines */
	PB_FILE_PNM,    /* images that maps are read from: PGM or PPM */
	PB_FILE_PNG,
	PB_FILE_BMP,
	PB_FILE_FOREIGN_IMAGE, /* image format that no tool reads */
	PB_FILE_FOREIGN,       /* format that no tool reads */
	PB_FILE_KINDS
};

/* A set of kinds. */
#define PB_FILES(k) (1u << (k))
#define PB_FILES_IMAGES \
	(PB_FILES(PB_FILE_PNM) | PB_FILES(PB_FILE_PNG) | PB_FILES(PB_FILE_BMP))
#define PB_FILES_RECORDINGS                                \
	(PB_FILES(PB_FILE_MCAP) | PB_FILES(PB_FILE_ROS1) | \
	    PB_FILES(PB_FILE_DB3) | PB_FILES(PB_FILE_ZSTD))

/* The kind of a file whose first n bytes are at head. */
enum pb_filekind pb_filekind_of(const void *head, size_t n);

/*
 * Whether a reader of these kinds (a set) may try a file with that head; the
 * reader itself checks files of unknown kind. If not, bad says what the file
 * is, and what to do with it or which tool reads it.
 */
bool pb_filekind_check(
    unsigned reads, const void *head, size_t n, struct pb_error *bad);
