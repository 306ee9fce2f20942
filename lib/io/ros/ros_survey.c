/* ros_survey.c - which topics there are, counted. */
#include "io/ros/ros_survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/rec/type.h"

#define TOPICS 100000 /* more are no recording of a robot */

void
pb_ros_survey_clear(struct pb_ros_survey *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->at[i].name);
	free(s->at);
	*s = (struct pb_ros_survey){.at = NULL};
}

static struct pb_ros_topic *
find(struct pb_ros_survey *s, const char *topic, const char *type)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].name, topic) == 0 &&
		    strcmp(s->at[i].type, type) == 0)
			return &s->at[i];
	return NULL;
}

static struct pb_ros_topic *
add(struct pb_ros_survey *s, const char *topic, const char *type, int64_t t)
{
	size_t n = strlen(topic) + 1;
	char *name;

	if (s->n == TOPICS ||
	    !pb_grow(&s->at, s->n, &s->room, sizeof(*s->at)) ||
	    !(name = malloc(n + strlen(type) + 1)))
		return NULL;
	memcpy(name, topic, n);
	strcpy(name + n, type);
	s->at[s->n] = (struct pb_ros_topic){
	    .name = name, .type = name + n, .first = t, .last = t};
	return &s->at[s->n++];
}

bool
pb_ros_survey_add(struct pb_ros_survey *s, const char *topic, const char *type,
    int64_t t, const char *frame)
{
	struct pb_ros_topic *p = find(s, topic, type);

	if (!p && !(p = add(s, topic, type, t)))
		return false;
	if (frame && p->frame[0] == '\0')
		pb_rec_set(p->frame, sizeof(p->frame), frame);
	if (t != PB_ROS_NEVER && (p->first == PB_ROS_NEVER || t < p->first))
		p->first = t;
	p->last = t > p->last ? t : p->last;
	p->n++;
	return true;
}

static int
by_name(const void *a, const void *b)
{
	const struct pb_ros_topic *p = a, *q = b;
	int by = strcmp(p->name, q->name);

	return by ? by : strcmp(p->type, q->type);
}

static double
span(int64_t first, int64_t last)
{
	return first == PB_ROS_NEVER
	           ? 0
	           : 1e-9 * (double)((uint64_t)last - (uint64_t)first);
}

static int
wider(int width, const char *s)
{
	int n = (int)strlen(s);

	return n > width ? n : width;
}

static void
print_rows(const struct pb_ros_survey *s, FILE *out)
{
	int name = 5, type = 4;

	for (size_t i = 0; i < s->n; i++) {
		name = wider(name, s->at[i].name);
		type = wider(type, s->at[i].type);
	}
	fprintf(out, "%-*s  %-*s  %8s  %7s  %s\n", name, "topic", type, "type",
	    "messages", "Hz", "frame");
	for (size_t i = 0; i < s->n; i++) {
		const struct pb_ros_topic *p = &s->at[i];
		double t = span(p->first, p->last);
		char rate[32] = "-";

		if (t > 0)
			snprintf(
			    rate, sizeof(rate), "%.1f", (double)(p->n - 1) / t);
		fprintf(out, "%-*s  %-*s  %8ld  %7s  %s\n", name, p->name, type,
		    p->type, p->n, rate, p->frame[0] ? p->frame : "-");
	}
}

void
pb_ros_survey_print(struct pb_ros_survey *s, FILE *out)
{
	int64_t first = PB_ROS_NEVER, last = PB_ROS_NEVER;
	long n = 0;

	if (s->n > 0)
		qsort(s->at, s->n, sizeof(*s->at), by_name);
	for (size_t i = 0; i < s->n; i++) {
		const struct pb_ros_topic *p = &s->at[i];

		n += p->n;
		last = p->last > last ? p->last : last;
		if (p->first != PB_ROS_NEVER &&
		    (first == PB_ROS_NEVER || p->first < first))
			first = p->first;
	}
	fprintf(out, "%ld messages, %zu topics, %.1f s", n, s->n,
	    span(first, last));
	if (s->timed)
		fprintf(out, "; t is 0 at %.6f s", s->start);
	fprintf(out, "\n");
	print_rows(s, out);
}
