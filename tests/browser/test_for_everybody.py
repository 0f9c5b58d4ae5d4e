"""The pages for everybody: screen readers, keyboards, dark rooms and phones."""

import io
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import AWKWARD

pytestmark = pytest.mark.slow

PAGES = {
    "/": "#numbers tr.expected",
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
    page.evaluate("document.querySelector('label[for=steadiness]').removeAttribute('for')")
    page.evaluate("document.querySelector('#steadiness').removeAttribute('aria-valuetext')")
    assert "label" in {each["id"] for each in Axe().run(page).response["violations"]}


AWKWARD_PAGES = {
    f"/experiments/{AWKWARD}": "#arms tbody tr",
    f"/experiments/{AWKWARD}/report": "#sheet[aria-busy=false]",
    "/?arms=3&horizon=1000&spread=1e99": "#numbers tr.expected",
}


@pytest.mark.parametrize("path", PAGES | AWKWARD_PAGES)
def test_nothing_is_wider_than_a_phone(visit, server, path):
    page = visit(path, token=server.token, width=360, height=720)
    expect(page.locator((PAGES | AWKWARD_PAGES)[path]).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [360, 400])
@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("/", "#numbers"),
        ("/experiments/colours", "#arms"),
        ("/experiments/colours", "#entries"),
        ("/experiments/finished/report", "#sheet"),
    ],
)
def test_a_phone_shows_every_number_of_a_table_without_scrolling(visit, server, path, table, width):
    page = visit(path, token=server.token, width=width, height=720)
    expect(page.locator(f"{table} tbody tr, {table}:is(tbody) tr").last).to_be_visible()
    cells = page.locator(f"{table} td").filter(has_text=re.compile(r"\S"))
    assert cells.count() > 20
    boxes = cells.evaluate_all(
        "all => all.map((cell) => cell.getBoundingClientRect()).map((box) => [box.left, box.right])"
    )
    assert all(0 <= left < right <= width for left, right in boxes)
    cut = cells.evaluate_all("all => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length")
    assert cut == 0
    if table == "#arms":
        mean = page.locator("#arms td[data-label=Mean]").first
        assert mean.evaluate("cell => getComputedStyle(cell, '::before').content") == '"Mean"'
        page.get_by_role("button", name="Pulls").click()  # still sorted
        expect(page.locator("#arms th[aria-sort=descending]")).to_have_text("Pulls")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shadow_says_that_a_table_goes_on_and_its_end_has_none(visit, server, scheme):
    page = visit("/", token=server.token, width=360, height=720, scheme=scheme)
    expect(page.locator(PAGES["/"])).to_be_visible()
    page.locator("#trade-off summary").click()
    table = page.locator(".scroll", has=page.locator("#curve"))
    table.scroll_into_view_if_needed()
    assert table.evaluate("scroll => scroll.scrollWidth - scroll.clientWidth") > 20

    def edges():
        picture = Image.open(io.BytesIO(table.screenshot())).convert("L")
        return [picture.getpixel((x, 4)) for x in (1, picture.width - 2)]

    plain, shaded = edges()
    assert abs(shaded - plain) > 20
    table.evaluate("scroll => scroll.scrollTo(9999, 0)")
    shaded, plain = edges()
    assert abs(shaded - plain) > 20


def test_long_names_leave_room_and_names_of_both_directions_keep_their_order(visit, server):
    page = visit(f"/experiments/{AWKWARD}/report", token=server.token)
    expect(page.locator("dd bdi")).to_have_count(3)
    hidden = "scroll => scroll.scrollWidth - scroll.clientWidth"
    assert [each.evaluate(hidden) for each in page.locator("#sheet .scroll").all()] == [0, 0, 0, 0]
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
    assert reached >= {
        "arms",
        "horizon",
        "goal",
        "goal-value",
        "meet-goal",
        "steadiness",
        "guaranteed",
        "check",
        "create",
        "gap",
    }
