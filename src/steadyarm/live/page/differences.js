/** Differences between arms: a row for each pair, with an interval that holds together with the others, and a decision. */

import { row } from "./dom.js";
import { fixed, interval, number } from "./words.js";

const SHOWN = 45; // all pairs of ten arms

/** @param {any} results @returns {string[]} the headings of the table */
export const differenceHeads = ({ level }) => ["Arms", "Difference", `Interval ${number(100 * level)} %`, "Decision"];

/** @param {any} results @param {number} digits of rewards @returns {HTMLElement[]} its rows */
export const differenceRows = ({ differences }, digits) =>
  differences.rows
    .slice(0, SHOWN)
    .map((each) => {
      const line = row([`${each.arm} − ${each.other}`, fixed(each.value, digits), interval(each, digits), each.decision]);
      line.lastChild.className = "words";
      return line;
    });

/** @param {any} results @returns {string} which arm can be the best, and by which intervals */
export function differenceWords({ differences }) {
  const more = differences.rows.length - SHOWN;
  return `${differences.words}${more > 0 ? ` ${number(more)} more rows are in the service’s answer.` : ""}`;
}
