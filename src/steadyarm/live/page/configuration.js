/** The configuration of an experiment in words and units. */

import { exact, short, some } from "./words.js";

/** @param {any} policy @returns {any} the one that is followed, within quotas or between random rounds */
export const followed = (policy) => policy.of ?? policy;

/** @param {any} policy @returns {string} what is set on it: α = 2, or a spread of 300 pulls; its title tells the rest */
export const settings = (policy) => {
  const { alpha, beta, spread } = followed(policy);
  return [alpha && `α = ${short(alpha)}`, beta && `β = ${short(beta)}`, spread && `a spread of ${exact(spread)} pulls`]
    .filter(Boolean)
    .join(", ");
};

const QUOTAS = { at_least: "at least", at_most: "at most", exactly: "exactly" };

/** @param {any} configuration @returns {string} what was declared of the traffic: control at least 20 %; 10 % held out */
export function trafficWords({ traffic, holdout, strata }) {
  const share = (value) => `${exact(100 * value)} %`;
  const quotas = Object.entries(traffic ?? {}).map(
    ([arm, said]) => `${arm} ${Object.entries(said).map(([kind, value]) => `${QUOTAS[kind]} ${share(value)}`).join(" and ")}`,
  );
  const held = holdout && `${share(holdout.share)} held out${holdout.arm ? ` with ${holdout.arm}` : ""}`;
  return [quotas.join(", "), held, strata && `strata ${strata.join(", ")}`].filter(Boolean).join("; ");
}

/**
 * @param {any} configuration @param {number|null} [perDay] units a day, if that is known
 * @returns {string} when the policy learns: after every 1,000 units (about 1 day); empty if from each outcome at once
 */
export function learningWords({ batch = 1, delay = 0 }, perDay = null) {
  const days = (units) => Number((units / (perDay ?? NaN)).toPrecision(2));
  const units = (many) => some(many, "unit") + (perDay ? ` (about ${some(days(many), "day")})` : "");
  const when = batch > 1 && `after every ${units(batch)}`;
  return [when, delay && `from outcomes at least ${units(delay)} old`].filter(Boolean).join(", ");
}

/** @param {any} configuration @returns {string} what its rewards are */
export function rewardKind({ rewards, low, high }) {
  const kinds = {
    bernoulli: "0 or 1",
    bounded: `between ${exact(low)} and ${exact(high)}`,
    gaussian: "any number",
  };
  return kinds[rewards] ?? rewards;
}
