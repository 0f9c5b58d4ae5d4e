"""Numbers typed into the fields of the plan: with a comma or a point, and those that could be two."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ADDRESS = "/class?arms=3&horizon=20000&rewards=bernoulli"


def test_a_goal_may_have_a_decimal_comma(visit):
    page = visit(ADDRESS)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    for typed in ("0,5", "0.5", ",5", "0,500", "0,5 %", "5e-1"):
        page.locator("#goal-value").fill(typed)
        with page.expect_request(lambda request: "max_sd_share" in (request.post_data_json or {})) as asked:
            page.get_by_role("button", name="Plan for it").click()
        assert asked.value.post_data_json["max_sd_share"] == pytest.approx(0.005)
        expect(page.locator("#goal-error")).to_have_text("")
        assert page.locator("#goal-value").input_value() == typed


def test_a_goal_that_is_no_number_or_could_be_two_is_refused_at_its_field(visit):
    page = visit(ADDRESS)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    outside = "A goal must be a percentage above 0 and at most 100."
    for typed, words in {
        "1.000,5": "“1.000,5” has a comma and a point.",
        "1,000.5": "“1,000.5” has a comma and a point.",
        "1,250": "“1,250” could be 1.25 or 1250. Write one of these.",
        "half": outside,
        "": outside,
        "0,0": outside,
    }.items():
        page.locator("#goal-value").fill(typed)
        expect(page.locator("#goal-error")).to_have_text("")
        page.get_by_role("button", name="Plan for it").click()
        expect(page.locator("#goal-error")).to_contain_text(words)
        assert page.locator("#goal-value").get_attribute("aria-invalid") == "true"
        assert page.locator("#goal-value").input_value() == typed  # nothing that was typed is lost
    assert requests == []


@pytest.mark.parametrize(
    ("kind", "field", "comma", "value"),
    [
        ("bounded", "low", "-0,5", -0.5),
        ("bounded", "high", "2,5", 2.5),
        ("gaussian", "mean_bound", "1,5", 1.5),
        ("gaussian", "noise_scale", "0,25", 0.25),
        ("bernoulli", "horizon", "2,5e4", 25_000),
        ("bernoulli", "horizon", "25.000.000", 25_000_000),
        ("bernoulli", "arms", "1,000", 1000),
    ],
)
def test_every_field_reads_a_comma_as_people_write_it_and_refuses_what_could_be_two_numbers(
    visit, kind, field, comma, value
):
    page = visit(f"/class?arms=3&horizon=20000&rewards={kind}")
    with page.expect_request(lambda request: (request.post_data_json or {}).get(field) == value):
        page.locator(f"#{field}").fill(comma)
    expect(page.locator("#design-error")).to_have_text("")
    doubtful = "12.345" if field in ("arms", "horizon") else "12,345"
    for typed, words in (("1.000,5", "has a comma and a point"), (doubtful, "could be 12.345 or 12345")):
        page.locator(f"#{field}").fill(typed)
        expect(page.locator("#design-error")).to_contain_text(f"“{typed}” {words}")
        assert page.locator(f"#{field}").get_attribute("aria-invalid") == "true"
        assert page.locator(f"#{field}").input_value() == typed


def test_the_gap_may_have_a_decimal_comma_too(visit):
    page = visit(ADDRESS)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    with page.expect_request(lambda request: -0.25 in (request.post_data_json or {}).get("means", [])):
        page.locator("#gap").fill("0,25")
    page.locator("#gap").fill("1.000,5")
    expect(page.locator("#what-if")).to_contain_text("“1.000,5” has a comma and a point.")
