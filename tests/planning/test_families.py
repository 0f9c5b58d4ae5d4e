"""Families of policies: every knob goes from cheap to steady, and keeps the arms, the rounds and the class."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadyarm.errors import OutsideClass
from steadyarm.planning.families import Alphas, Promises, Spreads, Widths, settings_of
from steadyarm.planning.trade_offs import trade_off
from steadyarm.theory.guarantees import guarantee
from steadyarm.theory.reward_class import class_of, class_of_rates

GAUSSIAN, COINS = class_of("gaussian"), class_of("bernoulli")
FAMILIES = [family(4, 20_000, GAUSSIAN) for family in (Spreads, Alphas, Widths)]


def named(family):
    return type(family).__name__


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_towards_the_steady_end_a_family_spreads_less_and_costs_more(family):
    cheap, steady = family.usual
    between = math.sqrt(cheap * steady)
    ends = [trade_off(family.policy(setting), GAUSSIAN) for setting in (cheap, between, steady)]
    shown = (
        (lambda point: point.relative_spread) if family.knob == "beta" else (lambda point: point.instability)
    )
    assert shown(ends[0]) > shown(ends[1]) > shown(ends[2])
    assert ends[0].regret < ends[1].regret <= ends[2].regret * (1.0 + 1e-9)


@pytest.mark.parametrize("family", FAMILIES, ids=named)
@given(place=st.floats(-1.0, 2.0))
@settings(max_examples=20)
def test_the_settings_shown_surround_the_one_that_was_asked_for(family, place):
    cheap, steady = family.usual
    around = cheap * (steady / cheap) ** place
    if family.knob == "spread":
        around = min(around, family.horizon / 2)  # no count spreads by more
    shown = family.settings(around)
    assert min(shown) <= around * (1.0 + 1e-12)
    assert max(shown) >= around * (1.0 - 1e-12)
    assert shown == sorted(shown, reverse=steady < cheap)


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_a_policy_can_be_read_back_into_its_setting(family):
    setting = math.sqrt(family.usual[0] * family.usual[1])
    policy = family.policy(setting)
    assert settings_of(policy)[family.knob] == pytest.approx(setting, rel=1e-12)
    assert (policy.n_arms, policy.horizon, policy.noise_scale) == (4, 20_000, GAUSSIAN.noise_scale)


@pytest.mark.parametrize("n_arms", [2, 10, 100])
def test_the_widest_spread_of_steady_is_one_that_it_is_predicted_to_keep(n_arms):
    family = Spreads(n_arms, 1000 * n_arms, COINS)
    widest = family.ends[0]
    there, before = (trade_off(family.policy(spread), COINS) for spread in (widest, 0.8 * widest))
    assert there.instability == pytest.approx(widest, rel=0.1)
    assert there.regret < before.regret


def test_a_promise_in_closed_form_is_one_that_the_policy_keeps():
    family = Promises(3, 50_000, COINS)
    for promise in family.promises[:: max(1, len(family.promises) // 5)]:
        proved = guarantee(family.policy_of(promise), widest_gap=COINS.widest_gap)
        assert proved.regret <= promise.regret * (1.0 + 1e-9)
        assert proved.instability <= promise.instability * (1.0 + 1e-9)


def test_the_best_guarantee_is_no_worse_than_any_in_closed_form():
    family = Promises(2, 100_000, GAUSSIAN)
    promise = family.promises[len(family.promises) // 2]
    found = family.cheapest(max_instability=promise.instability)
    assert guarantee(found, widest_gap=GAUSSIAN.widest_gap).regret <= promise.regret * (1.0 + 1e-3)


def test_a_theorem_and_a_first_order_take_their_own_noise_from_a_range_of_rates():
    rates = class_of_rates(0.02, 0.04)
    assert Spreads(2, 10_000, rates).policy(100.0).noise_scale == pytest.approx(math.sqrt(0.04 * 0.96))
    wide = class_of_rates(0.1, 0.9)
    for family in (Alphas(2, 10_000, wide), Widths(2, 10_000, wide)):
        assert family.policy(2.0).noise_scale == wide.proof_scale == 0.5
    assert Alphas(2, 10_000, rates).policy(2.0).noise_scale == rates.proof_scale > rates.noise_scale
    promised = Promises(2, 10_000, class_of_rates(0.3, 0.6)).cheapest(max_instability=1000.0)
    assert promised.noise_scale == 0.5


def test_a_policy_of_a_range_of_rates_plays_its_arms_unasked():
    rates = class_of_rates(0.02, 0.04)
    for family, setting in ((Spreads(2, 10_000, rates), 100.0), (Alphas(2, 10_000, rates), 2.0)):
        family.policy(setting).check_instance(rates.instance([0.04, 0.02]))
        with pytest.raises(OutsideClass):
            family.policy(setting).check_instance(rates.instance([0.5, 0.02]))
