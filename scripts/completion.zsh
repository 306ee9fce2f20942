#compdef pb-mapgen pb-pellets pb-score pb-ghost pb-localize pb-sim pb-bench
# completion.zsh - the completion of bash, for zsh: installed as a file of
# site-functions, it reads the one for bash beside it.
autoload -Uz bashcompinit && bashcompinit
source "@PREFIX@/@BASHCOMP@/pb-sim"
_bash_complete -o default -F _pb_options
