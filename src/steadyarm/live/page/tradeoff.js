/** What a plan says at an α: the point on the frontier, the sentence, the table. Pure but for the elements it fills. */

import { element, row } from "./dom.js";
import { number, percent, plusMinus, range, short, some } from "./words.js";

const LAWS = { gaussian: "Gaussian", bernoulli: "0/1" }; // of the worst instances
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

/** What the shares of a cost are shares of: the best possible mean against the worst, in every round. @returns {{size: number, words: string}} */
export function stake({ rewards, horizon, mean_bound: bound, low = 0, high = 1 }) {
  if (rewards === "gaussian") return { size: 2 * bound * horizon, words: "of all that could be lost" };
  return {
    size: (high - low) * horizon,
    words: low === 0 ? "of the best possible reward" : "of all that could be lost",
  };
}

/** @returns {Array<Node|string>} the plan in words */
export function sentence(plan) {
  const strong = (text) => element("strong", {}, text);
  const { size, words } = plan.stake;
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
  return `In the least steady case an arm’s pulls have a standard deviation of about ${number(expected.instability)} (${share} of the rounds). Both are predictions.`;
}

const losers = (plan) => (plan.counts.length === 2 ? "the losing arm" : "each losing arm");

/** @returns {string} what a smaller gap would do */
export function whatIf(plan, { size }) {
  const pulls = plusMinus(plan.counts.at(-1), plan.sd.at(-1));
  return `about ${pulls} pulls for ${losers(plan)}, at a cost of ${percent(plan.regret / size)}.${plan.trusted ? "" : " (The prediction is rough here.)"}`;
}

/** @returns {HTMLElement[]} the rows of the table */
export function rows(plan, measured) {
  const best = plan.stake.size;
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
    const within = ({ low, high }, words = number, size = 1) =>
      range(...[low, high].map((end) => words(end === null ? null : end / size)));
    const { regret, instability } = measured;
    made.push(
      row(
        [
          `measured in ${some(measured.runs, "run")} with ${LAWS[plan.hardest.regret.rewards]} rewards, 95 % interval`,
          within(regret),
          within(regret, percent, best),
          within(instability),
          within(instability, percent, horizon),
        ],
        "measured",
      ),
    );
  }
  made.push(row(cells("guaranteed (Theorem 2): at most", plan.guarantee.regret, plan.guarantee.instability)));
  const floor = floorAt(plan.excluded, plan.expected.regret);
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

/** @returns {number|null} Theorem 1's least spread at a regret, between the points of its edge; none beyond the last */
function floorAt(edge, regret) {
  if (regret > edge.at(-1).regret) return null;
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
