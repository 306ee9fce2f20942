/* opt_fit.c - which options go with which way of using a tool. */
#include "io/opt/opt_fit.h"

#include <stdio.h>
#include <string.h>

#include "io/stream/msg.h"

void
pb_opt_names_add(struct pb_opt_names *names, const char *name)
{
	if (names->n < PB_OPT_NAMES && !pb_opt_names_have(names, name))
		snprintf(names->name[names->n++], PB_OPT_NAME_MAX, "%s", name);
}

void
pb_opt_names_odd(struct pb_opt_names *names, const char *const *given,
    const char *name, const struct pb_error *bad)
{
	struct pb_opt_odd *odd = &names->odd[names->odds];

	if (names->odds == PB_OPT_ODD)
		return;
	odd->given = given;
	snprintf(odd->name, sizeof(odd->name), "%s", name);
	odd->bad = *bad;
	names->odds++;
}

bool
pb_opt_names_took(const struct pb_opt_names *names, const char *const *given)
{
	for (int i = 0; i < names->odds; i++)
		if (names->odd[i].given == given) {
			pb_msg_usage("--%s: %s", names->odd[i].name,
			    names->odd[i].bad.text);
			return false;
		}
	return true;
}

bool
pb_opt_names_have(const struct pb_opt_names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

static const struct pb_opt_fit *
row_of(const char *name, const struct pb_opt_fit *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

bool
pb_opt_names_fit(const struct pb_opt_names *names,
    const struct pb_opt_fit *table, size_t n, unsigned mode)
{
	for (int i = 0; i < names->n; i++) {
		const struct pb_opt_fit *f = row_of(names->name[i], table, n);

		if (f && !(f->modes & mode)) {
			pb_msg_usage("--%s: goes with %s", f->name, f->with);
			return false;
		}
	}
	return true;
}

bool
pb_opt_names_alone(const struct pb_opt_names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) != 0 &&
		    strcmp(names->name[i], "quiet") != 0) {
			pb_msg_usage(
			    "--%s: goes without --%s", name, names->name[i]);
			return false;
		}
	return true;
}
