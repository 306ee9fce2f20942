/* localizer.c - the one table of localization methods. */
#include <string.h>

#include "localize/localizer.h"

static const struct pb_localizer *const method[] = {
    NULL, /* ends the list */
};

const struct pb_localizer *
pb_localizer_at(int i)
{
	int n = (int)(sizeof method / sizeof method[0]);

	return i >= 0 && i < n ? method[i] : NULL;
}

const struct pb_localizer *
pb_localizer_find(const char *name)
{
	for (int i = 0; method[i] != NULL; i++)
		if (strcmp(method[i]->name, name) == 0)
			return method[i];
	return NULL;
}
