#!/usr/bin/env bats
# env.bats - the games as environments for Python: man/examples/pb_gym.py.

load pacbot

setup() {
	here
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
	PYTHONPATH=man/examples:${without-} "$1" -c \
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
		            assert infos["result"]["deaths"][at] == 1
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
		    check_env(g.Env("pacbot", library=L))
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
	END
}
