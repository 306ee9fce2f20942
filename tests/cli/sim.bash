# sim.bash - records for pb-sim, and of it.

load common

setup() {
	here
	set -o pipefail
}

cmd() { # [T] NAME [VALUE]
	local t=
	case $1 in [0-9]*) t="\"t\":$1," && shift ;; esac
	echo "{\"type\":\"cmd\",$t\"name\":\"$1\"${2:+,\"value\":$2}}"
}
pellets() { # X,Y ...: ids from 3 on, every second number
	local i=3 list=
	for p in "$@"; do
		list="$list,{\"id\":$i,\"x\":${p%,*},\"y\":${p#*,}}"
		i=$((i + 2))
	done
	echo "{\"type\":\"pellets\",\"pellets\":[${list#,}]}"
}
box() { # ROW ...: a map of 0.1 m cells from its rows
	local rows=
	for r in "$@"; do rows="$rows,\"$r\""; done
	echo "{\"type\":\"map\",\"name\":\"box\",\"resolution\":0.1,\"width\":${#1},\"height\":$#,\"origin\":[0,0,0],\"rows\":[${rows#,}]}"
}
results() { jq -c 'select(.type == "result")' "$@"; }
states() { jq -r 'select(.type == "state").state' "$@" | uniq | tr '\n' ' '; }

# Status $1, nothing but the line $2 on stderr: of pb-sim -q ARG ... <$dir/in
refused() {
	local st=0 want=$1 line=$2
	shift 2
	pb-sim -q "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	echo "status $st: $(cat "$dir/err")"
	[ "$st" -eq "$want" ] && [ "$(cat "$dir/err")" = "pb-sim: $line" ]
	jq -e . "$dir/out" >/dev/null || [ ! -s "$dir/out" ]
}
