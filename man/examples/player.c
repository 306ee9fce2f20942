/*
 * player.c - a player of one's own for the official Pacbot game.
 *
 *	cc -std=c11 player.c $(pkg-config --cflags --libs --static pb) -o player
 *	./player
 *
 * It walks the shortest way to the nearest pellet, but never towards a ghost
 * that is near. A hundred games are played against the same ghosts by it and
 * by `flee`, which comes with the library.
 */
#include <stdio.h>
#include <stdlib.h>

#include <pb/games.h>
#include <pb/match.h>

enum { NEAR = 6, GAMES = 100 };

/* Whether a ghost that bites is within NEAR steps, and nearer to cell j. */
static int
risky(const struct pb_bot_view *v, int i, int j)
{
	const struct pb_cells *c = &v->board->cells;

	for (int k = 0; k < v->s->active; k++) {
		const struct pb_arcade *g = &v->s->ghost[k];
		int at = pb_cells_at(c, g->loc.row, g->loc.col);

		if (at >= 0 && g->fright == 0 && !g->spawning &&
		    pb_cells_dist(c, at, i) <= NEAR &&
		    pb_cells_dist(c, at, j) <= pb_cells_dist(c, at, i))
			return 1;
	}
	return 0;
}

static int
has_pellet(const struct pb_bot_view *v, int i)
{
	struct pb_cell_at at = v->board->cells.cell[i];

	return v->s->pellets[at.row] >> at.col & 1;
}

static void
decide(
    void *memory, const void *known, const void *view, struct pb_answer *answer)
{
	const struct pb_bot_view *v = view;
	const struct pb_cells *c = &v->board->cells;
	int i = pb_cells_at(c, v->s->pac.row, v->s->pac.col);
	int best = PB_STAY, steps = PB_FAR;

	(void)memory;
	(void)known;
	if (i < 0)
		return;
	for (int d = 0; d < 4; d++) {
		int to = c->cell[i].to[d];

		if (to < 0 || risky(v, i, to))
			continue;
		for (int j = 0; j < c->n; j++)
			if (has_pellet(v, j) &&
			    pb_cells_dist(c, to, j) < steps) {
				steps = pb_cells_dist(c, to, j);
				best = d;
			}
	}
	answer->dir = (enum pb_dir)best;
}

static const struct pb_player mine = {
    .name = "mine", .summary = "nearest pellet, shy", .decide = decide};

static int
play(const struct pb_match_board *board, const struct pb_player *bot)
{
	struct pb_match_opts opts;
	const struct pb_game *game = &pb_game_pacbot;
	double score = 0;
	int cleared = 0;
	void *match;

	pb_game_defaults(game, &opts);
	if (pb_game_open(game, &match, board, &opts, bot, NULL) != PB_OK)
		return 0;
	for (int i = 0; i < GAMES; i++) {
		struct pb_trial trial = {.seed = 1, .trial = i};

		pb_game_play(game, match, &trial, NULL);
		score += trial.score;
		cleared += trial.success;
	}
	pb_game_close(game, match);
	printf("%-4s  %7.2f points, %d of %d games cleared\n", bot->name,
	    score / GAMES, cleared, GAMES);
	return 1;
}

int
main(void)
{
	static struct pb_match_board board;
	const struct pb_rules *rules = pb_rules_find("pacbot");
	int flee = pb_rules_player(rules, "flee");
	struct pb_maze maze;
	int ok;

	if (pb_maze_standard("pacman", &maze) != PB_OK ||
	    pb_match_board_init(&board, &maze) != PB_OK)
		return EXIT_FAILURE;
	ok = play(&board, &mine) && play(&board, rules->player[flee]);
	pb_match_board_clear(&board);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
