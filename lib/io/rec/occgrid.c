/* occgrid.c - a nav_msgs/OccupancyGrid as rosbridge writes it. */
#include "io/rec/occgrid.h"

#include <math.h>
#include <string.h>

#include "io/rec/fields.h"

/* Whether the quoted key is among the bytes; good enough to tell kinds. */
static bool
has_key(const char *s, size_t n, const char *key)
{
	size_t k = strlen(key);

	for (size_t i = 0; i + k <= n; i++)
		if (s[i] == '"' && memcmp(s + i, key, k) == 0)
			return true;
	return false;
}

bool
pb_occgrid_is(const char *s, size_t n)
{
	return has_key(s, n, "\"info\"") && !has_key(s, n, "\"type\"");
}

static bool
get_origin(struct pb_get *info, struct pb_pose *origin)
{
	struct pb_get pose, at, turn;
	double x = 0, y = 0, z = 0, w = 1;

	if (!pb_get_object(info, "origin", PB_REQUIRED, "info.origin", &pose) ||
	    !pb_get_object(
		&pose, "position", PB_REQUIRED, "info.origin.position", &at) ||
	    !pb_get_object(&pose, "orientation", PB_REQUIRED,
		"info.origin.orientation", &turn))
		return false;
	pb_get_real(&at, "x", PB_REQUIRED, &origin->x);
	pb_get_real(&at, "y", PB_REQUIRED, &origin->y);
	pb_get_real(&turn, "x", PB_OPTIONAL, &x);
	pb_get_real(&turn, "y", PB_OPTIONAL, &y);
	pb_get_real(&turn, "z", PB_OPTIONAL, &z);
	pb_get_real(&turn, "w", PB_OPTIONAL, &w);
	origin->th = pb_yaw(x, y, z, w);
	return at.ok && turn.ok;
}

static bool
get_grid(struct pb_get *g, struct pb_map *m)
{
	struct pb_get info;
	struct pb_pose origin;
	double resolution = 0;
	long width = 0, height = 0;
	enum pb_status st;
	char over[128];

	if (!pb_get_object(g, "info", PB_REQUIRED, "info", &info))
		return false;
	pb_get_num(&info, "resolution", PB_REQUIRED, 1e-6, 1e6, &resolution);
	pb_get_int(&info, "width", PB_REQUIRED, 1, PB_MAP_SIDE, &width);
	pb_get_int(&info, "height", PB_REQUIRED, 1, PB_MAP_SIDE, &height);
	if (!info.ok || !get_origin(&info, &origin))
		return false;
	if (pb_cells_over(width, height, over))
		return pb_error_set(g->bad, "info: %s", over);
	st = pb_map_init(m, (int)width, (int)height, resolution, origin);
	if (st == PB_ENOMEM)
		return pb_error_nomem(g->bad, "info");
	if (st != PB_OK)
		return pb_error_set(g->bad, "info: %s", pb_status_text(st));
	pb_get_cells(g, pb_map_cells(m), m->cell);
	if (!g->ok)
		pb_map_clear(m);
	return g->ok;
}

bool
pb_occgrid_read(const char *s, size_t n, struct pb_map *m, struct pb_error *bad)
{
	struct pb_json line;
	struct pb_get g, msg;
	struct pb_map got;
	bool ok;

	if (!pb_json_open(&line, s, n, "", &g, bad))
		return false;
	if (pb_get_value(&g, "msg"))
		ok = pb_get_object(&g, "msg", PB_REQUIRED, "msg", &msg) &&
		     get_grid(&msg, &got);
	else
		ok = get_grid(&g, &got);
	pb_json_close(&line);
	if (ok)
		*m = got;
	return ok;
}
