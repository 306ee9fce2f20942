#!/usr/bin/env bats
# dqn.bats - a player that was trained, by weights that are made here.

load common

setup_file() {
	here
	make=$build/tests/unit/safetensors
	"$make" "$BATS_FILE_TMPDIR/a" 1
	"$make" "$BATS_FILE_TMPDIR/b" 2
	"$make" "$BATS_FILE_TMPDIR/odd" 3 4
}

setup() {
	here
	cd "$BATS_FILE_TMPDIR"
}

refuses() { # STATUS TEXT ARG...: one line, nothing on stdout
	local status=$1 text=$2
	shift 2
	run "-$status" --separate-stderr "$@"
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ "$stderr" == *"$text"* ]] || {
		echo "$stderr"
		false
	}
}

sim() { # ARG...: pb-sim of a short match
	pb-sim -q -r pacbot --set lives=1 "$@"
}

@test "the same weights and seed play the same match, whoever asks" {
	sim -p dqn --weights a,b -s 3 >one
	pb-bench -q -r pacbot -p dqn --weights a,b -s 3 -n 1 --set lives=1 >two
	key='select(.type == "result") | [.hash, .options, .weights, .constants]'
	cmp <(jq -c "$key" one) <(jq -c "$key" two)
	[ "$(jq -r 'select(.type == "result") | .policy' one)" = dqn ]
}

@test "a client plays by weights" {
	pb-sim --serve --listen 0 --referee --speed 8 2>said 3>&- &
	wait_until grep -q listening said
	pb-sim -q --client -p dqn --weights a,b --speed 8 --end-after 3 \
		--connect "$(sed -n 's/.*listening on //p' said)" |
		jq -e '.policy == "dqn" and .decisions > 0'
	kill $!
}

@test "threads do not matter, and weights are told apart" {
	for j in 1 4; do
		pb-bench -q -r pacbot -p dqn,greedy --weights a,b -n 4 -j $j \
			--set lives=1 >j$j
	done
	cmp j1 j4
	pb-bench -q -r pacbot -p dqn,greedy --weights b,a -n 4 --set lives=1 >other
	pb-bench -q --from j1 other --no-results >both
	# Two of dqn, one of greedy, whose results are the same with both.
	[ "$(jq -r 'select(.type == "summary") | .policy' both | sort |
		uniq -c | tr -s ' \n' ' ')" = " 2 dqn 1 greedy " ]
	# Of players twice, and of the two networks.
	[ "$(jq -s 'map(select(.type == "comparison") | has("than")) | sort' \
		-c both)" = "[false,false,true]" ]
	pb-bench -q -r pacbot -p greedy -n 4 --set lives=1 | grep '"result"' |
		cmp - <(grep '"policy":"greedy"' j1 | grep '"result"')
	pb-bench -q -r pacbot -p dqn --weights a,b -n 2 --set lives=1 \
		--resume kept --no-results >/dev/null
	pb-bench -q -r pacbot -p dqn --weights b,a -n 2 --set lives=1 \
		--resume kept --no-results | jq -e 'select(.n == 2)' >/dev/null
	[ "$(grep -c '"result"' kept)" -eq 4 ]
}

@test "weights and who plays by them come together" {
	refuses 2 '--policy: dqn plays by --weights' sim -p dqn
	refuses 2 '--policy: dqn plays by --weights' \
		pb-bench -r pacbot -p greedy,dqn -n 1
	refuses 2 '--weights: only for trained players: dqn' \
		sim -p greedy --weights a,b
	refuses 2 '--weights: only for trained players: dqn' \
		pb-bench -r pacbot -p greedy --weights a,b -n 1
	refuses 2 '--weights: only for trained players: dqn' \
		pb-sim -r roomba --weights a,b
	refuses 2 'of 2 files' sim -p dqn --weights a
	refuses 2 'of 2 files' sim -p dqn --weights a,b,a
	refuses 2 'at most 4 files' sim -p dqn --weights a,b,a,b,a
	refuses 2 'expected names of files' sim -p dqn --weights a,
	refuses 2 'with --from, only for --report' pb-bench --from --weights a,b
}

@test "what is no network of its kind is refused with file and tensor" {
	refuses 1 'odd: backbone.5.weight: missing;' \
		sim -p dqn --weights a,odd
	: >empty
	refuses 1 'empty: empty file' sim -p dqn --weights empty,b
	seq 1000 >text
	refuses 1 'text: not a safetensors file' sim -p dqn --weights a,text
	head -c 300000 a >cut
	refuses 1 'cut: backbone.' sim -p dqn --weights cut,b
	refuses 1 'none: cannot open' sim -p dqn --weights a,none
	refuses 1 '.: cannot read' sim -p dqn --weights a,.
	refuses 1 '<stdin>: empty file' sim -p dqn --weights a,- </dev/null
	sed 's/\[1,256\]/[256,1]/' a >shape
	refuses 1 'shape: value_head.0.weight: expected 1 x 256 numbers' \
		sim -p dqn --weights shape,b
	sed 's/"backbone.0.bias":{"dtype":"F32"/"backbone.0.bias":{"dtype":"F64"/' \
		a >dtype
	refuses 1 'dtype: backbone.0.bias.dtype: expected F32, got "F64"' \
		sim -p dqn --weights dtype,b
	# The last of the biases.
	{
		head -c -4 a
		printf '\000\000\300\177'
	} >nan
	refuses 1 'nan: advantage_head.0.bias: value 4 is no finite number' \
		sim -p dqn --weights nan,b
}

@test "published weights are known in the wrong order" {
	d=$OLDPWD/../shared/data/dqn
	[ -e "$d" ] || skip "no ../shared/data"
	refuses 2 'the other way round' sim -p dqn \
		--weights "$d/endgame.safetensors,$d/q_net.safetensors"
	sim -p dqn --weights "$d/q_net.safetensors,$d/q_net.safetensors" |
		grep -q '"policy":"dqn"'
}

@test "nothing is left to say when the reader has gone" {
	run -0 --separate-stderr bash -c \
		'pb-bench -q -r pacbot -p dqn --weights a,b -n 50 | head -n 1'
	[ -z "$stderr" ]
}
