/** A table of arms that is kept up to date in place, and sorted by its headings. */

import { element, say } from "./dom.js";

/**
 * @typedef {{title: string, numeric?: boolean, words: (row: any) => string, value: (row: any) => any}} Column
 * @param {HTMLElement} table @param {string} key the member that names a row
 */
export function sortedTable(table, key) {
  const kept = new Map();
  let columns = [];
  let sorted = { column: -1, down: true };
  let rows = [];
  const body = element("tbody");

  function heading() {
    const cells = columns.map((column, place) => {
      const press = element("button", { type: "button" }, column.title);
      press.onclick = () => {
        sorted = { column: place, down: sorted.column === place ? !sorted.down : Boolean(column.numeric) };
        for (const cell of cells) cell.removeAttribute("aria-sort");
        cells[place].setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
        fill();
      };
      return element("th", { scope: "col", className: column.numeric ? "n" : "" }, press);
    });
    table.replaceChildren(element("thead", {}, element("tr", {}, ...cells)), body);
  }

  function make(row) {
    const cells = columns.map((column, place) =>
      element(place ? "td" : "th", {
        className: column.numeric ? "n" : "",
        "data-label": column.title,
        ...(place ? {} : { scope: "row" }),
      }),
    );
    columns.forEach((column, place) => column.lead && cells[place].append(column.lead(row)));
    const texts = cells.map((cell) => cell.appendChild(document.createTextNode("")));
    return { line: element("tr", {}, ...cells), texts };
  }

  function fill() {
    const order = [...rows];
    const column = columns[sorted.column];
    if (column) {
      const sign = sorted.down ? -1 : 1;
      const compare = (one, other) =>
        typeof one === "string" ? one.localeCompare(other) : (one ?? -Infinity) - (other ?? -Infinity);
      order.sort((one, other) => sign * compare(column.value(one), column.value(other)));
    }
    order.forEach((row, place) => {
      if (!kept.has(row[key])) kept.set(row[key], make(row));
      const { line, texts } = kept.get(row[key]);
      columns.forEach((each, number) => say(texts[number], each.words(row)));
      if (body.children[place] !== line) body.insertBefore(line, body.children[place] ?? null);
    });
  }

  return {
    /** @param {Column[]} wanted @param {any[]} values */
    show(wanted, values) {
      if (wanted.map((column) => column.title).join() !== columns.map((column) => column.title).join()) {
        columns = wanted;
        kept.clear();
        body.replaceChildren();
        heading();
      }
      columns = wanted;
      rows = values;
      fill();
    },
  };
}
