/*
 * safetensors.c - any bytes as a file of weights: a complaint, or tensors that
 * lie one behind the other and have finite values.
 */
#include "fuzz.h"

#include <math.h>

#include "io/play/weights_opt.h"
#include "policy/players.h"

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);
	struct pb_error f = {.text = ""};
	struct pb_weights w = {.files = 1};
	const float *end;

	if (pb_safetensors_decode(s, n, "weights", &w.file[0], &f) == 0) {
		const struct pb_tensors *t = &w.file[0];

		must(t->n >= 1 && t->n <= PB_SAFETENSORS_MOST);
		end = t->value;
		for (int i = 0; i < t->n; i++) {
			const struct pb_tensor *x = &t->at[i];

			must(x->value == end);
			must(pb_tensor_find(t, x->name) == x);
			end += pb_tensor_size(x->dims, x->side);
			for (const float *v = x->value; v < end; v++)
				must(isfinite(*v));
		}
		must((size_t)(end - t->value) <= n / sizeof(float));
		w.hash = pb_weights_hash(&w);
		must(pb_weights_check(pb_bot_dqn.weights, &w).fault ==
		     PB_WEIGHTS_COUNT);
		pb_weights_clear(&w);
	} else {
		must(f.text[0] != 0);
	}
	free(s);
	return 0;
}
