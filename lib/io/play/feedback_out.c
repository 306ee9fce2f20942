/* feedback_out.c - lights, sounds and motions of a game or a stream, as records
 * and sounds. */
#include "io/play/feedback_out.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

#define WAV_HEADER 44 /* bytes before the first sample */

/* Samples that the format's 32-bit sizes can count: 13.5 hours. */
#define WAV_LONGEST ((UINT32_MAX - WAV_HEADER) / 2)

/*
 * Write the header of a WAV file: RIFF, fmt and data chunks, see Multimedia
 * Programming Interface and Data Specifications 1.0 (IBM and Microsoft, 1991).
 *
 * Given    bytes  of samples, or UINT32_MAX: unknown
 */
static void
write_wav_header(struct pb_wav *w, uint32_t bytes)
{
	unsigned char h[WAV_HEADER];
	const uint32_t rate = PB_TONE_RATE;

	memcpy(h, "RIFF", 4);
	pb_le_put(
	    h + 4, bytes == UINT32_MAX ? bytes : bytes + WAV_HEADER - 8, 4);
	memcpy(h + 8, "WAVEfmt ", 8);
	pb_le_put(h + 16, 16, 4);       /* length of the fmt chunk */
	pb_le_put(h + 20, 1, 2);        /* PCM */
	pb_le_put(h + 22, 1, 2);        /* channels */
	pb_le_put(h + 24, rate, 4);     /* samples a second */
	pb_le_put(h + 28, rate * 2, 4); /* bytes a second */
	pb_le_put(h + 32, 2, 2);        /* bytes a sample of all channels */
	pb_le_put(h + 34, 16, 2);       /* bits a sample */
	memcpy(h + 36, "data", 4);
	pb_le_put(h + 40, bytes, 4);
	fwrite(h, 1, sizeof(h), w->file.out);
}

/* Whether the output is a pipe or device, whose header cannot be rewritten. */
static bool
is_stream(const struct pb_wav *w)
{
	return w->file.temp == NULL;
}

/* Add n samples. Errors are reported when the file is closed. */
static void
write_samples(struct pb_wav *w, const int16_t *x, int n)
{
	unsigned char b[2];

	w->samples += (uint64_t)n;
	if (!is_stream(w) && w->samples > WAV_LONGEST)
		return;
	for (int i = 0; i < n; i++) {
		pb_le_put(b, (uint16_t)x[i], 2);
		fwrite(b, 2, 1, w->file.out);
	}
}

/* Rewrite the header, now that the length is known, and finish the file; errors
 * are printed. */
static void
close_wav(struct pb_wav *w, const char *path)
{
	struct pb_error f;

	if (!w->open)
		return;
	w->open = false;
	if (!is_stream(w) && w->samples > WAV_LONGEST) {
		errno = 0;
		pb_msg_system("%s: longer than the 13.5 hours that a WAV file "
			      "can hold",
		    path);
	} else {
		if (!is_stream(w) && fseeko(w->file.out, 0, SEEK_SET) == 0)
			write_wav_header(w, (uint32_t)w->samples * 2);
		if (pb_file_finish(&w->file, &f) != 0)
			pb_msg_error(&f);
	}
	pb_file_abandon(&w->file);
}

/* A time that jumps back or ahead by more begins another game (s). */
#define BACK  30.0
#define AHEAD 3600.0

/* Records round times to multiples of this (s). */
#define GRAIN 1e-6

/* Later times are ignored: doubles no longer resolve the frames of a light
 * (s). */
#define FAR 1e15

/* Whether any output is requested. */
static bool
is_asked(const struct pb_cues_opts *o)
{
	return o->records || o->wav != NULL;
}

bool
pb_cues_check(const struct pb_cues_opts *o)
{
	if (o->wav != NULL && strcmp(o->wav, "-") == 0)
		return pb_msg_usage(
		    "--wav: expected a file, got \"-\": standard "
		    "output has the records");
	return pb_file_writable(o->wav);
}

bool
pb_cues_alone(const struct pb_opt_names *given)
{
	static const struct pb_opt_names filter = {
	    {"feedback", "keep-going", "quiet", "provenance"}, 4};

	for (int i = 0; i < given->n; i++)
		if (!pb_opt_names_have(&filter, given->name[i]))
			return false;
	return pb_opt_names_have(given, "feedback");
}

static bool
is_idle(const struct pb_cues *c)
{
	return c->o == NULL || (!is_asked(c->o) && c->see == NULL);
}

/* Start the clock at t; the WAV file continues where it is. */
static void
start_clock(struct pb_cues *c, double t)
{
	c->now = t;
	c->wav_from = t - (double)c->wav.samples / PB_TONE_RATE;
}

/* Write samples up to time t. */
static void
write_sound(struct pb_cues *c, double t)
{
	int64_t left;
	int16_t x[4096];
	int n;

	if (!c->wav.open)
		return;
	left =
	    llround((t - c->wav_from) * PB_TONE_RATE) - (int64_t)c->wav.samples;
	for (; left > 0 && !pb_msg_stopped(); left -= n) {
		n = left < 4096 ? (int)left : 4096;
		pb_tone_render(&c->tone, x, n);
		write_samples(&c->wav, x, n);
	}
}

static void
write_cue(struct pb_cues *c, const struct pb_cue *q)
{
	static const enum pb_rec_type type[] = {[PB_CUE_LIGHT] = PB_REC_LIGHT,
	    [PB_CUE_SOUND] = PB_REC_SOUND,
	    [PB_CUE_MOTION] = PB_REC_MOTION};
	struct pb_rec_event e;

	pb_rec_none(PB_REC_EVENT, &e);
	PB_REC_SET(e.name, q->name);
	if (q->kind == PB_CUE_LIGHT) {
		e.leds = PB_RING_LEDS;
		for (int i = 0; i < PB_RING_LEDS; i++) {
			e.led[i][0] = q->ring.led[i].r;
			e.led[i][1] = q->ring.led[i].g;
			e.led[i][2] = q->ring.led[i].b;
		}
	} else if (q->kind == PB_CUE_SOUND) {
		e.duration = pb_tune_length(q->tune);
		e.notes = q->tune->n;
		for (int i = 0; i < e.notes; i++) {
			e.note[i].hz = pb_midi_hz(q->tune->note[i].midi);
			e.note[i].s = q->tune->note[i].cs / 100.0;
		}
	} else {
		e.w = q->w;
	}
	pb_rec_put(c->out, type[q->kind], pb_stamp_at(q->t, NULL), &e);
}

/* Write all cues that are due until t. */
static void
write_due(struct pb_cues *c, double t)
{
	struct pb_cue q;

	/* Half a grain late still counts: times are rounded. */
	while (pb_msg_out_ok() && pb_feedback_next(&c->f, t + GRAIN / 2, &q)) {
		if (q.kind == PB_CUE_SOUND) {
			write_sound(c, q.t);
			pb_tone_start(&c->tone, q.tune);
		}
		if (c->o->records)
			write_cue(c, &q);
		if (c->see != NULL && q.kind == PB_CUE_LIGHT)
			c->see(c->user, &q.ring);
	}
	write_sound(c, t);
}

/* Play finite sounds and lights to their end unless a signal came, then switch
 * off. */
static void
finish_cues(struct pb_cues *c)
{
	double rest = pb_feedback_rest(&c->f);

	if (isnan(c->now))
		return;
	if (rest > c->now && !pb_msg_stopped()) {
		write_due(c, rest);
		c->now = rest;
	}
	pb_feedback_end(&c->f, c->now);
	write_due(c, c->now);
}

void
pb_cues_restart(struct pb_cues *c)
{
	bool still;

	if (is_idle(c) || isnan(c->now))
		return;
	finish_cues(c);
	still = c->f.still;
	pb_feedback_start(&c->f);
	c->f.still = still;
	c->now = NAN;
}

bool
pb_cues_begin(struct pb_cues *c, const struct pb_cues_opts *o, double t,
    struct pb_text *out)
{
	bool first = c->o == NULL;
	struct pb_error bad;

	if (first)
		*c = (struct pb_cues){.out = out};
	else if (!is_idle(c))
		finish_cues(c);
	c->o = o;
	pb_feedback_start(&c->f);
	start_clock(c, t);
	if (!first || o->wav == NULL)
		return true;
	if (pb_file_create(o->wav, &c->wav.file, &bad) != 0)
		return pb_msg_error(&bad);
	c->wav.open = true;
	write_wav_header(&c->wav, UINT32_MAX);
	return true;
}

void
pb_cues_until(struct pb_cues *c, double t)
{
	if (is_idle(c) || !(fabs(t) <= FAR))
		return;
	t = rint(t / GRAIN) * GRAIN;
	if (t < c->now - BACK || t > c->now + AHEAD)
		pb_cues_restart(c);
	if (isnan(c->now))
		start_clock(c, t);
	if (t <= c->now)
		return;
	c->now = t;
	write_due(c, t);
	/* Flush a stream, so that its reader gets the samples at once. */
	if (c->wav.open && is_stream(&c->wav))
		fflush(c->wav.file.out);
}

enum pb_feedback_result
pb_cues_play(struct pb_cues *c, enum pb_rec_type type, const char *name)
{
	enum pb_feedback_result h;

	if (is_idle(c))
		return PB_DROPPED;
	/* Without times in the stream, the time is 0. */
	if (isnan(c->now))
		start_clock(c, 0);
	h = type == PB_REC_EVENT   ? pb_feedback_event(&c->f, c->now, name)
	    : type == PB_REC_LIGHT ? pb_feedback_light(&c->f, c->now, name)
	    : type == PB_REC_SOUND ? pb_feedback_sound(&c->f, c->now, name)
	                           : pb_feedback_gesture(&c->f, c->now, name);
	write_due(c, c->now);
	return h;
}

void
pb_cues_put(struct pb_text *out, double t, const char *name)
{
	struct pb_rec_event e;

	pb_rec_none(PB_REC_EVENT, &e);
	PB_REC_SET(e.name, name);
	pb_rec_put(out, PB_REC_EVENT, pb_stamp_at(t, NULL), &e);
}

/* Whether r requests a cue: an event, or a light, sound or motion with only a
 * name. */
static bool
asks_for_cue(const struct pb_rec *r)
{
	const struct pb_rec_event *e = &r->event;

	switch (r->type) {
	case PB_REC_EVENT:
		return true;
	case PB_REC_LIGHT:
	case PB_REC_SOUND:
	case PB_REC_MOTION:
		return e->leds == 0 && e->notes == 0 && isnan(e->w) &&
		       isnan(e->duration);
	default:
		return false;
	}
}

uint64_t
pb_cues_want(const struct pb_cues_opts *o)
{
	return !is_asked(o)
	           ? 0
	           : PB_REC_BIT(PB_REC_EVENT) | PB_REC_BIT(PB_REC_LIGHT) |
	                 PB_REC_BIT(PB_REC_SOUND) | PB_REC_BIT(PB_REC_MOTION) |
	                 PB_REC_BIT(PB_REC_CMD);
}

void
pb_cues_hear(struct pb_cues *c, const struct pb_rec *r, struct pb_place at)
{
	enum pb_rec_type type = r->type;
	const char *name = r->event.name;

	if (type == PB_REC_CMD) {
		if (strcmp(r->cmd.name, "event") != 0 ||
		    r->cmd.kind != PB_VALUE_TEXT)
			return;
		type = PB_REC_EVENT;
		name = r->cmd.text;
	} else if (!asks_for_cue(r)) {
		return;
	}
	if (pb_cues_play(c, type, name) == PB_UNKNOWN)
		pb_msg_warn(
		    at, "%s: unknown name \"%s\"", pb_rec_name(type), name);
}

void
pb_cues_finish(struct pb_cues *c)
{
	if (is_idle(c))
		return;
	finish_cues(c);
	close_wav(&c->wav, c->o->wav);
	c->o = NULL;
}

static void
note_time(struct pb_filter *f, const struct pb_rec *r)
{
	struct pb_cues *c = f->user;

	/* A map begins a new game. */
	if (r->type == PB_REC_MAP || r->type == PB_REC_MAZE)
		pb_cues_restart(c);
	pb_cues_until(c, r->stamp.t);
}

static bool
pass_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	(void)bad;
	note_time(f, r);
	pb_filter_pass(f);
	pb_cues_hear(f->user, r, f->line.at);
	return true;
}

static void
end_feedback(struct pb_filter *f, bool whole)
{
	(void)whole;
	pb_cues_finish(f->user);
}

void
pb_cues_filter(const struct pb_cues_opts *o, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct pb_cues c = {0};
	struct pb_filter f = {.want = pb_cues_want(o),
	    .passes = true,
	    .common = common,
	    .take = pass_record,
	    .see = note_time,
	    .end = end_feedback,
	    .user = &c};

	if (pb_cues_begin(&c, o, NAN, &f.out))
		pb_filter_run(&f, files, n);
}
