/* bot.c - plays Pacbot: the nearest pellet, away from ghosts; pb-agents(7) */
/* clang-format off */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const word[] = {"up", "left", "down", "right", "stop"};
static const int step[] = {-64, -1, 64, 1}; /* cell (row, col) is 64 row + col */
static char line[65536], cells[4160], *const board = cells + 64;
static int body[16], bodies; /* the player, then those ghosts that kill */

/* How a shortest way to a pellet begins, more than berth cells from ghosts. */
static int way(int berth) {
	int queue[4096] = {body[0]}, first[4096] = {0}, n = 1;
	for (int i = 0; i < n; i++)
		for (int d = 0; d < 4; d++) {
			int to = queue[i] + step[d], shut = board[to] == '#' || first[to] || to == body[0];
			for (int g = 1; g < bodies && !shut; g++)
				shut = abs(to / 64 - body[g] / 64) + abs(to % 64 - body[g] % 64) <= berth;
			if (shut) continue;
			first[queue[n++] = to] = i == 0 ? d + 1 : first[queue[i]];
			if (board[to] != ' ') return first[to] - 1;
		}
	return 4;
}

int main(void) {
	while (fgets(line, sizeof(line), stdin)) {
		int n, row, col, move = 4, r = 0;
		char *s = strstr(line, "\"rows\":[\""), mode[16] = "";
		if (!s || !strstr(line, "\"type\":\"tick\"")) continue;
		memset(cells, '#', sizeof(cells));
		for (s += 9; n = strcspn(s, "\""), memcpy(board + 64 * r++, s, n), s[n + 1] == ','; s += n + 3);
		for (bodies = 0; (s = strstr(s, "\"row\":")); s++)
			if (sscanf(s, "\"row\":%d,\"col\":%d,\"dir\":\"%*[a-z]\",\"mode\":\"%15[a-z]",
			    &row, &col, mode) == 2 || strcmp(mode, "frightened")) body[bodies++] = 64 * row + col;
		for (int berth = 4; berth >= -1 && move == 4; berth--) move = way(berth);
		if (printf("{\"type\":\"move\",\"dir\":\"%s\"}\n", word[move]) < 0 || fflush(stdout)) return 1;
	}
}
