# bot.awk - plays Pacbot: the nearest pellet, well away from ghosts; pb-agents(7)
# gawk -f bot.awk, or mawk -W interactive -f bot.awk
function number(text, key) { return substr(text, index(text, "\"" key "\":") + length(key) + 3) + 0 }

function near(r, c, berth,   g) {
	for (g = 1; g <= ghosts; g++)
		if ((r > y[g] ? r - y[g] : y[g] - r) + (c > x[g] ? c - x[g] : x[g] - c) <= berth)
			return 1
	return 0
}

# How a shortest way to a pellet begins, more than berth cells from ghosts.
function way(row, col, berth,   first, qr, qc, n, i, d, r, c, cell) {
	first[row, col] = "stop"; qr[n = 1] = row; qc[1] = col
	for (i = 1; i <= n; i++)
		for (d = 1; d <= 4; d++) {
			r = qr[i] + (d == 3) - (d == 1); c = qc[i] + (d == 4) - (d == 2)
			cell = substr(line[2 * r + 2], c + 1, 1) # none: outside
			if (cell !~ /[.o ]/ || (r, c) in first || near(r, c, berth)) continue
			first[r, c] = i == 1 ? word[d] : first[qr[i], qc[i]]
			if (cell != " ") return first[r, c]
			qr[++n] = r; qc[n] = c
		}
}

BEGIN { split("up left down right", word) }
/"type":"tick"/ {
	rows = substr($0, index($0, "\"rows\":[") + 8)
	split(substr(rows, 1, index(rows, "]")), line, "\"")
	n = split($0, body, /\{"id":"/); ghosts = 0
	for (i = 3; i <= n; i++)
		if (body[i] !~ /"frightened"/) {
			y[++ghosts] = number(body[i], "row"); x[ghosts] = number(body[i], "col")
		}
	for (berth = 4; berth >= -1; berth--)
		if (move = way(number(body[2], "row"), number(body[2], "col"), berth)) break
	printf "{\"type\":\"move\",\"dir\":\"%s\"}\n", move ? move : "stop"; fflush()
}
