"""Computes the table of `steadyarm.policies.own_history.steady`: the tilt's shape for each number of arms.

To first order an index mean + w(share) comes to rest where all indices are equal. With mobilities a = 1/|w′|,
W = Σa and unit noise and horizon, on the shares x

    Var N_i = a_i²·( (1 − 2a_i/W)/x_i + Σ_j a_j²/x_j / W² ),    R = Σ x_i·( w(x_i) − w(x_max) ).

Every point of the simplex is the resting point of some instance, so the worst spread s and the worst regret r are
suprema over it; shares of at most three levels are searched. Kink and bend are those with the least r·s near a start
that varies smoothly with the number of arms. Prints the rows as they stand in the module, and behind each the worst
regret and r·s/c_K, where c_K is the least that any policy has (`theory.product_constant`). Takes half a minute.
"""

import math

import numpy as np
from scipy.optimize import minimize

import steadyarm as sa

# Number of arms: kink as a multiple of the fair share, and bend, where the search begins.
STARTS = {
    2: (0.6, 0.3),
    3: (0.7, 0.3),
    4: (0.72, 0.3),
    5: (0.8, 0.2),
    7: (0.93, 0.2),
    10: (1.1, 0.3),
    15: (1.2, 0.42),
    20: (1.25, 0.5),
    30: (1.33, 0.58),
    50: (1.45, 0.66),
    100: (1.6, 0.75),
    200: (1.8, 0.81),
    500: (4.0, 0.82),
    1000: (7.0, 0.85),
}


def slope(x, kink, bend):
    """|w′|, in the unit in which it is 1/(√x·(1 − bend²x)) beyond the kink."""
    below = math.sqrt(kink) / (1.0 - bend**2 * kink)
    return np.where(x <= kink, below / x, 1.0 / (np.sqrt(x) * (1.0 - bend**2 * x)))


def tilt(x, kink, bend):
    """Return w, zero at the kink."""

    def beyond(share):
        return np.log((1.0 + bend * np.sqrt(share)) / (1.0 - bend * np.sqrt(share))) / bend

    below = math.sqrt(kink) / (1.0 - bend**2 * kink)
    return np.where(x <= kink, below * np.log(kink / x), beyond(kink) - beyond(np.maximum(x, kink)))


def regret_and_spread(sizes, bottom, place, kink, bend):
    """Regret and largest spread where (best, middle, bottom) arms of these sizes share the pulls."""
    best, middle, rest = sizes
    tied = (1.0 - rest * bottom) / (best + middle)
    between = bottom * (tied / bottom) ** place
    x = np.stack([(1.0 - middle * between - rest * bottom) / best, between, bottom])
    copies = np.array(sizes).reshape(3, *[1] * bottom.ndim)
    w, a = tilt(x, kink, bend), 1.0 / slope(x, kink, bend)
    regret = (copies * x * (w - w[0])).sum(0)
    whole = (copies * a).sum(0)
    variance = a**2 * ((1.0 - 2.0 * a / whole) / x + (copies * a**2 / x).sum(0) / whole**2)
    return regret, np.sqrt(np.where(copies > 0, variance, 0.0).max(0))


def all_sizes(n_arms):
    """Pairs of numbers of best and middle arms: all for few arms, else some."""
    some = {*range(1, min(n_arms, 11)), *np.geomspace(1, n_arms - 1, 14).round().astype(int).tolist()}
    for best in sorted(some):
        for middle in sorted({0, n_arms - best - 1, *some}):
            if best + middle < n_arms:
                yield best, middle, n_arms - best - middle


def worst(n_arms, kink, bend, points=16, zooms=3):
    """Return the largest regret and the largest spread over shares of at most three levels."""
    found = [0.0, 0.0]
    depths, places = np.linspace(-8.0, 0.0, 2 * points), np.linspace(0.0, 1.0, points // 2 + 1)
    grids = []
    for sizes in all_sizes(n_arms):
        bottom, place = np.meshgrid(
            np.exp(depths) / n_arms, places if sizes[1] else places[:1], indexing="ij"
        )
        grids.append((sizes, bottom, place, regret_and_spread(sizes, bottom, place, kink, bend)))
    for quantity in (0, 1):
        peaks = []
        for sizes, bottom, place, values in grids:
            at = np.unravel_index(values[quantity].argmax(), bottom.shape)
            peaks.append((values[quantity][at], sizes, math.log(bottom[at] * n_arms), place[at]))
        for value, sizes, depth, place in sorted(peaks, reverse=True)[:4]:
            reach = np.array([depths[1] - depths[0], places[1] - places[0]])
            for _ in range(zooms):
                near = [np.linspace(-step, step, 9) for step in reach]
                deeper, moved = np.clip(depth + near[0], -12.0, 0.0), np.clip(place + near[1], 0.0, 1.0)
                bottoms, closer = np.meshgrid(np.exp(deeper) / n_arms, moved, indexing="ij")
                values = regret_and_spread(sizes, bottoms, closer, kink, bend)[quantity]
                at = np.unravel_index(values.argmax(), values.shape)
                value, depth, place = max(
                    (value, depth, place), (values[at], math.log(bottoms[at] * n_arms), closer[at])
                )
                reach = reach / 4.0
            found[quantity] = max(found[quantity], float(value))
    return found


def shape(n_arms):
    """Return the kink, as a multiple of the fair share, and the bend at which regret times spread is least."""

    def product(x):
        inside = 0.05 < x[1] < 0.95 and math.exp(x[0]) < 0.9 * n_arms
        return math.prod(worst(n_arms, math.exp(x[0]) / n_arms, x[1])) if inside else math.inf

    kink, bend = STARTS[n_arms]
    start = np.array([math.log(kink), bend])
    simplex = start + np.array([[0.0, 0.0], [0.15, 0.0], [0.0, 0.08]])
    found = minimize(
        product,
        start,
        method="Nelder-Mead",
        options={"initial_simplex": simplex, "maxfev": 45, "fatol": 1e-4},
    )
    return round(math.exp(found.x[0]), 3), round(float(found.x[1]), 3)


def main():
    for n_arms in STARTS:
        kink, bend = shape(n_arms)
        regret, spread = worst(n_arms, kink / n_arms, bend, points=32, zooms=5)
        ratio = regret * spread / sa.theory.product_constant(n_arms)
        print(f"({n_arms}, {kink}, {bend}, {spread:.4f}),  # {regret:.4f}, {ratio:.3f}", flush=True)


if __name__ == "__main__":
    main()
