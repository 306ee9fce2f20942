#!/usr/bin/env python3
"""pb_gym.py - the games of pb as environments for programs that learn.

    python3 pb_gym.py [LIBRARY]             play a game by chance, tell how

LIBRARY is libpb.so, usually that of the checkout or the installation that this
file is of. Batch needs ctypes only, and gives memoryviews where there is no
numpy. The others need
numpy: VectorEnv has the form of gymnasium.vector, Env that of gymnasium.Env,
ParallelEnv that of pettingzoo's parallel API, where the ghosts are agents,
too. Gymnasium and PettingZoo need not be there. pb-env(7) says what settings,
observations, actions and rewards are:

    envs = VectorEnv("pacbot", 1024, threads=4, weights={"death": -100},
                     lives=1, observe="planes")
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(
        actions)
"""
import concurrent.futures
import ctypes as c
import operator
import os
import pathlib
import random
import secrets
import sys
import types

try:
    import numpy as np
except ImportError:
    np = None
try:
    import gymnasium
    import gymnasium.vector
except ImportError:
    gymnasium = None
try:
    import pettingzoo
except ImportError:
    pettingzoo = None

ABI = 1  # PB_ENV_ABI of pb/env.h: what this was written for

FUNCTIONS = {
    "new": (c.c_void_p, c.c_int, c.c_char_p, c.c_int),
    "free": (None, c.c_void_p),
    "error": (c.c_char_p, c.c_void_p),
    "set": (c.c_int, c.c_void_p, c.c_char_p, c.c_char_p),
    "map": (c.c_int, c.c_void_p, c.c_char_p, c.c_int, c.c_int, c.c_double,
            c.c_double, c.c_double, c.c_double),
    "open": (c.c_int, c.c_void_p),
    "weight": (c.c_int, c.c_void_p, c.c_char_p, c.c_double),
    "count": (c.c_int, c.c_void_p, c.c_char_p),
    "name": (c.c_char_p, c.c_void_p, c.c_char_p, c.c_int),
    "bytes": (c.c_size_t, c.c_void_p, c.c_char_p),
    "bind": (c.c_int, c.c_void_p, c.c_char_p, c.c_void_p, c.c_size_t),
    "reset": (c.c_int, c.c_void_p, c.c_int, c.c_int, c.c_void_p),
    "step": (c.c_int, c.c_void_p, c.c_int, c.c_int),
    "episode": (c.c_double, c.c_void_p, c.c_int, c.c_char_p),
    "hash": (c.c_uint64, c.c_void_p, c.c_int),
}

# Memory of each kind: letter of its type in struct, "x" that of observations.
KINDS = {"actions": "i", "observations": "x", "final": "x", "rewards": "d",
         "terminated": "B", "truncated": "B", "masks": "b", "asked": "B"}


def find(path):
    """The library at path, else of the checkout, as installed, of the system."""
    here = pathlib.Path(__file__).resolve().parent
    paths = [path] if path else [
        here / "../../build/libpb.so",
        *here.glob("../../../../lib/libpb.so.0"),
        *here.glob("../../../../lib/*/libpb.so.0"), "libpb.so.0", "libpb.so"]
    for each in paths:
        try:
            return c.CDLL(str(each))
        except OSError as e:
            why = e
    raise OSError(f"no library of pb ({why}): make builds it in a checkout, "
                  "make install installs it, library= names another")


def load(path):
    library = find(path)
    for name, (result, *args) in FUNCTIONS.items():
        f = getattr(library, "pb_env_" + name)
        f.restype, f.argtypes = result, args
    return library


def whole(what, number, most):
    """number as an int of 0..most."""
    try:
        value = operator.index(number)
    except TypeError:
        raise TypeError(f"{what}: expected a whole number, got {number!r}") \
            from None
    if not 0 <= value <= most:
        raise ValueError(f"{what}: expected 0 to {most}, got {value}")
    return value


def seeds_of(seed, games, fresh):
    """A seed a game: seed, seed + 1, ...; or a list; where it is None chance's
    if fresh, else none."""
    try:
        first = None if seed is None else operator.index(seed)
        seeds = [None if seed is None else first + i for i in range(games)]
    except TypeError:
        seeds = list(seed)
    if len(seeds) != games:
        raise ValueError(f"seed: expected {games}, got {len(seeds)}")
    return [whole("seed", s, 2**64 - 1) if s is not None else
            secrets.randbits(63) if fresh else None for s in seeds]


def make(kind, args, options):
    return kind(*args, **options)


class Made:
    """Pickled and copied as what makes another of its kind, not begun yet."""

    def __new__(cls, *args, **options):
        made = super().__new__(cls)
        made.made = args, options
        return made

    def __reduce__(self):
        return make, (type(self), *self.made)


class Batch(Made):
    """Games that go on together: actions in, step(), the rest out.

    Each kind of memory is an attribute, an array that step() writes to, or,
    of actions, reads from. Settings are options of the games with _ for -;
    map is (cells as bytes, width, height, resolution, x, y, theta).
    """

    def __init__(self, rules="pacbot", games=1, threads=1, weights=None,
                 library=None, map=None, **settings):
        self.handle = self.pool = None
        self.lib, self.games = load(library), games
        self.handle = self.lib.pb_env_new(ABI, rules.encode(), games)
        if not self.handle:
            raise MemoryError
        if self.lib.pb_env_error(self.handle):
            self._check(-1)
        if map:
            self._check(self.lib.pb_env_map(self.handle, *map))
        for name, value in settings.items():
            text = {True: "yes", False: "no"}.get(value) \
                if isinstance(value, bool) else str(value)
            self._check(self.lib.pb_env_set(
                self.handle, name.replace("_", "-").encode(), text.encode()))
        self._check(self.lib.pb_env_open(self.handle))
        for term, weight in (weights or {}).items():
            self._check(self.lib.pb_env_weight(
                self.handle, term.encode(), weight))
        self.bodies, self.n_actions = self.count("bodies"), \
            self.count("actions")
        self.outcomes = self.names("outcomes")
        for kind in KINDS:
            setattr(self, kind, self._bind(kind))
        n = max(1, min(threads, games))
        cuts = [games * i // n for i in range(n + 1)]
        self.slices = [(a, b - a) for a, b in zip(cuts, cuts[1:])]
        self.pool = concurrent.futures.ThreadPoolExecutor(n - 1) \
            if n > 1 else None
        self.process = os.getpid()

    def _check(self, status):
        if status != 0:
            raise ValueError(self.lib.pb_env_error(self.handle).decode())

    def count(self, what):
        return self.lib.pb_env_count(self.handle, what.encode())

    def names(self, what):
        """Of rules, settings, terms, outcomes or bodies."""
        found = []
        while name := self.lib.pb_env_name(self.handle, what.encode(),
                                           len(found)):
            found.append(name.decode())
        return found

    def _shape(self, kind):
        if KINDS[kind] == "x":
            parts = [self.count(k) for k in ("parts", "rows", "cols")]
            return [self.games] + [n for n in parts if n > 0]
        shape = [self.games]
        if kind in ("actions", "masks", "asked") and self.bodies > 1:
            shape.append(self.bodies)
        return shape + [self.n_actions] if kind == "masks" else shape

    def _bind(self, kind):
        size = self.lib.pb_env_bytes(self.handle, kind.encode())
        letter = KINDS[kind]
        if letter == "x":
            letter = "f" if self.count("number") == 4 else "B"
        memory = (c.c_double * ((size + 7) // 8))()  # aligned for all of them
        self._check(self.lib.pb_env_bind(self.handle, kind.encode(), memory,
                                         size))
        view = memoryview(memory).cast("B")[:size]
        if np is None:
            return view.cast(letter, self._shape(kind))
        flag = kind in ("terminated", "truncated")
        return np.frombuffer(view, "?" if flag else letter).reshape(
            self._shape(kind))

    def opened(self):
        """Itself, unless it is closed."""
        if not self.handle:
            raise RuntimeError("the environment is closed")
        return self

    def _share(self, run):
        """Run a call for all games, on as many threads as asked for."""
        self.opened()
        if not self.pool:
            return [run(0, self.games)]
        if self.process != os.getpid():
            raise RuntimeError("a fork has no threads: make it there anew")
        rest = [self.pool.submit(run, *s) for s in self.slices[1:]]
        return [run(*self.slices[0])] + [r.result() for r in rest]

    def reset(self, seeds=None):
        """Begin anew, with a seed a game, or, where that is None, go on to
        their next trials."""
        seeds = seeds_of(seeds, self.games, False)
        array = (c.c_uint64 * self.games)(*(s or 0 for s in seeds))

        def run(first, n):
            for i in range(first, first + n):
                self.lib.pb_env_reset(
                    self.handle, i, 1, c.byref(array, 8 * i)
                    if seeds[i] is not None else None)
        self._share(run)

    def step(self, rest=()):
        """Carry out the actions and go on to the next decisions, but for games
        whose numbers are in rest, in order."""
        def run(first, n):
            cuts = [first - 1, *(i for i in rest if first <= i < first + n),
                    first + n]
            return max((self.lib.pb_env_step(self.handle, a + 1, b - a - 1)
                        for a, b in zip(cuts, cuts[1:])), key=abs)
        for status in self._share(run):
            if status > 0:
                raise ValueError(f"game {status - 1}: no such action")
            if status < 0:
                raise RuntimeError("reset() comes before step()")

    def episode(self, i, what):
        """A number about the last game that ended in place i."""
        return self.lib.pb_env_episode(self.handle, i, what.encode())

    def close(self):
        if self.pool:
            self.pool.shutdown(self.process == os.getpid())
        if self.handle:
            self.lib.pb_env_free(self.handle)
        self.handle = None

    __del__ = close


def space(shape=(), dtype=None, n=None):
    """A Discrete or a Box, or what is like one."""
    if gymnasium is None:
        return types.SimpleNamespace(shape=tuple(shape), dtype=dtype, n=n)
    if n is not None:
        return gymnasium.spaces.Discrete(n)
    byte = dtype == np.uint8
    return gymnasium.spaces.Box(0 if byte else -np.inf, 255 if byte
                                else np.inf, tuple(shape), dtype)


def spaces_of(batch):
    """What one agent sees and does."""
    seen = batch.observations
    return space(seen.shape[1:], seen.dtype.type), space(n=batch.n_actions)


EPISODE = ("trial", "outcome", "success", "score", "collected", "total",
           "time", "deaths", "levels", "eaten", "decisions")


def mode_of(name):
    """Gymnasium's mode of that name, where it has one."""
    modes = getattr(gymnasium and gymnasium.vector, "AutoresetMode", str)
    return modes(name)


class VectorEnv(Made, gymnasium.vector.VectorEnv if gymnasium else object):
    """A batch in the form of gymnasium.vector.VectorEnv.

    In autoreset_mode "SameStep" games that end begin anew in the same step: the
    last observation of the old one is in infos["final_obs"], what came of it in
    infos["final_info"]["result"]. In "NextStep" the last observation comes as
    any other, with infos["result"], and the next step begins the new game,
    whatever the action. Arrays are those of the batch, which the next step
    overwrites, without copy=True.
    """
    metadata = {"render_modes": []}
    spec = render_mode = None
    closed = True

    def __init__(self, rules="pacbot", num_envs=1, copy=False,
                 autoreset_mode="SameStep", **options):
        mode = mode_of(getattr(autoreset_mode, "value", autoreset_mode))
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.next_step = getattr(mode, "value", mode) == "NextStep"
        if not self.next_step and getattr(mode, "value", mode) != "SameStep":
            raise ValueError("autoreset_mode: expected SameStep or NextStep")
        self.batch = Batch(rules, num_envs, **options)
        self.closed = False
        if self.batch.bodies > 1:
            raise ValueError("decide: more than one is for ParallelEnv")
        self.num_envs, self.copy = num_envs, copy
        self.fresh, self.rest = True, ()
        one, action = spaces_of(self.batch)
        self.single_observation_space, self.single_action_space = one, action
        if gymnasium:
            batched = gymnasium.vector.utils.batch_space
            self.observation_space = batched(one, num_envs)
            self.action_space = batched(action, num_envs)
        else:
            self.observation_space = space((num_envs, *one.shape), one.dtype)
            self.action_space = space((num_envs,), np.int32, action.n)

    def _own(self, array):
        return array.copy() if self.copy else array

    def reset(self, *, seed=None, options=None):
        """seed: of game 0, the others' follow it; or one for each. None: by
        chance at first, then the next trial."""
        self.batch.reset(seeds_of(seed, self.num_envs, self.fresh))
        self.fresh, self.rest = False, ()
        return self._own(self.batch.observations), {
            "action_mask": self._own(self.batch.masks)}

    def action_masks(self):
        return self.batch.opened().masks.astype(bool)

    def _act(self, actions):
        b = self.batch
        if actions is b.actions:
            return
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != b.actions.shape:
            raise ValueError(
                f"actions: expected {self.num_envs} whole numbers, got "
                f"{actions.dtype} {actions.shape}")
        wrong = np.flatnonzero((actions < 0) | (actions >= b.n_actions))
        if len(wrong):
            raise ValueError(f"game {wrong[0]}: no such action")
        b.actions[:] = actions

    def step(self, actions):
        b, rest = self.batch, self.rest
        self._act(actions)
        b.step(rest)
        for array in (b.rewards, b.terminated, b.truncated):
            array[list(rest)] = 0
        seen, infos = b.observations, {"action_mask": self._own(b.masks)}
        ended = b.terminated | b.truncated
        self.rest = np.flatnonzero(ended).tolist() if self.next_step else ()
        if ended.any():
            told = {k: np.full(self.num_envs, np.nan) for k in EPISODE}
            for i in np.flatnonzero(ended):
                for k in EPISODE:
                    told[k][i] = b.episode(i, k)
            result = {"result": told, "_result": ended}
            if self.next_step:
                infos.update(result)
                seen = seen.copy()
                seen[ended] = b.final[ended]
            else:
                infos["final_obs"], infos["_final_obs"] = b.final.copy(), ended
                infos["final_info"], infos["_final_info"] = result, ended
        return (self._own(seen), self._own(b.rewards),
                self._own(b.terminated), self._own(b.truncated), infos)

    def close(self, **kwargs):
        if not self.closed:
            self.batch.close()
        self.closed = True


class Env(Made, gymnasium.Env if gymnasium else object):
    """One game in the form of gymnasium.Env, for its wrappers and checker."""
    metadata = {"render_modes": []}
    render_mode = None

    def __init__(self, rules="pacbot", **options):
        self.vector = VectorEnv(rules, 1, copy=True, **options)
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.next = None  # what is seen of the game after one that ended

    def reset(self, *, seed=None, options=None):
        if self.vector.closed:
            raise RuntimeError("the environment is closed")
        if gymnasium:
            super().reset(seed=None if seed is None else operator.index(seed))
        if self.next and seed is None:
            seen, infos = self.next
        else:
            seen, infos = self.vector.reset(seed=seed)
        self.next = None
        return seen[0], {"action_mask": infos["action_mask"][0]}

    def action_masks(self):
        return self.vector.action_masks()[0]

    def step(self, action):
        action = whole("action", action, self.vector.batch.n_actions - 1)
        seen, reward, terminated, truncated, infos = self.vector.step(
            np.array([action]))
        info = {"action_mask": infos["action_mask"][0]}
        self.next = None
        if terminated[0] or truncated[0]:
            self.next = seen, infos
            seen = infos["final_obs"]
            info["result"] = {
                k: v[0] for k, v in infos["final_info"]["result"].items()}
        return (seen[0], float(reward[0]), bool(terminated[0]),
                bool(truncated[0]), info)

    def close(self):
        self.vector.close()


class ParallelEnv(Made, pettingzoo.ParallelEnv if pettingzoo else object):
    """One game whose ghosts are agents, too: all decide at the same time.

    Who is not asked in a step has only the last action, which does nothing.
    Ghosts get what the player loses. Without ghosts of one's own: decide=
    "ghosts", and policy= is the player.
    """
    metadata = {"name": "pb", "render_modes": [], "is_parallelizable": True}
    render_mode = None

    def __init__(self, rules="pacbot", decide="all", **options):
        self.batch = Batch(rules, 1, decide=decide, **options)
        self.possible_agents = self.batch.names("bodies")
        self.agents = []
        self.fresh, self.over = True, False
        seen, action = spaces_of(self.batch)
        self.observation_spaces = {a: seen for a in self.possible_agents}
        self.action_spaces = {a: action for a in self.possible_agents}
        player = "ghosts" if decide == "ghosts" else self.possible_agents[0]
        self.sign = {a: 1 if a == player else -1
                     for a in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def _infos(self):
        b = self.batch
        masks = b.masks.reshape(b.bodies, b.n_actions)
        asked = b.asked.reshape(b.bodies)
        return {a: {"action_mask": masks[i].copy(), "asked": bool(asked[i])}
                for i, a in enumerate(self.possible_agents)}

    def reset(self, seed=None, options=None):
        if not self.batch.handle:
            raise RuntimeError("the environment is closed")
        if seed is not None or not self.over:  # else the next has begun
            self.batch.reset(seeds_of(seed, 1, self.fresh))
        self.fresh = self.over = False
        self.agents = list(self.possible_agents)
        seen = self.batch.observations[0].copy()
        return {a: seen for a in self.agents}, self._infos()

    def step(self, actions):
        b, agents = self.batch, self.agents
        if not b.handle:
            raise RuntimeError("the environment is closed")
        if not agents:  # all are done
            return {}, {}, {}, {}, {}
        for a in agents:
            if a not in actions:
                raise ValueError(f"{a}: expected an action, got none")
        b.actions.reshape(b.bodies)[:] = [
            whole(a, actions[a], b.n_actions - 1) for a in agents]
        b.step()
        over, cut = bool(b.terminated[0]), bool(b.truncated[0])
        seen = (b.final if over or cut else b.observations)[0].copy()
        if over or cut:
            self.agents, self.over = [], True
        reward = float(b.rewards[0])
        return ({a: seen for a in agents},
                {a: self.sign[a] * reward for a in agents},
                {a: over for a in agents}, {a: cut for a in agents},
                self._infos())

    def close(self):
        self.batch.close()


def main(args):
    try:
        game = Batch(library=args[0] if args else None)
    except OSError as e:
        sys.exit(f"pb_gym.py: {e}")
    chance, steps = random.Random(1), 0
    game.reset([1])
    while not game.terminated[0]:
        if game.asked[0]:
            mask = game.masks.tolist()[0]
            ways = [d for d in range(4) if mask[d]]
            game.actions[0] = chance.choice(ways or [4])
            steps += 1
        game.step()
    left = game.episode(0, "total") - game.episode(0, "collected")
    print(f"{game.episode(0, 'score'):.0f} points, {left:.0f} pellets left "
          f"after {steps} steps")
    game.close()


if __name__ == "__main__":
    main(sys.argv[1:])
