"""Traffic as a team declared it, in words on the page of an experiment and in its report."""

import pytest
from playwright.sync_api import expect

from steadyarm.live import Client

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
    report = visit("/experiments/steered/report", token=server.token)
    expect(report.locator("#sheet")).to_contain_text("mobile: new")
    expect(report.locator("#sheet")).to_contain_text("other (retired)")
    expect(report.locator("#sheet")).to_contain_text(f"{held} units were held out")
