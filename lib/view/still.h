/* still.h - a picture of records that are at hand. */
#ifndef PB_VIEW_STILL_H
#define PB_VIEW_STILL_H

#include <stddef.h>
#include <stdio.h>

/* Draw what n bytes of whole lines tell on f. What goes wrong is said. */
void pb_still(const char *records, size_t n, FILE *f);

#endif
