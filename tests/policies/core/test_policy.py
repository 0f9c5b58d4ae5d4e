"""What every policy is: a frozen record that checks itself, and says what it was built for."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, OutsideClass
from steadyarm.model import Instance, equal_gap
from steadyarm.policies import SLEUCB, policy_from_dict


def test_a_policy_with_a_mean_bound_is_built_for_means_within_it_and_others_for_any():
    assert sa.SLEUCB(n_arms=2, horizon=10, mean_bound=3.0).class_bound == 3.0
    assert sa.Padded(sa.SLEUCB(n_arms=3, horizon=10, mean_bound=3.0)).class_bound == 3.0
    assert sa.MOSS(n_arms=2, horizon=10).class_bound is None


@given(
    n_arms=st.integers(2, 50),
    horizon=st.integers(51, 2**53),
    mean_bound=st.floats(1e-3, 1e3),
    noise_scale=st.floats(1e-3, 1e3),
    alpha=st.floats(1e-3, 1e3),
    constants=st.sampled_from(["paper", "sharp"]),
    beta=st.none() | st.floats(1e-3, 1e3),
)
def test_a_record_is_hashable_comparable_and_comes_back_from_its_dict(**parameters):
    policy = SLEUCB(**parameters)
    again = policy_from_dict(json.loads(json.dumps(policy.to_dict())))
    assert again == policy == pickle.loads(pickle.dumps(policy))
    assert hash(again) == hash(policy)
    assert policy != policy.replace(alpha=policy.alpha * 2)


def test_a_policy_without_a_title_goes_by_the_name_of_its_class():
    class Plain(sa.Policy):
        start = None

    class Plainer(Plain):
        pass

    class OwnMOSS(sa.MOSS):
        pass

    assert (Plain.title, Plainer(n_arms=2, horizon=10).title) == ("Plain", "Plainer")
    assert OwnMOSS.title == sa.MOSS.title


def test_a_record_cannot_be_changed():
    with pytest.raises(AttributeError):
        SLEUCB(n_arms=2, horizon=10).alpha = 3.0


def test_an_unknown_parameter_is_refused():
    with pytest.raises(InvalidInput, match="SLEUCB has no parameter 'alfa'"):
        SLEUCB(n_arms=2, horizon=10).replace(alfa=2.0)


def test_horizons_written_as_floats_are_whole_numbers():
    assert SLEUCB(n_arms=2, horizon=1e6).horizon == 1_000_000
    assert SLEUCB(n_arms=np.int64(2), horizon=2**53).horizon == 2**53


def test_an_instance_of_another_size_or_class_is_refused_unless_asked_for():
    policy = SLEUCB(n_arms=2, horizon=100)
    with pytest.raises(InvalidInput, match="n_arms = 2 arms; it has 3"):
        policy.check_instance(equal_gap(3, 0.1))
    with pytest.raises(OutsideClass, match=r"arm 1 has mean -2\.0"):
        policy.check_instance(equal_gap(2, 2.0))
    policy.check_instance(equal_gap(2, 2.0), outside_class=True)
    policy.check_instance(Instance.bernoulli([0.5, 0.5]))
