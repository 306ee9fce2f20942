/*
 * console.c - any bytes as an operator's commands to a game: each is carried
 * out or refused, and those that were carried out make the same game again.
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
	struct pb_play_opts opts;
	struct pb_console_opts wants;
	struct pb_game game; /* but with fewer steps */
	struct pb_console c;
	struct pb_text done; /* lines that were carried out */
};

/* Steps that a game may take; a run has no end otherwise. */
enum { STEPS = 40 };
static int steps_left;
static const struct pb_game *real;

enum { W = 20, H = 16 };
static char map[32]; /* name of a file with a map */
static FILE *quiet;  /* what commands tell people */

static bool
few_steps(void *state, const struct pb_agents *c)
{
	return steps_left-- > 0 && pb_game_step(real, state, c);
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
open_game(struct play *p)
{
	char *file = map;

	must(pb_console_open(&p->c, &p->wants, &file, 1));
	real = p->c.p.game;
	p->game = *real;
	p->game.step = few_steps;
	p->c.p.game = p->c.play.game = &p->game;
	steps_left = STEPS;
}

static struct play *
begin(void)
{
	char *line[] = {"pb-sim", NULL};
	struct play *p = calloc(1, sizeof(*p));
	const struct pb_rules *r;

	must(p != NULL);
	must(pb_sim_opts_read(&p->o, 1, line) == 1);
	r = &pb_games[p->o.which];
	p->opts = (struct pb_play_opts){.game = r->game,
	    .player = r->player[p->o.player],
	    .session = &p->o.session,
	    .common = &p->o.common};
	p->wants = (struct pb_console_opts){.play = &p->opts,
	    .set = &p->o.set,
	    .constants = &p->o.set.group[p->o.which],
	    .inputs = &p->o.inputs};
	open_game(p);
	return p;
}

static void
end(struct play *p)
{
	pb_console_leave(&p->c);
	pb_console_close(&p->c);
	pb_text_clear(&p->done);
	pb_sim_opts_clear(&p->o);
	free(p);
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
	return ok;
}

/* The lines of s; all: none may be refused. */
static void
do_lines(struct play *p, const char *s, size_t n, bool all)
{
	for (size_t i = 0, len; i < n && !p->c.quit; i += len + 1) {
		const char *nl = memchr(s + i, '\n', n - i);

		len = nl != NULL ? (size_t)(nl - (s + i)) : n - i;
		if (do_line(p, s + i, len)) {
			pb_text_put(&p->done, s + i, len);
			pb_text_puts(&p->done, "\n");
		} else {
			must(!all);
		}
	}
}

static void
check_same(const struct play *a, const struct play *b)
{
	must(pb_play_time(&a->c.p) == pb_play_time(&b->c.p));
	must(strcmp(pb_console_state(&a->c), pb_console_state(&b->c)) == 0);
	must(strcmp(pb_console_outcome(&a->c), pb_console_outcome(&b->c)) == 0);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct play *p, *again;
	char *s;

	if (quiet == NULL)
		prepare();
	s = fuzz_text(bytes, n);
	p = begin();
	do_lines(p, s, n, false);
	again = begin();
	do_lines(again, p->done.s, p->done.len, true);
	check_same(p, again);
	end(again);
	end(p);
	free(s);
	return 0;
}
