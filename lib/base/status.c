/* status.c - texts of the status codes. */
#include "pb/status.h"

const char *
pb_status_text(enum pb_status s)
{
	static const char *const text[] = {
	    [PB_OK] = "success",
	    [PB_ENOMEM] = "out of memory",
	    [PB_EVALUE] = "value out of range",
	    [PB_ESIZE] = "too large",
	    [PB_ENOFREE] = "no free cell",
	    [PB_EWALL] = "in a wall or outside the map",
	    [PB_EPATH] = "no path",
	    [PB_EEMPTY] = "nothing that a sensor could see",
	    [PB_ENOENT] = "not found",
	    [PB_EVAGUE] = "more than one answer fits",
	    [PB_ESTOPPED] = "stopped",
	};

	return (unsigned)s < sizeof(text) / sizeof(*text) ? text[s]
	                                                  : "unknown status";
}
