/* swarm.c - the commands of our own programs for the robots of a game and for
 * its planner. */
#include "io/play/swarm.h"

#include <stdlib.h>
#include <string.h>

#include "game/score.h"
#include "io/opt/rules_opts.h"
#include "io/stream/msg.h"
#include "io/stream/num.h"
#include "io/stream/text.h"
#include "pb/clyde.h"

/*
 * A tool of ours, the one beside this program if that was called by a path: a
 * build plays with its own tools, whatever is installed.
 */
static void
put_tool(struct pb_text *t, const struct pb_swarm *w, const char *name)
{
	const char *slash = strrchr(w->self, '/');

	if (slash != NULL) {
		pb_text_puts(t, "PATH='");
		for (const char *s = w->self; s < slash; s++)
			if (*s == '\'')
				pb_text_puts(t, "'\\''");
			else
				pb_text_put(t, s, 1);
		pb_text_puts(t, "/':\"$PATH\" ");
	}
	pb_text_puts(t, "exec ");
	pb_text_puts(t, name);
}

static void
put_option(struct pb_text *t, const char *name, const char *value)
{
	pb_text_puts(t, " --");
	pb_text_puts(t, name);
	pb_text_puts(t, " ");
	pb_text_puts(t, value);
}

/* Those of n constants that differ, as options. */
static void
put_constants(
    struct pb_text *t, struct pb_params p, const void *o, const void *usual)
{
	for (size_t i = 0; i < p.n; i++) {
		char a[PB_NUM_MAX], b[PB_NUM_MAX];

		pb_constants_value(&p.row[i], o, a, sizeof(a));
		pb_constants_value(&p.row[i], usual, b, sizeof(b));
		if (strcmp(a, b) != 0)
			put_option(t, p.row[i].name, a);
	}
}

static void
put_seed(struct pb_text *t, const struct pb_swarm *w)
{
	char num[PB_NUM_MAX];

	pb_num_u64(num, w->seed);
	put_option(t, "seed", num);
	pb_num_u64(num, w->trial);
	put_option(t, "trial", num);
}

/* A robot of a game in lock-step, which plays all of it. */
static void
put_robot(struct pb_text *t, const struct pb_swarm *w, int i)
{
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];

	pb_game_defaults(w->game, usual);
	/* If we are killed, one of them says so. */
	pb_text_puts(t, i > 0 ? " --quiet" : "");
	put_seed(t, w);
	if (pb_game_drives(w->game, w->constants)) {
		pb_text_puts(t, " --rate ");
		pb_text_exact(t, w->rate);
	}
	put_constants(t, *w->game->params, w->constants, usual);
}

/* Clyde, who hears of the game what his node did. */
static void
put_clyde(struct pb_text *t, const struct pb_swarm *w)
{
	const struct pb_clyde_opts usual = pb_clyde_defaults();
	struct pb_clyde_opts o = w->game->ghost_opts(w->constants);

	pb_text_puts(t, " --exact");
	put_seed(t, w);
	put_constants(t, pb_clyde_params, &o, &usual);
}

/* Keep what was put together. */
static const char *
keep(struct pb_swarm *w, struct pb_text *t)
{
	pb_text_put(t, "", 1);
	if (t->failed) {
		pb_msg_system("no memory for a command");
		pb_text_clear(t);
		return NULL;
	}
	return w->command[w->n++] = t->s;
}

const char *
pb_swarm_ghost(struct pb_swarm *w, int i)
{
	struct pb_text t = {.exact = true};

	put_tool(&t, w, "pb-ghost");
	put_option(&t, "behaviour", w->game->behaviour);
	if (w->game->board != NULL)
		put_option(&t, "name", w->game->body[1 + i]);
	if (w->game->lockstep)
		put_robot(&t, w, i);
	else if (w->game->board == NULL)
		put_clyde(&t, w);
	return keep(w, &t);
}

const char *
pb_swarm_score(struct pb_swarm *w)
{
	const struct pb_score_opts o = w->game->score_opts(w->constants);
	const struct pb_score_opts usual = pb_score_defaults();
	struct pb_text t = {.exact = true};

	put_tool(&t, w, "pb-score");
	pb_text_puts(&t, " --asked");
	put_constants(&t, pb_score_params, &o, &usual);
	return keep(w, &t);
}

void
pb_swarm_clear(struct pb_swarm *w)
{
	for (int i = 0; i < w->n; i++)
		free(w->command[i]);
	w->n = 0;
}
