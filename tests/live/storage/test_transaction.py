"""One transaction: its commands see each other, and fail together; snapshots come as often as they are worth it."""

from tests.live.core.courses.test_updates import created
from tests.live.storage.test_writer import fail, in_one_transaction

from steadyarm.live.core.commands.unit_commands import Allocate, Report
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import queries
from steadyarm.live.storage.memory import Memory
from steadyarm.live.storage.transaction import Transaction


def test_commands_of_one_transaction_see_each_other(api):
    api.create()
    units = [Allocate("e", ("race",), True) for _ in range(5)]
    results = in_one_transaction(api, [*units, Report("e", ("race",), 1), Report("e", ("race",), 0)])
    assert [each.status for each in results[:6]] == [201, 200, 200, 200, 200, 201]
    assert len({each.body["arm"] for each in results[:5]}) == 1
    assert isinstance(results[6], Problem)
    assert results[6].code == "reward_conflict"
    assert api("GET", "/v1/experiments/e/verify").json()["decisions"] == 2


def test_a_whole_transaction_fails_together(api, monkeypatch):
    api.create()
    commands = [Allocate("e", (f"u{number}",), True) for number in range(4)]
    append = queries.append

    def second_time(connection, entries):
        if len(entries) == 4:
            append(connection, entries[:2])
            fail()
        append(connection, entries)

    monkeypatch.setattr(queries, "append", second_time)
    results = in_one_transaction(api, commands)
    assert [each.code for each in results] == ["unavailable"] * 4
    assert api.state()["round"] == 1
    assert [entry["seq"] for entry in api.events()] == [1, 2, 3]


def test_the_more_rewards_wait_the_rarer_are_snapshots_that_hold_them_all(monkeypatch):
    memory, experiment, made = Memory(), created(horizon=10**6, batch=10**6)[0], []
    monkeypatch.setattr(queries, "append", lambda *_: None)
    monkeypatch.setattr(memory, "save", lambda _connection, _experiment, every: made.append(every))
    for waiting in (0, 40_000, 100_000):
        while experiment.untold < waiting:
            experiment.settle("rewarded", {"arm": "a", "reward": 1.0, "round": experiment.untold + 1})
        transaction = Transaction(memory, None, [])
        transaction.touched["e"], transaction.entries = experiment, [(1, None)]
        transaction.flush()
    assert made == [10_000, 10_000, 25_000]
