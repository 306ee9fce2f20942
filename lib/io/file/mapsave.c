/* mapsave.c - writing occupancy maps to files of any kind. */
#include <stdlib.h>
#include <string.h>

#include "io/file/imagefile.h"
#include "io/file/mapfile.h"
#include "io/file/maptext.h"
#include "io/stream/file.h"

enum saved { SAVED_NOT, SAVED_PGM, SAVED_PNG, SAVED_MOVINGAI, SAVED_ROWS };

static const struct {
	const char *suffix;
	enum saved as;
} suffixes[] = {
    {".yaml", SAVED_PGM},
    {".yml", SAVED_PGM},
    {".pgm", SAVED_PGM},
    {".png", SAVED_PNG},
    {".map", SAVED_MOVINGAI},
    {".txt", SAVED_ROWS},
};

/* How to save under path; *stem is its length without the suffix. */
static enum saved
saved_as(const char *path, size_t *stem)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t k = strlen(suffixes[i].suffix);

		if (n <= k || strcmp(path + n - k, suffixes[i].suffix) != 0 ||
		    path[n - k - 1] == '/')
			continue;
		*stem = n - k;
		return suffixes[i].as;
	}
	return SAVED_NOT;
}

bool
pb_mapfile_writable(const char *path)
{
	size_t stem;

	return saved_as(path, &stem) != SAVED_NOT;
}

size_t
pb_mapfile_lost(const char *path, const struct pb_map *m)
{
	size_t stem, n = 0;
	enum saved as = saved_as(path, &stem);

	if (as != SAVED_MOVINGAI && as != SAVED_ROWS)
		return 0;
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		int v = m->cell[i];

		n += v != 0 && v != 100 &&
		     (v != PB_CELL_UNKNOWN || as == SAVED_MOVINGAI);
	}
	return n;
}

static int
out_of_memory(const char *path, struct pb_fault *f)
{
	return pb_fault_nomem(f, path);
}

/* path without its suffix, with another one. */
static char *
with_suffix(const char *path, size_t stem, const char *suffix)
{
	char *s = malloc(stem + strlen(suffix) + 1);

	if (s == NULL)
		return NULL;
	memcpy(s, path, stem);
	strcpy(s + stem, suffix);
	return s;
}

static int
save_text(
    const char *path, enum saved as, const struct pb_map *m, struct pb_fault *f)
{
	struct pb_file w;

	if (pb_file_create(path, &w, f) != 0)
		return -1;
	if (as == SAVED_MOVINGAI)
		pb_movingai_write(w.out, m);
	else
		pb_rows_write(w.out, m);
	if (pb_file_sync(&w, f) != 0)
		return -1;
	return pb_file_commit(&w, f);
}

static int
put_image(const char *path, enum saved as, const struct pb_map *m,
    struct pb_file *w, struct pb_fault *f)
{
	struct pb_image im;
	int rc;

	if (pb_pixel_image(m, &im) != PB_OK)
		return out_of_memory(path, f);
	rc = pb_file_create(path, w, f);
	if (rc == 0) {
		rc = as == SAVED_PNG ? pb_png_write(w->out, path, &im, f)
		                     : pb_pgm_write(w->out, path, &im, f);
		if (rc != 0)
			pb_file_abandon(w);
		else
			rc = pb_file_sync(w, f);
	}
	pb_image_clear(&im);
	return rc;
}

static int
put_yaml(const char *path, const char *image, const struct pb_map *m,
    struct pb_file *w, struct pb_fault *f)
{
	const char *slash = strrchr(image, '/');
	struct pb_mapyaml y = pb_mapyaml_defaults();
	char *name = strdup(slash != NULL ? slash + 1 : image);

	if (name == NULL)
		return out_of_memory(path, f);
	y.image = name;
	y.resolution = m->resolution;
	y.origin = m->origin;
	y.px = pb_pixel_fit(m);
	if (pb_file_create(path, w, f) != 0) {
		free(name);
		return -1;
	}
	pb_mapyaml_write(w->out, &y);
	free(name);
	return pb_file_sync(w, f);
}

/* Both files are complete on the disk before either gets its name. */
static int
save_pair(const char *yaml, const char *image, enum saved as,
    const struct pb_map *m, struct pb_fault *f)
{
	struct pb_file wi = {0}, wy = {0};
	int rc = put_image(image, as, m, &wi, f);

	if (rc == 0)
		rc = put_yaml(yaml, image, m, &wy, f);
	if (rc == 0)
		rc = pb_file_commit(&wi, f);
	if (rc == 0)
		rc = pb_file_commit(&wy, f);
	pb_file_abandon(&wi);
	pb_file_abandon(&wy);
	return rc;
}

int
pb_mapfile_write(const char *path, const struct pb_map *m, struct pb_fault *f)
{
	size_t stem = 0;
	enum saved as = saved_as(path, &stem);
	bool is_image = as == SAVED_NOT || strcmp(path + stem, ".pgm") == 0 ||
	                strcmp(path + stem, ".png") == 0;
	char *other;
	int rc;

	if (as == SAVED_NOT)
		return pb_fault_set(f, path, 0, NULL,
		    "expected a name in .yaml, .pgm, .png, .map or .txt");
	if (as == SAVED_MOVINGAI || as == SAVED_ROWS)
		return save_text(path, as, m, f);
	other = with_suffix(path, stem, is_image ? ".yaml" : ".pgm");
	if (other == NULL)
		return out_of_memory(path, f);
	rc = is_image ? save_pair(other, path, as, m, f)
	              : save_pair(path, other, as, m, f);
	free(other);
	return rc;
}
