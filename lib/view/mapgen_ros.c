/* mapgen_ros.c - what pb-mapgen tells users of ROS: a recording. */
#include "view/mapgen_ros.h"

#include <string.h>

#include "io/file/filter.h"
#include "io/ros/bag_write.h"
#include "io/stream/msg.h"
#include "view/ros_export.h"

/* All that is told to. */
struct out {
	struct pb_ros_export *to;
	struct pb_bag_write *bag;
};

bool
pb_mapgen_ros_asked(const struct pb_mapgen_ros_opts *o)
{
	return o->file != NULL;
}

static void
close_out(struct out *t)
{
	pb_bag_write_free(t->bag);
	pb_ros_export_free(t->to);
}

static bool
open_out(struct out *t, const struct pb_mapgen_ros_opts *o)
{
	struct pb_error bad;

	*t = (struct out){.to = pb_ros_export_new()};
	if (!t->to)
		return pb_msg_system("out of memory");
	t->bag = pb_bag_write_new(o->file, &bad);
	if (!t->bag) {
		close_out(t);
		return pb_msg_error(&bad);
	}
	pb_ros_export_to(t->to, pb_bag_write_sink(t->bag));
	return true;
}

static void
end_out(struct out *t, const char *name)
{
	struct pb_error bad;

	if (!pb_ros_export_any(t->to))
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected records with a map or a time, got none");
	else if (!pb_bag_write_end(t->bag, &bad))
		pb_msg_error(&bad);
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct out *t = f->user;

	return pb_ros_export_take(t->to, r, bad);
}

void
pb_mapgen_ros_stream(const struct pb_mapgen_ros_opts *o,
    const struct pb_opt_common *common, char *const *files, int n)
{
	struct out t;
	struct pb_filter f = {
	    .want = PB_REC_ALL, .common = common, .take = take, .user = &t};

	if (!open_out(&t, o))
		return;
	/* Who interrupts a game wants what there was of it. */
	if (pb_filter_run(&f, files, n) || pb_msg_stopped())
		end_out(&t, strcmp(*files, "-") == 0 ? "<stdin>" : *files);
	pb_filter_clear(&f);
	close_out(&t);
}

void
pb_mapgen_ros_made(const struct pb_mapgen_ros_opts *o, struct pb_mapsource *p)
{
	struct pb_rec r = {.type = p->has_map ? PB_REC_MAP : PB_REC_MAZE,
	    .stamp = pb_stamp_none()};
	struct pb_error bad;
	struct out t;

	if (p->has_map) {
		r.map = p->map;
		p->map.cell = NULL;
	} else {
		r.maze = p->maze;
	}
	r.owns = true;
	if (open_out(&t, o)) {
		if (pb_ros_export_take(t.to, &r, &bad))
			end_out(&t, NULL);
		else
			pb_msg_error(&bad);
		close_out(&t);
	}
	pb_rec_clear(&r);
}
