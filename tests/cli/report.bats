#!/usr/bin/env bats
# pb-bench --report: a benchmark as one page for a browser.

load common

setup() { here; }

# Whether page $1 is well formed, has $2 figures, no id twice and no link to
# one that is not there, and loads nothing. Pages within it are looked at by
# the tests of replays.
page() {
	python3 - "$1" "$2" <<-'END'
		import html.parser, re, sys
		text = open(sys.argv[1], encoding="utf-8").read()
		stack, ids, uses, figures = [], [], [], 0
		class P(html.parser.HTMLParser):
		    def handle_starttag(self, tag, attrs):
		        global figures
		        if tag == "meta":
		            return
		        assert tag not in ("script", "link", "img", ), tag
		        assert tag != "iframe" or not any(n == "src" for n, _ in attrs)
		        stack.append(tag)
		        figures += tag == "svg"
		        self.look(tag, attrs)
		    def handle_startendtag(self, tag, attrs):
		        self.look(tag, attrs)
		    def look(self, tag, attrs):
		        for name, value in attrs:
		            if name == "id":
		                ids.append(value)
		            if name.endswith("href"):
		                assert value[0] == "#", value
		                uses.append(value[1:])
		    def handle_endtag(self, tag):
		        assert stack.pop() == tag, (self.getpos(), tag)
		p = P()
		p.feed(text)
		p.close()
		assert not stack and figures == int(sys.argv[2]), (stack, figures)
		assert len(ids) == len(set(ids)) and set(uses) <= set(ids)
		for at in re.findall(r"https?:[^\" ]*", text):
		    assert at.startswith("http://www.w3.org/"), at
		assert "url(" not in text.replace("url(#", "")
	END
}

# Its text between tags $2 and $3, which are alone on their lines or not.
between() {
	python3 -c 'import html, sys
t = open(sys.argv[1], encoding="utf-8").read()
t = t.split(sys.argv[2], 1)[1].split(sys.argv[3], 1)[0]
sys.stdout.write(html.unescape(t))' "$@"
}

# The commands of a page.
commands() {
	python3 -c 'import html, re, sys
for c in re.findall("<pre>((?:pb-sim|pb-mapgen) .*)</pre>", open(sys.argv[1]).read()):
    print(html.unescape(c))' "$1"
}

@test "tables and figures are those that other options write" {
	local all=(-q -r roomba,pacbot -p random -n 12)
	pb-bench "${all[@]}" --report "$dir/a.html" >"$dir/out"
	pb-bench "${all[@]}" | cmp - "$dir/out"
	page "$dir/a.html" 1
	grep -qx '<h1>Benchmark: roomba</h1>' "$dir/a.html"
	between "$dir/a.html" '<pre>' '</pre>' |
		cmp - <(LC_ALL=C.UTF-8 COLUMNS=500 pb-bench "${all[@]}" --table)
	# read back it is the same
	pb-bench -q -f --report "$dir/b.html" "$dir/out" >"$dir/sums"
	cmp "$dir/b.html" "$dir/a.html"
	# beside what else is asked for
	pb-bench -q -f --table --report "$dir/c.html" "$dir/out" |
		cmp - <(pb-bench -q -f --table "$dir/out")
	page "$dir/c.html" 1
	: | pb-bench -q -f --report "$dir/d.html"
	page "$dir/d.html" 0
	grep -q 'No figure: expected 1 to 100 rates, got 0' "$dir/d.html"
}

@test "its commands play the worst trials again, to the same hash" {
	pb-bench -q -p seed,nearest -n 10 --rounds 9 --houses 2 \
		--vary clyde-speed=0.4,0.5 \
		--report "$dir/a.html" >"$dir/out"
	pb-bench -q -r roomba,pacbot -p greedy -n 9 --vary lives=1,2 \
		--report "$dir/b.html" >"$dir/more"
	pb-bench -q -r zumy -p random,direct --by time -n 5 \
		--report "$dir/c.html" >"$dir/times"
	# constants of another player are not for this one
	pb-bench -q -r roomba -p flee,plan --set 'rollouts=1 lives=1' -n 9 \
		--report "$dir/d.html" >"$dir/players"
	cat "$dir/more" "$dir/times" "$dir/players" >>"$dir/out"
	for p in a b c d; do
		page "$dir/$p.html" 1
		commands "$dir/$p.html" | awk 'NR % 3 == 1' >"$dir/commands"
		[ -s "$dir/commands" ]
		sed 's/ | pb-mapgen --render.*//' "$dir/commands" | bash |
			grep '"type":"result"' | grep -o '"hash":"[^"]*"' \
			>"$dir/hashes"
		[ "$(wc -l <"$dir/hashes")" = "$(wc -l <"$dir/commands")" ]
		sort -u -o "$dir/hashes" "$dir/hashes"
		grep -oFf "$dir/hashes" "$dir/out" | sort -u |
			cmp - "$dir/hashes"
		sed 's/"hash":"\(.*\)"/\1/' "$dir/hashes" >"$dir/said"
		grep -oFf "$dir/said" "$dir/$p.html" | sort -u |
			cmp - "$dir/said"
	done
	# the whole of one, and of one on the map of a file
	(cd "$dir" && bash -c "$(head -n 1 commands)" && grep -q record game.html)
	pb-bench -q -p nearest -n 30 --round 9 --preset published --start 2,2 \
		-m testdata/house.yaml --by pellets --report "$dir/d.html" >"$dir/out"
	c=$(commands "$dir/d.html" | sed -n 1p)
	[[ $c == 'pb-sim -r pacmanbot -p nearest -m testdata/house.yaml --preset published --start=2,2,0 -a '* ]]
	h=$(bash -c "${c% | pb-mapgen --render*}" |
		jq -r 'select(.type=="result").hash')
	grep -q "$h" "$dir/d.html"
	# of results that are read the file is not known, unless it is given
	pb-bench -q -f --by pellets --report "$dir/e.html" "$dir/out" >"$dir/sums"
	[ -z "$(commands "$dir/e.html")" ]
	grep -q '>Not played here: the file of its map is not given (-m)\.<' "$dir/e.html"
	pb-bench -q -f -m testdata/house.yaml --by pellets --report "$dir/e.html" \
		"$dir/out" >"$dir/sums"
	cmp "$dir/d.html" "$dir/e.html"
	# by a number all players have worst trials, the lowest first
	[ "$(grep -c '^<p>Trial ' "$dir/d.html")" = 3 ]
	[ "$(sed -n 's/^<p>Trial .* \([0-9]*\) of .*/\1/p' "$dir/d.html" | sed -n 1p)" = \
		"$(jq -s 'map(.pellets // empty | numbers) | min' "$dir/out")" ]
}

# What the replays of a page recorded, each on a line.
replays() {
	python3 -c 'import html, json, re, sys
t = open(sys.argv[1], encoding="utf-8").read()
for page in re.findall("<iframe [^>]* srcdoc=\"([^\"]*)\"", t):
    record = html.unescape(page).split("id=\"record\">", 1)[1].split("</script>")[0]
    print(json.dumps(json.loads(record)))' "$1"
}

@test "the worst trials play in the page" {
	mkdir "$dir/tmp" "$dir/it's"
	cp testdata/flat.jsonl "$dir/it's/flat \$x.jsonl"
	TMPDIR="$dir/tmp" pb-bench -q -p nearest -n 9 --by score \
		-m "$dir/it's/flat \$x.jsonl" --report "$dir/a.html" >"$dir/out"
	[ -z "$(ls "$dir/tmp")" ]
	[ "$(replays "$dir/a.html" | jq -c '[.games[].player]' | sort -u)" = \
		'["nearest","nearest","nearest"]' ]
	# those that the page tells of
	diff <(replays "$dir/a.html" | jq -r '.games[].source') \
		<(sed -n 's/^<p>Trial \(.* of seed [0-9]*\):.*/trial \1/p' "$dir/a.html")
	# results of a file, too, but no program that came with them ...
	pb-bench -q -r roomba -p random -n 3 --resume "$dir/kept" \
		--report "$dir/c.html" >"$dir/out"
	[ "$(replays "$dir/c.html" | jq '.games | length')" = 3 ]
	made() { # FILTER - a page of these results
		jq -c "select(.type==\"result\") | $1" "$dir/kept" |
			pb-bench -q -f --report "$dir/b.html" >"$dir/sums"
		[ -z "$(replays "$dir/b.html")" ]
	}
	made ".program = \"touch $dir/run\""
	grep -q '>Not played here: its player is a program, and no command' "$dir/b.html"
	# ... and no other option, nor another game
	made ".constants = {\"wav\": \"$dir/run\"}"
	(cd "$dir" && made ".policy = \"\$(touch run)'\" | .preset = \"';touch run\"")
	[ ! -e "$dir/run" ]
	made '.hash = "0000000000000001"'
	grep -q '>Not played here: played again it is another game' "$dir/b.html"
	run -2 pb-bench -f -m testdata/house.yaml "$dir/out"
	[ "${lines[0]}" = "pb-bench: --map, --weights: with --from, only for --report" ]
}

@test "names are text, in the page and in its commands" {
	pb-bench -q -r pacbot -n 2 --agent "echo '<&>'" --agent "a-b=echo c" \
		--report "$dir/a.html" >"$dir/out"
	page "$dir/a.html" 1
	grep -q "<h3>echo '&#60;&#38;&#62;'</h3>" "$dir/a.html"
	run commands "$dir/a.html"
	[[ ${lines[0]} == "pb-sim -r pacbot --agent 'echo '\\''<&>'\\''' -m pacman --seed 1 --trial 0 | "* ]]
	[[ ${lines[2]} == "pb-sim -r pacbot --agent 'a-b=echo c' -m pacman --seed 1 --trial 0 | "* ]]
	# nor do results that somebody else made
	jq -c 'select(.type=="result") | .policy = "<script>" |
		.map = "</h1>\u001b[2J" | .outcome = "a&b"' "$dir/out" |
		pb-bench -q -f --report "$dir/b.html" >"$dir/sums"
	page "$dir/b.html" 1
	run ! grep -q $'\033' "$dir/b.html"
	grep -q 'h3>&#60;script&#62;<' "$dir/b.html"
}

@test "localizers have no command, and options that do not go together" {
	pb-bench -q -r localize -p odom -n 2 -m testdata/house.yaml --log testdata/house.log.gz --report "$dir/a.html" \
		>"$dir/out"
	page "$dir/a.html" 1
	[ -z "$(commands "$dir/a.html")" ]
	grep -q '>Not played here: pb-sim plays no trials of these rules\.<' "$dir/a.html"
	run -2 pb-bench -f --report - /dev/null
	[ "${lines[0]}" = "pb-bench: --report: expected a file, got standard output" ]
	run -2 pb-bench --trajectory --report "$dir/b.html" /dev/null
}

@test "a page appears whole or not at all" {
	local few=(-q -r roomba -p random -n 2)
	run -3 --separate-stderr pb-bench "${few[@]}" --report "$dir/no/a.html"
	[ -z "$output" ]
	[[ $stderr == *"/no/a.html: cannot write: No such file"* ]]
	run -3 --separate-stderr pb-bench "${few[@]}" --report /dev/full
	[ "$stderr" = "pb-bench: /dev/full: cannot write: No space left on device" ]
	mkdir "$dir/disk"
	echo old >"$dir/disk/a.html"
	run -3 --separate-stderr bash -c "ulimit -f 8
		exec pb-bench ${few[*]} --report '$dir/disk/a.html'"
	[ "$stderr" = "pb-bench: $dir/disk/a.html: cannot write: File too large" ]
	[ "$(ls "$dir/disk")" = a.html ]
	[ "$(cat "$dir/disk/a.html")" = old ]
	pb-bench "${few[@]}" --report "$dir/disk/a.html" >"$dir/out"
	page "$dir/disk/a.html" 1
	[ "$(ls "$dir/disk")" = a.html ]
}
