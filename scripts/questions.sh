#!/bin/sh
# questions.sh [BUILDDIR] - what users ask, each with the page and a regular
# expression of a line that answers it, as in man(1) on 78 columns: print
# question, page and line. Status 1 if a question has no line any more.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 3
O=${1:-build}
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT

while IFS='|' read -r page regex question; do
	[ -e "$dir/$page" ] || mandoc -T ascii -O width=78 "$O/man/$page" |
		sed 's/.'"$(printf '\b')"'//g' >"$dir/$page"
	line=$(grep -nE -e "$regex" "$dir/$page" | head -n 1)
	[ -n "$line" ] || touch "$dir/failed"
	echo "$question $page:${line%%:*}:$(echo "${line#*:}" | tr -s ' ')"
done <<'END'
pb-pacmanbot.7|top speed of the robot|How do I set the robot's top speed?
pb-localize.1|"ambiguous" if several places fit|What does ambiguous mean?
pb-bench.1|same seed and number are paired|How are trials paired?
pb-records.5|pose of the scanner on the robot|Which lidar mount is assumed?
pb-ros.7|say where the scanner is|How do I tell where my scanner is mounted?
pb-bench.1|how many trials would show|How many trials do I need?
pb-bench.1|Clopper and Pearson|Which intervals are these?
pb-bench.1|exact McNemar|Which test compares two players?
pb-bench.1|^ +--baseline file|How do I compare with last week's run?
pb.7|^ +4 +pb-bench|What does exit status 4 mean?
pb.7|metres, seconds, radians|Which units have lengths and angles?
pb.7|cells of a map, without --max-cells|How large may a map be?
pb-sim.1|trial n of a benchmark again|How do I play one trial of a benchmark again?
pb-sim.1|--play +Steer Pac-Man|How do I play myself?
pb-agents.7|program in any language|In which language may my bot be?
pb-agents.7|--patience seconds|How long may my bot think?
pb-pacbot.7|--serve --listen 3002|How do I run the competition's server?
pb-pacbot.7|without --trust it trusts|Who may command my server?
pb-pacmanbot.7|within pickup-radius|When is a pellet collected?
pb-pacmanbot.7|clyde-speed=|How do I make Clyde faster?
pb-results.5|^ +unreachable |Why was a round unreachable?
pb-ros.7|pb-localize drive.mcap|How do I localize a robot in a rosbag?
pb-ros.7|stopped when no pose came|What happens when no pose comes any more?
pb-localizers.7|mcl-particles=|How many particles has mcl?
pb-records.5|share, 0 to 1, of the beams|What is the fit of a pose?
pb-mapgen.1|gray 205|Which gray is unknown?
pb-mapgen.1|--render -o game.html|How do I show a game to somebody without pb?
pb-slam.7|more than 0.15 m|Why does --slam refuse my map?
pb-evaluate.7|paired with the true pose|How are poses matched with ground truth?
pb-env.7|Gymnasium|Does it work with Gymnasium?
END
[ ! -e "$dir/failed" ]
