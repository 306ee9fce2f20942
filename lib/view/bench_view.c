/*
 * bench_view.c - what pb-bench draws: rates, where a player was; and a
 * benchmark as one page for a browser: what was found, and how to look at what
 * went wrong.
 */
#include "view/bench_view.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/mapfile.h"
#include "io/play/program.h"
#include "io/play/world.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/map.h"

/* --- figures --- */

#define TITLE 21   /* size of the type of titles (px) */
#define FAINT 0.12 /* opacity of lines behind bars */
#define AXIS  0.8  /* of those at their ends */

#define ROW  40  /* height of a rate (px) */
#define BAR  700 /* width of 0 to 100 % (px) */
#define TOP  70  /* of the first row (px) */
#define MOST 100 /* rates */

/* A bar up to the rate of a summary, its interval with ends, the number; the
 * label before it. */
static void
draw_bar(struct pb_drawing *d, const struct pb_summary *s, const char *label,
    double x, double y)
{
	double rate = (double)s->k / (double)s->n;
	double u = x + BAR * rate, m = y + ROW / 2.0;
	double lo = x + BAR * s->rate.lo, hi = x + BAR * s->rate.hi;
	/* One line: an end, the interval, the other end. */
	const struct pb_vec in[] = {{lo, m - 7}, {lo, m + 7}, {lo, m}, {hi, m},
	    {hi, m - 7}, {hi, m + 7}};
	char text[64];

	pb_draw_box(
	    d, x, y + 8, u, y + ROW - 8, pb_ink_pen(PB_INK_TARGET, 0.35, 0));
	pb_draw_line(d, in, 6, pb_ink_pen(PB_INK_TEXT, 1, 3));
	pb_draw_disc(
	    d, (struct pb_vec){u, m}, 6, pb_ink_pen(PB_INK_TEXT, 1, 0));
	snprintf(text, sizeof(text), "%.1f [%.1f, %.1f]", 100 * rate,
	    100 * s->rate.lo, 100 * s->rate.hi);
	pb_draw_note(d, x + BAR + 20, m, PB_ANCHOR_LEFT, text);
	pb_draw_note(d, x - 14, m, PB_ANCHOR_RIGHT, label);
}

static void
draw_bars(struct pb_drawing *d, const struct pb_report *r, double x, int bottom)
{
	char label[PB_CHART_LABEL], text[16];

	/* A line at each 10 %; every other has a number. */
	for (int i = 0; i <= 10; i++) {
		double u = floor(x + BAR * i / 10);

		snprintf(
		    text, sizeof(text), "%d%s", 10 * i, i == 10 ? " %" : "");
		pb_draw_box(d, u, TOP, u + 1, bottom,
		    pb_ink_pen(PB_INK_TEXT, i % 10 == 0 ? AXIS : FAINT, 0));
		if (i % 2 == 0)
			pb_draw_note(d, u, bottom + 16, PB_ANCHOR_MIDDLE, text);
	}
	for (int i = 0; i < r->summaries; i++) {
		pb_bench_label(label, r, i);
		draw_bar(d, &r->summary[i], label, x, TOP + 4 + i * ROW);
	}
}

/* The success rates in the order of the summaries. */
static int
draw_rates(const struct pb_bench *p, struct pb_target to, struct pb_error *f)
{
	const struct pb_report *report = p->report;
	const struct pb_summary *s = report->summary;
	bool several = false;
	char title[256], trials[64], what[64], label[PB_CHART_LABEL];
	long least = LONG_MAX, most = 0;
	int n = report->summaries, bottom = TOP + n * ROW + 8;
	double x = 0, width;
	struct pb_drawing *d;

	if (n == 0 || n > MOST)
		return pb_error_file(f, to.path, 0, NULL,
		    "expected 1 to %d rates, got %d", MOST, n);
	for (int i = 0; i < n; i++) {
		pb_bench_label(label, report, i);
		x = fmax(x, pb_type_room(label, PB_TYPE));
		least = s[i].n < least ? s[i].n : least;
		most = s[i].n > most ? s[i].n : most;
		several |= s[i].key.map_hash != s->key.map_hash;
	}
	snprintf(trials, sizeof(trials), least < most ? "%ld to %ld" : "%ld",
	    least, most);
	snprintf(title, sizeof(title), "%s%s%s, %s trials a bar", s->key.rules,
	    several ? "" : " on ", several ? "" : s->key.map, trials);
	snprintf(what, sizeof(what),
	    "share of trials with success, and its %g %% interval",
	    100 * p->o->confidence);
	x = floor(x + 34);
	width = fmax(x + BAR + 220, 40 + floor(pb_type_room(title, TITLE)));
	d = pb_drawing_open(to, (int)width, bottom + 68, f);
	if (d == NULL)
		return -1;
	pb_draw_text(d, (struct pb_vec){20, 26}, PB_ANCHOR_LEFT, TITLE,
	    pb_inks[PB_INK_TEXT].paper, title);
	draw_bars(d, report, x, bottom);
	/* In the middle of the bars, if it has room there. */
	x = fmax(x + BAR / 2, pb_type_room(what, PB_TYPE) / 2 + 10);
	pb_draw_note(d, x, bottom + 44, PB_ANCHOR_MIDDLE, what);
	return pb_drawing_close(d, f);
}

/* --- a page --- */

#define WORST  3         /* trials of each summary */
#define PLAYED 12        /* summaries whose worst trials are played again */
#define PAGE   (8 << 20) /* most bytes of a page of them */

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<style>\n"
    "body { max-width: 65em; margin: 2em auto; padding: 0 1em;\n"
    "    font: 16px/1.5 sans-serif; color: #222; background: #fff; }\n"
    "pre { overflow-x: auto; padding: .6em; background: #f4f4f4;\n"
    "    font: 13px/1.35 monospace; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "iframe { width: 100%; height: 40em; border: 1px solid #ccc; }\n"
    "</style>\n";

static const char worst_head[] =
    "<h2>Worst trials</h2>\n<p>A command plays its trial again, to the same "
    "hash, and writes a page that shows it. <code>$MAP</code> is the file of "
    "the map, <code>$WEIGHTS</code> what the player was given.</p>\n";

/* Text as a page has it: nothing in it can be a tag. */
static void
put_text(const char *s, FILE *f)
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

/* What is written to it is in *text when it was closed. */
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

/* What --table prints. */
static void
put_tables(const struct pb_bench *p, FILE *f)
{
	static const struct pb_tty page = {.utf8 = true};
	char *text;
	size_t n;
	FILE *out = open_text(&text, &n);

	pb_bench_tables(p, &page, out);
	close_text(out);
	put_text(text, f);
	free(text);
}

/* What --png draws; why nothing can be drawn, as there are too many rates, is
 * told instead. */
static bool
put_figure(const struct pb_bench *p, FILE *f, struct pb_error *bad)
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
		put_text(bad->text, f);
		ok = true;
	}
	free(text);
	return ok;
}

/* A word of a command, before it a blank and the option that it is of, as a
 * shell reads it. */
static void
put_word(const char *option, const char *word, FILE *f)
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

static bool
is_map(const struct pb_trial *k, const char *path)
{
	struct pb_maze z;
	struct pb_map m;
	struct pb_error f;
	bool same;

	if (strcmp(path, "-") == 0 || pb_file_is_pipe(path))
		return false;
	if (pb_rules_find(k->rules)->game->board != NULL)
		return pb_world_maze(path, &z, &f) &&
		       pb_maze_hash(&z) == k->map_hash;
	if (pb_mapfile_read(path, NULL, &m, NULL, &f) != 0)
		return false;
	same = pb_map_hash(&m) == k->map_hash;
	pb_map_clear(&m);
	return same;
}

/* A standard board by its name, or the file of -m; NULL: neither is known. */
static const char *
find_map(const struct pb_bench *p, const struct pb_trial *k)
{
	const struct pb_opt_list *maps = &p->o->maps;
	struct pb_maze z;

	if (pb_maze_standard(k->map, &z) == PB_OK &&
	    pb_maze_hash(&z) == k->map_hash)
		return k->map;
	for (int i = 0; i < maps->n; i++)
		if (is_map(k, maps->arg[i]))
			return maps->arg[i];
	return NULL;
}

static void
put_player(const struct pb_bench *p, const struct pb_trial *k, FILE *f)
{
	char agent[sizeof(k->policy) + sizeof(k->program) + 1];

	/* A program has its command's name, or another was given. */
	pb_agent_name(k->program, agent, sizeof(k->policy));
	if (strcmp(agent, k->policy) == 0)
		snprintf(agent, sizeof(agent), "%s", k->program);
	else
		snprintf(agent, sizeof(agent), "%s=%s", k->policy, k->program);
	if (k->program[0])
		put_word(" --agent ", agent, f);
	else
		put_word(" -p ", k->policy, f);
	if (k->weights && p->o->weights.files)
		put_word(" --weights ", p->o->weights.files, f);
	else if (k->weights)
		fputs(" --weights \"$WEIGHTS\"", f);
}

/* Whether a thing told is a place, which is an option of its own. */
static bool
is_place(const struct pb_game *g, const char *name)
{
	for (int i = 0; g->on_map && g->on_map->place[i].name; i++)
		if (strcmp(g->on_map->place[i].name, name) == 0)
			return true;
	return false;
}

static void
put_command(const struct pb_bench *p, const struct pb_trial *k, FILE *f)
{
	const struct pb_game *g = pb_rules_find(k->rules)->game;
	const char *map = find_map(p, k);
	char word[PB_TRIAL_NAME + PB_TRIAL_VALUE];
	int house = 0;

	if (!map && sscanf(k->map, "house %d", &house) == 1 && house > 0)
		fprintf(f, "pb-mapgen random-house -s %d | ", house);
	put_word("pb-sim -r ", k->rules, f);
	put_player(p, k, f);
	if (map)
		put_word(" -m ", map, f);
	else if (house <= 0)
		fputs(" -m \"$MAP\"", f);
	if (p->o->world)
		put_word(" --world ", p->o->world, f);
	if (k->preset[0])
		put_word(" --preset ", k->preset, f);
	for (int i = 0; i < k->told.n; i++) {
		const struct pb_told *c = &k->told.at[i];

		/* The weights are named above, by their files. */
		if (strcmp(c->name, "weights") == 0)
			continue;
		snprintf(word, sizeof(word), "%s=%s", c->name, c->value);
		put_word(is_place(g, c->name) ? " --" : " --set ", word, f);
	}
	if (!g->board)
		fprintf(f, " -a --round %d", k->round);
	fprintf(f, " --seed %" PRIu64 " --trial %" PRIu64, k->seed, k->trial);
}

/* A trial, and the command that plays it again, owned; NULL: there is none. */
struct game {
	struct pb_trial k;
	char *command;
};

/* pb-sim plays games, and programs whose whole command is known. */
static char *
make_command(const struct pb_bench *p, const struct pb_trial *k)
{
	char *command;
	size_t n;
	FILE *f;

	if (!pb_rules_find(k->rules) || k->ghosts[0] ||
	    strlen(k->program) + 1 == sizeof(k->program))
		return NULL;
	f = open_text(&command, &n);
	put_command(p, k, f);
	close_text(f);
	return command;
}

/* The name of a file that the trial is played into, and of its replay. */
static void
put_name(const char *before, const struct pb_trial *k, FILE *f)
{
	fprintf(f, "%s\"trial %" PRIu64 " of seed %" PRIu64 "\"", before,
	    k->trial, k->seed);
}

/*
 * What a shell does to play n trials again and print a page of them, by the
 * programs beside this one, else by those that it finds.
 */
static void
put_script(const struct game *g, int n, FILE *f)
{
	char path[PATH_MAX] = "", *slash;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 &&
	    (slash = strrchr(path, '/')) != NULL) {
		*slash = '\0';
		put_word("PATH=", path, f);
		fputs(":$PATH\n", f);
	}
	fputs("exec 2>/dev/null\nd=$(mktemp -d) || exit\n"
	      "trap 'rm -rf \"$d\"' EXIT\n",
	    f);
	for (int i = 0; i < n; i++) {
		fputs(g[i].command, f);
		put_name(" >\"$d\"/", &g[i].k, f);
		fputs(" || exit\n", f);
	}
	/* The page tells the files' names: the folder has another each time. */
	fputs("cd \"$d\" && pb-mapgen -q --render -o page.html", f);
	for (int i = 0; i < n; i++)
		put_name(" ", &g[i].k, f);
	fprintf(f, " && [ $(wc -c <page.html) -le %d ] && cat page.html", PAGE);
}

/* What the script prints, as a page within this one. False: it failed. */
static bool
put_frame(const char *script, FILE *f)
{
	FILE *page = popen(script, "r");
	int c = page != NULL ? getc(page) : EOF;
	bool any = c != EOF;

	if (any)
		fputs("<iframe title=\"worst trials\" srcdoc=\"", f);
	for (; c != EOF; c = getc(page)) {
		if (c == '&' || c == '"')
			fprintf(f, "&#%d;", c);
		else
			putc(c, f);
	}
	if (any)
		fputs("\"></iframe>\n", f);
	return page != NULL && pclose(page) == 0 && any;
}

/*
 * n trials, side by side. Where some may be of a file there are none: its words
 * would become commands.
 */
static void
put_replay(const struct pb_bench *p, const struct game *g, int n, FILE *f)
{
	bool ready = n > 0 && !p->o->from && !p->o->resume;
	char *script;
	size_t len;
	FILE *s;

	/* A command with a name that is left to be filled in is not run. */
	for (int i = 0; i < n; i++)
		ready = ready && g[i].command && !strstr(g[i].command, "\"$");
	if (!ready)
		return;
	s = open_text(&script, &len);
	put_script(g, n, s);
	close_text(s);
	if (!put_frame(script, f))
		pb_msg_note("--report: some trials could not be played again");
	free(script);
}

static void
put_trial(const struct game *g, FILE *f)
{
	const struct pb_trial *k = &g->k;

	fprintf(
	    f, "<p>Trial %" PRIu64 " of seed %" PRIu64 ": ", k->trial, k->seed);
	put_text(k->outcome, f);
	if (k->total > 0)
		fprintf(f, ", %d of %d pellets", k->collected, k->total);
	fprintf(f, ", score %.6g", k->score);
	if (k->time >= 0)
		fprintf(f, ", %.1f s", k->time);
	if (k->hash)
		fprintf(f, ", hash %016" PRIx64, k->hash);
	fputs("</p>\n", f);
	if (!g->command)
		return;
	fputs("<pre>", f);
	put_text(g->command, f);
	put_text(" | pb-mapgen --render -o game.html", f);
	fputs("</pre>\n", f);
}

/* The worst trials of summary i. */
static void
put_worst(const struct pb_bench *p, int i, FILE *f)
{
	const struct pb_trial *key = &p->report->summary[i].key;
	struct pb_trial worst[WORST];
	int n = pb_tally_worst(
	    p->tally, i, pb_bench_by(p->o, key->rules), WORST, worst);
	struct game g[WORST];
	char label[PB_CHART_LABEL];

	pb_bench_label(label, p->report, i);
	fputs("<h3>", f);
	put_text(label, f);
	fprintf(f, "</h3>\n%s", n ? "" : "<p>None was lost.</p>\n");
	for (int k = 0; k < n; k++)
		g[k] = (struct game){worst[k], make_command(p, &worst[k])};
	if (i < PLAYED)
		put_replay(p, g, n, f);
	for (int k = 0; k < n; k++) {
		put_trial(&g[k], f);
		free(g[k].command);
	}
}

static bool
put_page(const struct pb_bench *p, FILE *f, struct pb_error *bad)
{
	const struct pb_report *r = p->report;
	bool ok;

	fprintf(f, "%s<title>Benchmark</title>\n</head>\n<body>\n", head);
	fputs("<h1>Benchmark", f);
	if (r->summaries > 0) {
		fputs(": ", f);
		put_text(r->summary->key.rules, f);
	}
	fputs("</h1>\n<h2>Tables</h2>\n<pre>", f);
	put_tables(p, f);
	fputs("</pre>\n<h2>Figure</h2>\n<p>", f);
	ok = put_figure(p, f, bad);
	fprintf(f, "</p>\n%s", worst_head);
	for (int i = 0; i < r->summaries; i++)
		put_worst(p, i, f);
	fputs("</body>\n</html>\n", f);
	return ok;
}

static bool
write_page(const struct pb_bench *p, struct pb_error *bad)
{
	struct pb_file w;
	bool ok = pb_file_create(p->o->report, &w, bad) == 0 &&
	          put_page(p, w.out, bad) && pb_file_finish(&w, bad) == 0;

	pb_file_abandon(&w);
	return ok;
}

/* As wide as f is, or as was asked for. */
static void
print_tables(const struct pb_bench *p, FILE *f)
{
	struct pb_tty t = pb_tty_of(&(struct pb_render_opts){0}, f);

	if (p->o->wide)
		t.width = 0;
	/* Results go to stdout, tables maybe to stderr: keep their order. */
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
