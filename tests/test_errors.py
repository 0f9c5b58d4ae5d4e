"""One tree of exceptions, each of which is also what Python itself would raise."""

import inspect

import pytest

from steadyarm import errors
from steadyarm.errors import SimulationInterrupted, SteadyarmError

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind is not SteadyarmError]
INTERRUPTIONS = {SimulationInterrupted}


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_caught_by_the_root_and_by_what_python_calls_it(kind):
    assert issubclass(kind, SteadyarmError)
    python = KeyboardInterrupt if kind in INTERRUPTIONS else (ValueError, RuntimeError)
    assert issubclass(kind, python)
    assert kind.__doc__


def test_an_interruption_carries_what_was_finished_and_passes_code_that_catches_errors():
    stopped = SimulationInterrupted("after 3 of 10 runs", partial=[1, 2, 3])
    assert stopped.partial == [1, 2, 3]
    assert str(stopped) == "after 3 of 10 runs"
    assert SimulationInterrupted("at once").partial is None
    with pytest.raises(KeyboardInterrupt):
        raise stopped
