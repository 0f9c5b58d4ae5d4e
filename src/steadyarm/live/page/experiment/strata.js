/** The strata of an experiment, each with a play of its own: what is said of all of them, one after the other. */

import { row } from "../dom.js";
import { fixed, interval, number } from "../words.js";

/** @param {any} found results or health @returns {[string, any][]} each part with what goes before its words; one without strata */
export const parts = (found) => (found.strata?.length ? found.strata.map((part) => [`${part.stratum}: `, part]) : [["", found]]);

/** @param {any} results @returns {string[]} the headings of the table of strata */
export const strataHeads = ({ level }) => ["Stratum and arm", "Pulls", "Rewarded", "Mean", `Valid ${number(100 * level)} %`];

/** @param {any} results @param {number} digits of rewards @returns {HTMLElement[]} its rows; none without strata */
export const strataRows = ({ strata }, digits) =>
  strata.flatMap((stratum) =>
    stratum.arms.map((arm) =>
      row([`${stratum.stratum}: ${arm.arm}`, number(arm.count), number(arm.rewarded), fixed(arm.mean, digits), interval(arm.interval, digits)]),
    ),
  );
