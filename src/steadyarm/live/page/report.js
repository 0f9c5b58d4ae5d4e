/** The report of an experiment, to be printed: design, allocation, estimates with valid intervals, audit. */

import { experimentHere, experimentPath, get, pagePath } from "./api.js";
import { allocationChart, bandWords, colouring, legend } from "./allocation.js";
import { verdict } from "./audit.js";
import { byId, element, row, say } from "./dom.js";
import { begin, offline, persist } from "./frame.js";
import { stake } from "./tradeoff.js";
import { fixed, interval, moment, number, percent, plusMinus, short, some } from "./words.js";

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

function tableOf(label, heads, rows) {
  const cells = heads.map((head, place) => element("th", { scope: "col", className: place ? "n" : "" }, head));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...cells)), element("tbody", {}, ...rows));
  return element("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": label }, table);
}

function design(state) {
  const { configuration, policy } = state;
  const arms = configuration.arms;
  const kinds = {
    bernoulli: "0 or 1",
    bounded: `between ${number(configuration.low)} and ${number(configuration.high)}`,
    gaussian: "any number",
  };
  return part(
    "Design",
    define([
      [
        "Policy",
        policy.policy === "SLEUCB"
          ? `SLE-UCB, α = ${short(policy.alpha)}, ${policy.constants} constants`
          : policy.policy,
      ],
      ["Planned for", configuration.plan ? JSON.stringify(configuration.plan) : ""],
      [
        "Arms",
        element("span", {}, `${number(arms.length)}: `, ...listed(arms.slice(0, 30)), arms.length > 30 ? ", …" : ""),
      ],
      ["Horizon", `${number(state.horizon)} rounds`],
      [
        "Rewards",
        `${kinds[configuration.rewards]}; noise scale σ = ${short(policy.noise_scale)}${policy.mean_bound ? `, means within ± ${short(policy.mean_bound)}` : ""}`,
      ],
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
    count(state.outstanding, "reward", "is outstanding", "are outstanding"),
  ];
  const predicted = results.prediction.available ? results.prediction.arms : [];
  const rows = results.arms.map((arm, place) =>
    row([
      arm.arm,
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
  );
}

function estimates(results, state) {
  const level = `${number(100 * results.level)} %`;
  const rows = results.arms.map((arm) => row([arm.arm, fixed(arm.mean), interval(arm.anytime), interval(arm.wald)]));
  const { regret } = results;
  const said = [`Reward lost so far: at most ${number(regret.so_far_at_most)} (${level}).`];
  const most = stake({ ...state.policy, ...state.configuration }).size;
  if (regret.guarantee_at_horizon !== null && regret.guarantee_at_horizon < most)
    said.push(`Expected loss at the horizon, guaranteed by Theorem 2: at most ${number(regret.guarantee_at_horizon)}.`);
  return part(
    "Estimates",
    element(
      "p",
      { className: "hint" },
      `Anytime-valid intervals hold the mean with ${level} confidence, however the data were collected and whenever one looks. Wald intervals are ordinary ones: valid where the allocation is stable.`,
    ),
    tableOf("Estimates", ["Arm", "Mean", `Anytime-valid ${level}`, `Wald ${level}`], rows),
    element("p", {}, said.join(" ")),
    ...results.notes.map((note) => element("p", { className: "hint" }, note)),
  );
}

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
      "Every decision was replayed from the journal, whose entries are chained by SHA-256. Keep the head: whoever has it can tell whether an exported journal is the whole one.",
    ),
  );
}

function standing({ state, round, horizon }) {
  if (round === horizon) return "The experiment is finished.";
  return state === "closed" ? "The experiment was closed before its horizon." : "The experiment is not finished.";
}

async function write() {
  const [state, results, past, checked] = await Promise.all([
    get(experimentPath(name)),
    get(experimentPath(name, "/results")),
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
