/** The dialog that creates an experiment from a plan. */

import { call, experimentPath, Offline, pagePath, Problem } from "./api.js";
import { policyName, settings } from "./configuration.js";
import { element, say } from "./dom.js";
import { signIn } from "./frame.js";
import { number, some } from "./words.js";

const MOST_ARMS = 1000;
const LARGEST_HORIZON = 1e9;

/** @param {Object} question the class @param {Object} policy @param {boolean} allowed whether the token may create */
export function createDialog(question, policy, allowed) {
  if (!allowed) {
    signIn("To create an experiment sign in with a token of scope admin.");
    return;
  }
  const { arms, ...rest } = question;
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
  list.value = Array.from({ length: Math.min(arms, MOST_ARMS) }, (_, place) => `arm ${place + 1}`).join("\n");
  const about = element("input", { id: "experiment-description", autocomplete: "off", maxLength: 1000 });
  const problem = element("p", { className: "problem", role: "alert" }, tooLarge(question));
  const form = element(
    "form",
    {},
    element("h2", { id: "create-title" }, "Create experiment"),
    element(
      "p",
      { className: "hint" },
      `${number(arms)} arms, ${number(question.horizon)} rounds, ${policyName(policy)} with ${settings(policy)}. The configuration never changes afterwards.`,
    ),
    element("label", {}, "Name ", name),
    element("label", {}, "Arms, one per line ", list),
    element("label", {}, "Description (optional) ", about),
    problem,
    element(
      "div",
      { className: "actions" },
      element("button", { className: "primary", disabled: Boolean(tooLarge(question)) }, "Create"),
      element("button", { type: "button", className: "quiet", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  const dialog = element("dialog", { "aria-labelledby": "create-title", onclose: () => dialog.remove() }, form);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const names = list.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    if (names.length !== arms)
      return say(
        problem,
        `The plan is for ${some(arms, "arm")}, and ${some(names.length, "name")} ${names.length === 1 ? "is" : "are"} given.`,
      );
    const { n_arms: _, ...chosen } = policy;
    const body = { ...rest, ...chosen, arms: names, description: about.value.trim() || undefined };
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

function tooLarge({ arms, horizon }) {
  if (arms > MOST_ARMS) return `A live experiment may have ${number(MOST_ARMS)} arms at most.`;
  return horizon > LARGEST_HORIZON ? `A live experiment may have ${number(LARGEST_HORIZON)} rounds at most.` : "";
}
