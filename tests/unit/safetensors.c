/*
 * safetensors.c [FILE SEED [TENSOR]] - tests of reading files of weights; or
 * write one for dqn, of random weights, to FILE; tensor TENSOR has another
 * name.
 */
#define CHECK_MAIN
#include "check.h"

#include "io/play/weights_opt.h"
#include "made_weights.h"

#define A    "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}"
#define B    "\"b\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[24,28]}"
#define GOOD "{" A "," B "}"

/* Decode a copy of its exact size, so that a sanitizer sees any overrun. */
static int
decode(const struct made_file *f, struct pb_tensors *t, struct pb_error *bad)
{
	char *copy = malloc(f->n ? f->n : 1);
	int rc;

	memcpy(copy, f->s, f->n);
	*t = (struct pb_tensors){.n = 0};
	*bad = (struct pb_error){.text = ""};
	rc = pb_safetensors_decode(copy, f->n, "file", t, bad);
	free(copy);
	return rc;
}

/* What is said of it: the place, then the text. */
static void
refuses(const struct made_file *f, const char *field, const char *text)
{
	struct pb_tensors t;
	struct pb_error bad;

	check_int(decode(f, &t, &bad), -1);
	check(t.at == NULL && t.value == NULL);
	check_str(bad.file, "file");
	if (strcmp(bad.field, field) != 0 || !strstr(bad.text, text))
		printf("# \"%s: %s\" is not \"%s: %s\"\n", bad.field, bad.text,
		    field, text);
	check(strcmp(bad.field, field) == 0 && strstr(bad.text, text));
}

test(good)
{
	struct made_file f =
	    made_file("{" B ",\"__metadata__\":{\"x\":\"y\"}," A "}  ", 28);
	static const unsigned char one[] = {0, 0, 0xc0, 0x3f}; /* 1.5 */
	struct pb_tensors t;
	struct pb_error bad;
	const struct pb_tensor *a, *b;

	memcpy(f.s + f.n - 4, one, 4);
	memcpy(f.s + f.n - 12, one, 4);
	check_int(decode(&f, &t, &bad), 0);
	check_int(t.n, 2);
	a = pb_tensor_find(&t, "a");
	b = pb_tensor_find(&t, "b");
	check(a && b && !pb_tensor_find(&t, "c"));
	check(a->dims == 2 && a->side[0] == 2 && a->side[1] == 3);
	check(b->dims == 0 && b->value[0] == 1.5f);
	check(a->value[4] == 1.5f && a->value[5] == 0);
	pb_tensors_clear(&t);
	free(f.s);
}

static const struct {
	const char *header;
	int bytes;
	const char *field, *text;
} bad_files[] = {
    {"{}", 0, "", "no tensors"},
    {"{" A "," B, 28, "", "not JSON"},
    {"{" A "," A "}", 24, "", "twice"},
    {"{\"a\":[1]}", 4, "", "header.a: expected an object"},
    {"{\"a\":null}", 4, "", "header.a: expected an object"},
    {"{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "",
	"a.dtype: expected F32, got \"F16\""},
    {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "",
	"a.dtype: expected a string, got nothing"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "",
	"a.shape: expected an array, got nothing"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "",
	"a.data_offsets: expected an array of 2 numbers, got nothing"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0, "",
	"a.shape[0]: expected a length above 0, got 0"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", 4, "",
	"a.shape[0]: expected a length above 0, got -1"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}}", 4,
	"", "a.shape[0]"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1],"
     "\"data_offsets\":[0,4]}}",
	4, "", "a.shape"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[268435456,268435456,268435456,"
     "268435456],\"data_offsets\":[0,4]}}",
	4, "", "a.data_offsets: expected"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4, "",
	"a.data_offsets: expected an array of 2 numbers, got an array of 1"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 4,
	"", "a.data_offsets"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", 4, "",
	"a.data_offsets: expected 4 bytes as by the shape, got 4 to 0"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],"
     "\"data_offsets\":[-4,0]}}",
	4, "a", "begins at byte -4 of the data, where the one before it ends"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],"
     "\"data_offsets\":[9223372036854775804,9223372036854775807]}}",
	4, "", "a.data_offsets: expected 4 bytes as by the shape"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "",
	"expected 8 bytes as by the shape"},
    {"{" A ",\"b\":{\"dtype\":\"F32\",\"shape\":[2],"
     "\"data_offsets\":[20,28]}}",
	28, "b", "begins at byte 20 of the data, where the one before it ends"},
    {"{" A ",\"b\":{\"dtype\":\"F32\",\"shape\":[1],"
     "\"data_offsets\":[28,32]}}",
	32, "b", "begins at byte 28 of the data, where the one before it has"},
    {GOOD, 27, "b", "ends at byte 28 of the data, of which there are 27"},
    {GOOD, 29, "", "1 bytes follow the last tensor"},
    {"{\"a0123456789012345678901234567890123456789012345678901234567890123"
     "\":{}}",
	0, "", "expected a name of at most 63 bytes"},
};

test(bad)
{
	for (size_t i = 0; i < sizeof(bad_files) / sizeof(*bad_files); i++) {
		struct made_file f =
		    made_file(bad_files[i].header, (size_t)bad_files[i].bytes);

		refuses(&f, bad_files[i].field, bad_files[i].text);
		free(f.s);
	}
}

test(cut)
{
	struct made_file f = made_file(GOOD, 28);

	for (size_t n = 0; n < f.n; n++) {
		struct made_file part = {f.s, n};

		if (n < f.n - 28)
			refuses(&part, "",
			    n == 0 ? "empty file" : "not a safetensors file");
		else
			refuses(&part, n < f.n - 4 ? "a" : "b",
			    "of which there are");
	}
	free(f.s);
}

/* Lengths of the header that are not true. */
test(lying)
{
	static const uint64_t lie[] = {
	    0, 1, 100, 1 << 20, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
	struct made_file f = made_file(GOOD, 28);

	for (size_t i = 0; i < sizeof(lie) / sizeof(*lie); i++) {
		struct pb_tensors t;
		struct pb_error bad;

		for (int b = 0; b < 8; b++)
			f.s[b] = (char)(lie[i] >> 8 * b);
		check_int(decode(&f, &t, &bad), -1);
		check(bad.text[0] && t.at == NULL);
	}
	free(f.s);
}

test(not_finite)
{
	static const unsigned char odd[][4] = {{0, 0, 0x80, 0x7f},
	    {0, 0, 0x80, 0xff}, {1, 0, 0x80, 0x7f}, {0, 0, 0xc0, 0xff}};
	struct made_file f = made_file(GOOD, 28);

	for (int i = 0; i < 4; i++) {
		memcpy(f.s + f.n - 12, odd[i], 4);
		refuses(&f, "a", "value 4 is no finite number");
	}
	free(f.s);
}

/* Hashes know values and shapes, not the order in the file. */
test(hash)
{
	static const char *const header[] = {"{" A "," B "}", "{" B "," A "}",
	    "{\"a\":{\"dtype\":\"F32\",\"shape\":[3,2],"
	    "\"data_offsets\":[0,24]}," B "}",
	    "{\"c\":{\"dtype\":\"F32\",\"shape\":[2,3],"
	    "\"data_offsets\":[0,24]}," B "}"};
	uint64_t h[5] = {0};

	for (int i = 0; i < 5; i++) {
		struct made_file f = made_file(header[i % 4], 28);
		struct pb_tensors t;
		struct pb_error bad;

		f.s[f.n - 1] = (char)(i == 4);
		check_int(decode(&f, &t, &bad), 0);
		h[i] = pb_tensors_hash(&t);
		pb_tensors_clear(&t);
		free(f.s);
	}
	check(h[0] == h[1]);
	for (int i = 2; i < 5; i++)
		check(h[i] != h[0]);
}

static int
keep(char **argv, int odd)
{
	struct made_file f = made_qnet(strtoull(argv[2], NULL, 10), odd);
	FILE *out = fopen(argv[1], "wb");

	if (!out || fwrite(f.s, 1, f.n, out) != f.n || fclose(out) != 0) {
		perror(argv[1]);
		return 3;
	}
	free(f.s);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 2)
		return keep(argv, argc > 3 ? atoi(argv[3]) : -1);
	run_tests();
	return done();
}
