/* feedcaption.c - what a scene says below itself. */
#include "view/scene_builder.h"

#include <stdio.h>

/* "running" from "returning_home" reads better with blanks. */
static void
plain_words(char *s)
{
	for (; *s != '\0'; s++)
		if (*s == '_')
			*s = ' ';
}

void
pb_scene_build_caption(struct pb_scene_builder *f)
{
	size_t left = pb_scene_left(f->scene), all = f->scene->pellets;
	char text[256], time[32], what[PB_REC_WORD + 8] = "", eaten[64] = "";
	char level[64] = "";

	if (f->outcome[0] != '\0')
		snprintf(what, sizeof(what), ", %s", f->outcome);
	else if (f->has_state)
		snprintf(what, sizeof(what), ", %s", f->state.state);
	plain_words(what);
	if (f->outcome[0] != '\0' && f->total > 0)
		snprintf(eaten, sizeof(eaten), ", %d of %d pellets", f->pellets,
		    f->total);
	else if (all > 0 && left == all && !(f->scene->t > 0))
		snprintf(eaten, sizeof(eaten), ", %zu pellets", all);
	else if (all > 0)
		snprintf(eaten, sizeof(eaten), ", %zu of %zu pellets",
		    all - left, all);
	snprintf(time, sizeof(time), f->ticks ? "tick %.0f" : "t %.1f s",
	    f->scene->t);
	/* A level that is cleared is filled anew, also at the end. */
	if (f->level > 1)
		snprintf(level, sizeof(level), ", %slevel %ld",
		    f->outcome[0] != '\0' ? "the board is of " : "", f->level);
	snprintf(text, sizeof(text), "%s%s%s%s", time, what, eaten, level);
	pb_scene_caption(f->scene, f->scene->t > 0    ? text
				   : eaten[0] != '\0' ? eaten + 2
						      : "");
}
