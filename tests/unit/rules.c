/* rules.c - tests of the table of rule sets and of the row of pacmanbot. */
#include "check.h"
#include "usual.h"

#include "pb/localizer.h"

#include "game/pacmanbot/opts.h"
#include "game/pacmanbot/round_state.h"
#include "map/board.h"
#include "policy/players.h"
#include "pb/games.h"
#include "pb/match.h"
#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "robot/signals.h"

test(names)
{
	const struct pb_rules *r = pb_rules_find("pacmanbot");
	int n = 0;

	check(r && r == pb_rules_at(0));
	check(!pb_rules_find("chess") && !pb_rules_find(""));
	check(!pb_rules_at(-1) && !pb_rules_at(1000));
	for (; r->player[n]; n++) {
		const struct pb_player *p = r->player[n];

		check(strlen(p->name) < PB_TRIAL_NAME && *p->summary);
		check_int(pb_rules_player(r, p->name), n);
	}
	check(n >= 2);
	check_int(pb_rules_player(r, "nobody"), -1);
}

/* Every way to end has its name in the list; success is the first. */
test(outcomes)
{
	static const char *const want[] = {
	    "complete", "partial", "killed", "timeout", "stuck", "home_failed"};
	const struct pb_rules *r = pb_rules_find("pacmanbot");

	for (int e = PB_DONE; e <= PB_HOME_FAILED; e++) {
		check_str(pb_ending_name((enum pb_ending)e), want[e - PB_DONE]);
		check_str(r->game->outcome[e - PB_DONE], want[e - PB_DONE]);
	}
	check(!r->game->outcome[sizeof(want) / sizeof(*want)]);
}

/* Change one constant a little, within its bounds. */
static void
nudge(struct pb_round_opts *o, const struct pb_param *p)
{
	char *at = (char *)o + p->offset;

	switch (p->kind) {
	case PB_PARAM_LIMIT:
		*(double *)at = *(double *)at == 7 ? 8 : 7;
		break;
	case PB_PARAM_REAL:
		*(double *)at += *(double *)at < p->max ? 1e-9 : -1e-9;
		break;
	case PB_PARAM_BOOL:
		*(bool *)at = !*(bool *)at;
		break;
	case PB_PARAM_COUNT:
		*(int *)at += *(int *)at < p->max ? 1 : -1;
		break;
	case PB_PARAM_CHOICE:
		*(int *)at = !*(int *)at;
		break;
	}
}

test(fingerprint)
{
	const struct pb_game *g = &pb_game_pacmanbot;
	struct pb_round_opts o = pb_round_defaults();
	struct pb_pellet two[2] = {{.at = {1, 2}}, {.at = {3, 4}}};
	struct pb_pellets s = {.n = 2, .all = two};
	uint64_t h = pb_game_fingerprint(g, &o, NULL, "seed"), given;
	size_t n = pb_round_params.n;
	const struct pb_param *p = pb_round_params.row;

	check(pb_game_fingerprint(g, &o, NULL, "seed") == h);
	for (size_t i = 0; i < n; i++) {
		struct pb_round_opts x = o;
		bool counts, same;

		nudge(&x, &p[i]);
		counts = strcmp(p[i].name, "round") != 0 &&
		         pb_params_used(pb_round_params, &x, i, NULL, 0);
		same = pb_game_fingerprint(g, &x, NULL, "seed") == h;
		if (same == counts)
			printf("# %s\n", p[i].name);
		check(same == !counts);
	}
	/* One that is seed's alone. */
	o.risk_radius++;
	check(pb_game_fingerprint(g, &o, NULL, "seed") != h);
	check(pb_game_fingerprint(g, &o, NULL, "safe") == h);
	check(pb_game_fingerprint(g, &o, NULL, "") == h);
	o = pb_round_defaults();
	o.has_start = true;
	check(pb_game_fingerprint(g, &o, NULL, "seed") != h);
	o = pb_round_defaults();
	o.has_spawn = true;
	check(pb_game_fingerprint(g, &o, NULL, "seed") != h);
	o = pb_round_defaults();
	given = pb_game_fingerprint(g, &o, &s, "seed");
	check(given != h);
	two[1].at.y = 5;
	check(pb_game_fingerprint(g, &o, &s, "seed") != given);
}

/* Where a player was: all ticks that he played, all lives that he lost. */
static void
check_heat(const char *name, const void *opts, const char *player)
{
	const struct pb_rules *r = pb_rules_find(name);
	struct pb_maze z;
	const struct pb_ground g = {.maze = &z};
	struct pb_trial t = {.seed = 1};
	uint64_t here = 0, died = 0;
	void *world, *seat;
	struct pb_refusal no;

	pb_maze_standard(name, &z);
	check_int(pb_game_prepare(r->game, &g, opts, &world, &no), PB_OK);
	check_int(pb_game_open(r->game, &seat, world, opts,
		      r->player[pb_rules_player(r, player)], NULL),
	    PB_OK);
	for (t.trial = 0; t.trial < 5; t.trial++) {
		const struct pb_heat *h =
		    &((struct pb_player_state *)seat)->heat;
		int killed = 0;

		here = died = 0;
		pb_game_play(r->game, seat, &t, NULL);
		for (int row = 0; row < PB_HEAT_SIDE; row++)
			for (int col = 0; col < PB_HEAT_SIDE; col++) {
				here += h->here[row][col];
				died += h->died[row][col];
				check(h->here[row][col] == 0 ||
				      pb_maze_open(&z, row, col));
			}
		for (int k = 0; k < t.killers; k++)
			killed += t.killed[k];
		check(here > 0);
		check_int((int)died, t.deaths);
		check_int(killed, t.deaths);
	}
	pb_game_close(r->game, seat);
	pb_game_discard(r->game, world);
}

test(heat)
{
	struct pb_roomba_opts a = pb_roomba_defaults();
	struct pb_zumy_opts b = pb_zumy_defaults();

	check_heat("roomba", &a, "greedy");
	check_heat("zumy", &b, "astar");
	a.motion = PB_MOTION_DRIVE;
	b.motion = PB_ZUMY_DRIVE;
	check_heat("roomba", &a, "greedy");
	check_heat("zumy", &b, "astar");
}

/* What a table lists is found by its name, nothing else is, and it ends. */
#define CHECK_TABLE(type, rows, find)                            \
	do {                                                     \
		for (const type *p = rows; p->name != NULL; p++) \
			check(find(p->name) == p);               \
		check(rows[0].name != NULL);                     \
		check(!find("nobody") && !find(""));             \
	} while (0)

test(tables)
{
	const struct pb_rules *r;

	for (int i = 0; (r = pb_rules_at(i)); i++)
		check(pb_rules_find(r->game->name) == r);
	check_int(pb_rules_count(), 4);
	for (int i = 0; pb_localizer_at(i); i++)
		check(pb_localizer_find(pb_localizer_at(i)->name) ==
		      pb_localizer_at(i));
	check(pb_localizer_at(0) && !pb_localizer_at(-1));
	check(!pb_localizer_find("nobody") && !pb_localizer_find(""));
	CHECK_TABLE(struct pb_light, pb_lights, pb_light_find);
	CHECK_TABLE(struct pb_tune, pb_tunes, pb_tune_find);
	CHECK_TABLE(struct pb_gesture, pb_gestures, pb_gesture_find);
	CHECK_TABLE(struct pb_occasion, pb_occasions, pb_occasion_find);
}

/* Also where a sanitizer would stop at so large a request. */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static int forgotten;

static enum pb_status
learn_one(const void *world, const void *opts, void **model)
{
	(void)world;
	(void)opts;
	*model = &forgotten;
	return PB_OK;
}

static void
forget_one(void *model)
{
	check(model == &forgotten);
	forgotten++;
}

static size_t
too_much(const void *world, const void *opts, const void *model)
{
	(void)world;
	(void)opts;
	(void)model;
	return SIZE_MAX / 2;
}

/* What a player has learnt is forgotten once if he finds no memory. */
test(seat_without_memory)
{
	const struct pb_player p = {
	    .learn = learn_one, .forget = forget_one, .memory = too_much};
	struct pb_player_state t = {.player = &p};

	check_int(pb_player_load(&t, &pb_game_pacbot), PB_ENOMEM);
	pb_player_unload(&t, &pb_game_pacbot);
	check_int(forgotten, 1);
}
