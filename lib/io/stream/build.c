/* build.c - the commit, compiler and digest of this build of a tool. */
#include <inttypes.h>
#include <stdio.h>

#include "io/stream/msg.h"
#include "pb/version.h"

/*
 * scripts/made.sh writes these two macros, and the tools link this file with
 * them: a new commit compiles one object. The copy in the library is compiled
 * without them, for tests.
 */
#ifndef PB_COMMIT
#define PB_COMMIT "unknown"
#define PB_FLAGS  "flags unknown"
#endif

#define TEXT(x)   #x
#define NUMBER(x) TEXT(x)
#if defined(__clang__)
#define COMPILER                                     \
	"clang " NUMBER(__clang_major__) "." NUMBER( \
	    __clang_minor__) "." NUMBER(__clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER                                                       \
	"gcc " NUMBER(__GNUC__) "." NUMBER(__GNUC_MINOR__) "." NUMBER( \
	    __GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown"
#endif

const char pb_build_commit[] = PB_COMMIT;
const char pb_build_compiler[] = COMPILER;

uint64_t
pb_build_digest(void)
{
	static uint64_t digest;

	if (digest == 0)
		digest = pb_selftest();
	return digest;
}

void
pb_build_print(void)
{
	printf("commit %s\ncompiler %s, %s\nself-test %016" PRIx64,
	    pb_build_commit, pb_build_compiler, PB_FLAGS, pb_build_digest());
	if (pb_build_digest() == PB_SELFTEST)
		printf(", as it should be\n");
	else
		printf(", should be %016" PRIx64 ":\nresults of this build are "
		       "not to be compared with those of others\n",
		    PB_SELFTEST);
}

void
pb_build_check(void)
{
	if (pb_build_digest() != PB_SELFTEST)
		pb_msg_warn((struct pb_place){NULL, 0},
		    "this build does not compute what others do (see "
		    "--version): do not compare its results with theirs");
}
