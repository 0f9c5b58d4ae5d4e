"""The plan of a team in a real browser: what it knows, the table, the slider, the address, and an experiment."""

import json
import re

import pytest
from playwright.sync_api import expect

import steadyarm as sa
from steadyarm.live.analysis import plans
from steadyarm.planning.baseline.designs_in_words import IN_A_LINE
from tests.browser.conftest import TEAM as KNOWN
from tests.browser.conftest import TEAM_PAGE as ADDRESS
from tests.browser.conftest import Fault, Held, until

pytestmark = pytest.mark.slow

RECOMMENDED = "#designs .badge"


@pytest.fixture(scope="module")
def library():
    return sa.plan(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1, progress=False)


def asks(request):
    return request.url.endswith("/v1/plan") and request.post_data_json


def test_the_table_and_the_recommendation_are_those_of_the_library(visit, library):
    page = visit(ADDRESS)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    expect(page.locator("#sentence")).to_have_text(library.recommendation.sentence)
    names = page.locator("#designs tbody input").evaluate_all("all => all.map((each) => each.value)")
    assert names == [design.name for design in library.designs]
    headings = page.locator("#designs thead th").all_text_contents()
    assert [heading.lower() for heading in headings] == list(IN_A_LINE.values())
    explained = page.locator("dl.definitions dt").all_text_contents()
    assert set(headings[1:]) <= set(explained)
    chosen = library.recommendation.design
    row = page.locator("#designs tr.chosen")
    expect(row).to_contain_text(chosen.name)
    measured = next(each for each in library.measured if each.design == chosen)
    cells = row.locator("td").all_inner_texts()
    assert cells[0].split("±")[0].strip() == f"{measured.lost.value:.3g}"
    assert float(cells[0].split("±")[1]) == float(f"{(measured.lost.high - measured.lost.low) / 2:.2g}")
    assert cells[3] == f"{measured.least_at_worst:.3g}"
    assert cells[7].split("%")[0].strip() == f"{100 * measured.power.value:.0f}"
    assert cells[8] == f"{100 * measured.width.value:.2g} pp"
    for note in library.notes:
        expect(page.locator("#notes")).to_contain_text(note)
    expect(page.locator("#situation-words")).to_have_text(library.situation.words)


def test_what_is_predicted_stands_there_before_anything_is_simulated(visit, server, library):
    page = visit("/experiments", token=server.token)
    held = Held()
    page.route("**/v1/simulations", held)
    page.goto(page.url.replace("/experiments", ADDRESS))
    held.wait_for(page, 1)
    expect(page.locator("#sentence")).to_contain_text("are being simulated")
    expected = library.outline()["designs"][1]["predicted"]["lost_at_worst"]
    expect(page.locator("#designs tbody tr").nth(1)).to_contain_text(f"about {expected:.3g}")
    expect(page.locator("#frontier .dot.predicted")).to_have_count(len(library.designs.designs) - 1)
    expect(page.locator("#create")).to_be_disabled()  # nothing is chosen, and nothing recommended
    held.let(0)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    expect(page.locator("#frontier .dot.predicted")).to_have_count(0)
    expect(page.locator("#traffic .band")).to_have_count(1)


def test_the_slider_moves_along_the_frontier_and_its_row_is_measured_when_it_rests(visit, library):
    page = visit(ADDRESS)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    held = Held()
    page.route("**/v1/simulations", held)
    page.locator("#spread").focus()
    for _ in range(3):
        page.keyboard.press("PageUp")
    row = page.locator("#designs tr.chosen")
    spread = float(re.search(r"([\d.]+) visitors", page.locator("#spread-value").inner_text())[1])
    held.wait_for(page, 1)
    expect(row).to_contain_text(f"Steady, spread {spread:g}")
    expected = plans.answer(KNOWN | {"spread": spread})["chosen"]["predicted"]
    expect(row).to_contain_text(f"about {expected['lost_at_worst']:.3g}")
    held.let(0)
    measured = library.measured_at(spread)
    expect(row.locator("td").first).to_contain_text(f"{measured.lost.value:.3g}", timeout=60_000)
    expect(page.locator("#chosen-words")).to_have_text(f"Chosen: {library.row(measured)['sentence']}")
    page.wait_for_url(f"**spread={spread:g}")
    page.unroute("**/v1/simulations")
    page.reload()  # the address is the plan, the slider included
    expect(row).to_contain_text(f"Steady, spread {spread:g}")
    expect(row.locator("td").first).to_contain_text(f"{measured.lost.value:.3g}", timeout=60_000)
    page.locator("#designs input[value='Thompson sampling']").check()
    expect(row).to_contain_text("Thompson sampling")
    page.wait_for_url("**design=Thompson+sampling")
    page.reload()
    expect(row).to_contain_text("Thompson sampling", timeout=60_000)


TYPED = [
    ({"baseline": "30%"}, {}),
    ({"baseline": "30"}, {}),  # a rate of 30 can be a percentage only
    ({"baseline": "30,0 %", "smallest_difference": "10 percentage points"}, {}),
    ({"smallest_difference": "0,3pp"}, {"smallest_difference": 0.003}),
    ({"low_difference": "−5,5 pp", "high_difference": "+20 pp"}, {"differences": [-0.055, 0.2]}),
    ({"horizon": "1.000.000"}, {"horizon": 10**6}),
    ({"horizon": "", "per_day": "1,000", "days": "2,5"}, {"per_day": 1000, "days": 2.5, "horizon": None}),
    ({"per_day": "100", "delay_days": "0,5"}, {"per_day": 100, "delay_days": 0.5}),
]


def test_numbers_are_read_with_a_comma_a_point_and_a_unit(visit):
    page = visit(ADDRESS)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    asked = []
    page.on("request", lambda request: asks(request) and asked.append(request.post_data_json))
    page.route("**/v1/plan", lambda route: route.fulfill(json=plans.answer(KNOWN)))  # what is asked is enough
    for arms, (typed, read) in enumerate(TYPED, start=3):  # what was answered already is not asked again
        was = {name: page.locator(f"#{name}").input_value() for name in typed}
        page.locator("#arms").fill(str(arms))
        for name, text in typed.items():
            page.locator(f"#{name}").fill(text)
        wanted = {name: value for name, value in (KNOWN | {"arms": arms} | read).items() if value is not None}
        until(page, lambda wanted=wanted: asked and asked[-1] == wanted)
        assert page.locator("#situation .problem").filter(has_text=re.compile(".")).count() == 0
        for name, text in was.items():
            page.locator(f"#{name}").fill(text)


def test_what_cannot_be_is_said_at_its_field_and_nothing_is_lost(visit, watch):
    watch.may_fail = True
    page = visit(ADDRESS)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    for field, typed, words in (
        ("baseline", "0.03", "“0.03” could be 0.03 % or 3 %. Write one of these."),
        ("smallest_difference", "0,3", "“0,3” could be 0.3 pp or 30 pp."),
        ("baseline", "three", "Conversion rate today must be a number; got “three”. Write it like 3 %."),
        ("baseline", "", "a number is needed, like 3 %"),
        ("arms", "1", "The number of variants must be at least 2; got 1"),
        ("arms", "2.5", "The number of variants must be"),
        ("baseline", "120 %", "below 100%; got 120%. Outcomes other"),
        (
            "smallest_difference",
            "80 pp",
            "must leave a rate of 100% at most; got 30% + 80 pp. Give a smaller",
        ),
        ("horizon", "1e17", "and at most 9,007,199,254,740,992 can be counted"),
        ("baseline", "300 %", "0 and 1 need the standard deviation beside the mean: how far they vary."),
        ("smallest_difference", "-1 pp", "The smallest difference must be"),
        ("low_difference", "5 pp", "Give both, or none"),
        ("horizon", "2", "The visitors in total must be at least 3; got 2. With 2 variants every"),
        ("horizon", "", "a plan needs the number of units"),
        ("delay_days", "3", "once a day need the visitors per day"),
        ("days", "14", "To turn the days into units a plan needs the visitors per day, the number"),
    ):
        was = page.locator(f"#{field}").input_value()
        page.locator(f"#{field}").fill(typed)
        at = "high_difference" if field == "low_difference" else field
        expect(page.locator(f"#{at}-error")).to_contain_text(re.compile(re.escape(words), re.IGNORECASE))
        assert page.locator(f"#{at}").get_attribute("aria-invalid") == "true"
        expect(page.locator("#results")).to_have_class("old")
        assert page.locator(f"#{field}").input_value() == typed
        page.locator(f"#{field}").fill(was)
        expect(page.locator(f"#{at}-error")).to_have_text("")
        expect(page.locator("#results")).not_to_have_class("old")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)


@pytest.mark.parametrize(
    ("field", "typed"), [("baseline", "120 %"), ("baseline", "-3 %"), ("horizon", "240.5"), ("arms", "three")]
)
def test_a_plan_of_older_inputs_is_neither_created_nor_printed(visit, watch, field, typed):
    watch.may_fail = True
    page = visit(ADDRESS)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    was = page.locator(f"#{field}").input_value()
    sentence = page.locator("#sentence").inner_text()
    page.locator(f"#{field}").fill(typed)
    expect(page.locator(f"#{field}-error")).not_to_be_empty()
    expect(page.locator("#sentence")).to_have_text(
        "Correct what is marked above; the numbers below are older."
    )
    for button in ("#create", "#print"):
        expect(page.locator(button)).to_be_disabled()
    page.emulate_media(media="print")  # by the browser's own menu
    expect(page.locator("#sentence")).to_contain_text("the numbers below are older")
    page.emulate_media(media="screen")
    page.locator(f"#{field}").fill(was)
    expect(page.locator("#sentence")).to_have_text(sentence)
    for button in ("#create", "#print"):
        expect(page.locator(button)).to_be_enabled()


def test_what_was_typed_of_conversions_comes_back_after_a_look_at_revenue(visit):
    page = visit(ADDRESS + "&low_difference=-20+pp&high_difference=20+pp")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    page.get_by_label("a number, like revenue").check()
    expect(page.locator("#baseline")).to_have_value("")
    page.get_by_label("Its standard deviation").fill("50")
    page.get_by_label("conversions: yes or no").check()
    for field, text in {
        "baseline": "30 %",
        "smallest_difference": "10 pp",
        "low_difference": "-20 pp",
    }.items():
        expect(page.locator(f"#{field}")).to_have_value(text)
    page.get_by_label("a number, like revenue").check()
    expect(page.locator("#sd")).to_have_value("50")


def test_no_digit_is_shown_that_the_error_hides(visit, server):
    def found(route):
        done = route.fetch()
        answer = done.json()
        for row in (answer.get("result") or {}).get("table", [])[:1]:
            row["lost"] = {"value": 98.16, "low": 67.6, "high": 128.7}
            row["best_share"] = {"value": 0.05874, "low": 0.05834, "high": 0.05914}
            row["finds_best"] = {"value": 0.3333, "low": 0.333298, "high": 0.333302}
            row["lost_at_smallest"] = {"value": 10_667.2, "low": 10_667.187, "high": 10_667.213}
            row["power"] = {"value": 1.0, "low": 0.896, "high": 1.0}
        route.fulfill(response=done, json=answer)

    page = visit("/experiments", token=server.token)
    page.route("**/v1/simulations**", found)
    page.goto(page.url.replace("/experiments", ADDRESS))
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    cells = [
        text.replace("\n", " ")
        for text in page.locator("#designs tbody tr").first.locator("td").all_inner_texts()
    ]
    assert [" ".join(cells[place].split()) for place in (0, 1, 5, 6, 7)] == [
        *("98 ± 31", "10,667", "5.87 % ± 0.04", "33.33 %", "100 % ± 5")
    ]


@pytest.mark.parametrize(
    ("per_day", "days"), [("28.6", "0 5 10"), ("24", "0 5 10 15"), ("200", "0 0.5 1 1.5 2")]
)
def test_days_of_the_picture_are_round_numbers(visit, per_day, days):
    page = visit(ADDRESS + f"&per_day={per_day}")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    words = page.locator("#traffic text").all_text_contents()
    assert " ".join(text for text in words if re.fullmatch(r"[\d.]+", text)) == days


def test_a_spread_that_does_not_fit_the_inputs_gives_way_to_the_recommendation(visit, watch, library):
    watch.may_fail = True
    page = visit(ADDRESS + "&spread=1e99")
    expect(page.locator("#designs tr.chosen .badge")).to_be_visible(timeout=60_000)
    assert page.locator("#designs tbody tr").count() == len(library.designs.designs)
    expect(page.locator("#form-error")).to_have_text("")


def test_an_answer_that_comes_late_is_dropped(visit):
    page = visit(ADDRESS)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    held = Held()
    page.route("**/v1/plan", held)
    page.locator("#horizon").fill("500")
    held.wait_for(page, 1)
    page.locator("#horizon").fill("600")
    held.let(0)
    held.wait_for(page, 2)
    expect(page.locator("#situation-words")).to_contain_text("400 units")  # that of 500 was not shown
    expect(page.locator("#results")).to_have_class("old")
    held.let(1)
    expect(page.locator("#situation-words")).to_contain_text("600 units")


def test_a_simulation_outlives_a_server_that_is_away_and_can_be_stopped(visit, server, watch):
    watch.may_fail = True
    page = visit("/experiments", token=server.token)
    page.route("**/v1/simulations", Fault(1))
    page.route("**/v1/plan", Fault(1))
    page.goto(page.url.replace("/experiments", ADDRESS))
    expect(page.locator("#banner")).to_contain_text("Offline since")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    expect(page.locator("#banner")).to_have_text("")
    page.locator("#horizon").fill("2e6")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#simulation-words")).to_have_text("Stopped.")
    page.locator("#horizon").fill("400")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)


LATE = "&per_day=40&delay_days=3&daily=true"


@pytest.mark.parametrize(
    ("address", "place"), [(ADDRESS, 0), (ADDRESS, 2), (ADDRESS, -1), (ADDRESS + LATE, 1)]
)
def test_the_experiment_that_is_created_is_the_one_that_was_shown(visit, server, address, place):
    page = visit(address, token=server.token)
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    row = page.locator("#designs tbody tr").nth(place)
    name = row.locator("input").input_value()
    row.locator("input").check()
    expect(page.locator("#designs tr.chosen")).to_contain_text(name)
    late = {"per_day": 40, "delay_days": 3, "daily": True} if LATE in address else {}
    planned = next(each for each in plans.answer(KNOWN | late)["designs"] if each["design"] == name)
    page.get_by_role("button", name="Create this experiment").click()
    expect(page.get_by_role("dialog")).to_contain_text(name)
    if late:
        expect(page.get_by_role("dialog")).to_contain_text("not reported after 3 days counts as 0")
        learns = "after every 40 units (about 1 day), from outcomes at least 120 units (about 3 days) old"
        expect(page.get_by_role("dialog")).to_contain_text(f"It learns {learns}.")
    created = f"planned-{len(late)}-{place % 10}"
    page.get_by_label("Name").fill(created)
    page.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url(f"**/experiments/{created}")
    with server.client() as client:
        made = client.get(f"/v1/experiments/{created}").json()
    assert made["policy"] == planned["policy"]
    wanted = {"arms": ["today", "variant 1"], "horizon": 400, "rewards": "bernoulli"}
    assert {name: made["configuration"][name] for name in wanted} == wanted
    attribution = {"after": 259_200, "reward": 0} if late else None
    assert made["configuration"].get("attribution") == attribution
    assert [made["configuration"].get(name) for name in ("batch", "delay")] == (
        [40, 120] if late else [None, None]
    )
    facts = page.locator("#facts")
    if late:
        expect(facts).to_contain_text(
            "in batches after every 40 units, from outcomes at least 120 units old; 0 rewards untold"
        )
    else:
        expect(facts).not_to_contain_text("Learns")


def test_every_design_of_every_kind_of_outcome_can_be_created(server):
    mean = {"arms": 3, "baseline": 8.0, "sd": 50.0, "smallest_difference": 1.0, "horizon": 60_000}
    found = [
        (question["arms"], design)
        for question in (mean, KNOWN)
        for design in plans.answer(question)["designs"]
    ]
    assert "SLE-UCB, guaranteed" in {design["design"] for _, design in found}
    with server.client() as client:
        for place, (arms, design) in enumerate(found):
            body = design["experiment"] | {"arms": [f"v{arm}" for arm in range(arms)]}
            answer = client.put(f"/v1/experiments/every-{place}", json=body)
            assert answer.status_code == 201, answer.text
            assert answer.json()["policy"] == json.loads(json.dumps(design["policy"]))


def test_a_plan_with_much_to_say_takes_two_pages_too(visit):
    known = "kind=mean&arms=3&baseline=3.56&sd=31.05&smallest_difference=0.5&per_day=4500&days=20"
    page = visit(f"/?{known}")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=180_000)
    expect(page.locator("#designs tbody tr")).to_have_count(7)
    expect(page.locator("#sentence")).to_contain_text("equal shares take about 220,000 units (49 days)")
    page.set_viewport_size({"width": 794, "height": 1123})
    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) <= 2


def test_paper_gets_the_decision_in_light_colours_on_two_pages(visit):
    page = visit(ADDRESS, scheme="dark")
    expect(page.locator(RECOMMENDED)).to_be_visible(timeout=60_000)
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for gone in ("#spread", "#create", ".top", "#designs input"):
        expect(page.locator(gone).first).not_to_be_visible()
    for there in (
        "#baseline",
        "#sentence",
        "#designs",
        "#frontier svg",
        "#traffic svg",
        "#notes",
        "#made",
        "details dl",
    ):
        expect(page.locator(there)).to_be_visible()
    assert re.search(r"steadyarm [\d.]+, \d+ \w+ \d{4}, \d\d:\d\d, http", page.locator("#made").inner_text())


def test_an_address_of_the_plan_over_a_class_still_opens_it(visit):
    page = visit("/?arms=3&horizon=20000&rewards=bernoulli&spread=0.02")
    page.wait_for_url("**/class?arms=3&horizon=20000&rewards=bernoulli&spread=0.02")
    expect(page.locator("#spread-value")).to_have_text("2.0 %")
