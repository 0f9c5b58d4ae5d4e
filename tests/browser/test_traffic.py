"""Traffic as a team declared it, in words on the page of an experiment and in its report."""

import pytest
from playwright.sync_api import expect

from steadyarm.live import Client
from tests.live.server import new_token

pytestmark = pytest.mark.slow


def test_quotas_a_holdout_strata_and_a_retired_arm_stand_on_the_page_and_in_the_report(visit, server):
    with Client(server.url, server.token) as client:
        steered = client.experiment("steered")
        traffic = {"<b>old</b>": {"at_least": 0.2}, "new": {"at_most": 0.5}}
        configuration = {
            "arms": ["<b>old</b>", "new", "other"],
            "horizon": 200,
            "rewards": "bernoulli",
            "seed": 7,
        }
        steered.create(**configuration, traffic=traffic, holdout=0.3, strata=["desktop", "mobile"])
        steered.start()
        for number in range(60):
            unit = f"u{number}"
            steered.allocate(unit, stratum=("desktop", "mobile")[number % 2])
            steered.report(unit, int(number % 3 == 0))
        steered.retire("other", "out of stock")
        held = steered.results()["holdout"]["units"]
    page = visit("/experiments/steered", token=server.token)
    facts = page.locator("#facts")
    expect(facts).to_contain_text(
        "<b>old</b> at least 20 %, new at most 50 %; 30 % held out; strata desktop, mobile"
    )
    expect(facts).to_contain_text(f"{held} {held} rewards")
    expect(facts).to_contain_text("within quotas")
    expect(page.locator("#arms")).to_contain_text("other (retired)")
    expect(page.locator("#notes")).to_contain_text("there is no guarantee from here")
    expect(page.locator("#strata")).to_contain_text("mobile: new")  # what is not pooled stands by stratum
    expect(page.locator("#differences")).to_contain_text("desktop: new − <b>old</b>")
    expect(page.locator("#health-notes")).to_contain_text("mobile: Drift")
    expect(page.locator("#health-outcomes")).to_contain_text("desktop: new")
    report = visit("/experiments/steered/report", token=server.token)
    expect(report.locator("#sheet")).to_contain_text("mobile: new")
    expect(report.locator("#sheet")).to_contain_text("other (retired)")
    expect(report.locator("#sheet")).to_contain_text(f"{held} units were held out")


def test_an_arm_is_retired_on_the_page_by_those_who_may(visit, server):
    with Client(server.url, server.token) as client:
        shop = client.experiment("shop")
        shop.create(arms=["a/b", "new", "old"], horizon=100, rewards="bernoulli")
        shop.start()
    reader = visit("/experiments/shop", token=new_token(server.database, "read"))
    expect(reader.locator("#arms")).to_contain_text("a/b")
    expect(reader.get_by_role("button", name="Retire an arm")).to_have_count(0)
    page = visit("/experiments/shop", token=server.token)
    for arm in ("a/b", "old"):
        page.get_by_role("button", name="Retire an arm").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("never drawn again")
        expect(dialog).to_contain_text("No guarantee from here")
        dialog.get_by_label("Arm").select_option(arm)
        dialog.get_by_label("Reason").fill(" ")
        dialog.get_by_role("button", name="Retire").click()
        expect(dialog).to_contain_text("Say why")
        dialog.get_by_label("Reason").fill("out of stock")
        dialog.get_by_role("button", name="Retire").click()
        expect(dialog).to_have_count(0)
        expect(page.locator("#arms")).to_contain_text(f"{arm} (retired)")
    expect(page.get_by_role("button", name="Retire an arm")).to_have_count(0)  # one must stay


def test_units_that_were_served_a_default_are_counted_on_the_page_and_in_the_report(visit, server):
    with Client(server.url, server.token) as client:
        away = client.experiment("away")
        away.create(arms=["old", "new"], horizon=100, rewards="bernoulli")
        away.start()
    with server.client() as caller:
        told = {"defaults": [{"unit": f"u{number}", "arm": "old"} for number in range(3)]}
        assert caller.post("/v1/experiments/away/defaults", json=told).status_code == 200
    page = visit("/experiments/away", token=server.token)
    expect(page.locator("#facts")).to_contain_text("Defaulted3 outside the policy")
    report = visit("/experiments/away/report", token=server.token)
    expect(report.locator("#sheet")).to_contain_text("3 units were served a default")
