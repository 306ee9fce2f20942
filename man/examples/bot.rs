// bot.rs - plays Pacbot: the nearest pellet, well away from ghosts; pb-agents(7)
use std::{collections::{HashMap, VecDeque}, io};

type Cell = (i32, i32);
const STEPS: [(&str, Cell); 4] = [("up", (-1, 0)), ("left", (0, -1)), ("down", (1, 0)), ("right", (0, 1))];

/// How a shortest way to a pellet begins, more than `berth` cells from ghosts.
fn way(rows: &[&str], me: Cell, ghosts: &[Cell], berth: i32) -> Option<&'static str> {
    let mut first = HashMap::from([(me, "stop")]);
    let mut queue = VecDeque::from([me]);
    while let Some(here) = queue.pop_front() {
        for (name, (down, right)) in STEPS {
            let to = (here.0 + down, here.1 + right);
            let cell = rows.get(to.0 as usize).and_then(|r| r.as_bytes().get(to.1 as usize)).unwrap_or(&b'#');
            let near = ghosts.iter().any(|g| (to.0 - g.0).abs() + (to.1 - g.1).abs() <= berth);
            if near || *cell == b'#' || first.contains_key(&to) { continue; }
            let begin = if here == me { name } else { first[&here] };
            if *cell != b' ' { return Some(begin); }
            first.insert(to, begin);
            queue.push_back(to);
        }
    }
    None
}

fn number(text: &str, key: &str) -> i32 {
    text.split(key).nth(1).unwrap().split([',', '}']).next().unwrap().parse().unwrap()
}

fn main() {
    for line in io::stdin().lines().map_while(Result::ok).filter(|l| l.contains(r#""type":"tick""#)) {
        let rows = line.split(r#""rows":[""#).nth(1).unwrap().split(r#""]"#).next().unwrap();
        let rows: Vec<&str> = rows.split(r#"",""#).collect();
        let cell = |b: &str| (number(b, r#""row":"#), number(b, r#""col":"#));
        let bodies: Vec<&str> = line.split(r#"{"id":"#).skip(1).collect();
        let ghosts: Vec<Cell> = bodies[1..].iter().filter(|b| !b.contains("frightened")).map(|b| cell(b)).collect();
        let dir = (-1..=4).rev().find_map(|berth| way(&rows, cell(bodies[0]), &ghosts, berth));
        println!(r#"{{"type":"move","dir":"{}"}}"#, dir.unwrap_or("stop"));
    }
}
