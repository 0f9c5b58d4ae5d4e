"""Where blocks of runs end, and how threads do them."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from steadyarm.study.runs.blocks import SECONDS_PER_BLOCK, cut, on_threads

arms = st.sampled_from([2, 3, 100, 10**4])
costs = st.floats(1e-3, 10.0)


@given(first=st.integers(0, 10**6), more=st.integers(1, 10**4), cost=costs, arms=arms)
def test_blocks_cover_the_runs_in_order_without_a_gap(first, more, cost, arms):
    pieces = cut(first, first + more, cost, arms)
    assert [begin for begin, _ in pieces] == [first, *(end for _, end in pieces[:-1])]
    assert pieces[-1][1] == first + more
    assert all(begin < end for begin, end in pieces)


@given(some=st.integers(1, 5000), more=st.integers(1, 5000), cost=costs)
def test_more_runs_keep_every_full_block(some, more, cost):
    few, many = cut(0, some, cost, 2), cut(0, some + more, cost, 2)
    assert few[:-1] == many[: len(few) - 1]
    assert many[len(few) - 1][0] == few[-1][0]


@given(at=st.integers(0, 10**5), cost=costs)
def test_runs_that_are_missing_are_cut_where_whole_blocks_end(at, cost):
    ends = {end for _, end in cut(0, at + 1000, cost, 2)}
    assert {end for _, end in cut(at, at + 1000, cost, 2)} <= ends


def test_blocks_grow_so_that_long_studies_do_not_drown_in_files():
    lengths = [end - begin for begin, end in cut(0, 10**5, SECONDS_PER_BLOCK, 2)]
    assert lengths[:64] == [1] * 64
    assert lengths[64:128] == [2] * 64
    assert max(lengths) == 64
    assert len(lengths) < 2000


def test_a_part_stays_small_for_any_number_of_arms():
    assert max(end - begin for begin, end in cut(0, 2**20, 1e-9, 1000)) * 1000 <= 2**20
    assert cut(0, 3, 1e-9, 10**7) == [(0, 1), (1, 2), (2, 3)]


def _unseen(_share):
    pass


@dataclass(frozen=True)
class Echo:
    """A task that says with how many threads it was done."""

    number: int

    def __call__(self, threads, report):
        report(0.5)
        return self.number, threads


def test_every_task_is_done_once_on_threads():
    found = list(on_threads([Echo(number) for number in range(50)], 4, _unseen))
    assert sorted(found) == [(number, (number, 1)) for number in range(50)]


def test_few_tasks_share_all_the_threads():
    assert list(on_threads([Echo(0)], 6, _unseen)) == [(0, (0, 6))]
    assert sorted(on_threads([Echo(0), Echo(1)], 6, _unseen)) == [(0, (0, 3)), (1, (1, 3))]
    assert list(on_threads([], 6, _unseen)) == []
