/** The list of experiments: state, progress, rewards outstanding, health of the journal. */

import { get, Offline, pagePath, sentence } from "./api.js";
import { byId, element, say } from "./dom.js";
import { begin, offline, passing, refused } from "./frame.js";
import { limits } from "./limits.js";
import { moment, number, percent, some } from "./words.js";

const REFRESH_EVERY = 2000; // milliseconds
let pages = 1;

const fact = (name, value, title) => [element("dt", {}, name), element("dd", { title }, value)];

function tile(found) {
  const head = element(
    "div",
    { className: "heading" },
    element("h2", {}, element("a", { href: pagePath(found.experiment) }, found.experiment)),
    element("span", { className: `state ${found.state}` }, found.state),
  );
  if (found.state === "damaged")
    return element("article", { className: "card tile" }, head, element("p", { className: "problem" }, sentence(found.detail)));
  const share = found.round / found.horizon;
  const waiting = found.outstanding
    ? `${number(found.outstanding)}, ${percent(found.outstanding / found.round)} of the units`
    : "none";
  return element(
    "article",
    { className: "card tile" },
    head,
    found.configuration.description
      ? element("p", { className: "hint few-lines" }, found.configuration.description)
      : null,
    element("progress", { max: 1, value: share, "aria-label": `Rounds of ${found.experiment}` }),
    element(
      "dl",
      {},
      ...fact("Rounds", `${number(found.round)} of ${number(found.horizon)}`),
      ...fact("Arms", number(found.configuration.arms.length)),
      ...fact("Outstanding", waiting),
      ...fact("Journal", `${some(found.seq, "entry", "entries")}, head ${found.hash.slice(0, 8)}…`, found.hash),
      ...fact("Created", moment(found.created_at)),
    ),
  );
}

const nothing = () =>
  element(
    "div",
    { className: "card empty" },
    element("h2", {}, "No experiments yet"),
    element("p", { className: "hint" }, "Plan one, and create it from there."),
    element("a", { className: "button", href: "/" }, "Plan an experiment"),
  );

let shown = "";
async function refresh() {
  try {
    const found = [];
    let more = true;
    for (let page = 0; page < pages && more; page += 1) {
      const after = found.length ? `?after=${encodeURIComponent(found.at(-1).experiment)}` : "";
      const { experiments } = await get(`/v1/experiments${after}`);
      found.push(...experiments);
      more = experiments.length === limits.listed;
    }
    const ready = await get("/readyz").then(
      () => true,
      (error) => (error instanceof Offline ? Promise.reject(error) : false),
    );
    offline(false);
    say(byId("problem"), "");
    say(
      byId("service"),
      ready
        ? `${more ? "The first " : ""}${some(found.length, "experiment")}. The journal can be written.`
        : "The journal cannot be written now: allocations are refused until it can.",
    );
    const next = JSON.stringify(found);
    if (next !== shown) {
      shown = next;
      const held = byId("list").contains(document.activeElement) ? document.activeElement.href : null;
      byId("list").replaceChildren(...(found.length ? found.map(tile) : [nothing()]));
      if (held) [...byId("list").querySelectorAll("a")].find((link) => link.href === held)?.focus();
    }
    byId("more").hidden = !more;
  } catch (error) {
    say(byId("service"), "");
    if (error.status === 401) say(byId("problem"), "Sign in to see the experiments.");
    refused(error, byId("problem"));
    if (!passing(error)) return;
  }
  setTimeout(refresh, REFRESH_EVERY);
}

byId("more").onclick = () => {
  pages += 1;
};
await begin();
refresh();
