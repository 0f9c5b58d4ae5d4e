"""AdaUCB: ties stay ties."""

import numpy as np

import steadyarm as sa


def test_the_order_of_the_past_breaks_no_tie_of_ada_ucb():
    """Coins make many ties: arms with the same pulls and successes have the same index to the last bit."""
    policy = sa.AdaUCB(n_arms=5, horizon=400, noise_scale=0.5)
    for seed in range(5):
        play = policy.start(seed=seed)
        coins = np.random.default_rng(seed)
        successes = [0] * 5
        for _ in range(400):
            arm = play.ask()
            reward = float(coins.random() < 0.5)
            successes[arm] += int(reward)
            play.tell(arm, reward)
            if play.round >= 5:
                pasts = list(zip(play.counts.tolist(), successes, strict=True))
                assert len(set(zip(pasts, play.indices.tolist(), strict=True))) == len(set(pasts))
