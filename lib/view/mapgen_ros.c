/* mapgen_ros.c - what pb-mapgen tells users of ROS, in files and live. */
#include "view/mapgen_ros.h"

#include <math.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/ros/bag_write.h"
#include "io/ros/rosbridge_publish.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"
#include "io/stream/wait.h"
#include "view/ros_export.h"

/* All that is told to. */
struct out {
	struct pb_ros_export *to;
	struct pb_bag_write *bag;
	struct pb_rosbridge_out *client;
	double speed;
	bool begun;            /* a record had a time */
	double zero, newest;   /* of the first, of the last of them (s) */
	struct timespec start; /* wall clock at the first */
};

bool
pb_mapgen_ros_live(const struct pb_mapgen_ros_opts *o)
{
	return o->publish;
}

bool
pb_mapgen_ros_asked(const struct pb_mapgen_ros_opts *o)
{
	return o->file || pb_mapgen_ros_live(o);
}

static int
topic_of(const char *name)
{
	int i = 0;

	while (i < PB_TOPICS && strcmp(pb_ros_topics[i].name, name) != 0)
		i++;
	return i;
}

bool
pb_mapgen_ros_check(const struct pb_mapgen_ros_opts *o)
{
	for (int i = 0; i < o->only.n; i++)
		if (topic_of(o->only.arg[i]) == PB_TOPICS)
			return pb_msg_usage("--only: there is no topic "
					    "\"%.80s\"; see pb-ros(7)",
			    o->only.arg[i]);
	if (o->only.n > 0 && !pb_mapgen_ros_asked(o))
		return pb_msg_usage("--only: only with --export or --publish");
	return !o->publish || pb_net_check("--publish", o->publish, false);
}

/* The connection is kept up in turns of this length (s). */
#define TURN 0.01

/* Keep up the connection while the next line is waited for. */
static void
serve_meanwhile(void *user)
{
	pb_rosbridge_out_serve(user, TURN);
}

static void
close_out(struct out *t)
{
	pb_wait_meanwhile(NULL, NULL);
	pb_bag_write_free(t->bag);
	pb_rosbridge_out_close(t->client);
	pb_ros_export_free(t->to);
}

/* What goes wrong is said. */
static bool
open_sinks(struct out *t, const struct pb_mapgen_ros_opts *o)
{
	struct pb_error bad;

	if (o->file) {
		if (!(t->bag = pb_bag_write_new(o->file, &bad)))
			return pb_msg_error(&bad);
		pb_ros_export_to(t->to, pb_bag_write_sink(t->bag));
	}
	if (o->publish) {
		if (!(t->client = pb_rosbridge_out_open(o->publish)))
			return false;
		pb_ros_export_to(t->to, pb_rosbridge_out_sink(t->client));
	}
	return true;
}

static bool
open_out(struct out *t, const struct pb_mapgen_ros_opts *o)
{
	*t = (struct out){.to = pb_ros_export_new()};
	if (!t->to)
		return pb_msg_system("out of memory");
	pb_msg_catch();
	for (int i = 0; i < o->only.n; i++)
		pb_ros_export_only(
		    t->to, (enum pb_ros_topic)topic_of(o->only.arg[i]));
	if (open_sinks(t, o)) {
		if (t->client)
			pb_wait_meanwhile(serve_meanwhile, t->client);
		return true;
	}
	close_out(t);
	return false;
}

static void
end_out(struct out *t, const char *name)
{
	struct pb_error bad;

	if (!pb_ros_export_any(t->to))
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected records with a map or a time, got none");
	else if (t->bag && !pb_bag_write_end(t->bag, &bad))
		pb_msg_error(&bad);
}

/* Wait until a record of time s is due, and keep up the connection; false: it
 * is lost. */
static bool
pace(struct out *t, double s)
{
	double left = 0;

	/* Time that runs backwards is a new run. */
	if (isfinite(s) && (!t->begun || s < t->newest - 1)) {
		t->begun = true;
		t->zero = s;
		t->start = pb_pace_now();
	}
	if (isfinite(s))
		t->newest = s;
	do {
		if (!pb_rosbridge_out_serve(
			t->client, left < TURN ? left : TURN))
			return false;
		if (t->begun && t->speed > 0)
			left = (t->newest - t->zero) / t->speed -
			       pb_pace_since(t->start);
	} while (left > 0 && !pb_msg_stopped());
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct out *t = f->user;

	bad->text[0] = '\0';
	return (!t->client || pace(t, r->stamp.t)) &&
	       pb_ros_export_take(t->to, r, bad);
}

void
pb_mapgen_ros_stream(const struct pb_mapgen_ros_opts *o, double speed,
    const struct pb_opt_common *common, char *const *files, int n)
{
	struct out t;
	struct pb_filter f = {
	    .want = PB_REC_ALL, .common = common, .take = take, .user = &t};

	if (!open_out(&t, o))
		return;
	t.speed = speed;
	/* Who interrupts a game wants what there was of it. */
	if (pb_filter_run(&f, files, n) || pb_msg_stopped())
		end_out(&t, strcmp(*files, "-") == 0 ? "<stdin>" : *files);
	close_out(&t);
}

void
pb_mapgen_ros_made(const struct pb_mapgen_ros_opts *o, struct pb_mapsource *p)
{
	struct pb_rec r = {.type = p->has_map ? PB_REC_MAP : PB_REC_MAZE,
	    .owns = true,
	    .stamp = pb_stamp_none()};
	struct pb_error bad;
	struct out t;

	if (p->has_map) {
		r.map = p->map;
		p->map.cell = NULL;
	} else {
		r.maze = p->maze;
	}
	if (open_out(&t, o)) {
		if (pb_ros_export_take(t.to, &r, &bad))
			end_out(&t, NULL);
		else
			pb_msg_error(&bad);
		close_out(&t);
	}
	pb_rec_clear(&r);
}
