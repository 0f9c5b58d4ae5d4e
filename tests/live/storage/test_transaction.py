"""What a transaction writes besides entries: snapshots, as often as they are worth it."""

from tests.live.core.courses.test_updates import created

from steadyarm.live.storage import queries
from steadyarm.live.storage.memory import Memory
from steadyarm.live.storage.transaction import Transaction


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
