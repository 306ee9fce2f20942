// bot.js - plays boards: the nearest pellet or goal, well away from ghosts; pb-agents(7)
const steps = {up: [-1, 0], left: [0, -1], down: [1, 0], right: [0, 1]};
let maze;

// How a shortest way to a pellet or goal begins, more than berth cells from ghosts.
function way(rows, me, ghosts, berth) {
  const near = (r, c) =>
    ghosts.some((g) => Math.abs(r - g.row) + Math.abs(c - g.col) <= berth);
  const wall = (r, c, down, right) => // Roomba's are between cells
    maze.drawing && maze.drawing[2 * r + 1 + down][4 * c + 2 + 2 * right] !== ' ';
  const seen = new Set([me.row * 64 + me.col]);
  const queue = [{row: me.row, col: me.col}];
  for (const here of queue) {
    for (const [name, [down, right]] of Object.entries(steps)) {
      const row = here.row + down, col = here.col + right;
      const cell = rows[row]?.[col] ?? '#', first = here.first ?? name;
      if (cell === '#' || wall(here.row, here.col, down, right) ||
          seen.has(row * 64 + col) || near(row, col)) continue;
      if (cell !== ' ') return first;
      seen.add(row * 64 + col);
      queue.push({row, col, first});
    }
  }
}

// In Zumy only the maze has rows; in Roomba's mode "power" no ghost does harm.
function decide({rows = maze.rows, mode, bodies: [me, ...others]}) {
  const ghosts = others.filter((g) => g.mode !== 'frightened' && mode !== 'power');
  for (let berth = 4; berth >= -1; berth--) {
    const dir = way(rows, me, ghosts, berth);
    if (dir) return dir;
  }
  return 'stop';
}

const input = require('readline').createInterface({input: process.stdin});
input.on('line', (line) => {
  const record = JSON.parse(line);
  if (record.type === 'maze')
    maze = record;
  if (record.type === 'tick')
    console.log(JSON.stringify({type: 'move', dir: decide(record)}));
});
