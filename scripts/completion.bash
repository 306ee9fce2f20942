# completion.bash - completion of options and words for the pb tools in bash,
# and in zsh after "autoload bashcompinit && bashcompinit". The tools say
# themselves what they take, so this file never lags behind. Source it.

# Answer with the words that begin with CUR, or with what is behind its last
# comma, and are not in it yet. Those with a comma are patterns of values, which
# nobody can complete.
_pb_words() { # CUR WORD ...
	local cur=$1 word list=
	shift
	case $cur in
	*,*) list=${cur%,*}, ;;
	esac
	cur=${cur##*,}
	for word in "$@"; do
		case $word in
		*,* | *..*) ;;
		"$cur"*)
			case ,$list in
			*",$word,"*) ;;
			*) COMPREPLY+=("$list$word") ;;
			esac
			;;
		esac
	done
}

# The rule sets of the command line, as -r has them; none: it has no -r.
_pb_rules() {
	local i
	for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
		case ${COMP_WORDS[i]} in
		-r | --rules)
			[ "${COMP_WORDS[i + 1]}" != = ] || ((i++))
			printf '%s' "${COMP_WORDS[i + 1]}"
			;;
		esac
	done
}

# What an option takes, as --dump-options has it; names that the tool can list
# as words.
_pb_argument() { # TOOL OPTION
	local name words
	IFS=$'\t' read -r name words < <("$1" --dump-options 2>/dev/null |
		awk -F '\t' -v OFS='\t' -v o="$2" \
			'"--" $2 == o || "-" $1 == o { print $2, $3 }')
	case $name in
	method) words=$("$1" --list-methods | cut -f 1) ;;
	rules) words=$("$1" --list | cut -f 1 | sort -u) ;;
	policy) words=$("$1" --list | awk -F '\t' -v r=",$(_pb_rules)," \
		'NF > 2 && (r == ",," || index(r, "," $1 ",")) { print $2 }' |
		sort -u) ;;
	esac
	printf '%s' "${words//$'\n'/|}"
}

# The constants that --set and --vary take with the rest of the command line, or
# with a name of one what it takes.
_pb_constants() { # TOOL [NAME]
	local i word chosen=()
	for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
		case ${COMP_WORDS[i]} in
		-[rpabg] | --rules | --policy | --method | --behaviour | \
			--localizer | --motion | --sensors)
			word=${COMP_WORDS[i + 1]}
			[ "$word" != = ] || word=${COMP_WORDS[i + 2]}
			chosen+=("${COMP_WORDS[i]}" "$word")
			;;
		--from-log | --slam | --trajectory | random-*)
			chosen+=("${COMP_WORDS[i]}") ;;
		esac
	done
	"$1" "${chosen[@]}" --dump-constants 2>/dev/null |
		awk -F '\t' -v name="${2-}" 'name == $1 { print $4 }
			name == "" { print $1 "=" }' | paste -sd '|' -
}

_pb_sets() { [ "$1" = --set ] || [ "$1" = --vary ]; }

# Where there is no answer, the shell completes names of files.
_pb_options() {
	local tool=$1 cur=$2 prev=$3 words=
	COMPREPLY=()
	# "--option=value" and "--set name=value" come as three words.
	if [ "$cur" = "=" ] && _pb_sets "${COMP_WORDS[COMP_CWORD - 2]-}"; then
		words=$(_pb_constants "$tool" "$prev")
		cur=
	elif [ "$prev" = "=" ] && _pb_sets "${COMP_WORDS[COMP_CWORD - 3]-}"; then
		words=$(_pb_constants "$tool" "${COMP_WORDS[COMP_CWORD - 2]}")
	elif [ "$cur" = "=" ]; then
		cur=
	elif [ "$prev" = "=" ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case $prev in
	--set | --vary)
		words=$(_pb_constants "$tool")'|'
		compopt -o nospace 2>/dev/null || :
		;;
	-?*) words=$(_pb_argument "$tool" "$prev") ;;
	esac
	case $words in
	'' | -)
		case $cur in
		-*) words=$("$tool" --dump-options 2>/dev/null | cut -f 2 |
			sed 's/^/--/' | paste -sd '|' -) ;;
		esac
		;;
	esac
	case $words in
	*'|'*)
		local IFS='|'
		# shellcheck disable=SC2046,SC2086 # zsh splits only this
		_pb_words "$cur" $(printf '%s' "$words")
		;;
	esac
}
complete -o default -F _pb_options pb-mapgen pb-pellets pb-score pb-ghost \
	pb-localize pb-sim pb-bench
