# completion.bash - completion of options and words for the pb tools in bash,
# and in zsh after "autoload bashcompinit && bashcompinit". The tools say
# themselves what they take, so this file never lags behind. Source it.

_pb_options() {
	local tool=$1 cur=$2 prev=$3 words
	COMPREPLY=()
	# A value: the words that the option before takes, else a file.
	case $prev in
	--*) words=$("$tool" --dump-options 2>/dev/null |
		awk -F '\t' -v o="${prev#--}" '$2 == o { print $3 }') ;;
	-?) words=$("$tool" --dump-options 2>/dev/null |
		awk -F '\t' -v o="${prev#-}" '$1 == o { print $3 }') ;;
	esac
	case $words in
	*'|'*)
		mapfile -t COMPREPLY < <(compgen -W "${words//|/ }" -- "$cur")
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
