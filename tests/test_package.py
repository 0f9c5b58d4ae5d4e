"""The public surface, quick starts, and flat memory."""

import resource
import subprocess
import sys

import pytest

import steadyarm as sa
from steadyarm.study.bench.processes import peak_megabytes


def test_every_public_name_is_there_and_documented():
    for name in sa.__all__:
        assert getattr(sa, name).__doc__, name
    assert set(sa.__all__) <= set(dir(sa))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'frontierr'"):
        _ = sa.frontierr


def seconds(*command):
    """The processor time of the quickest of three starts: the clock would measure what else the machine does."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


@pytest.mark.slow
def test_importing_and_asking_for_help_are_quick():
    assert seconds(sys.executable, "-c", "import steadyarm") < 0.4
    assert seconds(sys.executable, "-m", "steadyarm", "--help") < 0.3


@pytest.mark.slow
def test_memory_is_flat_in_the_horizon():
    short, long = (peak_megabytes("auto", 2, horizon) for horizon in (10**4, 10**8))
    assert long - short < 20.0  # an array of 10⁸ doubles would be 800
