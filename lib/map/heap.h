/* heap.h - a binary heap of cells that can be moved up, for the searches. */
#ifndef PB_MAP_HEAP_H
#define PB_MAP_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Smallest key first, then smallest tie, then smallest cell. */
struct pb_heap_entry {
	uint64_t key;
	uint32_t tie;
	int32_t cell;
};

/*
 * Every cell stands in the heap at most once, so room for all cells is
 * enough for ever. pos[cell] is its place while it is in the heap and
 * PB_HEAP_OUT otherwise; the caller sets it to that before the first push.
 */
struct pb_heap {
	struct pb_heap_entry *at; /* room for all cells */
	int32_t *pos;             /* by cell */
	int32_t n;                /* entries */
};

#define PB_HEAP_OUT (-1)

/* Put e in, or, if its cell is there already, move it up; never down. */
void pb_heap_push(struct pb_heap *h, struct pb_heap_entry e);

/* Take the first; h must not be empty. */
struct pb_heap_entry pb_heap_pop(struct pb_heap *h);

#endif
