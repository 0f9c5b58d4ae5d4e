"""The GPU's kernels: under Numba's simulator they must give the CPU's counts; without a card a clear message."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.policies.core.own_history import OwnHistoryPolicy

SIMULATED = """
import json
import numpy as np
import steadyarm as sa
from steadyarm.engines.choice import GPU_ENGINES
from steadyarm.engines.cuda import engine as gpu

gpu._FIRST_ROUNDS = 7  # many launches
equal = {}
for name, policy_class in sorted(sa.all_policies().items()):
    for n_arms, horizon in ((2, 61), (5, 90), (40, 130)):
        parameters = {"noise_scale": 0.5} if name in ("BetaThompson", "KLUCBpp", "KLUCBSwitch", "UCBV") else {}
        policy = policy_class(n_arms=n_arms, horizon=horizon, **parameters)
        coins = sa.Instance.bernoulli(np.linspace(0.2, 0.8, n_arms))
        for instance in (coins,) if parameters else (coins, sa.equal_gap(n_arms, 0.3)):
            for engine in GPU_ENGINES:
                if GPU_ENGINES[engine].refusal(policy, instance):
                    continue
                at = [1, 4, 5, 6, 50] if n_arms == 5 else None
                on = lambda device: sa.simulate(
                    policy, instance, runs=2, seed=5, engine=engine, device=device, outside_class=True, at=at
                )
                card, cpu = on("cuda"), on("cpu")
                key = f"{name} {n_arms} {instance.rewards} {engine}"
                equal[key] = bool((card.counts == cpu.counts).all() and (card.counts_at == cpu.counts_at).all())
print(json.dumps(equal))
"""


@pytest.fixture(scope="module")
def simulated():
    """Whether counts agreed, for every policy that a GPU can play, from a process with the simulator."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SIMULATED], env=environment, capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_kernels_give_the_counts_of_the_cpu_bit_for_bit(simulated):
    assert [key for key, equal in simulated.items() if not equal] == []


@pytest.mark.slow
def test_every_own_history_policy_and_the_common_general_ones_have_a_kernel(simulated):
    played = {key.split()[0] for key in simulated}
    own_history = {name for name, one in sa.all_policies().items() if issubclass(one, OwnHistoryPolicy)}
    assert own_history | {"UCB1", "GaussianThompson", "BetaThompson"} <= played


OWN_RULES = """
import math
import steadyarm as sa
from steadyarm.errors import PolicyError
from steadyarm.policies import rule
from tests.policies.own_rules import first_arm, last_arm, ruled
from tests.policies.tilted import Tilted

def counts(policy, device, engine="step"):
    return sa.simulate(policy, sa.equal_gap(3, 0.3), runs=2, engine=engine, device=device).counts.tolist()

def astray(parameters, noise, arm, counts, totals, state):
    return math.nan if arm == 1 and noise.round == 5 else 1.0

policy, parameters = ruled(index=first_arm)
assert counts(policy, "cuda") == [[20, 0, 0]] * 2
rule(parameters, index=last_arm)
assert counts(policy, "cuda") == [[0, 0, 20]] * 2
rule(parameters, index=astray)
try:
    counts(policy, "cuda")
except PolicyError as error:
    print(error)
for envelope in (False, True):
    tilted = Tilted(n_arms=3, horizon=60, tilt=0.3, log_scale=2.0, log_reach=20.0, envelope=envelope)
    for policy in (tilted, tilted.replace(kink=9.0, bend=0.8)):
        for engine in ("step", "prefix"):
            assert counts(policy, "cuda", engine) == counts(policy, "cpu", engine)
"""


@pytest.mark.slow
def test_a_changed_rule_and_a_tilt_are_played_as_on_the_cpu_and_nan_is_refused():
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", OWN_RULES],
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    assert "in round 5 of run 0, 'ruled' has an index of arm 1 that is NaN" in done.stdout


@pytest.mark.parametrize(
    ("policy", "engine"), [(sa.EpsilonGreedy, "auto"), (sa.UCB1, "prefix"), (sa.MOSS, "leap")]
)
def test_what_a_card_cannot_play_is_refused_before_it_is_asked(policy, engine):
    with pytest.raises(NotSupported, match="on a GPU"):
        sa.simulate(
            policy(n_arms=2, horizon=10), sa.equal_gap(2, 0.1), runs=1, engine=engine, device="cuda",
            outside_class=True,
        )  # fmt: skip


def test_an_unknown_device_is_refused():
    with pytest.raises(ValueError, match="device must be one of 'cpu', 'cuda'"):
        sa.simulate(sa.MOSS(n_arms=2, horizon=10), sa.equal_gap(2, 0.1), device="tpu")
