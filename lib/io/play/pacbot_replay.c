/* pacbot_replay.c - modes of pb-sim for Pacbot: options; replay of recordings,
 * compared with the simulation. */
#include "io/play/pacbot_modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/play/play.h"
#include "io/play/world.h"
#include "io/rec/schema.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"

/* Returns what is wrong with o, NULL: nothing. */
static const char *
find_conflict(const struct pb_pacsim_opts *o, int n, bool sensors)
{
	if (o->replay + o->serve + o->client > 1)
		return "expected one of --replay, --serve, --client";
	if (o->heading != 0 && !sensors)
		return "--heading: only with --sensors";
	if (n > 0 && o->client)
		return "--client: reads no files";
	if (n > 0 && o->serve)
		return "--serve: reads no files";
	if ((o->serve || o->client) && o->agents.n > (o->agent != NULL))
		return "--agent: not for ghosts with --client: the server "
		       "moves them";
	if (o->serve && o->listen.n == 0)
		return "--serve: expected a port, as in --serve 3002";
	if (o->client && o->connect == NULL)
		return "--client: expected a server, as in "
		       "--client ws://HOST:3002";
	return NULL;
}

const char *
pb_pacsim_mode(const struct pb_pacsim_opts *o)
{
	return o->client         ? "client"
	       : !o->serve       ? "match"
	       : o->agents.n > 0 ? "agent"
	       : o->referee      ? "referee"
	                         : "serve";
}

bool
pb_pacsim_other(const struct pb_pacsim_opts *o)
{
	return o->replay || o->serve || o->client;
}

bool
pb_pacsim_at(struct pb_pacsim_opts *o, const char *operand)
{
	bool client = o->client && o->connect == NULL;
	bool server = o->serve && o->listen.n == 0;

	if (client)
		o->connect = operand;
	else if (server)
		o->listen.arg[o->listen.n++] = operand;
	return client || server;
}

bool
pb_pacsim_check(const struct pb_pacsim_opts *o, int n, bool sensors)
{
	const char *why = find_conflict(o, n, sensors);

	if (why != NULL)
		return pb_msg_usage("%s", why);
	return pb_pacbot_ports(o) &&
	       (!o->connect || pb_net_check("--connect", o->connect, true));
}

/* Most iterations between two lines; more are a corrupt number. */
#define GAP 10000000

/* Draws of ghosts in one iteration, and bytes of a command. */
enum { DRAWS = 64, COMMAND = 8 };

/* Keys of a line, and of a ghost in it; others are refused. */
#define LINE_KEYS                                                   \
	"type|it|pac|ghosts|draws|ser|cmds|post|postPauseOnUpdate|" \
	"tick|upd|period|mode|lastMode|pauseOnUpdate|modeSteps|"    \
	"levelSteps|score|level|lives|combo|pellets|fruitSteps"
#define GHOST_KEYS "loc|next|trap|fright|spawn|eaten"

/* A recording being replayed. */
struct replay {
	const char *file;
	const struct pb_pacbot_rules *k;
	struct pb_pacbot s;
	long it; /* current iteration, -1: none yet */
	bool updated;
	double draw[DRAWS][3]; /* draws of the line: ghost, bound, value */
	int draws, used;
	long lines, updates, commands, drawn, frames; /* counters */
	long compared;                                /* numbers and frames */
	bool differs; /* whether there is a difference, the first at: */
	long line, tick;
	char field[PB_REC_WORD], expected[PB_REC_WORD], got[PB_REC_WORD];
};

/* Note the first difference. */
static void
note_difference(
    struct replay *r, const char *field, const char *want, const char *got)
{
	if (r->differs)
		return;
	r->differs = true;
	r->tick = r->s.tick;
	PB_REC_SET(r->field, field);
	PB_REC_SET(r->expected, want);
	PB_REC_SET(r->got, got);
}

static void
compare_value(struct replay *r, const char *field, double want, int got)
{
	char a[24], b[24];

	r->compared++;
	if (want == got)
		return;
	snprintf(a, sizeof(a), "%g", want);
	snprintf(b, sizeof(b), "%d", got);
	note_difference(r, field, a, b);
}

/* Compare the number under key, if it is there; `of`: prefix of its name. */
static void
compare_number(struct replay *r, struct pb_get *g, const char *of,
    const char *key, int got)
{
	char field[64];
	double want;

	if (!pb_get_value(g, key))
		return;
	pb_get_num(g, key, PB_OPTIONAL, 0, INT32_MAX, &want);
	snprintf(field, sizeof(field), "%s%s", of, key);
	if (*g->ok)
		compare_value(r, field, want, got);
}

/* Compare [row, col, dir] in the same way. */
static void
compare_place(struct replay *r, struct pb_get *g, const char *of,
    const char *key, struct pb_at at)
{
	const int got[3] = {at.row, at.col, at.dir};
	char field[64];
	double want[3];

	if (!pb_get_value(g, key))
		return;
	pb_get_nums(g, key, PB_OPTIONAL, 3, want);
	for (int i = 0; *g->ok && i < 3; i++) {
		snprintf(field, sizeof(field), "%s%s[%d]", of, key, i);
		compare_value(r, field, want[i], got[i]);
	}
}

/* Compare a frame, written as hexadecimal digits. */
static void
compare_frame(struct replay *r, struct pb_get *g, const char *key)
{
	enum { N = PB_PACBOT_FRAME };
	char want[2 * N + 2] = "", got[2 * N + 1], field[32], a[8], b[8];
	uint8_t frame[N];
	int i = 0;

	if (!pb_get_value(g, key))
		return;
	pb_get_text(g, key, PB_OPTIONAL, want, sizeof(want));
	if (*g->ok && strspn(want, "0123456789abcdefABCDEF") != 2 * N)
		pb_get_fail(g, key, "318 hex digits");
	if (!*g->ok || r->differs)
		return;
	r->frames++;
	r->compared++;
	pb_pacbot_frame(&r->s, frame);
	for (int k = 0; k < N; k++)
		snprintf(got + 2 * k, 3, "%02x", frame[k]);
	while (i < N && strncasecmp(want + 2 * i, got + 2 * i, 2) == 0)
		i++;
	if (i == N)
		return;
	snprintf(field, sizeof(field), "%.8s byte %d", key, i);
	snprintf(a, sizeof(a), "0x%.2s", want + 2 * i);
	snprintf(b, sizeof(b), "0x%.2s", got + 2 * i);
	note_difference(r, field, a, b);
}

/* Refuse keys that are not in the list. */
static void
refuse_unknown_keys(struct pb_get *g, const char *list)
{
	const struct pb_json_value *v = NULL;

	while (*g->ok && (v = pb_json_next(g->obj, v)) != NULL) {
		const char *name = PB_JSON_KEY(v);

		if (pb_word_find(list, name, strlen(name)) < 0)
			*g->ok = pb_error_set(g->bad,
			    "%s.%.40s: recordings have no such field", g->path,
			    name);
	}
}

static void
compare_ghosts(struct replay *r, struct pb_get *g)
{
	struct pb_walk w;
	struct pb_get sub;

	if (!pb_get_walk(g, "ghosts", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_object(g, &w, &sub)) {
		const struct pb_arcade *a = &r->s.ghost[w.i];
		char of[32];

		if (w.i >= PB_ARCADE_GHOSTS) {
			pb_walk_fail(g, &w, "at most 4 ghosts");
			return;
		}
		snprintf(of, sizeof(of), "ghosts[%zu].", w.i);
		compare_place(r, &sub, of, "loc", a->loc);
		compare_place(r, &sub, of, "next", a->next);
		compare_number(r, &sub, of, "trap", a->trapped);
		compare_number(r, &sub, of, "fright", a->fright);
		compare_number(r, &sub, of, "spawn", a->spawning);
		compare_number(r, &sub, of, "eaten", a->eaten);
		refuse_unknown_keys(&sub, GHOST_KEYS);
	}
}

/* "upd": 1 if an update ran; "lastMode": mode before a pause. */
static void
compare_state(struct replay *r, struct pb_get *g)
{
	const struct pb_pacbot *s = &r->s;
	int mode = s->paused ? PB_PAUSED : s->mode;

	compare_number(r, g, "", "tick", s->tick);
	compare_number(r, g, "", "upd", r->updated);
	compare_number(r, g, "", "period", s->period);
	compare_number(r, g, "", "mode", mode);
	compare_number(r, g, "", "lastMode", s->mode);
	compare_number(r, g, "", "pauseOnUpdate", s->pause_on_update);
	compare_number(r, g, "", "modeSteps", s->mode_steps);
	compare_number(r, g, "", "levelSteps", s->level_steps);
	compare_number(r, g, "", "score", s->score);
	compare_number(r, g, "", "level", s->level);
	compare_number(r, g, "", "lives", s->lives);
	compare_number(r, g, "", "combo", s->combo);
	compare_number(r, g, "", "pellets", s->left);
	compare_number(r, g, "", "fruitSteps", s->fruit_steps);
	compare_place(r, g, "", "pac", s->pac);
	compare_ghosts(r, g);
	compare_frame(r, g, "ser");
}

/* The random choice of a frightened ghost: the next draw of the line. */
static int
next_draw(void *ctx, int ghost, int n)
{
	struct replay *r = ctx;
	const double *d = r->used < r->draws ? r->draw[r->used] : NULL;
	char field[PB_REC_WORD], got[PB_REC_WORD];

	if (d && d[0] == ghost && d[1] == n && d[2] >= 0 && d[2] < n) {
		r->used++;
		r->drawn++;
		return (int)d[2];
	}
	snprintf(field, sizeof(field), "draws[%d]", r->used);
	snprintf(got, sizeof(got), "ghost %d of %d", ghost, n);
	note_difference(r, field, d ? "another draw" : "no draw", got);
	return 0;
}

/* Run all iterations up to the commands of `it`. Iterations without a line have
 * no draws. */
static void
run_until(struct replay *r, long it, int draws)
{
	const struct pb_arcade_draw d = {next_draw, r};

	r->used = 0;
	while (r->it < it && !r->differs) {
		if (r->it >= 0)
			pb_pacbot_end(&r->s);
		r->draws = ++r->it == it ? draws : 0;
		r->updated = pb_pacbot_begin(&r->s, r->k, &d);
		r->updates += r->updated;
	}
}

/* Read the draws of the line into r->draw; returns their number. */
static int
read_draws(struct replay *r, struct pb_get *g)
{
	struct pb_walk w;
	int n = 0;

	if (!pb_get_walk(g, "draws", PB_OPTIONAL, &w))
		return 0;
	while (pb_walk_next(g, &w) && pb_walk_nums(g, &w, 3, r->draw[n]))
		if (++n == DRAWS) {
			pb_get_fail(g, "draws", "fewer than 64 draws");
			break;
		}
	return n;
}

/* Read the bytes of a command, a text or "hex:" and digits. Returns their
 * number, 0: neither. */
static int
read_command(const struct pb_json_value *v, uint8_t byte[COMMAND])
{
	const char *text = pb_json_text(v);
	size_t n = pb_json_size(v, PB_JSON_STRING);
	int bytes = 0, end = 0;

	if (!text || strncmp(text, "hex:", 4) != 0) {
		memcpy(byte, text ? text : "", n <= COMMAND ? n : 0);
		return n <= COMMAND ? (int)n : 0;
	}
	for (text += 4; *text != '\0' && bytes < COMMAND; text += 2, end = 0)
		if (sscanf(text, "%2hhx%n", &byte[bytes++], &end) < 1 ||
		    end != 2)
			return 0;
	return *text == '\0' ? bytes : 0;
}

static void
apply_commands(struct replay *r, struct pb_get *g)
{
	const struct pb_arcade_draw d = {next_draw, r};
	struct pb_walk w;

	if (!pb_get_walk(g, "cmds", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && !r->differs) {
		uint8_t byte[COMMAND];
		int n = read_command(w.at, byte);

		if (n == 0) {
			pb_walk_fail(g, &w,
			    "a command of 1 to 8 bytes, as text or \"hex:\"");
			return;
		}
		pb_pacbot_command(&r->s, r->k, &d, byte, n);
		r->commands++;
	}
}

/* Read the first line, which has the settings. */
static void
read_first_line(struct replay *r, struct pb_get *g)
{
	struct pb_get sub;
	long active = PB_ARCADE_GHOSTS;

	if (r->it >= 0)
		pb_get_fail(g, "meta", "the first line only");
	if (pb_get_object(g, "meta", PB_REQUIRED, &sub))
		pb_get_int(&sub, "activeGhosts", PB_OPTIONAL, 0,
		    PB_ARCADE_GHOSTS, &active);
	pb_pacbot_init(&r->s, r->k, (int)active);
}

/* Run an iteration; compare before and after its commands. */
static void
play_iteration(struct replay *r, struct pb_get *g)
{
	long it = 0;
	int draws = read_draws(r, g);

	pb_get_int(g, "it", PB_REQUIRED, r->it + 1, r->it + GAP, &it);
	refuse_unknown_keys(g, LINE_KEYS);
	if (!*g->ok)
		return;
	run_until(r, it, draws);
	compare_state(r, g);
	apply_commands(r, g);
	if (r->used != draws)
		compare_value(r, "number of draws", draws, r->used);
	compare_frame(r, g, "post");
	compare_number(r, g, "", "postPauseOnUpdate", r->s.pause_on_update);
}

static bool
play_line(struct replay *r, const struct pb_line *l)
{
	struct pb_json line;
	struct pb_get g;
	struct pb_error bad = {""};
	bool ok;

	if (l->len == 0)
		return true;
	if (!pb_json_open(&line, l->text, l->len, "conformance", &g, &bad))
		return pb_msg_error_at(l->at, &bad);
	r->lines++;
	(pb_get_value(&g, "meta") ? read_first_line : play_iteration)(r, &g);
	ok = *g.ok;
	pb_json_close(&line);
	r->line = l->at.line;
	if (!ok)
		return pb_msg_error_at(l->at, &bad);
	return !r->differs ||
	       pb_msg_refuse(l->at, "tick %ld: %s: expected %s, got %s",
		   r->tick, r->field, r->expected, r->got);
}

static void
write_verdict(const struct replay *r, bool agree, struct pb_text *o)
{
	pb_text_puts(o, "{\"type\":\"conformance\",\"file\":");
	pb_text_string(o, r->file);
	pb_put_key(o, "agree");
	pb_text_puts(o, agree ? "true" : "false");
	pb_put_int(o, "lines", r->lines);
	pb_put_int(o, "updates", r->updates);
	pb_put_int(o, "commands", r->commands);
	pb_put_int(o, "draws", r->drawn);
	pb_put_int(o, "frames", r->frames);
	pb_put_int(o, "compared", r->compared);
	if (!agree) {
		pb_put_int(o, "line", r->line);
		pb_put_int(o, "tick", r->tick);
		pb_put_text(o, "field", r->field);
		pb_put_text(o, "expected", r->expected);
		pb_put_text(o, "got", r->got);
	}
	pb_put_end(o);
}

static void
replay_file(
    const struct pb_pacbot_rules *k, char *const *file, struct pb_text *o)
{
	struct replay r = {.k = k, .it = -1, .file = *file};
	struct pb_lines *in = pb_lines_new(file, 1);
	struct pb_error bad;
	struct pb_line l;
	enum pb_next got;
	bool agree;

	if (strcmp(*file, "-") == 0)
		r.file = "<stdin>";
	pb_pacbot_init(&r.s, k, PB_ARCADE_GHOSTS);
	do {
		got = pb_lines_next(in, &l, &bad);
	} while (got == PB_NEXT && play_line(&r, &l));
	if (got == PB_BAD)
		pb_msg_error_at(l.at, &bad);
	agree = got == PB_END && r.compared > 0;
	if (got == PB_END && !agree)
		pb_msg_refuse(
		    (struct pb_place){r.file, 0}, "nothing to compare");
	if (agree || r.differs)
		write_verdict(&r, agree, o);
	pb_lines_free(in);
}

static bool
open_board(const char *path, struct pb_match_board *b)
{
	struct pb_maze z;
	struct pb_error bad;
	const char *why;
	int found;

	if (!path)
		pb_maze_standard("pacman", &z);
	else if (!pb_world_maze(path, &z, &bad))
		return pb_msg_error(&bad);
	why = pb_match_board_wrong(&z, &found);
	if (why)
		return pb_msg_refuse((struct pb_place){path, 0},
		    found > 0 ? "%s, got %d" : "%s", why, found);
	if (pb_match_board_init(b, &z) != PB_OK)
		pb_msg_end_memory();
	return true;
}

/*
 * Replay the commands and draws of each recording, and compare every number and
 * frame of its lines with the state. The format is in pb-pacbot(7). The first
 * difference of a file is refused with its place, and the rest of that file is
 * not read.
 */
static void
replay_files(const struct pb_pacbot_rules *k, char *const *files, int n)
{
	static char in[] = "-", *const standard_input[] = {in};
	struct pb_text out = {.to = stdout};

	if (n == 0)
		replay_file(k, standard_input, &out);
	for (int i = 0; i < n && !pb_msg_stopped() && pb_msg_out_ok(); i++)
		replay_file(k, &files[i], &out);
	pb_text_clear(&out);
}

void
pb_pacsim_run(const struct pb_pacsim *p, char *const *files, int n)
{
	struct pb_match_board *b = pb_alloc(1, sizeof(*b));

	pb_msg_catch();
	if (open_board(p->play->board, b)) {
		if (p->o->replay)
			replay_files(&b->rules, files, n);
		else if (p->o->serve)
			pb_pacbot_serve(p, b);
		else
			pb_pacbot_client(p, b);
	}
	pb_match_board_clear(b);
	free(b);
}
