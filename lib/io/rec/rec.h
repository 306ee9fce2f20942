/* rec.h - any record of the stream as a struct: reading and writing. */
#ifndef PB_IO_REC_REC_H
#define PB_IO_REC_REC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/rec/body_records.h"
#include "io/rec/game_records.h"
#include "io/rec/map_records.h"
#include "io/rec/run_records.h"
#include "io/rec/trial_records.h"
#include "io/rec/type.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

struct pb_rec {
	enum pb_rec_type type;
	bool owns; /* what is marked "owned when read"; else the caller does */
	struct pb_stamp stamp;
	union {
		struct pb_map map;
		struct pb_maze maze;
		struct pb_rec_pellets pellets;
		struct pb_rec_cmd cmd;
		struct pb_rec_pose pose;
		struct pb_rec_odom odom;
		struct pb_rec_scan scan;
		struct pb_rec_fix fix;
		struct pb_rec_belief belief;
		struct pb_rec_target target;
		struct pb_rec_scored scored;
		struct pb_rec_goal goal;
		struct pb_rec_points path;
		struct pb_rec_twist twist;
		struct pb_rec_obstacle obstacle;
		struct pb_seen tick;
		struct pb_rec_move move;
		struct pb_rec_joy joy;
		struct pb_rec_message message;
		struct pb_rec_draw draw;
		struct pb_rec_state state;
		struct pb_rec_event event; /* and light, sound, motion */
		struct pb_rec_result result;
		struct pb_rec_summary summary;
		struct pb_rec_comparison comparison;
		struct pb_rec_provenance provenance;
		struct pb_rec_finish finish;
		struct pb_rec_trajectory trajectory;
		struct pb_rec_spread spread;
		struct pb_rec_experiment experiment;
		struct pb_rec_aggregate aggregate;
		struct pb_rec_verdict verdict;
		struct pb_rec_plan plan;
	};
};

/*
 * Read one line.
 *
 * Given    s, n  the line; s[n] must be readable (NUL or line end)
 *          want  set of types to read; of others only r->type and
 *                r->stamp.t are set
 * Returns  true and r for pb_rec_clear (OTHER for types that are not ours);
 *          false and bad filled in: not a JSON object, no "type", a wanted
 *          record that breaks its contract
 */
bool pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_error *bad);

/* What a line of another program means. */
struct pb_rec_few {
	struct pb_rec rec[3];
	int n;
};

/* One more, that owns what it has; its body is the caller's to fill in. */
struct pb_rec *pb_rec_add(
    struct pb_rec_few *f, enum pb_rec_type type, struct pb_stamp s);

/*
 * Make a pose, odom, scan or map what it would be if it had been written and
 * read: rounded to 1e-6, without angle_max.
 *
 * Returns  false with bad filled in where it would be refused
 */
bool pb_rec_settle(struct pb_rec *r, struct pb_error *bad);

/*
 * Free what r owns; its type becomes OTHER. To keep a map or an array, copy
 * the struct and set the pointer in r to NULL first.
 */
void pb_rec_clear(struct pb_rec *r);

/*
 * Write one line. Lengths and angles are rounded to 1e-6; a map's resolution
 * and origin are exact.
 */
void pb_rec_write(struct pb_text *o, const struct pb_rec *r);

/*
 * Print the members of all records to stdout, one a line: type, key with those
 * of the objects around it ("pellets[].x"), what JSON calls the value, unit or
 * "-", "required", "optional", "written only" or "read only"; tabs between.
 */
void pb_rec_list(void);

#endif
