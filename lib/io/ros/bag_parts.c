/* bag_parts.c - the files of a recording that is a folder. */
#include "io/ros/bag_parts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/yaml.h"

/* A name of a file more costs a few bytes; this is a day in parts of 1 MB. */
enum { MOST = 1000000 };

/* Metadata of a day in parts of ten seconds, of which each takes 300 bytes. */
#define METADATA ((size_t)4 << 20)

void
pb_bag_parts_clear(struct pb_bag_parts *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->at[i]);
	free(p->at);
	*p = (struct pb_bag_parts){0};
}

/* Add FOLDER/NAME; false without memory. */
static bool
add(struct pb_bag_parts *p, const char *folder, const char *name)
{
	if (!pb_grow(&p->at, (size_t)p->n, &p->room, sizeof(*p->at)))
		return false;
	p->at[p->n] = pb_file_name("%s/%s", folder, name);
	return p->at[p->n] != NULL && ++p->n > 0;
}

/* Add what metadata.yaml calls name. Early ones have the folder in it, too. */
static bool
add_named(struct pb_bag_parts *p, const char *folder, const char *name)
{
	const char *base = strrchr(name, '/');

	if (!add(p, folder, name))
		return false;
	if (base == NULL || access(p->at[p->n - 1], F_OK) == 0)
		return true;
	free(p->at[--p->n]);
	return add(p, folder, base + 1);
}

/* A reader of YAML without a memory of its own: names follow their key. */
struct names {
	struct pb_bag_parts *p;
	const char *folder;
	bool key;  /* the last scalar was relative_file_paths */
	bool list; /* we are in its list */
};

/* False without memory. */
static bool
read_event(struct names *l, const yaml_event_t *e)
{
	const char *s = (const char *)e->data.scalar.value;

	if (e->type == YAML_SEQUENCE_START_EVENT) {
		l->list = l->key;
	} else if (e->type == YAML_SEQUENCE_END_EVENT) {
		l->list = false;
	} else if (e->type == YAML_SCALAR_EVENT) {
		l->key = !l->list && strcmp(s, "relative_file_paths") == 0;
		return !l->list || s[0] == '\0' || l->p->n == MOST ||
		       add_named(l->p, l->folder, s);
	}
	l->key = false;
	return true;
}

static int
read_yaml(
    struct names *l, yaml_parser_t *y, const char *name, struct pb_error *bad)
{
	yaml_event_type_t type = YAML_NO_EVENT;

	while (type != YAML_STREAM_END_EVENT) {
		yaml_event_t e;
		bool ok;

		if (pb_msg_stopped()) {
			pb_error_set(bad, "%s", ""); /* no fault of the file */
			return -1;
		}
		if (!yaml_parser_parse(y, &e))
			return pb_yaml_fault(y, name, bad);
		type = e.type;
		ok = read_event(l, &e);
		yaml_event_delete(&e);
		if (!ok)
			return pb_error_file_nomem(bad, name);
	}
	if (l->p->n > 0)
		return 0;
	return pb_error_file(
	    bad, name, 0, "relative_file_paths", "no files are named");
}

static int
read_metadata(struct pb_bag_parts *p, const char *folder, const char *name,
    struct pb_error *bad)
{
	struct pb_file_look look = {{METADATA, ""}, NULL, NULL};
	struct names l = {.p = p, .folder = folder};
	yaml_parser_t y;
	char *s;
	size_t n;
	int rc;

	if (pb_file_read(name, &look, &s, &n, bad) != 0)
		return -1;
	rc = pb_yaml_open(&y, s, n, name, bad);
	if (rc == 0) {
		rc = read_yaml(&l, &y, name, bad);
		yaml_parser_delete(&y);
	}
	free(s);
	return rc;
}

/* As people count: part_2 before part_10. */
static int
compare(const void *a, const void *b)
{
	const char *s = *(char *const *)a, *t = *(char *const *)b;

	while (*s != '\0' && *t != '\0') {
		size_t n = strspn(s, "0123456789"), m = strspn(t, "0123456789");

		if (n != m)
			return n < m ? -1 : 1;
		if (*s != *t)
			return (unsigned char)*s < (unsigned char)*t ? -1 : 1;
		s++;
		t++;
	}
	return (*s != '\0') - (*t != '\0');
}

static int
list_folder(struct pb_bag_parts *p, const char *folder, struct pb_error *bad)
{
	static const char *const ends[] = {
	    ".mcap", ".db3", ".mcap.zstd", ".db3.zstd"};
	DIR *d = opendir(folder);
	struct dirent *e;
	bool ok = true;

	if (d == NULL)
		return pb_error_errno(bad, folder, "cannot open");
	while (ok && (e = readdir(d)) != NULL)
		for (size_t i = 0; i < 4; i++)
			if (pb_file_has_suffix(e->d_name, ends[i]) &&
			    p->n < MOST)
				ok = add(p, folder, e->d_name);
	closedir(d);
	if (!ok)
		return pb_error_file_nomem(bad, folder);
	if (p->n == 0)
		return pb_error_file(bad, folder, 0, NULL,
		    "a folder without a recording: no metadata.yaml, *.mcap "
		    "or *.db3 in it");
	qsort(p->at, (size_t)p->n, sizeof(*p->at), compare);
	return 0;
}

int
pb_bag_parts_find(
    struct pb_bag_parts *p, const char *folder, struct pb_error *bad)
{
	char *name = pb_file_name("%s/metadata.yaml", folder);
	int rc;

	*p = (struct pb_bag_parts){0};
	if (name == NULL)
		return pb_error_file_nomem(bad, folder);
	rc = access(name, F_OK) == 0 ? read_metadata(p, folder, name, bad)
	                             : list_folder(p, folder, bad);
	free(name);
	if (rc != 0)
		pb_bag_parts_clear(p);
	return rc;
}
