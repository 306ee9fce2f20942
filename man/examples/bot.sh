# bot.sh - plays Pacbot in plain sh(1): never turns back unless it must, goes where
# it sees a pellet, else by lot, but not towards a ghost nearby; pb-agents(7)
number() { n=${1#*"\"$2\":"} n=${n%%[!0-9]*}; } # TEXT KEY: n

avoid() { # GHOST: its directions are shut if it is near
	number "$1" row; y=$((n - row)); number "$1" col; x=$((n - col))
	[ $((x * x + y * y)) -lt 36 ] || return 0
	[ $y -ge 0 ] || up='#'; [ $y -le 0 ] || down='#'
	[ $x -ge 0 ] || left='#'; [ $x -le 0 ] || right='#'
}

decide() { # TICK
	rows=${1#*'"rows":['} rows=${rows%%]*} bodies=${1#*'"bodies":['}
	number "$bodies" row; row=$n; number "$bodies" col; col=$n
	up='' down='' r=0 m='?' IFS=, pellets='' ways=''
	while [ ${#m} -le "$col" ]; do m="$m?"; done # any cells to the left
	for cells in $rows; do
		end=${cells#$m} cell=${end%"${end#?}"} r=$((r + 1))
		if [ $r -le "$row" ]; then up=$cell$up
		elif [ $r -gt $((row + 1)) ]; then down=$down$cell
		else left=${cells%"$end"} right=${end#?}; fi
	done
	while bodies=${bodies#*\}}; [ "${bodies#*\{}" != "$bodies" ]; do
		case ${bodies%%\}*} in *frightened*) ;; *) avoid "$bodies" ;; esac
	done
	for way in "up:$up" "left:${left##*#}" "down:$down" "right:$right"; do
		view=${way#*:} view=${view%%#*} way=${way%%:*}
		case $way:$view in "$way:" | "$back":*) ;; *:*[.o]*) pellets=$pellets,$way ;; *) ways=$ways,$way ;; esac
	done
	set -- ${pellets:-${ways:-,$back}}; shift
	lot=$(((lot * 25173 + 13849) % 65536)); shift $((lot * $# / 65536))
	case $1 in up) back=down ;; down) back=up ;; left) back=right ;; right) back=left ;; esac
	echo "{\"type\":\"move\",\"dir\":\"$1\"}"
}

while read -r line; do
	case $line in *'"type":"tick"'*) decide "$line" ;;
	*'"type":"reset"'*) number "$line" seed; lot=$((n % 65536)) back=stop ;; esac
done
