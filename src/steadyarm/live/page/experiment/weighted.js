/** Means and differences weighted by logged probabilities, where a share of the rounds is given at random. */

import { row } from "../dom.js";
import { fixed, interval, number } from "../words.js";

/** @param {any} results @returns {string[]} the headings of the table */
export const weightedHeads = ({ level }) => {
  const size = `${number(100 * level)} %`;
  return ["Arm, or arms", "Weighted", `At the planned end ${size}`, `At any time ${size}`];
};

/** @param {any} results @param {number} digits of rewards @returns {HTMLElement[]} its rows: the means, then the differences */
export function weightedRows({ weighted }, digits) {
  const line = (name, value, each) =>
    row([name, fixed(value, digits), interval(each.wald, digits), interval(each.anytime, digits)]);
  return [
    ...weighted.arms.map((each) => line(each.arm, each.mean, each)),
    ...weighted.differences.map((each) => line(`${each.arm} − ${each.other}`, each.value, each)),
  ];
}
