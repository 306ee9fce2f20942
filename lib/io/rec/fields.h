/* fields.h - what the files of this folder share: one record, key by key. */
#ifndef PB_IO_REC_FIELDS_H
#define PB_IO_REC_FIELDS_H

#include "io/rec.h"
#include "io/stream/json.h"

/* Begin {"type":...,"t":...,"id":... and end the line. */
void pb_put_open(struct pb_text *o, const char *name, struct pb_stamp s);
void pb_put_begin(struct pb_text *o, enum pb_rec_type type, struct pb_stamp s);
void pb_put_end(struct pb_text *o);

/* A record without time and body. */
struct pb_stamp pb_stamp_none(void);

/* One field: ,"key":value. */
void pb_put_key(struct pb_text *o, const char *key);
void pb_put_num(struct pb_text *o, const char *key, double v);
void pb_put_exact(struct pb_text *o, const char *key, double v);

/* To six digits: what comes after them is the C library's logarithm's. */
void pb_put_short(struct pb_text *o, const char *key, double v);
void pb_put_int(struct pb_text *o, const char *key, int64_t v);
void pb_put_u64(struct pb_text *o, const char *key, uint64_t v);
void pb_put_bool(struct pb_text *o, const char *key, bool v);
void pb_put_text(struct pb_text *o, const char *key, const char *v);
void pb_put_hex(struct pb_text *o, const char *key, uint64_t v);
void pb_put_points(
    struct pb_text *o, const char *key, const struct pb_vec *p, size_t n);

/* A covariance of x, y, theta under "cov": 3 rows of 3 numbers. */
void pb_put_cov(struct pb_text *o, const double cov[3][3]);
bool pb_get_cov(struct pb_get *g, enum pb_need need, double cov[3][3]);

/* The same, or nothing if v is missing: NAN, negative, "". */
void pb_put_num_if(struct pb_text *o, const char *key, double v);
void pb_put_int_if(struct pb_text *o, const char *key, int64_t v);
void pb_put_text_if(struct pb_text *o, const char *key, const char *v);

/* Word number i of words ("a|b"), and back. */
void pb_put_choice(
    struct pb_text *o, const char *key, const char *words, int i);
void pb_get_choice(struct pb_get *g, const char *key, enum pb_need need,
    const char *words, int *out);

/* An angle, wrapped if it is beyond what rounding makes of pi. */
double pb_near_wrap(double a);
void pb_get_angle(
    struct pb_get *g, const char *key, enum pb_need need, double *out);

/* Any finite number. */
void pb_get_real(
    struct pb_get *g, const char *key, enum pb_need need, double *out);

/* 16 hex digits. */
void pb_get_hex(
    struct pb_get *g, const char *key, enum pb_need need, uint64_t *out);

/* An array of [x, y]; *out allocated. */
void pb_get_points(struct pb_get *g, const char *key, enum pb_need need,
    struct pb_vec **out, size_t *n);

/* Readers by type; what they allocate is theirs to free if g is bad. */
void pb_get_map(struct pb_get *g, struct pb_map *m);
void pb_get_maze(struct pb_get *g, struct pb_maze *z);
void pb_get_rows(struct pb_get *g, enum pb_need need, struct pb_maze *z);
void pb_put_rows(struct pb_text *o, const struct pb_maze *z);
void pb_get_pellets(struct pb_get *g, struct pb_rec_pellets *p);
void pb_get_cmd(struct pb_get *g, struct pb_rec_cmd *c);
void pb_get_pose(struct pb_get *g, struct pb_rec_pose *p);
void pb_get_odom(struct pb_get *g, struct pb_rec_odom *d);
void pb_get_scan(struct pb_get *g, struct pb_rec_scan *c);
void pb_get_fix(struct pb_get *g, struct pb_rec_fix *f);
void pb_get_belief(struct pb_get *g, struct pb_rec_belief *b);
void pb_get_message(struct pb_get *g, struct pb_rec_message *m);
void pb_get_target(struct pb_get *g, struct pb_rec_target *t);
void pb_get_scored(struct pb_get *g, struct pb_rec_scored *s);
void pb_get_goal(struct pb_get *g, struct pb_rec_goal *l);
void pb_get_path(struct pb_get *g, struct pb_rec_points *p);
void pb_get_twist(struct pb_get *g, struct pb_rec_twist *w);
void pb_get_obstacle(struct pb_get *g, struct pb_rec_obstacle *b);
void pb_get_tick(struct pb_get *g, struct pb_seen *k);
void pb_get_move(struct pb_get *g, struct pb_rec_move *m);
void pb_get_joy(struct pb_get *g, struct pb_rec_joy *j);
void pb_get_draw(struct pb_get *g, struct pb_rec_draw *d);
void pb_get_state(struct pb_get *g, struct pb_rec_state *e);
void pb_get_event(struct pb_get *g, struct pb_rec_event *e);
void pb_get_trajectory(struct pb_get *g, struct pb_rec_trajectory *y);
void pb_get_spread(struct pb_get *g, struct pb_rec_spread *y);
void pb_get_provenance(struct pb_get *g, struct pb_rec_provenance *p);
void pb_provenance_clear(struct pb_rec_provenance *p);
void pb_get_experiment(struct pb_get *g, struct pb_rec_experiment *x);
void pb_experiment_clear(struct pb_rec_experiment *x);
void pb_get_finish(struct pb_get *g, struct pb_rec_finish *e);

#define PB_GET_WORD(g, key, need, field) \
	pb_get_text(g, key, need, field, sizeof(field))

#endif
