/*
 * nomalloc.c - for LD_PRELOAD: from call number NOMALLOC_AT on, or for that
 * one alone with NOMALLOC_ONCE=1, malloc, calloc and realloc say that there is
 * no memory. NOMALLOC_COUNT=FILE counts instead: the number of calls is
 * written there at the end. Programs that this one starts have memory.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* dlsym() asks for memory before it can say where calloc is. */
static char early[4096];
static size_t early_used;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static atomic_long calls;
static long fail_at = -1;
static bool once, looking;

static void
find(void)
{
	looking = true;
	real_calloc = dlsym(RTLD_NEXT, "calloc");
	real_malloc = dlsym(RTLD_NEXT, "malloc");
	real_realloc = dlsym(RTLD_NEXT, "realloc");
	real_free = dlsym(RTLD_NEXT, "free");
	looking = false;
}

/* Calls before main are those of the loader; they are not the program's. */
static __attribute__((constructor)) void
begin(void)
{
	const char *at = getenv("NOMALLOC_AT");

	if (!real_malloc)
		find();
	once = getenv("NOMALLOC_ONCE") != NULL;
	unsetenv("LD_PRELOAD");
	calls = 0;
	fail_at = at ? atol(at) : 0;
}

static __attribute__((destructor)) void
end(void)
{
	const char *path = getenv("NOMALLOC_COUNT");
	char text[32];
	int fd, n;

	if (!path)
		return;
	n = snprintf(text, sizeof(text), "%ld\n", calls);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd >= 0 && write(fd, text, (size_t)n) == n)
		close(fd);
}

static bool
fails(void)
{
	long n;

	if (fail_at < 0)
		return false;
	n = atomic_fetch_add(&calls, 1) + 1;
	if (fail_at == 0 || n < fail_at || (once && n > fail_at))
		return false;
	errno = ENOMEM;
	return true;
}

static void *
take_early(size_t n)
{
	void *p = early + early_used;

	early_used += (n + 15) / 16 * 16;
	return early_used <= sizeof(early) ? p : NULL;
}

void *
malloc(size_t n)
{
	if (looking)
		return take_early(n);
	if (!real_malloc)
		find();
	return fails() ? NULL : real_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	if (looking)
		return take_early(n * size);
	if (!real_calloc)
		find();
	return fails() ? NULL : real_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	if (!real_realloc)
		find();
	return fails() ? NULL : real_realloc(p, n);
}

void
free(void *p)
{
	if ((char *)p >= early && (char *)p < early + sizeof(early))
		return;
	if (!real_free)
		find();
	real_free(p);
}
