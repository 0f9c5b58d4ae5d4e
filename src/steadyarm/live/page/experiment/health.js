/** Whether an experiment is healthy: each check in a sentence, and what is known of outcomes by arm. */

import { element, row } from "../dom.js";
import { parts } from "./strata.js";
import { duration, number, percent } from "../words.js";

const NAMES = { outcomes: "Outcomes", silence: "Silence", ratio: "Ratio", drift: "Drift", allocation: "Allocation" };

/** @param {any} health @returns {HTMLElement[]} a sentence for each check, those with an alarm marked */
export function healthNotes(health) {
  return parts(health).flatMap(([stratum, part]) =>
    Object.entries(NAMES).map(([name, title]) => {
      const check = part[name];
      const mark = check.alarm ? "problem" : "";
      return element("li", { className: mark }, `${stratum}${title}${check.alarm ? ", alarm" : ""}: ${check.words}`);
    }),
  );
}

/** @param {any} health @returns {string} what to say first */
export const healthWords = (health) =>
  health.alarms.length
    ? `${health.words} A healthy experiment has an alarm in all its life with probability ${percent(health.false_alarm_rate)} at most.`
    : health.words;

/** @param {any} health @returns {string[]} the headings, which say after how long an outcome is missing */
export function outcomeHeads(health) {
  const patience = parts(health)[0][1].outcomes.patience_seconds;
  const missing = patience ? `Missing after ${duration(patience)}` : "Missing: voided";
  return ["Arm", "Settled", missing, "Share missing", "Late", "Waiting", "Oldest", "Median lateness"];
}

/** @param {any} health @returns {HTMLElement[]} */
export function outcomeRows(health) {
  const span = (seconds) => (seconds === null ? "–" : duration(seconds));
  const arms = parts(health).flatMap(([stratum, part]) => (part.outcomes.arms ?? []).map((arm) => ({ ...arm, stratum })));
  return arms.map((arm) =>
    row([
      arm.stratum + arm.arm,
      number(arm.settled),
      number(arm.missing),
      percent(arm.share_missing),
      number(arm.late),
      number(arm.waiting),
      span(arm.oldest_waiting_seconds),
      span(arm.median_lateness_seconds),
    ]),
  );
}
