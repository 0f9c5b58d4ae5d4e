"""Draws docs/pictures/repetitions.png: ten repetitions of an experiment under MOSS beside ten under Steady.

Run it with `.venv/bin/python tools/repetitions.py` (a few seconds).
"""

import io
from pathlib import Path

from PIL import Image

import steadyarm as sa

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "repetitions.png"
HORIZON, SPREAD, SEED = 10_000, 200.0, 1


def figure():
    """The picture: two arms that are alike, so that nothing but chance moves the allocation."""
    steady = sa.Steady(n_arms=2, horizon=HORIZON, spread=SPREAD)
    return sa.plot_paths(["MOSS", steady], sa.equal_arms(2), seed=SEED)


if __name__ == "__main__":
    whole = io.BytesIO()
    figure().savefig(whole, dpi=120)
    few_colours = Image.open(whole).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few_colours.save(PICTURE, optimize=True)
