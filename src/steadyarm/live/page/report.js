/** The report of an experiment, to be printed: design, allocation, estimates with valid intervals, audit. */

import { experimentHere, experimentPath, get, pagePath } from "./api.js";
import { allocationChart, bandWords, colouring, legend } from "./experiment/allocation.js";
import { verdict } from "./experiment/audit.js";
import { followed, learningWords, rewardKind, settings, trafficWords } from "./configuration.js";
import { differenceHeads, differenceRows, differenceWords } from "./experiment/differences.js";
import { byId, element, labelled, row, say } from "./dom.js";
import { begin, offline, persist } from "./frame.js";
import { healthNotes, healthWords, outcomeHeads, outcomeRows } from "./experiment/health.js";
import { strataHeads, strataRows } from "./experiment/strata.js";
import { weightedHeads, weightedRows } from "./experiment/weighted.js";
import { decimals, exact, fixed, interval, moment, number, percent, plusMinus, some } from "./words.js";

const HEALTH_TIMEOUT = 10_000; // milliseconds for the checks of health to read a long journal
const CONSTANTS = { paper: "the paper’s", sharp: "sharp" };
const name = experimentHere();
const part = (title, ...children) => element("section", {}, element("h2", {}, title), ...children);
const define = (pairs) =>
  element(
    "dl",
    { className: "definitions" },
    ...pairs
      .filter(([, value]) => value)
      .flatMap(([title, value]) => [element("dt", {}, title), element("dd", {}, value)]),
  );

function tableOf(label, heads, rows, className = "cards") {
  const cells = heads.map((head, place) => element("th", { scope: "col", className: place ? "n" : "" }, head));
  const parts = [element("thead", {}, element("tr", {}, ...cells)), element("tbody", {}, ...rows)];
  const table = labelled(element("table", { className }, ...parts));
  return element("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": label }, table);
}

function design(state) {
  const { configuration } = state;
  const policy = followed(state.policy);
  const arms = configuration.arms;
  return part(
    "Design",
    define([
      [
        "Policy",
        [state.policy_title, settings(state.policy), policy.constants && `${CONSTANTS[policy.constants]} constants`]
          .filter(Boolean)
          .join(", "),
      ],
      ["Planned for", state.goal],
      [
        "Arms",
        element("span", {}, `${number(arms.length)}: `, ...listed(arms.slice(0, 30)), arms.length > 30 ? ", …" : ""),
      ],
      ["Horizon", `${number(state.horizon)} rounds`],
      [
        "Rewards",
        `${rewardKind(configuration)}; noise scale σ = ${exact(policy.noise_scale)}${policy.mean_bound ? `, means within ± ${exact(policy.mean_bound)}` : ""}`,
      ],
      ["Learns", learningWords(configuration)],
      ["Traffic", trafficWords(configuration)],
      ["Continues", state.continues && `${state.continues.experiment}, after its entry ${number(state.continues.seq)}`],
      ["Created", moment(state.created_at)],
    ]),
  );
}

/** Names with commas between them, each in its own direction of writing. */
const listed = (names) => names.flatMap((each, place) => [place ? ", " : "", element("bdi", {}, each)]);

const count = (many, name, one, more) => `${some(many, name)} ${many === 1 ? one : more}`;

function allocation(state, results, past) {
  const done =
    state.round === state.horizon
      ? "All rounds were assigned."
      : `${number(state.round)} of ${number(state.horizon)} rounds (${percent(state.round / state.horizon)}) ${state.round === 1 ? "was" : "were"} assigned.`;
  const came = [
    count(state.rewarded, "reward", "came in", "came in"),
    count(state.voided, "unit", "was voided", "were voided"),
    ...(state.defaulted ? [count(state.defaulted, "unit", "was served a default", "were served a default")] : []),
    count(state.outstanding, "reward", "is outstanding", "are outstanding"),
  ];
  const predicted = results.prediction.available ? results.prediction.arms : [];
  const rows = results.arms.map((arm, place) =>
    row([
      `${arm.arm}${arm.retired ? " (retired)" : ""}`,
      number(arm.count),
      percent(arm.share),
      predicted[place] ? plusMinus(predicted[place].predicted, predicted[place].sd) : "–",
      number(arm.rewarded),
      number(arm.voided),
      number(arm.outstanding),
    ]),
  );
  return part(
    "Allocation",
    element("p", {}, `${done} ${came.join(", ")}.`),
    element("ul", { id: "legend", className: "legend" }),
    element("div", {
      id: "allocation",
      className: "chart",
      role: "img",
      "aria-label": "Pulls of each arm over the rounds; the table below has the numbers",
    }),
    element("p", { className: "hint" }, bandWords(past)),
    tableOf("Allocation", ["Arm", "Pulls", "Share", "Predicted", "Rewarded", "Voided", "Outstanding"], rows),
    ...apart(results, state),
  );
}

const digitsOf = ({ policy }) => decimals(followed(policy).noise_scale);

/** Those who got no arm of the experiment, and the strata by themselves. */
function apart(results, state) {
  const digits = digitsOf(state);
  const held = results.holdout;
  const words = held
    ? [element("p", {}, `${count(held.units, "unit", "was held out", "were held out")}, ${some(held.rewarded, "reward")}, mean ${fixed(held.mean, digits)}.`)]
    : [];
  const rows = strataRows(results, digits);
  return rows.length ? [...words, tableOf("Strata", strataHeads(results), rows)] : words;
}

function estimates(results, state) {
  const level = `${number(100 * results.level)} %`;
  const digits = digitsOf(state);
  const ordinary = results.intervals.ordinary_title;
  const rows = results.arms.map((arm) =>
    row([arm.arm, fixed(arm.mean, digits), interval(arm.anytime, digits), interval(arm[results.intervals.ordinary], digits)]),
  );
  return part(
    "Estimates",
    element(
      "p",
      { className: "hint" },
      `An anytime-valid interval contains its arm’s mean with ${level} confidence, however arms were chosen and whenever you look${state.configuration.rewards === "gaussian" ? ", if rewards are as noisy as σ says or less" : ""}. ${ordinary} intervals are the ordinary ones: they hold their level only where the allocation is stable, at the planned end. Valid here: ${results.intervals.words}`,
    ),
    tableOf("Estimates", ["Arm", "Mean", `Anytime-valid ${level}`, `${ordinary} ${level}`], rows, "cards single"),
    ...[lost(results, state, level), results.regret.guarantee_words].filter(Boolean).map((words) => element("p", {}, words)),
    ...results.notes.map((note) => element("p", { className: "hint" }, note)),
  );
}

function differences(results, state) {
  const rows = differenceRows(results, digitsOf(state));
  return part(
    "Differences",
    element("p", { className: "named" }, differenceWords(results)),
    tableOf("Differences", differenceHeads(results), rows, "cards single"),
  );
}

function weighted(results, state) {
  if (!results.weighted) return "";
  const rows = weightedRows(results, digitsOf(state));
  return part(
    "Weighted by logged probabilities",
    element("p", { className: "hint" }, results.weighted.words),
    tableOf("Weighted by logged probabilities", weightedHeads(results), rows, "cards single"),
  );
}

function health(results) {
  return part(
    "Health",
    element("p", { className: results.health.alarms.length ? "problem" : "" }, healthWords(results.health)),
    element("ul", { className: "notes" }, ...healthNotes(results.health)),
    tableOf("Outcomes by arm", outcomeHeads(results.health), outcomeRows(results.health)),
  );
}

/** What always pulling the best arm would have brought beyond what came in: about, and between which ends. */
function lost({ regret }, { rewarded }, level) {
  if (!rewarded) return "No reward has come in, so nothing can be said about what was lost.";
  const { so_far: about, so_far_at_least: least, so_far_at_most: most } = regret;
  const came = `${some(rewarded, "reward")} came to ${number(regret.collected)} in all.`;
  const ends = most === null ? "no bound yet" : `${between(number(least), number(most))} with ${level} confidence`;
  return `${came} Lost against always pulling the best arm: ${about === null ? "" : `about ${number(about)}, `}${ends}.`;
}

const between = (from, to) => (from === to ? from : `between ${from} and ${to}`);

function audit(state, checked) {
  return part(
    "Audit",
    element("p", { className: checked.good ? "good" : "problem", id: "verdict" }, checked.words),
    define([
      ["Entries", number(state.seq)],
      ["Head", element("span", { className: "hash" }, state.hash)],
      ["State", state.state],
    ]),
    element(
      "p",
      { className: "hint" },
      "Every decision was replayed from the journal, whose entries are chained by SHA-256. Keep the head: with it anyone can tell whether an exported journal is complete.",
    ),
  );
}

function standing({ state, round, horizon }) {
  if (round === horizon) return "The experiment is finished.";
  return state === "closed" ? "The experiment was closed before its horizon." : "The experiment is not finished.";
}

/** @returns {Promise<any>} results whose health is that of the whole journal, if it can be read soon: each call reads on */
async function settled() {
  const end = Date.now() + HEALTH_TIMEOUT;
  const { seq } = await get(experimentPath(name));
  let results = await get(experimentPath(name, "/results"));
  while (results.health.seq < seq && Date.now() < end) results = await get(experimentPath(name, "/results"));
  return results;
}

async function write() {
  const [state, results, past, checked] = await Promise.all([
    get(experimentPath(name)),
    settled(),
    get(experimentPath(name, "/history?points=400")),
    verdict(name),
  ]);
  offline(false);
  say(byId("problem"), "");
  const words = state.configuration.description;
  const sheet = byId("sheet");
  sheet.replaceChildren(
    element(
      "div",
      {},
      element("h1", {}, name),
      element("p", { className: "hint" }, `Report of ${moment(new Date())}. ${standing(state)}`),
      words ? element("p", {}, words) : "",
    ),
    design(state),
    allocation(state, results, past),
    estimates(results, state),
    differences(results, state),
    weighted(results, state),
    health(results),
    audit(state, checked),
  );
  const ranks = colouring(past);
  legend(byId("legend"), past, ranks);
  allocationChart(byId("allocation")).show(past, ranks, true);
  sheet.setAttribute("aria-busy", "false");
}

document.title = `Report of ${name} · steadyarm`;
say(byId("back"), name);
byId("back").href = pagePath(name);
byId("print").onclick = () => print();
await begin();
await persist(async () => {
  try {
    await write();
  } catch (error) {
    const words = error.status === 401 ? "Sign in to see this report." : "There is no report.";
    byId("sheet").replaceChildren(element("p", { className: "waiting" }, words));
    throw error;
  }
}, byId("problem"));
