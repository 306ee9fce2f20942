/* belief.h - records of what a localizer believes. */
#ifndef PB_IO_REC_BELIEF_H
#define PB_IO_REC_BELIEF_H

#include <stddef.h>

#include "base/geom.h"
#include "io/rec/type.h"
#include "io/stream/text.h"
#include "localize/localizer.h"

/* What a localizer believes. */
struct pb_rec_belief {
	char status[PB_REC_WORD]; /* as in a pose */
	struct pb_hypothesis at[PB_LOC_HYPOTHESES];
	int n;                    /* of at[] */
	struct pb_pose *particle; /* NULL: none; owned when read */
	size_t particles;
};

void pb_put_belief(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_belief *b);

#endif
