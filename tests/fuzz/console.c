/*
 * console.c - any bytes as an operator's commands to a game: each is carried
 * out or refused, and what would be saved of the session makes the same game
 * again.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "io/console/console.h"
#include "io/tool/sim_opts.h"

/* What can be commanded of a game of one rule set. */
struct play {
	struct pb_sim_opts o;
	struct pb_text out;
	struct pb_stage_opts opts;
	struct pb_settings settings;
	struct pb_game game; /* but with fewer steps */
	struct pb_console c;
};

/* Steps that a game may take; a run has no end otherwise. */
enum { STEPS = 40 };
static int steps_left;
static bool (*real_step)(void *state, const struct pb_crew *c);

enum { W = 20, H = 16 };
static char map[32]; /* name of a file with a map */
static FILE *quiet;  /* what commands tell people */

static bool
few_steps(void *state, const struct pb_crew *c)
{
	return steps_left-- > 0 && real_step(state, c);
}

/* A room of 5 x 4 m. */
static void
prepare(void)
{
	int fd = memfd_create("map", MFD_CLOEXEC);
	struct pb_text o = {NULL};
	struct pb_map m;

	must(pb_map_init(&m, W, H, 0.25, (struct pb_pose){0, 0, 0}) == PB_OK);
	for (int i = 0; i < W * H; i++) {
		int x = i % W, y = i / W;

		m.cell[i] =
		    x == 0 || y == 0 || x == W - 1 || y == H - 1 ? 100 : 0;
	}
	PB_REC_SET(m.name, "room");
	pb_rec_put(&o, PB_REC_MAP, pb_stamp_none(), &m);
	must(fd >= 0 && write(fd, o.s, o.len) == (ssize_t)o.len);
	snprintf(map, sizeof(map), "/proc/self/fd/%d", fd);
	pb_text_clear(&o);
	pb_map_clear(&m);
	quiet = fopen("/dev/null", "w");
	must(quiet != NULL);
	stdout = quiet; /* the map is passed on */
	pb_msg_quiet(true);
}

static void
open_stage(struct play *p)
{
	char *file = map;

	must(pb_stage_open(
	    &p->c.stage, &p->opts, &file, pb_sim_game(&p->o)->board == NULL));
	p->game = *p->c.stage.p.game;
	real_step = p->game.step;
	p->game.step = few_steps;
	p->c.stage.p.game = p->c.stage.o.game = &p->game;
	steps_left = STEPS;
}

static struct play *
begin(int rules)
{
	const struct pb_rules *r = &pb_games[rules];
	char *line[] = {"pb-sim", "-r", (char *)r->game->name, "-p", NULL};
	struct play *p = calloc(1, sizeof(*p));

	must(p != NULL);
	/* They do not think for long. */
	line[4] =
	    (char *)(r->game->board ? r->player[0]->name : r->game->usual);
	p->o = pb_sim_defaults();
	must(pb_sim_opts_read(&p->o, 5, line) == 5);
	must(pb_sim_opts_check(&p->o, 0));
	p->opts = pb_sim_stage(&p->o);
	p->settings.of = &p->opts;
	p->c = (struct pb_console){.settings = &p->settings, .out = &p->out};
	open_stage(p);
	return p;
}

static void
end(struct play *p)
{
	pb_stage_leave(&p->c.stage);
	pb_console_clear(&p->c);
	pb_stage_close(&p->c.stage);
	pb_text_clear(&p->out);
	pb_sim_opts_clear(&p->o);
	free(p);
}

static void
check_console(const struct pb_console *c)
{
	must(c->undos >= 0 && c->undos <= PB_CONSOLE_UNDO);
	must(c->marks >= 0 && c->marks <= PB_CONSOLE_MARKS);
	must(c->steps == 0 && !c->live && !c->out->failed);
}

static bool
do_line(struct play *p, const char *s, size_t n)
{
	FILE *said = stderr;
	struct pb_error bad = {""};
	bool ok;

	stderr = quiet;
	ok = pb_console_do(&p->c, s, n, &bad);
	stderr = said;
	if (!ok)
		must(bad.text[0] != 0);
	p->c.speed = 0; /* nobody waits */
	check_console(&p->c);
	return ok;
}

/* Files are not for bytes that nobody has looked at. */
static bool
touches_files(const char *s, size_t n)
{
	static const char *const word[] = {"save", "replay", " map", "\tmap"};

	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < 4; k++)
			if (n - i >= strlen(word[k]) &&
			    memcmp(s + i, word[k], strlen(word[k])) == 0)
				return true;
	return false;
}

/* The lines of s; all: none may be refused. */
static void
do_lines(struct play *p, const char *s, size_t n, bool all)
{
	for (size_t i = 0, len; i < n && !p->c.quit; i += len + 1) {
		const char *nl = memchr(s + i, '\n', n - i);

		len = nl != NULL ? (size_t)(nl - (s + i)) : n - i;
		if (!touches_files(s + i, len))
			must(do_line(p, s + i, len) || !all);
	}
}

static void
check_same(const struct play *a, const struct play *b)
{
	const struct pb_stage *s = &a->c.stage, *t = &b->c.stage;
	char x[PB_REC_TEXT], y[PB_REC_TEXT];

	for (int i = 0; pb_stage_name(s, i) != NULL; i++) {
		pb_stage_value(s, i, x, sizeof(x));
		pb_stage_value(t, i, y, sizeof(y));
		must(strcmp(x, y) == 0);
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct play *p, *again;
	char *s;

	if (n == 0)
		return 0;
	if (quiet == NULL)
		prepare();
	s = fuzz_text(bytes + 1, n - 1);
	p = begin(bytes[0] % pb_rules_count());
	do_lines(p, s, n - 1, false);
	again = begin(p->o.which);
	do_lines(again, p->c.session.s, p->c.session.len, true);
	check_same(p, again);
	end(again);
	end(p);
	free(s);
	return 0;
}
