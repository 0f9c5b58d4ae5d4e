"""Theorem 1′: its closed forms, the equation behind them, and that no policy is below it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import lambertw

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.theory import least_instability, least_regret, product_constant, sharp_minimax_regret
from steadyarm.theory.optimum import _share_lost

CONSTANTS = {
    2: 0.1312,
    3: 0.2266,
    4: 0.2911,
    5: 0.3380,
    7: 0.4031,
    10: 0.4643,
    20: 0.5616,
    50: 0.6535,
    100: 0.7018,
}

arms = st.integers(2, 200)
horizons = st.integers(1000, 10**12)
scales = st.floats(0.1, 10.0)


def angle(n_arms):
    return math.asin(math.sqrt(1.0 - 1.0 / n_arms))


@pytest.mark.parametrize("n_arms", CONSTANTS)
def test_the_constant_of_the_product(n_arms):
    assert CONSTANTS[n_arms] <= product_constant(n_arms) < CONSTANTS[n_arms] + 1e-4


def test_known_points_of_ten_arms():
    assert math.floor(least_instability(3000, n_arms=10, horizon=100_000)) == 4894
    assert math.floor(least_instability(80_000, n_arms=10, horizon=100_000)) == 183
    assert sa.theory.instability_lower_bound(3000, 100_000) < 62  # what Theorem 1 says


@pytest.mark.parametrize("n_arms", [2, 3, 10, 50])
@pytest.mark.parametrize("limit", [0.5, 0.45, 0.3, 0.1, 0.01])
def test_the_closed_form_solves_the_equation(n_arms, limit):
    times = np.linspace(0.0, 12.0, 60)

    def fall(_, phi):
        return [-0.5 * min(limit, math.sin(phi[0]) * math.cos(phi[0]))]

    solved = solve_ivp(
        fall, (0.0, 12.0), [angle(n_arms)], t_eval=times, rtol=1e-10, atol=1e-12, max_step=0.02
    )
    assert np.sin(solved.y[0]) ** 2 == pytest.approx(_share_lost(times, n_arms, limit), abs=1e-6)


@settings(max_examples=50)
@given(
    n_arms=arms,
    horizon=horizons,
    bound=scales,
    noise=scales,
    share=st.floats(1e-6, 0.5),
    part=st.floats(0.01, 1.0),
)
def test_it_is_at_least_each_of_the_theorems_plain_forms(n_arms, horizon, bound, noise, share, part):
    spread, gap, phi = share * horizon, part * 2.0 * bound, angle(n_arms)
    setting = {"n_arms": n_arms, "horizon": horizon, "mean_bound": bound, "noise_scale": noise}
    least = least_regret(spread, **setting)
    falls = max(0.0, phi - spread * gap / (2.0 * noise * math.sqrt(horizon)))
    assert least >= gap * horizon * math.sin(falls) ** 2 * (1 - 1e-9)  # (A)
    unit = noise * math.sqrt(horizon) / bound
    edge = unit * (phi - math.asin(math.sqrt(min(1.0, least / (2.0 * bound * horizon)))))
    assert spread >= edge - 1e-9 * unit  # (D)
    if least <= 0.05 * bound * horizon:
        assert least * spread >= product_constant(n_arms) * noise * horizon**1.5 * (1 - 1e-6)  # (C)


@settings(max_examples=40)
@given(n_arms=arms, horizon=horizons, noise=scales, share=st.floats(1e-4, 0.4))
def test_least_regret_and_least_instability_are_inverse(n_arms, horizon, noise, share):
    setting = {"n_arms": n_arms, "horizon": horizon, "noise_scale": noise}
    least = least_regret(share * horizon, **setting)
    found = least_instability(least, **setting)
    if math.isfinite(found) and least > sharp_minimax_regret(n_arms, horizon, 1.0, noise) * (1 + 1e-6):
        assert found == pytest.approx(share * horizon, rel=1e-3)
    assert found <= share * horizon * (1 + 1e-6) or math.isinf(found)


@pytest.mark.parametrize("n_arms", [2, 10, 100, 2000])
def test_the_minimax_bound_is_lamberts(n_arms):
    expected = float(lambertw((n_arms - 1) / math.e).real)
    assert sharp_minimax_regret(n_arms, 10**8) / 10**4 == pytest.approx(expected, rel=1e-9)
    beaten = sa.theory.minimax_regret_lower_bound(n_arms, 10**8) / 10**4
    assert (beaten > expected) == (n_arms > 1400)


@given(n_arms=arms, horizon=horizons)
def test_equal_shares_are_on_the_edge(n_arms, horizon):
    regret = 2.0 * horizon * (1.0 - 1.0 / n_arms)  # of round robin, which never spreads
    setting = {"n_arms": n_arms, "horizon": horizon}
    assert least_regret(0.0, **setting) == pytest.approx(regret, rel=1e-9)
    assert least_instability(regret, **setting) == 0.0
    assert least_regret(0.0, **setting) <= regret


def test_coins_of_all_rates_are_a_little_easier_than_gaussian_arms_of_their_noise():
    setting = {"n_arms": 4, "horizon": 200_000}
    coins = least_regret(500, **setting, rates=(0.0, 1.0))
    assert 0.97 < coins / least_regret(500, **setting, mean_bound=0.5, noise_scale=0.5) < 1.0
    narrow = least_regret(500, **setting, rates=(0.02, 0.04))
    assert narrow < least_regret(500, **setting, rates=(0.02, 0.08)) < coins


@pytest.mark.slow
@pytest.mark.parametrize("name", ["UCB", "SLEUCB"])
def test_measured_policies_are_above_it_and_a_quarter_of_their_regret_would_be_below(name):
    """Worst cases found by search are lower estimates, so this can fail only if the bound is wrong."""
    options = {"constants": "sharp"} if name == "SLEUCB" else {}
    policy = sa.all_policies()[name](n_arms=10, horizon=100_000, **options)
    regret = sa.worst_case(policy, of="regret", runs=200).estimate
    spread = sa.worst_case(policy, of="instability", runs=200).estimate
    setting = {"n_arms": 10, "horizon": 100_000}
    assert regret.high >= least_regret(spread.high, **setting)
    assert regret.low / 4.0 < least_regret(spread.high, **setting)  # the control: a quarter of it is excluded


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: least_regret(-1.0, n_arms=2, horizon=100), "instability must be at least 0"),
        (lambda: least_instability(math.nan, n_arms=2, horizon=100), "regret must be"),
        (lambda: least_regret(1.0, n_arms=200, horizon=100), "200 arms need more rounds than arms"),
        (
            lambda: least_regret(1.0, n_arms=2, horizon=100, rates=(0.5, 0.2)),
            "the upper rate must be above 0.5",
        ),
        (
            lambda: least_regret(1.0, n_arms=2, horizon=100, rates=(0.5, 1.2)),
            "the upper rate must be at most 1",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()


@pytest.mark.parametrize("bound", [1e2, 1e16, 1e18, 1e30, 1e99])
def test_a_wider_class_never_lowers_it(bound):
    setting = {"n_arms": 2, "horizon": 100, "mean_bound": bound}
    assert least_regret(10.0, **setting) == pytest.approx(13.127, rel=1e-4)
    assert least_instability(2.0, **setting) == math.inf  # no policy loses so little


@pytest.mark.parametrize("rates", [0.5, (0.5,), {}, (0.1, 0.2, 0.3), "ab"])
def test_rates_are_two_numbers(rates):
    with pytest.raises(InvalidInput, match=r"rates must be two numbers|rate must be"):
        least_regret(1.0, n_arms=2, horizon=100, rates=rates)


def test_scales_beyond_measure_are_refused():
    with pytest.raises(InvalidInput, match="mean_bound must be at most"):
        least_regret(1.0, n_arms=2, horizon=100, mean_bound=1e308)
    with pytest.raises(InvalidInput, match="noise_scale must be at least"):
        least_regret(1.0, n_arms=2, horizon=100, noise_scale=1e-320)
    with pytest.raises(InvalidInput, match="n_arms must be"):
        product_constant([2])
