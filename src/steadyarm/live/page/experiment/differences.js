/** Differences between arms: a row for each pair, with an interval that holds together with the others, p-values and a decision. */

import { row } from "../dom.js";
import { limits } from "../limits.js";
import { parts } from "./strata.js";
import { chance, fixed, interval, number } from "../words.js";

/** @param {any} results @returns {string[]} the headings of the table */
export const differenceHeads = (results) => [
  "Arms",
  "Difference",
  `Interval ${number(100 * results.level)} %`,
  ...(onlyAnytime(results) ? [] : ["p, planned end"]),
  "p, at any time",
  "Decision",
];

/** Whether the interval is anytime-valid itself, so that both p-values are one. */
const onlyAnytime = (results) => parts(results).every(([, { differences }]) => differences.method === "anytime");

const all = (results) =>
  parts(results).flatMap(([stratum, { differences }]) => differences.rows.map((each) => ({ ...each, stratum })));

/** @param {any} results @param {number} digits of rewards @returns {HTMLElement[]} its rows, by stratum */
export const differenceRows = (results, digits) =>
  all(results)
    .slice(0, limits.pairs)
    .map((each) => {
      const line = row([
        `${each.stratum}${each.arm} − ${each.other}`,
        fixed(each.value, digits),
        interval(each, digits),
        ...(onlyAnytime(results) ? [] : [chance(each.p_value)]),
        chance(each.anytime_p_value),
        each.decision,
      ]);
      line.lastChild.className = "words";
      return line;
    });

/** @param {any} results @returns {string} which arm can be the best, by which intervals, and what p-values mean */
export function differenceWords(results) {
  const words = parts(results).map(([stratum, { differences }]) => `${stratum}${differences.words}`);
  const more = all(results).length - limits.pairs;
  const left = more > 0 ? `${number(more)} more rows are in the service’s answer.` : "";
  const meaning = parts(results)[0][1].differences.p_words; // the same in every stratum
  return [...words, meaning, left].filter(Boolean).join(" ");
}
