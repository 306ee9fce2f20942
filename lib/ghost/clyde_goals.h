/* clyde_goals.h - rows of what Clyde goes for; the numbers were learnt. */
#pragma once

#include "pb/param.h"

/* At `at` in the options is a struct pb_clyde_goals. */
#define PB_CLYDE_GOALS(at)                                                     \
	PB_CHOICE("clyde-goals", at learnt, "published|learnt",                \
	    "how Clyde chooses of the destinations that he draws"),            \
	    PB_LIMIT("clyde-sight", at sight, "m", INFINITY, 0,                \
		"learnt: he sees the robot from so far, and through no wall"), \
	    PB_REAL("clyde-near", at near, "1/m", -0.1833, -1000, 1000,        \
		"what a metre from where the robot goes costs"),               \
	    PB_REAL("clyde-lead", at lead, "m", 1.843, -1000, 1000,            \
		"where that is: so far ahead of it"),                          \
	    PB_REAL("clyde-pass", at pass, "1/m", 2.051, -1000, 1000,          \
		"a metre by which the straight way misses it"),                \
	    PB_REAL("clyde-hidden", at hidden, "", 2.461, -1000, 1000,         \
		"a destination from which he would not see it"),               \
	    PB_REAL("clyde-hop", at hop, "1/m", 1.068, -1000, 1000,            \
		"a metre from him"),                                           \
	    PB_REAL("clyde-recall", at recall, "s", 22.81, 0.001, 1e6,         \
		"what he saw so long ago counts half"),                        \
	    PB_REAL("clyde-chance", at chance, "", 0.7507, 0, 1000,            \
		"times a draw from 0 to 1")
