"""Every claim can fail: a broken part makes it."""

import pytest
from tests.study.verify.claims.controls import CONTROLS

from steadyarm.study.verify.claims import CLAIMS

CHECKS = {claim.id: claim.check for claim in CLAIMS}
LONG = (7, 16, 17, 29, 30, 31)  # those that play many horizons


def cases():
    for number, controls in CONTROLS.items():
        for name, setting in controls.items():
            marks = [pytest.mark.slow] if number in LONG else []
            yield pytest.param(number, setting, id=f"{number}-{name.replace(' ', '-')}", marks=marks)


def test_no_claim_is_without_a_control():
    assert set(CONTROLS) == set(CHECKS)
    assert all(CONTROLS.values())


@pytest.mark.parametrize(("number", "setting"), list(cases()))
def test_a_broken_part_makes_the_claim_fail(number, setting):
    finding = CHECKS[number](setting)
    assert finding.holds is False, finding
