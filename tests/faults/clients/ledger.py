"""What clients were told, and what a journal must say if that is true."""

import json
import math
from collections import Counter

import steadyarm as sa

GIVEN, OUTCOMES = ("allocated", "held"), ("rewarded", "voided", "lapsed")


class Ledger:
    """What one client was told: the answers to its allocations, rewards, voids, amendments and defaults, by unit."""

    KINDS = ("arms", "rewards", "voids", "amendments", "defaults")

    def __init__(self):
        self.arms = {}
        self.rewards = {}
        self.voids = {}
        self.amendments = {}
        self.defaults = {}


def journal(server, name="e"):
    """The entries of an experiment."""
    with server.client() as client:
        answer = client.get(f"/v1/experiments/{name}/events", timeout=60)
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.text.splitlines()]


def missing(ledgers, entries):
    """All that was acknowledged and is not in the journal, or the journals of different units, as it was told."""

    def of(*kinds):
        return {entry["unit"]: entry for entry in entries if entry["kind"] in kinds}

    given, outcomes = of(*GIVEN), of(*OUTCOMES)
    amended, defaulted = of("amended"), of("defaulted")
    found = []
    for ledger in ledgers:
        for kind, answers, stored in (
            ("allocated", ledger.arms, given),
            ("rewarded", ledger.rewards, outcomes),
            ("voided", ledger.voids, outcomes),
            ("amended", ledger.amendments, amended),
            ("defaulted", ledger.defaults, defaulted),
        ):
            found += [
                (kind, said, stored.get(unit, {}))
                for unit, said in answers.items()
                if not _says(stored.get(unit, {}), kind, said)
            ]
    return found


def _says(entry, kind, said):
    """Whether an entry is of a kind, and says what was answered; what a unit that is held out has not is null there."""
    # A reward that is told again when silence has counted as the same is acknowledged as that.
    kinds = {
        "allocated": ("held",) if said.get("holdout") else ("allocated",),
        "rewarded": ("rewarded", "lapsed"),
    }
    if entry.get("kind") not in kinds.get(kind, (kind,)):
        return False
    return all(entry.get(name) == value for name, value in said.items() if name != "holdout")


def assert_whole(entries):
    """No gaps, no unit twice, no quota broken, and every decision is that of the reference play."""
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    units = [entry["unit"] for entry in entries if entry["kind"] in GIVEN]
    assert len(units) == len(set(units))
    assert replayed(entries) == [entry["arm"] for entry in entries if entry["kind"] == "allocated"]
    assert_within_quotas(entries)


def assert_within_quotas(entries):
    """In every prefix of every stratum floors and caps are kept to less than one pull."""
    traffic = entries[0]["configuration"].get("traffic", {})
    counts, rounds = Counter(), Counter()
    for entry in entries:
        if entry["kind"] == "allocated":
            where = entry.get("stratum", "")
            counts[where, entry["arm"]] += 1
            rounds[where] += 1
            for arm, shares in traffic.items():
                assert counts[where, arm] >= math.floor(shares.get("at_least", 0.0) * rounds[where])
                assert counts[where, arm] <= math.ceil(shares.get("at_most", 1.0) * rounds[where])


def replayed(entries):
    """The arms that the reference plays give, from the first entry and the rewards in journal order.

    With a batch or a delay rewards wait: before a batch those are told, in the order of rounds, that are old enough.
    """
    created, waiting = entries[0], []
    batch, delay = (created["configuration"].get(name, least) for name, least in (("batch", 1), ("delay", 0)))
    policy, whole = sa.policy_from_dict(created["policy"]), created | {"name": ""}
    plays = {
        each["name"]: policy.start(seed=each["seed"], priority=each["priority"])
        for each in created.get("strata", [whole])
    }
    arms, found = created["configuration"]["arms"], []
    for entry in entries:
        play = plays.get(entry.get("stratum", ""))
        if entry["kind"] == "allocated":
            if play.round % batch == 0:
                due = [each for each in waiting if each[0] is play and each[1]["round"] <= play.round - delay]
                waiting = [each for each in waiting if each not in due]
                for _, told in sorted(due, key=lambda each: each[1]["round"]):
                    play.tell(arms.index(told["arm"]), told["reward"])
            found.append(arms[play.ask()])
        elif entry["kind"] in ("rewarded", "lapsed") and "holdout" not in entry:
            if "round" in entry:
                waiting.append((play, entry))
            else:
                play.tell(arms.index(entry["arm"]), entry["reward"])
        elif entry["kind"] == "retired":
            for each in plays.values():
                each.retire(arms.index(entry["arm"]))
    return found
