# shellcheck shell=bash
# constants.sh - for scripts that measure builds of different ages: the same
# constant is an option of an older tool and goes behind --set in a newer one.

# The options that set constants.
#
# Given    $1   the tool
#          ...  NAME=VALUE
# Writes   words for its command line. compat=published is "yes" where the
#          option knows no other word.
constants() {
	local tool=$1 options set kind name value
	shift
	options=$("$tool" --dump-options)
	for set; do
		name=${set%%=*} value=${set#*=}
		kind=$(awk -F '\t' -v n="$name" '$2 == n { print $3; exit }' \
		    <<<"$options")
		case $kind,$value in
		,*) printf ' --set %s' "$set" ;;
		'yes|no,published') printf ' --%s yes' "$name" ;;
		*) printf ' --%s %s' "$name" "$value" ;;
		esac
	done
}
