"""`device="cuda"`, with a stand-in for the card: what is asked of it, and what happens if its counts are wrong."""

import pytest

import steadyarm as sa
from steadyarm.study.bench import gpu
from steadyarm.study.bench import study as run

ENGINES_SIMULATE = gpu.simulate


class Card:
    """Plays on the CPU what is asked of a GPU, a shorter horizon's worth, and can be made to err."""

    def __init__(self, error=0):
        self.error, self.asked = error, []

    def simulate(self, policy, instance, *, device, runs, **options):
        self.asked.append((options.get("engine"), policy.n_arms, runs, device))
        short = sa.SLEUCB(n_arms=policy.n_arms, horizon=policy.n_arms + 20, constants="sharp")
        result = ENGINES_SIMULATE(short, instance, runs=min(runs, 16), **options)
        result.counts[0, 0] += self.error if device == "cuda" else 0
        return result


@pytest.fixture
def card(monkeypatch):
    def insert(error=0):
        stand_in = Card(error)
        monkeypatch.setattr(run, "card_name", lambda: "NVIDIA H200")
        monkeypatch.setattr(gpu, "simulate", stand_in.simulate)
        monkeypatch.setattr(gpu, "_LAST_HORIZON", 1 << 14)
        return stand_in

    return insert


def test_each_engine_is_played_for_every_number_of_arms_and_checked(card):
    stand_in = card()
    found = sa.bench(device="cuda", quick=True, progress=False)
    assert [figure.key for figure in found.figures] == [
        *(f"cuda/{engine}/{n_arms}" for engine in ("step", "prefix") for n_arms in (2, 10, 100, 1000)),
        *(f"cuda/step/{name}/10" for name in ("UCB1", "GaussianThompson", "KLUCB")),
        *(f"cuda/different/{name}" for name in ("SLEUCB", "MOSS", "UCB1", "GaussianThompson")),
    ]
    assert found.sound
    assert all(figure.equal_counts for figure in found.figures)
    assert (found.machine.card, found.name, found.draws_per_second) == ("NVIDIA H200", "nvidia-h200", None)
    assert ("prefix", 1000, 16, "cpu") in stand_in.asked
    assert ("prefix", 1000, (1 << 24) // 1000, "cuda") in stand_in.asked


def test_wrong_counts_are_seen_and_said(card):
    card(error=1)
    found = sa.bench("step", device="cuda", quick=True, progress=False)
    assert not found.sound
    assert "DIFFERENT" in found.figures[0].detail
