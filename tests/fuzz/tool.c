/*
 * tool.c - any bytes as a file for a tool, through its own main: it comes
 * back, with the status of what it said, and a filter has written records. The
 * first byte chooses among the options below. TOOL is the tool's name, TOOL_C
 * its source.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

int tool_main(int argc, char **argv);
#define main tool_main
#include TOOL_C
#undef main

#include <sys/mman.h>
#include <unistd.h>

#include "io/rec/rec.h"

#define WORDS 8

/* What a run is asked to do; its last word is followed by the file. */
static const struct {
	const char *tool;
	const char *word[WORDS];
} run_as[] = {{"pb-score", {"-k"}},
    {"pb-score", {"--compat", "report", "--all"}}, {"pb-pellets", {"-k"}},
    {"pb-pellets", {"-n", "3"}}, {"pb-ghost", {"-k", "--duration", "2"}},
    {"pb-localize", {"-k", "-a", "odom"}}, {"pb-localize", {"--convert"}},
    {"pb-localize", {"--doctor"}}, {"pb-localize", {"--info"}},
    {"pb-mapgen", {"--info"}}, {"pb-mapgen", {"--lint"}}, {"pb-mapgen", {"-k"}},
    {"pb-mapgen", {"--render", "--width", "40"}},
    {"pb-mapgen", {"-R", "0.05", "--info"}}, {"pb-mapgen", {"--from-log"}},
    {"pb-sim", {"-k", "--autostart", "--set", "duration=1"}},
    {"pb-bench", {"-k", "-f", "--table"}}, {"pb-bench", {"-f"}},
    {"pb-bench", {"--trajectory"}}};

/* The n-th way of this tool, of as many as there are. */
static const char *const *
words_of(unsigned n)
{
	const char *const *way[sizeof(run_as) / sizeof(*run_as)];
	unsigned ways = 0;

	for (size_t i = 0; i < sizeof(run_as) / sizeof(*run_as); i++)
		if (strcmp(run_as[i].tool, TOOL) == 0)
			way[ways++] = run_as[i].word;
	must(ways > 0);
	return way[n % ways];
}

/* Large maps take memory and time, and find nothing. */
static int
run_tool(const char *const *word, char *path)
{
	char *arg[WORDS + 6] = {TOOL, "-q", "--max-cells", "100000"};
	int n = 4;

	for (int i = 0; i < WORDS && word[i] != NULL; i++)
		arg[n++] = (char *)word[i];
	arg[n++] = path;
	return tool_main(n, arg);
}

/* Lines that were not in the file are records of ours. */
static void
check_records(const char *out, size_t n, const char *in, size_t len)
{
	struct pb_error bad;
	struct pb_rec r;

	for (const char *nl; n > 0; n -= (size_t)(nl - out) + 1, out = nl + 1) {
		nl = memchr(out, '\n', n);
		must(nl != NULL);
		if (memmem(in, len, out, (size_t)(nl - out)) != NULL)
			continue;
		must(
		    pb_rec_read(out, (size_t)(nl - out), PB_REC_ALL, &r, &bad));
		must(r.type != PB_REC_OTHER);
		pb_rec_clear(&r);
	}
}

/* Whether it writes records: reports do not. */
static bool
is_filter(const char *word)
{
	static const char *const filter[] = {
	    "pb-score", "pb-pellets", "pb-ghost", "pb-localize"};

	if (strcmp(word, "--doctor") == 0 || strcmp(word, "--info") == 0)
		return false;
	for (int i = 0; i < 4; i++)
		if (strcmp(TOOL, filter[i]) == 0)
			return true;
	return false;
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *out = NULL, *said = NULL, path[32];
	FILE *out_was = stdout, *said_was = stderr;
	size_t out_n, said_n;
	int fd = memfd_create("input", MFD_CLOEXEC), st;

	if (n == 0) {
		close(fd);
		return 0;
	}
	must(fd >= 0 && write(fd, bytes + 1, n - 1) == (ssize_t)n - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	stdout = open_memstream(&out, &out_n);
	stderr = open_memstream(&said, &said_n);
	must(stdout != NULL && stderr != NULL);
	st = run_tool(words_of(bytes[0]), path); /* closes stdout */
	fclose(stderr);
	stdout = out_was;
	stderr = said_was;
	must(st >= 0 && st < 4 && st != PB_EXIT_USAGE);
	must(st == PB_EXIT_OK || said_n + out_n > 0);
	if (is_filter(*words_of(bytes[0])))
		check_records(out, out_n, (const char *)bytes + 1, n - 1);
	free(out);
	free(said);
	close(fd);
	return 0;
}
