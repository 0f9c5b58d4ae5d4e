/** The plan over a class of rewards: how far pulls may spread on a slider, or a goal, and what that comes to. */

import { Offline, post, Problem } from "./api.js";
import { settings } from "./configuration.js";
import { createDialog } from "./create.js";
import { read, recall, remember } from "./reward_class/design.js";
import { byId, element, labelled, later, say, seldom } from "./dom.js";
import { begin, may, offline, refused } from "./frame.js";
import { frontierChart } from "./reward_class/frontier.js";
import { parse } from "./numerals.js";
import { simulate } from "./simulation.js";
import { between, curveRows, pointOf, rows, sentence, inLeastSteadyCase, whatIf } from "./reward_class/tradeoff.js";
import { number, percent, some } from "./words.js";

const RETRY_AFTER = 2000; // milliseconds
const POLL_EVERY = 50; // milliseconds

const slider = byId("steadiness"); // −log10 of the spread as a share of the rounds
const drawn = frontierChart(byId("frontier"));
let plan = null; // the service's last answer
let asked = null; // the class of instances that it is about
let measured = null; // of exactly this plan, or null
let spokenLater = 0;

const spreadNow = () => Math.min(1, 10 ** -Number(slider.value));
const guaranteed = () => byId("guaranteed").checked;

/** Shows a spread on the slider, which grows if need be. @param {number} share of the rounds */
function setSpread(share) {
  const place = -Math.log10(share);
  slider.min = String(Math.min(Number(slider.min), place));
  slider.max = String(Math.max(Number(slider.max), place));
  slider.step = "any"; // so that a goal is met exactly; the keys below move it in even steps
  slider.value = String(place);
  showSpread();
}

function showSpread() {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  slider.style.setProperty("--share", `${(100 * (Number(slider.value) - low)) / (high - low)}%`);
  say(byId("spread-value"), percent(spreadNow()));
  slider.setAttribute("aria-valuetext", `a spread of at most ${percent(spreadNow())} of the rounds`);
}

/** One question at a time, the latest next: a slider asks faster than any network answers. */
const asking = { busy: false, next: null };
async function ask(question, done) {
  asking.next = [question, done];
  if (asking.busy) return;
  asking.busy = true;
  while (asking.next) {
    const [now, then] = asking.next;
    asking.next = null;
    try {
      const answer = await post("/v1/plan", now);
      offline(false);
      then(answer, null);
    } catch (error) {
      then(null, error);
    }
  }
  asking.busy = false;
}

function answered(answer, error, question, place) {
  if (error) {
    if (error.status === 401) say(byId("sentence"), "Sign in to plan.");
    else if (!plan) say(byId("sentence"), "No prediction yet.");
    if (place === "design-error") byId("trade-off").classList.add("old");
    refused(error, byId(place));
    if (error instanceof Offline) setTimeout(changed, RETRY_AFTER);
    return;
  }
  say(byId("goal-error"), "");
  described(); // the form may have changed since
  if (JSON.stringify(plan?.policy) !== JSON.stringify(answer.policy)) forgetMeasured();
  if (plan?.curve && JSON.stringify(plan.curve) === JSON.stringify(answer.curve)) answer.curve = plan.curve;
  [plan, asked] = [answer, question];
  show();
}

function show() {
  byId("sentence").replaceChildren(...sentence(plan));
  say(byId("spread"), inLeastSteadyCase(plan));
  byId("create").disabled = false; // there is something to create
  byId("check").disabled = running !== null || !plan.simulation; // which may be too much to ask
  say(byId("distance"), plan.distance);
  say(byId("cost-words"), plan.cost_in_words);
  byId("numbers").replaceChildren(...rows(plan, measured));
  labelled(byId("numbers").parentElement);
  byId("notes").replaceChildren(...plan.notes.map((note) => element("li", {}, note)));
  if (byId("curve").plan !== plan.curve) {
    byId("curve").plan = plan.curve;
    byId("curve").replaceChildren(...curveRows(plan));
  }
  drawn.show(plan, pointOf(plan), measured);
  byId("frontier").setAttribute(
    "aria-label",
    `Frontier. ${byId("sentence").textContent} The table below has the numbers.`,
  );
  byId("sentence").title =
    `100 % would be ${number(plan.most.regret)}: the best possible mean instead of the worst, in every round.`;
  clearTimeout(spokenLater);
  spokenLater = setTimeout(() => say(byId("spoken"), byId("sentence").textContent), 600);
}

function moved() {
  showSpread();
  const question = described();
  if (plan && question && plan.curve.length > 1)
    drawn.show(plan, between(plan.curve, spreadNow() * question.horizon), null);
  changed();
}

/** Reads the form; what it does not describe is shown as old. @returns {Object|null} the class of instances */
function described() {
  const { question, problem } = read();
  say(byId("design-error"), problem);
  byId("trade-off").classList.toggle("old", !question);
  if (!question && !plan) say(byId("sentence"), "No prediction yet.");
  return question;
}

/** Seldom, since browsers refuse an address that changes too often. */
const rememberSoon = seldom(500, () => {
  const { question } = read();
  if (question) remember(question, spreadNow(), guaranteed());
});

function changed() {
  const question = described();
  if (!question) return;
  rememberSoon();
  ask({ ...question, max_sd_share: spreadNow(), guaranteed: guaranteed() }, (answer, error) => {
    answered(answer, error, question, "design-error");
    if (!error) imagine();
  });
}

let imagined = 0; // how often this was asked; only the last answer counts
async function imagine() {
  imagined += 1;
  const now = imagined;
  const { value: gap, unclear } = parse(byId("gap").value);
  if (!plan) return;
  const widest = plan.most.regret / plan.policy.horizon;
  byId("gap").setAttribute("aria-invalid", String(!(gap > 0 && gap <= widest)));
  if (unclear) return say(byId("what-if"), unclear);
  if (!(gap > 0 && gap <= widest))
    return say(byId("what-if"), `give a gap above 0 and at most ${number(widest)}, the widest there is.`);
  const [question, means] = [asked, Array.from({ length: asked.arms }, (_, place) => (place === 0 ? 0 : -gap))];
  try {
    const found = await post("/v1/plan", { ...question, policy: plan.policy, means });
    if (now !== imagined) return;
    offline(false);
    say(byId("what-if"), whatIf(found));
  } catch (error) {
    refused(error, byId("what-if"));
    if (error instanceof Offline && now === imagined) setTimeout(imagine, RETRY_AFTER);
  }
}

function meetGoal() {
  const { question, problem } = read();
  const kind = byId("goal").value;
  const { value: percentage, unclear } = parse(byId("goal-value").value.replace(/%\s*$/, ""));
  const value = percentage / 100;
  const fits = kind === "valid_intervals" || (value > 0 && value <= 1);
  byId("goal-value").setAttribute("aria-invalid", String(!fits));
  if (!question) return say(byId("goal-error"), problem);
  if (!fits)
    return say(
      byId("goal-error"),
      unclear ? `The goal ${unclear}` : "A goal must be a percentage above 0 and at most 100.",
    );
  const goals = {
    max_sd_share: { max_sd_share: value },
    max_regret_share: { max_regret_share: value },
    valid_intervals: { valid_intervals: true },
  };
  ask({ ...question, ...goals[kind], guaranteed: guaranteed() }, (answer, error) => {
    answered(answer, error, question, "goal-error");
    if (error) return;
    setSpread((answer.guaranteed ? answer.setting : answer.expected.instability) / answer.policy.horizon);
    rememberSoon();
    imagine();
  });
}

let running = null;
function forgetMeasured() {
  measured = null;
  running?.abort();
  byId("simulation").hidden = true;
}

async function check() {
  if (!plan || running || !described()) return;
  const stop = new AbortController();
  running = stop;
  byId("simulation").hidden = false;
  byId("cancel").hidden = false;
  byId("check").disabled = true;
  const progress = (share) => {
    byId("simulation-progress").value = share;
    say(byId("simulation-words"), `Simulating, ${Math.round(100 * share)} % done`);
  };
  progress(0);
  try {
    const found = await simulate(plan.simulation, (now) => progress(now.progress), stop.signal);
    if (stop.signal.aborted) return;
    measured = found;
    progress(1);
    say(
      byId("simulation-words"),
      `Done: ${some(found.runs, "run")} of ${number(plan.policy.horizon)} rounds by the ${found.engine} engine.`,
    );
    show();
  } catch (error) {
    say(byId("simulation-words"), stop.signal.aborted ? "Stopped." : `Not simulated: ${error.message}`);
    if (!stop.signal.aborted && error instanceof Problem && error.status === 401)
      refused(error, byId("simulation-words"));
  } finally {
    running = null;
    byId("check").disabled = !plan.simulation;
    byId("cancel").hidden = true;
  }
}

setSpread(recall());
slider.addEventListener("input", moved);
byId("guaranteed").addEventListener("input", changed);
slider.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  slider.value = String(Number(slider.value) + steps[event.key] * 0.02);
  moved();
});
for (const input of byId("design").querySelectorAll("#arms, #horizon, [name=rewards], #range input, #scales input")) {
  input.addEventListener("input", changed);
}
const goalUnits = { max_sd_share: "% of the rounds ", max_regret_share: "% of that reward " };
byId("goal").addEventListener("input", () => {
  const unit = goalUnits[byId("goal").value];
  byId("goal-label").hidden = !unit;
  byId("goal-label").firstChild.textContent = unit ?? "";
});
byId("goal-value").addEventListener("input", () => {
  byId("goal-value").removeAttribute("aria-invalid");
  say(byId("goal-error"), "");
});
byId("goal-value").addEventListener("keydown", (event) => event.key === "Enter" && meetGoal());
byId("design").addEventListener("submit", (event) => event.preventDefault());
byId("meet-goal").addEventListener("click", meetGoal);
byId("gap").addEventListener("input", imagine);
byId("check").addEventListener("click", check);
byId("cancel").addEventListener("click", () => running?.abort());
const known = begin(); // who it is
byId("create").addEventListener("click", async () => {
  const fits = described() !== null;
  while (asking.busy) await later(POLL_EVERY); // what is shown is what is created
  if (!fits || !plan) return;
  const words = `${plan.policy_title} with ${settings(plan.policy)}`;
  createDialog({ arms: plan.policy.n_arms, words, experiment: plan.experiment }, may(await known, "admin"));
});
await known;
changed();
