"""The plan over a class of rewards in a real browser: the slider, the goal, the simulation, and an experiment."""

import itertools
import re

import pytest
from playwright.sync_api import expect

import steadyarm as sa
from steadyarm.live.analysis import plans
from tests.browser.conftest import Fault, Held, until

pytestmark = pytest.mark.slow

CLASS = {"arms": 3, "horizon": 20_000, "rewards": "bernoulli"}
USUAL = {"max_sd_share": 0.01}
ADDRESS = "/class?arms=3&horizon=20000&rewards=bernoulli"


def picture(page):
    return page.locator("#frontier canvas").evaluate("canvas => canvas.toDataURL()")


def whole(value):
    return f"{value:,.0f}"


def test_the_slider_moves_the_point_the_words_and_the_numbers(visit):
    page = visit(ADDRESS)
    predicted = page.locator("#numbers tr.expected")
    expect(predicted).to_contain_text(whole(plans.answer(CLASS | USUAL)["expected"]["regret"]))
    expect(page.locator("#distance")).to_contain_text("the least that any policy of this spread loses")
    words, before = page.locator("#sentence").inner_text(), picture(page)
    assert re.fullmatch(
        r"In the costliest case about [\d,]+ ± [\d,]+ pulls for each losing arm; it costs [\d.]+ % of the best "
        r"possible reward\.",
        words,
    )
    page.locator("#steadiness").focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#spread-value")).to_have_text("0.40 %")
    found = plans.answer(CLASS | {"max_sd_share": 10**-2.4})
    expect(predicted).to_contain_text(whole(found["expected"]["regret"]))
    share = f"{100 * found['expected']['regret'] / CLASS['horizon']:.1f} %"
    expect(page.locator("#sentence")).to_contain_text(share)
    assert page.locator("#sentence").inner_text() != words
    assert picture(page) != before
    expect(page.locator("#spoken")).to_have_text(page.locator("#sentence").inner_text())
    spoken = "a spread of at most 0.40 % of the rounds"
    assert page.locator("#steadiness").get_attribute("aria-valuetext") == spoken
    assert "spread=0.003981" in page.url
    page.reload()  # the address is the plan
    expect(page.locator("#spread-value")).to_have_text("0.40 %")
    expect(predicted).to_contain_text(whole(found["expected"]["regret"]))


def test_the_point_moves_before_the_service_answers(visit):
    page = visit(ADDRESS)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    shown, held = picture(page), Held()
    page.route("**/v1/plan", held)
    page.locator("#steadiness").press("PageUp")
    held.wait_for(page, 1)
    assert picture(page) != shown
    held.let(0)


def test_a_chart_says_what_it_shows_and_follows_the_window_and_the_theme(visit):
    page = visit(ADDRESS)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    page.evaluate(
        """() => { window.drawn = new Set();
          const pen = CanvasRenderingContext2D.prototype;
          const { fillText, arc, fill } = pen;
          pen.fill = function (...all) { window.drawn.add(`in ${this.fillStyle}`); fill.apply(this, all); };
          pen.fillText = function (...all) { window.drawn.add(all[0]); fillText.apply(this, all); };
          pen.arc = function (...all) { window.drawn.add(`ring of ${all[2]}`); arc.apply(this, all); } }"""
    )
    shown = picture(page)
    corner = """over => { const { offsetLeft: x, offsetTop: y, offsetHeight: height } = over;
      const pen = document.querySelector("#frontier canvas").getContext("2d");
      return pen.getImageData(x + 4, y + height - 4, 1, 1).data[3]; }"""
    assert page.locator("#frontier .u-over").evaluate(corner) > 0  # the excluded region is shaded
    page.emulate_media(color_scheme="dark")
    until(page, lambda: picture(page) != shown)
    words = set(page.evaluate("[...window.drawn]"))
    assert words >= {
        "ring of 8",
        "ring of 5",
        "in #f07f2e",
        "Steady",
        "UCB",
        "Safe UCB",
        "guaranteed, SLE-UCB",
        "(Theorem 1′)",
        "1K",
        "10K",
    }
    assert words >= {"regret: expected reward lost", "spread: standard deviation of pulls"}
    page.set_viewport_size({"width": 700, "height": 900})
    width = page.locator("#frontier").evaluate("place => place.clientWidth")
    expect(page.locator("#frontier canvas")).to_have_attribute("width", str(width))


DRAWN = """() => { const pen = CanvasRenderingContext2D.prototype;
  const { beginPath, moveTo, lineTo, fill, fillText } = pen;
  let path = [];
  pen.beginPath = function () { path = []; beginPath.call(this); };
  pen.moveTo = function (...at) { path.push(at); moveTo.apply(this, at); };
  pen.lineTo = function (...at) { path.push(at); lineTo.apply(this, at); };
  pen.fill = function (...all) {
    if (path.length > 20) [window.shade, window.labels] = [path, []];
    fill.apply(this, all); };
  pen.fillText = function (text, x, y) {
    if (this.textAlign === "left") window.labels?.push([text, x, y, this.measureText(text).width]);
    fillText.call(this, text, x, y); } }"""


@pytest.mark.parametrize(("arms", "width"), [(2, 360), (1000, 360)])
def test_no_label_crosses_the_edge_of_the_excluded_region(visit, server, arms, width):
    page = visit("/experiments", token=server.token, width=width)
    page.add_init_script(f"({DRAWN})()")
    page.goto(f"{server.url}/class?arms={arms}&horizon=100000000&rewards=bernoulli&spread=0.001")
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    (_, *edge), labels = page.evaluate("[window.shade, window.labels]")
    assert {"Steady", "UCB-f"} <= {text for text, *_ in labels}
    for (left, top), (right, bottom) in itertools.pairwise(edge):
        for share in range(21):
            x, y = left + (right - left) * share / 20, top + (bottom - top) * share / 20
            on_it = [
                text for text, at, base, wide in labels if at < x < at + wide and base - 9 < y < base + 2
            ]
            assert on_it == []


def test_a_goal_sets_the_slider_or_is_refused(visit, watch):
    watch.may_fail = True
    page = visit(ADDRESS)
    page.locator("#goal-value").fill("1")
    page.get_by_role("button", name="Plan for it").click()
    planned = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", max_sd_share=0.01)
    expect(page.locator("#spread-value")).to_have_text("1.0 %")
    expect(page.locator("#numbers tr.expected")).to_contain_text("1.0 %")
    expect(page.locator("#numbers tr.expected")).to_contain_text(f"spread = {planned.policy.spread:.4g}")
    page.locator("#goal-value").fill("0.0001")
    page.get_by_role("button", name="Plan for it").click()
    expect(page.locator("#goal-error")).to_contain_text("cannot be planned")
    expect(page.locator("#numbers tr.expected")).to_contain_text("1.0 %")  # a refused goal changes nothing
    expect(page.locator("#sentence strong")).to_have_count(2)
    page.locator("#goal").select_option("max_regret_share")
    page.locator("#goal-value").fill("8")
    page.get_by_role("button", name="Plan for it").click()
    expect(page.locator("#sentence")).to_contain_text("it costs 8.0 % of the best possible reward")
    page.locator("#goal-value").fill("101")
    page.get_by_role("button", name="Plan for it").click()
    expect(page.locator("#goal-error")).to_contain_text("at most 100")


def test_a_guarantee_is_a_tick_and_changes_the_policy_and_the_price(visit):
    page = visit(ADDRESS + "&spread=0.05")
    expected = page.locator("#numbers tr.expected")
    expect(expected).to_contain_text("spread =")
    page.get_by_label("guaranteed by a theorem").check()
    found = plans.answer(CLASS | {"max_sd_share": 0.05, "guaranteed": True})
    expect(expected).to_contain_text("β =", timeout=30_000)
    guaranteed = page.locator("#numbers tr.guaranteed")
    expect(guaranteed).to_contain_text(whole(found["guarantee"]["regret"]))
    expect(guaranteed).to_contain_text("Theorem R")
    page.wait_for_url("**guaranteed=true**")
    page.reload()
    expect(guaranteed).to_contain_text(whole(found["guarantee"]["regret"]), timeout=30_000)


def test_a_simulation_runs_to_its_end_and_its_numbers_stand_beside_the_predicted_ones(visit):
    page = visit(ADDRESS + "&spread=0.02")
    found = plans.answer(CLASS | {"max_sd_share": 0.02})
    expect(page.locator("#numbers tr.expected")).to_contain_text(whole(found["expected"]["regret"]))
    before = picture(page)
    page.get_by_role("button", name="Check by simulation").click()
    expect(page.locator("#simulation-words")).to_contain_text("Done: 1,000 runs", timeout=60_000)
    policy = sa.policy_from_dict(found["policy"])
    costliest = sa.simulate(
        policy, sa.Instance.from_dict(found["worst_instances"]["regret"]), runs=1000, seed=1
    )
    widest = sa.simulate(
        policy, sa.Instance.from_dict(found["worst_instances"]["instability"]), runs=1000, seed=1
    )
    row = page.locator("#numbers tr.measured")
    expect(row).to_contain_text("measured, 1,000 runs with 0/1 rewards, 95% intervals")
    expect(row).to_contain_text(f"{whole(costliest.regret.low)} to {whole(costliest.regret.high)}")
    expect(row).to_contain_text(f"{widest.instability.low:.3g} to {widest.instability.high:.3g}")
    assert picture(page) != before
    page.locator("#steadiness").press("ArrowRight")  # what was measured belongs to one plan
    expect(row).to_have_count(0)


def test_a_simulation_can_be_stopped(visit):
    page = visit("/class?arms=1000&horizon=900000&rewards=bernoulli&spread=0.0001")
    expect(page.locator("#numbers tr.expected")).to_be_visible()
    with page.expect_response("**/v1/simulations") as asked:
        page.get_by_role("button", name="Check by simulation").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#simulation-words")).to_have_text("Stopped.")
    expect(page.get_by_role("button", name="Check by simulation")).to_be_enabled()
    path = f"/v1/simulations/{asked.value.json()['id']}"
    ask = "path => fetch(path).then((answer) => answer.json())"
    until(page, lambda: page.evaluate(ask, path)["status"] == "cancelled")


def test_nothing_costs_more_than_everything(visit):
    page = visit("/class?arms=2&horizon=100&rewards=bounded&low=-2&high=4&spread=0.05")
    expect(page.locator("#sentence")).to_contain_text("pulls for the losing arm; it costs")
    expect(page.locator("#what-if")).to_contain_text("pulls for the losing arm, at a cost of")
    shares = re.findall(r"([\d.,]+) %", " ".join(page.locator("#numbers tr").all_inner_texts()))
    assert len(shares) >= 4
    guaranteed = page.locator("#numbers tr", has_text="guaranteed").locator("td").all_inner_texts()
    assert guaranteed[:4] == ["nothing", "", "nothing", ""]  # of Steady nothing is proved
    assert all(float(share.replace(",", "")) <= 100 for share in shares)
    page.locator("#gap").fill("7")
    expect(page.locator("#what-if")).to_contain_text("at most 6, the widest there is")
    page.locator("#gap").fill("6")
    expect(page.locator("#what-if")).to_contain_text("at a cost of")


def test_a_guarantee_is_printed_as_the_service_gives_it(visit):
    page = visit("/class")
    given = {"regret": 1234.0, "instability": 567.0}

    def promise(route):
        answer = plans.answer(route.request.post_data_json)
        answer["rows"] = [row | given if row["kind"] == "guaranteed" else row for row in answer["rows"]]
        answer["curve"] = [
            point | {"guaranteed_regret": 7777.0, "guaranteed_instability": 8888.0}
            for point in answer["curve"]
        ]
        route.fulfill(json=answer)

    page.route("**/v1/plan", promise)
    page.goto(page.url.split("?")[0] + ADDRESS.removeprefix("/class"))
    guaranteed = page.locator("#numbers tr.guaranteed td")
    expect(guaranteed).to_have_text(["1,234", "6.2 %", "567", "2.8 %"])
    page.locator("#trade-off summary").click()
    expect(page.locator("#curve tr td:nth-child(4)")).to_have_text(["7,777"] * 25)
    expect(page.locator("#curve tr td:nth-child(5)")).to_have_text(["8,888"] * 25)
    given |= {"regret": 123_456.0, "instability": None}  # nothing is cut off or made up
    page.locator("#steadiness").press("ArrowRight")
    expect(guaranteed).to_have_text(["123,456", "617 %", "nothing", ""])


def test_the_words_name_both_worst_cases(visit):
    page = visit(ADDRESS)
    found = plans.answer(CLASS | USUAL)
    counts, sd = found["counts"][-1], found["sd"][-1]
    costliest = page.locator("#sentence strong").first
    expect(costliest).to_contain_text("±")
    shown = [float(part.replace(",", "")) for part in costliest.inner_text().split("±")]
    assert shown == [pytest.approx(counts, rel=0.01), pytest.approx(sd, rel=0.05)]
    widest = found["expected"]["instability"]
    expect(page.locator("#spread")).to_contain_text(
        f"{widest:.3g} ({100 * widest / CLASS['horizon']:.1f} % of the rounds)"
    )


def test_a_slider_that_is_dragged_fast_ends_where_it_was_left(visit):
    page = visit(ADDRESS)
    expect(page.locator("#numbers tr.expected")).to_be_visible()
    page.locator("#steadiness").evaluate(
        """slider => { const { replaceState } = history;
        window.addresses = 0;
        history.replaceState = function (...all) { window.addresses += 1; replaceState.apply(this, all); };
        for (let step = 0; step <= 400; step += 1) {
          slider.value = 2 + (step - 300) / 400;
          slider.dispatchEvent(new Event("input")); } }"""
    )
    found = plans.answer(CLASS | {"max_sd_share": 10**-2.25})
    expect(page.locator("#numbers tr.expected")).to_contain_text(whole(found["expected"]["regret"]))
    page.wait_for_url(re.compile(r"spread=0\.005623"))
    assert page.evaluate("window.addresses") < 10  # browsers refuse a hundred in half a minute


def test_only_the_last_answer_counts(visit):
    page = visit(ADDRESS)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    held = Held()
    page.route("**/v1/plan", held)
    page.locator("#gap").fill("0.5")
    held.wait_for(page, 1)
    page.locator("#gap").fill("0.02")
    held.wait_for(page, 2)
    held.let(1)
    found = plans.answer(CLASS | USUAL | {"means": [0.0, -0.02, -0.02]})
    expect(page.locator("#what-if")).to_contain_text(
        f"cost of {100 * found['regret'] / CLASS['horizon']:.1f} %"
    )
    last = page.locator("#what-if").inner_text()
    with page.expect_response("**/v1/plan"):
        held.let(0)
    page.wait_for_timeout(50)
    assert page.locator("#what-if").inner_text() == last
    page.locator("#steadiness").press("ArrowRight")  # asks; before the answer comes the form is made wrong
    held.wait_for(page, 3)
    page.locator("#arms").fill("1")
    held.let(2)
    expect(page.locator("#numbers tr.expected")).to_contain_text("0.95 %")
    expect(page.locator("#design-error")).to_contain_text("The number of arms must be")
    expect(page.locator("#trade-off")).to_have_class(re.compile("old"))


def test_a_plan_that_lost_its_answer_asks_again_by_itself(visit, watch, server):
    watch.may_fail = True
    page = visit(ADDRESS + "&spread=0.02", token=server.token)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    page.route("**/v1/plan", Fault(1))
    page.locator("#steadiness").press("ArrowRight")
    expect(page.locator("#banner")).to_contain_text("Offline since")
    expect(page.locator("#numbers tr.expected")).to_contain_text("1.9 %")
    expect(page.locator("#banner")).to_have_text("")
    page.route("**/v1/experiments/**", Fault(1))
    page.get_by_role("button", name="Create experiment").click()
    page.get_by_label("Name").fill("never")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("The service does not answer.")
    page.get_by_label("Arms, one per line").fill("one\ntwo")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("The plan is for 3 arms, and 2 names are given.")


def test_a_form_that_cannot_be_says_why(visit):
    page = visit("/class")
    page.locator("#arms").fill("1")
    expect(page.locator("#design-error")).to_have_text(
        "The number of arms must be a whole number from 2 to 10,000."
    )
    assert page.locator("#arms").get_attribute("aria-invalid") == "true"
    page.locator("#arms").fill("500")
    page.locator("#horizon").fill("1e2")
    expect(page.locator("#design-error")).to_contain_text("more rounds than there are arms")
    expect(page.locator("#trade-off")).to_have_class(re.compile("old"))  # what is shown is not what is asked
    for nonsense in ("", "abc", "-5", "1e99", "2.5"):
        page.locator("#horizon").fill(nonsense)
        expect(page.locator("#design-error")).to_contain_text("The horizon must be a whole number")
    page.locator("#horizon").fill("1e12")
    expect(page.locator("#design-error")).to_have_text("")
    expect(page.locator("#sentence")).to_contain_text("pulls for each losing arm")
    found = [
        plans.answer({"arms": 500, "horizon": n, "rewards": "bernoulli"} | USUAL) for n in (10**6, 10**5)
    ]
    million, other = [whole(each["expected"]["regret"]) for each in found]
    for same in ("1000000", "1e6", "1 000 000", "1,000,000"):
        page.locator("#horizon").fill(same)
        expect(page.locator("#numbers tr.expected")).to_contain_text(million)
        page.locator("#horizon").fill("100000")
        expect(page.locator("#numbers tr.expected")).to_contain_text(other)


def test_an_address_that_means_nothing_opens_a_plan_all_the_same(visit):
    page = visit("/class?arms=two&horizon=-5&rewards=cauchy&spread=-1&low=<b>")
    expect(page.locator("#sentence")).to_have_text("No prediction yet.")
    expect(page.locator("#design-error")).to_contain_text("The horizon must be a whole number")
    page.locator("#horizon").fill("1000")
    expect(page.locator("#sentence")).to_contain_text("pulls for each losing arm")


def test_a_name_that_cannot_be_is_refused_at_its_field(visit, server):
    page = visit(ADDRESS, token=server.token)
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    page.get_by_role("button", name="Create experiment").click()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("two words", "näme", "-begins", ""):
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Create", exact=True).click()
        assert page.locator("#experiment-name:invalid").count() == 1
    assert asked == []
    page.get_by_label("Name").fill("a.b:c@d+e=f~g-h_1")
    assert page.locator("#experiment-name:invalid").count() == 0


def test_an_experiment_is_created_from_the_plan(visit, server):
    page = visit(ADDRESS + "&spread=0.02")
    expect(page.locator("#what-if")).to_contain_text("at a cost of")
    page.get_by_role("button", name="Create experiment").click()
    page.get_by_label("Token").fill(server.token)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Create experiment").click()
    page.get_by_label("Name").fill("from-the-plan")
    page.get_by_label("Arms, one per line").fill("one\ntwo\nthree")
    page.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url("**/experiments/from-the-plan")
    expect(page.locator("#facts")).to_contain_text("created")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#facts")).to_contain_text("running")
    with server.client() as client:
        made = client.get("/v1/experiments/from-the-plan").json()
    assert made["state"] == "running"
    assert made["policy"] == plans.answer(CLASS | {"max_sd_share": 0.02})["policy"]
    assert made["configuration"]["arms"] == ["one", "two", "three"]
