/* mapyaml.c - the YAML file beside a map image, as ROS map_server has it. */
#include "io/file/mapyaml.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/file.h"
#include "io/stream/text.h"
#include "io/stream/yaml.h"
#include "pb/param.h"

/* What a key's reader works on. */
struct ctx {
	yaml_document_t *doc;
	const char *name; /* of the file */
	const char *key;
	struct pb_mapyaml *y;
	struct pb_error *f;
};

static long
line_of(const yaml_node_t *n)
{
	return (long)n->start_mark.line + 1;
}

static int
refuse(struct ctx *c, const yaml_node_t *n, const char *field,
    const char *expected)
{
	bool scalar = n->type == YAML_SCALAR_NODE;

	return pb_error_file(c->f, c->name, line_of(n), field,
	    "expected %s, got %s%.60s%s", expected,
	    scalar                          ? "\""
	    : n->type == YAML_SEQUENCE_NODE ? "a list"
					    : "a mapping",
	    scalar ? (const char *)n->data.scalar.value : "",
	    scalar ? "\"" : "");
}

/* A scalar without zero bytes, NULL for anything else. */
static const char *
text_of(const yaml_node_t *n)
{
	const char *s;

	if (n->type != YAML_SCALAR_NODE)
		return NULL;
	s = (const char *)n->data.scalar.value;
	return strlen(s) == n->data.scalar.length ? s : NULL;
}

/* YAML and C spell numbers alike but for a plus sign and a bare point. */
static bool
number_of(const yaml_node_t *n, double *v)
{
	const char *s = text_of(n);

	if (s == NULL)
		return false;
	return pb_num_parse(s[0] == '+' ? s + 1 : s, v);
}

static int
read_image(struct ctx *c, const yaml_node_t *n)
{
	const char *s = text_of(n);

	if (s == NULL || s[0] == '\0')
		return refuse(c, n, c->key, "a file name");
	c->y->image_line = line_of(n);
	c->y->image = strdup(s);
	return c->y->image != NULL ? 0 : pb_error_file_nomem(c->f, c->name);
}

static int
read_resolution(struct ctx *c, const yaml_node_t *n)
{
	double r;

	/* The bounds of the record; beyond lies no map of a house. */
	if (!number_of(n, &r) || !(r >= 1e-6 && r <= 1e6))
		return refuse(c, n, c->key,
		    "a number from 1e-06 to 1000000 (m per pixel)");
	c->y->resolution = r;
	c->y->resolution_line = line_of(n);
	snprintf(c->y->resolution_text, sizeof(c->y->resolution_text), "%s",
	    text_of(n));
	return 0;
}

static int
read_origin(struct ctx *c, const yaml_node_t *n)
{
	static const char *const field[] = {
	    "origin[0]", "origin[1]", "origin[2]"};
	double v[3];
	yaml_node_item_t *item;

	if (n->type != YAML_SEQUENCE_NODE)
		return refuse(c, n, c->key, "a list [x, y, yaw]");
	item = n->data.sequence.items.start;
	if (n->data.sequence.items.top - item != 3)
		return pb_error_file(c->f, c->name, line_of(n), c->key,
		    "expected three numbers [x, y, yaw], got %td",
		    n->data.sequence.items.top - item);
	for (int i = 0; i < 3; i++) {
		yaml_node_t *e = yaml_document_get_node(c->doc, item[i]);

		if (!number_of(e, &v[i]))
			return refuse(c, e, field[i], "a finite number");
	}
	c->y->origin_line = line_of(n);
	c->y->origin = (struct pb_pose){v[0], v[1], pb_wrap(v[2])};
	return 0;
}

/* map_saver writes 0 and 1, people write what YAML 1.1 takes for a bool. */
static int
read_negate(struct ctx *c, const yaml_node_t *n)
{
	static const char words[] = "0|1|false|true|no|yes|off|on|n|y";
	const char *s = text_of(n);
	char low[8] = "";
	int word;

	for (int i = 0; s != NULL && s[i] != '\0' && i < 7; i++)
		low[i] = (char)tolower((unsigned char)s[i]);
	word = pb_word_find(words, low, strlen(low));
	if (word < 0)
		return refuse(c, n, c->key, "0, 1, true or false");
	c->y->px.negate = word % 2 == 1;
	c->y->negate_line = line_of(n);
	return 0;
}

static int
read_thresh(struct ctx *c, const yaml_node_t *n)
{
	bool free_one = c->key[0] == 'f';
	struct pb_pixel_opts *px = &c->y->px;
	double v;

	if (!number_of(n, &v) || !(v >= 0 && v <= 1))
		return refuse(c, n, c->key, "a number in 0..1");
	*(free_one ? &px->free_thresh : &px->occupied_thresh) = v;
	*(free_one ? &c->y->free_line : &c->y->occupied_line) = line_of(n);
	return 0;
}

static int
read_mode(struct ctx *c, const yaml_node_t *n)
{
	const char *s = text_of(n);
	int mode = s != NULL ? pb_mode_find(s) : -1;

	if (mode < 0)
		return refuse(c, n, c->key, "trinary, scale or raw");
	c->y->px.mode = (enum pb_map_mode)mode;
	c->y->mode_line = line_of(n);
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct ctx *, const yaml_node_t *);
} keys[] = {
    {"image", read_image},
    {"resolution", read_resolution},
    {"origin", read_origin},
    {"negate", read_negate},
    {"occupied_thresh", read_thresh},
    {"free_thresh", read_thresh},
    {"mode", read_mode},
};
#define KEYS ((int)(sizeof(keys) / sizeof(*keys)))

static int
read_pair(struct ctx *c, const yaml_node_pair_t *pair, long seen[KEYS])
{
	yaml_node_t *k = yaml_document_get_node(c->doc, pair->key);
	const char *s = text_of(k);

	for (int i = 0; s != NULL && i < KEYS; i++) {
		if (strcmp(s, keys[i].key) != 0)
			continue;
		c->key = s;
		if (seen[i] != 0)
			return pb_error_file(c->f, c->name, line_of(k), s,
			    "given twice, first in line %ld", seen[i]);
		seen[i] = line_of(k);
		return keys[i].read(
		    c, yaml_document_get_node(c->doc, pair->value));
	}
	return 0; /* somebody else's key */
}

int
pb_mapyaml_order_fault(
    const struct pb_mapyaml *y, const char *name, struct pb_error *f)
{
	return pb_error_file(f, name,
	    y->free_line != 0 ? y->free_line : y->occupied_line, "free_thresh",
	    "%g is not below occupied_thresh, which is %g", y->px.free_thresh,
	    y->px.occupied_thresh);
}

int
pb_mapyaml_check_origin(const struct pb_mapyaml *y, double resolution,
    const char *name, struct pb_error *f)
{
	bool wide = fabs(y->origin.x) > PB_MAP_FAR * resolution;
	double v = wide ? y->origin.x : y->origin.y;

	if (fabs(v) <= PB_MAP_FAR * resolution)
		return 0;
	return pb_error_file(f, name, y->origin_line,
	    wide ? "origin[0]" : "origin[1]",
	    "expected at most %g cells of %g m from 0, got %g", PB_MAP_FAR,
	    resolution, v);
}

static int
read_root(struct ctx *c)
{
	yaml_node_t *root = yaml_document_get_root_node(c->doc);
	long seen[KEYS] = {0};

	if (root == NULL)
		return pb_error_file(c->f, c->name, 0, NULL, "empty file");
	if (root->type != YAML_MAPPING_NODE)
		return pb_error_file(c->f, c->name, line_of(root), NULL,
		    "expected \"key: value\" lines of a map's YAML");
	for (yaml_node_pair_t *p = root->data.mapping.pairs.start;
	     p < root->data.mapping.pairs.top; p++)
		if (read_pair(c, p, seen) != 0)
			return -1;
	for (int i = 0; i < 3; i++) /* image, resolution, origin */
		if (seen[i] == 0)
			return pb_error_file(c->f, c->name, 0, keys[i].key,
			    "missing from the map's YAML");
	return 0;
}

struct pb_mapyaml
pb_mapyaml_defaults(void)
{
	return (struct pb_mapyaml){.px = pb_pixel_defaults()};
}

int
pb_mapyaml_parse(const char *p, size_t n, const char *name,
    struct pb_mapyaml *y, struct pb_error *f)
{
	struct pb_mapyaml got = pb_mapyaml_defaults();
	struct ctx c = {.name = name, .y = &got, .f = f};
	yaml_parser_t parser;
	yaml_document_t doc;
	int rc = pb_yaml_open(&parser, p, n, name, f);

	if (rc != 0)
		return rc;
	if (yaml_parser_load(&parser, &doc)) {
		c.doc = &doc;
		rc = read_root(&c);
		yaml_document_delete(&doc);
	} else {
		rc = pb_yaml_fault(&parser, name, f);
	}
	yaml_parser_delete(&parser);
	if (rc == 0)
		*y = got;
	else
		pb_mapyaml_clear(&got);
	return rc;
}

void
pb_mapyaml_clear(struct pb_mapyaml *y)
{
	free(y->image);
	*y = (struct pb_mapyaml){0};
}

char *
pb_mapyaml_image_path(const struct pb_mapyaml *y, const char *yaml_path)
{
	const char *slash = strrchr(yaml_path, '/');
	int folder = slash != NULL ? (int)(slash - yaml_path) + 1 : 0;

	if (y->image[0] == '/' || strncmp(yaml_path, "/dev/", 5) == 0)
		folder = 0;
	return pb_file_name("%.*s%s", folder, yaml_path, y->image);
}

/* A name as a plain scalar where that is safe, else in double quotes. */
static void
write_name(FILE *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_/.-";

	if (s[0] != '-' && s[strspn(s, plain)] == '\0') {
		fputs(s, out);
		return;
	}
	putc('"', out);
	for (size_t n; *s != '\0'; s += n) {
		bool hidden =
		    pb_utf8_shown(s, strlen(s), &n) == '?' && *s != '?';

		if (hidden)
			fprintf(out, "\\U%08x", (unsigned)pb_utf8_code(s, n));
		else
			fprintf(out, "%s%.*s",
			    *s == '"' || *s == '\\' ? "\\" : "", (int)n, s);
	}
	putc('"', out);
}

void
pb_mapyaml_write(FILE *out, const struct pb_mapyaml *y)
{
	char a[PB_NUM_MAX], b[PB_NUM_MAX], c[PB_NUM_MAX];

	fputs("image: ", out);
	write_name(out, y->image);
	pb_num_exact(a, y->resolution);
	fprintf(
	    out, "\nmode: %s\nresolution: %s\n", pb_mode_name(y->px.mode), a);
	pb_num_exact(a, y->origin.x);
	pb_num_exact(b, y->origin.y);
	pb_num_exact(c, y->origin.th);
	fprintf(
	    out, "origin: [%s, %s, %s]\nnegate: %d\n", a, b, c, y->px.negate);
	pb_num_exact(a, y->px.occupied_thresh);
	pb_num_exact(b, y->px.free_thresh);
	fprintf(out, "occupied_thresh: %s\nfree_thresh: %s\n", a, b);
}
