"""The reference play on the exported journal makes every decision again, whatever came late, never or twice."""

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadyarm.errors import PlayError
from tests.faults.clients import replayed
from tests.faults.sizes import SIZES
from tests.live.conftest import Api
from tests.live.server import run_live

POLICIES = ["SLEUCB", "MOSS", "UCB1", "EpsilonGreedy", "BetaThompson", "Exp3", "TsallisINF"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["allocate", "allocate", "batch", "reward", "reward", "void", "again", "pause", "restart"]
        ),
        st.integers(0, 10**6),
    ),
    min_size=20,
    max_size=60,
)


class Played:
    """One store for all schedules; every schedule has an experiment of its own."""

    def __init__(self, database):
        self.database = database
        self.api = Api(database)
        self._names = (f"e{number}" for number in itertools.count())

    def play(self, policy, n_arms, steps):
        name = next(self._names)
        api = self.api
        api(
            "PUT",
            f"/v1/experiments/{name}",
            {
                "policy": policy,
                "arms": [f"arm {number}" for number in range(n_arms)],
                "horizon": 500,
                "rewards": "bernoulli",
            },
        )
        api("POST", f"/v1/experiments/{name}/start")
        units, outstanding = [], []
        for step, number in steps:
            if step == "allocate":
                units.append(f"u{len(units)}")
                outstanding.append(units[-1])
                assert api.allocate(units[-1], name).status_code == 201
            elif step == "batch":
                new = [f"u{len(units) + place}" for place in range(number % 5 + 1)]
                units += new
                outstanding += new
                assert (
                    api("POST", f"/v1/experiments/{name}/allocations", {"units": new[::-1]}).status_code
                    == 200
                )
            elif step in ("reward", "void") and outstanding:
                unit = outstanding.pop(number % len(outstanding))  # in any order
                answer = (
                    api.report(unit, number % 2, name) if step == "reward" else api.void(unit, "lost", name)
                )
                assert answer.status_code == 201
            elif step == "again" and units:
                assert api.allocate(units[number % len(units)], name).status_code == 200
            elif step == "pause":
                paused = api("POST", f"/v1/experiments/{name}/pause").json()
                named = {"state_seq": paused["state_seq"]}
                assert api("POST", f"/v1/experiments/{name}/start", named).status_code == 200
            elif step == "restart" and number % 4 == 0:
                api.close()
                api = self.api = Api(self.database)
        return name, len(units)


@pytest.fixture
def played(database):
    made = Played(database)
    yield made
    made.api.close()


def exported(played, name, folder):
    run_live("export", name, "--database", played.database, "--out", str(folder / "journal.ndjson"))
    return [json.loads(line) for line in (folder / "journal.ndjson").read_text().splitlines()]


@pytest.mark.slow
def test_the_reference_play_on_the_exported_journal_gives_the_same_arms(played, tmp_path):
    @settings(max_examples=SIZES.schedules)
    @given(st.sampled_from(POLICIES), st.integers(2, 5), STEPS)
    def every_schedule(policy, n_arms, steps):
        name, units = played.play(policy, n_arms, steps)
        entries = exported(played, name, tmp_path)
        decided = [entry["arm"] for entry in entries if entry["kind"] == "allocated"]
        assert len(decided) == units
        assert replayed(entries) == decided

    every_schedule()


def agrees(entries):
    try:
        return replayed(entries) == [entry["arm"] for entry in entries if entry["kind"] == "allocated"]
    except PlayError:  # the reward of an arm that this play has not pulled
        return False


def test_a_replay_with_other_rewards_or_another_priority_differs(played, tmp_path):
    steps = [(step, number) for number in range(60) for step in ("allocate", "reward")]
    name, _ = played.play("SLEUCB", 3, steps)
    entries = exported(played, name, tmp_path)
    assert agrees(entries)
    created = entries[0]
    assert not agrees([created | {"priority": created["priority"][::-1]}, *entries[1:]])
    turned = [
        entry | {"reward": 1.0 - entry["reward"]} if entry["kind"] == "rewarded" else entry
        for entry in entries
    ]
    assert not agrees(turned)
