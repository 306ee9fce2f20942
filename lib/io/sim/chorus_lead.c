/* chorus_lead.c - the first robot of a swarm, who starts the others. */
#include "io/sim/chorus_lead.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "io/stream/counts.h"

/* More lines of a program that are nobody's part, and it is lost. */
#define OTHERS 1000

bool
pb_chorus_lead(
    struct pb_chorus *c, const struct pb_opt_list *command, double patience)
{
	if (!command || command->n == 0)
		return true;
	c->command = command;
	c->out.to = NULL;
	for (int i = 0; i < command->n; i++)
		if (!pb_agent_start(
			&c->agent[1 + i], command->arg[i], patience))
			return false;
	/* If nobody reads us, we have to tell them. */
	signal(SIGPIPE, SIG_IGN);
	return true;
}

bool
pb_chorus_program(const struct pb_chorus *c, int i)
{
	return c->command && i > 0 && i <= c->command->n;
}

void
pb_chorus_put(struct pb_chorus *c)
{
	if (c->out.failed)
		pb_msg_out_nomem();
	fwrite(c->out.s, 1, c->out.len, stdout);
	for (size_t i = 0; i < c->out.len; i++)
		if (c->out.s[i] == '\n')
			pb_count_written();
}

void
pb_chorus_say(struct pb_chorus *c)
{
	pb_chorus_put(c);
	for (int i = 1; c->command && i <= c->command->n; i++)
		if (!((c->lost | c->deaf) >> i & 1) &&
		    !pb_agent_tell(&c->agent[i], &c->out, &c->why[i]))
			c->deaf |= 1u << i;
	c->out.len = 0;
}

void
pb_chorus_aside(struct pb_chorus *c)
{
	if (!c->command)
		return;
	pb_chorus_put(c);
	c->out.len = 0;
}

void
pb_chorus_lose(struct pb_chorus *c, int i, double t, const struct pb_error *bad)
{
	struct pb_rec_message m = {.name = "LOST"};

	c->lost |= 1u << i;
	pb_agent_kill(&c->agent[i]);
	if (pb_msg_stopped()) {
		c->failed = true;
		return;
	}
	pb_msg_refuse((struct pb_place){c->robot[i], 0},
	    "%s; the game goes on without", bad->text);
	PB_REC_SET(m.value, c->robot[i]);
	pb_put_message(&c->out, pb_stamp_at(t, c->robot[0]), &m);
	pb_chorus_say(c);
}

bool
pb_chorus_listen(
    struct pb_chorus *c, int i, struct pb_rec *r, struct pb_error *bad)
{
	if (c->deaf >> i & 1) {
		*bad = c->why[i];
		return false;
	}
	for (int k = 0; k < OTHERS; k++) {
		c->line.text =
		    (char *)pb_agent_answer(&c->agent[i], &c->line.len, bad);
		if (!c->line.text || !pb_rec_read(c->line.text, c->line.len,
					 PB_CHORUS_PARTS, r, bad))
			return false;
		if (PB_CHORUS_PARTS & PB_REC_BIT(r->type))
			return true;
		pb_rec_clear(r);
	}
	return pb_error_set(bad, "it said %d other records", OTHERS);
}
