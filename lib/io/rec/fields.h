/* fields.h - what the files of this folder share: one record, key by key. */
#ifndef PB_IO_REC_FIELDS_H
#define PB_IO_REC_FIELDS_H

#include "io/rec/rec.h"
#include "io/stream/json.h"

/* A record without time and body. */
struct pb_stamp pb_stamp_none(void);

/* End the record's object, and its line. */
void pb_put_end(struct pb_text *o);

/* One field: ,"key":value, without the comma behind a bracket. */
void pb_put_key(struct pb_text *o, const char *key);
void pb_put_num(struct pb_text *o, const char *key, double v);

void pb_put_int(struct pb_text *o, const char *key, int64_t v);
void pb_put_bool(struct pb_text *o, const char *key, bool v);
void pb_put_text(struct pb_text *o, const char *key, const char *v);
void pb_put_points(
    struct pb_text *o, const char *key, const struct pb_vec *p, size_t n);

/* [v[0], ...], and n of them: [[v[0], ...], ...]. */
void pb_put_nums(struct pb_text *o, const char *key, const double *v, size_t n);
void pb_put_tuples(struct pb_text *o, const char *key, const double *v,
    size_t n, size_t numbers);

void pb_put_text_if(struct pb_text *o, const char *key, const char *v);

/* An angle, wrapped if it is beyond what rounding makes of pi. */
double pb_near_wrap(double a);
void pb_get_angle(
    struct pb_get *g, const char *key, enum pb_need need, double *out);

/* Any finite number. */
void pb_get_real(
    struct pb_get *g, const char *key, enum pb_need need, double *out);

/* See pb_rec_settle(); the name of a member that is missing, or NULL. */
const char *pb_pose_settle(struct pb_rec_pose *p);
const char *pb_odom_settle(struct pb_rec_odom *d);
void pb_scan_settle(struct pb_rec_scan *c);

/* An array of [x, y]; *out allocated. */
void pb_get_points(struct pb_get *g, const char *key, enum pb_need need,
    struct pb_vec **out, size_t *n);

#define PB_GET_WORD(g, key, need, field) \
	pb_get_text(g, key, need, field, sizeof(field))

#endif
