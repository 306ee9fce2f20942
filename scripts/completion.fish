# completion.fish - completion of options and words for the pb tools in fish.
# The tools say themselves what they take. Source it, or put it where fish
# looks for completions of each tool.

# The constants that --set takes with the rest of the command line.
function __pb_constants
    set -l words (commandline -opc)
    $argv[1] $words[2..] --dump-constants 2>/dev/null | while read -d \t -l name value unit range help
        printf '%s=\t%s\n' $name $help
    end
end

for tool in pb-mapgen pb-pellets pb-score pb-ghost pb-localize pb-sim pb-bench
    command -q $tool; or continue
    $tool --dump-options | while read -d \t -l letter name arg kind value help
        set -l how -c $tool -l $name -d $help
        test $letter != -; and set how $how -s $letter
        if test $name = set
            # With what was chosen on the command line.
            set how $how -x -a "(__pb_constants $tool)"
        else if test $name = method
            set how $how -x -a "($tool --list-methods)"
        else if test $name = rules
            set how $how -x -a "($tool --list | cut -f 1 | sort -u)"
        else if test $name = policy
            set -l players "$tool --list | awk -F \\t 'NF > 2 { print \\\$2 }' | sort -u"
            set how $how -x -a "(__fish_complete_list , \"$players\")"
        else if string match -q '*|*' -- $arg
            # "x,y|word": only the word can be completed.
            set how $how -x -a (string split '|' -- $arg | string match -v '*,*' | string join ' ')
        else if test $arg != -
            set how $how -r
        end
        complete $how
    end
end
