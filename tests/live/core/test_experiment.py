"""Duplicate, late, reordered, missing and conflicting reports, with restarts in between, against a plain model."""

import tempfile

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.live.conftest import Api
from tests.live.server import CONFIGURATION

import steadyarm as sa
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-01-01T00:00:00.000Z"
HORIZON = 12
UNITS = [f"u{number}" for number in range(HORIZON + 3)]
units = st.sampled_from(UNITS)


class Reports(RuleBasedStateMachine):
    """The model: the reference play, the arm of each unit, its outcome, and the state of the experiment."""

    def __init__(self, new_database):
        super().__init__()
        self.database = new_database()
        self.api = None

    @initialize()
    def create(self):
        self.api = Api(self.database)
        self.api.create("e", started=False, horizon=HORIZON, seed=5)
        policy = {key: CONFIGURATION[key] for key in ("mean_bound", "noise_scale", "alpha")}
        self.play = sa.SLEUCB(n_arms=3, horizon=HORIZON, **policy).start(seed=5)
        self.state, self.entries = "created", 1
        self.arms, self.outcomes = {}, {}
        self.rewards, self.amended = {}, 0  # as amended; outcomes are as the play was told them

    def teardown(self):
        if self.api is not None:
            self.api.close()

    @rule(move=st.sampled_from([*["start", "resume"] * 4, *["pause"] * 2, "close"]))
    def move(self, move):
        open_states = ("created", "running", "paused")
        allowed = {
            "start": ("created", "running"),
            "resume": open_states,
            "pause": ("running", "paused"),
            "close": (*open_states, "closed"),
        }[move]
        to = {"start": "running", "resume": "running", "pause": "paused", "close": "closed"}[move]
        named = {"state_seq": self.api.state()["state_seq"]} if move == "resume" else None
        answer = self.api("POST", f"/v1/experiments/e/{'start' if named else move}", named)
        assert answer.status_code == (200 if self.state in allowed else 409)
        if self.state in allowed:
            self.entries += self.state != to
            self.state = to

    def allocated(self, unit):
        """What the model says about a unit: its status and, if there is one, its arm."""
        if unit in self.arms:
            return 200
        if self.state != "running" or len(self.arms) == HORIZON:
            return 409
        self.arms[unit] = CONFIGURATION["arms"][self.play.ask()]
        self.entries += 1
        return 201

    @rule(unit=units)
    def allocate(self, unit):
        answer = self.api.allocate(unit)
        assert answer.status_code == self.allocated(unit)
        if answer.status_code < 300:
            assert answer.json()["arm"] == self.arms[unit]

    @rule(batch=st.lists(units, min_size=1, max_size=6))
    def allocate_many(self, batch):
        answer = self.api("POST", "/v1/experiments/e/allocations", {"units": batch})
        new = set(batch) - self.arms.keys()
        if new and (self.state != "running" or len(self.arms) + len(new) > HORIZON):
            assert answer.status_code == 409
            return
        assert answer.status_code == 200
        for unit in batch:
            self.allocated(unit)
        assert [each["arm"] for each in answer.json()["allocations"]] == [self.arms[unit] for unit in batch]

    @rule(unit=units, reward=st.sampled_from([0, 1]))
    def report(self, unit, reward):
        answer = self.api.report(unit, reward)
        if unit not in self.arms:
            assert answer.status_code == 404
        elif unit not in self.outcomes:
            assert answer.status_code == 201
            self.told(unit, reward)
        else:
            assert answer.status_code == (200 if self.outcomes[unit] == reward else 409)

    @rule(batch=st.lists(st.tuples(units, st.sampled_from([0, 1])), min_size=1, max_size=5))
    def report_many(self, batch):
        told = [{"unit": unit, "reward": reward} for unit, reward in batch]
        answer = self.api("POST", "/v1/experiments/e/rewards", {"rewards": told})
        first = dict(reversed(batch))
        fits = [unit in self.arms and self.outcomes.get(unit, reward) == reward for unit, reward in batch]
        if not all(fits) or any(first[unit] != reward for unit, reward in batch):
            assert answer.status_code in (404, 409)
            return
        assert answer.status_code == 200
        for unit, reward in batch:
            if unit not in self.outcomes:
                self.told(unit, reward)

    def told(self, unit, reward):
        self.play.tell(CONFIGURATION["arms"].index(self.arms[unit]), reward)
        self.outcomes[unit] = self.rewards[unit] = reward
        self.entries += 1

    @rule(unit=units, reward=st.sampled_from([0, 1]))
    def amend(self, unit, reward):
        seq = self.api("GET", f"/v1/experiments/e/allocations/{unit}").json().get("outcome_seq") or 1
        amendment = {"reward": reward, "reason": "looked again", "outcome_seq": seq}
        answer = self.api("POST", f"/v1/experiments/e/allocations/{unit}/amend", amendment)
        if unit not in self.arms:
            assert answer.status_code == 404
        elif unit not in self.rewards:
            assert answer.status_code == 409
        elif self.rewards[unit] == reward:
            assert answer.status_code == 422
        else:
            assert answer.status_code == 201
            assert answer.json()["first_reward"] == self.outcomes[unit]
            self.rewards[unit] = reward
            self.entries += 1
            self.amended += 1

    @rule(unit=units)
    def void(self, unit):
        answer = self.api.void(unit)
        if unit not in self.arms:
            assert answer.status_code == 404
        elif unit not in self.outcomes:
            assert answer.status_code == 201
            self.outcomes[unit] = "void"
            self.entries += 1
        else:
            assert answer.status_code == (200 if self.outcomes[unit] == "void" else 409)

    @rule(unit=units, reward=st.sampled_from([0.5, -1, "1", None, True]))
    def report_nonsense(self, unit, reward):
        assert self.api.report(unit, reward).status_code == (422 if unit in self.arms else 404)

    @rule(how=st.sampled_from(["stopped", "killed", "without snapshots"]))
    def restart(self, how):
        if how == "killed":
            self.api.service.writer.memory.experiments.clear()  # no last snapshot is kept
        self.api.close()
        self.api = Api(self.database)
        if how == "without snapshots":
            with self.api.service.writer._connection.engine.begin() as connection:
                connection.exec_driver_sql("DELETE FROM snapshots")

    @invariant()
    def the_service_and_the_model_agree(self):
        if self.api is None:
            return
        state = self.api.state()
        assert state["state"] == self.state
        assert state["seq"] == self.entries
        assert state["round"] == len(self.arms)
        voided = sum(outcome == "void" for outcome in self.outcomes.values())
        assert state["voided"] == voided
        assert state["rewarded"] == len(self.outcomes) - voided
        assert state["amended"] == self.amended
        arms = self.api("GET", "/v1/experiments/e/arms").json()["arms"]
        sums = dict.fromkeys(CONFIGURATION["arms"], 0.0)
        for unit, reward in self.rewards.items():
            sums[self.arms[unit]] += reward
        assert self.api.service.writer.memory.published["e"].sums == tuple(sums.values())
        assert [each["count"] for each in arms] == self.play.counts.tolist()
        indices = [float("inf") if each["index"] is None else each["index"] for each in arms]
        assert indices == self.play.indices.tolist()


@pytest.mark.parametrize(
    ("kind", "examples"),
    [
        ("sqlite", 4),  # the first of those below
        pytest.param("sqlite", 15, marks=pytest.mark.slow),
        pytest.param("postgresql", 8, marks=pytest.mark.slow),
    ],
)
def test_reports_do_what_is_written(kind, examples, request, monkeypatch):
    monkeypatch.setattr(
        "steadyarm.live.storage.transaction.SNAPSHOT_EVERY", 5
    )  # so that restarts go on from old ones too
    if kind == "sqlite":
        new_database = lambda: f"sqlite:///{tempfile.mkdtemp()}/live.db"  # noqa: E731
    else:
        new_database = request.getfixturevalue("postgres").new_database
    run_state_machine_as_test(
        lambda: Reports(new_database), settings=settings(max_examples=examples, stateful_step_count=25)
    )


def test_a_service_whose_rewards_come_late_allocates_as_a_simulation_with_that_delay():
    asked = {"arms": ["a", "b", "c"], "horizon": 200, "rewards": "bernoulli", "policy": "MOSS", "seed": 3}
    experiment, _ = Experiment.create(1, "e", resolve(requested(asked)), AT)
    experiment.move("started", AT)
    coins = sa.Instance.bernoulli([0.7, 0.5, 0.3])
    cells = sa.reward_table(coins, seed=3, pulls=200)
    waiting = []
    for number in range(200):
        _, unit = experiment.allocate(f"u{number}", AT)
        arm = asked["arms"].index(unit.arm)
        waiting.append((f"u{number}", unit, float(cells[arm, experiment.play.counts[arm] - 1])))
        if number >= 30:
            experiment.reward(*waiting[number - 30], AT)
    simulated = sa.simulate(experiment.setup.policy, coins, runs=1, seed=3, delay=30).counts[0]
    assert experiment.play.counts.tolist() == simulated.tolist()
    assert (
        simulated.tolist() != sa.simulate(experiment.setup.policy, coins, runs=1, seed=3).counts[0].tolist()
    )
