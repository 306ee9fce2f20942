/* status.h - the one way a core function says that it failed. */
#pragma once

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * Core functions return one of these, never print, and leave their outputs
 * untouched on failure. A programmer's mistake is an assert, not a status;
 * absence of an answer (no path, no pellet) is a sentinel in the contract.
 */
enum pb_status {
	PB_OK = 0,
	PB_ENOMEM,  /* memory could not be had */
	PB_EVALUE,  /* an option or field is out of its range or not finite */
	PB_ESIZE,   /* more of something than the stated limit */
	PB_ENOFREE, /* the map has no free cell to use */
	PB_EWALL,  /* a robot, ghost or point is in a wall or outside the map */
	PB_EPATH,  /* no path between two places that need one */
	PB_ENOENT, /* no such name or id */
	PB_EEMPTY, /* nothing in a world that a sensor could see */
	PB_EVAGUE, /* more than one answer fits */
	PB_ESTOPPED /* the caller cancelled the request */
};

/* A short English text for s, static storage, no trailing stop. */
const char *pb_status_text(enum pb_status s);

PB_END_DECLS
