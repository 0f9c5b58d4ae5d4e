/** What a team knows, as it is typed: read, kept in the address, and refused field by field. */

import { byId, element, say } from "../dom.js";
import { parse, rate } from "../numerals.js";
import { outcomes, tableOf } from "./past.js";

const WHOLE = ["arms", "horizon", "per_day"]; // where 2,000 has thousands
const ENDS = ["low_difference", "high_difference"];
const OF_KIND = ["baseline", "sd", "smallest_difference", ...ENDS]; // what conversions and revenue have each for themselves
const TEXTS = ["arms", "baseline", "sd", "smallest_difference", ...ENDS, "horizon", "per_day", "days", "delay_days"];
const UNITS = { baseline: "%", smallest_difference: "pp", low_difference: "pp", high_difference: "pp" };
const HEADINGS = { rate: "Conversion rate today", mean: "Mean today" };
const EXAMPLES = { baseline: "8", smallest_difference: "1", low_difference: "-2", high_difference: "3" }; // of means

/** What the service calls a field, and what the page calls it. The field where a refusal stands is the first one named. */
const NAMES = {
  n_arms: ["arms", "the number of variants"],
  arms: ["arms", "the number of variants"],
  smallest_difference: ["smallest_difference", "the smallest difference"],
  differences: ["low_difference", "plausible differences"],
  baseline: ["baseline", "today’s value"],
  horizon: ["horizon", "the visitors in total"],
  per_day: ["per_day", "the visitors per day"],
  delay_days: ["delay_days", "the days until an outcome is known"],
  daily: ["daily", "moving traffic once a day"],
  days: ["days", "the days"],
  noise_scale: ["sd", "the standard deviation"],
  sd: ["sd", "the standard deviation"],
  mean_bound: ["high_difference", "half the plausible range"],
};
const NAMED = new RegExp(`\\b(?:the |an )?(${Object.keys(NAMES).join("|")})\\b(?:=(?![\\w(-]))?`, "gi"); // an = without a value is Python's

export const kind = () => document.querySelector("[name=kind]:checked").value;
const labelOf = (id) => document.querySelector(`label[for=${id}]`).textContent;
const like = (id) => (kind() === "mean" && EXAMPLES[id]) || byId(id).dataset.like;

const typed = { rate: {}, mean: {} }; // what was typed of a kind of outcome before the other was chosen

/** Takes what was typed of the other kind of outcome away, and brings back what had been typed of this one. */
export function changeKind() {
  const before = kind() === "rate" ? "mean" : "rate";
  for (const id of OF_KIND) {
    typed[before][id] = byId(id).value;
    byId(id).value = typed[kind()][id] ?? "";
  }
}

/** Sets the form up: a place for what is wrong with each field. */
export function prepare() {
  for (const id of TEXTS) {
    byId(id).setAttribute("aria-describedby", `${id}-error`);
    byId(id).after(element("p", { id: `${id}-error`, className: "problem", role: "alert" }));
  }
}

/** Reads today's value off a file of past outcomes, whenever one is chosen. @param {(other: boolean) => void} taken it was, and outcomes are of another kind */
export function readPast(taken) {
  const [file, column] = [byId("past"), byId("column")];
  let table = { name: "", columns: [], rows: [] };
  const tried = (work) => {
    let problem = "";
    say(byId("past-words"), "");
    try {
      work();
    } catch (error) {
      problem = error.message;
    }
    say(byId("past-error"), problem);
    file.setAttribute("aria-invalid", String(Boolean(problem)));
  };
  const take = () => {
    if (column.value === "") return;
    const words = `${table.name}, column ${table.columns[column.value]}`;
    const { mean, sd, size } = outcomes(table.rows.map((row) => row[column.value]), words);
    const digits = (value) => String(Number(value.toPrecision(6)));
    const wanted = sd === null ? "rate" : "mean";
    const other = kind() !== wanted;
    if (other) {
      document.querySelector(`[name=kind][value=${wanted}]`).checked = true;
      changeKind();
    }
    byId("baseline").value = sd === null ? `${digits(100 * mean)} %` : digits(mean);
    if (sd !== null) byId("sd").value = digits(sd);
    const found = sd === null ? "all 0 or 1, a rate" : "their mean and standard deviation";
    say(byId("past-words"), `Read off ${size.toLocaleString("en")} past outcomes (${words}): ${found}. The file stays on this computer.`);
    taken(other);
  };
  file.addEventListener("click", () => (file.value = "")); // so that a file that was mended can be chosen again
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    byId("column-field").hidden = true;
    if (!chosen) return tried(() => {});
    const text = await chosen.text();
    tried(() => {
      table = { name: chosen.name, ...tableOf(text, chosen.name) };
      const several = table.columns.length > 1;
      const options = table.columns.map((name, place) => element("option", { value: String(place) }, name));
      column.replaceChildren(...(several ? [element("option", { value: "" }, "choose one …")] : []), ...options);
      byId("column-field").hidden = !several;
      take();
    });
  });
  column.addEventListener("change", () => tried(take));
}

/** Shows what is wrong, each thing at its field. @param {Object<string, string>} problems */
export function complain(problems) {
  for (const id of TEXTS) {
    byId(id).setAttribute("aria-invalid", String(Boolean(problems[id])));
    say(byId(`${id}-error`), problems[id] ?? "");
  }
  say(byId("form-error"), problems.form ?? "");
}

/** @param {string} refusal of the service @returns {Object<string, string>} it in the page's words, at its field */
export function placed(refusal) {
  const first = [...refusal.matchAll(NAMED)][0]?.[1].toLowerCase();
  const said = (name, at) => (name === "arms" && at ? "variants" : NAMES[name][1]); // a name at the start, a word elsewhere
  const own = refusal.replace(/ \([^()]*(\([^()]*\)[^()]*)?in Python and JSON\)/g, ""); // how a number is written elsewhere
  const words = own.replace(NAMED, (_, name, at) => said(name.toLowerCase(), at));
  const id = NAMES[first]?.[0] ?? "form";
  return { [TEXTS.includes(id) && !byId(id).closest("[hidden]") ? id : "form"]: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** @returns {{question: Object|null, problems: Object<string, string>}} what the form says */
export function read() {
  const rates = kind() === "rate";
  say(byId("baseline-label"), HEADINGS[kind()]);
  byId("sd-field").hidden = rates;
  const question = {};
  const problems = {};
  for (const id of TEXTS) {
    const text = byId(id).value.trim();
    if (id === "sd" && rates) continue;
    if (!text) {
      if (byId(id).required) problems[id] = `${labelOf(id)}: a number is needed, like ${like(id)}.`;
      continue;
    }
    const { value, unclear } = rates && id in UNITS ? rate(text, UNITS[id]) : parse(text, WHOLE.includes(id));
    if (unclear) problems[id] = unclear;
    else if (Number.isNaN(value)) problems[id] = `${labelOf(id)} must be a number; got “${text}”. Write it like ${like(id)}.`;
    else question[id] = value;
  }
  const [low, high] = ENDS.map((id) => byId(id).value.trim());
  if (Boolean(low) !== Boolean(high))
    problems[low ? ENDS[1] : ENDS[0]] = "Plausible differences have two ends. Give both, or none.";
  if (low && high) question.differences = ENDS.map((id) => question[id]);
  for (const id of ENDS) delete question[id];
  if (byId("daily").checked) question.daily = true;
  return { question: Object.keys(problems).length ? null : question, problems };
}

/** Says in grey what an empty field is taken to be. @param {any} situation as the service read it */
export function suggest(situation) {
  const scale = situation.is_rate ? 100 : 1;
  situation.differences.forEach((end, place) => {
    const size = Number((scale * end).toPrecision(4));
    byId(ENDS[place]).placeholder = `${size > 0 ? "+" : ""}${size}${situation.is_rate ? " pp" : ""}`.replace("-", "−");
  });
  byId("horizon").placeholder = situation.horizon.toLocaleString("en");
  byId("delay_days").placeholder = "0";
}

/** Puts the form into the address, as it was typed. @param {Object} chosen a spread or the name of a design */
export function remember(chosen) {
  const typed = TEXTS.map((id) => [id, byId(id).value.trim()]).filter(([, text]) => text);
  const parts = new URLSearchParams([["kind", kind()], ...typed]);
  if (kind() === "rate") parts.delete("sd");
  if (byId("daily").checked) parts.set("daily", "true");
  for (const [name, value] of Object.entries(chosen)) if (value !== null) parts.set(name, value);
  history.replaceState(null, "", `?${parts}`);
}

/** Fills the form from the address. @returns {{spread: number|null, design: string|null}} what was chosen */
export function recall() {
  const parts = new URLSearchParams(location.search);
  if (TEXTS.some((id) => parts.has(id))) {
    for (const id of TEXTS) byId(id).value = parts.get(id) ?? "";
    byId("daily").checked = parts.get("daily") === "true";
  }
  const wanted = [...document.querySelectorAll("[name=kind]")].find((each) => each.value === parts.get("kind"));
  if (wanted) wanted.checked = true;
  const spread = parse(parts.get("spread") ?? "").value;
  return { spread: spread > 0 ? spread : null, design: spread > 0 ? null : parts.get("design") };
}
