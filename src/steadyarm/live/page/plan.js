/** The plan of a team: what it knows, the designs side by side, one of them recommended, and a slider along the frontier. */

import { Offline, post } from "./api.js";
import { createDialog } from "./create.js";
import { byId, element, later, say, seldom } from "./dom.js";
import { begin, may, offline, refused } from "./frame.js";
import { showDesigns } from "./planning/designs.js";
import { changeKind, complain, placed, prepare, read, readPast, recall, remember, suggest } from "./planning/form.js";
import { frontierPicture, trafficPicture } from "./planning/pictures.js";
import { simulate } from "./simulation.js";
import { moment, number, percent } from "./words.js";

const SETTLED_AFTER = 600; // milliseconds without a change before something is simulated
const RETRY_AFTER = 2000; // milliseconds
const POLL_EVERY = 50; // milliseconds

const slider = byId("spread"); // from the widest spread of the curve to the narrowest, by its logarithm
let question = null; // what the form says, or null
let byHand = { spread: null, design: null }; // what was chosen by hand
let plan = null; // the service's last answer
let about = ""; // the question that it answers, as text
let measured = new Map(); // rows of its table, by design
let advice = null;
const pictures = [frontierPicture(byId("frontier"), shown), trafficPicture(byId("traffic"), shown)];

const key = (asked) => JSON.stringify(asked);
const steady = ({ spread }) => spread; // of Steady; null for other policies

const atSpread = () => plan.designs.find((each) => steady(each) === byHand.spread); // never null, which is no spread

/** @returns {any[]} the designs of the table, with the one of the slider where its spread belongs */
function designs() {
  const { chosen, designs: all } = plan;
  if (byHand.spread === null || atSpread() || !chosen) return all;
  const place = all.findIndex((each) => steady(each) !== null && steady(each) < steady(chosen));
  return all.toSpliced(place === -1 ? all.findLastIndex((each) => steady(each) !== null) + 1 : place, 0, chosen);
}

/** @returns {any} the design that was chosen by hand, or the recommended one; that of the slider follows its answer */
function chosenDesign() {
  if (byHand.spread !== null) return atSpread() ?? plan.chosen;
  const named = (name) => plan.designs.find(({ design }) => design === name);
  return named(byHand.design) ?? named(advice?.design) ?? null;
}

function shown() {
  return { plan, designs: designs(), measured, chosen: chosenDesign()?.design ?? null };
}

function show() {
  const chosen = chosenDesign();
  say(byId("situation-words"), plan.situation.words);
  say(byId("sentence"), advice?.sentence ?? headline());
  byId("sentence").classList.toggle("waiting", !advice);
  const own = chosen && chosen.design !== advice?.design;
  say(byId("chosen-words"), own ? `Chosen: ${measured.get(chosen.design)?.sentence ?? `${chosen.design}.`}` : "");
  byId("create").disabled = !chosen;
  byId("print").disabled = false;
  showSlider(chosen);
  const pending = Boolean(plan.simulation) && !advice;
  const which = { recommended: advice?.design ?? null, chosen: chosen?.design ?? null, pending };
  showDesigns(byId("designs"), plan, designs(), measured, which, choose);
  byId("notes").replaceChildren(...plan.notes.map((note) => element("li", {}, note)));
  say(byId("made"), `steadyarm ${plan.version}, ${moment(new Date())}, ${location.href}`);
  for (const each of pictures) each.show();
}

const headline = () =>
  plan.simulation
    ? "The designs are being simulated; one of them will be recommended."
    : "This is too much traffic to simulate on a shared service; what is predicted stands below. `steadyarm plan` simulates it on your own machine.";

const ends = () => [plan.curve[0].setting, plan.curve.at(-1).setting];
const spreadAt = (place) => Number((ends()[0] * (ends()[1] / ends()[0]) ** place).toPrecision(3));

function showSlider(chosen) {
  const spread = byHand.spread ?? (chosen && steady(chosen)) ?? steady(plan.designs.find((each) => steady(each) !== null));
  const [wide, narrow] = ends();
  slider.disabled = false;
  const place = Math.log(spread / wide) / Math.log(narrow / wide);
  if (Math.abs(Number(slider.value) - place) > 0.002) slider.value = String(place);
  slider.style.setProperty("--share", `${100 * Math.min(1, Math.max(0, place))}%`);
  const words = `${number(spread)} visitors, ${percent(spread / plan.situation.horizon)} of the traffic`;
  say(byId("spread-value"), words);
  slider.setAttribute("aria-valuetext", words);
}

/** Chooses a design of the table. @param {string} name */
function choose(name) {
  const spread = steady(designs().find(({ design }) => design === name));
  byHand = { spread, design: spread === null ? name : null };
  rememberSoon();
  show();
}

function moved() {
  byHand = { spread: spreadAt(Number(slider.value)), design: null };
  showSlider(null);
  rememberSoon();
  ask();
}

/** One question at a time, the latest next: a slider asks faster than any network answers. */
const asking = { busy: false, again: false };
async function ask() {
  asking.again = true;
  if (asking.busy) return;
  asking.busy = true;
  while (asking.again && question) {
    asking.again = false;
    const [now, spread] = [key(question), byHand.spread];
    try {
      const answer = await post("/v1/plan", { ...question, ...(spread === null ? {} : { spread }) });
      offline(false);
      if (question && key(question) === now) answered(answer, now);
    } catch (error) {
      if (question && key(question) !== now) continue;
      if (spread !== null && error.status === 422 && /^spread\b/i.test(error.message)) {
        byHand = { spread: null, design: null }; // too wide for other inputs, or made up in an address
        asking.again = true;
        continue;
      }
      if (error instanceof Offline) setTimeout(ask, RETRY_AFTER);
      failed(error);
    }
  }
  asking.busy = false;
}

function failed(error) {
  if (error.status === 422) {
    complain(placed(error.message));
    outdated();
    return;
  }
  byId("results").classList.add("old");
  if (error.status === 401) say(byId("sentence"), "Sign in to plan.");
  else if (!plan) say(byId("sentence"), "No plan yet.");
  refused(error, byId("form-error"));
}

/** Says that the numbers are not those of the form: nothing can be created or printed of them. */
function outdated() {
  byId("results").classList.add("old");
  byId("create").disabled = true;
  byId("print").disabled = true;
  say(byId("sentence"), plan ? "Correct what is marked above; the numbers below are older." : "No plan yet.");
  say(byId("chosen-words"), "");
}

function answered(answer, now) {
  if (now !== about) {
    [measured, advice, about] = [new Map(), null, now];
    table.stop();
    row.stop();
  }
  plan = answer;
  complain({});
  byId("results").classList.remove("old");
  suggest(plan.situation);
  show();
  if (plan.simulation && !table.begun) simulateSoon();
  if (plan.chosen && !measured.has(plan.chosen.design)) simulateSoon();
}

/** A simulation whose answer is dropped once it is stopped. */
function background(name) {
  return {
    begun: null,
    stop() {
      this.begun?.abort();
      this.begun = null;
    },
    async run(body, progress, done) {
      this.stop();
      const stop = new AbortController();
      this.begun = stop;
      try {
        const found = await simulate(body, (now) => !stop.signal.aborted && progress(now), stop.signal);
        if (!stop.signal.aborted) done(found);
      } catch (error) {
        if (stop.signal.aborted) return;
        working(`${name} not simulated: ${error.message}`, null);
        if (error.status === 401) refused(error, byId("simulation-words"));
      }
    },
  };
}
const table = background("The designs were");
const row = background("The chosen design was");

/** @param {string} words @param {number|null} share done, or null if nothing runs */
function working(words, share) {
  byId("simulation").hidden = !words;
  byId("simulation-progress").hidden = share === null;
  byId("stop").hidden = share === null;
  byId("again").hidden = share !== null;
  byId("simulation-progress").value = share ?? 0;
  say(byId("simulation-words"), words);
}

let resting = 0;
function simulateSoon() {
  clearTimeout(resting);
  resting = setTimeout(simulateNow, SETTLED_AFTER);
}

function simulateNow() {
  if (!question || key(question) !== about) return;
  const { chosen } = plan;
  if (plan.simulation && !table.begun) {
    working("Waiting for the simulator …", 0);
    const take = (rows) => {
      const before = measured.size;
      for (const each of rows) measured.set(each.design, each);
      if (measured.size > before) show();
    };
    table.run(
      plan.simulation,
      (now) => {
        const words = now.status === "waiting" ? "Waiting for the simulator …" : `Simulating ${number(plan.designs.length)} designs, ${Math.round(100 * now.progress)} % done`;
        working(words, now.progress);
        take(now.rows);
      },
      (found) => {
        working("", null);
        advice = found.recommendation;
        take(found.table);
        show();
      },
    );
  }
  if (chosen?.simulation && !measured.has(chosen.design))
    row.run(chosen.simulation, () => {}, (found) => {
      measured.set(found.design, found);
      show();
    });
}

function changed() {
  const found = read();
  complain(found.problems);
  clearTimeout(resting);
  if (key(found.question) !== about) {
    table.stop();
    row.stop();
    working("", null);
  }
  question = found.question;
  byId("results").classList.toggle("old", key(question) !== about);
  if (!question) {
    outdated();
    return;
  }
  rememberSoon();
  if (key(question) !== about) {
    ask();
    return;
  }
  show();
  if (plan.simulation && !advice) simulateSoon();
}

/** Seldom, since browsers refuse an address that changes too often. */
const rememberSoon = seldom(300, () => {
  remember(byHand);
  if (plan) say(byId("made"), `steadyarm ${plan.version}, ${moment(new Date())}, ${location.href}`);
});

function chosenAgain() {
  byHand = { spread: null, design: null }; // another kind of outcome has other designs
  changeKind();
  changed();
}

async function create(known) {
  while (asking.busy) await later(POLL_EVERY); // what is shown is what is created
  const now = chosenDesign();
  if (!now || !question || key(question) !== about || (byHand.spread ?? steady(now)) !== steady(now)) return;
  const { n_arms: arms, words, per_day: perDay } = plan.situation;
  const names = ["today", ...Array.from({ length: arms - 1 }, (_, place) => `variant ${place + 1}`)];
  createDialog({ arms, words: now.design, experiment: now.experiment, names, about: words, perDay }, may(await known, "admin"));
}

if (new URLSearchParams(location.search).has("rewards")) location.replace(`/class${location.search}`); // an older address
prepare();
byHand = recall();
readPast((other) => {
  if (other) byHand = { spread: null, design: null }; // as when it is chosen by hand
  changed();
});
for (const input of byId("situation").querySelectorAll("input:not([type=file])")) {
  input.addEventListener("input", input.name === "kind" ? chosenAgain : changed);
}
byId("situation").addEventListener("submit", (event) => event.preventDefault());
slider.addEventListener("input", moved);
slider.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  slider.value = String(Number(slider.value) + 0.02 * steps[event.key]);
  moved();
});
byId("stop").addEventListener("click", () => {
  table.stop();
  working("Stopped.", null);
});
byId("again").addEventListener("click", () => {
  table.stop();
  simulateNow();
});
byId("print").addEventListener("click", () => print());
byId("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  say(byId("copied"), "Copied.");
});
const known = begin(); // who it is
byId("create").addEventListener("click", () => create(known));
await known;
changed();
