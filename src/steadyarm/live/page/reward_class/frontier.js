/** The frontier chart: curve, guarantee, excluded region, alternatives, the chosen and the measured point. */

import { axis, chart, colour, decades, drawing, faint, font, join } from "../charts.js";

/** @param {HTMLElement} place @returns {{show: (plan: any, chosen: any, measured: any) => void}} */
export function frontierChart(place) {
  let plan = null;
  let chosen = null;
  let measured = null;
  const drawn = chart(place, () => options(() => ({ plan, chosen, measured })));
  return {
    show(nextPlan, nextChosen, nextMeasured) {
      const changed = plan?.curve !== nextPlan.curve;
      [plan, chosen, measured] = [nextPlan, nextChosen, nextMeasured];
      drawn.show(table(plan), changed);
    },
  };
}

const AWAY = [-14, 14, -28, 28, -42, 42, -56, -70, -84]; // pixels above or below a point where its label may stand

const column = (points, name) => points.map((point) => point[name]);

function table(plan) {
  const line = (points, x, y) => {
    const known = points.filter((point) => point[x] !== null && point[y] !== null);
    const each = [...new Map(known.map((point) => [point[x], point])).values()]; // one y for an x
    return [column(each, x), column(each, y)];
  };
  const promised = line(told(plan), "guaranteed_regret", "guaranteed_instability");
  return join([line(plan.curve, "regret", "instability"), line(plan.excluded, "regret", "instability"), promised]);
}

/** @returns {boolean} whether a theorem says more of a point's regret than that no more can be lost */
const tells = ({ guaranteed_regret: regret }, plan) => regret !== null && regret < (1 - 1e-9) * plan.most.regret;

/** @returns {any[]} the points of the curve where it does */
const told = (plan) => plan.curve.filter((point) => tells(point, plan));

/** @returns {{x: number[], y: number[]}} the ends of both axes */
function limits(plan, chosen) {
  const { horizon } = plan.policy;
  const known = plan.alternatives.filter(({ regret }) => regret !== null);
  const shown = [...plan.curve, ...known, chosen];
  const [regrets, spreads] = [column(shown, "regret"), column(shown, "instability")];
  const left = Math.min(...regrets, plan.excluded[0].regret) / 1.6;
  const right = Math.max(...regrets, ...column(told(plan), "guaranteed_regret")) * 1.6;
  return { x: [left, right], y: [Math.max(Math.min(...spreads) / 1.6, horizon * 1e-12), horizon] };
}

function options(now) {
  const log = (axisName) => ({ distr: 3, range: () => limits(now().plan, now().chosen)[axisName] });
  const ticks = (plot, number) =>
    decades(...(number === 0 ? [plot.scales.x.min, plot.scales.x.max] : [plot.scales.y.min, plot.scales.y.max]));
  const line = { spanGaps: true, points: { show: false } };
  return {
    scales: { x: { time: false, ...log("x") }, y: log("y") },
    axes: [
      axis("regret: expected reward lost", { splits: ticks, filter: (_, splits) => splits }),
      axis("spread: standard deviation of pulls", { splits: ticks, filter: (_, splits) => splits, size: 56 }),
    ],
    series: [
      {},
      { ...line, stroke: () => colour("ours"), width: 3 },
      { ...line, stroke: () => colour("soft"), width: 1.5 },
      { ...line, stroke: () => colour("ours"), width: 1.5, dash: [6, 5] },
    ],
    hooks: {
      drawAxes: [(plot) => drawing(plot, (pen, at, box) => excluded(pen, at, box, now()))],
      draw: [(plot) => drawing(plot, (pen, at, box) => points(pen, at, box, now()))],
    },
  };
}

function excluded(pen, at, box, { plan }) {
  const edge = plan.excluded.map((point) => at(point.regret, point.instability));
  pen.fillStyle = colour("shade");
  pen.beginPath();
  pen.moveTo(box.left, box.bottom);
  pen.lineTo(box.left, box.top);
  pen.lineTo(edge[0][0], box.top);
  for (const [x, y] of edge) pen.lineTo(x, y);
  pen.lineTo(edge.at(-1)[0], box.bottom);
  pen.fill();
  pen.fillStyle = colour("soft");
  pen.font = font(12);
  const fits = (lines) => {
    const top = box.bottom - 12 - 16 * lines.length;
    const end = Math.max(...edge.filter(([, y]) => y <= top).map(([x]) => x), box.left);
    return box.left + 20 + Math.max(...lines.map((line) => pen.measureText(line).width)) < end;
  };
  const words = [["no policy can be here", "(Theorem 1′)"], ["no policy", "(Theorem 1′)"], ["excluded"]].find(fits) ?? [];
  words.forEach((text, place) => write(pen, text, box.left + 10, box.bottom - 10 - 16 * (words.length - 1 - place)));
}

function points(pen, at, box, { plan, chosen, measured }) {
  const labels = [];
  for (const other of plan.alternatives.filter(({ regret }) => regret !== null)) {
    const [x, y] = at(other.regret, other.instability);
    diamond(pen, x, y, colour("rival"));
    labels.push({ x, y, text: other.title, colour: colour("rival-text"), weight: 400 });
  }
  if (tells(chosen, plan)) {
    const [x, y] = at(chosen.guaranteed_regret, chosen.guaranteed_instability);
    ring(pen, x, y, 5, colour("ours"), colour("card"));
    if (y > box.top)
      labels.push({
        x,
        y,
        text: box.right - box.left > 420 ? "guaranteed, SLE-UCB" : "guaranteed",
        colour: colour("good"),
        weight: 400,
        first: "left",
      });
  }
  const [x, y] = at(chosen.regret, chosen.instability);
  ring(pen, x, y, 8, colour("card"), colour("ours"));
  labels.push({ x, y, text: plan.policy_title, colour: colour("good"), weight: 600 });
  if (measured) errorBars(pen, at, measured, labels);
  const edge = plan.excluded.map((point) => at(point.regret, point.instability));
  const lines = [
    plan.curve.map((point) => at(point.regret, point.instability)),
    told(plan).map((point) => at(point.guaranteed_regret, point.guaranteed_instability)),
    [...edge, [edge.at(-1)[0], box.bottom]],
  ];
  place(pen, labels, lines, box);
}

function errorBars(pen, at, measured, labels) {
  const { regret, instability } = measured;
  const [x, y] = at(regret.value, instability.value);
  pen.strokeStyle = colour("ink");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(...at(regret.low ?? regret.value, instability.value));
  pen.lineTo(...at(regret.high ?? regret.value, instability.value));
  pen.moveTo(...at(regret.value, instability.low ?? instability.value));
  pen.lineTo(...at(regret.value, instability.high ?? instability.value));
  pen.stroke();
  pen.fillStyle = colour("ink");
  pen.fillRect(x - 3.5, y - 3.5, 7, 7);
  labels.push({ x, y, text: "measured", colour: colour("ink"), weight: 600, first: "left" });
}

/** Writes labels beside their points so that none lies on another label, on a point, on a line, or outside the chart. */
function place(pen, labels, lines, box) {
  const around = ([x, y], size) => ({ left: x - size, right: x + size, top: y - size, bottom: y + size });
  const taken = labels.map(({ x, y }) => around([x, y], 6));
  const drawn = lines.flatMap(dense).map((point) => around(point, 1));
  const clear = (others) => (spot) =>
    !others.some(
      (other) =>
        spot.left < other.right && spot.right > other.left && spot.top < other.bottom && spot.bottom > other.top,
    );
  for (const label of labels) {
    pen.font = font(12, label.weight);
    const width = pen.measureText(label.text).width;
    const spot = (left, middle) => ({ left, right: left + width, top: middle - 8, bottom: middle + 8 });
    const [right, left] = [label.x + 12, label.x - 12 - width];
    const inwards = Math.min(label.x, box.right - 4 - width);
    const sides = [
      spot(right, label.y),
      spot(left, label.y),
      ...AWAY.flatMap((away) => [right - 4, left + 4, inwards].map((x) => spot(x, label.y + away))),
    ];
    if (label.first === "left") [sides[0], sides[1]] = [sides[1], sides[0]];
    const inside = sides.filter(
      (each) =>
        each.left > box.left + 2 && each.right < box.right - 2 && each.top > box.top && each.bottom < box.bottom,
    );
    const free = inside.filter(clear(taken));
    const found = free.find(clear(drawn)) ?? free[0] ?? inside[0];
    if (!found) continue;
    taken.push(found);
    pen.fillStyle = label.colour;
    write(pen, label.text, found.left, found.bottom - 4);
  }
}

/** Writes with an edge around the letters, so that no line of the grid crosses them. */
function write(pen, text, x, y) {
  pen.lineWidth = 4;
  pen.strokeStyle = faint("card", 0.85);
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/** @param {number[][]} line @returns {number[][]} its points with others between them, a few pixels apart */
function dense(line) {
  return line.slice(1).flatMap(([x, y], place) => {
    const [fromX, fromY] = line[place];
    const steps = Math.min(Math.ceil(Math.hypot(x - fromX, y - fromY) / 4), 500);
    return Array.from({ length: steps + 1 }, (_, step) => [
      fromX + ((x - fromX) * step) / steps,
      fromY + ((y - fromY) * step) / steps,
    ]);
  });
}

function diamond(pen, x, y, fill) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.moveTo(x, y - 5.5);
  pen.lineTo(x + 5.5, y);
  pen.lineTo(x, y + 5.5);
  pen.lineTo(x - 5.5, y);
  pen.fill();
}

function ring(pen, x, y, radius, stroke, fill) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.strokeStyle = stroke;
  pen.lineWidth = 2.5;
  pen.stroke();
}
