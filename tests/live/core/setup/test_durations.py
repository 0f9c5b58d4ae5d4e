"""Durations as people write them."""

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.live.core.setup.durations import duration


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("P14D", 1_209_600), ("P2W", 1_209_600), ("P1DT12H", 129_600), ("PT90M", 5400), ("PT1S", 1), (2.5, 2.5)],
)
def test_a_duration_is_so_many_seconds(written, seconds):
    assert duration(written, "after") == seconds


@pytest.mark.parametrize(
    "wrong", ["P", "PT", "P1Y", "P1M", "14", "P-1D", "P1W2D", "PT0S", 0.5, -1, True, None, 1e300, "P9999999D"]
)
def test_what_is_no_duration_is_refused_with_an_example(wrong):
    with pytest.raises(InvalidInput, match="after must be 1 to 315,360,000 seconds, or a duration like P14D"):
        duration(wrong, "after")
