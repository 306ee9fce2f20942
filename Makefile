# Makefile - builds the pb tools, their two libraries, tests and benchmarks.
#
# O      where objects and programs go; each variant has its own
# SAN    sanitizers to build with (make asan sets them)
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
DESTDIR  ?=
O        ?= build
SAN      ?=
CFLAGS   ?= -O2 -g
LDFLAGS  ?=
VERSION   = 0.1.0

WARN      = -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes \
	    -Wmissing-prototypes -Wno-missing-field-initializers
# The same bytes from every compiler with any flags: no multiplication fused
# with an addition, nothing put into another order. gcc before 12.3 fuses in
# spite of -ffp-contract=off where it makes vectors; where the instructions
# cannot be forbidden, vectors are. So behind CFLAGS, and when linking, too.
takes     = $(shell $(CC) -Werror $1 -fsyntax-only -x c /dev/null 2>&1 || echo no)
UNFUSED  := $(if $(call takes,-mno-fma),-fno-tree-vectorize,-mno-fma -mno-fma4 \
	    -mno-avx512f)
EXACT     = -ffp-contract=off -fno-associative-math -fno-reciprocal-math \
	    -fsigned-zeros $(UNFUSED) -include base/ieee.h
CSTD      = -std=c11 -pthread $(EXACT)
CPPFLAGS += -Ilib -DPB_VERSION='"$(VERSION)"'
IOFLAGS   = -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
CC_ALL    = $(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(SAN) $(CSTD) -MMD -MP

# The pure library: memory and arithmetic only (scripts/purity.sh checks it).
# A list ends with a blank line, so that each of its lines looks the same.
PURE = \
	base/elementary \
	base/geom \
	base/hash \
	base/param \
	base/plan \
	base/rng \
	base/selftest \
	base/seqtest \
	base/stats \
	base/status \
	game/aggregate \
	game/arena \
	game/arena_at \
	game/compare \
	game/controller \
	game/feedback \
	game/happened \
	game/heat \
	game/match \
	game/opts \
	game/pacbot \
	game/pacbot_frame \
	game/pacbot_place \
	game/pacbot_seen \
	game/pellets \
	game/report \
	game/roomba \
	game/roomba_board \
	game/roomba_course \
	game/roomba_drive \
	game/round \
	game/round_drive \
	game/round_nav \
	game/round_node \
	game/round_plan \
	game/round_settle \
	game/round_watch \
	game/score \
	game/sequential \
	game/summary \
	game/tally \
	game/values \
	game/verdict \
	game/zumy \
	game/zumy_board \
	game/zumy_drive \
	game/zumy_plan \
	ghost/arcade \
	ghost/clyde \
	ghost/clyde_world \
	ghost/patrol \
	ghost/patrol_way \
	ghost/roomba \
	localize/alias \
	localize/blocks \
	localize/cell_ray \
	localize/cloud \
	localize/corridor \
	localize/corridor_loc \
	localize/dead \
	localize/drive \
	localize/frame \
	localize/fuse \
	localize/fuse_askew \
	localize/fuse_hear \
	localize/fuse_learn \
	localize/fuse_list \
	localize/fuse_see \
	localize/fuse_spawn \
	localize/gauss \
	localize/judge \
	localize/likelihood \
	localize/localizer \
	localize/maze_drive \
	localize/maze_trial \
	localize/mcl \
	localize/mcl_beam \
	localize/mcl_bins \
	localize/mcl_match \
	localize/mcl_motion \
	localize/mcl_opts \
	localize/mcl_propose \
	localize/mcl_scan \
	localize/mcl_search \
	localize/mcl_update \
	localize/pairing \
	localize/particle \
	localize/posegraph \
	localize/region \
	localize/region_loc \
	localize/regions \
	localize/slam \
	localize/slam_loop \
	localize/slam_refine \
	localize/slam_track \
	localize/square_ray \
	localize/tof \
	localize/tour \
	localize/traj \
	localize/trial \
	map/agree \
	map/board \
	map/board_draw \
	map/cells \
	map/change \
	map/dialect \
	map/edt \
	map/field \
	map/floorplan \
	map/furnish \
	map/gen_board \
	map/gen_house \
	map/gen_maze \
	map/grid \
	map/grids \
	map/heap \
	map/image \
	map/leap \
	map/map \
	map/mapping \
	map/match \
	map/match_lines \
	map/match_search \
	map/maze \
	map/maze_solid \
	map/merge \
	map/path_band \
	map/path_find \
	map/path_ghost \
	map/pixel \
	map/ray \
	map/returns \
	map/scan \
	map/search \
	map/square \
	map/track \
	map/traverse \
	map/walls \
	policy/beam \
	policy/bot_search \
	policy/bots \
	policy/nearest \
	policy/policy \
	policy/reach \
	policy/roomba_plan \
	policy/roombas \
	policy/rules \
	policy/rules_localize \
	policy/rules_pacbot \
	policy/rules_pacmanbot \
	policy/rules_roomba \
	policy/rules_zumy \
	policy/safe \
	policy/safe_band \
	policy/safe_belief \
	policy/safe_chain \
	policy/safe_entry \
	policy/safe_harm \
	policy/safe_kill \
	policy/safe_known \
	policy/safe_net \
	policy/safe_plan \
	policy/safe_pose \
	policy/safe_tour \
	policy/safe_value \
	policy/safe_walk \
	policy/search_lines \
	policy/search_value \
	policy/seat \
	policy/seed \
	policy/zumy_sneak \
	policy/zumys \
	robot/dance \
	robot/drive \
	robot/estimate \
	robot/follow \
	robot/hop \
	robot/motor \
	robot/odom \
	robot/omni \
	robot/pursuit \
	robot/ring \
	robot/rover \
	robot/sense \
	robot/sense_camera \
	robot/sense_lidar \
	robot/sense_odom \
	robot/sense_tof \
	robot/tag \
	robot/tune \
	robot/waypoint \

# The outside world: streams, files, pictures.
IO = \
	io/bench/bench \
	io/bench/bench_localize \
	io/bench/benchcheck \
	io/bench/benchopts \
	io/bench/benchplan \
	io/bench/benchsay \
	io/bench/expect \
	io/bench/experiment \
	io/bench/experiment_localize \
	io/bench/notes \
	io/bench/results \
	io/bench/resume \
	io/bench/trials \
	io/build \
	io/console/console \
	io/console/console_look \
	io/console/console_past \
	io/console/console_play \
	io/console/console_say \
	io/console/console_time \
	io/console/console_tty \
	io/console/console_word \
	io/console/grid \
	io/console/grid_pacbot \
	io/console/grid_roomba \
	io/console/grid_zumy \
	io/console/operator \
	io/console/stage_bot \
	io/console/stage_bot_put \
	io/fault \
	io/file \
	io/filter \
	io/json \
	io/json_get \
	io/json_mend \
	io/json_walk \
	io/line \
	io/localize/localize \
	io/localize/localize_load \
	io/localize/localize_odd \
	io/localize/localize_opts \
	io/localize/localize_stream \
	io/log/carmen \
	io/log/carmen_line \
	io/log/csv \
	io/log/import \
	io/log/stamps \
	io/log/trajectory \
	io/log/tum \
	io/map/bmp \
	io/map/boardfile \
	io/map/imagefile \
	io/map/kml \
	io/map/kml_board \
	io/map/kml_write \
	io/map/lint \
	io/map/mapfile \
	io/map/mapgrow \
	io/map/maplog \
	io/map/mapmade \
	io/map/maprecord \
	io/map/mapsave \
	io/map/mapslam \
	io/map/mapstream \
	io/map/maptell \
	io/map/maptext \
	io/map/mapverb \
	io/map/mapyaml \
	io/map/pgm \
	io/map/png \
	io/msg \
	io/near \
	io/num \
	io/opt/constants \
	io/opt/opt \
	io/opt/opt_fit \
	io/opt/opt_help \
	io/opt/opt_list \
	io/opt/opt_players \
	io/opt/opt_round \
	io/opt/opt_value \
	io/opt/settings \
	io/opt/settings_value \
	io/pace \
	io/progress \
	io/rec/belief \
	io/rec/body \
	io/rec/comparison \
	io/rec/course \
	io/rec/experiment \
	io/rec/fields \
	io/rec/game \
	io/rec/grid \
	io/rec/kills \
	io/rec/map \
	io/rec/maze \
	io/rec/occgrid \
	io/rec/pellets \
	io/rec/rec \
	io/rec/result \
	io/rec/rosbridge \
	io/rec/run \
	io/rec/step \
	io/rec/step_read \
	io/rec/tests \
	io/rec/trajectory \
	io/rejects \
	io/sim/agent \
	io/sim/botghost \
	io/sim/botscore \
	io/sim/botsim \
	io/sim/chorus \
	io/sim/chorus_lead \
	io/sim/conform \
	io/sim/cues \
	io/sim/cues_filter \
	io/sim/ghost \
	io/sim/haunt \
	io/sim/joy \
	io/sim/keys \
	io/sim/pacanswer \
	io/sim/pacclient \
	io/sim/pacghost \
	io/sim/pacplay \
	io/sim/pacserve \
	io/sim/pacsim \
	io/sim/pactick \
	io/sim/planner \
	io/sim/record \
	io/sim/roombasim \
	io/sim/roombatell \
	io/sim/script \
	io/sim/senses \
	io/sim/session \
	io/sim/session_copy \
	io/sim/simcheck \
	io/sim/simopts \
	io/sim/swarm \
	io/sim/trace \
	io/sim/wav \
	io/sim/wire \
	io/sim/world \
	io/sim/zumyknown \
	io/sim/zumysim \
	io/sim/zumytell \
	io/source \
	io/text \
	io/trail \
	io/utf8 \
	io/work \
	view/axis \
	view/bench \
	view/benchchart \
	view/benchkeys \
	view/benchkills \
	view/benchpaper \
	view/benchprofile \
	view/benchtests \
	view/canvas \
	view/chart \
	view/chartpng \
	view/columns \
	view/feed \
	view/feedcaption \
	view/feedmaze \
	view/figframe \
	view/figthings \
	view/font \
	view/frame \
	view/glyphs \
	view/heat \
	view/histogram \
	view/human \
	view/icon \
	view/operate \
	view/palette \
	view/plot \
	view/png \
	view/port \
	view/profile \
	view/render \
	view/ring \
	view/scene \
	view/shape \
	view/show \
	view/signs \
	view/spots \
	view/still \
	view/table \
	view/term \
	view/things \
	view/trajectory \

TOOLS = \
	pb-bench \
	pb-ghost \
	pb-localize \
	pb-mapgen \
	pb-pellets \
	pb-score \
	pb-sim \

# Unit tests link the pure library; those in UNIT_IO link both.
UNIT = \
	arena \
	base \
	board \
	cells \
	change \
	clyde \
	clyde_twin \
	controller \
	controller_arrows \
	direction \
	drives \
	edt \
	elementary \
	faithful \
	feedback \
	field \
	follow \
	house \
	light \
	localizer \
	lost \
	map \
	mapping \
	match \
	matching \
	maze \
	maze_solid \
	mazefuse \
	mazefuse_parts \
	mazeloc \
	mazeopts \
	mazetrial \
	mcl \
	mcl_parts \
	merge \
	pacbot \
	pacbot_place \
	pacbot_seen \
	pairing \
	particle \
	path \
	pellets \
	pixel \
	pixel_map \
	plan \
	posegraph \
	ray \
	regions \
	report \
	robot \
	roomba \
	roomba_course \
	roomba_drive \
	round \
	round_ends \
	rules \
	safe \
	safe_plan \
	score \
	search \
	sense \
	sense_pose \
	seqtest \
	slam \
	stats \
	tally \
	track \
	traj \
	traverse \
	trial \
	tune \
	walls \
	zumy \
	zumy_drive \
	zumy_twin \

UNIT_IO = \
	canvas \
	carmen \
	expect \
	feed \
	imagefile \
	import \
	intervals \
	json \
	json_get \
	json_mend \
	keys \
	kml \
	line \
	mapfile \
	mapyaml \
	num \
	opt \
	opt_list \
	pgmset \
	picture \
	plot \
	png \
	pngset \
	port \
	profile \
	record \
	record_bad \
	scene \
	session \
	table \
	trials \
	work \
	zumygolden \

# What a tool links beyond libpb and libm; the rest link nothing else.
LIBS_IO   = -ljansson -lyaml -lpng -lz -lexpat
LIBS_TOOL = $(LIBS_IO)
LIBS_pb-sim = -lreadline

PURE_O  = $(PURE:%=$O/lib/%.o)
IO_O    = $(IO:%=$O/lib/%.o)
BIN     = $(TOOLS:%=$O/%)
UNITBIN = $(UNIT:%=$O/tests/unit/%) $(UNIT_IO:%=$O/tests/unit/%)

all: $(BIN) $O/libpb.a $O/libpbio.a

$O/libpb.a: $(PURE_O)
	@rm -f $@
	$(AR) rcs $@ $(PURE_O)

$O/libpbio.a: $(IO_O)
	@rm -f $@
	$(AR) rcs $@ $(IO_O)

# The pure library for programs that load it, Python's ctypes for one.
SONAME = libpb.so.0

$O/$(SONAME): $(PURE:%=$O/pic/%.o)
	$(CC_ALL) -shared -Wl,-soname,$(SONAME) $(LDFLAGS) -o $@ \
	    $(PURE:%=$O/pic/%.o) -lm

$O/libpb.so: $O/$(SONAME)
	ln -sf $(SONAME) $@

$O/pic/%.o: lib/%.c
	@mkdir -p $(@D)
	$(CC_ALL) -fPIC -fno-semantic-interposition -c -o $@ $<

shared: $O/libpb.so

$O/lib/io/%.o: lib/io/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -c -o $@ $<

$O/lib/view/%.o: lib/view/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -c -o $@ $<

$O/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	$(CC_ALL) -c -o $@ $<

# What a build is, for --version; the tools link this in place of the
# library's copy. Places of sources are of no interest to anybody else.
$O/made.h: export PB_FLAGS = $(filter-out %-prefix-map=%,$(CFLAGS) $(SAN))
$O/made.h: FORCE
	@mkdir -p $(@D)
	@scripts/made.sh $@

$O/made.o: lib/io/build.c $O/made.h
	$(CC_ALL) $(IOFLAGS) -include $O/made.h -c -o $@ $<

$O/pb-%: cmd/pb-%.c $O/made.o $O/libpbio.a $O/libpb.a
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) $(LDFLAGS) -o $@ $< $O/made.o $O/libpbio.a \
	    $O/libpb.a \
	    -Wl,--as-needed $(LIBS_TOOL) $(LIBS_$(@F)) -lm

$O/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -Itests/unit -c -o $@ $<

$(UNIT:%=$O/tests/unit/%): $O/tests/unit/%: $O/tests/unit/%.o $O/libpb.a
	$(CC_ALL) $(LDFLAGS) -o $@ $< $O/libpb.a -lm

$(UNIT_IO:%=$O/tests/unit/%): $O/tests/unit/%: $O/tests/unit/%.o \
    $O/libpbio.a $O/libpb.a
	$(CC_ALL) $(LDFLAGS) -o $@ $< $O/libpbio.a $O/libpb.a \
	    -Wl,--as-needed $(LIBS_IO) -lm

# What is fed with random bytes (make fuzz); here with known ones.
FUZZ = \
	board \
	console \
	cues \
	image \
	kml \
	lines \
	maptext \
	pacbot \
	record \
	roomba \
	round \
	suite \
	wire \
	yaml \
	zumy \

FUZZBIN = $(FUZZ:%=$O/tests/fuzz/%)

$(FUZZBIN): $O/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c \
    $O/libpbio.a $O/libpb.a
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) $(LDFLAGS) -o $@ $< tests/fuzz/replay.c \
	    $O/libpbio.a $O/libpb.a -Wl,--as-needed $(LIBS_IO) -lm

# The tools themselves, from their own main on.
FUZZTOOL = $(TOOLS:%=$O/tests/fuzz/%)

$(FUZZTOOL): $O/tests/fuzz/%: cmd/%.c tests/fuzz/tool.c tests/fuzz/replay.c \
    $O/libpbio.a $O/libpb.a
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) $(LDFLAGS) -DTOOL='"$(@F)"' \
	    -DTOOL_C='"../../$<"' -o $@ tests/fuzz/tool.c \
	    tests/fuzz/replay.c $O/libpbio.a $O/libpb.a \
	    -Wl,--as-needed $(LIBS_TOOL) $(LIBS_$(@F)) -lm

# Not a test: one table of speeds. ARGS names families (tests/bench/main.c).
BENCH = \
	base \
	main \
	map \
	mapping \
	mazeloc \
	mcl \
	pacbot \
	path \
	ray \
	robots \
	round \
	stream \

$(BENCH:%=$O/tests/bench/%.o): $O/tests/bench/%.o: tests/bench/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -DBENCH_CFLAGS='"$(CFLAGS)"' -c -o $@ $<

$O/tests/bench/bench: $(BENCH:%=$O/tests/bench/%.o) $O/libpbio.a $O/libpb.a
	$(CC_ALL) $(LDFLAGS) -o $@ $(BENCH:%=$O/tests/bench/%.o) \
	    $O/libpbio.a $O/libpb.a -Wl,--as-needed $(LIBS_IO) -lm

bench: $O/tests/bench/bench
	@$O/tests/bench/bench $(ARGS)

unit: $(UNITBIN) $(FUZZBIN) $(FUZZTOOL)

check: all unit
	O=$O scripts/check.sh

SANITIZE = -fsanitize=address,undefined,float-cast-overflow \
	    -fno-sanitize-recover=all
asan:
	$(MAKE) O=build-asan CFLAGS='-O1 -g' SAN='$(SANITIZE)' check

# The suite, and once more under clang's sanitizers: what they see and gcc's
# do not is an offset from a null pointer, for one. Not for every day.
check-all: check
	$(MAKE) O=build-asan-clang CC=clang CFLAGS='-O1 -g' \
	    SAN='$(SANITIZE)' check

# Random bytes for what reads the outside world and for the games, so many
# seconds each; ARGS names targets.
FUZZ_TIME ?= 60
fuzz:
	scripts/fuzz.sh $(FUZZ_TIME) $(ARGS)

# What runs on several threads, under ThreadSanitizer.
tsan:
	$(MAKE) O=build-tsan CFLAGS='-O1 -g' SAN=-fsanitize=thread \
	    build-tsan/tests/unit/trials build-tsan/tests/unit/work \
	    build-tsan/pb-bench
	build-tsan/tests/unit/work
	build-tsan/tests/unit/trials
	build-tsan/pb-bench -q -j 4 -n 20 -p seed,nearest,safe --no-results \
	    testdata/flat.jsonl

# Which lines of lib/ the tests reach; ARGS names tests.
coverage:
	scripts/coverage.sh $(ARGS)

# The same bytes from gcc and clang with many flags; takes some 20 builds.
check-builds: all
	O=$O scripts/builds.sh

# Some unit tests and every tool under valgrind; ARGS names unit tests.
valgrind: all unit
	O=$O scripts/valgrind.sh $(ARGS)

# Tests of what a machine can do, in full: each call for memory fails once.
faults: all
	O=$O tests/fault/sweep.sh
	O=$O tests/fault/stream.sh 1000

# Pure headers only: they and libpb.a are what other programs may use.
PUREDIRS = base map robot ghost game localize policy
MANUALS  = $(wildcard man/*.[157])

# Shells load the completion of a command from a file of its name.
BASHCOMP = share/bash-completion/completions
FISHCOMP = share/fish/vendor_completions.d
ZSHCOMP  = share/zsh/site-functions
DOC      = share/doc/pb

install: all shared
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig
	for t in $(TOOLS); do \
		install -m 755 $O/$$t $(DESTDIR)$(PREFIX)/bin/; \
	done
	install -m 644 $O/libpb.a $O/$(SONAME) $(DESTDIR)$(LIBDIR)/
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libpb.so
	install -d $(DESTDIR)$(PREFIX)/$(DOC)/examples
	install -m 644 COPYING README.md $(DESTDIR)$(PREFIX)/$(DOC)/
	install -m 644 man/examples/* $(DESTDIR)$(PREFIX)/$(DOC)/examples/
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' \
	    -e 's|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' lib/pb.pc.in \
	    >$(DESTDIR)$(LIBDIR)/pkgconfig/pb.pc
	for d in $(PUREDIRS); do \
		for h in lib/$$d/*.h; do \
			[ -e $$h ] || continue; \
			install -D -m 644 $$h \
			    $(DESTDIR)$(PREFIX)/include/pb/$${h#lib/}; \
		done; \
	done
	for m in $(MANUALS); do \
		install -D -m 644 $$m \
		    $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m#man/}; \
	done
	install -d $(DESTDIR)$(PREFIX)/share/pb
	install -m 755 scripts/bench-parallel.sh scripts/bench-slurm.sh \
	    $(DESTDIR)$(PREFIX)/share/pb/
	install -m 644 scripts/bench-common.sh $(DESTDIR)$(PREFIX)/share/pb/
	for t in $(TOOLS); do \
		install -D -m 644 scripts/completion.bash \
		    $(DESTDIR)$(PREFIX)/$(BASHCOMP)/$$t; \
		install -D -m 644 scripts/completion.fish \
		    $(DESTDIR)$(PREFIX)/$(FISHCOMP)/$$t.fish; \
	done
	install -d $(DESTDIR)$(PREFIX)/$(ZSHCOMP)
	sed 's|@PREFIX@|$(PREFIX)|; s|@BASHCOMP@|$(BASHCOMP)|' \
	    scripts/completion.zsh >$(DESTDIR)$(PREFIX)/$(ZSHCOMP)/_pb

uninstall:
	for t in $(TOOLS); do \
		rm -f $(DESTDIR)$(PREFIX)/bin/$$t \
		    $(DESTDIR)$(PREFIX)/$(BASHCOMP)/$$t \
		    $(DESTDIR)$(PREFIX)/$(FISHCOMP)/$$t.fish; \
	done
	for l in libpb.a libpb.so $(SONAME); do \
		rm -f $(DESTDIR)$(LIBDIR)/$$l; \
	done
	rm -f $(DESTDIR)$(PREFIX)/$(ZSHCOMP)/_pb
	rm -rf $(DESTDIR)$(PREFIX)/$(DOC)
	rm -f $(DESTDIR)$(LIBDIR)/pkgconfig/pb.pc
	rm -rf $(DESTDIR)$(PREFIX)/include/pb
	for s in parallel slurm common; do \
		rm -f $(DESTDIR)$(PREFIX)/share/pb/bench-$$s.sh; \
	done
	for m in $(MANUALS); do \
		rm -f \
		    $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m#man/}; \
	done

# What a change of structure must leave as it is: the output, messages and
# status of tests/pin/commands. ARGS: words of commands, or -u to pin again.
pin: all
	O=$O scripts/pin.sh $(ARGS)

lint:
	O=$O scripts/lint.sh

clean:
	rm -rf build build-*

-include $(BENCH:%=$O/tests/bench/%.d)
-include $O/made.d $(PURE:%=$O/pic/%.d) $(PURE_O:.o=.d) $(IO_O:.o=.d) $(BIN:=.d) $(UNITBIN:=.d)

.PHONY: all asan bench check check-all check-builds clean coverage FORCE \
    faults fuzz install lint pin shared tsan uninstall unit valgrind
.SECONDARY:
