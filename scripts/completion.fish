# completion.fish - completion of options and words for the pb tools in fish.
# The tools say themselves what they take. Source it, or put it where fish
# looks for completions of each tool.

for tool in pb-mapgen pb-pellets pb-score pb-ghost pb-localize pb-sim pb-bench
    command -q $tool; or continue
    $tool --dump-options | while read -d \t -l letter name arg kind value help
        set -l how -c $tool -l $name -d $help
        test $letter != -; and set how $how -s $letter
        if string match -q '*|*' -- $arg
            set how $how -x -a (string replace -a '|' ' ' -- $arg)
        else if test $arg != -
            set how $how -r
        end
        complete $how
    end
end
