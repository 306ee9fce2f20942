/* doctor.h - find problems of a recording that make localization fail. */
#pragma once

#include "io/opt/opt.h"
#include "io/tool/localize.h"

/*
 * Read the recording named by files, of any kind that pb_localize_stream()
 * reads, and print findings to stdout, a line each, worst first:
 *
 * FILE:LINE: SEVERITY: CODE: TEXT; WHAT TO DO
 *
 * Status 1 if a finding is an error. With a map, of o->map or of the recording,
 * the default method localizes on it, to see whether it fits.
 */
void pb_doctor(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);
