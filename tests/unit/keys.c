/* keys.c - tests of what a terminal sends for keys. */
#include "check.h"

#include "io/play/steering.h"

test(keys)
{
	static const struct {
		const char *bytes;
		enum pb_key key;
		size_t used; /* 0: more must come */
	} list[] = {{"w", PB_KEY_UP, 1}, {"a", PB_KEY_LEFT, 1},
	    {"s", PB_KEY_DOWN, 1}, {"D", PB_KEY_RIGHT, 1},
	    {" ", PB_KEY_STOP, 1}, {"p", PB_KEY_PAUSE, 1},
	    {"q", PB_KEY_QUIT, 1}, {"+", PB_KEY_FASTER, 1},
	    {"=", PB_KEY_FASTER, 1}, {"-", PB_KEY_SLOWER, 1},
	    {"x", PB_KEY_NONE, 1}, {"\xff", PB_KEY_NONE, 1},
	    {"\033", PB_KEY_NONE, 0}, {"\033[", PB_KEY_NONE, 0},
	    {"\033[A", PB_KEY_UP, 3}, {"\033OB", PB_KEY_DOWN, 3},
	    {"\033[C", PB_KEY_RIGHT, 3}, {"\033OD", PB_KEY_LEFT, 3},
	    {"\033[1;2D", PB_KEY_LEFT, 6}, {"\033[1;", PB_KEY_NONE, 0},
	    {"\033[5~", PB_KEY_NONE, 4}, {"\033[Z", PB_KEY_NONE, 3},
	    {"\033q", PB_KEY_NONE, 1}, {"\033\033[A", PB_KEY_NONE, 1},
	    {"\033[Aq", PB_KEY_UP, 3}};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		size_t used = 99;

		check_int(
		    pb_key_of(list[i].bytes, strlen(list[i].bytes), &used),
		    list[i].key);
		check_int((long long)used, (long long)list[i].used);
	}
}

test(nul_is_no_key)
{
	size_t used;

	check_int(pb_key_of("\0", 1, &used), PB_KEY_NONE);
	check_int((long long)used, 1);
}
