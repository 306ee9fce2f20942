/* show.h - show records: as pictures, at the terminal, as topics of ROS. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/file/mapsource.h"
#include "io/opt/opt.h"
#include "io/play/play.h"
#include "io/stream/msg.h"
#include "view/canvas.h"
#include "view/scene.h"

/* What to draw. A zeroed struct draws nothing. The default speed of live frames
 * is 1. */
struct pb_show_opts {
	bool terminal;   /* --render: draw on stdout */
	const char *png; /* --png: file, NULL: none; .html: a page that plays */
	bool live;       /* --live: draw frames while records come */
	double speed;    /* of live frames: times real time, 0: no waiting */
	struct pb_render_opts render;
};

/* Whether anything is requested. */
bool pb_show_asked(const struct pb_show_opts *o);

#define PB_SHOW_STYLES "auto|ascii|half|braille"
#define PB_SHOW_COLORS "auto|always|never"

/* Whether a file of that name is a picture or page; whether a page that
 * plays. */
bool pb_show_named(const char *name);
bool pb_replay_named(const char *path);

/* Rows of a tool's option table; p: struct pb_show_opts *. */
#define PB_OPT_SHOW(p)                                                         \
	{"render", 0, PB_OPT_FLAG, NULL,                                       \
	    "draw in the terminal instead of writing records",                 \
	    &(p)->terminal},                                                   \
	    {"png", 0, PB_OPT_TEXT, "file",                                    \
		"draw into a file: .png, .svg, .pdf; .html plays", &(p)->png,  \
		.words = PB_OPT_PICTURES "|html"},                             \
	    {"live", 0, PB_OPT_FLAG, NULL,                                     \
		"draw while records come; to a file only the last",            \
		&(p)->live},                                                   \
	    {"speed", 0, PB_OPT_NUM, "times",                                  \
		"play live pictures at this speed, 0: as records come",        \
		&(p)->speed, .min = 0, .max = 1e6},                            \
	    {"style", 0, PB_OPT_NAME, PB_SHOW_STYLES,                          \
		"signs of the terminal picture", &(p)->render.style,           \
		.words = PB_SHOW_STYLES},                                      \
	    {"color", 0, PB_OPT_NAME, PB_SHOW_COLORS,                          \
		"colours in the terminal", &(p)->render.color,                 \
		.words = PB_SHOW_COLORS},                                      \
	    {"width", 0, PB_OPT_INT, "columns",                                \
		"size of the terminal picture, 0: the terminal's",             \
		&(p)->render.width, .min = 0, .max = PB_RENDER_CHARS},         \
	    {"height", 0, PB_OPT_INT, "lines",                                 \
		"size of the terminal picture, 0: the terminal's",             \
		&(p)->render.height, .min = 0, .max = PB_RENDER_CHARS},        \
	    {"box", 0, PB_OPT_CALL, "x0,y0,x1,y1 (m)",                         \
		"show only this part of the map", &(p)->render,                \
		.call = pb_render_box},                                        \
	    {"whole", 0, PB_OPT_FLAG, NULL,                                    \
		"show margins in which nothing is known", &(p)->render.whole}, \
	    {"hide", 0, PB_OPT_WORDS, "list",                                  \
		"what to leave out: axes, legend, trails", &(p)->render.hide,  \
		.words = PB_RENDER_HIDES},                                     \
	    {"title", 0, PB_OPT_TEXT, "text",                                  \
		"title instead of the map's name", &(p)->render.title},        \
	    {"trail", 0, PB_OPT_NUM, "s",                                      \
		"seconds of trails in games, 0: whole trails",                 \
		&(p)->render.trail, .min = 0, .max = 1e9},                     \
	{                                                                      \
		"pixels", 0, PB_OPT_INT, "n",                                  \
		    "longest side of the map in the file, 0: 800 to 1600",     \
		    &(p)->render.size, .min = 0, .max = PB_RENDER_PX           \
	}

/* Draw the scene on stdout, into the file, or both. Errors are printed. */
void pb_show(struct pb_scene *s, const struct pb_show_opts *o);

/*
 * Read records from files (see io/stream/line.h) and draw them. A refused
 * record gets a message as in all filters, and the records before it are drawn;
 * without any record, a message is printed and nothing is drawn.
 */
void pb_show_stream(const struct pb_show_opts *o,
    const struct pb_opt_common *common, char *const *files, int n);

/* Draw the n bytes of records on stderr. Errors are printed. */
void pb_still(const char *records, size_t n);

/*
 * A person at the terminal, who sees frames and steers by keys. The game runs
 * in real time, times `speed`, unless paused. The stick stays where the last
 * key put it. Pictures go to the controlling terminal; if that is also standard
 * output, nothing else is written there.
 */
struct pb_human;

/*
 * Set up the terminal.
 *
 * Given    speed  > 0, times real time
 *
 * Returns  a player for pb_human_end(), and its pilot; NULL, with a message: no
 *          terminal or no memory
 */
struct pb_human *pb_human_begin(double speed, struct pb_pilot *pilot);

/* Leave the last picture and restore the terminal. h may be NULL. */
void pb_human_end(struct pb_human *h);

/* Output of records as messages of ROS; zeroed: none. */
struct pb_ros_export_opts {
	const char *file;        /* recording to write, NULL: none */
	const char *publish;     /* URL of a rosbridge server that gets messages
	                            live; NULL: none */
	struct pb_opt_list only; /* topics to publish; empty: all */
};

/* Rows of the option table; p: struct pb_ros_export_opts *. */
#define PB_OPT_ROS_OUT(p)                                                 \
	{"export", 0, PB_OPT_TEXT, "file",                                \
	    "write topics of ROS 2 into an MCAP file", &(p)->file},       \
	    {"only", 0, PB_OPT_LIST, "name",                              \
		"export only this topic; again for more", &(p)->only},    \
	{                                                                 \
		"publish", 0, PB_OPT_TEXT, "url",                         \
		    "publish them by a rosbridge server, ws://host:9090", \
		    &(p)->publish                                         \
	}

bool pb_ros_export_asked(const struct pb_ros_export_opts *o);

/* Check the options; false: a message was printed (status 2). */
bool pb_ros_export_check(const struct pb_ros_export_opts *o);

/* Publish the records of files, or a single map or maze; live at `speed` times
 * real time, 0: without waiting. Errors are printed. */
void pb_ros_export_stream(const struct pb_ros_export_opts *o, double speed,
    const struct pb_opt_common *common, char *const *files, int n);
void pb_ros_export_made(
    const struct pb_ros_export_opts *o, struct pb_mapsource *p);
