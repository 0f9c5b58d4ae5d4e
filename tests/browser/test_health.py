"""The page and the report say whether an experiment is healthy."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_page_and_report_tell_the_health_in_words_and_by_arm(visit, server):
    with server.client() as client:
        found = client.get("/v1/experiments/colours/results").json()["health"]
    assert found["alarms"] == []
    page = visit("/experiments/colours", token=server.token)
    expect(page.locator("#health-words")).to_have_text("No check has raised an alarm.")
    for check in ("outcomes", "silence", "ratio", "drift", "allocation"):
        expect(page.locator("#health-notes")).to_contain_text(found[check]["words"])
    report = visit("/experiments/colours/report", token=server.token)
    health = report.locator("section", has=report.locator("h2", has_text="Health"))
    expect(health).to_contain_text("No check has raised an alarm.")
    for heads in (page.locator("#health-outcomes thead"), health.locator("thead")):
        expect(heads).to_contain_text("Missing after 1 day")
    for lines in (page.locator("#health-outcomes tbody tr"), health.locator("tbody tr")):
        expect(lines).to_have_count(len(found["outcomes"]["arms"]))
        for arm in found["outcomes"]["arms"]:
            expect(lines.filter(has_text=arm["arm"]).locator("td").first).to_have_text(f"{arm['settled']:,}")


def test_an_alarm_is_marked(visit, server):
    def alarmed(route):
        answer = route.fetch()
        found = answer.json()
        found["health"] |= {"alarms": ["drift"], "words": "The mean has changed."}
        found["health"]["drift"] |= {"alarm": True, "words": "The mean has changed."}
        route.fulfill(response=answer, json=found)

    page = visit("/experiments/colours", token=server.token)
    page.route("**/results*", alarmed)
    page.reload()
    expect(page.locator("#health-words.problem")).to_contain_text("5.0 % at most")
    expect(page.locator("#health-notes li.problem")).to_have_text("Drift, alarm: The mean has changed.")
