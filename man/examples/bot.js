// bot.js - plays Pacbot: the nearest pellet, well away from ghosts; pb-agents(7)
const steps = {up: [-1, 0], left: [0, -1], down: [1, 0], right: [0, 1]};

// How a shortest way to a pellet begins, more than berth cells from ghosts.
function way(rows, me, ghosts, berth) {
  const near = (r, c) =>
    ghosts.some((g) => Math.abs(r - g.row) + Math.abs(c - g.col) <= berth);
  const seen = new Set([me.row * 64 + me.col]);
  const queue = [{row: me.row, col: me.col}];
  for (const here of queue) {
    for (const [name, [down, right]] of Object.entries(steps)) {
      const row = here.row + down, col = here.col + right;
      const cell = rows[row]?.[col] ?? '#', first = here.first ?? name;
      if (cell === '#' || seen.has(row * 64 + col) || near(row, col)) continue;
      if (cell !== ' ') return first;
      seen.add(row * 64 + col);
      queue.push({row, col, first});
    }
  }
}

function decide({rows, bodies: [me, ...others]}) {
  const ghosts = others.filter((g) => g.mode !== 'frightened');
  for (let berth = 4; berth >= -1; berth--) {
    const dir = way(rows, me, ghosts, berth);
    if (dir) return dir;
  }
  return 'stop';
}

// Nothing is remembered from tick to tick, so maze and reset say nothing new.
const input = require('readline').createInterface({input: process.stdin});
input.on('line', (line) => {
  const tick = JSON.parse(line);
  if (tick.type === 'tick')
    console.log(JSON.stringify({type: 'move', dir: decide(tick)}));
});
