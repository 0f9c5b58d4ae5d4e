"""The picture of a trial: a row for each scenario and design, and the power in a sentence."""

import steadyarm as sa
from steadyarm.study.trial.picture import message


def test_every_design_of_every_scenario_has_a_row_with_its_decisions_and_pulls(found):
    figure = found.plot()
    decided, shares = figure.axes
    rows = len(found.study.scenarios) * len(found.study.labels)
    assert [tick.get_text() for tick in decided.get_yticklabels()] == found.study.labels * len(
        found.study.scenarios
    )
    assert len(shares.containers) == rows
    assert len(decided.containers) == rows * len(found.study.methods)
    assert {text.get_text() for text in shares.texts} == set(found.study.scenarios)


def test_the_title_has_the_power_of_each_design_from_the_largest_on(found):
    said = message(found)
    table = found.table[found.table["method"] == found.study.methods[0]].query("scenario == 'alternative'")
    powers = table.sort_values("power", ascending=False)
    assert said.startswith("Power, alternative: ")
    assert said.partition(": ")[2] == ", ".join(
        f"{row.design} {row.power:.0%}" for row in powers.itertuples()
    )


def test_where_nothing_differs_the_title_is_about_errors():
    alike = sa.trial(
        {"alike": sa.Instance.bernoulli([0.4, 0.4])}, ["RoundRobin"], horizon=20, methods=["wilson"]
    )
    assert message(alike).startswith("Type I error, alike: round robin ")
