#!/usr/bin/env bats
# security.bats - what a hostile file or peer can do, as pb.7 SECURITY says.
# Other sentences of it are tested where their subject is:
# forfeits of programs: programs.bats, fault.bats "an agent that floods";
# whole files or none: render.bats, rosout.bats, report.bats "whole or not";
# files read and written: fault.bats "no file is both";
# who is served, seats, pages: serve.bats;
# terminals: conventions.bats "nothing that was read speaks to the terminal";
# pages: report.bats, replay.bats "names are text"; formulas of CSV:
# bench-sweep.bats; limits: limits.bats.

load common

setup() { here; }

@test "results and records that name programs or files start and write none" {
	pb-bench -q -r pacbot -p greedy -n 2 |
		jq -c ".program = \"touch $dir/ran\" | .policy = \"touch ran\" |
		    .map = \"ran\"" >"$dir/r"
	pb-bench -q -f --table "$dir/r" >/dev/null
	pb-bench -q -f --csv "$dir/r" >/dev/null
	pb-bench -q -f --report "$dir/report.html" "$dir/r" >/dev/null
	pb-bench -q -r pacbot -p greedy -n 4 --resume "$dir/r" >/dev/null || true
	pb-sim -q -r pacbot -p greedy |
		jq -c ".program = \"touch $dir/ran\" | .file = \"$dir/ran\"" >"$dir/game"
	pb-mapgen -q --render -o "$dir/game.html" "$dir/game"
	[ ! -e "$dir/ran" ] && [ ! -e ran ]
}

@test "an image that a map names and that is none is refused and not shown" {
	echo 'root:secret:0' >"$dir/secret"
	printf 'image: %s\nresolution: 0.05\norigin: [0, 0, 0]\n' \
		"$dir/secret" >"$dir/m.yaml"
	for tool in pb-mapgen 'pb-mapgen --lint' 'pb-mapgen --info' 'pb-sim -p seed -m'; do
		run -1 $tool "$dir/m.yaml"
		[[ $output != *root* ]]
	done
}

@test "no socket is opened but by what is asked to use the network" {
	cat >"$dir/nosocket.c" <<-'END'
		#include <stdlib.h>
		#include <unistd.h>
		int
		socket(int domain, int type, int protocol)
		{
			(void)domain;
			(void)type;
			(void)protocol;
			if (write(2, "a socket\n", 9) < 0)
				exit(98);
			exit(99);
		}
	END
	cc -shared -fPIC -o "$dir/nosocket.so" "$dir/nosocket.c"
	pb-sim -q -p seed -m $flat -a >"$dir/game"
	without() { LD_PRELOAD=$dir/nosocket.so "$@" >"$dir/out" 2>"$dir/err"; }
	without pb-sim -q -p seed -m $flat -a
	without pb-sim -q -r roomba --swarm
	without pb-bench -q -j 2 -n 2 -p seed -m $flat --png "$dir/a.png"
	without pb-localize -q -m testdata/house.yaml testdata/house.log.gz
	without pb-mapgen -q --render -o "$dir/a.html" "$dir/game"
	without pb-score -q "$dir/game"
	# as it would be seen
	run -99 without pb-sim -q -r pacbot --serve 0
}
