"""Where blocks of runs end."""

from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.study.runs.blocks import cost_of_a_run, cut

arms = st.sampled_from([2, 3, 100, 10**4])


@given(first=st.integers(0, 10**6), more=st.integers(1, 10**4), cost=st.integers(2**15, 10**8), arms=arms)
def test_blocks_cover_the_runs_in_order_without_a_gap(first, more, cost, arms):
    pieces = cut(first, first + more, cost, arms)
    assert [begin for begin, _ in pieces] == [first, *(end for _, end in pieces[:-1])]
    assert pieces[-1][1] == first + more
    assert all(begin < end for begin, end in pieces)


@given(some=st.integers(1, 5000), more=st.integers(1, 5000), cost=st.integers(2**15, 10**8))
def test_more_runs_keep_every_full_block(some, more, cost):
    few, many = cut(0, some, cost, 2), cut(0, some + more, cost, 2)
    assert few[:-1] == many[: len(few) - 1]
    assert many[len(few) - 1][0] == few[-1][0]


@given(at=st.integers(0, 10**5), cost=st.integers(2**15, 10**8))
def test_runs_that_are_missing_are_cut_where_whole_blocks_end(at, cost):
    ends = {end for _, end in cut(0, at + 1000, cost, 2)}
    assert {end for _, end in cut(at, at + 1000, cost, 2)} <= ends


def test_blocks_grow_so_that_long_studies_do_not_drown_in_files():
    lengths = [end - begin for begin, end in cut(0, 10**5, 2**25, 2)]
    assert lengths[:64] == [1] * 64
    assert lengths[64:128] == [2] * 64
    assert max(lengths) == 64
    assert len(lengths) < 2000


def test_a_part_stays_small_for_any_number_of_arms():
    assert max(end - begin for begin, end in cut(0, 2**20, 1, 1000)) * 1000 <= 2**20
    assert cut(0, 3, 1, 10**7) == [(0, 1), (1, 2), (2, 3)]


def test_slow_engines_get_short_blocks():
    rule = sa.UCB1(n_arms=10, horizon=1000)
    assert cost_of_a_run(sa.MOSS(n_arms=10, horizon=1000), "step") < cost_of_a_run(rule, "step")
    assert cost_of_a_run(rule, "step") < cost_of_a_run(rule, "reference")
