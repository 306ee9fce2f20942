#!/usr/bin/env bats
# scripts/gate.sh: whether safe is below a simpler player anywhere.

load common

setup() { here; }

@test "the gate plays its maps and mine, and sums up" {
	command -v jq >/dev/null || skip "no jq"
	run -0 scripts/gate.sh -n 2 -g 1 -m testdata/flat.jsonl
	[[ "${lines[0]}" == map*safe*seed*nearest*late ]]
	[[ "${lines[1]}" == "flat "*" 0.2 "*"0.035 "*" to "* ]]
	[ "${lines[-1]}" = "12 cells, below in 0" ]
	[ ${#lines[@]} -eq 14 ]
	run -2 scripts/gate.sh -g few
	run -2 scripts/gate.sh -x
	run -3 scripts/gate.sh -n 1 -g 0 -m /dev/null
}

# By hand: of two cells with p = 0.01 and 0.03, the latter beside another whose
# safe is ahead, Holm keeps the first: 3 x 0.01 < 0.05 < 2 x 0.03.
@test "the gate says where safe is below by more than chance" {
	command -v jq >/dev/null || skip "no jq"
	mkdir "$dir/bin"
	cat >"$dir/bin/pb-bench" <<'END'
#!/bin/sh
row() { # CELL POLICY RATE
	echo '{"type":"summary","map":"m","map_hash":"h","options":"'"$1"'",' \
		'"constants":{"v-max":0.'"$1"',"pose-noise":0.2},' \
		'"policy":"'"$2"'","rate":'"$3"',"lo":0,"hi":1}'
}
pair() { # CELL FIRST SECOND ONLY_FIRST ONLY_SECOND P
	echo '{"type":"comparison","map":"m","options":"'"$1"'",' \
		'"first":"'"$2"'","second":"'"$3"'","only_first":'"$4"',' \
		'"only_second":'"$5"',"p":'"$6"'}'
}
for cell in 1 2; do
	row $cell safe 0.5
	row $cell seed 1
	row $cell nearest 0.25
done
pair 1 seed safe 9 1 0.01
pair 2 safe seed 1 7 0.03
pair 2 nearest safe 1 8 0.04
for p in safe seed; do
	echo '{"type":"result","map":"m","options":"1","trial":0,' \
		'"policy":"'$p'","outcome":"timeout","success":'$([ $p = safe ] &&
		echo false || echo true)'}'
done
END
	chmod +x "$dir/bin/pb-bench"
	PATH=$dir/bin:$PATH run -1 scripts/gate.sh -g 0
	[[ "${lines[1]}" == "m "*" 0.1 "*" 0.2 "*"50 (0 to 100)"*" 1 below" ]]
	[[ "${lines[2]}" == "m "*" 0.2 "*" 0.2 "*" 0 " ]]
	[ "${lines[3]}" = "2 cells, below in 1" ]
}
