"""What a notebook shows of every result: its numbers, its notes and its picture, and nothing from elsewhere."""

import base64
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

import steadyarm as sa
from steadyarm.notebook import MOST_ROWS, Sheet, Shown, html

INSTANCE = sa.equal_gap(2, 0.3)
POLICY = sa.SLEUCB(n_arms=2, horizon=200)
RESULTS = {
    "simulation": lambda: sa.simulate(POLICY, INSTANCE, runs=10),
    "one run": lambda: sa.simulate(POLICY, INSTANCE, runs=1),
    "path": lambda: sa.path(POLICY, INSTANCE),
    "plan": lambda: sa.plan(n_arms=2, horizon=10_000, max_sd_share=0.02),
    "guaranteed plan": lambda: sa.plan(n_arms=2, horizon=10_000, max_sd_share=0.02, guaranteed=True),
    "worst case": lambda: sa.worst_case(POLICY, runs=4, steps=1, search_runs=4),
    "frontier": lambda: sa.frontier(n_arms=2, horizon=300, alphas=[1], spreads=[], rivals="none", runs=4),
    "comparison": lambda: sa.compare(["MOSS", "UCB1"], [INSTANCE, sa.equal_arms(2)], horizon=100, runs=4),
    "coverage": lambda: sa.coverage("MOSS", INSTANCE, horizon=100, runs=4),
    "trial": lambda: sa.trial(INSTANCE, ["MOSS"], horizon=100, runs=4, methods=["auto", "anytime"]),
    "exact trial": lambda: sa.trial(sa.Instance.bernoulli([0.2, 0.5]), ["RoundRobin"], horizon=20, runs=4),
    "scaling": lambda: sa.scaling("MOSS", horizons=[100, 200], runs=8),
    "intervals": lambda: sa.intervals(counts=[400, 0], sums=[80.0, 0.0]),
    "differences": lambda: sa.differences([9, 9], [2, 8], rewards="bernoulli", arms=["A<b>", "B&C"]),
}
WITHOUT_PICTURE = {"intervals", "differences"}
VOID = {"br", "img"}


class Reader(HTMLParser):
    """Reads HTML as a browser does, and fails on a tag that is not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.addresses, self.cells, self.words = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if self.open[-1:] == ["td"]:
            self.cells.append(data)


@pytest.fixture(scope="module", params=RESULTS)
def shown(request):
    found = RESULTS[request.param]()
    return request.param, found, found._repr_html_()


def test_a_result_shows_a_table_its_notes_and_its_picture(shown):
    name, found, text = shown
    page = Reader(text)
    assert page.cells
    assert not [cell for cell in page.cells if "nan" in cell or "inf" in cell]
    for note in getattr(found, "notes", ()):
        assert note in page.words
    assert len(page.addresses) == (0 if name in WITHOUT_PICTURE else 1)


def test_a_picture_is_inside_the_page(shown):
    _, _, text = shown
    assert "http" not in text
    for address in Reader(text).addresses:
        start, picture = address.split(",", 1)
        assert start == "data:image/png;base64"
        assert base64.b64decode(picture).startswith(b"\x89PNG")


def test_a_table_for_latex_has_the_numbers_of_the_page(shown):
    name, found, text = shown
    if name in ("simulation", "one run", "path"):
        return
    printed = found.to_latex()
    assert printed.startswith(r"\begin{tabular}")
    assert printed.isascii()
    printed = printed.replace("$-$", "-")
    numbers = [
        cell for cell in Reader(text).cells if re.fullmatch(r"[\d.,]+ \[.*\]", cell) and cell.isascii()
    ]
    assert [cell for cell in numbers if cell not in printed] == []


def test_the_numbers_of_a_simulation_stand_in_its_table():
    found = sa.simulate(POLICY, INSTANCE, runs=10)
    cells = Reader(found._repr_html_()).cells
    assert cells[:2] == [str(found.regret), str(found.instability)]
    assert cells[4:6] == list(map(str, found.arm(0)))


def test_of_many_arms_the_first_are_shown_and_it_is_said():
    found = sa.simulate(sa.RoundRobin(n_arms=30, horizon=60), sa.equal_arms(30), runs=3)
    page = Reader(found._repr_html_())
    assert len(page.cells) == 2 + 4 * MOST_ROWS
    assert "The first 20 of 30 arms are in the table." in page.words


def test_a_long_table_is_cut_and_it_is_said():
    page = Reader(html(Sheet("Long", [pd.DataFrame({"n": range(1234)})])))
    assert page.cells == [str(n) for n in range(MOST_ROWS)]
    assert "The first 20 of 1,234 rows." in page.words


def test_names_that_look_like_html_are_shown_as_they_are():
    found = RESULTS["differences"]()
    assert "A&lt;b&gt;" in found._repr_html_()
    assert "A<b>" in Reader(found._repr_html_()).cells


def test_the_picture_is_drawn_when_it_is_shown_and_once():
    drawn = []

    class Example(Shown):
        def _sheet(self):
            return Sheet("An example", [], draw=self.draw)

        def draw(self):
            drawn.append(self)
            return sa.path(POLICY, INSTANCE).plot(size=(4, 3))

    example = Example()
    assert drawn == []
    assert example._repr_html_() == example._repr_html_()
    assert drawn == [example]
