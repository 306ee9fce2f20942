/* status.c - texts of the status codes. */
#include "pb/status.h"

const char *
pb_status_text(enum pb_status s)
{
	switch (s) {
	case PB_OK:
		return "success";
	case PB_ENOMEM:
		return "out of memory";
	case PB_EVALUE:
		return "value out of range";
	case PB_ESIZE:
		return "too large";
	case PB_ENOFREE:
		return "no free cell";
	case PB_EWALL:
		return "in a wall or outside the map";
	case PB_EPATH:
		return "no path";
	case PB_EEMPTY:
		return "nothing that a sensor could see";
	case PB_ENOENT:
		return "not found";
	case PB_EVAGUE:
		return "more than one answer fits";
	case PB_ESTOPPED:
		return "stopped";
	}
	return "unknown status";
}
