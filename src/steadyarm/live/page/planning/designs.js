/** The table of designs: what is measured with its error, what is predicted until then, and which one is chosen. */

import { sentence } from "../api.js";
import { element, labelled } from "../dom.js";
import { number } from "../words.js";

const two = (value) => Number(value.toPrecision(2)).toLocaleString("en");
/** Amounts and shares have no digit that their error hides. */
const size = (value, half = 0) => (Math.abs(value) >= 100 || half >= 1 ? Math.round(value).toLocaleString("en") : number(value));
const decimals = (half) => (half >= 0.0095 ? 0 : half >= 0.00095 ? 1 : 2);
const share = (value, half) => `${(100 * value).toFixed(half > 0 ? decimals(half) : 0)} %`;
const points = (half) => (100 * half).toFixed(decimals(half));
/** Whether an error reaches the last digit that is shown of an amount. */
const shows = (value, half) => half >= 0.5 * (Math.abs(value) >= 100 || half >= 1 || !value ? 1 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2));

/** @returns {{name: string, words: Function, error?: Function}[]} the columns of a plan */
function columns({ situation }) {
  const width = (value) => (situation.is_rate ? `${Number((100 * value).toPrecision(2))} pp` : number(value));
  return [
    { name: "lost", words: size, error: two },
    { name: "lost_at_smallest", words: size, error: two },
    { name: "lost_at_worst", words: size, error: two },
    { name: "least_at_worst", words: size },
    { name: "spread", words: size, error: two },
    { name: "best_share", words: share, error: points },
    { name: "finds_best", words: share, error: points },
    { name: "power", words: share, error: points },
    { name: "width", words: width },
  ];
}

function cell({ name, words, error }, row, predicted, pending) {
  const found = row?.[name];
  if (found === undefined || found === null) {
    const expected = predicted?.[name];
    const text = expected === undefined ? (pending ? "…" : "–") : `about ${words(expected)}`;
    return element("td", { className: "n" }, element("span", { className: "waiting" }, text));
  }
  if (typeof found === "number") return element("td", { className: "n" }, words(found)); // a theorem has no error
  const half = (found.high - found.low) / 2;
  const off = (words !== size || shows(found.value, half)) && error ? error(half) : "";
  const give = /[1-9]/.test(off) ? [" ", element("small", {}, `± ${off}`)] : [];
  if (name === "width" && row.interval !== "ordinary") give.push(" ", element("small", {}, row.interval));
  return element("td", { className: "n" }, element("span", {}, words(found.value, half), ...give));
}

/**
 * Fills the table.
 * @param {any} table @param {any} plan @param {any[]} designs of the plan, the chosen spread among them
 * @param {Map<string, any>} measured by name
 * @param {{recommended: string|null, chosen: string|null, pending: boolean}} which of them, and whether numbers are to come
 * @param {(name: string) => void} choose
 */
export function showDesigns(table, plan, designs, measured, { recommended, chosen, pending }, choose) {
  const wanted = columns(plan);
  const heads = wanted.map(({ name }) => element("th", { scope: "col", className: "n" }, sentence(plan.headings[name])));
  table.tHead.rows[0].replaceChildren(element("th", { scope: "col" }, sentence(plan.headings.design)), ...heads);
  const focused = document.activeElement?.name === "chosen";
  const lines = designs.map((design) => {
    const radio = element("input", { type: "radio", name: "chosen", value: design.design, checked: design.design === chosen });
    radio.onchange = () => choose(design.design);
    const badge = design.design === recommended ? element("small", { className: "badge" }, "recommended") : null;
    const label = element("label", {}, radio, element("span", {}, design.design, ...(badge ? [" ", badge] : [])));
    const cells = wanted.map((column) => cell(column, measured.get(design.design), design.predicted, pending || design.simulation));
    return element(
      "tr",
      { className: design.design === chosen ? "chosen" : "" },
      element("th", { scope: "row" }, label),
      ...cells,
    );
  });
  table.tBodies[0].replaceChildren(...lines);
  labelled(table);
  if (focused) table.querySelector("input:checked")?.focus();
}
