/* bag_write.c - a game's topics as a recording, as ros2 bag record makes it. */
#include "io/ros/bag_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/ros/mcap_write.h"
#include "io/ros/wire.h"
#include "io/stream/file.h"
#include "io/stream/text.h"

struct topic {
	struct pb_text type; /* its name, kept by the writer of the file */
	int channel;
	uint64_t messages; /* 0: there is no channel yet */
};

struct pb_bag_write {
	char *folder; /* its final name, NULL: a file alone; owned */
	char *made;   /* its name until then, owned; NULL: not there */
	char *part;   /* name of the file in it, within made */
	struct pb_file file;
	struct pb_mcap_write *mcap;
	struct topic topic[PB_TOPICS];
	struct pb_text message;
	int64_t first, last;
	uint64_t messages;
	bool failed; /* no memory */
};

/* The folder under another name, and in it the name of its file. */
static bool
make_folder(struct pb_bag_write *w, const char *name, struct pb_error *bad)
{
	size_t n = strlen(name);
	const char *last;
	struct stat st;

	if (!(w->folder = strdup(name)))
		return pb_error_file_nomem(bad, name) == 0;
	while (n > 1 && w->folder[n - 1] == '/')
		w->folder[--n] = '\0';
	last = strrchr(w->folder, '/');
	last = last && last[1] ? last + 1 : w->folder;
	/* One that is empty may be there, and stays if there is no more. */
	if (stat(w->folder, &st) == 0 &&
	    (rmdir(w->folder) != 0 || mkdir(w->folder, st.st_mode) != 0))
		return pb_error_write(bad, name) == 0;
	w->made = pb_file_name("%s.XXXXXX", w->folder);
	if (w->made && !mkdtemp(w->made)) {
		free(w->made);
		w->made = NULL;
		return pb_error_write(bad, name) == 0;
	}
	if (w->made)
		w->part = pb_file_name("%s/%s_0.mcap", w->made, last);
	return w->part || pb_error_file_nomem(bad, name) == 0;
}

static void
send(void *self, enum pb_ros_topic which, int64_t t, struct pb_ros_message *m)
{
	struct pb_bag_write *w = self;
	struct topic *at = &w->topic[which];
	struct pb_wire wire;

	if (at->messages == 0) {
		struct pb_text schema = {.s = NULL};

		pb_ros_put_name(&at->type, m->type);
		pb_text_put(&at->type, "", 1);
		pb_ros_put_schema(&schema, m->type);
		pb_text_put(&schema, "", 1);
		w->failed = w->failed || at->type.failed || schema.failed;
		if (!w->failed)
			at->channel = pb_mcap_write_channel(w->mcap,
			    &(struct pb_mcap_channel){pb_ros_topics[which].name,
				pb_ros_qos(which), at->type.s, schema.s});
		pb_text_clear(&schema);
	}
	at->messages++;
	w->message.len = 0;
	pb_wire_write(&wire, false, &w->message);
	pb_ros_write(m, &wire);
	w->failed = w->failed || w->message.failed;
	if (w->failed)
		return;
	pb_mcap_write_message(
	    w->mcap, at->channel, t, w->message.s, w->message.len);
	w->first = w->messages == 0 || t < w->first ? t : w->first;
	w->last = w->messages == 0 || t > w->last ? t : w->last;
	w->messages++;
}

struct pb_bag_write *
pb_bag_write_new(const char *name, struct pb_error *bad)
{
	struct pb_bag_write *w = calloc(1, sizeof(*w));

	if (!w) {
		pb_error_file_nomem(bad, name);
		return NULL;
	}
	if ((*name && name[strlen(name) - 1] == '/' &&
		!make_folder(w, name, bad)) ||
	    pb_file_create(w->part ? w->part : name, &w->file, bad) != 0) {
		pb_bag_write_free(w);
		return NULL;
	}
	w->mcap = pb_mcap_write_new(w->file.out);
	if (!w->mcap) {
		pb_error_file_nomem(bad, name);
		pb_bag_write_free(w);
		return NULL;
	}
	return w;
}

struct pb_ros_sink
pb_bag_write_sink(struct pb_bag_write *w)
{
	return (struct pb_ros_sink){send, w};
}

/* Text in double quotes, its lines ended by \n. */
static void
print_quoted(FILE *out, const char *s)
{
	putc('"', out);
	for (; *s; s++)
		if (*s == '\n')
			fputs("\\n", out);
		else
			putc(*s, out);
	putc('"', out);
}

/* Version 5 is that of ROS 2 humble, which later ones read. */
static void
print_metadata(const struct pb_bag_write *w, FILE *out)
{
	const char *part = strrchr(w->part, '/') + 1;
	const char *span = "nanoseconds";

	fprintf(out,
	    "rosbag2_bagfile_information:\n"
	    "  version: 5\n"
	    "  storage_identifier: mcap\n"
	    "  duration:\n    %s: %" PRId64 "\n"
	    "  starting_time:\n    nanoseconds_since_epoch: %" PRId64 "\n"
	    "  message_count: %" PRIu64 "\n"
	    "  topics_with_message_count:%s\n",
	    span, w->last - w->first, w->first, w->messages,
	    w->messages > 0 ? "" : " []");
	for (int i = 0; i < PB_TOPICS; i++) {
		const struct topic *at = &w->topic[i];

		if (at->messages == 0)
			continue;
		fprintf(out,
		    "  - topic_metadata:\n"
		    "      name: %s\n"
		    "      type: %s\n"
		    "      serialization_format: cdr\n"
		    "      offered_qos_profiles: ",
		    pb_ros_topics[i].name, at->type.s);
		print_quoted(out, pb_ros_qos((enum pb_ros_topic)i));
		fprintf(
		    out, "\n    message_count: %" PRIu64 "\n", at->messages);
	}
	fprintf(out,
	    "  compression_format: \"\"\n"
	    "  compression_mode: \"\"\n"
	    "  relative_file_paths:\n  - %s\n"
	    "  files:\n"
	    "  - path: %s\n"
	    "    starting_time:\n      nanoseconds_since_epoch: %" PRId64 "\n"
	    "    duration:\n      %s: %" PRId64 "\n"
	    "    message_count: %" PRIu64 "\n",
	    part, part, w->first, span, w->last - w->first, w->messages);
}

static bool
end_folder(struct pb_bag_write *w, struct pb_error *bad)
{
	char *name = pb_file_name("%s/metadata.yaml", w->made);
	struct pb_file f = {0};
	mode_t mask = umask(0);
	bool ok;

	umask(mask);
	if (!name)
		return pb_error_file_nomem(bad, w->folder) == 0;
	ok = pb_file_create(name, &f, bad) == 0;
	free(name);
	if (!ok)
		return false;
	print_metadata(w, f.out);
	if (pb_file_finish(&f, bad) != 0)
		return false;
	if (chmod(w->made, 0777 & ~mask) != 0 ||
	    rename(w->made, w->folder) != 0)
		return pb_error_write(bad, w->folder) == 0;
	free(w->made);
	w->made = NULL;
	return true;
}

bool
pb_bag_write_end(struct pb_bag_write *w, struct pb_error *bad)
{
	bool ok = pb_mcap_write_end(w->mcap) && !w->failed;

	/* A file that failed says why itself; the rest is memory. */
	if (!ok && !ferror(w->file.out))
		return pb_error_file_nomem(bad, w->file.path) == 0;
	return pb_file_finish(&w->file, bad) == 0 &&
	       (!w->made || end_folder(w, bad));
}

/* What of a folder is there that is not to stay. */
static void
remove_folder(struct pb_bag_write *w)
{
	char *name = pb_file_name("%s/metadata.yaml", w->made);

	if (w->part)
		unlink(w->part);
	if (name)
		unlink(name);
	free(name);
	rmdir(w->made);
	free(w->made);
}

void
pb_bag_write_free(struct pb_bag_write *w)
{
	if (!w)
		return;
	pb_mcap_write_free(w->mcap);
	pb_file_abandon(&w->file);
	if (w->made)
		remove_folder(w);
	for (int i = 0; i < PB_TOPICS; i++)
		pb_text_clear(&w->topic[i].type);
	pb_text_clear(&w->message);
	free(w->folder);
	free(w->part);
	free(w);
}
