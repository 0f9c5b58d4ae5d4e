/** What both charts share: uPlot, the colours of the page, axes, and drawing again when size or theme change. */

import { ticks } from "./words.js";

const { uPlot } = window;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} name @returns {string} a colour of the stylesheet */
export const colour = (name) => getComputedStyle(document.body).getPropertyValue(`--${name}`).trim();

/** @param {string} name @param {number} share @returns {string} a colour made lighter */
export const faint = (name, share) => `color-mix(in srgb, ${colour(name)} ${100 * share}%, transparent)`;

/** The font of the page at the size of a chart's words. @param {number} [size] */
export const font = (size = 12, weight = 400) => `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;

/** @param {string} label @param {Object} [more] @returns {Object} an axis, logarithmic if `more` has its places for ticks */
export const axis = (label, more = {}) => ({
  label,
  labelSize: 24,
  size: 36,
  labelFont: font(13),
  font: font(12),
  stroke: () => colour("soft"),
  grid: { stroke: () => colour("line"), width: 1 },
  ticks: { stroke: () => colour("line"), width: 1, size: 4 },
  values: (_, splits) => ticks(splits, Boolean(more.splits)),
  ...more,
});

/** Places for ticks of a logarithmic axis: powers of ten, with 2 and 5 between them where there is room. */
export function decades(low, high) {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const steps = last - first <= 3 ? [1, 2, 5] : [1];
  const every = Math.ceil((last - first) / 9);
  const found = [];
  for (let power = first; power <= last; power += every) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  }
  return found;
}

/**
 * A chart that fits its place.
 * @param {HTMLElement} place
 * @param {(size: {width: number, height: number}) => Object} options
 * @returns {{show: (data: any[], changed?: boolean) => void}} `changed` says that the options changed too
 */
export function chart(place, options) {
  let plot = null;
  let data = null;
  const size = () => ({ width: place.clientWidth, height: place.clientHeight });
  const build = () => {
    if (!data || !place.clientWidth) return;
    plot?.destroy();
    const common = {
      legend: { show: false },
      cursor: { show: false },
      select: { show: false },
      padding: [8, 16, 0, 0],
    };
    plot = new uPlot({ ...common, ...size(), ...options(size()) }, data, place);
  };
  new ResizeObserver(() => plot && (plot.width !== place.clientWidth ? plot.setSize(size()) : null)).observe(place);
  dark.addEventListener("change", build);
  return {
    show(values, changed = true) {
      data = values;
      if (changed || !plot) build();
      else plot.setData(data);
    },
  };
}

/** Joins tables with different x by their x. */
export const join = (tables) => uPlot.join(tables);

/** Lets a drawing use pixels of the screen, whatever its density. @param {any} plot @param {(pen: any, at: Function) => void} draw */
export function drawing(plot, draw) {
  const pen = plot.ctx;
  const density = devicePixelRatio || 1;
  pen.save();
  pen.beginPath();
  pen.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  pen.clip();
  pen.scale(density, density);
  Object.assign(pen, { textAlign: "left", textBaseline: "alphabetic", lineCap: "round", lineJoin: "round" });
  pen.setLineDash([]);
  const at = (x, y) => [plot.valToPos(x, "x", true) / density, plot.valToPos(y, "y", true) / density];
  const [left, top] = [plot.bbox.left / density, plot.bbox.top / density];
  draw(pen, at, { left, top, right: left + plot.bbox.width / density, bottom: top + plot.bbox.height / density });
  pen.restore();
}
