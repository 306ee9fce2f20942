/* later.c - shared libraries that a process loads when it first needs them. */
#include "io/stream/later.h"

#include <dlfcn.h>
#include <string.h>

#include "io/stream/msg.h"

void
pb_later(const char *library, size_t n, const char *const name[], void *to)
{
	void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; i < n; i++) {
		void *f = lib != NULL ? dlsym(lib, name[i]) : NULL;

		if (f == NULL)
			pb_msg_end(dlerror());
		memcpy((char *)to + i * sizeof(f), &f, sizeof(f));
	}
}
