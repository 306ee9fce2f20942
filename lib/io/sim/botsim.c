/* botsim.c - what pb-sim does under the PacManBot rules. */
#include "io/sim/botsim.h"

#include <stdio.h>

#include "io/file/filter.h"
#include "io/stream/msg.h"
#include "policy/pacmanbot_players.h"

bool
pb_botsim_check(struct pb_session_opts *o, int player, double rate)
{
	o->player = pb_pacmanbot_players[player];
	o->period = 1 / rate;
	return true;
}

/* A game, and where its map came from: what is wrong with it is said there. */
struct game {
	struct pb_session *s;
	struct pb_place map;
};

static bool
begin(struct game *g)
{
	struct pb_error bad = {""};

	if (pb_session_begin(g->s, &bad))
		return true;
	if (bad.text[0] != '\0')
		pb_msg_error_at(g->map, &bad);
	return false;
}

static bool
take_world(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct game *g = f->user;
	bool map = r->type == PB_REC_MAP;

	if (!pb_session_world(g->s, r, bad))
		return false;
	if (map)
		g->map = f->line.at;
	pb_filter_pass(f);
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct game *g = f->user;

	if (r->type == PB_REC_MAP || r->type == PB_REC_PELLETS)
		return take_world(f, r, bad);
	if (!g->s->world.has_map)
		return pb_error_set(bad, "%s: %s comes before any map",
		    pb_rec_name(r->type),
		    r->type == PB_REC_CMD ? r->cmd.name : r->event.name);
	if (!begin(g) || !pb_session_until(g->s, r->stamp.t, bad) ||
	    (r->type == PB_REC_CMD &&
		!pb_session_takes(g->s, &r->cmd, r->stamp.id, bad)))
		return false;
	/* Nothing is to follow what has been said of a program. */
	bad->text[0] = '\0';
	if (pb_session_failed(g->s))
		return false;
	pb_filter_pass(f);
	pb_cues_hear(&g->s->cues, r, f->line.at);
	if (r->type == PB_REC_CMD)
		pb_session_command(g->s, &r->cmd, r->stamp.id);
	return true;
}

/* The map of a file in place of a record. */
static bool
load_map(struct game *g, const char *path)
{
	if (!pb_world_file(&g->s->world, path))
		return false;
	g->map.file = path;
	pb_put_map(g->s->out, &g->s->world.map);
	return true;
}

bool
pb_botsim_read(const struct pb_botsim *p, struct pb_session *s,
    char *const *files, int n, struct pb_place *map)
{
	struct game g = {.s = s};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS),
	    .passes = true,
	    .common = p->common,
	    .take = take_world,
	    .user = &g};
	bool ok = p->map == NULL || load_map(&g, p->map);

	if (ok && (n > 0 || p->map == NULL)) {
		ok = pb_filter_run(&f, files, n);
		pb_filter_clear(&f);
		if (ok && !s->world.has_map)
			pb_world_no_map(files, n, f.seen);
	}
	*map = g.map;
	return ok && s->world.has_map;
}

/*
 * With a map and somebody who presses start nothing is missing: standard input
 * is read only if it is named.
 */
static bool
read_input(const struct pb_botsim *p, struct game *g, char *const *files, int n)
{
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS) |
	            PB_REC_BIT(PB_REC_CMD) | pb_cues_want(&p->o->cues),
	    .passes = true,
	    .common = p->common,
	    .take = take,
	    .user = g};
	bool ok;

	if (p->map != NULL && n == 0 && p->o->autostart)
		return true;
	ok = pb_filter_run(&f, files, n);
	pb_filter_clear(&f);
	if (ok && !g->s->world.has_map)
		pb_world_no_map(files, n, f.seen);
	return ok && g->s->world.has_map;
}

void
pb_botsim_run(const struct pb_botsim *p, char *const *files, int n)
{
	struct pb_text out = {.to = stdout};
	struct pb_session s = {.o = *p->o, .out = &out};
	struct game g = {.s = &s};

	pb_msg_catch();
	if ((p->map == NULL || load_map(&g, p->map)) &&
	    read_input(p, &g, files, n) && begin(&g))
		pb_session_finish(&s);
	pb_session_clear(&s);
	pb_text_clear(&out);
}
