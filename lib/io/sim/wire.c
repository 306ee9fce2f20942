/* wire.c - the byte stream that a Pacbot server sends to its players. */
#include "io/sim/wire.h"

#include <string.h>

#include "io/rec.h"
#include "io/stream/counts.h"
#include "io/stream/msg.h"
#include "io/stream/source.h"
#include "pb/match.h"

/* Frames read so far, and the beginning of the next. */
struct wire {
	const struct pb_wire_reader *r;
	struct pb_pacbot_seen seen;
	struct pb_place at; /* the line is the number of the frame */
	uint8_t frame[PB_PACBOT_FRAME];
	size_t len;
	struct pb_source in;
	int old; /* frames that were not taken */
};

/* A server that sends without end is answered all the same. */
enum { OLD_MAX = 1000 };

/* Given n bytes that were read and not looked at. */
static bool
take_frame(struct wire *w, size_t n)
{
	int wrong = pb_pacbot_see(&w->seen, w->r->k, w->frame);

	if (wrong >= 0) {
		pb_msg_refuse(w->at, "frame byte %d: no server sends 0x%02x",
		    wrong, w->frame[wrong]);
		return false;
	}
	pb_count_line((const char *)w->frame, sizeof(w->frame));
	w->len = 0;
	if (w->r->newest && w->old < OLD_MAX &&
	    (n >= sizeof(w->frame) || pb_source_more(&w->in))) {
		w->old++;
		w->at.line++;
		return true;
	}
	if (!w->r->take(w->r->user, &w->seen.s, w->at, w->old))
		return false;
	w->old = 0;
	w->at.line++;
	return pb_msg_out_ok();
}

static bool
take_bytes(struct wire *w, const char *s, size_t n)
{
	while (n > 0) {
		size_t room = sizeof(w->frame) - w->len;
		size_t some = n < room ? n : room;

		memcpy(w->frame + w->len, s, some);
		w->len += some;
		s += some;
		n -= some;
		if (w->len == sizeof(w->frame) && !take_frame(w, n))
			return false;
	}
	return true;
}

void
pb_wire_read(const char *file, const struct pb_wire_reader *r)
{
	struct wire w = {.r = r, .at = {file, 1}};
	struct pb_error bad;
	char buf[16384];
	size_t n;
	enum pb_source_got got = PB_SOURCE_BYTES;

	if (strcmp(file, "-") == 0)
		w.at.file = "<stdin>";
	if (!pb_source_open(&w.in, file, &bad)) {
		pb_msg_error_at((struct pb_place){file, 0}, &bad);
		return;
	}
	while (got == PB_SOURCE_BYTES) {
		got = pb_source_read(&w.in, buf, sizeof(buf), &n, &bad);
		if (got == PB_SOURCE_BYTES && !take_bytes(&w, buf, n))
			break;
	}
	if (got == PB_SOURCE_BAD)
		pb_msg_error_at(w.at, &bad);
	else if (got == PB_SOURCE_END && w.len > 0)
		pb_msg_refuse(w.at,
		    "the frame is cut off after %zu of %d bytes", w.len,
		    PB_PACBOT_FRAME);
	else if (got == PB_SOURCE_END && w.at.line == 1)
		pb_msg_refuse((struct pb_place){w.at.file, 0},
		    "expected frames, got none");
	pb_source_close(&w.in);
}

/* Where ticks go. */
struct ticks {
	const struct pb_maze *z;
	const struct pb_pacbot_rules *k;
	struct pb_text *out;
};

static bool
put_tick(void *user, const struct pb_pacbot *s, struct pb_place at, int old)
{
	struct ticks *t = user;
	struct pb_seen k;

	(void)old;
	pb_pacbot_look(&k, s, t->z, t->k);
	pb_put_tick(t->out,
	    pb_stamp_at((double)(at.line - 1) / PB_PACBOT_FPS, NULL), &k);
	return true;
}

void
pb_wire_ticks(const char *file, const struct pb_maze *z,
    const struct pb_pacbot_rules *k, struct pb_text *o)
{
	struct ticks t = {z, k, o};
	const struct pb_wire_reader r = {.k = k, .take = put_tick, .user = &t};

	pb_wire_read(file, &r);
}
