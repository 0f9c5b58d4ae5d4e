/** Pictures as SVG: their colours follow the stylesheet, so they are right in the dark and on paper, and sharp on both. */

import { ticks } from "../words.js";

const SPACE = "http://www.w3.org/2000/svg";
const MARGIN = { left: 60, right: 20, top: 10, bottom: 46 };

/** @param {string} tag @param {Object} [attributes] @param {...(Node|string)} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** @param {number[][]} points @returns {string} a path through them */
export const path = (points) => points.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/**
 * A picture in its place: two axes and what is drawn between them, drawn again when the place gets another width.
 * @param {HTMLElement} place
 * @param {(frame: any) => {label: string, x: any, y: any, draw: (box: any, at: Function) => Node[]}} describe
 */
export function picture(place, describe) {
  const draw = () => {
    const width = Math.max(place.clientWidth, 280);
    const height = Math.round(Math.min(340, Math.max(260, 0.66 * width)));
    const { label, x, y, draw: inner } = describe();
    const box = { left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
    const along = ({ low, high, log }, from, to) => {
      const [start, end] = log ? [Math.log(low), Math.log(high)] : [low, high];
      return (value) => from + ((to - from) * ((log ? Math.log(value) : value) - start)) / (end - start);
    };
    const [toX, toY] = [along(x, box.left, box.right), along(y, box.bottom, box.top)];
    const clip = `${place.id}-box`;
    const edges = { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
    const words = svg("g", { class: "axes" }, ...horizontal(x, toX, box), ...vertical(y, toY, box));
    const content = inner(box, (one, other) => [toX(one), toY(other)]);
    place.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
        svg("clipPath", { id: clip }, svg("rect", edges)),
        words,
        svg("g", { "clip-path": `url(#${clip})` }, ...content),
      ),
    );
  };
  let last = 0;
  let known = false;
  new ResizeObserver(() => {
    if (known && place.clientWidth && place.clientWidth !== last) show();
  }).observe(place);
  function show() {
    last = place.clientWidth;
    known = true;
    draw();
  }
  return { show };
}

const written = ({ at, words, log }) => words?.(at) ?? ticks(at, Boolean(log));

function horizontal(axis, to, box) {
  const names = written(axis);
  const marks = axis.at.flatMap((value, place) => [
    svg("line", { x1: to(value), x2: to(value), y1: box.top, y2: box.bottom, class: "grid" }),
    svg("text", { x: to(value), y: box.bottom + 18, "text-anchor": "middle" }, names[place]),
  ]);
  const middle = { x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle" };
  return [...marks, svg("text", middle, axis.title)];
}

function vertical(axis, to, box) {
  const names = written(axis);
  const marks = axis.at.flatMap((value, place) => [
    svg("line", { x1: box.left, x2: box.right, y1: to(value), y2: to(value), class: "grid" }),
    svg("text", { x: box.left - 8, y: to(value) + 4, "text-anchor": "end" }, names[place]),
  ]);
  const middle = (box.top + box.bottom) / 2;
  return [...marks, svg("text", { "text-anchor": "middle", transform: `translate(14 ${middle}) rotate(-90)` }, axis.title)];
}

/** Writes labels beside their points, none on another one or on a point. @param {any[]} labels @param {any} box */
export function labels(wanted, box) {
  const taken = wanted.flatMap(({ x, y, from = x, to = x }) => [
    { left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 },
    { left: from, right: to, top: y - 1, bottom: y + 1 },
  ]);
  const clear = (spot) =>
    taken.every(
      (other) =>
        spot.right < other.left || spot.left > other.right || spot.bottom < other.top || spot.top > other.bottom,
    );
  return wanted.flatMap(({ x, y, text, className = "" }) => {
    const width = 6.7 * text.length;
    const spots = [0, -16, 16, -30, 30].flatMap((away) =>
      [x + 12, x - 12 - width].map((left) => ({ left, right: left + width, top: y + away - 7, bottom: y + away + 7 })),
    );
    const inside = spots.filter(
      (spot) => spot.left > box.left && spot.right < box.right && spot.top > box.top && spot.bottom < box.bottom,
    );
    const spot = inside.find(clear) ?? inside[0];
    if (!spot) return [];
    taken.push(spot);
    return [svg("text", { x: spot.left, y: spot.bottom - 3, class: `label ${className}` }, text)];
  });
}
