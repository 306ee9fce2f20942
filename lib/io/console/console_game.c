/* console_game.c - the game of a console: it begins, steps, and is asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/pellets.h"
#include "game/score.h"
#include "io/console/console.h"
#include "io/play/play.h"
#include "io/stream/msg.h"

bool
pb_console_on_map(const struct pb_console *c)
{
	return c->p.game->board == NULL;
}

static void
show(void *user, const struct pb_seen *k)
{
	((struct pb_console *)user)->k = *k;
}

static bool
ask(void *user, double t, enum pb_dir *stick)
{
	(void)t;
	*stick = ((const struct pb_console *)user)->stick;
	return true;
}

void
pb_console_steer(struct pb_console *c, enum pb_dir d)
{
	c->pilot.ask = ask;
	c->stick = d;
}

/* Whether the constants go together. */
static bool
check(const struct pb_console *c, unsigned *who, struct pb_error *bad)
{
	const void *next = c->o->constants->base;
	const char *why;
	const char *field = pb_game_check(c->p.game, next, &why);

	if (field != NULL)
		return pb_error_set(bad, "%s: %s", field, why);
	return pb_explorers_find(c->p.game, next, c->o->known, who, bad);
}

/* Make the world anew by the constants; if not, nothing changes. */
static bool
remake(struct pb_console *c, struct pb_error *bad)
{
	const struct pb_ground ground = pb_play_ground(&c->p);
	_Alignas(double) unsigned char before[PB_RULES_OPTS];
	struct pb_error why;

	memcpy(before, c->opts, sizeof(before));
	memcpy(c->opts, c->o->constants->base, c->p.game->opts_size);
	if (pb_play_on(&c->p, &ground, &why))
		return true;
	memcpy(c->opts, before, sizeof(before));
	*bad = why;
	return pb_console_on_map(c) || why.text[0] == '\0'
	           ? false
	           : pb_error_set(bad, "map: %s", why.text);
}

bool
pb_console_begin(struct pb_console *c, struct pb_error *bad)
{
	unsigned who;

	if (!check(c, &who, bad) || !remake(c, bad))
		return false;
	c->play.explorers = who;
	c->pilot.ask = NULL;
	c->waits = false;
	c->stick = PB_STAY;
	bad->text[0] = '\0';
	return pb_play_begin(&c->p);
}

bool
pb_console_step(struct pb_console *c)
{
	if (pb_console_on_map(c)) {
		if (pb_operator_over(&c->p))
			return false;
		pb_operator_step(&c->p);
		return true;
	}
	if (c->p.over || c->waits)
		return false;
	if (!pb_play_step(&c->p)) {
		c->p.over = true;
		pb_play_result(&c->p);
	}
	return true;
}

bool
pb_console_idle(const struct pb_console *c)
{
	if (!pb_console_on_map(c))
		return c->p.over || c->waits;
	return pb_operator_idle(&c->p) || pb_operator_over(&c->p);
}

const char *
pb_console_state(const struct pb_console *c)
{
	struct pb_standing now;

	if (!pb_console_on_map(c))
		return c->p.over ? "over" : c->waits ? "ready" : "playing";
	c->p.game->standing(c->p.state, &now);
	return now.phase;
}

const char *
pb_console_outcome(const struct pb_console *c)
{
	return pb_console_on_map(c) || c->p.over ? c->p.game->ending(c->p.state)
	                                         : "";
}

static void
print_word(const char *name, const char *word)
{
	if (word[0] != '\0')
		fprintf(stderr, "%-12s %s\n", name, word);
}

/* A count; below 0: it is not known. */
static void
print_count(const char *name, long n)
{
	if (n >= 0)
		fprintf(stderr, "%-12s %ld\n", name, n);
}

static void
print_place(const char *name, struct pb_pose p)
{
	if (isnan(p.x))
		print_word(name, "none");
	else
		fprintf(stderr, "%-12s %.2f,%.2f\n", name, p.x, p.y);
}

static long
count_left(const struct pb_console *c)
{
	const unsigned char *left;
	int all;
	long n = 0;

	c->p.game->pellets(c->p.state, &all, &left);
	for (int i = 0; i < all; i++)
		n += left[i];
	return n;
}

static void
print_map_status(const struct pb_console *c)
{
	const struct pb_game *g = c->p.game;
	const void *state = c->p.state;
	struct pb_standing now;
	struct pb_pose at;
	bool localized = g->estimate(state, &at);

	g->standing(state, &now);
	print_count("round", now.round);
	print_count("spawned", now.spawned);
	print_count("collected", now.collected);
	print_count("left", count_left(c));
	print_count("score", now.score);
	print_word("result", now.result);
	print_word("localized", localized ? "yes" : "no");
	fprintf(stderr, "%-12s %.4g\n", "clyde-speed", now.ghost_speed);
	if (localized)
		print_place("robot", at);
	else
		print_word("robot", "unknown");
	print_place("clyde", g->pose(state, 1));
	print_count("ended", g->ended(state));
}

static void
print_board_status(const struct pb_console *c)
{
	const struct pb_seen *k = &c->k;

	print_count("score", k->score);
	print_count("lives", k->lives);
	print_count("left", k->left);
	print_count("level", k->level);
	print_word("mode", k->mode);
	fprintf(
	    stderr, "%-12s %d,%d\n", "player", k->body[0].row, k->body[0].col);
}

void
pb_console_status(const struct pb_console *c)
{
	fprintf(stderr, "%-12s %.6g\n", "t", pb_play_time(&c->p));
	print_word("state", pb_console_state(c));
	if (pb_console_on_map(c))
		print_map_status(c);
	else
		print_board_status(c);
	print_word("outcome", pb_console_outcome(c));
}

/* A record of the player, into the trace. */
static void
put(struct pb_console *c, enum pb_rec_type type, const void *r)
{
	pb_rec_put(&c->p.c.out, type,
	    pb_stamp_at(pb_play_time(&c->p), c->p.game->body[0]), r);
}

static void
put_target(struct pb_console *c, const struct pb_choice *best,
    const struct pb_pellet *all, const struct pb_score *score)
{
	struct pb_rec_target t;

	pb_rec_none(PB_REC_TARGET, &t);
	if (best->index >= 0) {
		t.pellet = pb_trace_id(&c->p.trace, (int)best->index);
		t.x = all[best->index].at.x;
		t.y = all[best->index].at.y;
		t.total = score[best->index].total;
	}
	PB_REC_SET(t.why, pb_why_name(best->why));
	t.threat = best->threat;
	put(c, PB_REC_TARGET, &t);
}

/* The table is for people, the records are not. */
static void
put_scored(struct pb_console *c, const struct pb_choice *best,
    struct pb_score *score, struct pb_rec_score *row)
{
	struct pb_rec_scored r = {.pellet = row, .threat = best->threat};
	const unsigned char *left;
	int n;
	const struct pb_pellet *all = c->p.game->pellets(c->p.state, &n, &left);

	fprintf(stderr, "%6s %8s %8s %8s %9s %8s\n", "pellet", "total",
	    "distance", "risk", "direction", "");
	for (int i = 0; i < n; i++) {
		const struct pb_score *s = &score[i];
		long id = pb_trace_id(&c->p.trace, i);

		if (!left[i])
			continue;
		row[r.n++] = (struct pb_rec_score){id, all[i].at.x, all[i].at.y,
		    s->distance, s->risk, s->direction, s->total, s->safe,
		    s->excluded};
		fprintf(stderr, "%6ld %8.2f %8.2f %8.2f %9.2f %s%s\n", id,
		    s->total, s->distance, s->risk, s->direction,
		    s->safe ? "safe" : "", s->excluded ? " excluded" : "");
	}
	put(c, PB_REC_SCORED, &r);
	put_target(c, best, all, score);
}

bool
pb_console_scores(struct pb_console *c)
{
	const unsigned char *left;
	struct pb_choice best;
	struct pb_rec_score *row;
	struct pb_score *score;
	bool ok;
	int n;

	c->p.game->pellets(c->p.state, &n, &left);
	score = pb_alloc((size_t)n, sizeof(*score));
	row = pb_alloc((size_t)n, sizeof(*row));
	ok = c->p.game->scores(c->p.state, score, &best);
	if (ok)
		put_scored(c, &best, score, row);
	free(score);
	free(row);
	return ok;
}

static void
put_map(const struct pb_console *c, enum pb_console_view v, struct pb_text *o)
{
	if (v == PB_VIEW_PICTURE)
		pb_rec_put(o, PB_REC_MAP, pb_stamp_none(), &c->p.land.map);
	if (v != PB_VIEW_PELLETS)
		pb_trace_state(&c->p.trace, o);
	if (v != PB_VIEW_STATE)
		pb_trace_pellets(&c->p.trace, NULL, o);
	if (v == PB_VIEW_PICTURE)
		pb_trace_poses(&c->p.trace, o);
}

bool
pb_console_put(
    const struct pb_console *c, enum pb_console_view v, struct pb_text *o)
{
	if (pb_console_on_map(c)) {
		put_map(c, v, o);
		return true;
	}
	if (v == PB_VIEW_PELLETS)
		return false;
	if (v == PB_VIEW_PICTURE)
		pb_rec_put(o, PB_REC_MAZE, pb_stamp_none(), &c->p.maze);
	pb_rec_put(
	    o, PB_REC_TICK, pb_stamp_at(pb_play_time(&c->p), NULL), &c->k);
	return true;
}

bool
pb_console_command(
    struct pb_console *c, const struct pb_rec_cmd *r, struct pb_error *bad)
{
	struct pb_play *p = &c->p;
	bool start = strcmp(r->name, "start") == 0;
	struct pb_pose at;

	if (!pb_operator_takes(p, r, "", bad))
		return false;
	if (start && p->game->estimate(p->state, &at) &&
	    !p->game->idle(p->state))
		return pb_error_set(
		    bad, "cannot start from state \"%s\"", pb_console_state(c));
	pb_rec_put(
	    &p->c.out, PB_REC_CMD, pb_stamp_at(pb_play_time(p), NULL), r);
	pb_operator_command(p, r, "");
	if (start && p->wants)
		fprintf(stderr, "the robot does not know where it is yet: "
				"start waits for that\n");
	return true;
}

void
pb_console_leave(struct pb_console *c)
{
	if (pb_console_on_map(c))
		pb_operator_leave(&c->p);
	pb_cues_finish(&c->p.cues);
}

/* On a map, which may be in a file or come as a record, or on a board. */
static bool
begin_first(struct pb_console *c, char *const *files, int n)
{
	if (!pb_console_on_map(c))
		return pb_play_begin(&c->p);
	return pb_play_read_map(&c->p, files, n) && pb_play_on_map(&c->p);
}

bool
pb_console_open(struct pb_console *c, const struct pb_console_opts *o,
    char *const *files, int n)
{
	const struct pb_game *game = o->play->game;

	*c = (struct pb_console){.o = o, .play = *o->play};
	c->pilot = (struct pb_pilot){.user = c, .show = show};
	c->play.opts = c->opts;
	c->play.pilot = game->board != NULL ? &c->pilot : NULL;
	memcpy(c->opts, o->constants->base, game->opts_size);
	return pb_play_open(&c->p, &c->play) && begin_first(c, files, n);
}

void
pb_console_close(struct pb_console *c)
{
	if (c->p.game != NULL)
		pb_play_close(&c->p);
}
