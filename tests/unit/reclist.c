/* reclist.c - members of records: with the operand "list" it prints them, one a
 * line: type, key, "required" or "optional", for scripts/check-manuals.sh. */
#define CHECK_MAIN
#include "check.h"

#include "io/rec/rec.h"
#include "io/rec/schema.h"

static bool listing;
static int optional;

/* part: of a group that may be missing. */
static void
list_rows(const char *type, const struct pb_field *f, size_t n, bool part)
{
	for (const struct pb_field *end = f + n; f < end; f++) {
		bool required = f->need == PB_REQUIRED && !part;

		if (f->kind == PB_KIND_GROUP) {
			list_rows(type, f->rows, f->n,
			    part || f->need != PB_REQUIRED);
			continue;
		}
		check(f->key[0] != '\0');
		optional += !required;
		if (listing)
			printf("%s %s %s\n", type, f->key,
			    required ? "required" : "optional");
		if (f->rows)
			list_rows(type, f->rows, f->n, false);
	}
}

test(members)
{
	const struct pb_schema *const all[] = {
	    pb_game_schemas, pb_map_schemas, pb_run_schemas};

	for (size_t i = 0; i < 3; i++)
		for (int k = 1; k < PB_REC_TYPES; k++)
			if (all[i][k].name)
				list_rows(all[i][k].name, all[i][k].rows,
				    all[i][k].n, false);
	check(optional > 300);
}

int
main(int argc, char **argv)
{
	listing = argc > 1 && strcmp(argv[1], "list") == 0;
	run_tests();
	return done();
}
