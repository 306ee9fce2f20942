/* rosbridge.c - ROS messages in the JSON of rosbridge, as records and maps. */
#include "io/file/rosbridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/schema.h"

/* Whether the quoted key is among the bytes; good enough to tell kinds. */
static bool
has_key(const char *s, size_t n, const char *key)
{
	size_t k = strlen(key);

	for (size_t i = 0; i + k <= n; i++)
		if (s[i] == '"' && memcmp(s + i, key, k) == 0)
			return true;
	return false;
}

bool
pb_occgrid_is(const char *s, size_t n)
{
	return has_key(s, n, "\"info\"") && !has_key(s, n, "\"type\"");
}

/* position and orientation of g; turned: whether z and w must be there. */
static void
get_pose(struct pb_get *g, enum pb_need turned, struct pb_pose *p)
{
	struct pb_get at, turn;
	double x = 0, y = 0, z = 0, w = 1;

	if (!pb_get_object(g, "position", PB_REQUIRED, &at) ||
	    !pb_get_object(g, "orientation", PB_REQUIRED, &turn))
		return;
	pb_get_real(&at, "x", PB_REQUIRED, &p->x);
	pb_get_real(&at, "y", PB_REQUIRED, &p->y);
	pb_get_real(&turn, "x", PB_OPTIONAL, &x);
	pb_get_real(&turn, "y", PB_OPTIONAL, &y);
	pb_get_real(&turn, "z", turned, &z);
	pb_get_real(&turn, "w", turned, &w);
	g->ok &= at.ok && turn.ok;
	p->th = pb_yaw(x, y, z, w);
}

static bool
get_grid(struct pb_get *g, struct pb_map *m)
{
	struct pb_get info, pose;
	struct pb_pose origin = {0, 0, 0};
	double resolution = 0;
	long width = 0, height = 0;

	if (!pb_get_object(g, "info", PB_REQUIRED, &info))
		return false;
	strcpy(info.path, "info"); /* with an envelope or without */
	pb_get_num(&info, "resolution", PB_REQUIRED, 1e-6, 1e6, &resolution);
	pb_get_int(&info, "width", PB_REQUIRED, 1, PB_MAP_SIDE, &width);
	pb_get_int(&info, "height", PB_REQUIRED, 1, PB_MAP_SIDE, &height);
	if (!info.ok || !pb_get_object(&info, "origin", PB_REQUIRED, &pose))
		return false;
	get_pose(&pose, PB_OPTIONAL, &origin);
	if (!pose.ok)
		return false;
	if (!pb_map_room(m, width, height, resolution, origin, "info", g->bad))
		return false;
	pb_get_cells(g, pb_map_cells(m), m->cell);
	if (!g->ok)
		pb_map_clear(m);
	return g->ok;
}

bool
pb_occgrid_read(const char *s, size_t n, struct pb_map *m, struct pb_error *bad)
{
	struct pb_json line;
	struct pb_get g, msg;
	struct pb_map got;
	bool ok;

	if (!pb_json_open(&line, s, n, "", &g, bad))
		return false;
	if (pb_get_value(&g, "msg"))
		ok = pb_get_object(&g, "msg", PB_REQUIRED, &msg) &&
		     get_grid(&msg, &got);
	else
		ok = get_grid(&g, &got);
	pb_json_close(&line);
	if (ok)
		*m = got;
	return ok;
}

#define ROBOT "robot"

static const char *
skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/* "op" : "publish", anywhere in the line. */
bool
pb_rosbridge_is(const char *s, size_t n)
{
	static const char key[] = "\"op\"", value[] = "\"publish\"";
	const char *end = s + n;

	for (; (s = memchr(s, '"', (size_t)(end - s))) != NULL; s++) {
		const char *at = s + sizeof(key) - 1;

		if ((size_t)(end - s) < sizeof(key) ||
		    memcmp(s, key, sizeof(key) - 1) != 0)
			continue;
		at = skip_blanks(at, end);
		if (at == end || *at != ':')
			continue;
		at = skip_blanks(at + 1, end);
		if ((size_t)(end - at) >= sizeof(value) &&
		    memcmp(at, value, sizeof(value) - 1) == 0)
			return true;
	}
	return false;
}

/* Seconds since the first stamp; ROS 1 and 2 have names of their own. */
static double
stamp_of(struct pb_rosbridge *b, struct pb_get *msg)
{
	struct pb_get header, at;
	long sec = 0, nanosec = 0;

	if (!pb_get_object(msg, "header", PB_OPTIONAL, &header) ||
	    !pb_get_object(&header, "stamp", PB_OPTIONAL, &at))
		return NAN;
	pb_get_int(&at, "sec", PB_OPTIONAL, 0, INT32_MAX, &sec);
	pb_get_int(&at, "secs", PB_OPTIONAL, 0, INT32_MAX, &sec);
	pb_get_int(&at, "nanosec", PB_OPTIONAL, 0, 999999999, &nanosec);
	pb_get_int(&at, "nsecs", PB_OPTIONAL, 0, 999999999, &nanosec);
	msg->ok &= header.ok && at.ok;
	if (!b->begun) {
		b->begun = true;
		b->sec = sec;
		b->nanosec = nanosec;
	}
	return (double)(sec - b->sec) + 1e-9 * (double)(nanosec - b->nanosec);
}

/* The part of a 6 x 6 covariance that lies in the plane. */
static bool
get_covariance(struct pb_get *g, double cov[3][3])
{
	static const int axis[3] = {0, 1, 5};
	double *v;
	size_t n;

	pb_get_list(g, "covariance", PB_REQUIRED, 36, &v, &n);
	if (g->ok && n != 36)
		pb_get_fail(g, "covariance", "36 numbers");
	for (int i = 0; g->ok && i < 9; i++)
		cov[i / 3][i % 3] = v[6 * axis[i / 3] + axis[i % 3]];
	for (int i = 0; g->ok && i < 9; i++)
		if (!isfinite(cov[i / 3][i % 3]))
			pb_get_fail(g, "covariance", "finite numbers");
	free(v);
	return g->ok;
}

static void
add_scan(struct pb_rosbridge *b, struct pb_get *msg, struct pb_rec_few *out)
{
	struct pb_rec_scan c;
	double t = stamp_of(b, msg);

	pb_schema_get(msg, &pb_body_schemas[PB_REC_SCAN], &c);
	if (msg->ok)
		pb_rec_add(out, PB_REC_SCAN, pb_stamp_at(t, ROBOT))->scan = c;
	else
		pb_schema_clear(&pb_body_schemas[PB_REC_SCAN], &c);
}

static void
add_odom(struct pb_rosbridge *b, struct pb_get *msg, struct pb_rec_few *out)
{
	struct pb_get pose, inner, twist = {.ok = true}, rates = twist;
	struct pb_get linear = twist, angular = twist;
	struct pb_rec_odom d = {.v = NAN, .w = NAN};
	struct pb_pose p = {0, 0, 0};
	double t = stamp_of(b, msg);

	if (!pb_get_object(msg, "pose", PB_REQUIRED, &pose) ||
	    !pb_get_object(&pose, "pose", PB_REQUIRED, &inner))
		return;
	get_pose(&inner, PB_REQUIRED, &p);
	msg->ok &= inner.ok;
	if (pb_get_object(msg, "twist", PB_OPTIONAL, &twist) &&
	    pb_get_object(&twist, "twist", PB_OPTIONAL, &rates)) {
		if (pb_get_object(&rates, "linear", PB_OPTIONAL, &linear))
			pb_get_real(&linear, "x", PB_OPTIONAL, &d.v);
		if (pb_get_object(&rates, "angular", PB_OPTIONAL, &angular))
			pb_get_real(&angular, "z", PB_OPTIONAL, &d.w);
	}
	msg->ok &= twist.ok && rates.ok && linear.ok && angular.ok;
	d.x = p.x;
	d.y = p.y;
	d.theta = p.th;
	if (msg->ok)
		pb_rec_add(out, PB_REC_ODOM, pb_stamp_at(t, ROBOT))->odom = d;
}

static const char *
source_of(const char *topic)
{
	const char *slash = strrchr(topic, '/');
	const char *last = slash ? slash + 1 : topic;

	if (strcmp(last, "initialpose") == 0)
		return "initial";
	return strstr(last, "truth") ? "truth" : "estimate";
}

/* PoseStamped, or with a covariance around it. */
static void
add_pose(struct pb_rosbridge *b, struct pb_get *msg, const char *topic,
    struct pb_rec_few *out)
{
	struct pb_get pose, inner;
	struct pb_rec_pose r = {.has_cov = false};
	struct pb_pose p = {0, 0, 0};
	double t = stamp_of(b, msg);

	if (!pb_get_object(msg, "pose", PB_REQUIRED, &pose))
		return;
	if (!pb_get_value(&pose, "pose")) {
		get_pose(&pose, PB_REQUIRED, &p);
	} else if (pb_get_object(&pose, "pose", PB_REQUIRED, &inner)) {
		get_pose(&inner, PB_REQUIRED, &p);
		pose.ok &= inner.ok;
		r.has_cov = get_covariance(&pose, r.cov);
	}
	msg->ok &= pose.ok;
	r.x = p.x;
	r.y = p.y;
	r.theta = p.th;
	PB_REC_SET(r.source, source_of(topic));
	if (msg->ok)
		pb_rec_add(out, PB_REC_POSE, pb_stamp_at(t, ROBOT))->pose = r;
}

bool
pb_rosbridge_convert(struct pb_rosbridge *b, const char *s, size_t n,
    struct pb_rec_few *out, bool *same, struct pb_error *bad)
{
	struct pb_json line;
	struct pb_get g, msg;
	struct pb_map m;
	char topic[PB_REC_TEXT] = "?";
	bool ok = true;

	if (!pb_json_open(&line, s, n, "", &g, bad))
		return false;
	if (pb_get_value(&g, "type") || !pb_get_value(&g, "op")) {
		*same = true;
	} else if (!pb_get_object(&g, "msg", PB_REQUIRED, &msg)) {
		ok = false;
	} else {
		PB_GET_WORD(&g, "topic", PB_OPTIONAL, topic);
		if (pb_get_value(&msg, "ranges")) {
			add_scan(b, &msg, out);
		} else if (pb_get_value(&msg, "pose") &&
			   pb_get_value(&msg, "twist")) {
			add_odom(b, &msg, out);
		} else if (pb_get_value(&msg, "pose")) {
			add_pose(b, &msg, topic, out);
		} else if (pb_get_value(&msg, "info")) {
			msg.ok = pb_occgrid_read(s, n, &m, bad);
			if (msg.ok)
				pb_rec_add(out, PB_REC_MAP, pb_stamp_none())
				    ->map = m;
		} else {
			if (!b->said)
				pb_msg_note("messages like those of %s are "
					    "left out",
				    topic);
			b->said = true;
		}
		ok = g.ok && msg.ok;
	}
	pb_json_close(&line);
	return ok;
}
