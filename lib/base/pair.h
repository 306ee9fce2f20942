/* pair.h - arithmetic with two numbers at a time. */
#ifndef PB_BASE_PAIR_H
#define PB_BASE_PAIR_H

#include <stdint.h>

/*
 * Two doubles that processors keep in one register, and what a comparison of
 * two such pairs gives: for each number all bits or none. Sums, products and
 * comparisons are those of the numbers one by one, to the bit. The compiler
 * makes do on machines without such registers.
 */
typedef double pb_pair __attribute__((vector_size(16)));
typedef int64_t pb_pair_mask __attribute__((vector_size(16)));

/* a twice. */
static inline pb_pair
pb_pair_of(double a)
{
	return (pb_pair){a, a};
}

/* The second number first. */
static inline pb_pair
pb_pair_swap(pb_pair a)
{
	return (pb_pair){a[1], a[0]};
}

/* The numbers of a where m is set, those of b elsewhere. */
static inline pb_pair
pb_pair_pick(pb_pair_mask m, pb_pair a, pb_pair b)
{
	return (pb_pair)((m & (pb_pair_mask)a) | (~m & (pb_pair_mask)b));
}

/* The numbers of a where m is set, 0 elsewhere. */
static inline pb_pair
pb_pair_keep(pb_pair_mask m, pb_pair a)
{
	return (pb_pair)(m & (pb_pair_mask)a);
}

/* Without their signs. */
static inline pb_pair
pb_pair_abs(pb_pair a)
{
	return (pb_pair)((pb_pair_mask)a & INT64_MAX);
}

/*
 * The nearest whole numbers.
 *
 * Given    a  from -2^51 to 2^51
 * Note     what is added leaves no bits for a fraction
 */
static inline pb_pair
pb_pair_round(pb_pair a)
{
	return (a + 0x1.8p52) - 0x1.8p52;
}

#endif
