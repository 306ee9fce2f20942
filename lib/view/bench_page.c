/* bench_page.c - a benchmark as one page for a browser: what was found, and how
 * to look at what went wrong. */
#include <inttypes.h>
#include <limits.h>
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
#include "view/bench_view.h"
#include "view/drawing.h"
#include "view/term.h"

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
put_tables(const struct pb_bench_paper *p, FILE *f)
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

/* What --png draws; why nothing can be drawn, as there are too many rates or no
 * values, is told instead. */
static bool
put_figure(const struct pb_bench_paper *p, FILE *f, struct pb_error *bad)
{
	char *text;
	size_t n;
	FILE *out = open_text(&text, &n);
	bool ok =
	    pb_bench_figure(
		p, (struct pb_target){.path = "a.svg", .out = out}, bad) == 0;

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
find_map(const struct pb_bench_paper *p, const struct pb_trial *k)
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
put_player(const struct pb_bench_paper *p, const struct pb_trial *k, FILE *f)
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
	for (int i = 0; g->place && g->place[i].name; i++)
		if (strcmp(g->place[i].name, name) == 0)
			return true;
	return false;
}

/* Whether the constant of that name is there for other players only; pb-sim
 * refuses it. */
static bool
is_idle(const struct pb_game *g, const struct pb_trial *k, const char *name)
{
	const struct pb_fact player = {"policy", k->policy};
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];
	size_t i = 0;

	while (i < g->params->n && strcmp(g->params->row[i].name, name) != 0)
		i++;
	if (i == g->params->n || !g->params->row[i].when ||
	    strncmp(g->params->row[i].when, "policy=", 7) != 0)
		return false;
	pb_game_defaults(g, usual);
	return !k->program[0] &&
	       !pb_params_used(*g->params, usual, i, &player, 1);
}

static void
put_command(const struct pb_bench_paper *p, const struct pb_trial *k, FILE *f)
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
		if (strcmp(c->name, "weights") == 0 || is_idle(g, k, c->name))
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
make_command(const struct pb_bench_paper *p, const struct pb_trial *k)
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

/* The file in the folder that trial k is played into. */
static void
name_game(char path[PATH_MAX], const char *folder, const struct pb_trial *k)
{
	snprintf(path, PATH_MAX, "%s/trial %" PRIu64 " of seed %" PRIu64,
	    folder, k->trial, k->seed);
}

/*
 * What a shell does to play n trials again and make page.html of them in a
 * folder, by the programs beside this one, else by those that it finds.
 */
static void
put_script(const struct game *g, int n, const char *folder, FILE *f)
{
	char path[PATH_MAX] = "", *slash;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 &&
	    (slash = strrchr(path, '/')) != NULL) {
		*slash = '\0';
		put_word("PATH=", path, f);
		fputs(":$PATH\n", f);
	}
	fputs("exec 2>/dev/null\n", f);
	for (int i = 0; i < n; i++) {
		fputs(g[i].command, f);
		name_game(path, folder, &g[i].k);
		put_word(" >", path, f);
		fputs(" || exit\n", f);
	}
	/* The page tells the files' names: the folder has another each time. */
	put_word("cd ", folder, f);
	fputs(" && pb-mapgen -q --render -o page.html", f);
	for (int i = 0; i < n; i++) {
		name_game(path, ".", &g[i].k);
		put_word(" ", path + 2, f);
	}
}

/* The page at path, within this page. */
static bool
put_frame(const char *path, FILE *f)
{
	const struct pb_file_look look = {.most = {.bytes = PAGE}};
	struct pb_error bad;
	char *page;
	size_t n;

	if (pb_file_read(path, &look, &page, &n, &bad) != 0)
		return false;
	fputs("<iframe title=\"worst trials\" srcdoc=\"", f);
	for (const char *s = page; *s; s++) {
		if (*s == '&' || *s == '"')
			fprintf(f, "&#%d;", *s);
		else
			putc(*s, f);
	}
	fputs("\"></iframe>\n", f);
	free(page);
	return true;
}

/* Play n trials in the folder, and leave nothing there. False: it failed. */
static bool
play(const struct game *g, int n, const char *folder, FILE *f)
{
	char path[PATH_MAX], *script;
	size_t len;
	FILE *s = open_text(&script, &len);
	bool ok;

	put_script(g, n, folder, s);
	close_text(s);
	snprintf(path, sizeof(path), "%s/page.html", folder);
	ok = system(script) == 0 && put_frame(path, f);
	free(script);
	unlink(path);
	for (int i = 0; i < n; i++) {
		name_game(path, folder, &g[i].k);
		unlink(path);
	}
	return ok;
}

/*
 * n trials, side by side. Where some may be of a file there are none: its words
 * would become commands.
 */
static void
put_replay(const struct pb_bench_paper *p, const struct game *g, int n, FILE *f)
{
	const char *tmp = getenv("TMPDIR");
	char folder[PATH_MAX / 2];
	bool ready = n > 0 && !p->o->from && !p->o->resume;

	/* A command with a name that is left to be filled in is not run. */
	for (int i = 0; i < n; i++)
		ready = ready && g[i].command && !strstr(g[i].command, "\"$");
	if (!ready)
		return;
	snprintf(
	    folder, sizeof(folder), "%s/pb-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	ready = mkdtemp(folder) != NULL;
	if (!ready || !play(g, n, folder, f))
		pb_msg_note("--report: some trials could not be played again");
	if (ready)
		rmdir(folder);
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
put_worst(const struct pb_bench_paper *p, int i, FILE *f)
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
put_page(const struct pb_bench_paper *p, FILE *f, struct pb_error *bad)
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

void
pb_bench_page(const struct pb_bench_paper *p, const char *path)
{
	struct pb_file w;
	struct pb_error bad;

	if (pb_file_create(path, &w, &bad) != 0 || !put_page(p, w.out, &bad) ||
	    pb_file_finish(&w, &bad) != 0)
		pb_msg_error(&bad);
	pb_file_abandon(&w);
}
