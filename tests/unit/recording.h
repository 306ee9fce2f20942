/* recording.h - what a recording of topics gives, counted. */
#pragma once

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/ros/bag.h"

enum { SEEN = 40 };

struct seen {
	int n;                        /* messages */
	int bad;                      /* complaints */
	bool refused;                 /* it could not be opened */
	bool cut;                     /* one of kind PB_ERROR_CUT */
	struct pb_error first;        /* of them */
	int64_t from, to;             /* of times */
	bool sorted;                  /* by time */
	uint64_t hash;                /* of all messages, in their order */
	uint64_t prefix[SEEN * SEEN]; /* of the first ones */
	char topic[SEEN][64];
	int count[SEEN], topics;
};

static inline void
see(struct seen *s, const struct pb_bag_message *m)
{
	uint64_t h = s->hash;
	int i = 0;

	h = pb_hash_bytes(h, m->topic, strlen(m->topic));
	h = pb_hash_bytes(h, m->type, strlen(m->type));
	h = pb_hash_bytes(h, &m->t, sizeof(m->t));
	h = pb_hash_bytes(h, m->data, m->size);
	s->hash = h;
	if (s->n < SEEN * SEEN)
		s->prefix[s->n] = h;
	if (s->n == 0)
		s->from = m->t;
	s->sorted = s->n == 0 || (s->sorted && m->t >= s->to);
	s->to = m->t;
	s->n++;
	while (i < s->topics && strcmp(s->topic[i], m->topic) != 0)
		i++;
	if (i == s->topics && i < SEEN)
		snprintf(s->topic[s->topics++], 64, "%s", m->topic);
	if (i < SEEN)
		s->count[i]++;
}

static inline void
complain(struct seen *s, const struct pb_error *bad)
{
	if (s->bad++ == 0)
		s->first = *bad;
	s->cut = s->cut || bad->kind == PB_ERROR_CUT;
}

/* Read it as pb_import does. */
static inline struct seen
see_recording(const char *name)
{
	struct seen s = {.sorted = true, .hash = PB_HASH_START};
	struct pb_source src = {0};
	struct pb_error bad;
	struct pb_bag *b = NULL;
	struct pb_bag_message m;
	enum pb_next got;
	char head[64];
	size_t n = 0, k = 0;

	if (pb_bag_is_folder(name)) {
		b = pb_bag_open(name, NULL, NULL, 0, &bad);
	} else if (pb_source_open(&src, name, &bad)) {
		while (n < PB_BAG_HEAD &&
		       pb_source_read(&src, head + n, sizeof(head) - n, &k,
			   &bad) == PB_NEXT)
			n += k;
		pb_error_set(&bad, "no recording");
		if (pb_bagkind_of(head, n) != PB_BAGKIND_NONE)
			b = pb_bag_open(name, &src, head, n, &bad);
	}
	if (b == NULL) {
		s.refused = true;
		complain(&s, &bad);
	}
	while (b != NULL && (got = pb_bag_next(b, &m, &bad)) != PB_END) {
		if (got == PB_HALT)
			break;
		if (got == PB_NEXT)
			see(&s, &m);
		else
			complain(&s, &bad);
	}
	pb_bag_close(b);
	pb_source_close(&src);
	return s;
}
