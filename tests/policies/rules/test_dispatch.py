"""From the type of a rule's parameters to its functions: which arm they choose, and where rules may be called."""

import numpy as np
import pytest
from tests.policies.own_rules import first_arm, ruled

import steadyarm as sa
from steadyarm.policies.rules import dispatch
from steadyarm.policies.rules.noise import NO_NOISE


def test_the_first_in_rank_of_the_largest_indices_is_chosen():
    n_arms = 6
    parameters = sa.UCB1(n_arms=n_arms, horizon=1000).parameters
    random = np.random.default_rng(n_arms)
    arms = set()
    for _ in range(50):
        counts = random.integers(1, 3, n_arms)
        totals = np.minimum(counts, random.integers(0, 2, n_arms)).astype(float)
        rank, state = random.permutation(n_arms), np.zeros(2 * n_arms)
        dispatch.keep_all(parameters, counts, totals, state)
        noise = NO_NOISE._replace(round=int(counts.sum()) + 1)
        chosen = dispatch.choose_arm(parameters, noise, rank, counts, totals, state)
        values = np.empty(n_arms)
        dispatch.fill_indices(parameters, noise, counts, totals, state, values)
        best = np.flatnonzero(values == values.max())
        assert chosen == best[rank[best].argmin()]
        arms.add(chosen)
    assert len(arms) > 1


def test_a_rule_of_steadyarms_goes_by_the_kernels_themselves_and_a_users_by_others():
    ours = sa.UCB1(n_arms=2, horizon=10).parameters
    theirs = ruled(index=first_arm)[0].parameters
    assert dispatch.specialise_kernels([dispatch.choose_arm], ours) == [dispatch.choose_arm]
    [bound] = dispatch.specialise_kernels([dispatch.choose_arm], theirs)
    assert bound is not dispatch.choose_arm
    assert bound(theirs, NO_NOISE, np.arange(3), np.ones(3, np.int64), np.zeros(3), np.zeros(0)) == 0


@pytest.mark.parametrize("name", ["index_of", "choose_by", "update_by", "keep_by"])
def test_plain_python_cannot_call_a_rule(name):
    function = getattr(dispatch, name)
    with pytest.raises(TypeError, match="call a rule from compiled code"):
        function(*[None] * function.__code__.co_argcount)
