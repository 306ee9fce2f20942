/* console_word.c - what may come next in a line of the console. */
#include <stdio.h>
#include <string.h>

#include "game/feedback.h"
#include "io/console/console_parts.h"
#include "pb/seen.h"

/* Word i of a fixed list. */
static const char *
fixed_word(const struct pb_console *c, enum pb_console_words words, int i)
{
	const struct pb_console_command *v = pb_console_at(i);
	const char *help;

	switch (words) {
	case PB_WORDS_COMMANDS:
		return v != NULL ? v->name : NULL;
	case PB_WORDS_SETTINGS:
		return pb_settings_name(c->settings, i, &help);
	case PB_WORDS_KNOWN:
		return c->stage.type->known[i];
	case PB_WORDS_EVENTS:
		return pb_occasion_at(i) ? pb_occasion_at(i)->name : NULL;
	case PB_WORDS_LIGHTS:
		return pb_light_at(i) ? pb_light_at(i)->name : NULL;
	case PB_WORDS_SOUNDS:
		return pb_tune_at(i) ? pb_tune_at(i)->name : NULL;
	case PB_WORDS_DANCES:
		return pb_gesture_at(i, false) ? pb_gesture_at(i, false)->name
		                               : NULL;
	case PB_WORDS_DIRECTIONS:
		return i <= PB_STAY ? pb_dir_word(i) : NULL;
	case PB_WORDS_MARKS:
		return i < c->marks ? c->mark[i].name : NULL;
	default:
		return NULL;
	}
}

/* Which words come after a command and the n words in `behind`. */
static enum pb_console_words
words_after(const struct pb_console_command *v, const char *behind)
{
	if (v->words == PB_WORDS_KNOWN)
		return strcmp(behind, "until ") == 0 ? PB_WORDS_KNOWN
		                                     : PB_WORDS_NONE;
	return behind[0] == '\0' ? v->words : PB_WORDS_NONE;
}

bool
pb_console_word(
    const struct pb_console *c, const char *line, int i, char *out, size_t size)
{
	const struct pb_console_command *v;
	const char *at = line + strspn(line, " \t"), *word;
	char name[32], setting[64];

	if (*at == '\0')
		word = fixed_word(c, PB_WORDS_COMMANDS, i);
	else if (!pb_console_take(&at, name, sizeof(name)) ||
		 (v = pb_console_find(name)) == NULL)
		return false;
	else if (v->words == PB_WORDS_KNOWN && *at == '\0')
		word = i == 0 ? "until" : NULL;
	else if (v->changes == PB_CHANGES_SETTINGS &&
		 pb_console_take(&at, setting, sizeof(setting)))
		return *at == '\0' &&
		       pb_settings_word(c->settings, setting, i, out, size);
	else
		word = fixed_word(c, words_after(v, at), i);
	if (word != NULL)
		snprintf(out, size, "%s", word);
	return word != NULL;
}

bool
pb_console_wants_file(const char *line)
{
	const struct pb_console_command *v;
	const char *at = line + strspn(line, " \t");
	char name[32];

	return pb_console_take(&at, name, sizeof(name)) &&
	       (v = pb_console_find(name)) != NULL &&
	       (v->words == PB_WORDS_FILES ||
		   (v->changes == PB_CHANGES_SETTINGS &&
		       strncmp(at, "map ", 4) == 0));
}
