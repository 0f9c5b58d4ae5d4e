"""A policy of the user's own in a live experiment: allocated, restarted, verified in another process, exported."""

import os
import sys

import pytest
from tests.live.server import Server, run_live

from steadyarm.policies.registry import OWN_POLICIES

OWN = """
from dataclasses import dataclass

import numpy as np
import steadyarm as sa


@dataclass(frozen=True, kw_only=True)
class Sticky(sa.Policy):
    title = "sticky"
    source = "a test"

    memory: float = 0.9

    def start(self, *, seed=0, run=0, priority=None):
        return StickyPlay(self, seed, run, priority)


class StickyPlay(sa.Play):
    def __init__(self, policy, seed, run, priority):
        super().__init__(policy, seed, run, priority)
        self.averages = np.ones(policy.n_arms)

    def _choose(self):
        return int(np.argmax(self.averages))

    def _assign(self, arm):
        pass

    def _absorb(self, arm, reward):
        self.averages[arm] = self.policy.memory * self.averages[arm] + (1.0 - self.policy.memory) * reward

    @property
    def indices(self):
        return self.averages.copy()

    def to_dict(self):
        return super().to_dict() | {"averages": self.averages.tolist()}

    def _load(self, state):
        super()._load(state)
        self.averages = np.array(state["averages"])
"""
CONFIGURATION = {"policy": "own_live:Sticky", "arms": ["a", "b"], "horizon": 60, "memory": 0.5}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a policy in it; what the commands put into the environment goes with the test."""
    monkeypatch.setenv(OWN_POLICIES, "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_live.py").write_text(OWN)
    return tmp_path


def play(client, units):
    arms = []
    for unit in units:
        where = f"/v1/experiments/mine/allocations/u{unit}"
        arms.append(client.put(where).json()["arm"])
        assert client.put(f"{where}/reward", json={"reward": (unit * 7 % 5) / 5.0}).status_code == 201
    return arms


@pytest.mark.slow
def test_an_own_policy_runs_live_and_goes_on_after_a_kill(folder, monkeypatch):
    database, journal = f"sqlite:///{folder}/live.db", str(folder / "mine.ndjson")
    server = Server(
        database,
        "--policy",
        "own_live:Sticky",
        before=f"import os; os.chdir({os.fspath(folder)!r})",
    )
    with server, server.client() as client:
        refused = client.put("/v1/experiments/other", json=CONFIGURATION | {"policy": "os:PathLike"})
        assert refused.status_code == 422
        assert "must be a class at the top of a module that is loaded" in refused.json()["detail"]
        made = client.put("/v1/experiments/mine", json=CONFIGURATION)
        assert made.status_code == 201, made.text
        assert made.json()["policy"]["memory"] == 0.5
        client.post("/v1/experiments/mine/start")
        before = play(client, range(20))
        server.kill()
        server.start()
        assert [
            client.put(f"/v1/experiments/mine/allocations/u{n}").json()["arm"] for n in range(20)
        ] == before
        play(client, range(20, 40))
        verified = client.get("/v1/experiments/mine/verify")  # replayed in a process of its own
        assert verified.status_code == 200, verified.text
        assert verified.json()["decisions"] == 40
        assert client.get("/v1/experiments/mine/results").status_code == 200
    run_live("export", "--database", database, "--out", journal)
    done = run_live("verify", journal, "--policy", "own_live:Sticky")
    assert "40 decisions replayed" in done.stdout
    (folder / "own_live.py").write_text(OWN.replace("argmax", "argmin"))
    monkeypatch.delitem(sys.modules, "own_live")
    done = run_live("verify", journal, "--policy", "own_live:Sticky", check=False)
    assert done.exit_code == 1
    assert "but the policy plays arm" in done.stderr


def test_without_the_policy_a_journal_says_what_is_missing(folder, steadyarm):
    (folder / "gone.ndjson").write_text("")
    said = steadyarm("live", "verify", "gone.ndjson", "--policy", "nowhere:MyPolicy", code=2).err
    assert said == (
        "steadyarm: --policy nowhere:MyPolicy: there is no module 'nowhere' in this folder or on Python's path.\n"
    )
