/* bench_view.c - pictures of pb-bench (success rates, sweeps), and its HTML
 * page with tables, figures and replays of the worst trials. */
#include "view/bench_view.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/mapfile.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

/* --- figures --- */

/* A figure is as wide as a column of a paper: at 85 mm its type has 7 points.
 * Text that is too wide gets smaller type. */
#define WIDE   520  /* of a figure (px) */
#define MARGIN 20   /* at both sides (px) */
#define TITLE  21   /* type size of titles (px) */
#define TOP    74   /* height of title and caption (px) */
#define FAINT  0.12 /* opacity of lines behind marks */
#define AXIS   0.8  /* opacity of axes */
#define MOST   100  /* most rates in a figure */

static void
draw_fitted(struct pb_drawing *d, double x, double y, double size, double room,
    const char *text)
{
	size = fmin(size, size * room / pb_type_room(text, size));
	pb_draw_text(d, (struct pb_vec){x, y}, PB_ANCHOR_LEFT, size,
	    pb_inks[PB_INK_TEXT].paper, text);
}

/* Open a figure with a title: what the rates are of, and the number of
 * trials. */
static struct pb_drawing *
open_figure(const struct pb_bench *p, double height, const char *mark,
    struct pb_target to, struct pb_error *f)
{
	const struct pb_report *r = p->report;
	const struct pb_summary *s = r->summary;
	bool maps = false, rules = false;
	long least = LONG_MAX, most = 0;
	char text[256], trials[64];
	struct pb_drawing *d = pb_drawing_open(to, WIDE, (int)height, f);

	if (d == NULL)
		return NULL;
	for (int i = 0; i < r->summaries; i++) {
		least = s[i].n < least ? s[i].n : least;
		most = s[i].n > most ? s[i].n : most;
		maps |= s[i].key.map_hash != s->key.map_hash;
		rules |= strcmp(s[i].key.rules, s->key.rules) != 0;
	}
	snprintf(text, sizeof(text), "%s%s%s",
	    rules ? "several rule sets" : s->key.rules, maps ? "" : " on ",
	    maps ? "" : s->key.map);
	draw_fitted(d, MARGIN, 26, TITLE, WIDE - 2 * MARGIN, text);
	snprintf(trials, sizeof(trials), least < most ? "%ld to %ld" : "%ld",
	    least, most);
	snprintf(text, sizeof(text),
	    "success in %s trial%s a %s, and its %g %% interval", trials,
	    most == 1 ? "" : "s", mark, 100 * p->o->confidence);
	draw_fitted(d, MARGIN, 54, PB_TYPE, WIDE - 2 * MARGIN, text);
	return d;
}

#define ROW 46  /* height of a row with a rate (px) */
#define BAR 310 /* width of 0 to 100 % (px) */

/* Draw the name of a summary; below, a bar up to its rate, the interval, and
 * numbers. */
static void
draw_bar(struct pb_drawing *d, const struct pb_report *r, int i)
{
	const struct pb_summary *s = &r->summary[i];
	double rate = (double)s->k / (double)s->n;
	double u = MARGIN + BAR * rate, y = TOP + i * ROW, m = y + 31;
	double lo = MARGIN + BAR * s->rate.lo, hi = MARGIN + BAR * s->rate.hi;
	/* The interval and its ends as one line. */
	const struct pb_vec in[] = {{lo, m - 6}, {lo, m + 6}, {lo, m}, {hi, m},
	    {hi, m - 6}, {hi, m + 6}};
	char text[PB_BENCH_LABEL];

	pb_bench_label(text, r, i);
	draw_fitted(d, MARGIN, y + 9, PB_TYPE, WIDE - 2 * MARGIN, text);
	pb_draw_box(
	    d, MARGIN, m - 9, u, m + 9, pb_ink_pen(PB_INK_TARGET, 0.35, 0));
	pb_draw_line(d, in, 6, pb_ink_pen(PB_INK_TEXT, 1, 2));
	pb_draw_disc(
	    d, (struct pb_vec){u, m}, 5, pb_ink_pen(PB_INK_TEXT, 1, 0));
	snprintf(text, sizeof(text), "%.1f (%.1f to %.1f)", 100 * rate,
	    100 * s->rate.lo, 100 * s->rate.hi);
	pb_draw_note(d, MARGIN + BAR + 14, m, PB_ANCHOR_LEFT, text);
}

/* Draw the success rates in the order of the summaries. */
static int
draw_bars(const struct pb_bench *p, struct pb_target to, struct pb_error *f)
{
	int n = p->report->summaries, bottom = TOP + n * ROW + 4;
	struct pb_drawing *d = open_figure(p, bottom + 34, "bar", to, f);
	char text[16];

	if (d == NULL)
		return -1;
	for (int i = 0; i <= 5; i++) {
		double u = floor(MARGIN + BAR * i / 5.0);

		snprintf(
		    text, sizeof(text), "%d%s", 20 * i, i == 5 ? " %" : "");
		for (int k = 0; k < n; k++)
			pb_draw_box(d, u, TOP + k * ROW + 19, u + 1,
			    TOP + k * ROW + 43,
			    pb_ink_pen(
				PB_INK_TEXT, i % 5 == 0 ? AXIS : FAINT, 0));
		pb_draw_note(d, u, bottom + 16, PB_ANCHOR_MIDDLE, text);
	}
	for (int i = 0; i < n; i++)
		draw_bar(d, p->report, i);
	return pb_drawing_close(d, f);
}

/* --- curves of a sweep --- */

#define LEFT   64 /* left of the first panel (px) */
#define GAP    26 /* between panels side by side (px) */
#define ABOVE  30 /* above a panel, with its name (px) */
#define BELOW  58 /* below a panel (px) */
#define CURVES 8  /* most curves that can be distinguished */

/* A sweep: summaries that differ in one or two constants (or rules, map,
 * round), the first of them a number. */
struct sweep {
	const struct pb_report *r;
	struct pb_opt_names names;
	const char *along; /* constant on the axis */
	const char *by; /* constant with a panel for each value, NULL: none */
	struct pb_scale scale;        /* of the axis */
	double wide, tall;            /* of a panel (px) */
	int curve[MOST], panel[MOST]; /* of each summary */
	int curves, panels;
	int curve_first[MOST],
	    panel_first[MOST]; /* index of a summary of each */
};

/* Colours that colour-blind people can distinguish (Okabe and Ito). */
static const struct pb_rgb curve_ink[CURVES] = {{0, 114, 178}, {213, 94, 0},
    {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {30, 30, 36},
    {140, 140, 140}};

/* Whether summaries i and j have the same value. */
static bool
is_same_value(const struct sweep *w, int i, int j, const char *name)
{
	char room[2][16];

	return strcmp(pb_bench_value(&w->r->summary[i].key, name, room[0]),
		   pb_bench_value(&w->r->summary[j].key, name, room[1])) == 0;
}

/* The value of summary i on the axis; false: it has none. */
static bool
find_number(const struct sweep *w, int i, const char *name, double *x)
{
	char room[16];

	return pb_num_parse(
	    pb_bench_value(&w->r->summary[i].key, name, room), x);
}

/* Number of different values of the constant; 0: some are not numbers. */
static int
count_numbers(const struct sweep *w, const char *name)
{
	int different = 0, j;
	double x;

	for (int i = 0; i < w->r->summaries; i++) {
		if (!find_number(w, i, name, &x))
			return 0;
		for (j = 0; !is_same_value(w, i, j, name);)
			j++;
		different += j == i;
	}
	return different;
}

/* Whether the summaries are a sweep; fills w in. */
static bool
find_sweep(const struct pb_report *r, struct sweep *w)
{
	int first, second;

	*w = (struct sweep){
	    .r = r, .scale = {INFINITY, -INFINITY, .is_whole = true}};
	pb_bench_varied(r, NULL, &w->names);
	if (w->names.n < 1 || w->names.n > 2)
		return false;
	first = count_numbers(w, w->names.name[0]);
	second = w->names.n > 1 ? count_numbers(w, w->names.name[1]) : 0;
	if (first == 0 && second == 0)
		return false;
	w->along = w->names.name[second > first];
	w->by = w->names.n > 1 ? w->names.name[second <= first] : NULL;
	for (int i = 0, j, k; i < r->summaries; i++) {
		const char *who = r->summary[i].key.policy;
		double x;

		find_number(w, i, w->along, &x);
		w->scale.lo = fmin(w->scale.lo, x);
		w->scale.hi = fmax(w->scale.hi, x);
		w->scale.is_whole &= x == floor(x);
		for (j = 0; strcmp(r->summary[j].key.policy, who) != 0;)
			j++;
		if (j == i)
			w->curve_first[w->curves++] = i;
		w->curve[i] = j == i ? w->curves - 1 : w->curve[j];
		for (k = 0; w->by && !is_same_value(w, i, k, w->by);)
			k++;
		if (w->by ? k == i : i == 0)
			w->panel_first[w->panels++] = i;
		w->panel[i] = k == i ? w->panels - 1 : w->panel[k];
	}
	/* Logarithmic if the values span a factor of 50. */
	w->scale.is_log = w->scale.lo > 0 && w->scale.hi >= 50 * w->scale.lo;
	w->wide = WIDE - LEFT - MARGIN;
	w->tall = 240;
	if (w->panels > 1) {
		w->wide = (w->wide - GAP) / 2;
		w->tall = 150;
	}
	return true;
}

/* Share of a panel's width left free at both ends. */
#define PAD 0.06

/* Position of a share of summary i in a panel with its upper left corner at
 * `at`; curves are shifted sideways so as not to overlap. */
static struct pb_vec
place_share(const struct sweep *w, int i, double share, struct pb_vec at)
{
	double v;
	double aside = fmin(4, 0.08 * w->wide / w->curves);

	find_number(w, i, w->along, &v);
	return pb_shifted(at,
	    w->wide * (PAD + (1 - 2 * PAD) * pb_scale_at(&w->scale, v)) +
		aside * (w->curve[i] - (w->curves - 1) / 2.0),
	    w->tall * (1 - share));
}

static struct pb_pen
make_curve_pen(int curve, double width)
{
	struct pb_pen pen = pb_stroke(curve_ink[curve], width);

	if (width > 0 && curve >= CURVES / 2)
		pen.on = pen.off = 6;
	return pen;
}

static void
draw_mark(struct pb_drawing *d, int curve, struct pb_vec m)
{
	struct pb_pen pen = make_curve_pen(curve, 0);

	if (curve % 2)
		pb_draw_box(d, m.x - 4, m.y - 4, m.x + 4, m.y + 4, pen);
	else
		pb_draw_disc(d, m, 5, pen);
}

/* Draw a curve in one panel: intervals, and lines between values. */
static void
draw_curve(struct pb_drawing *d, const struct sweep *w, int panel, int curve,
    struct pb_vec at)
{
	struct pb_vec line[MOST];
	int n = 0;

	for (int i = 0; i < w->r->summaries; i++) {
		const struct pb_summary *s = &w->r->summary[i];
		struct pb_vec m;
		int k = n;

		if (w->panel[i] != panel || w->curve[i] != curve)
			continue;
		m = place_share(w, i, (double)s->k / (double)s->n, at);
		pb_draw_segment(d, place_share(w, i, s->rate.lo, at),
		    place_share(w, i, s->rate.hi, at),
		    pb_stroke(curve_ink[curve], 1.5));
		draw_mark(d, curve, m);
		for (; k > 0 && line[k - 1].x > m.x; k--)
			line[k] = line[k - 1];
		line[k] = m;
		n++;
	}
	pb_draw_line(d, line, (size_t)n, make_curve_pen(curve, 2));
}

static void
draw_panel(struct pb_drawing *d, const struct sweep *w, int panel, double top)
{
	struct pb_vec at = {LEFT + panel % 2 * (w->wide + GAP),
	    top + ABOVE + panel / 2 * (ABOVE + w->tall + BELOW)};
	char text[PB_BENCH_LABEL], room[16];

	for (int i = 0; i <= 5; i++) {
		double v = floor(at.y + w->tall * (1 - i / 5.0));

		snprintf(
		    text, sizeof(text), "%d%s", 20 * i, i == 5 ? " %" : "");
		pb_draw_box(d, at.x, v, at.x + w->wide, v + 1,
		    pb_ink_pen(PB_INK_TEXT, i == 0 ? AXIS : FAINT, 0));
		if (panel % 2 == 0)
			pb_draw_note(d, at.x - 8, v, PB_ANCHOR_RIGHT, text);
	}
	if (w->by) {
		snprintf(text, sizeof(text), "%s = %s", w->by,
		    pb_bench_value(&w->r->summary[w->panel_first[panel]].key,
			w->by, room));
		draw_fitted(d, at.x, at.y - 20, PB_TYPE, w->wide, text);
	}
	pb_draw_scale(d, pb_shifted(at, PAD * w->wide, w->tall),
	    (1 - 2 * PAD) * w->wide, &w->scale);
	snprintf(text, sizeof(text), "%s%s", w->along,
	    w->scale.is_log ? " (log)" : "");
	pb_draw_note(
	    d, at.x + w->wide / 2, at.y + w->tall + 38, PB_ANCHOR_MIDDLE, text);
	for (int c = 0; c < w->curves; c++)
		draw_curve(d, w, panel, c, at);
}

/* Draw a sample and the name of each curve, from TOP on; without a drawing only
 * measure. Returns the lower end (px). */
static double
draw_key(struct pb_drawing *d, const struct sweep *w)
{
	double x = MARGIN, y = TOP + 8;

	for (int c = 0; c < w->curves; c++) {
		const char *who = w->r->summary[w->curve_first[c]].key.policy;
		double room = 38 + pb_type_room(who, PB_TYPE);

		if (x > MARGIN && x + room > WIDE - MARGIN) {
			x = MARGIN;
			y += 24;
		}
		if (d) {
			pb_draw_segment(d, (struct pb_vec){x, y},
			    (struct pb_vec){x + 30, y}, make_curve_pen(c, 2));
			draw_mark(d, c, (struct pb_vec){x + 15, y});
			pb_draw_note(d, x + 38, y, PB_ANCHOR_LEFT, who);
		}
		x += room + 24;
	}
	return y + 16;
}

static int
draw_sweep(const struct pb_bench *p, const struct sweep *w, struct pb_target to,
    struct pb_error *f)
{
	double top = draw_key(NULL, w) + (w->by ? 10 : 0);
	int down = (w->panels + 1) / 2;
	struct pb_drawing *d;

	if (w->curves > CURVES)
		return pb_error_file(f, to.path, 0, NULL,
		    "%d curves, but only %d can be distinguished: draw fewer "
		    "players at a time",
		    w->curves, CURVES);
	d = open_figure(
	    p, top + down * (ABOVE + w->tall + BELOW), "point", to, f);
	if (d == NULL)
		return -1;
	draw_key(d, w);
	for (int i = 0; i < w->panels; i++)
		draw_panel(d, w, i, top);
	return pb_drawing_close(d, f);
}

/* Draw a sweep as curves, else bars. */
static int
draw_rates(const struct pb_bench *p, struct pb_target to, struct pb_error *f)
{
	int n = p->report->summaries;
	struct sweep w;

	if (n == 0 || n > MOST)
		return pb_error_file(f, to.path, 0, NULL,
		    "expected 1 to %d rates, got %d", MOST, n);
	return find_sweep(p->report, &w) ? draw_sweep(p, &w, to, f)
	                                 : draw_bars(p, to, f);
}

/* --- the HTML page --- */

#define WORST  3         /* trials shown of each summary */
#define PLAYED 12        /* most summaries whose worst trials are replayed */
#define PAGE   (8 << 20) /* most bytes of a page of replays */

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<style>\n"
    "body { max-width: 65em; margin: 2em auto; padding: 0 1em;\n"
    "    font: 16px/1.5 sans-serif; color: #222; background: #fff; }\n"
    "pre { overflow-x: auto; padding: .6em; background: #f4f4f4;\n"
    "    font: 13px/1.35 monospace; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "iframe { width: 100%; height: 40em; border: 1px solid #ccc; }\n"
    "</style>\n<title>Benchmark</title>\n</head>\n<body>\n<h1>Benchmark";

/* Write text with HTML's special characters escaped. */
static void
write_html(const char *s, FILE *f)
{
	for (size_t len, n = strlen(s); n > 0; s += len, n -= len) {
		bool hidden = pb_utf8_shown(s, n, &len) == '?' && *s != '\n';

		if (*s == '&' || *s == '<' || *s == '>')
			fprintf(f, "&#%d;", *s);
		else if (hidden)
			putc('?', f);
		else
			fwrite(s, 1, len, f);
	}
}

/* Open a stream that leaves its text in *text when closed. */
static FILE *
open_text(char **text, size_t *n)
{
	FILE *f = open_memstream(text, n);

	if (f == NULL)
		pb_msg_end_memory();
	return f;
}

static void
close_text(FILE *f)
{
	if (fclose(f) != 0)
		pb_msg_end_memory();
}

/* Write the tables of --table. */
static void
write_tables(const struct pb_bench *p, FILE *f)
{
	static const struct pb_tty page = {.utf8 = true};
	char *text;
	size_t n;
	FILE *out = open_text(&text, &n);

	pb_bench_tables(p, &page, out);
	close_text(out);
	write_html(text, f);
	free(text);
}

/* Write the figure of --png; if there are too many rates, say so instead. */
static bool
write_figure(const struct pb_bench *p, FILE *f, struct pb_error *bad)
{
	char *text;
	size_t n;
	FILE *out = open_text(&text, &n);
	bool ok = draw_rates(p, (struct pb_target){.path = "a.svg", .out = out},
		      bad) == 0;

	close_text(out);
	if (ok) {
		fputs(strstr(text, "<svg"), f);
	} else if (bad->kind == PB_ERROR_REFUSED) {
		fputs("No figure: ", f);
		write_html(bad->text, f);
		ok = true;
	}
	free(text);
	return ok;
}

/* --- worst trials --- */

/* Write a word of a command, quoted for a shell; before it a blank and the
 * option. */
static void
write_word(const char *option, const char *word, FILE *f)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-.,:=+/@%";
	bool quoted = *word == '\0' || word[strspn(word, plain)] != '\0';

	fprintf(f, "%s%s", option, quoted ? "'" : "");
	for (const char *q; (q = strchr(word, '\'')) != NULL; word = q + 1)
		fprintf(f, "%.*s'\\''", (int)(q - word), word);
	fputs(word, f);
	fputs(quoted ? "'" : "", f);
}

/* Write the map for pb-sim: a standard board by name, or the file of -m with
 * that name, or the only one. False: none of these. */
static bool
write_map(const struct pb_bench *p, const struct pb_trial *k, FILE *f)
{
	const struct pb_opt_list *maps = &p->o->maps;
	const char *file = maps->n == 1 ? maps->arg[0] : NULL;
	char name[sizeof(k->map)];
	struct pb_maze z;

	if (pb_maze_standard(k->map, &z) == PB_OK &&
	    pb_maze_hash(&z) == k->map_hash)
		file = k->map;
	for (int i = 0; i < maps->n; i++) {
		pb_mapfile_stem(maps->arg[i], name, sizeof(name));
		file = strcmp(name, k->map) == 0 ? maps->arg[i] : file;
	}
	if (!file || strcmp(file, "-") == 0 || pb_file_is_pipe(file))
		return false;
	write_word(" -m ", file, f);
	return true;
}

/* Write the player's options. Returns NULL, or why the player is unknown. */
static const char *
write_player(const struct pb_bench *p, const struct pb_trial *k, FILE *f)
{
	const struct pb_bench_cast *c =
	    &p->o->agents.cast[pb_rules_find(k->rules) - pb_games];
	int i = 0;

	if (k->ghosts[0])
		return "programs moved its robots";
	while (i < c->n && strcmp(c->own[i].name, k->policy) != 0)
		i++;
	if (k->program[0] && i == c->n)
		return "its player is a program, and no command that came "
		       "with results is run";
	if (k->program[0])
		write_word(" --agent ", c->outside[i].body[0], f);
	else
		write_word(" -p ", k->policy, f);
	if (k->weights && !p->o->weights.files)
		return "the weights of its player are not given (--weights)";
	if (k->weights)
		write_word(" --weights ", p->o->weights.files, f);
	return NULL;
}

/* Whether a constant is a place, which has its own option. No other name in
 * results may become an option, as that could write files. */
static bool
is_place(const struct pb_game *g, const char *name)
{
	for (int i = 0; g->on_map && g->on_map->place[i].name; i++)
		if (strcmp(g->on_map->place[i].name, name) == 0)
			return true;
	return false;
}

static void
write_constants(const struct pb_trial *k, const struct pb_game *g, FILE *f)
{
	char word[PB_TRIAL_NAME + PB_TRIAL_VALUE];

	for (int i = 0; i < k->settings.n; i++) {
		const struct pb_setting *c = &k->settings.at[i];

		/* Weights are typed as files, not as a hash. */
		if (strcmp(c->name, "weights") == 0)
			continue;
		snprintf(word, sizeof(word), "%s=%s", c->name, c->value);
		write_word(is_place(g, c->name) ? " --" : " --set ", word, f);
	}
}

/* A trial, and the command that replays it (owned), or why there is none. */
struct game {
	struct pb_trial k;
	char *command;
	const char *why;
};

static struct game
make_game(const struct pb_bench *p, struct pb_trial k)
{
	const struct pb_rules *r = pb_rules_find(k.rules);
	struct game x = {.k = k};
	int house = 0;
	size_t n;
	FILE *f;

	if (!r) {
		x.why = "pb-sim plays no trials of these rules";
		return x;
	}
	f = open_text(&x.command, &n);
	if (sscanf(k.map, "house %d", &house) == 1 && house > 0)
		fprintf(f, "pb-mapgen random-house -s %d | ", house);
	write_word("pb-sim -r ", k.rules, f);
	x.why = write_player(p, &k, f);
	if (house <= 0 && !write_map(p, &k, f) && !x.why)
		x.why = "the file of its map is not given (-m)";
	if (p->o->world)
		write_word(" --world ", p->o->world, f);
	if (k.preset[0])
		write_word(" --preset ", k.preset, f);
	write_constants(&k, r->game, f);
	if (!r->game->board)
		fprintf(f, " -a --round %d", k.round);
	fprintf(f, " --seed %" PRIu64 " --trial %" PRIu64, k.seed, k.trial);
	close_text(f);
	return x;
}

/* Write the name of the file for the trial's records, or its replay. */
static void
write_name(const char *before, const struct pb_trial *k, FILE *f)
{
	fprintf(f, "%s\"trial %" PRIu64 " of seed %" PRIu64 "\"", before,
	    k->trial, k->seed);
}

/*
 * Write a shell script that replays n trials and prints a page of them. It uses
 * the programs beside this one, else those in PATH, and prints nothing if a
 * trial gets another hash.
 */
static void
write_script(const struct game *g, int n, FILE *f)
{
	char path[PATH_MAX] = "", *slash;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 &&
	    (slash = strrchr(path, '/')) != NULL) {
		*slash = '\0';
		write_word("PATH=", path, f);
		fputs(":$PATH\n", f);
	}
	fputs("exec 2>/dev/null\nd=$(mktemp -d) || exit\n"
	      "trap 'rm -rf \"$d\"' EXIT\ncd \"$d\" || exit\n",
	    f);
	for (int i = 0; i < n; i++) {
		fprintf(f, "(cd \"$OLDPWD\" && %s)", g[i].command);
		write_name(" >", &g[i].k, f);
		if (g[i].k.hash) {
			fprintf(f, " && grep -q '\"hash\":\"%016" PRIx64 "'",
			    g[i].k.hash);
			write_name(" ", &g[i].k, f);
		}
		fputs(" || exit\n", f);
	}
	/* In the folder, as its name, another each time, would be on the
	 * page. */
	fputs("pb-mapgen -q --render -o page.html", f);
	for (int i = 0; i < n; i++)
		write_name(" ", &g[i].k, f);
	fprintf(f, " && [ $(wc -c <page.html) -le %d ] && cat page.html", PAGE);
}

/* Write a frame with the replays of n trials that the script prints, or why
 * there are none. */
static void
write_replay(const struct game *g, int n, FILE *f)
{
	const char *why = NULL;
	char *script;
	size_t len;
	FILE *s, *page;
	int c;

	for (int i = 0; i < n && !why; i++)
		why = g[i].why;
	if (!why) {
		s = open_text(&script, &len);
		write_script(g, n, s);
		close_text(s);
		page = popen(script, "r");
		if (!page)
			pb_msg_end(PB_NO_PROCESS);
		c = getc(page);
		why = c == EOF ? "played again it is another game (another "
		                 "build, world or program), or too long"
		               : NULL;
		fputs(why ? "" : "<iframe title=\"worst trials\" srcdoc=\"", f);
		for (; c != EOF; c = getc(page))
			fprintf(f, c == '&' || c == '"' ? "&#%d;" : "%c", c);
		fputs(why ? "" : "\"></iframe>\n", f);
		pclose(page);
		free(script);
	}
	if (why)
		fprintf(f, "<p>Not played here: %s.</p>\n", why);
}

static void
write_trial(const struct game *g, FILE *f)
{
	const struct pb_trial *k = &g->k;

	fprintf(
	    f, "<p>Trial %" PRIu64 " of seed %" PRIu64 ": ", k->trial, k->seed);
	write_html(k->outcome, f);
	if (k->total > 0)
		fprintf(f, ", %d of %d pellets", k->collected, k->total);
	if (isfinite(k->score))
		fprintf(f, ", score %.6g", k->score);
	if (k->time >= 0)
		fprintf(f, ", %.1f s", k->time);
	if (k->hash)
		fprintf(f, ", hash %016" PRIx64, k->hash);
	fputs("</p>\n", f);
	if (g->why)
		return;
	fputs("<pre>", f);
	write_html(g->command, f);
	write_html(" | pb-mapgen --render -o game.html", f);
	fputs("</pre>\n", f);
}

/* Write the worst trials of summary i. */
static void
write_worst(const struct pb_bench *p, int i, FILE *f)
{
	const struct pb_trial *key = &p->report->summary[i].key;
	struct pb_trial worst[WORST];
	int n = pb_tally_worst(
	    p->tally, i, pb_bench_by(p->o, key->rules), WORST, worst);
	struct game g[WORST];
	char label[PB_BENCH_LABEL];

	pb_bench_label(label, p->report, i);
	fputs("<h3>", f);
	write_html(label, f);
	fprintf(f, "</h3>\n%s", n ? "" : "<p>None was lost.</p>\n");
	for (int k = 0; k < n; k++)
		g[k] = make_game(p, worst[k]);
	if (n > 0 && i < PLAYED)
		write_replay(g, n, f);
	else if (i == PLAYED)
		fprintf(f, "<p>Only those above are played here.</p>\n");
	for (int k = 0; k < n; k++) {
		write_trial(&g[k], f);
		free(g[k].command);
	}
}

static bool
write_html_page(const struct pb_bench *p, FILE *f, struct pb_error *bad)
{
	const struct pb_report *r = p->report;
	bool ok;

	fputs(head, f);
	if (r->summaries > 0) {
		fputs(": ", f);
		write_html(r->summary->key.rules, f);
	}
	fputs("</h1>\n<h2>Tables</h2>\n<pre>", f);
	write_tables(p, f);
	fputs("</pre>\n<h2>Figure</h2>\n<p>", f);
	ok = write_figure(p, f, bad);
	fputs(
	    "</p>\n<h2>Worst trials</h2>\n<p>A command plays its trial again, "
	    "to the same hash, and writes a page that shows it.</p>\n",
	    f);
	for (int i = 0; i < r->summaries; i++)
		write_worst(p, i, f);
	fputs("</body>\n</html>\n", f);
	return ok;
}

static bool
write_page(const struct pb_bench *p, struct pb_error *bad)
{
	struct pb_file w;
	bool ok = pb_file_create(p->o->report, &w, bad) == 0 &&
	          write_html_page(p, w.out, bad) &&
	          pb_file_finish(&w, bad) == 0;

	pb_file_abandon(&w);
	return ok;
}

static void
print_tables(const struct pb_bench *p, FILE *f)
{
	struct pb_tty t = pb_tty_of(&(struct pb_render_opts){0}, f);

	/* Keep the order of results on stdout and tables on stderr. */
	fflush(stdout);
	pb_bench_tables(p, &t, f);
}

void
pb_bench_show(const struct pb_bench *p)
{
	const struct pb_bench_opts *o = p->o;
	struct pb_error bad;

	if (o->table)
		print_tables(p, stdout);
	else if (!pb_bench_for_people(o) && !o->common.quiet &&
		 isatty(STDERR_FILENO))
		print_tables(p, stderr);
	if (o->png != NULL &&
	    draw_rates(p, (struct pb_target){.path = o->png}, &bad) != 0)
		pb_msg_error(&bad);
	if (o->report != NULL && !write_page(p, &bad))
		pb_msg_error(&bad);
	if (o->heat != NULL)
		pb_heat_draw(o->heat,
		    pb_experiment_player(&o->list.at[0], 0)->name,
		    p->notes->games, &p->board, &p->notes->heat);
}
