/** The dialog that creates an experiment from a plan: exactly what it says, under names that are typed. */

import { call, experimentPath, Offline, pagePath, Problem } from "./api.js";
import { learningWords } from "./configuration.js";
import { element, say } from "./dom.js";
import { signIn } from "./frame.js";
import { exact, number, some } from "./words.js";

/**
 * @param {{arms: number, words: string, experiment: Object, names?: string[], about?: string, perDay?: number|null}} planned
 *   what is created, in words and as the service takes it
 * @param {boolean} allowed whether the token may create
 */
export function createDialog({ arms, words, experiment, names = [], about: told = "", perDay = null }, allowed) {
  if (!allowed) {
    signIn("To create an experiment sign in with a token of scope admin.");
    return;
  }
  const name = element("input", {
    id: "experiment-name",
    required: true,
    autocomplete: "off",
    spellcheck: false,
    maxLength: 128,
    pattern: "\\s*[A-Za-z0-9_][A-Za-z0-9_.:@+=~\\-]*\\s*",
    title: "Letters from a to z, digits and _ . : @ + = ~ -; the first must be a letter, a digit or _",
  });
  const list = element("textarea", { id: "arm-names", rows: Math.min(arms, 6), spellcheck: false });
  list.value = Array.from({ length: arms }, (_, place) => names[place] ?? `arm ${place + 1}`).join("\n");
  const about = element("input", { id: "experiment-description", autocomplete: "off", maxLength: 1000, value: told });
  const problem = element("p", { className: "problem", role: "alert" });
  const form = element(
    "form",
    {},
    element("h2", { id: "create-title" }, "Create experiment"),
    element(
      "p",
      { className: "hint" },
      `${number(arms)} arms, ${number(experiment.horizon)} rounds, ${words}.${learning(experiment, perDay)}${silence(experiment)} The configuration never changes afterwards.`,
    ),
    element("label", {}, "Name ", name),
    element("label", {}, "Arms, one per line ", list),
    element("label", {}, "Description (optional) ", about),
    problem,
    element(
      "div",
      { className: "actions" },
      element("button", { className: "primary" }, "Create"),
      element("button", { type: "button", className: "quiet", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  const dialog = element("dialog", { "aria-labelledby": "create-title", onclose: () => dialog.remove() }, form);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const given = list.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    if (given.length !== arms)
      return say(
        problem,
        `The plan is for ${some(arms, "arm")}, and ${some(given.length, "name")} ${given.length === 1 ? "is" : "are"} given.`,
      );
    const body = { ...experiment, arms: given, description: about.value.trim() || undefined };
    try {
      await call("PUT", experimentPath(name.value.trim()), { body });
      location.assign(pagePath(name.value.trim()));
    } catch (error) {
      say(problem, error.message);
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    }
  };
  document.body.append(dialog);
  dialog.showModal();
}

/** @returns {string} when it learns, if not at once */
const learning = (experiment, perDay) => {
  const words = learningWords(experiment, perDay);
  return words && ` It learns ${words}.`;
};

/** @returns {string} what happens to a unit that never reports; the days of a plan may be broken ones */
const silence = ({ attribution }) =>
  attribution ? ` A unit that has not reported after ${exact(attribution.after / 86400)} days counts as ${attribution.reward}.` : "";
