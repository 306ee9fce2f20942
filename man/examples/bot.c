/* bot.c - plays boards: the nearest pellet or goal, away from ghosts */
/* clang-format off */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const word[] = {"up", "left", "down", "right", "stop"};
static const int step[] = {-64, -1, 64, 1}; /* cell (row, col) is 64 row + col */
static char line[65536], cells[4160], *const board = cells + 64;
static char drawing[160][320]; /* of Roomba's maze, whose walls are between cells */
static int body[16], bodies; /* the player, then those ghosts that kill */

/* How a shortest way to a pellet or goal begins, more than berth cells from ghosts. */
static int way(int berth) {
	int queue[4096] = {body[0]}, first[4096] = {0}, n = 1;
	for (int i = 0; i < n; i++)
		for (int d = 0; d < 4; d++) {
			int at = queue[i], to = at + step[d];
			int shut = board[to] == '#' || first[to] || to == body[0];
			char wall = drawing[at / 64 * 2 + 1 + step[d] / 64][at % 64 * 4 + 2 + step[d] % 64 * 2];
			for (int g = 1; g < bodies && !shut; g++)
				shut = abs(to / 64 - body[g] / 64) + abs(to % 64 - body[g] % 64) <= berth;
			if (shut || wall == '-' || wall == '|') continue;
			first[queue[n++] = to] = i == 0 ? d + 1 : first[at];
			if (board[to] != ' ') return first[to] - 1;
		}
	return 4;
}

/* The strings of a list, each n bytes behind the one before. */
static void keep(const char *key, char *to, int n) {
	char *s = strstr(line, key);
	if (!s) return; /* a tick of Zumy, whose maze alone has rows */
	memset(to, '#', 64 * n);
	for (s += strlen(key); *s == '"'; to += n, s += strcspn(s, "\"") + 1, s += *s == ',')
		s++, memcpy(to, s, strcspn(s, "\""));
}

int main(void) {
	memset(cells, '#', sizeof(cells));
	while (fgets(line, sizeof(line), stdin)) {
		int row, col, move = 4;
		char *s = strstr(line, "\"bodies\":["), mode[16] = "";
		keep("\"rows\":[", board, 64);
		keep("\"drawing\":[", drawing[0], 320);
		if (!s || !strstr(line, "\"type\":\"tick\"")) continue;
		for (bodies = 0; (s = strstr(s, "\"row\":")); s++)
			if (sscanf(s, "\"row\":%d,\"col\":%d,\"dir\":\"%*[a-z]\",\"mode\":\"%15[a-z]",
			    &row, &col, mode) == 2 || (strcmp(mode, "frightened") &&
			    !strstr(line, "\"mode\":\"power\""))) body[bodies++] = 64 * row + col;
		for (int berth = 4; berth >= -1 && move == 4; berth--) move = way(berth);
		if (printf("{\"type\":\"move\",\"dir\":\"%s\"}\n", word[move]) < 0 || fflush(stdout)) return 1;
	}
}
