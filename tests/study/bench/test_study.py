"""bench: what it refuses, and how it tells its progress."""

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"only": "stepp"}, "only must be one of 'step', 'prefix', 'leap', 'fluid', 'extra', 'growth'"),
        ({"only": []}, "only must name at least one group"),
        ({"device": "tpu"}, "device must be one of 'cpu', 'cuda'; got 'tpu'"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"device": "cuda", "threads": 2}, "threads=2 is for the CPU"),
        ({"device": "cuda", "only": "leap"}, "only must be one of 'step', 'prefix', 'different'; got 'leap'"),
        ({"quick": "yes"}, "quick must be True or False"),
    ],
)
def test_wrong_things_are_refused(options, message):
    with pytest.raises(InvalidInput, match=message.replace("(", r"\(")):
        sa.bench(**options)


def test_progress_is_told_between_figures(capsys):
    shares = []
    sa.bench("fluid", quick=True, progress=shares.append)
    assert shares == [0.0, 1.0]
    sa.bench("fluid", quick=True, progress=True)
    assert "measuring figure 1 of 1 …" in capsys.readouterr().err
    sa.bench("fluid", quick=True)
    assert capsys.readouterr().err == ""
