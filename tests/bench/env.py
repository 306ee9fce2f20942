"""env.py LIBRARY - steps a batch of games as often as each line says."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__),
                                "../../man/examples"))
import numpy as np  # noqa: E402
import pb_gym  # noqa: E402

GAMES = 1024

envs = pb_gym.VectorEnv("pacbot", GAMES, library=sys.argv[1])
draw = np.random.default_rng(1)
actions = [draw.integers(0, 4, GAMES, dtype=np.int32) for _ in range(64)]
envs.reset(seed=1)
print(GAMES, flush=True)
at = 0
for line in sys.stdin:
    for _ in range(int(line)):
        envs.step(actions[at % 64])
        at += 1
    print(int(line) * GAMES, flush=True)
