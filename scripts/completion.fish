# completion.fish - completion of options and words for the pb tools in fish.
# The tools say themselves what they take. Source it, or put it where fish
# looks for completions of each tool.

# The constants that --set takes with what is before it on the command line.
function __pb_constants
    set -l words (commandline -opc)
    set -e words[1 -1]
    $argv[1] $words --dump-constants 2>/dev/null | while read -d \t -l name value unit range help
        printf '%s=\t%s\n' $name $help
    end
end

# The players of the rule sets that -r has, without it all.
function __pb_players
    set -l words (commandline -opc)
    set -l rules
    if set -l i (contains -i -- -r $words; or contains -i -- --rules $words)
        set rules (string split , -- $words[(math $i + 1)])
    end
    $argv[1] --list | while read -d \t -l name player summary
        test -z "$summary"; and continue
        test -z "$rules"; or contains -- $name $rules; and echo $player
    end | sort -u
end

for tool in pb-mapgen pb-pellets pb-score pb-ghost pb-localize pb-sim pb-bench
    command -q $tool; or continue
    $tool --dump-options | while read -d \t -l letter name arg kind value help
        set -l how -c $tool -l $name -d $help
        test $letter != -; and set how $how -s $letter
        if contains $name set vary
            # With what was chosen on the command line.
            set how $how -x -a "(__pb_constants $tool)"
        else if test $name = method
            set how $how -x -a "($tool --list-methods)"
        else if test $name = rules
            set how $how -x -a "($tool --list | cut -f 1 | sort -u)"
        else if test $name = policy
            set how $how -x -a "(__fish_complete_list , '__pb_players $tool')"
        else if string match -q '*|*' -- $arg
            # "x,y|word": only the word can be completed.
            set how $how -x -a (string split '|' -- $arg | string match -v '*,*' | string join ' ')
        else if test $arg != -
            set how $how -r
        end
        complete $how
    end
end
