/** The allocation over time: pulls of each arm, and the band where a prediction puts them. */

import { axis, chart, colour, drawing, faint } from "../charts.js";
import { byId, element } from "../dom.js";
import { some } from "../words.js";

const COLOURED = 7;

/** Which arms have a colour: all if they are few, else those with most pulls. @param {any} history @returns {Map<number, number>} */
export function colouring(history) {
  const order = history.arms.map((arm, place) => [arm.counts.at(-1), place]);
  if (order.length > COLOURED) order.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
  return new Map(order.slice(0, COLOURED).map(([, place], rank) => [place, rank]));
}

/** @param {number|undefined} rank @returns {HTMLElement} */
export const swatch = (rank) =>
  element("span", { className: `swatch ${rank === undefined ? "" : `arm-${rank}`}`, "aria-hidden": "true" });

/** Names the coloured arms. @param {HTMLElement} place @param {any} history @param {Map<number, number>} ranks */
export function legend(place, history, ranks) {
  const entries = [...ranks]
    .sort((one, other) => one[1] - other[1])
    .map(([arm, rank]) => element("li", {}, swatch(rank), history.arms[arm].arm));
  const others = history.arms.length - ranks.size;
  if (others > 0) entries.push(element("li", {}, swatch(undefined), some(others, "other")));
  place.replaceChildren(...entries);
}

/** @param {HTMLElement} place @returns {{show: (history: any, ranks: Map<number, number>, whole: boolean) => void}} */
export function allocationChart(place) {
  let now = null;
  const drawn = chart(place, () => options(() => now));
  return {
    show(history, ranks, whole) {
      const changed = !now || now.ranks !== ranks || now.whole !== whole;
      now = { history, ranks, whole };
      const order = history.arms
        .map((_, arm) => arm)
        .sort((one, other) => (ranks.has(one) ? 1 : 0) - (ranks.has(other) ? 1 : 0));
      now.order = order;
      drawn.show([history.rounds, ...order.map((arm) => history.arms[arm].counts)], changed);
    },
  };
}

function options(now) {
  const { order, ranks } = now();
  const last = () => Math.max(now().whole ? now().history.horizon : now().history.rounds.at(-1), 1);
  const stroke = (arm) => () => colour(ranks.has(arm) ? `arm-${ranks.get(arm)}` : "arm-other");
  return {
    scales: { x: { time: false, range: () => [0, last()] }, y: { range: () => [0, highest(now(), last())] } },
    axes: [axis("round", { space: 72 }), axis("pulls", { size: 52 })],
    series: [
      {},
      ...order.map((arm) => ({ stroke: stroke(arm), width: ranks.has(arm) ? 2 : 1, points: { show: false } })),
    ],
    hooks: { drawAxes: [(plot) => drawing(plot, (pen, at, box) => band(pen, at, box, now()))] },
  };
}

/** The top of the chart: above all counts, and above the predicted ones where those are shown. */
function highest({ history, whole }, last) {
  let most = 5;
  for (const { counts } of history.arms) most = Math.max(most, counts.at(-1));
  if (history.band.available && whole) {
    const { counts, sd, deviations } = history.band;
    counts.forEach((each, arm) => (most = Math.max(most, each.at(-1) + deviations * (sd[arm].at(-1) ?? 0))));
  }
  return Math.min(1.08 * most, Math.max(last, 5));
}

function band(pen, at, box, { history, ranks }) {
  const { available, rounds, counts, sd, deviations } = history.band;
  if (!available) return;
  const ink = Math.min(0.18, 0.5 / ranks.size); // bands that lie on each other stay light
  for (const [arm, rank] of ranks) {
    const edge = (sign) =>
      rounds.map((round, place) =>
        at(round, Math.min(Math.max(counts[arm][place] + sign * deviations * (sd[arm][place] ?? 0), 0), round)),
      );
    const path = [...edge(1), ...edge(-1).reverse()];
    pen.beginPath();
    path.forEach(([x, y], place) => (place ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.fillStyle = faint(`arm-${rank}`, ink);
    pen.fill();
    pen.beginPath();
    rounds.forEach((round, place) => pen[place ? "lineTo" : "moveTo"](...at(round, counts[arm][place])));
    pen.setLineDash([4, 4]);
    pen.lineWidth = 1;
    pen.strokeStyle = faint(`arm-${rank}`, 0.7);
    pen.stroke();
    pen.setLineDash([]);
  }
}

/** Says what the band is. @param {any} history @returns {string} */
export function bandWords({ band: found }) {
  if (!found.available) return `Lines: pulls so far. No predicted band: ${found.reason}.`;
  const rough = found.trusted ? "" : ` Rough here: ${found.reason}.`;
  const by = found.simulated_runs ? `${some(found.simulated_runs, "simulated run")}, told as late,` : "the prediction";
  return `Lines: pulls so far. Bands: ${by} for arms with the means seen so far, ± ${found.deviations} standard deviations.${rough}`;
}

/** Puts the legend, the words and the chart of a page up to date. */
export function showAllocation(drawn, history, ranks, whole) {
  legend(byId("legend"), history, ranks);
  byId("band-words").textContent = bandWords(history);
  drawn.show(history, ranks, whole);
}
