#!/bin/sh
# bench-slurm.sh - play a benchmark as an array job of Slurm, and sum it up.
#
#	bench-slurm.sh [-n PARTS] [-d DIR] [-s SBATCH-OPTIONS]
#	    -- PB-BENCH-OPTIONS [-- OPTIONS-OF-THE-SUM]
#
# Task I plays "pb-bench --shard I/PARTS --resume part.I.jsonl", so that a task
# that is killed or queued again goes on where it was. The sum is "pb-bench -f"
# of all parts: the same as that of a single run.
#
# -n PARTS           tasks of the array (16); see MaxArraySize of slurm.conf
# -d DIR             where the parts are kept (bench-parts): a directory that
#                    all nodes see. Started again with the same options, it
#                    submits only the tasks that are not done, as ranges.
# -s SBATCH-OPTIONS  more options, in one word: "-p short --mem 200M -c 4". A
#                    task has as many threads as -c says.
# Maps and suites are files that all nodes see, too.
set -eu
parts=16
dir="bench-parts"
more=
# shellcheck source=scripts/bench-common.sh
. "$(dirname "$0")/bench-common.sh"

while getopts n:d:s: o; do
	case $o in
	n) parts=$OPTARG ;;
	d) dir=$OPTARG ;;
	s) more=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
take_args "$@"
command -v sbatch >/dev/null || fail "needs sbatch of Slurm" 3

# The tasks that are not done: "1-3,7", "" if all are.
left() {
	i=0
	while [ "$i" -lt "$parts" ]; do
		i=$((i + 1))
		[ -e "$dir/part.$i.done" ] || echo "$i"
	done | awk 'function out() {
			if (NR)
				printf "%s%s", sep, lo == hi ? lo : lo "-" hi
			sep = ","
		}
		NR > 1 && $1 == hi + 1 { hi = $1; next }
		NR > 1 { out() }
		{ lo = hi = $1 }
		END { out() }'
}

todo=$(left)
if [ -n "$todo" ]; then
	# shellcheck disable=SC2016 # the task expands it
	{
		echo '#!/bin/sh'
		echo 'i=$SLURM_ARRAY_TASK_ID'
		echo "part=$(quote "$dir/part.")"
		echo 'part=$part$i'
		echo "$(quote "$bench") -q -j \${SLURM_CPUS_PER_TASK:-1}" \
			"--no-results --shard \$i/$parts" \
			"--resume \"\$part.jsonl\" $play >/dev/null &&"
		echo '	: >"$part.done"'
	} >"$dir/task.sh"
	# shellcheck disable=SC2086 # more holds several words
	sbatch --wait --quiet --array="$todo" --job-name=pb-bench \
		--output="$dir/part.%a.err" $more "$dir/task.sh" || true
	todo=$(left)
fi
if [ -n "$todo" ]; then
	cat "$dir"/part.*.err >&2 2>/dev/null || true
	fail "tasks $todo failed: see $dir/part.*.err" 1
fi
sum_up
