"""The pages of experiments in a real browser: live, offline and back, for those who may see them."""

import random
import re
import signal

import pytest
from playwright.sync_api import expect

from steadyarm.live import Client
from steadyarm.live.analysis.prediction import BAND
from tests.browser.conftest import AWKWARD, RATES, Fault, feed
from tests.live.server import Server, new_token

pytestmark = pytest.mark.slow


def cells(page, arm):
    return page.locator("#arms tbody tr", has_text=arm).locator("td")


def test_an_experiment_fed_by_a_client_updates_live(visit, server):
    with Client(server.url, server.token) as client:
        experiment = feed(client.experiment("fed"), 30, horizon=1000)
        page = visit("/experiments/fed", token=server.token)
        expect(page.locator("#facts")).to_contain_text("30 of 1,000")
        expect(page.locator("#entries tbody tr")).to_have_count(12)
        arms = [experiment.allocate(f"late{number}")["arm"] for number in range(25)]
        expect(page.locator("#facts")).to_contain_text("55 of 1,000")
        expect(page.locator("#entries tbody tr").first).to_contain_text("late24")
        expect(page.locator("#ages-words")).to_contain_text("The oldest has been waiting")
        expect(page.locator("#ages tbody tr").first).to_contain_text("25")
        results = {arm["arm"]: arm for arm in experiment.results()["arms"]}
        for arm in set(arms):
            expect(cells(page, arm).nth(0)).to_have_text(str(results[arm]["count"]))
            expect(cells(page, arm).nth(3)).to_have_text(str(results[arm]["outstanding"]))
        experiment.report("late0", 1)
        expect(page.locator("#entries tbody tr").first).to_contain_text("reward 1")
        assert page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_a_killed_server_is_said_to_be_away_and_the_page_recovers_by_itself(browser, tmp_path, watch):
    watch.may_fail = True
    with Server(f"sqlite:///{tmp_path}/live.db") as server:
        with Client(server.url, server.token) as client:
            experiment = feed(client.experiment("colours"), 10, horizon=100)
            page = browser.open(server.token)
            watch.follow(page)
            page.goto(f"{server.url}/experiments/colours")
            expect(page.locator("#facts")).to_contain_text("10 of 100")
            expect(page.locator("#entries tbody tr")).to_have_count(12)  # what a page loads last
            expect(page.locator("#banner")).to_have_text("")
            before = page.locator("main").bounding_box()
            server.stop(signal.SIGKILL)
            expect(page.locator("#banner")).to_contain_text("Offline since")
            assert page.locator("main").bounding_box() == before  # nothing jumps
            server.start()
            experiment.allocate("after")
            expect(page.locator("#banner")).to_have_text("", timeout=20_000)
            expect(page.locator("#entries tbody tr").first).to_contain_text("after")
            expect(page.locator("#facts")).to_contain_text("11 of 100")
        page.context.close()
    assert watch.errors == []


def test_a_lost_answer_is_asked_for_again(visit, server, watch):
    watch.may_fail = True
    with Client(server.url, server.token) as client:
        feed(client.experiment("flaky"), 10, horizon=100)
    page = visit("/", token=server.token)
    page.route("**/v1/token", Fault(1))
    page.goto(f"{server.url}/experiments/flaky")
    expect(page.locator("#banner")).to_contain_text("Offline since")
    expect(page.locator("#arms thead")).to_contain_text("Index")  # it remembers who may see them
    expect(page.locator("#banner")).to_have_text("")
    page.route("**/pause", Fault(1))
    page.locator("#banner").evaluate(  # what it says is gone with the next answer
        "banner => new MutationObserver(() => { window.said = (window.said ?? '') + banner.textContent; })"
        ".observe(banner, { childList: true, characterData: true, subtree: true })"
    )
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("() => window.said?.includes('Offline since')")
    expect(page.locator("#banner")).to_have_text("")
    page.route("**/verify", Fault(1))
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verdict")).to_have_text("Not verified. The service does not answer.")
    page.route("**/results", Fault(1))
    page.goto(f"{server.url}/experiments/flaky/report")
    expect(page.locator("#banner")).to_contain_text("Offline since")
    expect(page.locator("#sheet")).to_contain_text("The chain holds")
    expect(page.locator("#banner")).to_have_text("")


def test_an_experiment_is_paused_and_resumed(visit, server):
    with Client(server.url, server.token) as client:
        experiment = feed(client.experiment("paused"), 3, horizon=100)
        page = visit("/experiments/paused", token=server.token)
        for _ in range(2):
            page.get_by_role("button", name="Pause").click()
            page.get_by_role("button", name="Resume").click()
            expect(page.get_by_role("button", name="Pause")).to_be_visible()
        kinds = [entry["kind"] for entry in experiment.events(after=8)]
        assert kinds == ["paused", "started"] * 2


def test_a_damaged_journal_is_named_and_can_be_verified_and_exported(visit, server, watch):
    watch.may_fail = True
    page = visit("/")
    page.evaluate("token => sessionStorage.setItem('steadyarm.token', token)", server.token)
    broken = "the journal of 'colours' is broken at entry 6: its hash is not that of its content."

    def say(path, status, code):
        said = {"status": status, "json": {"code": code, "detail": broken}}
        page.route(f"**/v1/experiments/colours{path}", lambda route: route.fulfill(**said))

    say("", 503, "damaged")
    say("/verify", 409, "chain_broken")
    page.goto(f"{server.url}/experiments/colours")
    expect(page.locator("#problem")).to_have_text(broken.replace("the", "The", 1))
    expect(page.locator("#facts")).to_be_hidden()
    expect(page.get_by_role("button", name="Export journal")).to_be_visible()
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verdict.problem")).to_contain_text("broken at entry 6")


def test_the_predicted_band_is_drawn(visit, server):
    def drawing(page):
        expect(page.locator("#entries tbody tr").first).to_be_visible()
        return page.locator("#allocation canvas").evaluate("canvas => canvas.toDataURL()")

    def without_a_band(route):
        answer = route.fetch()
        route.fulfill(json=answer.json() | {"band": {"available": False, "reason": "none"}})

    page = visit("/experiments/finished", token=server.token)
    expect(page.locator("#band-words")).to_contain_text("Bands: the prediction")
    expect(page.locator("#band-words")).to_contain_text(f"± {BAND:g} standard deviations")
    page.get_by_label("until now").check()
    band = drawing(page)
    page.route("**/history?*", without_a_band)
    page.reload()
    expect(page.locator("#band-words")).to_contain_text("No predicted band: none.")
    page.get_by_label("until now").check()
    assert drawing(page) != band


def test_a_wrong_token_is_refused_and_a_right_one_stays_in_the_tab(visit, server, watch):
    watch.may_fail = True
    page = visit("/experiments/colours")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Token").fill("steadyarm_0_wrong")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_contain_text("This token is unknown")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("#problem")).to_have_text("Sign in to see this experiment.")
    expect(page.locator("#content")).to_be_hidden()
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Token").fill(server.token)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.locator("#facts")).to_contain_text("400 of 1,000")
    assert page.evaluate("localStorage.length") == 0
    assert page.context.cookies() == []
    assert server.token not in page.url
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


@pytest.mark.parametrize(
    ("scopes", "indices"), [(("read",), False), (("read", "unblind"), True)], ids=["blinded", "unblinded"]
)
def test_indices_are_for_those_who_may_see_them(visit, server, scopes, indices):
    page = visit("/experiments/colours", token=new_token(server.database, *scopes))
    expect(cells(page, "blue").first).not_to_be_empty()
    heads = page.locator("#arms thead th").all_inner_texts()
    assert ({"Index", "Envelope", "Stabilizer"} <= set(heads)) is indices
    assert page.locator("#moves button").count() == 0
    if indices:
        with server.client() as client:
            arms = client.get("/v1/experiments/colours/arms").json()["arms"]
        shown = cells(page, "blue").all_inner_texts()
        assert [float(text.replace("−", "-")) for text in shown[-4:-1]] == pytest.approx(
            [arms[0][part] for part in ("envelope", "stabilizer", "index")], abs=6e-4
        )
    else:
        expect(page.locator("#blinding")).to_contain_text("Indices are hidden")
        assert not any(
            url.endswith("/arms") for url in page.evaluate("performance.getEntries().map(e => e.name)")
        )


def test_a_token_that_may_only_allocate_sees_nothing(visit, server, watch):
    watch.may_fail = True
    token = new_token(server.database, "allocate")
    for path in ("/experiments", "/experiments/colours", "/experiments/colours/report"):
        page = visit(path, token=token)
        expect(page.locator("#problem")).to_contain_text("needs the scope 'read'")
        assert "blue" not in page.locator("main").inner_text()


def test_names_are_text_and_never_markup(visit, server):
    page = visit("/experiments/colours", token=server.token)
    expect(page.locator("#legend")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("main img").count() == 0
    assert page.locator("#arms tbody tr").count() == len(RATES)


def test_the_journal_is_verified_and_exported(visit, server):
    page = visit("/experiments/colours", token=server.token)
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verdict")).to_contain_text("The chain holds: 795 entries, 400 decisions replayed")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export journal").click()
    with server.client() as client:
        journal = client.get("/v1/experiments/colours/events").content
    assert waiting.value.suggested_filename == "colours.ndjson"
    assert waiting.value.path().read_bytes() == journal


def test_the_table_says_what_the_service_says(visit, server):
    page = visit("/experiments/colours", token=server.token)
    with server.client() as client:
        found = client.get("/v1/experiments/colours/results?level=0.99").json()
    page.get_by_label("Intervals of").select_option("99 %")
    expect(page.locator("#arms thead")).to_contain_text("Anytime-valid 99 %")
    for arm, expected in zip(found["arms"], found["prediction"]["arms"], strict=True):
        words = " ".join(cells(page, arm["arm"]).all_inner_texts()[:7]).replace("−", "-")
        ends = [arm[kind][end] for kind in ("anytime", "wilson") for end in ("low", "high")]
        shown = [float(number) for number in re.findall(r"-?[\d.]+", words)]
        assert shown[:3] == pytest.approx([arm["count"], 100 * arm["share"], expected["predicted"]], abs=0.51)
        assert shown[4:] == pytest.approx([arm["outstanding"], arm["mean"], *ends], abs=6e-4)


def test_page_and_report_say_which_arm_is_better(visit, server):
    with server.client() as client:
        found = client.get("/v1/experiments/colours/results").json()
    assert "green is better than blue, at any time you look" in [
        row["decision"] for row in found["differences"]["rows"]
    ]
    for path, sheet in (("", "#content"), ("/report", "#sheet")):
        page = visit(f"/experiments/colours{path}", token=server.token)
        words = page.locator(sheet)
        expect(words).to_contain_text(found["intervals"]["words"])
        expect(words).to_contain_text(found["differences"]["words"])
        expect(words).to_contain_text(found["differences"]["p_words"])
        for row in found["differences"]["rows"]:
            line = page.locator("tr", has_text=f"{row['arm']} − {row['other']}")
            expect(line).to_contain_text(row["decision"])
            small = row["anytime_p_value"] < 1e-4
            expect(line).to_contain_text("under 0.0001" if small else f"{row['anytime_p_value']:.4f}")
        expect(words).not_to_contain_text("p, planned end")  # the interval is anytime-valid: one p-value


def test_page_and_report_show_weighted_estimates_where_probabilities_are_logged(visit, server):
    with Client(server.url, server.token) as client:
        feed(client.experiment("shared"), 60, horizon=100, share=0.5, share_decay=0.2)
        found = client.experiment("shared").results()["weighted"]
    for path, sheet in (("", "#content"), ("/report", "#sheet")):
        page = visit(f"/experiments/shared{path}", token=server.token)
        expect(page.locator(sheet)).to_contain_text(found["words"])
        expect(page.locator(sheet)).to_contain_text("with 0.5·t^−0.2 at random")
        table = page.get_by_role("region", name="Weighted by logged probabilities").locator("tbody tr")
        expect(table).to_have_count(len(found["arms"]) + len(found["differences"]))
        expect(table.first).to_contain_text(f"{found['arms'][0]['mean']:.3f}")
        page = visit(f"/experiments/colours{path}", token=server.token)
        expect(page.get_by_role("heading", name="Weighted by logged probabilities")).to_be_hidden()


def test_an_experiment_is_closed_only_after_a_question(visit, server):
    with Client(server.url, server.token) as client:
        feed(client.experiment("closing"), 3, horizon=10)
    page = visit("/experiments/closing", token=server.token)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#facts")).to_contain_text("running")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#facts")).to_contain_text("closed")
    expect(page.locator("#moves button")).to_have_count(0)


def test_the_table_is_sorted_by_its_headings(visit, server):
    page = visit("/experiments/colours", token=server.token)
    pulls = page.locator("#arms tbody tr td:nth-child(2)")
    expect(pulls.first).not_to_be_empty()
    page.get_by_role("button", name="Pulls").press("Enter")
    counts = [int(text) for text in pulls.all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    assert page.locator("#arms th[aria-sort=descending]").inner_text().startswith("Pulls")


def test_one_of_a_thing_is_no_plural(visit, server):
    page = visit(f"/experiments/{AWKWARD}/report", token=server.token)
    for words in (
        "The experiment was closed before its horizon.",
        "1 of 10 rounds (10.0 %) was assigned. 0 rewards came in, 0 units were voided, 1 reward is outstanding.",
        "1 reward is outstanding and 0 units were voided.",
        "4 entries, 1 decision replayed",
    ):
        expect(page.locator("#sheet")).to_contain_text(words)
    assert "guaranteed if every reward" not in page.locator("#sheet").inner_text()  # more than could be lost


def test_a_report_tells_the_goal_and_the_loss_in_words(visit, server):
    with Client(server.url, server.token) as client:
        experiment = client.experiment("planned")
        experiment.create(
            arms=["a", "b"], horizon=5000, rewards="bernoulli", plan={"max_sd_share": 0.02}, seed=1
        )
        experiment.start()
        draw = random.Random(3)
        for number in range(200):
            arm = experiment.allocate(f"u{number}")["arm"]
            experiment.report(f"u{number}", int(draw.random() < (0.1 if arm == "a" else 0.2)))
        regret = experiment.results()["regret"]
    page = visit("/experiments/planned/report", token=server.token)
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("Planned for" + "a standard deviation of at most 100 pulls")
    expect(sheet).to_contain_text(f"200 rewards came to {regret['collected']:.0f} in all.")
    expect(sheet).to_contain_text(
        re.compile(r"Lost against always pulling the best arm: about [\d.]+, between 0 and")
    )
    assert regret["so_far_at_most"] <= 200 - regret["collected"]
    assert "{" not in sheet.inner_text()


def test_a_report_without_data_says_so(visit, server):
    with Client(server.url, server.token) as client:
        client.experiment("untouched").create(arms=["a", "b"], horizon=10, rewards="bernoulli")
    page = visit("/experiments/untouched/report", token=server.token)
    expect(page.locator("#sheet")).to_contain_text(
        "No reward has come in, so nothing can be said about what was lost."
    )


def test_eight_arms_leave_one_other_without_a_colour(visit, server):
    with Client(server.url, server.token) as client:
        client.experiment("eight").create(arms=list("abcdefgh"), horizon=100, rewards="bernoulli")
    page = visit("/experiments/eight", token=server.token)
    expect(page.locator("#legend li").last).to_have_text("1 other")


def test_a_damaged_journal_is_told_in_a_sentence_in_the_list(visit, server):
    page = visit("/")
    page.evaluate("token => sessionStorage.setItem('steadyarm.token', token)", server.token)
    damaged = {"experiment": "e", "state": "damaged", "detail": "the journal of 'e' is broken at entry 6."}
    page.route("**/v1/experiments", lambda route: route.fulfill(json={"experiments": [damaged]}))
    page.goto(f"{server.url}/experiments")
    expect(page.locator("article .problem")).to_have_text("The journal of 'e' is broken at entry 6.")


def test_the_list_shows_state_and_progress(visit, server):
    page = visit("/experiments", token=server.token)
    tile = page.locator("article", has_text="finished")
    expect(tile).to_contain_text("closed")
    expect(tile).to_contain_text("200 of 200")
    expect(page.locator("article", has_text="colours")).to_contain_text("7, 1.8 % of the units")
    expect(page.locator("#service")).to_contain_text("The journal can be written.")
    with Client(server.url, server.token) as client:
        client.experiment("new-one").create(arms=["a", "b"], horizon=10, rewards="bernoulli")
    expect(page.locator("article", has_text="new-one")).to_contain_text("0 of 10")  # by itself


def test_a_report_can_be_printed(visit, server):
    page = visit("/experiments/finished/report", token=server.token, scheme="dark")
    expect(page.locator("#sheet")).to_have_attribute("aria-busy", "false")
    for words in (
        "The experiment is finished.",
        "Anytime-valid 95 %",
        "The chain holds",
        "All rounds were assigned.",
    ):
        expect(page.locator("#sheet")).to_contain_text(words)
    means = (
        page.locator("section", has_text="Estimates").locator("tbody tr td:nth-child(2)").all_inner_texts()
    )
    with server.client() as client:
        arms = client.get("/v1/experiments/finished/results").json()["arms"]
    assert [float(mean) for mean in means] == pytest.approx([arm["mean"] for arm in arms], abs=6e-4)
    assert page.locator("body").evaluate("body => getComputedStyle(body).color") == "rgb(27, 29, 31)"  # ink
    page.emulate_media(media="print")
    expect(page.locator("header")).to_be_hidden()
    assert page.pdf(format="A4").startswith(b"%PDF")
