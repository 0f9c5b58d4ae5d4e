"""The pages for everybody: screen readers, keyboards, dark rooms and phones."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import AWKWARD

pytestmark = pytest.mark.slow

PAGES = {
    "/": "#numbers tr.ours",
    "/experiments": "article",
    "/experiments/colours": "#arms tbody tr",
    "/experiments/finished/report": "#sheet[aria-busy=false]",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_serious_violation(visit, server, path, scheme):
    page = visit(path, token=server.token, scheme=scheme)
    expect(page.locator(PAGES[path]).first).to_be_visible()
    found = Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in serious] == []


def test_axe_would_find_one(visit, server):
    page = visit("/", token=server.token)
    expect(page.locator(PAGES["/"])).to_be_visible()
    page.evaluate("document.querySelector('label[for=alpha]').removeAttribute('for')")
    page.evaluate("document.querySelector('#alpha').removeAttribute('aria-valuetext')")
    assert "label" in {each["id"] for each in Axe().run(page).response["violations"]}


AWKWARD_PAGES = {
    f"/experiments/{AWKWARD}": "#arms tbody tr",
    f"/experiments/{AWKWARD}/report": "#sheet[aria-busy=false]",
    "/?arms=3&horizon=1000&alpha=1e99": "#numbers tr.ours",
}


@pytest.mark.parametrize("path", PAGES | AWKWARD_PAGES)
def test_nothing_is_wider_than_a_phone(visit, server, path):
    page = visit(path, token=server.token, width=360, height=720)
    expect(page.locator((PAGES | AWKWARD_PAGES)[path]).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_long_names_leave_room_and_names_of_both_directions_keep_their_order(visit, server):
    page = visit(f"/experiments/{AWKWARD}/report", token=server.token)
    expect(page.locator("dd bdi")).to_have_count(3)
    hidden = "scroll => scroll.scrollWidth - scroll.clientWidth"
    assert [each.evaluate(hidden) for each in page.locator("#sheet .scroll").all()] == [0, 0]
    arabic, hebrew = [name.bounding_box() for name in page.locator("dd bdi").all()[1:]]
    assert (arabic["y"], arabic["x"]) < (hebrew["y"], hebrew["x"])


def test_colours_that_tell_arms_apart_stay_on_paper_and_with_forced_colours(visit, server):
    page = visit("/experiments/finished/report", token=server.token)
    expect(page.locator("#legend .swatch")).to_have_count(3)

    def styles(name):
        style = f"swatch => getComputedStyle(swatch).{name}"
        return {swatch.evaluate(style) for swatch in page.locator("#legend .swatch").all()}

    page.emulate_media(forced_colors="active")
    assert len(styles("backgroundColor")) == 3
    page.emulate_media(forced_colors="none", media="print")
    assert len(styles("backgroundColor")) == 3
    assert styles("printColorAdjust") == {"exact"}


def test_everything_on_the_plan_is_reached_by_the_keyboard(visit):
    page = visit("/")
    expect(page.locator(PAGES["/"])).to_be_visible()
    page.locator("body").press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert reached >= {"arms", "horizon", "wish", "wish-value", "grant", "alpha", "check", "create", "gap"}
