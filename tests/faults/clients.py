"""Clients that ask again until they are answered, each with a ledger of what was acknowledged."""

import contextlib
import http.client
import json
import threading
import time

import steadyarm as sa
from tests.live.server import CONFIGURATION

PASSING = 503
PATIENCE = 60.0  # seconds; only a test that fails waits so long


class Caller:
    """One connection. A lost answer or a 503 is asked for again; any other answer is returned."""

    def __init__(self, server):
        self.server = server
        self.lost = 0  # answers that never came
        self.refused = 0  # answers 503
        self._headers = {"authorization": f"Bearer {server.token}"}
        self._connection = None

    def once(self, method, path, content=None):
        """Ask once; returns the status and the content, or raises OSError."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        body = None if content is None else json.dumps(content)
        try:
            self._connection.request(method, path, body, self._headers)
            answer = self._connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:  # half an answer is none
            self.close()
            raise ConnectionError(str(error)) from error

    def __call__(self, method, path, content=None):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                status, said = self.once(method, path, content)
            except ConnectionError:
                self.lost += 1
            else:
                if status != PASSING:
                    return status, said
                assert said["code"] in ("unavailable", "stopping"), said
                self.refused += 1
            time.sleep(0.1)  # a server that starts needs the processor more
        raise AssertionError(f"no answer to {method} {path}")

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Ledger:
    """What one client was told: the answers to its allocations, rewards, voids, amendments and defaults."""

    def __init__(self):
        self.arms = {}
        self.rewards = {}
        self.voids = {}
        self.amendments = {}
        self.defaults = {}


def answered(status, said):
    """Whether an outcome was taken; one that comes after silence has counted is refused, and nothing else is."""
    late = ("silence has counted", "has a reward already")
    assert status in (200, 201) or any(words in said["detail"] for words in late), said
    return status in (200, 201)


def create(server, name="e", **changes):
    caller = Caller(server)
    assert caller("PUT", f"/v1/experiments/{name}", CONFIGURATION | changes)[0] in (200, 201)
    assert caller("POST", f"/v1/experiments/{name}/start")[0] == 200
    caller.close()


class Load:
    """Clients in threads that allocate, as flags and in batches too, and write down all that they are told.

    They report late, in batches too, void some, amend some, and of others they say nothing, which counts after a while.
    """

    def __init__(self, server, clients=8, name="e", horizon=10**6):
        create(server, name, horizon=horizon, attribution={"after": "PT2S", "reward": 0})
        self.path = f"/v1/experiments/{name}/allocations"
        self.rewards = f"/v1/experiments/{name}/rewards"
        self.defaults = f"/v1/experiments/{name}/defaults"
        self.flag = f"/ofrep/v1/evaluate/flags/{name}"
        self.callers = [Caller(server) for _ in range(clients)]
        self.ledgers = [Ledger() for _ in range(clients)]
        self._stopped = threading.Event()
        self._errors = []
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(clients)]

    def _work(self, number):
        caller, ledger, path = self.callers[number], self.ledgers[number], self.path
        try:
            turn = 0
            while not self._stopped.is_set():
                turn += 1
                unit = f"c{number}-{turn}"
                status, said = caller("PUT", f"{path}/{unit}")
                assert status in (200, 201), said
                ledger.arms[unit] = said
                if turn % 5 == 0:
                    batch = [f"{unit}-{place}" for place in range(3)]
                    status, said = caller("POST", path, {"units": batch})
                    assert status == 200, said
                    ledger.arms |= {each["unit"]: each for each in said["allocations"]}
                    told = [{"unit": each, "reward": turn % 2} for each in batch[:2]]
                    status, said = caller("POST", self.rewards, {"rewards": told})
                    if answered(status, said):
                        ledger.rewards |= {each["unit"]: each for each in said["rewards"]}
                if turn % 6 == 0:
                    flag = f"c{number}/{turn}"
                    status, said = caller("POST", self.flag, {"context": {"targetingKey": flag}})
                    assert status == 200, said
                    ledger.arms[flag] = {"unit": flag, "arm": said["value"], **said["metadata"]}
                if turn % 11 == 0:
                    served = [{"unit": f"{unit}-away", "arm": "a"}]
                    status, said = caller("POST", self.defaults, {"defaults": served})
                    assert status == 200, said
                    ledger.defaults |= {each["unit"]: each for each in said["defaults"]}
                if turn % 9 == 0 and (wrong := ledger.rewards.get(f"c{number}-{turn - 3}")):
                    self._amend(caller, ledger, wrong)
                late = f"c{number}-{turn - 2}"
                if late not in ledger.arms:
                    continue
                if turn % 7 == 0:
                    status, said = caller("POST", f"{path}/{late}/void", {"reason": "lost"})
                    outcomes = ledger.voids
                else:
                    status, said = caller("PUT", f"{path}/{late}/reward", {"reward": turn % 2})
                    outcomes = ledger.rewards
                if answered(status, said):
                    outcomes[late] = said
        except BaseException as error:
            self._errors.append(error)

    def _amend(self, caller, ledger, wrong):
        amendment = {"reward": 1.0 - wrong["reward"], "reason": "wrong", "outcome_seq": wrong["seq"]}
        status, said = caller("POST", f"{self.path}/{wrong['unit']}/amend", amendment)
        assert status in (200, 201), said
        said["was"] = said.pop("first_reward")
        ledger.amendments[wrong["unit"]] = said

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
            for kind in ("arms", "rewards", "voids", "amendments", "defaults"):
                found = getattr(each, kind)
                while True:
                    with contextlib.suppress(RuntimeError):  # it grew while it was copied
                        setattr(copied, kind, dict(found))
                        break
            copies.append(copied)
        return copies


def journal(server, name="e"):
    """The entries of an experiment."""
    with server.client() as client:
        answer = client.get(f"/v1/experiments/{name}/events", timeout=60)
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.text.splitlines()]


def missing(ledgers, entries):
    """All that was acknowledged and is not in the journal as it was told."""
    allocated = {entry["unit"]: entry for entry in entries if entry["kind"] == "allocated"}
    outcomes = {
        entry["unit"]: entry for entry in entries if entry["kind"] in ("rewarded", "voided", "lapsed")
    }
    amended = {entry["unit"]: entry for entry in entries if entry["kind"] == "amended"}
    defaulted = {entry["unit"]: entry for entry in entries if entry["kind"] == "defaulted"}
    found = []
    for ledger in ledgers:
        for kind, answers, stored in (
            ("allocated", ledger.arms, allocated),
            ("rewarded", ledger.rewards, outcomes),
            ("voided", ledger.voids, outcomes),
            ("amended", ledger.amendments, amended),
            ("defaulted", ledger.defaults, defaulted),
        ):
            for unit, said in answers.items():
                entry = stored.get(unit, {})
                # A reward that is told again when silence has counted as the same is acknowledged as that.
                as_told = kind == "rewarded" and entry.get("kind") == "lapsed"
                differs = entry.get("kind") != kind and not as_told
                if differs or any(entry[name] != value for name, value in said.items()):
                    found.append((kind, said, entry))
    return found


def assert_whole(entries):
    """No gaps, no unit twice, and every decision is that of the reference play."""
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    units = [entry["unit"] for entry in entries if entry["kind"] == "allocated"]
    assert len(units) == len(set(units))
    assert replayed(entries) == [entry["arm"] for entry in entries if entry["kind"] == "allocated"]


def replayed(entries):
    """The arms that the reference play gives, from the first entry and the rewards in journal order."""
    created = entries[0]
    play = sa.policy_from_dict(created["policy"]).start(seed=created["seed"], priority=created["priority"])
    arms, found = created["configuration"]["arms"], []
    for entry in entries:
        if entry["kind"] == "allocated":
            found.append(arms[play.ask()])
        elif entry["kind"] in ("rewarded", "lapsed"):
            play.tell(arms.index(entry["arm"]), entry["reward"])
    return found
