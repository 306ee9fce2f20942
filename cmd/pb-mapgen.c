/* pb-mapgen - makes, reads, checks, changes and draws maps. Reads map files and
 * records; writes map, maze. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/mapfile.h"
#include "io/file/filter.h"
#include "io/stream/file.h"
#include "io/tool/mapgen.h"
#include "view/scene.h"
#include "view/show.h"

struct opts {
	struct pb_mapgen_opts verb;
	struct pb_mapgen_log_opts grow;
	struct pb_show_opts show;
	struct pb_ros_export_opts ros;
	bool picture; /* --output is a picture */
	bool lint, list;
	double size[2], loops;
	bool has_size, has_loops;
	uint64_t seed;
	struct pb_opt_names names;
	struct pb_set set;
	char sources[80]; /* names of random sources */
	struct pb_opt_common common;
};

#define AS       "auto|map|maze"
#define DIALECTS "pb|ros1|ros1-99|nav2-2024|nav2|opencv"

static bool
parse_crop(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_change *c = to;
	struct pb_render_opts box = {0};

	/* Parsed like --box, but cells outside are removed. */
	if (!pb_render_box(&box, arg, bad))
		return false;
	c->lo = (struct pb_vec){box.x0, box.y0};
	c->hi = (struct pb_vec){box.x1, box.y1};
	c->crop = true;
	return true;
}

/* Copy options that apply to several generators. */
static void
copy_shared_opts(struct opts *o)
{
	struct pb_mapsource_opts *m = &o->verb.made;

	/* One seed for all random maps. */
	m->house.seed = o->seed;
	if (m->file.resolution > 0)
		o->grow.mapping.resolution = m->house.resolution =
		    m->file.resolution;
	if (o->has_loops)
		m->house.loops = o->loops;
	if (o->has_size) {
		m->house.width = o->size[0];
		m->house.height = o->size[1];
	}
	for (struct pb_board_opts *b = m->board; b < m->board + PB_BOARD_KINDS;
	     b++) {
		b->seed = o->seed;
		b->loops = o->has_loops ? o->loops : b->loops;
		b->cols = o->has_size ? (int)o->size[0] : b->cols;
		b->rows = o->has_size ? (int)o->size[1] : b->rows;
	}
}

/* Check that there is at most one purpose. */
static bool
check_purpose(const struct opts *o)
{
	const struct pb_mapgen_opts *v = &o->verb;

	int n = v->check + v->validate + v->tell + o->lint + o->list +
	        (v->output != NULL) + pb_show_asked(&o->show) +
	        pb_ros_export_asked(&o->ros);

	if (n <= 1)
		return pb_provenance_fits(n == 0);
	return pb_msg_usage(
	    "only one of --output, --export, --render or --png, --lint, "
	    "--check, --validate, --info and --list");
}

/* Modes that options go with. */
enum { LOG = 1, SLAM = 2, PICTURE = 4, PACE = 8, ANY = 16 };
static const char *const mode_names[] = {
    "--from-log", "--slam", "--render, --png or --live", "--publish"};

/* Groups of constants, in the order of add_constants(). */
enum { OF_POSES, OF_LOGS, OF_SLAM, OF_HOUSES, OF_MAZES };

static unsigned
choose_mode(void *user, char *const *operand, int n)
{
	struct opts *o = user;
	struct pb_set_group *g = o->set.group;
	bool drawn = pb_show_asked(&o->show);

	o->grow.drawn = drawn;
	o->grow.on |= o->grow.finds;
	for (int i = 0; i < n; i++) {
		bool house = strcmp(operand[i], "random-house") == 0;

		if (strncmp(operand[i], "random-", 7) != 0 ||
		    !pb_mapsource_is_name(operand[i]))
			continue;
		g[OF_HOUSES].chosen |= house;
		g[OF_MAZES].chosen |= !house;
		if (strstr(o->sources, operand[i]) == NULL)
			pb_list_add(
			    o->sources, sizeof(o->sources), ",", operand[i]);
	}
	g[OF_POSES].chosen = g[OF_LOGS].chosen = o->grow.on;
	g[OF_SLAM].chosen = o->grow.finds;
	pb_set_fact(&o->set, "source", o->sources);
	return ANY | (o->grow.on ? LOG : 0) | (o->grow.finds ? SLAM : 0) |
	       (drawn ? PICTURE : 0) | (drawn || o->ros.publish ? PACE : 0);
}

/* Set the modes of the rows from first to last. */
static void
set_modes(struct pb_opt *row, const char *first, const char *last, unsigned set)
{
	while (strcmp(row->name, first) != 0)
		row++;
	do
		row->modes = set;
	while (strcmp(row++->name, last) != 0);
}

/* Check that the name has the suffix of a picture. */
static bool
check_picture_name(const char *name)
{
	return pb_show_named(name) ||
	       pb_msg_usage("--output: of a picture, expected a name in "
			    ".html, .png, .svg or .pdf, got \"%s\"",
		   name);
}

/* If --output names a picture, use it like --png. */
static bool
choose_picture(struct opts *o)
{
	if (!o->show.terminal || o->show.png != NULL)
		return true;
	if (o->verb.output != NULL && !check_picture_name(o->verb.output))
		return false;
	o->show.png = o->verb.output;
	o->show.terminal = o->verb.output == NULL;
	/* A .png may also be a map. */
	o->picture = o->verb.output != NULL &&
	             pb_file_has_suffix(o->verb.output, ".png");
	o->verb.output = NULL;
	return true;
}

/* Sizes apply to picture files, not to HTML pages. */
static bool
check_sizes(const struct pb_show_opts *s)
{
	if (s->render.size == 0 || (s->png != NULL && !pb_replay_named(s->png)))
		return true;
	return pb_msg_usage("--pixels: only with a picture in a file, other "
			    "than .html");
}

/* Check that options about pixels apply: a map record already has free and
 * occupied cells; only its cell size may change. */
static bool
check_pixels(struct pb_mapfile_opts m, char *const *names, int n)
{
	bool stream = n == 0;

	m.resolution = 0;
	for (int i = 0; i < n; i++)
		stream |= pb_mapsource_is_stream(names[i]);
	return pb_mapfile_opts_fit(&m, stream ? NULL : *names, "instead");
}

/* Whether a file or folder is a recording of ROS topics. */
static bool
is_recording(const char *path)
{
	struct pb_source s = {.open = false};
	struct pb_error bad;
	char head[PB_BAG_HEAD];
	size_t n = 0;
	bool is;

	if (pb_mapsource_is_name(path))
		return false;
	if (pb_bag_is_folder(path))
		return true;
	/* Do not open a pipe: it cannot be read twice. */
	if (!pb_file_is_regular(path) || !pb_source_open(&s, path, &bad))
		return false;
	is = pb_source_read(&s, head, sizeof(head), &n, &bad) == PB_NEXT &&
	     pb_bag_is(head, n);
	pb_source_close(&s);
	return is;
}

/* Check that --topic is used with a log or recording. */
static bool
check_topics(const struct pb_mapgen_log_opts *g, char *const *names, int n)
{
	bool recorded = g->on || g->ros.topic.n == 0;

	for (int i = 0; i < n; i++)
		recorded |= is_recording(names[i]);
	return recorded ||
	       pb_msg_usage("--topic: only with --from-log or a recording of "
			    "ROS topics");
}

/* Check combinations of options. */
static bool
check_opts(struct opts *o, char *const *names, int n)
{
	const char *output;
	struct pb_error bad;
	bool page;

	copy_shared_opts(o);
	if (!pb_set_fits(&o->set) || !choose_picture(o))
		return false;
	output = o->verb.output;
	page = pb_replay_named(o->show.png);
	if (!check_purpose(o) || !pb_ros_export_check(&o->ros))
		return false;
	if (!check_sizes(&o->show) || !check_topics(&o->grow, names, n) ||
	    (!o->list && !check_pixels(o->verb.made.file, names, n)))
		return false;
	if ((output != NULL || (pb_show_asked(&o->show) && !page) ||
		pb_ros_export_asked(&o->ros)) &&
	    n > 1)
		return pb_msg_usage(
		    "only one source can be written or drawn; to draw "
		    "records on a map: pb-mapgen MAP | cat - FILE | "
		    "pb-mapgen --render");
	if (output != NULL && !pb_mapfile_writable(output) &&
	    !pb_boardfile_writable(output))
		return pb_msg_usage(
		    "--output: expected a name in .yaml, .pgm, .png, "
		    ".map, .txt, .board or .zumy, got \"%s\"",
		    output);
	if (o->verb.made.file.resolution > 0 &&
	    o->verb.made.file.resolution < 1e-6)
		return pb_msg_usage(
		    "--resolution: expected at least 1e-06 m, or 0");
	/* Refuse an impossible random map as a wrong command line. */
	for (int i = 0; i < n; i++)
		if (!pb_mapsource_check(names[i], &o->verb.made, &bad))
			return pb_msg_usage("%s", bad.text);
	return true;
}

/* Add the constants of --set, in the order of OF_POSES and so on. */
static void
add_constants(struct opts *o)
{
	const struct pb_set_group groups[] = {
	    {.of = "maps of logs",
		.title = "poses of scans",
		.params = pb_mapgen_log_params,
		.base = &o->grow},
	    {.of = "maps of logs",
		.title = "maps of logs",
		.params = pb_mapping_params,
		.base = &o->grow.mapping},
	    {.of = "poses found in logs (--slam)",
		.title = "poses found in logs",
		.params = pb_slam_params,
		.base = &o->grow.slam},
	    {.of = "random houses",
		.title = "random houses",
		.params = pb_house_params,
		.base = &o->verb.made.house},
	    {.of = "random mazes",
		.title = "random mazes",
		.params = pb_mapsource_maze_params,
		.base = &o->verb.made},
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		pb_set_add(&o->set, groups[i]);
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_mapgen_opts *v = &o->verb;
	struct pb_mapfile_opts *m = &v->made.file;
	struct pb_opt opt[] = {
	    {"output", 'o', PB_OPT_TEXT, "file",
		"write .yaml, .pgm, .png, .map, .txt; of a maze .board, .zumy; "
		"with --render a picture",
		&v->output},
	    {"as", 0, PB_OPT_NAME, AS, "record to write", &v->as, .words = AS},
	    {"name", 0, PB_OPT_TEXT, "text", "name of the map", &v->name},
	    {"compat", 0, PB_OPT_NAME, DIALECTS,
		"how pixels become cells: as which loader does", &m->dialect,
		.words = DIALECTS},
	    PB_OPT_PIXELS(m),
	    {"origin", 0, PB_OPT_POSE, "x,y[,yaw]",
		"pose of the lower left corner", &m->origin, .min = -1e9,
		.max = 1e9, .seen = &m->has_origin},
	    {"coarsen", 0, PB_OPT_INT, "n",
		"merge n x n cells into one, also of too large images",
		&m->coarsen, .min = 1, .max = 1000},
	    {"straighten", 0, PB_OPT_FLAG, NULL,
		"rotate the map so that its yaw is 0", &v->change.straighten},
	    {"crop", 0, PB_OPT_CALL, "x0,y0,x1,y1",
		"keep the cells of this box (m)", &v->change,
		.call = parse_crop},
	    {"trim", 0, PB_OPT_FLAG, NULL, "cut off unknown margins",
		&v->change.trim},
	    {"merge", 0, PB_OPT_LIST, "file",
		"add the known cells of another map; again for more",
		&v->merge},
	    {"lint", 'l', PB_OPT_FLAG, NULL, "list the problems of map files",
		&o->lint},
	    {"check", 'c', PB_OPT_FLAG, NULL, "check the rules of mazes",
		&v->check},
	    {"validate", 0, PB_OPT_FLAG, NULL, "check and write nothing",
		&v->validate},
	    {"info", 0, PB_OPT_FLAG, NULL,
		"print name, size and counts of the map", &v->tell},
	    {"list", 0, PB_OPT_FLAG, NULL, "list the maps known by name",
		&o->list},
	    PB_OPT_ROS_OUT(&o->ros),
	    PB_OPT_GROW(&o->grow),
	    PB_OPT_SHOW(&o->show),
	    PB_OPT_SEED(&o->seed),
	    {"size", 'S', PB_OPT_PAIR, "w,h",
		"size of a random house (m) or maze (cells)", o->size, .min = 1,
		.max = 1e6, .seen = &o->has_size},
	    {"loops", 0, PB_OPT_NUM, "chance",
		"chance of ways beyond those needed", &o->loops, .min = 0,
		.max = 1, .seen = &o->has_loops},
	    {"cell", 0, PB_OPT_NUM, "m",
		"side of a cell of a maze, 0: as the source says",
		&v->made.cell, .min = 0, .max = 1e6},
	    {"per", 0, PB_OPT_INT, "n",
		"map cells along a maze cell, 0: 8 with walls between",
		&v->made.per, .min = 0, .max = 100},
	    PB_OPT_SETS(&o->set),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool =
	    PB_TOOL(o, opt, choose_mode, mode_names, .operands = "[source ...]",
		.purpose = "make, read, check, change and draw maps",
		.is_word = pb_mapsource_is_name);
	int first;

	add_constants(o);
	set_modes(opt, "poses", "trajectory", LOG);
	set_modes(opt, "slam", "slam", ANY);
	set_modes(opt, "laser", "scans", LOG);
	set_modes(opt, "align", "force", SLAM);
	set_modes(opt, "speed", "speed", PICTURE | PACE);
	set_modes(opt, "style", "pixels", PICTURE);
	first = pb_opt_parse(&tool, argc, argv);
	if (first >= 0 && !check_opts(o, argv + first, argc - first))
		return -1;
	return first;
}

/* Add to the scene the poses found by --slam, and where they are doubtful. */
static void
add_way(struct pb_scene *s, const struct pb_mapgen_way *w)
{
	static const enum pb_sign kind[] = {[PB_SLAM_DENIED] = PB_SIGN_DENIED,
	    [PB_SLAM_GUESSED] = PB_SIGN_GUESSED,
	    [PB_SLAM_CUT] = PB_SIGN_CUT};
	struct pb_body *b = w->n > 0 ? pb_scene_body(s, "robot") : NULL;
	const struct pb_slam_mark *m = w->mark;
	const struct pb_slam_mark *end = w->marks > 0 ? m + w->marks : m;

	for (size_t i = 0; i < w->n; i++) {
		for (; m < end && m->kind != PB_SLAM_LOOP && m->b == i; m++) {
			struct pb_pose p = w->pose[m->a], q = w->pose[m->b];

			b->jump = m->kind == PB_SLAM_CUT;
			pb_scene_mark(s, kind[m->kind],
			    (struct pb_vec){(p.x + q.x) / 2, (p.y + q.y) / 2},
			    NULL);
		}
		pb_scene_pose(b, w->pose[i]);
	}
	for (; m < end; m++)
		pb_scene_loop(
		    s, pb_pose_vec(w->pose[m->a]), pb_pose_vec(w->pose[m->b]));
}

/* Draw a maze with pellets and starts, or a map. */
static void
draw_source(const struct opts *o, struct pb_mapsource *p,
    const struct pb_mapgen_way *way)
{
	struct pb_scene *s;
	struct pb_error bad = {.text = ""};

	if (o->verb.as == PB_AS_MAP &&
	    pb_mapsource_need_map(p, &o->verb.made, &bad) != 0) {
		pb_msg_error(&bad);
		return;
	}
	s = pb_alloc(1, sizeof(*s));
	s->cell = o->verb.made.cell;
	if (p->has_map) {
		s->map = &p->map;
		snprintf(s->title, sizeof(s->title), "%s", p->map.name);
	} else if (pb_scene_build_maze(s, &p->maze) != PB_OK) {
		pb_error_status(&bad, "maze", PB_EVALUE);
		pb_msg_error_at((struct pb_place){0}, &bad);
	}
	if (bad.text[0] == '\0') {
		add_way(s, way);
		pb_show(s, &o->show);
		pb_scene_clear(s);
	}
	free(s);
}

/* Keep the map of a recording; a later one replaces it. */
static bool
keep_map(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct pb_map *m = f->user;

	(void)bad;
	pb_map_clear(m);
	*m = r->map;
	r->map.cell = NULL;
	return true;
}

/* Read the map of a recording. A refused file gets a message. */
static bool
read_recording(const struct opts *o, char *path, struct pb_map *m)
{
	struct pb_ros_opts ros = o->grow.ros;
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAP),
	    .common = &o->common,
	    .ros = &ros,
	    .take = keep_map,
	    .user = m};
	bool whole;

	ros.only = PB_ROS_GRID;
	whole = pb_filter_run(&f, &path, 1);
	if (m->cell == NULL)
		return whole && f.refused == 0 &&
		       pb_msg_refuse((struct pb_place){path, 0},
			   "no topic is a map (nav_msgs/OccupancyGrid); "
			   "--from-log grows one from scans, see also "
			   "pb-localize --info");
	pb_mapfile_overrule(&o->verb.made.file, m);
	pb_mapfile_stem(path, m->name, sizeof(m->name));
	return true;
}

/* Handle a map that is no stream: a standard or random one, a file, or made
 * from a log. */
static void
handle_made(const struct opts *o, char *operand, const char *name)
{
	struct pb_text out = {.to = stdout};
	struct pb_mapsource p = {.has_map = false};
	struct pb_mapgen_way way = {.n = 0};
	struct pb_error f;

	if (o->grow.on) {
		p.has_map =
		    pb_mapgen_log(&o->grow, operand, &o->common, &p.map, &way);
		if (!p.has_map)
			return;
	} else if (is_recording(operand)) {
		p.has_map = read_recording(o, operand, &p.map);
		if (!p.has_map)
			return;
	} else {
		if (pb_mapsource_init(&p, name, &o->verb.made, &f) != 0) {
			pb_msg_error(&f);
			return;
		}
		pb_mapsource_notes(name, &p.notes);
	}
	if (pb_mapgen_change(&o->verb, name, &p)) {
		if (pb_show_asked(&o->show))
			draw_source(o, &p, &way);
		else if (pb_ros_export_asked(&o->ros))
			pb_ros_export_made(&o->ros, &p);
		else
			pb_mapgen_do(&o->verb, name, &p, &out);
	}
	pb_mapgen_way_clear(&way);
	pb_mapsource_clear(&p);
	pb_text_clear(&out);
}

static void
handle_source(const struct opts *o, char *operand)
{
	bool piped = strcmp(operand, "-") == 0;
	const char *file = piped ? "/dev/stdin" : operand;

	if (o->lint) {
		pb_mapgen_lint(file);
	} else if (o->grow.on || !pb_mapsource_is_stream(operand) ||
		   is_recording(operand)) {
		handle_made(o, operand, piped ? "<stdin>" : operand);
	} else if (pb_show_asked(&o->show)) {
		pb_show_stream(&o->show, &o->common, &operand, 1);
	} else if (pb_ros_export_asked(&o->ros)) {
		pb_ros_export_stream(
		    &o->ros, o->show.speed, &o->common, &operand, 1);
	} else {
		pb_mapgen_stream(&o->verb, operand, &o->common);
	}
}

/* Handle each source. Making maps ends at the first failure, checking does
 * not. */
static void
handle_sources(const struct opts *o, char **names, int n)
{
	bool tells = pb_mapgen_given(&o->verb) || o->lint;
	static char usual[] = "-";

	/* A page can show several games. */
	if (n > 1 && pb_show_asked(&o->show)) {
		pb_show_stream(&o->show, &o->common, names, n);
		return;
	}
	if (n == 0)
		handle_source(o, usual);
	for (int i = 0; i < n && pb_msg_out_ok() && !pb_msg_stopped(); i++) {
		handle_source(o, names[i]);
		if (pb_msg_worst() != PB_EXIT_OK && !tells &&
		    !o->common.keep_going)
			return;
	}
}

int
main(int argc, char **argv)
{
	static struct opts o; /* large for a stack */
	int i;

	pb_msg_start(argv[0]);
	memset(&o, 0, sizeof(o)); /* tests run main more than once */
	o.verb.made = pb_mapsource_defaults();
	o.grow = pb_mapgen_log_defaults();
	o.show.speed = 1;
	o.show.render.trail = PB_RENDER_TRAIL;
	o.seed = 1;
	o.loops = o.verb.made.house.loops;
	o.verb.made.file.coarsen = 1;
	if ((i = parse_args(&o, argc, argv)) < 0)
		return pb_msg_finish();
	if (o.list)
		pb_mapsource_list(stdout);
	else if (pb_file_writable(o.verb.output) &&
		 pb_file_writable(o.show.png) &&
		 pb_file_writable(o.grow.trajectory)) {
		handle_sources(&o, argv + i, argc - i);
		if (o.picture && pb_msg_worst() == PB_EXIT_OK)
			pb_msg_note("%s: a picture; without --render it is a "
				    "map",
			    o.show.png);
	}
	return pb_msg_finish();
}
