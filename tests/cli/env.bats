#!/usr/bin/env bats
# env.bats - the games as environments for Python: man/examples/pb_gym.py.

load pacbot

setup() {
	here
	unset -f python3 # numpy and others are packages of the machine
	command -v python3 >/dev/null || skip "no python3"
	nm "$build/libpb.a" | grep -q __[at]san && skip "built with a sanitizer"
	# Modules that cannot be had.
	mkdir "$dir/without"
	for m in numpy gymnasium pettingzoo; do
		echo 'raise ImportError' >"$dir/without/$m.py"
	done
}

# Run a script that can import pb_gym; L is the library.
script() { # PYTHON
	PYTHONPATH=man/examples:${without-}:${PYTHONPATH-} "$1" -c \
		"import pb_gym as g; L = '$build/libpb.so'
$(cat)"
}

bare() { without=$dir/without script python3; }

# With numpy: some python3 may have it.
full() {
	for p in python3 /usr/bin/python3; do
		$p -c 'import numpy' 2>/dev/null && script "$p" && return
	done
}

needs_numpy() {
	python3 -c 'import numpy' 2>/dev/null ||
		/usr/bin/python3 -c 'import numpy' 2>/dev/null ||
		skip "no numpy"
}

@test "a game by chance is the same by decisions and by ticks, without numpy" {
	PYTHONPATH=$dir/without run -0 --separate-stderr \
		python3 man/examples/pb_gym.py "$build/libpb.so"
	# One frame a tick.
	bare <<-END >"$dir/frames"
		import random, sys
		game, chance = g.Batch(library=L, every="tick"), random.Random(1)
		game.reset([1])
		while not game.terminated[0]:
		    sys.stdout.buffer.write(bytes(game.observations))
		    if game.asked[0]:
		        mask = game.masks.tolist()[0]
		        ways = [d for d in range(4) if mask[d]]
		        game.actions[0] = chance.choice(ways or [4])
		    game.step()
		sys.stdout.buffer.write(bytes(game.final))
	END
	frames "$dir/frames" >"$dir/ticks"
	[ "${output%% points*}" = "$(tail -n 1 "$dir/ticks" | jq .score)" ]
	jq -se 'length > 100 and length == last.tick - first.tick + 1' \
		"$dir/ticks"
}

@test "moves of pb-sim's player give the trial of pb-bench" {
	pb-sim -r pacbot -p power -s 5 -t 1 |
		jq -r 'select(.type == "move").dir' >"$dir/moves"
	bare <<-END >"$dir/got"
		game, way = g.Batch(library=L), "up left down right stop".split()
		game.reset([5])
		while not game.terminated[0]:  # trial 0
		    game.step()
		for move in open("$dir/moves"):
		    assert game.asked[0]
		    game.actions[0] = way.index(move.strip())
		    game.step()
		assert game.terminated[0]
		print(f"{game.episode(0, 'trial'):.0f}",
		      f"{game.episode(0, 'score'):.0f}",
		      f"{game.lib.pb_env_hash(game.handle, 0):016x}")
	END
	pb-bench -r pacbot -p power -s 5 -n 2 | jq -r 'select(.type == "result" and
		.trial == 1) | "\(.trial) \(.score) \(.hash)"' | cmp - "$dir/got"
}

@test "what is wrong is told in Python in one line" {
	bare <<-'END'
		def wrong(why, make):
		    try:
		        make()
		    except (ValueError, RuntimeError) as e:
		        assert str(e) == why, e
		    else:
		        assert False, why

		b = lambda **o: g.Batch(library=L, **o)
		wrong('no rules "chess"', lambda: b(rules="chess"))
		wrong('no setting "lifes" of the rules pacbot', lambda: b(lifes=1))
		wrong('lives: expected a number in its range, got "9"',
		      lambda: b(lives=9))
		wrong('feed-forward: expected no|yes, got "1"',
		      lambda: b(feed_forward=1))
		wrong('policy: no player "x"', lambda: b(policy="x"))
		wrong("reward: zumy does not count ghost",
		      lambda: b(rules="zumy", weights={"ghost": 1}))
		wrong("observe: roomba has no frames",
		      lambda: b(rules="roomba", observe="frame"))
		wrong("map: pacbot is played on a board, see \"board\"",
		      lambda: b(map=(b"\0", 1, 1, 1, 0, 0, 0)))
		wrong("reset() comes before step()", lambda: b().step())
		game = b()
		game.reset([1])
		game.actions[0] = 5
		wrong("game 0: no such action", game.step)
		g.ABI += 1
		wrong("the program was written for another pb/env.h", b)
	END
}

@test "a map is played on as it was given" {
	pb-mapgen random-house -s 1 >"$dir/map"
	bare <<-'END'
		import random
		def play(**more):
		    game, chance = g.Batch("pacmanbot", library=L, **more), \
		        random.Random(1)
		    game.reset([3])
		    while not game.terminated[0]:
		        game.actions[0] = chance.randrange(game.n_actions)
		        game.step()
		    return game.lib.pb_env_hash(game.handle, 0)
		cells = bytes([255] * 40 + ([255] + [0] * 38 + [255]) * 38 +
		              [255] * 40)
		flat = (cells, 40, 40, 0.1, 0, 0, 0)
		assert play() == play(house=1) != play(house=2)
		assert play(map=flat, spacing=1) == play(map=flat, spacing=1) \
		    != play(map=flat, spacing=1.5)
	END
}

@test "Gymnasium's vector form: threads, seeds, last observations" {
	needs_numpy
	full <<-'END'
		import numpy as np
		def run(n, threads, seeds, steps=400, **o):
		    e = g.VectorEnv("pacbot", n, library=L, threads=threads, lives=1,
		                    copy=True, **o)
		    seen, infos = e.reset(seed=seeds)
		    assert seen.shape == e.observation_space.shape, seen.shape
		    out, ends = [seen], 0
		    for i in range(steps):
		        seen, reward, ended, cut, infos = e.step(
		            (infos["action_mask"] * [[i % 3, 2, i % 5, 1, 0]])
		            .argmax(1).astype(np.int32))
		        out.append(seen)
		        if ended.any():
		            ends += 1
		            at = np.flatnonzero(ended)[0]
		            assert (infos["_final_obs"] == (ended | cut)).all()
		            assert (infos["final_obs"][at] != seen[at]).any()
		            assert (seen[at] == out[0][at]).all()
		            assert infos["final_info"]["result"]["deaths"][at] == 1
		            assert infos["_final_info"][at]
		    e.close()
		    assert ends
		    return np.array(out)
		all = run(9, 1, 4)
		assert (run(9, 3, 4) == all).all()
		assert (run(1, 1, [7])[:, 0] == all[:, 3]).all()
		planes = run(2, 2, 4, 300, observe="planes", type="float")
		assert planes.dtype == np.float32 and planes.shape[2:] == (19, 31, 28)
		e = g.VectorEnv("pacbot", 2, library=L)
		seen, _ = e.reset(seed=1)
		assert e.step(e.batch.actions)[0] is seen  # no copy
	END
}

@test "Gymnasium's form of one game, and its checker where it is" {
	needs_numpy
	full <<-'END'
		e = g.Env("roomba", library=L, lives=1, observe="planes")
		first, info = e.reset(seed=3)
		assert e.observation_space.shape == first.shape
		again, _ = e.reset(seed=3)
		assert (first == again).all()
		over = False
		while not over:
		    seen, reward, over, cut, info = e.step(
		        int(info["action_mask"].argmax()))
		assert info["result"]["trial"] == 0 and (seen != first).any()
		e.reset()
		over = False
		while not over:
		    seen, reward, over, cut, info = e.step(4)
		assert info["result"]["trial"] == 1
		if g.gymnasium:
		    from gymnasium.utils.env_checker import check_env
		    for rules in "pacbot", "roomba", "zumy", "pacmanbot":
		        check_env(g.Env(rules, library=L))
		    from gymnasium.wrappers.vector import RecordEpisodeStatistics
		    for mode in "SameStep", "NextStep":
		        e = RecordEpisodeStatistics(g.VectorEnv(
		            "zumy", 3, library=L, autoreset_mode=mode))
		        e.reset(seed=1)
		        while e.episode_count < 3:
		            e.step(e.action_space.sample())
	END
}

@test "PettingZoo's parallel form: ghosts are agents, too" {
	needs_numpy
	full <<-'END'
		def play(rules, **o):
		    e = g.ParallelEnv(rules, library=L, **o)
		    seen, infos = e.reset(seed=2)
		    who, steps = list(e.agents), 0
		    while e.agents:
		        seen, reward, ended, cut, infos = e.step({
		            a: int(infos[a]["action_mask"].argmax()) for a in who})
		        steps += 1
		    assert set(ended) == set(who) and all(ended.values())
		    assert len(set(map(id, seen.values()))) == 1
		    return who, steps, reward
		who, steps, reward = play("pacbot", lives=1, weights={"time": 1})
		assert who == ["pacman", "red", "pink", "cyan", "orange"]
		assert reward["pacman"] == -reward["red"]
		assert play("pacbot", lives=1)[1] == steps
		who, _, _ = play("zumy", decide="ghosts", observe="features")
		assert who == ["patrol1", "patrol2"], who
		play("roomba", observe="planes")
		e = g.ParallelEnv("zumy", library=L)
		_, infos = e.reset(seed=1)
		try:
		    e.step({"player": 0})
		    assert False
		except ValueError as why:
		    assert str(why) == "patrol1: expected an action, got none"
		while e.agents:
		    e.step({a: 4 for a in e.agents})
		assert e.step({}) == ({}, {}, {}, {}, {})
		e.reset()
		assert e.batch.episode(0, "trial") == 0  # and trial 1 has begun
		if g.pettingzoo:
		    from pettingzoo.test import parallel_api_test
		    parallel_api_test(g.ParallelEnv("zumy", library=L), 100)
	END
}

@test "a fork of an environment with threads is refused" {
	needs_numpy
	full <<-'END'
		import os
		vec = g.VectorEnv("zumy", 3, threads=2, library=L)
		vec.reset(seed=1)
		if os.fork() == 0:
		    try:
		        vec.reset(seed=1)
		    except RuntimeError as e:
		        os._exit(str(e) != "a fork has no threads: make it there anew")
		    os._exit(2)
		assert os.wait()[1] == 0
		vec.reset(seed=2)
	END
}

@test "after close() there are exceptions, in C refusals" {
	needs_numpy
	full <<-'END'
		import numpy as np
		def closed(call):
		    try:
		        call()
		    except RuntimeError as e:
		        assert str(e) == "the environment is closed", e
		    else:
		        assert False
		env, vec = g.Env(library=L), g.VectorEnv("zumy", 3, threads=2, library=L)
		many = g.ParallelEnv("zumy", library=L)
		for e in env, vec, many:
		    e.reset(seed=1)
		    e.close()
		    e.close()
		    closed(e.reset)
		closed(env.action_masks)
		closed(vec.action_masks)
		closed(lambda: env.step(0))
		closed(lambda: vec.step(np.zeros(3, int)))
		closed(lambda: many.step({}))
		lib = g.load(L)
		assert lib.pb_env_error(None) == b"the batch is closed"
		assert lib.pb_env_open(None) == lib.pb_env_step(None, 0, 1) == \
		    lib.pb_env_reset(None, 0, 1, None) == lib.pb_env_set(
		    None, b"a", b"b") == lib.pb_env_weight(None, b"score", 1) == \
		    lib.pb_env_bind(None, b"masks", None, 0) == \
		    lib.pb_env_count(None, b"games") == -1
		assert lib.pb_env_bytes(None, b"masks") == lib.pb_env_hash(None, 0) == 0
		assert lib.pb_env_name(None, b"outcomes", 0) is None
		assert np.isnan(lib.pb_env_episode(None, 0, b"score"))
		lib.pb_env_free(None)
	END
}

@test "seeds and actions are whole numbers; none is a fresh game" {
	needs_numpy
	full <<-'END'
		import copy, pickle
		import numpy as np
		def wrong(kind, call):
		    try:
		        call()
		    except kind as e:
		        assert "\n" not in str(e)
		    else:
		        assert False
		def hashes(*seeds):
		    e = g.VectorEnv("zumy", 3, library=L)
		    for s in seeds:
		        e.reset(seed=s)
		    while not all(e.batch.lib.pb_env_hash(e.batch.handle, i)
		                  for i in range(3)):
		        e.step(e.action_masks().argmax(1))
		    return [e.batch.lib.pb_env_hash(e.batch.handle, i)
		            for i in range(3)]
		one = hashes(5)
		assert one == hashes(np.int64(5)) == hashes([5, 6, 7]) == \
		    hashes(np.arange(5, 8, dtype=np.uint32)), one
		assert hashes([5, None, 7])[::2] == one[::2]
		assert hashes(5, [5, None, 7])[::2] == one[::2] != hashes(5, None)[::2]
		assert len({tuple(hashes(None)) for _ in range(4)}) > 1
		e = g.VectorEnv("zumy", 3, library=L)
		for s in -1, 2**64, [1, 2], [1, 2, -3]:
		    wrong(ValueError, lambda: e.reset(seed=s))
		wrong(TypeError, lambda: e.reset(seed=[1, 2, 3.5]))
		e.reset(seed=1)
		for a in ([0.5] * 3, [0, 1], [0, 1, 5], [0, -1, 0], [0, 2**32, 0],
		          [True] * 3):
		    wrong(ValueError, lambda: e.step(a))
		_, infos = e.reset(seed=1)
		assert infos["action_mask"].dtype == np.int8
		assert e.action_masks().dtype == bool and e.action_masks().any()
		env = g.Env("zumy", library=L)
		first, _ = env.reset(seed=np.int32(3))
		assert env.action_masks().shape == (5,)
		wrong(TypeError, lambda: env.step(1.0))
		wrong(ValueError, lambda: env.step(-1))
		env.step(np.int64(1))
		wrong(Exception, lambda: env.reset(seed=-1))
		for other in pickle.loads(pickle.dumps(env)), copy.deepcopy(env):
		    assert (other.reset(seed=3)[0] == first).all()
		for kind in g.VectorEnv, g.ParallelEnv, g.Batch:
		    pickle.loads(pickle.dumps(kind("zumy", library=L))).reset()
	END
}

@test "in the next-step mode the last observation comes first" {
	needs_numpy
	full <<-'END'
		import numpy as np
		def games(mode, threads):
		    e = g.VectorEnv("pacbot", 7, library=L, threads=threads, lives=1,
		                    copy=True, autoreset_mode=mode)
		    seen, infos = e.reset(seed=1)
		    told, last, rest, out = [], [], np.zeros(7, bool), []
		    for i in range(500):
		        mask = e.action_masks()
		        now, reward, ended, cut, infos = e.step(
		            (mask * [[i % 3, 2, 2, 1, 0]]).argmax(1))
		        if mode == "NextStep":
		            assert not (reward[rest].any() or ended[rest].any())
		            rest = ended | cut
		            for k in np.flatnonzero(rest):
		                told.append((k, infos["result"]["trial"][k]))
		                last.append(bytes(now[k]))
		        for k in np.flatnonzero(infos.get("_final_obs", ())):
		            told.append((k, infos["final_info"]["result"]["trial"][k]))
		            last.append(bytes(infos["final_obs"][k]))
		    return dict(zip(told, last)), e.metadata["autoreset_mode"]
		same, mode = games("SameStep", 1)
		after, _ = games("NextStep", 1)
		assert after == games("NextStep", 3)[0]
		assert len(same) > 7 and {k for k, t in after} == set(range(7))
		assert getattr(mode, "value", mode) == "SameStep"
		try:
		    g.VectorEnv("zumy", 1, library=L, autoreset_mode="Never")
		    assert False
		except ValueError:
		    pass
	END
}

@test "the library is found in a checkout and where it is installed" {
	mkdir -p "$dir/usr/share/doc/pb/examples" "$dir/usr/lib"
	cp man/examples/pb_gym.py "$dir/usr/share/doc/pb/examples"
	cp "$build/libpb.so" "$dir/usr/lib/libpb.so.0"
	(cd / && python3 "$dir/usr/share/doc/pb/examples/pb_gym.py") |
		grep -q '^[0-9]* points'
	ldconfig -p | grep -q libpb.so && skip "libpb.so is installed here"
	rm "$dir/usr/lib/libpb.so.0"
	run -1 python3 "$dir/usr/share/doc/pb/examples/pb_gym.py"
	[ "${#lines[@]}" = 1 ]
	[[ $output == "pb_gym.py: no library of pb "*": make builds it in a checkout, "* ]]
}
