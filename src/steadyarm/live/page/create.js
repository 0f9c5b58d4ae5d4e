/** The dialog that creates an experiment from a plan: exactly what it says, under names that are typed. */

import { call, experimentPath, Offline, pagePath, Problem } from "./api.js";
import { learningWords } from "./configuration.js";
import { ask } from "./dialog.js";
import { element } from "./dom.js";
import { signIn } from "./frame.js";
import { limits } from "./limits.js";
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
    pattern: `\\s*${limits.name}\\s*`,
    title: "Letters from a to z, digits and _ . : @ + = ~ -; the first must be a letter, a digit or _",
  });
  const list = element("textarea", { id: "arm-names", rows: Math.min(arms, 6), spellcheck: false });
  list.value = Array.from({ length: arms }, (_, place) => names[place] ?? `arm ${place + 1}`).join("\n");
  const about = element("input", { id: "experiment-description", autocomplete: "off", maxLength: limits.text, value: told });
  const hint = `${number(arms)} arms, ${number(experiment.horizon)} rounds, ${words}.${learning(experiment, perDay)}${silence(experiment)} The configuration never changes afterwards.`;
  const parts = [
    element("p", { className: "hint" }, hint),
    element("label", {}, "Name ", name),
    element("label", {}, "Arms, one per line ", list),
    element("label", {}, "Description (optional) ", about),
  ];
  ask("create", "Create experiment", parts, "Create", async (refuse) => {
    const given = list.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    if (given.length !== arms)
      return refuse(
        `The plan is for ${some(arms, "arm")}, and ${some(given.length, "name")} ${given.length === 1 ? "is" : "are"} given.`,
      );
    const body = { ...experiment, arms: given, description: about.value.trim() || undefined };
    try {
      await call("PUT", experimentPath(name.value.trim()), { body });
      location.assign(pagePath(name.value.trim()));
    } catch (error) {
      refuse(error.message);
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    }
  });
}

/** @returns {string} when it learns, if not at once */
const learning = (experiment, perDay) => {
  const words = learningWords(experiment, perDay);
  return words && ` It learns ${words}.`;
};

/** @returns {string} what happens to a unit that never reports; the days of a plan may be broken ones */
const silence = ({ attribution }) =>
  attribution ? ` A unit that has not reported after ${exact(attribution.after / 86400)} days counts as ${attribution.reward}.` : "";
