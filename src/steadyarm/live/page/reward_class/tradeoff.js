/** What a plan says: the point on the frontier, the sentence, the table. Pure but for the elements it fills. */

import { element, row } from "../dom.js";
import { number, percent, plusMinus, range } from "../words.js";

const MEASURES = ["regret", "instability", "guaranteed_regret", "guaranteed_instability"];

/** Finds a spread's point between those of the curve, at once; the service's own answer follows. @returns {Object} */
export function between(curve, spread) {
  const beyond = curve.findIndex((point) => point.instability <= spread); // the curve goes from wide to narrow
  const last = Math.max(beyond === -1 ? curve.length - 1 : beyond, 1);
  const [low, high] = [curve[last - 1], curve[last]];
  const share = Math.log(spread / low.instability) / Math.log(high.instability / low.instability);
  const mix = (name) => (low[name] > 0 && high[name] > 0 ? low[name] * (high[name] / low[name]) ** share : null);
  return { setting: spread, ...Object.fromEntries(MEASURES.map((name) => [name, mix(name)])) };
}

/** @returns {Object} the point that the service's answer is about */
export const pointOf = (plan) => ({
  ...plan.expected,
  guaranteed_regret: plan.promise?.regret ?? null,
  guaranteed_instability: plan.promise?.instability ?? null,
});

/** @returns {Array<Node|string>} the plan in words */
export function sentence(plan) {
  const strong = (text) => element("strong", {}, text);
  return [
    "In the costliest case about ",
    strong(plusMinus(plan.counts.at(-1), plan.sd.at(-1))),
    ` pulls for ${losers(plan)}; it costs `,
    strong(percent(plan.expected.regret / plan.most.regret)),
    ` ${plan.cost_in_words}.`,
  ];
}

/** @returns {string} the other worst case: where the pulls spread most the cost is smaller, and the ± of the sentence too */
export function inLeastSteadyCase({ expected, policy }) {
  const share = percent(expected.instability / policy.horizon);
  return `In the least steady case an arm’s pulls have a standard deviation of about ${number(expected.instability)} (${share} of the rounds). Both are predictions.`;
}

const losers = (plan) => (plan.counts.length === 2 ? "the losing arm" : "each losing arm");

/** @returns {string} what a smaller gap would do */
export function whatIf(plan) {
  const pulls = plusMinus(plan.counts.at(-1), plan.sd.at(-1));
  return `about ${pulls} pulls for ${losers(plan)}, at a cost of ${percent(plan.regret / plan.most.regret)}.${plan.reason ? " (The prediction is rough here.)" : ""}`;
}

/** @returns {HTMLElement[]} the rows of the table, the measured one below the expected one */
export function rows(plan, measured) {
  const [expected, ...others] = plan.rows.map((each) => row(cells(plan, each), each.kind));
  return measured ? [expected, measuredRow(plan, measured), ...others] : [expected, ...others];
}

function cells(plan, { name, regret, instability, missing }) {
  const amount = (value) => (value === null ? missing : number(value));
  const share = (value, size) => (value === null ? "" : percent(value / size));
  return [
    name,
    amount(regret),
    share(regret, plan.most.regret),
    amount(instability),
    share(instability, plan.policy.horizon),
  ];
}

function measuredRow(plan, { regret, instability, words: name }) {
  const within = ({ low, high }, words = number, size = 1) =>
    range(...[low, high].map((end) => words(end === null ? null : end / size)));
  return row(
    [
      name,
      within(regret),
      within(regret, percent, plan.most.regret),
      within(instability),
      within(instability, percent, plan.policy.horizon),
    ],
    "measured",
  );
}

/** @returns {HTMLElement[]} the rows of the whole frontier */
export const curveRows = (plan) =>
  plan.curve.map((point) => {
    const cells = [point.regret, point.instability, point.guaranteed_regret, point.guaranteed_instability];
    return row([number(point.setting), ...cells.map((value) => number(value))]);
  });
