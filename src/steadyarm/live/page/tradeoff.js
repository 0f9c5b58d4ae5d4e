/** What a plan says at an α: the point on the frontier, the sentence, the table. Pure but for the elements it fills. */

import { element, row } from "./dom.js";
import { number, percent, plusMinus, short } from "./words.js";

const MEASURES = ["regret", "instability", "guaranteed_regret", "guaranteed_instability"];

/** Finds α's point between those of the curve, at once; the service's own answer follows. @returns {Object} */
export function between(curve, alpha) {
  const place = Math.min(
    Math.max(
      curve.findIndex((point) => point.alpha >= alpha),
      1,
    ),
    curve.length - 1,
  );
  const last = alpha > curve.at(-1).alpha ? curve.length - 1 : place;
  const [low, high] = [curve[last - 1], curve[last]];
  const share = Math.log(alpha / low.alpha) / Math.log(high.alpha / low.alpha);
  const mix = (name) => (low[name] > 0 && high[name] > 0 ? low[name] * (high[name] / low[name]) ** share : null);
  return { alpha, ...Object.fromEntries(MEASURES.map((name) => [name, mix(name)])) };
}

/** @returns {Object} the point that the service's answer is about */
export const pointOf = (plan) => ({
  ...plan.expected,
  guaranteed_regret: plan.guarantee.regret,
  guaranteed_instability: plan.guarantee.instability,
});

/** Puts what can happen at most beside the service's answer; Theorem 2 promises no more than that. @returns {any} the plan */
export function bounded(answer, question) {
  const most = { regret: stake(question).size, instability: answer.policy.horizon / 2 };
  const cap = (name, value) => Math.min(value ?? Infinity, most[name]);
  const capped = ({ regret, instability }) => [cap("regret", regret), cap("instability", instability)];
  const [regret, instability] = capped(answer.guarantee);
  const curve = answer.curve.map((point) => {
    const { guaranteed_regret, guaranteed_instability } = point;
    const ends = capped({ regret: guaranteed_regret, instability: guaranteed_instability });
    return { ...point, guaranteed_regret: ends[0], guaranteed_instability: ends[1] };
  });
  return { ...answer, most, curve, guarantee: { ...answer.guarantee, regret, instability } };
}

/** What a policy can lose at most: between the best and the worst arm in every round. @returns {{size: number, words: string}} */
export function stake({ rewards, horizon, mean_bound: bound, low = 0, high = 1 }) {
  if (rewards === "gaussian") return { size: 2 * bound * horizon, words: "of all that could be lost" };
  return {
    size: (high - low) * horizon,
    words: low === 0 ? "of the best possible reward" : "of all that could be lost",
  };
}

/** @returns {Array<Node|string>} the plan in words */
export function sentence(plan, question) {
  const strong = (text) => element("strong", {}, text);
  const { size, words } = stake(question);
  return [
    "In the costliest case about ",
    strong(plusMinus(plan.counts.at(-1), plan.sd.at(-1))),
    ` pulls for ${losers(plan)}; it costs `,
    strong(percent(plan.expected.regret / size)),
    ` ${words}.`,
  ];
}

/** @returns {string} the other worst case: where the pulls spread most the cost is smaller, and the ± of the sentence too */
export function spreading({ expected, policy }) {
  const share = percent(expected.instability / policy.horizon);
  return `In the least steady case an arm’s pulls have a standard deviation of ${number(expected.instability)} (${share} of the rounds).`;
}

const losers = (plan) => (plan.counts.length === 2 ? "the losing arm" : "each losing arm");

/** @returns {string} what a smaller gap would do */
export function whatIf(plan, question) {
  const pulls = plusMinus(plan.counts.at(-1), plan.sd.at(-1));
  return `about ${pulls} pulls for ${losers(plan)}, at a cost of ${percent(plan.regret / stake(question).size)}.${plan.trusted ? "" : " (The prediction is rough here.)"}`;
}

/** @returns {HTMLElement[]} the rows of the table */
export function rows(plan, measured) {
  const best = plan.most.regret;
  const { horizon } = plan.policy;
  const cells = (name, regret, spread) => [
    name,
    number(regret),
    percent(regret === null ? null : regret / best),
    number(spread),
    percent(spread === null ? null : spread / horizon),
  ];
  const made = [
    row(
      cells(`SLE-UCB, α = ${short(plan.expected.alpha)}: predicted`, plan.expected.regret, plan.expected.instability),
      "ours",
    ),
  ];
  if (measured) {
    const range = ({ low, high }, words = number, size = 1) => {
      const [from, to] = [low, high].map((end) => words(end === null ? null : end / size));
      return from === to ? from : `${from} to ${to}`;
    };
    const { regret, instability } = measured;
    made.push(
      row(
        [
          `measured in ${number(measured.runs)} runs, 95 % interval`,
          range(regret),
          range(regret, percent, best),
          range(instability),
          range(instability, percent, horizon),
        ],
        "measured",
      ),
    );
  }
  made.push(row(cells("guaranteed (Theorem 2): at most", plan.guarantee.regret, plan.guarantee.instability)));
  const floor =
    plan.expected.regret <= (plan.policy.mean_bound * horizon) / 8
      ? floorAt(plan.excluded, plan.expected.regret)
      : null;
  made.push(
    row([
      "any policy of this regret (Theorem 1): at least",
      "",
      "",
      floor === null ? "no bound here" : number(floor),
      floor === null ? "" : percent(floor / horizon),
    ]),
  );
  for (const rival of plan.rivals) {
    made.push(
      row(
        rival.regret === null
          ? [rival.title, "no prediction", "", "no prediction", ""]
          : cells(rival.title, rival.regret, rival.instability),
        "rival",
      ),
    );
  }
  return made;
}

function floorAt(edge, regret) {
  const place = Math.max(
    edge.findIndex((point) => point.regret >= regret),
    1,
  );
  const [low, high] = [edge[place - 1], edge[place]];
  const share = Math.log(regret / low.regret) / Math.log(high.regret / low.regret);
  return low.instability * (high.instability / low.instability) ** share;
}

/** @returns {HTMLElement[]} the rows of the whole frontier */
export const curveRows = (plan) =>
  plan.curve.map((point) => {
    const cells = [point.regret, point.instability, point.guaranteed_regret, point.guaranteed_instability];
    return row([short(point.alpha), ...cells.map((value) => number(value))]);
  });
