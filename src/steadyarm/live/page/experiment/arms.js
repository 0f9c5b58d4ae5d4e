/** What is known of each arm: the columns of the table, with the indices for those who may see them. */

import { swatch } from "./allocation.js";
import { fixed, interval, number, percent, plusMinus } from "../words.js";

/** @param {any} results @param {any} indices of the arms, or null @returns {any[]} one row for each arm */
export function armRows(results, indices) {
  const predicted = results.prediction.available ? results.prediction.arms : [];
  return results.arms.map((arm, place) => ({
    ...arm,
    place,
    predicted: predicted[place] ?? null,
    index: indices?.arms[place] ?? null,
  }));
}

/** @param {any} results @param {any} indices @param {Map<number, number>} ranks of the colours @param {number} digits of rewards @returns {import("../table.js").Column[]} */
export function armColumns(results, indices, ranks, digits) {
  const level = `${number(100 * results.level)} %`;
  const column = (title, words, value) => ({ title, words, value, numeric: true });
  const apart = results.strata.length > 0; // then only each stratum has predictions, ordinary intervals and indices
  const columns = [
    {
      title: "Arm",
      words: (arm) => ` ${arm.arm}${arm.retired ? " (retired)" : ""}`,
      value: (arm) => arm.arm,
      lead: (arm) => swatch(ranks.get(arm.place)),
    },
    column(
      "Pulls",
      (arm) => number(arm.count),
      (arm) => arm.count,
    ),
    column(
      "Share",
      (arm) => percent(arm.share),
      (arm) => arm.share,
    ),
    !apart &&
      column(
        "Predicted",
        (arm) => (arm.predicted ? plusMinus(arm.predicted.predicted, arm.predicted.sd) : "–"),
        (arm) => arm.predicted?.predicted,
      ),
    column(
      "Waiting",
      (arm) => number(arm.outstanding),
      (arm) => arm.outstanding,
    ),
    column(
      "Mean",
      (arm) => fixed(arm.mean, digits),
      (arm) => arm.mean,
    ),
    column(
      `Anytime-valid ${level}`,
      (arm) => interval(arm.anytime, digits),
      (arm) => arm.anytime.low,
    ),
    !apart &&
      column(
        `${results.intervals.ordinary_title} ${level}`,
        (arm) => interval(arm[results.intervals.ordinary], digits),
        (arm) => arm[results.intervals.ordinary].low,
      ),
  ].filter(Boolean);
  if (indices && !apart) {
    columns.push(
      column(
        "Envelope",
        (arm) => fixed(arm.index?.envelope, digits),
        (arm) => arm.index?.envelope,
      ),
      column(
        "Stabilizer",
        (arm) => fixed(arm.index?.stabilizer, digits),
        (arm) => arm.index?.stabilizer,
      ),
      column(
        "Index",
        (arm) => fixed(arm.index?.index, digits),
        (arm) => arm.index?.index,
      ),
      column(
        "Priority",
        (arm) => number(arm.index?.priority),
        (arm) => arm.index?.priority,
      ),
    );
  }
  return columns;
}
