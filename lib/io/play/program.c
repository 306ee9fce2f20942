/* program.c - bodies that are programs, asked when they have to decide. */
#include "io/play/program.h"

#include <string.h>

#include "io/stream/msg.h"

int
pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad)
{
	int d = pb_dir_of(m->dir);

	if (d <= PB_STAY)
		return d;
	pb_error_set(bad,
	    "move.dir: expected up, left, down, right or stop, got \"%s\"",
	    m->dir);
	return -1;
}

enum pb_dir
pb_programs_first(unsigned ways)
{
	int d = 0;

	while (!(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

/* The board is the first line. If it has gone, the first question will tell. */
static bool
start(struct pb_programs *p, struct pb_agent *a, const char *command,
    double patience, const struct pb_maze *z)
{
	struct pb_error bad;

	if (!pb_agent_start(a, command, patience))
		return false;
	p->ask.len = 0;
	pb_put_maze(&p->ask, z);
	pb_agent_tell(a, &p->ask, &bad);
	return true;
}

bool
pb_programs_begin(struct pb_programs *p, const char *command,
    const struct pb_opt_list *ghost, double patience, const struct pb_maze *z)
{
	*p = (struct pb_programs){.command = command, .ghost = ghost};
	if (command && !start(p, &p->player, command, patience, z))
		return false;
	for (int i = 0; ghost && i < ghost->n; i++)
		if (!start(p, &p->body[i], ghost->arg[i], patience, z))
			return false;
	return true;
}

void
pb_programs_end(struct pb_programs *p, bool forfeit)
{
	if (p->command && p->decisions > 0 && !forfeit &&
	    pb_agent_unread(&p->player))
		pb_msg_warn((struct pb_place){p->command, 0},
		    "more answers than questions: old moves were played");
	pb_agent_end(&p->player);
	for (int i = 0; i < PB_SEEN_BODIES; i++)
		pb_agent_end(&p->body[i]);
	pb_text_clear(&p->ask);
}

/* Send the tick and wait for a move; name: whose, NULL: it need not say. */
static int
exchange(struct pb_programs *p, struct pb_agent *a, double t,
    const struct pb_seen *k, const char *name, struct pb_error *bad)
{
	struct pb_rec r;
	const char *line;
	size_t n;
	int d = -1;

	pb_put_tick(&p->ask, pb_stamp_at(t, NULL), k);
	if (!pb_agent_tell(a, &p->ask, bad))
		return -1;
	line = pb_agent_answer(a, &n, bad);
	if (!line || !pb_rec_read(line, n, PB_REC_BIT(PB_REC_MOVE), &r, bad))
		return -1;
	if (r.type == PB_REC_MOVE && (!name || strcmp(r.stamp.id, name) == 0))
		d = pb_move_dir(&r.move, bad);
	else if (!name)
		pb_error_set(bad, "expected a move record, got another");
	else
		pb_error_set(bad, "expected a move of %s, got a %s of \"%s\"",
		    name,
		    r.type == PB_REC_OTHER ? "record" : pb_rec_name(r.type),
		    r.stamp.id);
	pb_rec_clear(&r);
	return d;
}

bool
pb_programs_ask(
    struct pb_programs *p, double t, struct pb_seen *k, enum pb_dir *d)
{
	struct pb_error bad;
	int got;

	p->ask.len = 0;
	p->decisions++;
	got = exchange(p, &p->player, t, k, NULL, &bad);
	if (got < 0 && !pb_msg_stopped())
		pb_msg_error_at(
		    (struct pb_place){p->command, p->decisions}, &bad);
	*d = got < 0 ? PB_STAY : (enum pb_dir)got;
	return got >= 0;
}

bool
pb_programs_turn(struct pb_programs *p, const char *name, double t, int i,
    struct pb_seen *k, unsigned ways, int drawn, enum pb_dir *d)
{
	struct pb_rec_draw draw = {.purpose = "turn", .value = drawn};
	struct pb_error bad;
	int got;

	p->ask.len = 0;
	if (drawn >= 0)
		pb_put_draw(&p->ask, pb_stamp_at(t, name), &draw);
	for (int b = 0; b < k->bodies; b++)
		k->body[b].has_next = false;
	got = exchange(p, &p->body[i], t, k, name, &bad);
	if (got >= 0 && !(ways >> got & 1)) {
		pb_error_set(&bad, "move.dir: %s: %s cannot turn there",
		    pb_dir_word(got), name);
		got = -1;
	}
	if (got < 0 && !pb_msg_stopped())
		pb_msg_error_at((struct pb_place){p->ghost->arg[i], 0}, &bad);
	*d = got < 0 ? PB_STAY : (enum pb_dir)got;
	return got >= 0;
}
