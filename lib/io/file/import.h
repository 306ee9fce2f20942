/* import.h - records and lines of them from files, also of other programs. */
#pragma once

#include <stdint.h>

#include "io/rec/rec.h"
#include "io/ros/ros_records.h"
#include "io/stream/line.h"

/*
 * As line.h, but files of other programs come as the records that they mean,
 * each at the place of the line that it was made of:
 *
 *  - a log of the CARMEN toolkit; what it means is known at its end, so all of
 *    it is held until then;
 *  - a trajectory in the format of TUM, or comma-separated values under their
 *    names (poselog.h), as poses;
 *  - a message of rosbridge, wherever one stands in the place of a record;
 *  - a recording of ROS topics, a file or a folder, if there is a reader;
 *  - a file with a map or a board, where one is wanted, as its record.
 *
 * Files of records go through line by line.
 */
struct pb_import;

/* As pb_lines_new(); maps: PB_REC_BIT() of map and maze, where wanted; ros:
 * NULL for what is usual, without a reader. */
struct pb_import *pb_import_new(
    char *const *files, int n, uint64_t maps, const struct pb_ros_opts *ros);
void pb_import_free(struct pb_import *m);

/*
 * As pb_lines_next(). Of another program's line the record comes instead of
 * text, for pb_rec_clear(); with text, r is of PB_REC_OTHER. A message of a log
 * that is cut short is PB_LINE_BAD.
 */
enum pb_line_got pb_import_next(struct pb_import *m, struct pb_line *l,
    struct pb_rec *r, struct pb_error *bad);
