"""`simulate`: precision, progress, Ctrl-C and clear errors."""

import time

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, OutsideClass, SimulationInterrupted

POLICY = sa.SLEUCB(n_arms=3, horizon=500, constants="sharp")
INSTANCE = sa.equal_gap(3, 0.5)


def test_precision_plays_as_many_runs_as_it_takes_and_no_others():
    result = sa.simulate(POLICY, INSTANCE, precision=0.05, seed=1)
    assert result.regret.relative_half_width <= 0.05
    assert result.instability.relative_half_width <= 0.05
    assert result.runs < 3000
    again = sa.simulate(POLICY, INSTANCE, runs=result.runs, seed=1)
    assert np.array_equal(again.counts, result.counts)


def test_equal_arms_have_no_regret_and_precision_heeds_instability_alone():
    result = sa.simulate(POLICY, sa.equal_arms(3), precision=0.05)
    assert (result.regret.value, result.regret.low, result.regret.high) == (0.0, 0.0, 0.0)
    assert result.instability.relative_half_width <= 0.05


def test_progress_goes_from_nought_to_one():
    shares = []
    sa.simulate(POLICY, INSTANCE, runs=20_000, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_bar_appears_only_where_it_is_asked_for(capsys):
    sa.simulate(POLICY, INSTANCE, runs=10)
    assert capsys.readouterr().err == ""
    sa.simulate(POLICY, INSTANCE, runs=10, progress=True)
    assert "SLE-UCB" in capsys.readouterr().err


def test_an_error_in_the_progress_function_stops_the_work_and_surfaces():
    def broken(_share):
        raise ZeroDivisionError

    started = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        sa.simulate(POLICY.replace(horizon=10**12), INSTANCE, runs=4, engine="step", progress=broken)
    assert time.monotonic() - started < 5


def test_ctrl_c_stops_a_trillion_rounds_at_once_and_keeps_the_finished_runs(ctrl_c):
    long = POLICY.replace(horizon=10**12)
    ctrl_c(0.3)
    started = time.monotonic()
    with pytest.raises(SimulationInterrupted, match="stopped after 0 of 4 runs") as caught:
        sa.simulate(long, INSTANCE, runs=4, engine="step")
    assert time.monotonic() - started < 3
    assert caught.value.partial is None


@pytest.mark.parametrize("engine", ["step", "prefix", "leap"])
def test_ctrl_c_stops_every_engine(engine, ctrl_c):
    runs = 10**6 if engine == "leap" else 4
    ctrl_c(0.3)
    started = time.monotonic()
    with pytest.raises(SimulationInterrupted):
        sa.simulate(POLICY.replace(horizon=10**11), INSTANCE, runs=runs, engine=engine)
    assert time.monotonic() - started < 3


def test_ctrl_c_keeps_the_leading_finished_runs():
    policy = POLICY.replace(horizon=200_000)
    whole = sa.simulate(policy, INSTANCE, runs=6).counts
    stopped = []

    def stop_half_way(share):
        if share > 0.5 and not stopped:
            stopped.append(share)
            raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted) as caught:
        sa.simulate(policy, INSTANCE, runs=2000, progress=stop_half_way)
    partial = caught.value.partial
    assert 0 < partial.runs < 2000
    assert np.array_equal(partial.counts[:6], whole[: partial.runs])
    assert (partial.counts.sum(axis=1) == 200_000).all()


def test_ctrl_c_while_aiming_at_a_precision_keeps_the_pilot_too():
    policy = POLICY.replace(horizon=20_000)

    shares = []

    def stop_after_the_pilot(share):
        shares.append(share)
        if 1.0 in shares and share < 0.9:
            raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted, match="stopped after") as caught:
        sa.simulate(policy, INSTANCE, precision=0.01, progress=stop_after_the_pilot)
    partial = caught.value.partial
    assert partial.runs >= 400
    assert np.array_equal(partial.counts, sa.simulate(policy, INSTANCE, runs=partial.runs).counts)


def test_ctrl_c_before_all_work_is_handed_out_stops_at_once(ctrl_c):
    ctrl_c(0.5)
    started = time.monotonic()
    with pytest.raises(SimulationInterrupted):
        sa.simulate(POLICY.replace(horizon=10**6), INSTANCE, runs=10**6, engine="prefix")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"runs": 0}, InvalidInput, "runs must be at least 1; got 0"),
        ({"runs": 2.5}, InvalidInput, "runs must be a whole number; got 2.5"),
        ({"runs": "9"}, InvalidType, "runs must be a whole number; got '9'"),
        ({"runs": 2**32 + 1}, InvalidInput, "runs must be at most"),
        ({"runs": 5, "precision": 0.1}, InvalidInput, "give runs or precision, not both"),
        ({"precision": 0.0}, InvalidInput, "precision must be positive"),
        ({"precision": 1e-9}, InvalidInput, "would take about .* runs"),
        ({"seed": -1}, InvalidInput, "seed must be at least 0"),
        ({"engine": "warp"}, InvalidInput, "engine must be one of 'auto', .*'step', 'reference'; got 'warp'"),
        ({"device": "tpu"}, InvalidInput, "device must be one of"),
        ({"threads": 0}, InvalidInput, "threads must be at least 1"),
        ({"level": 1.0}, InvalidInput, "level must be below 1"),
        ({"outside_class": "no"}, InvalidType, "outside_class must be True or False; got 'no'"),
        ({"progress": "yes"}, InvalidType, "progress must be True or False; got 'yes'"),
        ({"level": 95}, InvalidInput, "level must be at most 1.0; got 95.0"),
    ],
)
def test_a_bad_argument_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        sa.simulate(POLICY, INSTANCE, **arguments)


def test_policies_and_instances_that_are_none_are_refused():
    with pytest.raises(InvalidType, match="policy must be a steadyarm Policy; got 'SLEUCB'"):
        sa.simulate("SLEUCB", INSTANCE)
    with pytest.raises(InvalidType, match="instance must be a steadyarm Instance"):
        sa.simulate(POLICY, [0.0, 1.0, 2.0])
    with pytest.raises(InvalidInput, match="it has 2"):
        sa.simulate(POLICY, sa.equal_arms(2))


def test_an_instance_outside_the_class_runs_only_on_request():
    wide = sa.equal_gap(3, 1.5)
    with pytest.raises(OutsideClass, match=r"arm 1 has mean -1\.5.*outside_class=True"):
        sa.simulate(POLICY, wide, runs=2)
    assert sa.simulate(POLICY, wide, runs=2, outside_class=True).runs == 2
