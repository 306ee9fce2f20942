/*
 * replay.c [-m N] FILE... - a target without libFuzzer: each file as it is
 * and, with -m, N more times with some bytes changed, left out, put in or said
 * twice; the same ones in every run.
 */
#include "fuzz.h"

#include <unistd.h>

#include "base/hash.h"
#include "pb/rng.h"

enum { GROW = 64 }; /* room for what mutations add (bytes) */

struct input {
	unsigned char *s;
	size_t n;
};

static struct input
read_input(const char *path)
{
	struct input in = {NULL, 0};
	FILE *f = fopen(path, "rb");
	long size;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
		perror(path);
		exit(3);
	}
	rewind(f);
	in.s = malloc((size_t)size + 1);
	must(in.s != NULL);
	in.n = fread(in.s, 1, (size_t)size, f);
	fclose(f);
	return in;
}

/* A part of in[0..n) that is at most max bytes long. */
static size_t
part(struct pb_rng *r, size_t n, size_t max, size_t *from)
{
	size_t len = pb_rng_below(r, (uint32_t)max + 1);

	*from = pb_rng_below(r, (uint32_t)n + 1);
	return len > n - *from ? n - *from : len;
}

/* Change the n bytes at s, which have room for GROW more. */
static size_t
mutate(unsigned char *s, size_t n, struct pb_rng *r)
{
	static const char odd[] = "\0\377\n \t\"'{}[]<>-.,:e9+0%&#\200\r";
	size_t at, len = part(r, n, GROW / 4, &at);

	switch (pb_rng_below(r, 6)) {
	case 0: /* leave out */
		memmove(s + at, s + at + len, n - at - len);
		return n - len;
	case 1: /* say twice */
		memmove(s + at + len, s + at, n - at);
		return n + len;
	case 2: /* put in */
		memmove(s + at + 1, s + at, n - at);
		s[at] = (unsigned char)odd[pb_rng_below(r, sizeof(odd) - 1)];
		return n + 1;
	case 3: /* end early */
		return pb_rng_below(r, 8) == 0 ? at : n;
	case 4:
		if (at < n)
			s[at] ^= (unsigned char)(1 << pb_rng_below(r, 8));
		return n;
	default:
		if (at < n)
			s[at] = (unsigned char)
			    odd[pb_rng_below(r, sizeof(odd) - 1)];
		return n;
	}
}

static void
run_input(struct input in, struct pb_rng *r, bool change)
{
	unsigned char *s = malloc(in.n + GROW + 1), *exact;
	size_t n = in.n;

	must(s != NULL);
	memcpy(s, in.s, n);
	for (int i = 3; change && i > 0 && n < in.n + GROW / 2; i--)
		n = mutate(s, n, r);
	exact = realloc(s, n + (n == 0)); /* a byte too many is seen */
	must(exact != NULL);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

int
main(int argc, char **argv)
{
	unsigned long changes = 0;
	int c;

	while ((c = getopt(argc, argv, "m:")) == 'm')
		changes = strtoul(optarg, NULL, 10);
	if (c != -1 || optind == argc)
		return 2;
	for (int i = optind; i < argc; i++) {
		struct input in = read_input(argv[i]);
		struct pb_rng r;

		pb_rng_start(&r, 1, (uint64_t)i, PB_FOR_TRIAL, 0);
		run_input(in, &r, false);
		for (unsigned long k = 0; k < changes; k++)
			run_input(in, &r, true);
		free(in.s);
	}
	return 0;
}
