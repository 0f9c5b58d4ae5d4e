/** The configuration of an experiment in words and units. */

import { exact, short } from "./words.js";

/** @param {{policy: string}} policy @returns {string} SLE-UCB, Gaussian Thompson */
export const policyName = ({ policy }) =>
  policy === "SLEUCB" ? "SLE-UCB" : policy.replace(/([a-z])([A-Z])/g, "$1 $2");

/** @param {any} policy @returns {string} what is set on it: α = 2, or a spread of 300 pulls */
export const settings = ({ alpha, beta, spread }) =>
  [alpha && `α = ${short(alpha)}`, beta && `β = ${short(beta)}`, spread && `a spread of ${exact(spread)} pulls`]
    .filter(Boolean)
    .join(", ");

/** @param {any} configuration @returns {string} what its rewards are */
export function rewardKind({ rewards, low, high }) {
  const kinds = {
    bernoulli: "0 or 1",
    bounded: `between ${exact(low)} and ${exact(high)}`,
    gaussian: "any number",
  };
  return kinds[rewards] ?? rewards;
}

const GOALS = {
  max_sd: (most) => `a standard deviation of at most ${exact(most)} pulls`,
  max_sd_share: (most) => `a standard deviation of pulls of at most ${exact(100 * most)} % of the rounds`,
  max_regret: (most) => `an expected loss of at most ${exact(most)}`,
  max_regret_share: (most) => `an expected loss of at most ${exact(100 * most)} % of all that could be lost`,
  valid_intervals: () => "valid ordinary intervals, at the lowest cost",
};

/** @param {Object|undefined} plan @returns {string} the goal that was planned for, and what met it */
export function goalWords(plan) {
  const { guaranteed, ...goal } = plan ?? {};
  const goals = Object.entries(goal).map(
    ([name, value]) => GOALS[name]?.(value) ?? `${name.replaceAll("_", " ")} ${value}`,
  );
  return goals.length ? `${goals.join(", ")}; by ${guaranteed ? "a guarantee" : "the prediction"}` : "";
}
