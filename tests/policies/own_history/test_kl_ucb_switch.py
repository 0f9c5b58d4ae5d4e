"""KL-UCB-switch: where it switches."""

import pytest

import steadyarm as sa


@pytest.mark.parametrize("pulls", [1, 2, 6, 1000])
def test_kl_ucb_switch_switches_at_the_fifth_root_of_the_fair_share(pulls):
    at = 3 * pulls**5
    assert sa.KLUCBSwitch(n_arms=3, horizon=max(at, 4)).switch == pulls
    assert sa.KLUCBSwitch(n_arms=3, horizon=max(at - 1, 4)).switch == max(pulls - 1, 1)
