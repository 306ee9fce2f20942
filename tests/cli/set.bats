#!/usr/bin/env bats
# set.bats - constants by --set: names, values, files, listings.

load common

setup() { here; }

# What a command says on stderr, and its status.
said() {
	local st=0
	"$@" </dev/null 2>&1 >"$dir/out" || st=$?
	echo "status $st"
	[ ! -s "$dir/out" ] || echo "stdout"
}

@test "constants are set by words, by files, in their order" {
	m() { pb-mapgen random-house "$@" | jq -r .rows[] | cksum; }
	a=$(m --set 'door=0.7 furniture=1')
	[ "$a" != "$(m)" ]
	[ "$a" = "$(m --set door=0.7 --set furniture=1)" ]
	[ "$a" = "$(m --set 'door=1.2 furniture=1' --set door=0.7)" ]
	printf '# of a house\n\ndoor=0.7 # narrow\r\n\tfurniture=1' >"$dir/conf"
	[ "$a" = "$(m --set "@$dir/conf")" ]
	[ "$(m --set door=0.9 --set "@$dir/conf" --set furniture=0.25)" = \
		"$(m --set door=0.7)" ]
	[ "$a" = "$(m --set @- <"$dir/conf")" ]
}

@test "what is no constant is refused in one line, by whose it is" {
	while IFS='	' read -r want command; do
		# shellcheck disable=SC2086 # words
		[ "$(said $command)" = "${command%% *}: $want
status 2" ] || { said $command; false; }
	done <<-'END'
		--door is not an option but a constant: --set door=1	pb-mapgen random-house --door 1
		--door is not an option but a constant: --set door=1	pb-mapgen random-house --door=1
		--set: door: a constant of random houses, not of random mazes	pb-mapgen random-maze --set door=1
		--set: doors: no constant of random houses; did you mean "door"?	pb-mapgen random-house --set doors=1
		--set: bin: no constant of the method mcl; did you mean "mcl-bin"?	pb-localize -a mcl --set bin=1
		--set: zzzz: no constant of clyde; see --help constants	pb-ghost --set zzzz=1
		--set: mcl-bin: a constant of the method mcl, not of the method odom	pb-localize -a odom --set mcl-bin=1
		--set: seed: an option, not a constant: --seed	pb-ghost --set seed=1
		--set: door: expected a number from 0.6 to 1.5, got "9"	pb-mapgen random-house --set door=9
		--set: protocol: expected one of global|track|kidnap, got "x"	pb-bench -r localize -p mcl -m testdata/house.yaml --set protocol=x
		--set: expected NAME=VALUE without blanks or unit, got "door"	pb-mapgen random-house --set door
		--set: expected NAME=VALUE without blanks or unit, got "=1"	pb-mapgen random-house --set =1
		--set: expected a file's name behind @	pb-mapgen random-house --set @
		--vary: lives: given twice; list all values in one --vary	pb-bench -r pacbot --vary lives=1 --vary lives=2
		--speed is not an option but a constant: --set v-max=0.3	pb-bench -m testdata/house.yaml --speed 0.3
		--set: /dev/zero: larger than 262144 bytes, the most for a file of constants	pb-ghost --set @/dev/zero
		--set: /nowhere/x: cannot open: No such file or directory	pb-ghost --set @/nowhere/x
		--set: mirror: has no effect here, only with source random-maze	pb-mapgen random-zumy --set mirror=no
	END
	printf 'door=1\n\ncut=2\n' >"$dir/conf"
	[ "$(said pb-mapgen random-house --set "@$dir/conf")" = \
		"pb-mapgen: $dir/conf:3: cut: expected a number from 0 to 1, got \"2\"
status 2" ]
	printf 'door=1\0' >"$dir/conf"
	[[ "$(said pb-mapgen random-house --set "@$dir/conf")" == \
		*"conf: expected a text, got a zero byte"* ]]
	st=0
	yes door=1 | timeout 20 pb-mapgen random-house --set @- 2>"$dir/err" || st=$?
	[ $st -eq 2 ]
	[ "$(wc -l <"$dir/err")" -eq 1 ]
}

@test "--dump-constants lists what was chosen, --help constants shows it" {
	pb-localize -a mcl --dump-constants >"$dir/list"
	[ "$(awk -F '\t' 'NF != 5' "$dir/list" | wc -l)" -eq 0 ]
	grep -q "^mcl-bin	0.25	m	0.01..100	" "$dir/list"
	! grep -q fuse "$dir/list"
	pb-localize -a mcl --set mcl-bin=0.5 --dump-constants |
		grep -q "^mcl-bin	0.5	m	0.01..100	"
	pb-localize --help constants -a mcl >"$dir/help"
	grep -q '^  mcl-bin=0.25 m ' "$dir/help"
	[ "$(wc -L <"$dir/help")" -le 80 ]
	# All of them at once, as they are, are as good as none.
	cut -f 1,2 "$dir/list" | tr '\t' = >"$dir/conf"
	log=testdata/house.log.gz
	pb-localize -a mcl -m testdata/house.yaml $log >"$dir/a"
	pb-localize -a mcl -m testdata/house.yaml --set "@$dir/conf" $log |
		cmp - "$dir/a"
}
