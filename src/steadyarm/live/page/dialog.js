/** A dialog with a form: what it says and asks, a button that does it and one that does not. */

import { element, say } from "./dom.js";

/**
 * @param {string} id of the dialog
 * @param {string} title
 * @param {(Node|string)[]} parts of the form
 * @param {string} verb on the button
 * @param {(problem: (words: string) => void) => Promise<void>|void} submit does it, or says what is wrong
 * @param {string} [reason] why it is asked
 * @returns {any} the dialog, shown
 */
export function ask(id, title, parts, verb, submit, reason = "") {
  const problem = element("p", { className: "problem", role: "alert" }, reason);
  const form = element(
    "form",
    {},
    element("h2", { id: `${id}-title` }, title),
    ...parts,
    problem,
    element(
      "div",
      { className: "actions" },
      element("button", { className: "primary" }, verb),
      element("button", { type: "button", className: "quiet", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    return submit((words) => say(problem, words));
  };
  const dialog = element("dialog", { id, "aria-labelledby": `${id}-title`, onclose: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
