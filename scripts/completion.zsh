#compdef pb-mapgen pb-pellets pb-score pb-ghost pb-localize pb-sim pb-bench
# completion.zsh - the answers of the completion for bash, given to zsh: a
# file of site-functions.
_pb() {
	local prev=${words[CURRENT-1]}
	local -a COMPREPLY COMP_WORDS=("${words[@]}")

	if (( ! $+functions[_pb_options] )); then
		complete() { }
		source "@PREFIX@/@BASHCOMP@/pb-sim"
		unfunction complete
	fi
	if [[ $PREFIX == --*=* ]]; then
		prev=${PREFIX%%=*}
		compset -P '*='
	fi
	_pb_options "${words[1]}" "$PREFIX" "$prev"
	compadd -a COMPREPLY || _files
}
_pb "$@"
