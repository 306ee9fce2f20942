# Makefile - builds the pb tools, their two libraries, tests and benchmarks.
#
# O      where objects and programs go; each variant has its own
# SAN    sanitizers to build with (make asan sets them)
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
DESTDIR  ?=
O        ?= build
SAN      ?=
CFLAGS   ?= -O3 -g
LDFLAGS  ?=
VERSION  := $(shell sed -n 's/^.define PB_VERSION  *"\(.*\)"/\1/p' \
	    lib/include/pb/version.h)

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
CPPFLAGS += -Ilib -Ilib/include
IOFLAGS   = -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
CC_ALL    = $(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(SAN) $(CSTD) -MMD -MP

# The pure library: memory and arithmetic only (scripts/purity.sh checks it);
# and the outside world: streams, files, pictures. Every source below them.
PUREDIRS  = base stats map robot ghost game localize policy env
IODIRS    = io view
sources   = $(sort $(patsubst lib/%.c,%,$(shell \
	    find $(wildcard $(1:%=lib/%)) -name '*.c')))
PURE     := $(call sources,$(PUREDIRS))
IO       := $(call sources,$(IODIRS))

TOOLS    := $(sort $(patsubst cmd/%.c,%,$(wildcard cmd/pb-*.c)))
MANUALS  := $(sort $(wildcard man/*.[157]))

# Unit tests link the pure library; those that include what reads and writes
# link both.
OUTSIDE   = include ("(io|view)/|"(decode|paper|room)\.h"|<jansson)
UNITS    := $(sort $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c)))
UNIT_IO  := $(sort $(patsubst tests/unit/%.c,%,$(shell \
	    grep -lE '$(OUTSIDE)' tests/unit/*.c)))
UNIT     := $(filter-out $(UNIT_IO),$(UNITS))

# Of GNU's linker and those that know its words; empty for others.
NEEDED    = -Wl,--as-needed
SHARED    = -shared -Wl,-soname,$(SONAME)

# What a tool links beyond libpb and libm; the rest link nothing else.
LIBS_TOOL = -ljansson -lyaml -lpng -lz -lexpat -ldl
# Recordings of ROS topics: rosbag2's SQLite, and what they are compressed by.
LIBS_BAG  = -lsqlite3 -lzstd -llz4 -lbz2
LIBS_pb-bench  = $(LIBS_BAG)
LIBS_pb-localize = $(LIBS_BAG)
LIBS_pb-mapgen = $(LIBS_BAG)
LIBS_pb-sim    = -lreadline
LIBS_IO   = $(LIBS_TOOL) -lreadline $(LIBS_BAG)

PURE_O  = $(PURE:%=$O/lib/%.o)
IO_O    = $(IO:%=$O/lib/%.o)
BIN     = $(TOOLS:%=$O/%)
UNITBIN = $(UNITS:%=$O/tests/unit/%)

all: $(BIN) $O/libpb.a $O/libpbio.a $O/libpb.so $(MANUALS:%=$O/%)

# What a library is made of, so that it is made again when a source is gone.
$O/pure.list: LIST = $(PURE)
$O/io.list: LIST = $(IO)
$O/%.list: FORCE
	@mkdir -p $(@D)
	@echo $(LIST) | cmp -s - $@ || echo $(LIST) >$@

$O/libpb.a: $(PURE_O) $O/pure.list
	@rm -f $@
	$(AR) rcs $@ $(PURE_O)

$O/libpbio.a: $(IO_O) $O/io.list
	@rm -f $@
	$(AR) rcs $@ $(IO_O)

# The pure library for programs that load it, Python's ctypes for one.
SONAME = libpb.so.0

$O/$(SONAME): $(PURE_O) $O/pure.list
	$(CC_ALL) $(SHARED) $(LDFLAGS) -o $@ $(PURE_O) -lm

$O/libpb.so: $O/$(SONAME)
	ln -sf $(SONAME) $@

shared: $O/libpb.so

$O/lib/io/%.o: lib/io/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -c -o $@ $<

$O/lib/io/play/pacbot_server.o $O/lib/io/play/pacbot_client.o \
    $O/lib/io/stream/net.o $O/lib/io/ros/rosbridge.o: | websockets
websockets:
	@pkg-config --exists libwebsockets || { echo "make: libwebsockets-dev \
	    is missing; scripts/deps.sh installs what is" >&2; exit 1; }

# Loaded when they are first used, as what they were built against.
# Where that is not found out the sources have names of their own.
soname = $(shell readelf -d "$$($(CC) $(CFLAGS) $(LDFLAGS) \
	    -print-file-name=lib$(1).so)" 2>/dev/null | \
	    sed -n 's/.*SONAME.*\[\(.*\)\]/-D$(2)=\\"\1\\"/p')
$O/lib/io/stream/net.o: override CPPFLAGS += \
    $(call soname,websockets,LIBWEBSOCKETS)
$O/lib/view/drawing.o: override CPPFLAGS += $(call soname,cairo,LIBCAIRO)

# The page that plays a game, as the numbers of its bytes.
$O/replay.inc: lib/view/replay.html
	@mkdir -p $(@D)
	od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' >$@

$O/lib/view/show.o: CPPFLAGS += -I$O
$O/lib/view/show.o: $O/replay.inc

$O/lib/view/%.o: lib/view/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -c -o $@ $<

# The same objects for both libraries: as nothing else can take a hidden name's
# place, they are as fast as those of programs.
$O/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	$(CC_ALL) -fPIC -fvisibility=hidden -fno-semantic-interposition \
	    -c -o $@ $<

# What a build is, for --version; the tools link this in place of the
# library's copy. Places of sources are of no interest to anybody else.
$O/made.h: export PB_FLAGS = $(filter-out %-prefix-map=%,$(CFLAGS) $(SAN))
$O/made.h: FORCE
	@mkdir -p $(@D)
	@scripts/made.sh $@

$O/made.o: lib/io/stream/build.c $O/made.h
	$(CC_ALL) $(IOFLAGS) -include $O/made.h -c -o $@ $<

$O/pb-%: cmd/pb-%.c $O/made.o $O/libpbio.a $O/libpb.a
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) $(LDFLAGS) -o $@ $< $O/made.o $O/libpbio.a \
	    $O/libpb.a \
	    $(NEEDED) $(LIBS_TOOL) $(LIBS_$(@F)) -lm

# Manuals, with the tables of constants that the tools print.
$O/man/%: man/% scripts/fill-manual.sh $(BIN)
	@mkdir -p $(@D)
	@scripts/fill-manual.sh $O $< >$@ || { rm -f $@; exit 1; }

# What only tests is not worth more of the compiler's time: -O1.

# A fifth rule set, in tests/chase: three files, and one line in the list.
CHASE = $O/tests/chase/pb-sim $O/tests/chase/pb-bench $O/tests/chase/pb-ghost

$O/tests/chase/games.c: lib/policy/games.c
	@mkdir -p $(@D)
	sed -e 's|^    {NULL, NULL},|    {\&pb_game_chase, pb_chase_players},\n&|' \
	    -e 's|^#include "pb/games.h"|#include "chase.h"\n&|' $< >$@

$(CHASE): $O/tests/chase/pb-%: cmd/pb-%.c $O/tests/chase/games.c \
    tests/chase/chase.c tests/chase/chase_players.c tests/chase/chase.h \
    $O/made.o $O/libpbio.a $O/libpb.a
	$(CC_ALL) $(IOFLAGS) -O1 -Itests/chase $(LDFLAGS) -o $@ $(filter %.c,$^) \
	    $O/made.o $O/libpbio.a $O/libpb.a \
	    $(NEEDED) $(LIBS_TOOL) $(LIBS_$(@F)) -lm

$O/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -O1 -Itests/unit -c -o $@ $<

$(UNIT:%=$O/tests/unit/%): $O/tests/unit/%: $O/tests/unit/%.o $O/libpb.a
	$(CC_ALL) $(LDFLAGS) -o $@ $< $O/libpb.a -lm

$(UNIT_IO:%=$O/tests/unit/%): $O/tests/unit/%: $O/tests/unit/%.o \
    $O/libpbio.a $O/libpb.a
	$(CC_ALL) $(LDFLAGS) -o $@ $< $O/libpbio.a $O/libpb.a \
	    $(NEEDED) $(LIBS_IO) -lm

# What is fed with random bytes (make fuzz); here with known ones.
FUZZ    := $(filter-out replay tool,$(sort \
	   $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))))
FUZZBIN = $(FUZZ:%=$O/tests/fuzz/%)

$(FUZZBIN): $O/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c \
    $O/libpbio.a $O/libpb.a
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -O1 $(LDFLAGS) -o $@ $< tests/fuzz/replay.c \
	    $O/libpbio.a $O/libpb.a $(NEEDED) $(LIBS_IO) -lm

# The tools themselves, from their own main on.
FUZZTOOL = $(TOOLS:%=$O/tests/fuzz/%)

$(FUZZTOOL): $O/tests/fuzz/%: cmd/%.c tests/fuzz/tool.c tests/fuzz/replay.c \
    $O/libpbio.a $O/libpb.a
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -O1 $(LDFLAGS) -DTOOL='"$(@F)"' \
	    -DTOOL_C='"../../$<"' -o $@ tests/fuzz/tool.c \
	    tests/fuzz/replay.c $O/libpbio.a $O/libpb.a \
	    $(NEEDED) $(LIBS_TOOL) $(LIBS_$(@F)) -lm

# Not a test: one table of speeds. ARGS names families (tests/bench/main.c).
BENCH   := $(sort $(patsubst tests/bench/%.c,%,$(wildcard tests/bench/*.c)))

$(BENCH:%=$O/tests/bench/%.o): $O/tests/bench/%.o: tests/bench/%.c
	@mkdir -p $(@D)
	$(CC_ALL) $(IOFLAGS) -DBENCH_CFLAGS='"$(CFLAGS)"' \
	    -DBENCH_BUILD='"$O"' -c -o $@ $<

$O/tests/bench/bot: man/examples/bot.c
	@mkdir -p $(@D)
	$(CC) -O2 -o $@ $<

$O/tests/bench/bench: $(BENCH:%=$O/tests/bench/%.o) $O/libpbio.a $O/libpb.a
	$(CC_ALL) $(LDFLAGS) -o $@ $(BENCH:%=$O/tests/bench/%.o) \
	    $O/libpbio.a $O/libpb.a $(NEEDED) $(LIBS_IO) -lm

bench: $O/tests/bench/bench $O/tests/bench/bot $O/libpb.so $(BIN)
	@$O/tests/bench/bench $(ARGS)

# All that tests use, and what would else be found broken on the day of need.
unit: $(UNITBIN) $(CHASE) $(FUZZBIN) $(FUZZTOOL) $O/tests/bench/bench

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

# What runs on several threads, under ThreadSanitizer; that of gcc before 14
# does not start where addresses are more random than it knows.
FIXED = $(shell setarch -R true 2>/dev/null && echo setarch -R)
tsan:
	$(MAKE) O=build-tsan CFLAGS='-O1 -g' SAN=-fsanitize=thread \
	    build-tsan/tests/unit/trials build-tsan/tests/unit/work \
	    build-tsan/tests/unit/env build-tsan/pb-bench
	$(FIXED) build-tsan/tests/unit/work
	$(FIXED) build-tsan/tests/unit/env
	$(FIXED) build-tsan/tests/unit/trials
	$(FIXED) build-tsan/pb-bench -q -j 4 -n 20 -p seed,nearest,safe --no-results \
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

# What serves and connects, for long: 50 minutes of a game among clients that
# fail, and links that stall.
live: all
	PATH=$O:$$PATH python3 tests/cli/live.py 180 $${SEED:-1}
	PATH=$O:$$PATH python3 tests/cli/links.py 60 $${SEED:-1}

# The public headers only: they and libpb.a are what other programs may use.
HEADERS  := $(sort $(wildcard lib/include/pb/*.h))
# Shells load the completion of a command from a file of its name.
BASHCOMP = share/bash-completion/completions
FISHCOMP = share/fish/vendor_completions.d
ZSHCOMP  = share/zsh/site-functions
DOC      = share/doc/pb

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig
	for t in $(TOOLS); do \
		install -m 755 $O/$$t $(DESTDIR)$(PREFIX)/bin/; \
	done
	install -m 644 $O/libpb.a $O/$(SONAME) $(DESTDIR)$(LIBDIR)/
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libpb.so
	install -d $(DESTDIR)$(PREFIX)/$(DOC)/examples
	install -m 644 COPYING NEWS.md README.md $(DESTDIR)$(PREFIX)/$(DOC)/
	install -m 644 man/examples/* $(DESTDIR)$(PREFIX)/$(DOC)/examples/
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' \
	    -e 's|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' lib/pb.pc.in \
	    >$(DESTDIR)$(LIBDIR)/pkgconfig/pb.pc
	install -d $(DESTDIR)$(PREFIX)/include/pb
	install -m 644 $(HEADERS) $(DESTDIR)$(PREFIX)/include/pb/
	for m in $(MANUALS); do \
		to=$(DESTDIR)$(PREFIX)/share/man/man$${m##*.}; \
		install -d $$to && install -m 644 $O/$$m $$to/ || exit; \
	done
	install -d $(DESTDIR)$(PREFIX)/$(BASHCOMP) \
	    $(DESTDIR)$(PREFIX)/$(FISHCOMP) $(DESTDIR)$(PREFIX)/$(ZSHCOMP)
	for t in $(TOOLS); do \
		install -m 644 scripts/completion.bash \
		    $(DESTDIR)$(PREFIX)/$(BASHCOMP)/$$t && \
		install -m 644 scripts/completion.fish \
		    $(DESTDIR)$(PREFIX)/$(FISHCOMP)/$$t.fish || exit; \
	done
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
	for m in $(MANUALS); do \
		rm -f \
		    $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m#man/}; \
	done

# What a change of structure must leave as it is: the output, messages and
# status of tests/pin/commands, and what is published (tests/pin/seeds). ARGS:
# words of commands, or -u to pin the former again.
pin: all
	O=$O scripts/pin-seeds.sh
	O=$O scripts/pin.sh $(ARGS)

lint: all
	O=$O scripts/lint.sh

clean:
	rm -rf build build-*

-include $(BENCH:%=$O/tests/bench/%.d)
-include $O/made.d $(PURE_O:.o=.d) $(IO_O:.o=.d) $(BIN:=.d) $(UNITBIN:=.d)

.PHONY: all asan bench check check-all check-builds clean coverage FORCE \
    faults fuzz install lint live pin shared tsan uninstall unit valgrind \
    websockets
.SECONDARY:
