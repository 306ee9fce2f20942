/*
 * cues.c - any bytes as a stream that lights, sounds and motions are to go
 * with: what comes out are such records, in the order of time, and the robot
 * is dark and still at the end. It does not matter how often the clock is
 * looked at.
 */
#include "fuzz.h"

#include <math.h>

#include "io/play/feedback_out.h"

/*
 * Lights of an hour and its sounds take long: the clock goes on by so much at
 * most, or jumps; a file with sounds ends there (s).
 */
#define STEP  30.0
#define SOUND 10.0

static void
step(struct pb_cues *c, const struct pb_rec *r, bool often)
{
	double t = r->stamp.t;

	if (r->type == PB_REC_MAP || r->type == PB_REC_MAZE)
		pb_cues_restart(c);
	if ((t > c->now + STEP && t < c->now + 3601) ||
	    (c->wav.open && fabs(t) > SOUND))
		return;
	/* A jump is none in two steps. */
	if (often && t > c->now && t < c->now + 3600)
		pb_cues_until(c, c->now + (t - c->now) / 2);
	pb_cues_until(c, t);
	pb_cues_hear(c, r, (struct pb_place){"input", 1});
}

static struct pb_text
show(const struct pb_cues_opts *o, const char *s, size_t n, bool often)
{
	struct pb_text out = {0};
	struct pb_cues c = {0};
	struct pb_error bad;
	struct pb_rec r;

	must(pb_cues_begin(&c, o, NAN, &out));
	for (size_t i = 0, len; i < n; i += len + 1) {
		len = strcspn(s + i, "\n");
		if (!pb_rec_read(s + i, len, pb_cues_want(o), &r, &bad))
			continue;
		step(&c, &r, often);
		pb_rec_clear(&r);
	}
	pb_cues_finish(&c);
	must(o->records || out.len == 0);
	return out;
}

static bool
dark(const struct pb_rec_event *e)
{
	for (int i = 0; i < e->leds; i++)
		if (e->led[i][0] + e->led[i][1] + e->led[i][2] > 0)
			return false;
	return true;
}

static void
check_records(const struct pb_text *o)
{
	bool lit = false, turns = false;
	struct pb_error bad;
	struct pb_rec r;
	char *nl;

	for (size_t i = 0; i < o->len; i = (size_t)(nl - o->s) + 1) {
		nl = memchr(o->s + i, '\n', o->len - i);
		must(nl != NULL);
		must(pb_rec_read(
		    o->s + i, (size_t)(nl - o->s) - i, PB_REC_ALL, &r, &bad));
		must(r.type == PB_REC_LIGHT || r.type == PB_REC_SOUND ||
		     r.type == PB_REC_MOTION);
		must(isfinite(r.stamp.t));
		if (r.type == PB_REC_LIGHT)
			lit = !dark(&r.event);
		if (r.type == PB_REC_MOTION)
			turns = r.event.w != 0;
		pb_rec_clear(&r);
	}
	must(!lit && !turns);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct pb_cues_opts o = {.records = true};
	struct pb_text once, often;
	char *s;

	if (n == 0)
		return 0;
	if (bytes[0] & 2)
		o.wav = "/dev/null";
	s = fuzz_text(bytes + 1, n - 1);
	pb_msg_quiet(true); /* names that nobody knows */
	once = show(&o, s, n - 1, false);
	often = show(&o, s, n - 1, true);
	check_records(&once);
	must(once.len == often.len);
	must(once.len == 0 || memcmp(once.s, often.s, once.len) == 0);
	pb_text_clear(&once);
	pb_text_clear(&often);
	free(s);
	return 0;
}
