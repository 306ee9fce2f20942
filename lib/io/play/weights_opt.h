/* weights_opt.h - weights of trained players, as an option. */
#pragma once

#include <stdbool.h>

#include "io/opt/rules_opts.h"
#include "io/stream/msg.h"
#include "pb/weights.h"

/* A zeroed struct has no weights. */
struct pb_weights_opt {
	const char *files;   /* as typed, NULL: not given */
	char *names;         /* of the files, owned */
	struct pb_weights w; /* their contents, owned */
};

#define PB_OPT_WEIGHTS(p)                                                     \
	{                                                                     \
		"weights", 0, PB_OPT_TEXT, "files",                           \
		    "weights of a trained player, files separated by commas", \
		    .to = &(p)->files                                         \
	}

/*
 * Read the files, if any, and set the weights in the options of all rule sets;
 * pb_weights_suit() checks that they fit a player.
 *
 * Returns  false: a message was printed. In either case call
 *          pb_weights_opt_clear() once no game uses the weights
 */
bool pb_weights_opt_read(struct pb_weights_opt *o, struct pb_constants *c);
void pb_weights_opt_clear(struct pb_weights_opt *o);

/*
 * Whether these options have the weights that player p of g needs.
 *
 * Given    taken  the weights belong to another player: p uses its own
 *
 * Returns  false with bad filled in: "dqn: ..."
 */
bool pb_weights_suit(const struct pb_game *g, const struct pb_player *p,
    const void *opts, bool taken, struct pb_error *bad);

/* Print the error of pb_weights_suit() for a file, or for the option. Returns
 * false. */
bool pb_weights_say(const char *option, const struct pb_error *bad);

/* Refuse weights that no player uses. */
bool pb_weights_unused(const struct pb_weights_opt *o);

/*
 * The tensors of a file of safetensors, n bytes in memory: those of F32, at
 * most PB_SAFETENSORS_MOST of at most PB_TENSOR_DIMS dimensions, that fill the
 * file without gaps and overlaps and have finite values; a __metadata__ is
 * passed over. They are for pb_tensors_clear, and come in the order of the
 * file.
 *
 * Returns  0, or -1 with f filled in and t untouched
 */
#define PB_SAFETENSORS_MOST  1024
#define PB_SAFETENSORS_BYTES ((size_t)1 << 28) /* of a file */

int pb_safetensors_decode(const char *bytes, size_t n, const char *name,
    struct pb_tensors *t, struct pb_error *f);
