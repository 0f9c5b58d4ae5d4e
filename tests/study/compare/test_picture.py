"""The picture of a comparison: every policy labelled once, and who won."""

import pytest
from tests.study.compare.conftest import INSTANCE

import steadyarm as sa

IN_A_RANGE = ("BetaThompson", "Exp3", "TsallisINF", "UCBV", "KLUCBSwitch")


@pytest.mark.parametrize("places", [1, 2, 3])
def test_the_picture_labels_every_policy_once_and_no_label_covers_another(found, places):
    names = [name for name in sa.all_policies() if name not in IN_A_RANGE]
    many = sa.compare(names[: 6 * places], INSTANCE, horizon=400, runs=30)
    figure = many.plot()
    axes = figure.axes[0]
    assert axes.get_xlabel() == "expected regret"
    assert axes.get_ylabel() == "instability: largest standard deviation of an arm's pulls"
    texts = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert any("dashed: no policy has both worst cases below (Theorem 1′)" in text for text in texts)
    assert not axes.collections  # no shade: on one instance a policy may do better than its worst cases
    assert all(any(text.startswith(label) for text in texts) for label in many.table["policy"])
    boxes = list(texts.values())
    for place, box in enumerate(boxes):
        assert box.count_overlaps(boxes[:place]) == 0
    assert len(found.plot().axes) == 2


DRIFTING = sa.Instance.drifting(sa.Drift.step([0.0, -0.3], [-0.3, 0.0], after=200))


def test_where_means_move_there_is_dynamic_regret_and_no_line_of_a_theorem_about_means_that_stay():
    moving = sa.compare(["MOSS", "UCB1"], DRIFTING, horizon=400, runs=30)
    [axes] = moving.plot().axes
    assert axes.get_xlabel() == "expected dynamic regret"
    assert not any("Theorem" in text.get_text() for text in axes.texts)
    assert not [line for line in axes.lines if line.get_linestyle() == "--" and len(line.get_xdata()) > 100]


def test_the_title_names_the_winners(found):
    titles = [axes.get_title(loc="left") for axes in found.plot().axes]
    assert "UCB1 loses least; SLE-UCB is steadiest" in titles[0]
    assert titles[1].startswith("SLE-UCB is steadiest; there is no regret to lose")
