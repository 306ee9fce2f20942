/* file.c - whole files: read into memory, replaced as one; the kind of a file
 * by its first bytes. */
#define _GNU_SOURCE /* flock, realpath */

#include "io/stream/file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"

/* Temporary name of a file that is not yet whole: its name, this, and six
 * letters. No user names a file so. */
#define TEMP ".pb-part-"

/* A growing array of bytes, with room for a final zero byte. */
struct room {
	char *at;
	size_t n, size;
};

static void
room_grow(struct room *r, size_t size)
{
	r->at = pb_resize(r->at, size + 1);
	r->size = size;
}

/* Read fd until r has n bytes or fd ends. Returns 0 or an errno; EINTR if a
 * signal asks the program to end. */
static int
read_bytes(int fd, size_t n, struct room *r)
{
	ssize_t got = 1;

	while (r->n < n && got != 0) {
		if (r->n == r->size)
			room_grow(r, 2 * r->size);
		if (!pb_wait_for(fd))
			return EINTR;
		got = read(fd, r->at + r->n, r->size - r->n);
		if (got < 0 && errno != EINTR)
			return errno;
		r->n += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

/* Returns the size of fd if it is a regular file (bytes), else 0. */
static size_t
find_size(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 0)
		return 0;
	return (size_t)st.st_size;
}

/* Read the rest of fd behind the head in r, of at most limit bytes in all.
 * Returns 0 or an errno; EFBIG: it is longer. */
static int
read_rest(int fd, size_t limit, struct room *r)
{
	size_t size = find_size(fd);
	int e;

	if (size > limit || r->n > limit)
		return EFBIG;
	/* fd has ended. Read no more: a terminal would ask for a second
	 * Ctrl-D. */
	if (r->n < PB_FILE_HEAD)
		return 0;
	/* Room for one byte more, so that the end is read without growing. */
	if (size >= r->size)
		room_grow(r, size + 1);
	e = read_bytes(fd, limit + 1, r);
	return e == 0 && r->n > limit ? EFBIG : e;
}

/* Pass the bytes of r to the caller or, if e is an errno, free them and fill f
 * in. */
static int
give_bytes(struct room *r, int e, const char *name, char **bytes, size_t *n,
    struct pb_error *f)
{
	if (e != 0) {
		free(r->at);
		errno = e;
		return pb_error_errno(f, name, "cannot read");
	}
	r->at[r->n] = '\0';
	*bytes = r->at;
	*n = r->n;
	return 0;
}

/* Check that the head of a file is of an expected kind. Returns 0, or -1 with f
 * filled in. */
static int
check_head(const struct pb_file_look *look, const char *name,
    const struct room *r, struct pb_file_limit *most, struct pb_error *f)
{
	struct pb_error bad;

	if (look->at != NULL)
		return look->at(look->user, name, r->at, r->n, most, f);
	if (pb_filekind_check(0, r->at, r->n, &bad))
		return 0;
	return pb_error_file(f, name, 0, NULL, "%s", bad.text);
}

static int
read_fd(int fd, const char *name, const struct pb_file_look *look, char **bytes,
    size_t *n, struct pb_error *f)
{
	struct room r = {0};
	struct pb_file_limit most = look->most;
	int e;

	if (isatty(fd))
		pb_msg_note("reading from the terminal, Ctrl-D ends");
	room_grow(&r, PB_FILE_HEAD);
	e = read_bytes(fd, PB_FILE_HEAD, &r);
	if (e == 0 && check_head(look, name, &r, &most, f) != 0) {
		free(r.at);
		return -1;
	}
	if (e == 0)
		e = read_rest(fd, most.bytes, &r);
	if (e == 0)
		pb_input_add(r.at, r.n);
	if (e == EFBIG) {
		free(r.at);
		return pb_error_file(f, name, 0, NULL,
		    "larger than %zu bytes%s%s", most.bytes,
		    most.of[0] != '\0' ? ", " : "", most.of);
	}
	return give_bytes(&r, e, name, bytes, n, f);
}

/* open(2). A named pipe blocks until a program opens its other end; meanwhile a
 * signal ends the program at once. */
static int
open_interruptible(const char *path, int flags)
{
	bool waits = pb_file_is_pipe(path);
	int fd;

	if (waits)
		pb_msg_at_once(true);
	fd = open(path, flags);
	if (waits)
		pb_msg_at_once(false);
	return fd;
}

/* What a regular file is used for: read, to be replaced, or appended to; one
 * that is appended to may also be read once. */
enum use { READ, WRITTEN, ADDED, ADDED_READ };
static struct used {
	dev_t dev;
	ino_t ino;
	enum use how;
	char name[200];
} * used;
static size_t used_n;
static bool watched;

static struct used *
find_used(const struct stat *st)
{
	for (size_t i = 0; i < used_n; i++)
		if (used[i].ino == st->st_ino && used[i].dev == st->st_dev)
			return &used[i];
	return NULL;
}

/* Register the use of a file. Returns 0, or -1 if it already has a use that
 * excludes this one. */
static int
register_use(int found, const struct stat *st, enum use how, const char *name,
    struct pb_error *f)
{
	struct used *u;

	if (!watched || found != 0 || !S_ISREG(st->st_mode))
		return 0;
	if ((u = find_used(st)) == NULL) {
		used = pb_resize(used, (used_n + 1) * sizeof(*used));
		u = &used[used_n++];
		*u = (struct used){st->st_dev, st->st_ino, how, ""};
		snprintf(u->name, sizeof(u->name), "%s", name);
		return 0;
	}
	if (u->how == how && how < ADDED)
		return 0;
	if (u->how == ADDED && how == READ) {
		u->how = ADDED_READ;
		return 0;
	}
	pb_msg_status(PB_EXIT_USAGE);
	return pb_error_file(f, name, 0, NULL,
	    "the same file as %s: no file is both read and written", u->name);
}

bool
pb_file_operands(char *const *name, int n, bool (*is_word)(const char *))
{
	struct pb_error f;
	struct stat st;
	bool in = n == 0;
	int rc;

	used_n = 0;
	watched = true;
	rc = register_use(
	    fstat(STDOUT_FILENO, &st), &st, WRITTEN, "<stdout>", &f);
	for (int i = 0; i < n && rc == 0; i++) {
		if (strcmp(name[i], "-") == 0)
			in = true;
		else if (is_word == NULL || !is_word(name[i]))
			rc = register_use(
			    stat(name[i], &st), &st, READ, name[i], &f);
	}
	if (rc == 0 && in)
		rc = register_use(
		    fstat(STDIN_FILENO, &st), &st, READ, "<stdin>", &f);
	return rc == 0 || pb_msg_error(&f);
}

int
pb_file_open(const char *path, struct pb_error *f)
{
	int fd = open_interruptible(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return pb_error_errno(f, path, "cannot open");
	if (register_use(fstat(fd, &st), &st, READ, path, f) == 0)
		return fd;
	close(fd);
	return -1;
}

int
pb_file_added(int fd, const char *path, struct pb_error *f)
{
	struct stat st;

	return register_use(fstat(fd, &st), &st, ADDED, path, f);
}

int
pb_file_read(const char *path, const struct pb_file_look *look, char **bytes,
    size_t *n, struct pb_error *f)
{
	int fd, rc;

	if (strcmp(path, "-") == 0)
		return read_fd(STDIN_FILENO, "<stdin>", look, bytes, n, f);
	if ((fd = pb_file_open(path, f)) < 0)
		return -1;
	rc = read_fd(fd, path, look, bytes, n, f);
	close(fd);
	return rc;
}

/* Whether path is a device, pipe or folder: it cannot be read twice or
 * replaced. */
static bool
is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

bool
pb_file_is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

bool
pb_file_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

char *
pb_file_name(const char *fmt, ...)
{
	va_list ap, again;
	char *s;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	s = pb_resize(NULL, (size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return s;
}

bool
pb_file_has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), k = strlen(suffix);

	return n > k && strcmp(path + n - k, suffix) == 0;
}

int
pb_file_head(const char *path, char **bytes, size_t *n, struct pb_error *f)
{
	int fd = pb_file_open(is_special(path) ? "/dev/null" : path, f);
	struct room r = {0};
	int e;

	if (fd < 0)
		return -1;
	room_grow(&r, PB_FILE_HEAD);
	e = read_bytes(fd, PB_FILE_HEAD, &r);
	close(fd);
	return give_bytes(&r, e, path, bytes, n, f);
}

/* Returns the mode of the old file or, without one, the mode that open(2) would
 * give. */
static mode_t
final_mode(const char *path)
{
	struct stat st;
	mode_t mask;

	if (stat(path, &st) == 0)
		return st.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Names of unfinished files; they are removed if the program ends early. */
static struct temp {
	struct temp *next;
	const char *name; /* owned by a pb_file */
} * temps;

static void
remove_temps(void)
{
	for (const struct temp *t = temps; t != NULL; t = t->next)
		unlink(t->name);
}

static void
add_temp(const char *name)
{
	static bool noted;
	struct temp *t = pb_alloc(1, sizeof(*t));

	*t = (struct temp){temps, name};
	temps = t;
	noted = noted || atexit(remove_temps) == 0;
}

/* Drop the temporary name of a file that is whole or removed. */
static void
forget_temp(struct pb_file *w)
{
	struct temp **at = &temps, *t;

	while ((t = *at) != NULL && t->name != w->temp)
		at = &t->next;
	if (t != NULL)
		*at = t->next;
	free(t);
	free(w->temp);
	w->temp = NULL;
}

/* Remove the unfinished file of a killed run: nobody holds its lock, and nobody
 * has written to it for a minute. */
static void
remove_if_stale(const char *temp)
{
	int fd = open(temp, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_mtime < time(NULL) - 60 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlink(temp);
	close(fd);
}

/* Remove the unfinished files of killed runs beside path. */
static void
remove_stale(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char *prefix = pb_file_name("%s" TEMP, path + folder);
	char *dir = pb_file_name("%.*s.", (int)folder, path);
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 &&
		    strlen(e->d_name) == strlen(prefix) + 6) {
			char *temp = pb_file_name(
			    "%.*s%s", (int)folder, path, e->d_name);

			remove_if_stale(temp);
			free(temp);
		}
	if (d)
		closedir(d);
	free(dir);
	free(prefix);
}

static int
open_temp(struct pb_file *w)
{
	int fd;

	remove_stale(w->path);
	w->temp = pb_file_name("%s" TEMP "XXXXXX", w->path);
	if ((fd = mkstemp(w->temp)) < 0) {
		free(w->temp);
		w->temp = NULL;
		return -1;
	}
	add_temp(w->temp);
	(void)flock(fd, LOCK_EX); /* until the end */
	if (fchmod(fd, final_mode(w->path)) != 0) {
		/* The file system has no modes: keep that of mkstemp. */
		errno = 0;
	}
	return fd;
}

int
pb_file_scratch(struct pb_file *w, struct pb_error *f)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	*w = (struct pb_file){
	    .temp = pb_file_name("%s/pb-XXXXXX",
		folder != NULL && folder[0] != '\0' ? folder : "/tmp")};
	if ((fd = mkstemp(w->temp)) < 0) {
		pb_error_errno(f, w->temp, "cannot create");
		f->kind = PB_ERROR_SYSTEM;
		free(w->temp);
		w->temp = NULL;
		return -1;
	}
	add_temp(w->temp);
	if ((w->out = fdopen(fd, "wb")) == NULL)
		pb_msg_end_memory();
	return 0;
}

static int
abandon_file(struct pb_file *w, const char *name, struct pb_error *f)
{
	pb_error_write(f, name);
	pb_file_abandon(w);
	return -1;
}

int
pb_file_create(const char *path, struct pb_file *w, struct pb_error *f)
{
	struct stat st;
	int fd;

	/* Replace the file that a link leads to, not the link. */
	*w = (struct pb_file){.path = realpath(path, NULL)};
	if (w->path == NULL)
		w->path = pb_copy(path);
	if (register_use(stat(path, &st), &st, WRITTEN, path, f) != 0) {
		pb_file_abandon(w);
		return -1;
	}
	fd = is_special(w->path) ? open_interruptible(w->path, O_WRONLY)
	                         : open_temp(w);
	if (fd < 0)
		return abandon_file(w, path, f);
	if ((w->out = fdopen(fd, "wb")) == NULL) {
		close(fd);
		return abandon_file(w, path, f);
	}
	return 0;
}

int
pb_file_sync(struct pb_file *w, struct pb_error *f)
{
	bool bad = ferror(w->out);

	if (bad) { /* write one more byte, so that errno tells why again */
		clearerr(w->out);
		putc('\n', w->out);
	}
	bad = fflush(w->out) != 0 || bad;
	if (!bad && w->temp != NULL)
		bad = fsync(fileno(w->out)) != 0;
	/* Some systems report a full disk or quota only at the close. */
	bad = fclose(w->out) != 0 || bad;
	w->out = NULL;
	return bad ? abandon_file(w, w->path, f) : 0;
}

int
pb_file_commit(struct pb_file *w, struct pb_error *f)
{
	struct stat st;
	struct used *u = stat(w->path, &st) == 0 ? find_used(&st) : NULL;

	if (w->temp != NULL && rename(w->temp, w->path) != 0)
		return abandon_file(w, w->path, f);
	if (u != NULL && w->temp != NULL)
		u->ino = 0; /* the inode number may be used again */
	forget_temp(w);
	pb_file_abandon(w);
	return 0;
}

int
pb_file_finish(struct pb_file *w, struct pb_error *f)
{
	return pb_file_sync(w, f) != 0 ? -1 : pb_file_commit(w, f);
}

void
pb_file_abandon(struct pb_file *w)
{
	if (w->out != NULL)
		fclose(w->out);
	if (w->temp != NULL)
		unlink(w->temp);
	forget_temp(w);
	free(w->path);
	*w = (struct pb_file){0};
}

/* Check without opening: the reader of a pipe would see it opened and
 * closed. */
static int
check_special(const char *path, struct pb_error *f)
{
	struct stat st;

	errno = EISDIR;
	if (access(path, W_OK) == 0 && stat(path, &st) == 0 &&
	    !S_ISDIR(st.st_mode))
		return 0;
	return pb_error_write(f, path);
}

bool
pb_file_writable(const char *path)
{
	struct pb_file w = {.out = NULL};
	struct pb_error f;
	int rc;

	if (path == NULL)
		return true;
	rc = is_special(path) ? check_special(path, &f)
	                      : pb_file_create(path, &w, &f);
	pb_file_abandon(&w);
	if (rc != 0)
		pb_msg_error(&f);
	return rc == 0;
}

void
pb_file_functions(
    const char *library, size_t n, const char *const name[], void *to)
{
	void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; i < n; i++) {
		void *f = lib != NULL ? dlsym(lib, name[i]) : NULL;

		if (f == NULL)
			pb_msg_end(dlerror());
		memcpy((char *)to + i * sizeof(f), &f, sizeof(f));
	}
}

/* Bytes of the head in which a text must have a keyword or a number. */
#define TEXT ((size_t)4096)

#define RECORDING "pb-localize reads it, and pb-mapgen its map"
#define CONVERT   "convert it to PNG, PGM or BMP, which maps are read from"
#define IMAGE     "pb-mapgen reads it as a map, and so does -m"
#define UNPACK    "unpack it first"
#define SCANS     "of scans, only those of a 2D lidar are read (see pb-localize)"
#define TUM       "TUM's are read, \"t x y z qx qy qz qw\""
#define OLD_BAG                     \
	"a ROS bag of version 1.x", \
	    "\"rosbag reindex\" makes one of version 2.0, which is read"
#define ECHOED                                                                \
	"what \"ros2 topic echo\" prints, which leaves out most of an array", \
	    "record the topic (ros2 bag record), which pb-localize reads"

static bool begins_bmp(const unsigned char *s, size_t n);
static bool begins_pnm(const unsigned char *s, size_t n);
static bool begins_tag(const unsigned char *s, size_t n);
static bool begins_html(const unsigned char *s, size_t n);
static bool begins_echo(const unsigned char *s, size_t n);
static bool names_image(const unsigned char *s, size_t n);
static bool begins_pretty(const unsigned char *s, size_t n);
static bool has_kitti(const unsigned char *s, size_t n);
static bool has_commas(const unsigned char *s, size_t n);

/* Known kinds of files; the first row that matches counts. Each says what the
 * file is, and what to do with it if the reader does not read it. */
static const struct row {
	enum pb_filekind kind;
	size_t at, n; /* magic bytes: offset and length */
	const char *magic;
	bool (*is)(
	    const unsigned char *s, size_t n); /* further test, or NULL */
	const char *what, *advice;
} rows[] = {
#define AT(at, s) at, sizeof(s) - 1, s
#define BEGINS(s) AT(0, s), NULL
#define LOOKS(is) 0, 0, "", is
    {PB_FILE_FOREIGN, BEGINS("version https://git-lfs.github.com/spec/"),
	"a Git LFS pointer in place of the file",
	"fetch the file with \"git lfs pull\""},
    {PB_FILE_FOREIGN, BEGINS("#ROSRECORD V"), OLD_BAG},
    {PB_FILE_FOREIGN, BEGINS("#ROSLOG V"), OLD_BAG},
    {PB_FILE_FOREIGN, BEGINS("#ROSBAG V1"), OLD_BAG},
    {PB_FILE_ROS1, BEGINS("#ROSBAG V"), "a ROS 1 bag", RECORDING},
    {PB_FILE_MCAP, BEGINS("\x89MCAP"), "an MCAP recording of ROS topics",
	RECORDING},
    {PB_FILE_DB3, BEGINS("SQLite format 3"),
	"an SQLite file, as rosbag2 records", RECORDING},
    {PB_FILE_FOREIGN, BEGINS("rosbag2_bagfile_information:"),
	"the metadata of a rosbag2 recording", "name its folder instead"},
    {PB_FILE_ZSTD, BEGINS("\x28\xb5\x2f\xfd"), "a zstd file", UNPACK},
    {PB_FILE_GZIP, BEGINS("\x1f"), "a gzip file", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("PK\3\4"), "a zip archive", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("BZh"), "a bzip2 file", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("\3757zXZ"), "an xz file", UNPACK},
    {PB_FILE_FOREIGN, BEGINS("7z\xbc\xaf"), "a 7z archive", UNPACK},
    {PB_FILE_FOREIGN, AT(257, "ustar"), NULL, "a tar archive", UNPACK},
    {PB_FILE_PNG, BEGINS("\x89PNG\r\n\x1a\n"), "a PNG image", IMAGE},
    {PB_FILE_BMP, AT(0, "BM"), begins_bmp, "a BMP image", IMAGE},
    {PB_FILE_PNM, AT(0, "P2"), begins_pnm, "a PGM image", IMAGE},
    {PB_FILE_PNM, AT(0, "P5"), begins_pnm, "a PGM image", IMAGE},
    {PB_FILE_PNM, AT(0, "P3"), begins_pnm, "a PPM image", IMAGE},
    {PB_FILE_PNM, AT(0, "P6"), begins_pnm, "a PPM image", IMAGE},
    {PB_FILE_FOREIGN_IMAGE, AT(0, "P1"), begins_pnm, "a PBM image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, AT(0, "P4"), begins_pnm, "a PBM image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, AT(0, "P7"), begins_pnm, "a PAM image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("\xff\xd8\xff"),
	"a JPEG image, whose shades are not exact", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("GIF8"), "a GIF image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("II*\0"), "a TIFF image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("MM\0*"), "a TIFF image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, AT(8, "WEBP"), NULL, "a WebP image", CONVERT},
    {PB_FILE_FOREIGN_IMAGE, BEGINS("%PDF-"), "a PDF document", CONVERT},
    {PB_FILE_FOREIGN, LOOKS(begins_html), "a web page in place of the file",
	"download the file itself"},
    {PB_FILE_XML, LOOKS(begins_tag), "an XML file",
	"only boards in KML are read (pb-mapgen)"},
    {PB_FILE_MAPYAML, LOOKS(names_image), "the YAML of a map", IMAGE},
    {PB_FILE_PRETTY, LOOKS(begins_pretty), "JSON over several lines",
	"a record is one line (jq -c . FILE)"},
    {PB_FILE_UTF16, BEGINS("\xff\xfe"), "a text in UTF-16",
	"\"iconv -f UTF-16 -t UTF-8\" converts it"},
    {PB_FILE_UTF16, BEGINS("\xfe\xff"), "a text in UTF-16",
	"\"iconv -f UTF-16 -t UTF-8\" converts it"},
    {PB_FILE_FOREIGN, BEGINS("# .PCD"), "a point cloud (PCD)", SCANS},
    {PB_FILE_FOREIGN, BEGINS("ply\n"), "a point cloud (PLY)", SCANS},
    {PB_FILE_FOREIGN, BEGINS("LASF"), "a point cloud (LAS)", SCANS},
    {PB_FILE_FOREIGN, BEGINS("\xd4\xc3\xb2\xa1"), "packets of a network (pcap)",
	SCANS},
    {PB_FILE_FOREIGN, BEGINS("\x93NUMPY"), "an array of NumPy",
	"write its rows as text under names of columns, as pb-localize(1) says"},
    {PB_FILE_FOREIGN, BEGINS("\177ELF"), "a program", "run it instead"},
    {PB_FILE_FOREIGN, BEGINS("VERTEX_SE2"), "a pose graph (g2o)",
	"of poses, " TUM},
    {PB_FILE_FOREIGN, BEGINS("#timestamp [ns]"), "a trajectory of EuRoC",
	TUM "; \"evo_traj euroc FILE --save_as_tum\" makes them"},
    {PB_FILE_FOREIGN, LOOKS(has_kitti),
	"a trajectory of KITTI, whose poses have no time", TUM},
    {PB_FILE_FOREIGN, LOOKS(has_commas), "a trajectory of TUM with commas",
	"it is read with blanks in their place (tr , ' ')"},
    {PB_FILE_FOREIGN, LOOKS(begins_echo), ECHOED},
#undef AT
#undef BEGINS
#undef LOOKS
};

/* Two letters alone may begin a text, so check the header, too: it has 40 to
 * 124 bytes, and its image has one plane. */
static bool
begins_bmp(const unsigned char *s, size_t n)
{
	return n >= 18 && s[14] >= 40 && s[14] < 128 && s[15] == 0 &&
	       s[16] == 0 && s[17] == 0;
}

/* "P" and a digit may begin a text, so a blank must follow. */
static bool
begins_pnm(const unsigned char *s, size_t n)
{
	return n == 2 || s[2] == ' ' || s[2] == '#' ||
	       (s[2] >= '\t' && s[2] <= '\r');
}

/* Skip a byte order mark and blanks; *n becomes the bytes left. */
static const char *
skip_blanks(const unsigned char *s, size_t *n)
{
	const char *at = (const char *)s, *end = at + *n;

	if (*n >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
		at++;
	*n = (size_t)(end - at);
	return at;
}

static bool
begins_html(const unsigned char *s, size_t n)
{
	const char *at = skip_blanks(s, &n);

	return (n >= 14 && strncasecmp(at, "<!doctype html", 14) == 0) ||
	       (n >= 5 && strncasecmp(at, "<html", 5) == 0);
}

static bool
begins_tag(const unsigned char *s, size_t n)
{
	const char *at = skip_blanks(s, &n);

	return n > 0 && *at == '<';
}

static bool
begins_pretty(const unsigned char *s, size_t n)
{
	const char *at = skip_blanks(s, &n);

	return n > 1 && (*at == '{' || *at == '[') &&
	       (at[1] == '\n' || at[1] == '\r');
}

/* Whether a line has a key that only the YAML of a map has. */
static bool
names_image(const unsigned char *s, size_t n)
{
	static const char key[] = "\nimage:";
	const size_t k = sizeof(key) - 1;

	n = n < TEXT ? n : TEXT;
	if (n < k || memcmp(s, key + 1, k - 1) == 0)
		return n >= k;
	for (size_t i = 0; i + k <= n; i++)
		if (s[i] == '\n' && memcmp(s + i, key, k) == 0)
			return true;
	return false;
}

/* Whether the first member of a message has its value in the lines below. */
static bool
begins_echo(const unsigned char *s, size_t n)
{
	static const char *const first[] = {"header:", "transforms:", "info:",
	    "pose:", "poses:", "twist:", "linear:", "position:", "markers:"};
	const char *at = skip_blanks(s, &n);

	if (n > 4 && memcmp(at, "---\n", 4) == 0) {
		at += 4;
		n -= 4;
	}
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		size_t k = strlen(first[i]);

		if (n < k + 3 || memcmp(at, first[i], k) != 0)
			continue;
		while (k < n && (at[k] == ' ' || at[k] == '\r'))
			k++;
		return k + 1 < n && at[k] == '\n' &&
		       strchr(" -", at[k + 1]) != NULL && at[k + 1] != '\0';
	}
	return false;
}

/* Returns how many numbers a line has, 0 if it has anything else; sets *odd if
 * a number is none of a board's cells, 0, 1 and 9. */
static int
count_numbers(char *line, bool *odd)
{
	char *rest, *word = strtok_r(line, " \t\r,", &rest);
	int k = 0;
	double v;

	for (; word != NULL; word = strtok_r(NULL, " \t\r,", &rest), k++) {
		if (!pb_num_parse(word, &v))
			return 0;
		*odd |= v != 0 && v != 1 && v != 9;
	}
	return k;
}

/* Whether all whole lines that are no comments have `want` numbers. */
static bool
has_numbers(const unsigned char *s, size_t n, bool commas, int want)
{
	char text[TEXT + 1], *at = text, *end;
	bool odd = false;

	n = n < TEXT ? n : TEXT;
	memcpy(text, s, n);
	text[n] = '\0';
	for (; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		if (*at == '#')
			continue;
		if ((commas && strchr(at, ',') == NULL) ||
		    count_numbers(at, &odd) != want)
			return false;
	}
	return odd;
}

static bool
has_kitti(const unsigned char *s, size_t n)
{
	return has_numbers(s, n, false, 12);
}

static bool
has_commas(const unsigned char *s, size_t n)
{
	return has_numbers(s, n, true, 8);
}

/* The row of a file with that head, NULL: unknown. */
static const struct row *
find_row(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		if (n >= r->at + r->n &&
		    memcmp(s + r->at, r->magic, r->n) == 0 &&
		    (r->is == NULL || r->is(s, n)))
			return r;
	}
	return NULL;
}

enum pb_filekind
pb_filekind_of(const void *head, size_t n)
{
	const struct row *r = find_row(head, n);

	return r != NULL ? r->kind : PB_FILE_UNKNOWN;
}

bool
pb_filekind_check(
    unsigned reads, const void *head, size_t n, struct pb_error *bad)
{
	const struct row *r = find_row(head, n);

	if (r == NULL || (reads & PB_FILES(r->kind)))
		return true;
	return pb_error_set(bad, "is %s: %s", r->what, r->advice);
}
