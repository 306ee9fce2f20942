/* swarm.c - programs in the places of robots and of the planner. */
#include "io/play/swarm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "game/score.h"
#include "io/opt/rules_opts.h"
#include "io/stream/msg.h"
#include "io/stream/num.h"
#include "io/stream/text.h"
#include "pb/clyde.h"

/* Ghosts that play. */
static int
ghosts(const struct pb_swarm_game *g)
{
	return g->game->bodies(g->constants) - 1;
}

static const char *
wrong(const struct pb_swarm_game *g)
{
	bool programs = g->swarm || g->ghost->n > 0 || *g->score != NULL;

	if (g->ghost->n > ghosts(g))
		return "--ghost: more programs than ghosts that play";
	if (*g->score != NULL && !g->scores)
		return "--score: goes with --policy seed: the others do not "
		       "choose by scores";
	if (g->patience && !programs && !g->agent)
		return "--patience: goes with --ghost, --score, --swarm and "
		       "--agent";
	if (programs && g->leads)
		return "--ghost, --score, --swarm: do not go with commands "
		       "that lead the game: a program cannot go back";
	return NULL;
}

/* s as one word of sh(1). */
static void
put_word(struct pb_text *t, const char *s)
{
	pb_text_puts(t, "'");
	for (; *s != '\0'; s++)
		if (*s == '\'')
			pb_text_puts(t, "'\\''");
		else
			pb_text_put(t, s, 1);
	pb_text_puts(t, "'");
}

/*
 * A tool of ours, the one beside this program if that was started by a path: a
 * build plays with its own tools, whatever is installed.
 */
static void
put_tool(struct pb_text *t, const struct pb_swarm_game *g, const char *name)
{
	const char *slash = strrchr(g->self, '/');
	struct pb_text path = {0};

	if (slash != NULL)
		pb_text_put(&path, g->self, (size_t)(slash - g->self) + 1);
	pb_text_put(&path, name, strlen(name) + 1);
	t->failed |= path.failed;
	pb_text_puts(t, "exec ");
	if (slash != NULL && !path.failed && access(path.s, X_OK) == 0)
		put_word(t, path.s);
	else
		pb_text_puts(t, name);
	pb_text_clear(&path);
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
		if (strcmp(a, b) == 0)
			continue;
		pb_text_puts(t, " --");
		pb_text_puts(t, p.row[i].name);
		pb_text_puts(t, " ");
		pb_text_puts(t, a);
	}
}

static void
put_seed(struct pb_text *t, const struct pb_swarm_game *g)
{
	char num[PB_NUM_MAX];

	pb_num_u64(num, g->seed);
	pb_text_puts(t, " --seed ");
	pb_text_puts(t, num);
	pb_num_u64(num, g->trial);
	pb_text_puts(t, " --trial ");
	pb_text_puts(t, num);
}

/* A robot of a game in lock-step, which plays all of it. */
static void
put_robot(struct pb_text *t, const struct pb_swarm_game *g, int i)
{
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];

	pb_game_defaults(g->game, usual);
	/* If we are killed, one of them says so. */
	pb_text_puts(t, i > 0 ? " --quiet" : "");
	put_seed(t, g);
	if (pb_game_drives(g->game, g->constants)) {
		pb_text_puts(t, " --rate ");
		pb_text_exact(t, g->rate);
	}
	put_constants(t, *g->game->params, g->constants, usual);
}

/* Clyde, who hears of the game what his node did. */
static void
put_clyde(struct pb_text *t, const struct pb_swarm_game *g)
{
	const struct pb_clyde_opts usual = pb_clyde_defaults();
	struct pb_clyde_opts o = g->game->ghost_opts(g->constants);

	pb_text_puts(t, " --exact");
	put_seed(t, g);
	put_constants(t, pb_clyde_params, &o, &usual);
}

static void
put_ghost(struct pb_text *t, const struct pb_swarm_game *g, int i)
{
	put_tool(t, g, "pb-ghost");
	pb_text_puts(t, " -b ");
	pb_text_puts(t, g->game->behaviour);
	if (g->game->board != NULL) {
		pb_text_puts(t, " --name ");
		pb_text_puts(t, g->game->body[1 + i]);
	}
	if (g->game->lockstep)
		put_robot(t, g, i);
	else if (g->game->board == NULL)
		put_clyde(t, g);
}

static void
put_score(struct pb_text *t, const struct pb_swarm_game *g)
{
	const struct pb_score_opts o = g->game->score_opts(g->constants);
	const struct pb_score_opts usual = pb_score_defaults();

	put_tool(t, g, "pb-score");
	pb_text_puts(t, " --asked");
	put_constants(t, pb_score_params, &o, &usual);
}

/* What was put together as a command; NULL without memory, which was said. */
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

bool
pb_swarm_programs(struct pb_swarm *w, const struct pb_swarm_game *g)
{
	const char *why = wrong(g);

	if (why != NULL)
		return pb_msg_usage("%s", why);
	while (g->swarm && g->ghost->n < ghosts(g)) {
		struct pb_text t = {.exact = true};
		const char *one;

		put_ghost(&t, g, g->ghost->n);
		if ((one = keep(w, &t)) == NULL)
			return false;
		g->ghost->arg[g->ghost->n++] = one;
	}
	if (g->swarm && g->scores && *g->score == NULL) {
		struct pb_text t = {.exact = true};

		put_score(&t, g);
		if ((*g->score = keep(w, &t)) == NULL)
			return false;
	}
	return true;
}

void
pb_swarm_clear(struct pb_swarm *w)
{
	for (int i = 0; i < w->n; i++)
		free(w->command[i]);
	w->n = 0;
}
