/* doctor.h - what will keep localization from working with a recording. */
#pragma once

#include "io/opt/opt.h"
#include "io/tool/localize.h"

/*
 * Read the recording named by files, of any kind that pb_localize_stream()
 * reads, and print what it finds on stdout, a line each, worst first:
 *
 *	FILE:LINE: SEVERITY: CODE: TEXT; WHAT TO DO
 *
 * Status 1 if one of them is an error. With a map, of o->map or of the
 * recording, the usual method runs on it to see whether it fits.
 */
void pb_doctor(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);
