/** Differences between arms: a row for each pair, with an interval that holds together with the others, p-values and a decision. */

import { row } from "./dom.js";
import { chance, fixed, interval, number } from "./words.js";

const SHOWN = 45; // all pairs of ten arms

/** @param {any} results @returns {string[]} the headings of the table */
export const differenceHeads = ({ level, differences }) => [
  "Arms",
  "Difference",
  `Interval ${number(100 * level)} %`,
  ...(onlyAnytime(differences) ? [] : ["p, planned end"]),
  "p, at any time",
  "Decision",
];

/** Whether the interval is anytime-valid itself, so that both p-values are one. */
const onlyAnytime = ({ method }) => method === "anytime";

/** @param {any} results @param {number} digits of rewards @returns {HTMLElement[]} its rows */
export const differenceRows = ({ differences }, digits) =>
  differences.rows
    .slice(0, SHOWN)
    .map((each) => {
      const line = row([
        `${each.arm} − ${each.other}`,
        fixed(each.value, digits),
        interval(each, digits),
        ...(onlyAnytime(differences) ? [] : [chance(each.p_value)]),
        chance(each.anytime_p_value),
        each.decision,
      ]);
      line.lastChild.className = "words";
      return line;
    });

/** @param {any} results @returns {string} which arm can be the best, by which intervals, and what p-values mean */
export function differenceWords({ differences }) {
  const more = differences.rows.length - SHOWN;
  return `${differences.words} ${differences.p_words}`.trim() + `${more > 0 ? ` ${number(more)} more rows are in the service’s answer.` : ""}`;
}
