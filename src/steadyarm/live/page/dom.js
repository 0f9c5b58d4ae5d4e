/** Builds and changes elements. Data enters as text only, never as markup. */

/** @param {string} tag @param {Object} [properties] @param {...(Node|string|null)} children @returns {HTMLElement} */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name in made && !name.includes("-")) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** @param {string} id @returns {any} the element that the page has under this id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** Changes a text only if it differs, so that nobody is told again. @param {Node} node @param {string} text */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {number} milliseconds @returns {Promise<void>} */
export const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @param {string[]} cells @param {string} [className] @returns {HTMLElement} a row whose first cell is its heading */
export function row(cells, className = "") {
  const parts = cells.map((cell, place) =>
    place === 0 ? element("th", { scope: "row" }, cell) : element("td", { className: "n" }, cell),
  );
  return element("tr", { className }, ...parts);
}

/** Gives each cell the heading of its column, which a narrow screen shows beside it. @param {any} table @returns {any} it */
export function labelled(table) {
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const line of table.tBodies[0].rows) [...line.cells].forEach((cell, place) => (cell.dataset.label = heads[place]));
  return table;
}

/** Calls a function at most once in so many milliseconds, the last call always. @returns {() => void} */
export function seldom(milliseconds, work) {
  let last = -Infinity;
  let timer = 0;
  const run = () => {
    timer = 0;
    last = performance.now();
    work();
  };
  return () => {
    if (!timer) timer = setTimeout(run, Math.max(0, last + milliseconds - performance.now()));
  };
}
