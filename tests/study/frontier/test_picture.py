"""The picture of a frontier."""

import steadyarm as sa
from steadyarm.theory.guarantees.frontier import guaranteed_frontier


def test_no_label_of_the_picture_covers_another(far, near):
    for found in (far, near):
        figure = found.plot()
        figure.draw_without_rendering()
        renderer = figure.canvas.get_renderer()
        texts = [text for text in figure.axes[0].texts if text.get_text()]
        boxes = [text.get_window_extent(renderer) for text in texts]
        for one, box in enumerate(boxes):
            for other in range(one):
                assert not box.overlaps(boxes[other]), (texts[one], texts[other])
        words = " ".join(text.get_text() for text in texts)
        assert "α = 4" in words
        assert "guaranteed" in words or found is near


def test_the_dashed_line_is_what_is_guaranteed_and_nothing_else():
    found = sa.frontier(n_arms=2, horizon=3000, alphas=[1], spreads=[], rivals=["UCB1"], runs=8)
    dashed = [line for line in found.plot().axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == 1
    drawn = set(zip(*dashed[0].get_data(), strict=True))
    promised = guaranteed_frontier(2, 3000, 2.0, noise_scale=1.0, finer=3)
    assert drawn <= {(each.regret, each.instability) for each in promised}
