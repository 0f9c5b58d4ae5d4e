/** The two pictures of a plan: the frontier of its class with the designs, and the traffic on the best variant. */

import { decades } from "../charts.js";
import { number, short } from "../words.js";
import { labels, path, picture, svg } from "./svg.js";

/** @returns {string} what a picture calls a design: of Steady the spread alone */
const nameOf = ({ design, spread }) => (spread === null ? design.replace(/ sampling|, guaranteed/, "") : number(spread));

/** @returns {number[]} up to six round numbers from nought to an end */
function round(end) {
  const [rough, unit] = [end / 4, 10 ** Math.floor(Math.log10(end / 4))];
  const step = unit * [1, 2, 5, 10].find((each) => each * unit > 0.8 * rough);
  return Array.from({ length: Math.floor(1.0001 * (end / step)) + 1 }, (_, place) => Number((place * step).toPrecision(12)));
}

const known = (value) => ({ value, low: value, high: value });

/** @returns {{design: any, lost: any, spread: any, measured: boolean}[]} where the designs are, as far as that is known */
const placesOf = ({ designs, measured }) =>
  designs.flatMap((design) => {
    const [row, { predicted }] = [measured.get(design.design), design];
    if (row) return [{ design, lost: row.lost_at_worst, spread: row.spread_at_worst, measured: true }];
    if (!predicted) return [];
    return [{ design, lost: known(predicted.lost_at_worst), spread: known(predicted.spread_at_worst), measured: false }];
  });

/** @param {HTMLElement} place @param {() => any} now what is shown @returns {{show: () => void}} */
export function frontierPicture(place, now) {
  return picture(place, () => {
    const { plan, chosen } = now();
    const places = placesOf(now());
    const spreads = places.map(({ spread }) => spread.value).filter((value) => value >= 1);
    const lost = places.flatMap(({ lost: { low, high } }) => [low, high]).filter((value) => value > 0);
    const floor = Math.min(...spreads, plan.curve[0].instability) / 4;
    const ceiling = 1.5 * Math.max(...places.map(({ spread }) => spread.high), plan.curve[0].instability);
    const left = Math.min(...lost, plan.curve[0].regret, plan.excluded[0].regret) / 1.4;
    const right = 1.7 * Math.max(...lost, plan.equal_shares_at_worst);
    const thing = plan.situation.is_rate ? "conversions" : "reward";
    return {
      label: "What designs lose at worst against how far their traffic spreads; the table has the numbers.",
      x: { low: left, high: right, log: true, at: decades(left, right), title: `${thing} lost at worst` },
      y: { low: floor, high: ceiling, log: true, at: decades(floor, ceiling), title: "spread at worst, visitors" },
      draw(box, at) {
        const inside = ([x, y]) => [x, Math.min(y, box.bottom - 7)]; // equal shares spread by nothing at all
        const edge = plan.excluded.map(({ regret, instability }) => at(regret, instability));
        const region = [[box.left, box.bottom], [box.left, box.top], [edge[0][0], box.top], ...edge, [edge.at(-1)[0], box.bottom]];
        const points = places.map((each) => {
          const [x, y] = inside(at(each.lost.value, Math.max(each.spread.value, floor)));
          return { ...each, x, y, is: each.design.design === chosen ? "chosen" : "" };
        });
        return [
          svg("path", { d: path(region), class: "shade" }),
          svg("path", { d: path(plan.curve.map(({ regret, instability }) => at(regret, instability))), class: "curve" }),
          ...points.flatMap((each) => mark(each, at, floor)),
          svg("text", { x: box.left + 8, y: box.bottom - 28, class: "label soft" }, "no design"),
          svg("text", { x: box.left + 8, y: box.bottom - 12, class: "label soft" }, "can be here"),
          ...labels(
            points.map(({ x, y, design, is, lost: { low, high } }) => ({
              ...{ x, y, text: nameOf(design), className: is },
              ...{ from: at(Math.max(low, 1e-9), 1)[0], to: at(high, 1)[0] },
            })),
            box,
          ),
        ];
      },
    };
  });
}

function mark({ x, y, is, measured, lost, spread }, at, floor) {
  const dot = svg("circle", { cx: x, cy: y, r: is ? 8 : 5, class: `dot ${is} ${measured ? "" : "predicted"}` });
  if (!measured) return [dot];
  const bars = [[at(Math.max(lost.low, 1e-9), 1)[0], y, at(lost.high, 1)[0], y]];
  if (spread.high > floor) bars.push([x, at(1, Math.max(spread.low, floor))[1], x, at(1, spread.high)[1]]);
  return [...bars.map(([x1, y1, x2, y2]) => svg("line", { x1, y1, x2, y2, class: `bar-of ${is}` })), dot];
}

/** @param {HTMLElement} place @param {() => any} now what is shown @returns {{show: () => void}} */
export function trafficPicture(place, now) {
  return picture(place, () => {
    const { plan, designs, measured, chosen } = now();
    const { horizon, per_day: perDay, n_arms: arms } = plan.situation;
    const end = perDay ? horizon / perDay : horizon;
    const steps = round(end);
    const names = perDay ? (at) => at.map((value) => short(value)) : undefined;
    const shares = [0, 0.25, 0.5, 0.75, 1];
    return {
      label: "Share of the traffic on the best variant over time; the table has its mean.",
      x: { low: 0, high: end, at: steps, words: names, title: perDay ? "days" : "visitors so far" },
      y: { low: 0, high: 1, at: shares, words: (at) => at.map((share) => `${100 * share} %`), title: "on the best variant" },
      draw(box, at) {
        const line = ({ rounds }, values) => values.map((value, place) => at((rounds[place] / horizon) * end, value));
        const rows = designs.map(({ design }) => measured.get(design)).filter(Boolean);
        const own = measured.get(chosen)?.over_time;
        const equal = at(end, 1 / arms)[1];
        const below = equal + 19 < box.bottom ? equal + 15 : equal - 8;
        const parts = rows
          .filter((row) => row.design !== chosen)
          .map((row) => svg("path", { d: path(line(row.over_time, row.over_time.share)), class: "other" }));
        if (own) {
          const band = [...line(own, own.low), ...line(own, own.high).reverse()];
          parts.push(svg("path", { d: `${path(band)}Z`, class: "band" }), svg("path", { d: path(line(own, own.share)), class: "curve" }));
        }
        const words = own ? chosen : rows.length ? "" : plan.simulation ? "being simulated …" : "";
        return [
          svg("line", { x1: box.left, x2: box.right, y1: equal, y2: equal, class: "fair" }),
          ...parts,
          svg("text", { x: box.right - 6, y: below, "text-anchor": "end", class: "label soft" }, `equal shares, ${Number((100 / arms).toPrecision(2))} %`),
          svg("text", { x: box.left + 8, y: box.top + 16, class: "label chosen" }, words),
        ];
      },
    };
  });
}
