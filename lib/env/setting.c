/* setting.c - options given as text, without the C library's help. */
#include "env/setting.h"

#include <math.h>
#include <string.h>

static int
digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : -1;
}

/* The whole of s as an exponent of at most four places; 99 if it is none. */
static int
exponent(const char *s)
{
	int sign = *s == '-' ? -1 : 1, v = 0, n = 0;

	for (s += *s == '-' || *s == '+'; digit(*s) >= 0 && n < 4; s++, n++)
		v = 10 * v + digit(*s);
	return *s || n == 0 || v > 99 ? 99 : sign * v;
}

/*
 * With so few digits and so small a power both are doubles as they stand, and
 * their product or quotient is rounded once (Clinger, "How to read floating
 * point numbers accurately", 1990).
 */
bool
pb_setting_number(const char *s, double *v)
{
	const char *sign = s;
	bool point = false, any = false;
	double w = 0, scale = 1;
	int power = 0;

	for (s += *s == '-' || *s == '+'; *s == '.' || digit(*s) >= 0; s++) {
		if ((*s == '.' && point) || w >= 1e14)
			return false;
		if (*s == '.') {
			point = true;
			continue;
		}
		any = true;
		w = 10 * w + digit(*s);
		power -= point;
	}
	if (*s == 'e' || *s == 'E')
		power += exponent(s + 1);
	else if (*s)
		return false;
	if (!any || power < -22 || power > 22)
		return false;
	for (int k = 0; k < (power < 0 ? -power : power); k++)
		scale *= 10;
	w = power < 0 ? w / scale : w * scale;
	*v = *sign == '-' ? -w : w;
	return true;
}

static const char *
set_number(const struct pb_param *p, void *at, const char *text)
{
	bool whole = p->kind == PB_PARAM_COUNT;
	double v;

	if (p->kind == PB_PARAM_LIMIT && strcmp(text, "inf") == 0)
		v = INFINITY;
	else if (!pb_setting_number(text, &v) || (whole && v != floor(v)))
		return whole ? "a whole number" : "a number";
	if (v < p->min || v > p->max)
		return "a number in its range";
	if (whole)
		*(int *)at = (int)v;
	else
		*(double *)at = v;
	return NULL;
}

const char *
pb_setting_row(const struct pb_param *p, void *opts, const char *text)
{
	void *at = (char *)opts + p->offset;
	const char *words = p->kind == PB_PARAM_BOOL ? "no|yes" : p->words;
	int i;

	if (!words)
		return set_number(p, at, text);
	i = pb_word_find(words, text, strlen(text));
	if (i < 0)
		return words;
	if (p->kind == PB_PARAM_BOOL)
		*(bool *)at = i;
	else
		*(int *)at = i;
	return NULL;
}
