/*
 * yaml.c - any bytes as the YAML file of a map: a complaint, or a description
 * that reads the same after it was written.
 */
#include "fuzz.h"

#include "io/file/mapserver.h"

static char *
written(const struct pb_mapyaml *y, size_t *n)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, n);

	must(out != NULL);
	pb_mapyaml_write(out, y);
	must(!ferror(out));
	fclose(out);
	return text;
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n), *one, *two, *image;
	struct pb_mapyaml y, again;
	struct pb_error f = {.text = ""};
	char instead[PB_MAPYAML_INSTEAD];
	size_t len, len2;

	if (pb_mapyaml_parse(s, n, "map.yaml", &y, &f) == 0) {
		one = written(&y, &len);
		must(pb_mapyaml_parse(one, len, "map.yaml", &again, &f) == 0);
		two = written(&again, &len2);
		must(len == len2 && memcmp(one, two, len) == 0);
		must(strcmp(y.image, again.image) == 0);
		must(y.resolution == again.resolution);
		image = pb_mapyaml_image_path(&y, "a/map.yaml", instead);
		must(image != NULL);
		free(image);
		free(one);
		free(two);
		pb_mapyaml_clear(&again);
		pb_mapyaml_clear(&y);
	} else {
		must(f.text[0] != 0);
	}
	free(s);
	return 0;
}
