/* patrol_goals.h - rows of what patrols go for; the numbers were learnt. */
#pragma once

#include "pb/param.h"

/* At `at` in the options is a struct pb_patrol_goals. */
#define PB_PATROL_GOALS(at)                                                 \
	PB_CHOICE("patrol-goals", at learnt, "published|learnt",            \
	    "how patrols choose where to go"),                              \
	    PB_REAL("patrol-last", at last, "", 5.537, -1000, 1000,         \
		"learnt: what a step from where the player was costs"),     \
	    PB_REAL("patrol-ahead", at ahead, "", 1.294, -1000, 1000,       \
		"a step from where he goes"),                               \
	    PB_REAL("patrol-lead", at lead, "", 2.984, -1000, 1000,         \
		"where that is: so many of his last steps on"),             \
	    PB_REAL("patrol-goal", at goal, "", -1.268, -1000, 1000,        \
		"a step from the goal, once it is known"),                  \
	    PB_REAL("patrol-between", at between, "", 1.038, -1000, 1000,   \
		"and a step of detour from him to it"),                     \
	    PB_REAL("patrol-unknown", at unknown, "", -0.1546, -1000, 1000, \
		"an unknown cell about a place"),                           \
	    PB_REAL("patrol-apart", at apart, "", -1.576, -1000, 1000,      \
		"a step from the nearest other patrol"),                    \
	    PB_REAL("patrol-own", at own, "", 0.2033, -1000, 1000,          \
		"a step from where it is"),                                 \
	    PB_REAL("patrol-hidden", at hidden, "", -0.1226, -1000, 1000,   \
		"a place from which it would not see him")
