# completion.bash - completion of options and words for the pb tools in bash,
# and in zsh after "autoload bashcompinit && bashcompinit". The tools say
# themselves what they take, so this file never lags behind. Source it.

# What an option takes, as --dump-options has it; names that the tool can list
# as words.
_pb_argument() { # TOOL OPTION
	local name words
	IFS=$'\t' read -r name words < <("$1" --dump-options 2>/dev/null |
		awk -F '\t' -v OFS='\t' -v o="$2" \
			'"--" $2 == o || "-" $1 == o { print $2, $3 }')
	case $1:$name in
	*:method) words=$("$1" --list-methods | cut -f 1) ;;
	*:rules) words=$("$1" --list | cut -f 1 | sort -u) ;;
	*:policy) words=$("$1" --list | awk 'BEGIN { FS = "\t" } NF > 2 { print $2 }' |
		sort -u) ;;
	esac
	printf '%s' "${words//$'\n'/|}"
}

_pb_options() {
	local tool=$1 cur=$2 prev=$3 words
	COMPREPLY=()
	# "--option=value" comes as three words.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	# A value: the words that the option before takes, else a file.
	case $prev in
	-?*) words=$(_pb_argument "$tool" "$prev") ;;
	esac
	case $words in
	*'|'*)
		# "x,y|word": only the word can be completed.
		mapfile -t COMPREPLY < <(compgen -W "${words//|/ }" -X '*,*' \
			-- "$cur")
		return
		;;
	'' | -) ;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	esac
	case $cur in
	-*)
		words=$("$tool" --dump-options 2>/dev/null |
			awk -F '\t' '{ print "--" $2 }')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		;;
	*) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}
complete -F _pb_options pb-mapgen pb-pellets pb-score pb-ghost pb-localize \
	pb-sim pb-bench
