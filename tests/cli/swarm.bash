# swarm.bash - games of a process for each robot.

load common

setup() {
	here
	export TMPDIR=$dir
}

swarm() { timeout 60 scripts/swarm.sh "$@"; }

# GAME OPTION ...: the swarm plays the game that pb-sim plays.
same() {
	pb-sim -r "$@" >"$dir/one"
	swarm "$@" | cmp - "$dir/one"
}
