"""Clients in threads that use all that an experiment has, and write down all that they are told."""

import contextlib
import threading
import time

from tests.faults.clients.caller import PATIENCE, Caller, create
from tests.faults.clients.ledger import Ledger, assert_whole, journal, missing
from tests.live.server import CONFIGURATION

EVERYTHING = {
    "horizon": 10**6,
    "attribution": {"after": "PT2S", "reward": 0},
    "traffic": {"a": {"at_least": 0.4}, "b": {"at_most": 0.3}},
    "holdout": 0.1,
    "strata": ["x", "y"],
    "batch": 5,
    "delay": 3,
}


class Closed(Exception):
    """A successor has closed the experiment meanwhile."""


class Load:
    """Clients that allocate, as flags and in batches too, in strata, within quotas, beside a holdout.

    They report late, in batches too, void some, amend some, and of others they say nothing, which counts after a while.
    They note defaults. `retire` and `succeed` change the experiment under them; `names` are those that there were.
    """

    def __init__(self, *servers, clients=8):
        create(servers[0], "e", **EVERYTHING)
        self.names = ["e"]
        self.callers = [Caller(*servers) for _ in range(clients)]
        self.ledgers = [Ledger() for _ in range(clients)]
        self.retirements = {}  # what was answered, by experiment
        self.times = []  # of each turn's end
        self._servers = servers
        self._stopped = threading.Event()
        self._errors = []
        self._threads = [self._thread(self._work, number) for number in range(clients)]

    def _thread(self, work, *values):
        def run():
            try:
                work(*values)
            except BaseException as error:
                self._errors.append(error)

        return threading.Thread(target=run)

    def _work(self, number):
        client = _Client(self, self.callers[number], self.ledgers[number], f"c{number}")
        turn = 0
        while not self._stopped.is_set():
            turn += 1
            try:
                client.take_turn(turn)
                self.times.append(time.monotonic())
            except Closed:
                time.sleep(0.01)  # until the successor is known

    def retire(self):
        """Begin to retire an arm of the experiment, whatever happens to the servers meanwhile."""
        self._begin(self._retire)

    def succeed(self):
        """Begin to continue with another experiment, whatever happens to the servers meanwhile."""
        self._begin(self._succeed)

    def _begin(self, work):
        self._threads.append(self._thread(work))
        self._threads[-1].start()

    def _retire(self):
        name, caller = self.names[-1], Caller(*self._servers)
        path = f"/v1/experiments/{name}/arms/c/retire"
        status, said = caller("POST", path, {"reason": "out of stock"})
        assert status in (200, 201), said
        self.retirements[name] = said
        caller.close()

    def _succeed(self):
        name, caller = f"e{len(self.names)}", Caller(*self._servers)
        changes = EVERYTHING | {"continues": self.names[-1]}
        status, said = caller("PUT", f"/v1/experiments/{name}", CONFIGURATION | changes)
        assert status in (200, 201), said
        assert caller("POST", f"/v1/experiments/{name}/start")[0] == 200
        self.names.append(name)
        caller.close()

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self._stopped.set()
        for thread in self._threads:
            thread.join()
        for caller in self.callers:
            caller.close()
        if self._errors:
            raise self._errors[0]

    @property
    def acknowledged(self):
        return sum(len(each.arms) for each in self.ledgers)

    @property
    def lost(self):
        return sum(each.lost for each in self.callers)

    @property
    def refused(self):
        return sum(each.refused for each in self.callers)

    def wait_for(self, more):
        """Wait until so many more allocations are acknowledged."""
        wanted, until = self.acknowledged + more, time.monotonic() + PATIENCE
        while self.acknowledged < wanted:
            assert not self._errors, self._errors
            assert time.monotonic() < until
            time.sleep(0.005)

    def copy(self):
        """What is acknowledged by now, for a comparison later."""
        copies = []
        for each in self.ledgers:
            copied = Ledger()
            for kind in Ledger.KINDS:
                found = getattr(each, kind)
                while True:
                    with contextlib.suppress(RuntimeError):  # it grew while it was copied
                        setattr(copied, kind, dict(found))
                        break
            copies.append(copied)
        return copies


def assert_nothing_lost(load, server):
    """All that was acknowledged stands in the journals, which are whole; returns their entries."""
    journals = {name: journal(server, name) for name in load.names}
    entries = [entry for each in journals.values() for entry in each]
    assert missing(load.ledgers, entries) == []
    for name, each in journals.items():
        assert_whole(each)
        retired = [entry for entry in each if entry["kind"] == "retired"]
        told = [load.retirements[name]] if name in load.retirements else []
        assert [{key: entry[key] for key in ("arm", "seq", "at", "reason")} for entry in retired] == told
        later = each[retired[0]["seq"] :] if retired else []
        assert "c" not in [entry["arm"] for entry in later if entry["kind"] == "allocated"]
    return entries


class _Client:
    """One client and the units that it has seen."""

    def __init__(self, load, caller, ledger, name):
        self.load, self.caller, self.ledger, self.name = load, caller, ledger, name
        self._homes = {}  # the experiment of a unit

    def take_turn(self, turn):
        """Allocate a unit and do, by the number of the turn, some of the rest."""
        unit, stratum = f"{self.name}-{turn}", "xy"[turn // 2 % 2]
        self._home = f"/v1/experiments/{self.load.names[-1]}"
        said = self._new("PUT", f"{self._home}/allocations/{unit}", {"stratum": stratum})
        self._given(said)
        if turn % 5 == 0:
            self._allocate_and_report_a_batch(unit, stratum, turn % 2)
        if turn % 6 == 0:
            self._evaluate_a_flag(f"{self.name}/{turn}", stratum)
        if turn % 11 == 0:
            served = [{"unit": f"{unit}-away", "arm": "a", "stratum": stratum}]
            said = self._new("POST", f"{self._home}/defaults", {"defaults": served})
            self.ledger.defaults |= {each["unit"]: each for each in said["defaults"]}
        if turn % 9 == 0 and (wrong := self.ledger.rewards.get(f"{self.name}-{turn - 3}")):
            self._amend(wrong)
        late = f"{self.name}-{turn - 2}"
        if late in self.ledger.arms:
            path = f"{self._homes[late]}/allocations/{late}"
            if turn % 7 == 0:
                self._tell(self.ledger.voids, late, "POST", f"{path}/void", {"reason": "lost"})
            else:
                self._tell(self.ledger.rewards, late, "PUT", f"{path}/reward", {"reward": turn % 2})

    def _new(self, method, path, content):
        """Ask for something that an experiment does until it is closed."""
        status, said = self.caller(method, path, content)
        if status in (200, 201):
            return said
        assert "is closed" in said.get("detail", said.get("errorDetails")), said
        raise Closed

    def _given(self, said):
        self.ledger.arms[said["unit"]] = said
        self._homes[said["unit"]] = self._home

    def _tell(self, outcomes, unit, method, path, content):
        """Tell an outcome; one that comes after silence has counted is refused, and nothing else is."""
        status, said = self.caller(method, path, content)
        if status in (200, 201):
            outcomes[unit] = said
        else:
            late = ("silence has counted", "has a reward already")
            assert any(words in said["detail"] for words in late), said

    def _allocate_and_report_a_batch(self, unit, stratum, reward):
        batch = {"units": [f"{unit}-{place}" for place in range(3)], "stratum": stratum}
        for said in self._new("POST", f"{self._home}/allocations", batch)["allocations"]:
            self._given(said)
        told, told_path = {}, f"{self._home}/rewards"
        rewards = [{"unit": each, "reward": reward} for each in batch["units"][:2]]
        self._tell(told, "all", "POST", told_path, {"rewards": rewards})
        if told:
            self.ledger.rewards |= {each["unit"]: each for each in told["all"]["rewards"]}

    def _evaluate_a_flag(self, unit, stratum):
        experiment = self._home.rpartition("/")[2]
        context = {"targetingKey": unit, "stratum": stratum}
        said = self._new("POST", f"/ofrep/v1/evaluate/flags/{experiment}", {"context": context})
        self._given({"unit": unit, "arm": said.get("value"), **said["metadata"]})

    def _amend(self, wrong):
        amendment = {"reward": 1.0 - wrong["reward"], "reason": "wrong", "outcome_seq": wrong["seq"]}
        path = f"{self._homes[wrong['unit']]}/allocations/{wrong['unit']}/amend"
        status, said = self.caller("POST", path, amendment)
        assert status in (200, 201), said
        said["was"] = said.pop("first_reward")
        self.ledger.amendments[wrong["unit"]] = said
