"""The one instance that every peer plays, its rewards drawn beforehand, and how a peer's play is timed.

Another number of arms or rounds, to see how time grows with them, stands in the environment: PEER_ARMS, PEER_HORIZON.
Needs the standard library only: it runs in the environment of each peer.
"""

import contextlib
import json
import os
import random
import time

ARMS = range(int(os.environ.get("PEER_ARMS", "10")))
HORIZON = int(os.environ.get("PEER_HORIZON", "10000"))
_LEAST_SECONDS = 0.5
_WARM_UP = 200


def means_of(n_arms):
    """Return the means of so many arms: one is best, and a third each of the others is 0.1, 0.5 and 1 below it."""
    return (0.0, *((-0.1, -0.5, -1.0)[3 * other // (n_arms - 1)] for other in range(n_arms - 1)))


def chances_of(means):
    """Return the chances of a 1 for those who know no rewards but 0 and 1."""
    return tuple((1.0 + mean) / 2.0 for mean in means)


MEANS = means_of(len(ARMS))
CHANCES = chances_of(MEANS)


def drawn_rewards(seed=1):
    """Return a list of rewards for each arm, as long as the horizon, for peers that only choose arms."""
    generator = random.Random(seed)
    return [[generator.gauss(mean, 1.0) for _ in range(HORIZON)] for mean in MEANS]


def drawn_coins(seed=1):
    """Return rewards 0 and 1 with these chances, for peers that know no others."""
    generator = random.Random(seed)
    return [[int(generator.random() < chance) for _ in range(HORIZON)] for chance in CHANCES]


def report(play):
    """Time play(rounds), whole plays of the horizon until half a second is over, and print pulls a second as JSON."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        play(_WARM_UP)  # imports on first use, compilation
        pulls, wall, cpu = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - wall < _LEAST_SECONDS:
            play(HORIZON)
            pulls += HORIZON
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"pulls": pulls, "wall": pulls / wall, "cpu": pulls / cpu}))
