"""The plan page in a real browser: the slider, the wish, the simulation, and from there an experiment."""

import math
import re

import pytest
from playwright.sync_api import expect

import steadyarm as sa
from steadyarm.live import planning

pytestmark = pytest.mark.slow

CLASS = {"arms": 3, "horizon": 20_000, "rewards": "bernoulli"}
ADDRESS = "/?arms=3&horizon=20000&rewards=bernoulli"


def picture(page):
    return page.locator("#frontier canvas").evaluate("canvas => canvas.toDataURL()")


def whole(value):
    return f"{value:,.0f}"


def test_the_slider_moves_the_point_the_words_and_the_numbers(visit):
    page = visit(ADDRESS)
    predicted = page.locator("#numbers tr.ours")
    expect(predicted).to_contain_text(whole(planning.answer(CLASS)["expected"]["regret"]))
    words, before = page.locator("#sentence").inner_text(), picture(page)
    assert re.fullmatch(
        r"In the costliest case about [\d,]+ ± [\d,]+ pulls for each losing arm; it costs [\d.]+ % of the best "
        r"possible reward\.",
        words,
    )
    page.locator("#alpha").focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    alpha = 10**0.4
    expect(page.locator("#alpha-value")).to_have_text("2.51")
    found = planning.answer(CLASS | {"alpha": alpha})
    expect(predicted).to_contain_text(whole(found["expected"]["regret"]))
    share = f"{100 * found['expected']['regret'] / CLASS['horizon']:.1f} %"
    expect(page.locator("#sentence")).to_contain_text(share)
    assert page.locator("#sentence").inner_text() != words
    assert picture(page) != before
    expect(page.locator("#spoken")).to_have_text(page.locator("#sentence").inner_text())
    assert page.locator("#alpha").get_attribute("aria-valuetext") == "alpha 2.51"
    assert "alpha=2.512" in page.url
    page.reload()  # the address is the plan
    expect(page.locator("#alpha-value")).to_have_text("2.51")
    expect(predicted).to_contain_text(whole(found["expected"]["regret"]))


def test_a_wish_sets_the_slider_or_is_refused(visit, watch):
    watch.may_fail = True
    page = visit(ADDRESS)
    page.locator("#wish-value").fill("1")
    page.get_by_role("button", name="Set α").click()
    wished = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", max_sd_share=0.01)
    expect(page.locator("#alpha-value")).to_have_text(f"{wished.policy.alpha:.3g}")
    expect(page.locator("#numbers tr.ours")).to_contain_text("1.0 %")
    assert math.isclose(10 ** float(page.locator("#alpha").input_value()), wished.policy.alpha, rel_tol=1e-6)
    page.locator("#wish-value").fill("0.0001")
    page.get_by_role("button", name="Set α").click()
    expect(page.locator("#wish-error")).to_contain_text("cannot be had")


def test_a_simulation_runs_to_its_end_and_its_numbers_stand_beside_the_predicted_ones(visit):
    page = visit(ADDRESS + "&alpha=2")
    found = planning.answer(CLASS | {"alpha": 2.0})
    expect(page.locator("#numbers tr.ours")).to_contain_text(whole(found["expected"]["regret"]))
    before = picture(page)
    page.get_by_role("button", name="Check by simulation").click()
    expect(page.locator("#simulation-words")).to_contain_text("Done: 1,000 runs", timeout=60_000)
    policy = sa.policy_from_dict(found["policy"])
    costliest = sa.simulate(policy, sa.Instance.from_dict(found["hardest"]["regret"]), runs=1000, seed=1)
    widest = sa.simulate(policy, sa.Instance.from_dict(found["hardest"]["instability"]), runs=1000, seed=1)
    row = page.locator("#numbers tr.measured")
    expect(row).to_contain_text(f"{whole(costliest.regret.low)} to {whole(costliest.regret.high)}")
    expect(row).to_contain_text(f"{widest.instability.low:.1f} to {widest.instability.high:.1f}")
    assert picture(page) != before
    page.locator("#alpha").press("ArrowRight")  # what was measured belongs to one α
    expect(row).to_have_count(0)


def test_a_form_that_cannot_be_says_why(visit):
    page = visit("/")
    page.locator("#arms").fill("1")
    expect(page.locator("#design-error")).to_have_text(
        "The number of arms must be a whole number from 2 to 10,000."
    )
    assert page.locator("#arms").get_attribute("aria-invalid") == "true"
    page.locator("#arms").fill("500")
    page.locator("#horizon").fill("1e2")
    expect(page.locator("#design-error")).to_contain_text("more rounds than there are arms")
    page.locator("#horizon").fill("1e12")
    expect(page.locator("#design-error")).to_have_text("")
    expect(page.locator("#sentence")).to_contain_text("pulls for each losing arm")


def test_an_experiment_is_created_from_the_plan(visit, server):
    page = visit(ADDRESS + "&alpha=0.5")
    page.get_by_role("button", name="Create experiment").click()
    page.get_by_label("Token").fill(server.token)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Create experiment").click()
    page.get_by_label("Name").fill("from-the-plan")
    page.get_by_label("Arms, one a line").fill("one\ntwo\nthree")
    page.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url("**/experiments/from-the-plan")
    expect(page.locator("#facts")).to_contain_text("created")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#facts")).to_contain_text("running")
    with server.client() as client:
        made = client.get("/v1/experiments/from-the-plan").json()
    assert made["state"] == "running"
    assert made["policy"]["alpha"] == pytest.approx(0.5)
    assert made["policy"]["constants"] == "sharp"
    assert made["configuration"]["arms"] == ["one", "two", "three"]
