/** The plan page: a class of instances, α on a slider, and what that comes to. */

import { Offline, post, Problem } from "./api.js";
import { createDialog } from "./create.js";
import { read, recall, remember } from "./design.js";
import { byId, element, say } from "./dom.js";
import { begin, may, offline, refused } from "./frame.js";
import { frontierChart } from "./frontier.js";
import { check } from "./simulation.js";
import { between, curveRows, pointOf, rows, sentence, stake, whatIf } from "./tradeoff.js";
import { number, parse, short } from "./words.js";

const slider = byId("alpha");
const drawn = frontierChart(byId("frontier"));
let who = null;
let plan = null; // the service's last answer
let asked = null; // the class of instances that it is about
let measured = null; // of exactly this plan, or null
let spokenLater = 0;

const alphaNow = () => 10 ** Number(slider.value);

/** Shows an α on the slider, which grows if need be. @param {number} alpha */
function setAlpha(alpha) {
  const place = Math.log10(alpha);
  slider.min = String(Math.min(Number(slider.min), place));
  slider.max = String(Math.max(Number(slider.max), place));
  slider.step = "any"; // so that a wish is met exactly; the keys below move it in even steps
  slider.value = String(place);
  showAlpha();
}

function showAlpha() {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  slider.style.setProperty("--share", `${(100 * (Number(slider.value) - low)) / (high - low)}%`);
  say(byId("alpha-value"), short(alphaNow()));
  slider.setAttribute("aria-valuetext", `alpha ${short(alphaNow())}`);
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
  say(byId(place), "");
  if (error) {
    byId("sentence").replaceChildren(
      element(
        "span",
        { className: "waiting" },
        error.status === 401 ? "Sign in to plan." : plan ? byId("sentence").textContent : "No prediction.",
      ),
    );
    refused(error, byId(place));
    if (error instanceof Offline) setTimeout(changed, 2000);
    return;
  }
  if (JSON.stringify(plan?.policy) !== JSON.stringify(answer.policy)) forgetMeasured();
  if (plan?.curve && JSON.stringify(plan.curve) === JSON.stringify(answer.curve)) answer.curve = plan.curve;
  [plan, asked] = [answer, question];
  show();
}

function show() {
  byId("sentence").replaceChildren(...sentence(plan, asked));
  byId("numbers").replaceChildren(...rows(plan, asked, measured));
  const notes = [...plan.guarantee.notes, ...(plan.trusted ? [] : [`The prediction is rough here: ${plan.reason}.`])];
  byId("notes").replaceChildren(...notes.map((note) => element("li", {}, note)));
  if (byId("curve").plan !== plan.curve) {
    byId("curve").plan = plan.curve;
    byId("curve").replaceChildren(...curveRows(plan));
  }
  drawn.show(plan, pointOf(plan), measured);
  byId("frontier").setAttribute(
    "aria-label",
    `Frontier. ${byId("sentence").textContent} The table below has the numbers.`,
  );
  const { size, words } = stake(plan, asked);
  say(byId("stake"), words);
  byId("sentence").title =
    `100 % would be ${number(size)}: the best possible mean instead of the worst, in every round.`;
  clearTimeout(spokenLater);
  spokenLater = setTimeout(() => say(byId("spoken"), byId("sentence").textContent), 600);
}

function moved() {
  showAlpha();
  const { question } = read();
  if (!question) return;
  if (plan) drawn.show(plan, between(plan.curve, alphaNow()), null);
  changed();
}

function changed() {
  const { question, problem } = read();
  say(byId("design-error"), problem);
  if (!question) return;
  remember(question, alphaNow());
  ask({ ...question, alpha: alphaNow() }, (answer, error) => {
    answered(answer, error, question, "design-error");
    if (!error) imagine();
  });
}

async function imagine() {
  const gap = parse(byId("gap").value);
  const { question } = read();
  if (!(gap > 0) || !question || !plan) return say(byId("what-if"), gap > 0 ? "" : "– give a gap above 0.");
  const means = Array.from({ length: question.arms }, (_, place) => (place === 0 ? 0 : -gap));
  try {
    const found = await post("/v1/plan", { ...question, alpha: plan.expected.alpha, means });
    say(byId("what-if"), whatIf(found, question));
  } catch (error) {
    refused(error, byId("what-if"));
  }
}

function grant() {
  const { question, problem } = read();
  const value = parse(byId("wish-value").value) / 100;
  const kind = byId("wish").value;
  if (!question) return say(byId("wish-error"), problem);
  if (kind !== "valid_intervals" && !(value > 0))
    return say(byId("wish-error"), "A wish must be a percentage above 0.");
  const best = plan ? stake(plan, question).size : question.horizon;
  const wishes = {
    max_sd_share: { max_sd_share: value },
    max_regret_share: { max_regret: value * best },
    valid_intervals: { valid_intervals: true },
  };
  ask({ ...question, ...wishes[kind] }, (answer, error) => {
    answered(answer, error, question, "wish-error");
    if (error) return;
    setAlpha(answer.expected.alpha);
    remember(question, answer.expected.alpha);
    imagine();
  });
}

let running = null;
function forgetMeasured() {
  measured = null;
  running?.abort();
  byId("simulation").hidden = true;
}

async function simulate() {
  if (!plan || running) return;
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
    const found = await check(plan, progress, stop.signal);
    if (stop.signal.aborted) return;
    measured = found;
    progress(1);
    say(
      byId("simulation-words"),
      `Done: ${number(found.runs)} runs of ${number(plan.policy.horizon)} rounds by the ${found.engine} engine.`,
    );
    show();
  } catch (error) {
    say(byId("simulation-words"), stop.signal.aborted ? "Stopped." : `Not simulated: ${error.message}`);
    if (!stop.signal.aborted && error instanceof Problem && error.status === 401)
      refused(error, byId("simulation-words"));
  } finally {
    running = null;
    byId("check").disabled = false;
    byId("cancel").hidden = true;
  }
}

setAlpha(recall());
slider.addEventListener("input", moved);
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
const wishUnits = { max_sd_share: "% of the rounds ", max_regret_share: "% of that reward " };
byId("wish").addEventListener("input", () => {
  const unit = wishUnits[byId("wish").value];
  byId("wish-label").hidden = !unit;
  byId("wish-label").firstChild.textContent = unit ?? "";
});
byId("wish-value").addEventListener("keydown", (event) => event.key === "Enter" && grant());
byId("design").addEventListener("submit", (event) => event.preventDefault());
byId("grant").addEventListener("click", grant);
byId("gap").addEventListener("input", imagine);
byId("check").addEventListener("click", simulate);
byId("cancel").addEventListener("click", () => running?.abort());
byId("create").addEventListener("click", () => {
  const { question, problem } = read();
  say(byId("design-error"), problem);
  if (question) createDialog(question, plan?.expected.alpha ?? alphaNow(), may(who, "admin"));
});
who = await begin();
changed();
