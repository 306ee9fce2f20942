/* agree.c - how alike two maps of one place are. */
#include "map/agree.h"

enum pb_kind
pb_cell_kind(int value)
{
	if (pb_cell_free(value))
		return PB_KIND_FREE;
	return pb_cell_occupied(value) ? PB_KIND_OCCUPIED : PB_KIND_UNKNOWN;
}

/* What m says of the place p. */
static enum pb_kind
kind_at(const struct pb_map *m, struct pb_vec p)
{
	return pb_cell_kind(pb_map_at(m, pb_map_cell(m, p)));
}

void
pb_map_agree(const struct pb_map *a, const struct pb_map *b,
    size_t n[PB_KINDS][PB_KINDS])
{
	for (int i = 0; i < PB_KINDS; i++)
		for (int j = 0; j < PB_KINDS; j++)
			n[i][j] = 0;
	for (size_t i = 0; i < pb_map_cells(a); i++)
		n[pb_cell_kind(a->cell[i])]
		 [kind_at(b, pb_map_centre(a, pb_map_cell_of(a, i)))]++;
	for (size_t i = 0; i < pb_map_cells(b); i++) {
		struct pb_vec p = pb_map_centre(b, pb_map_cell_of(b, i));

		if (!pb_map_inside(a, pb_map_cell(a, p)))
			n[PB_KIND_UNKNOWN][pb_cell_kind(b->cell[i])]++;
	}
}
