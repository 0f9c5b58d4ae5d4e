/** The dialog that retires an arm: which one, and why. */

import { experimentPath, Offline, post, Problem } from "../api.js";
import { ask } from "../dialog.js";
import { element } from "../dom.js";
import { limits } from "../limits.js";

/** @param {any} state of the experiment @param {() => void} done after an arm was retired */
export function retireDialog(state, done) {
  const options = state.retirable.map((arm) => element("option", { value: arm }, arm));
  const arm = element("select", { id: "retired-arm" }, ...options);
  const reason = element("input", { id: "retired-why", required: true, autocomplete: "off", maxLength: limits.text });
  const hint =
    "A retired arm is never drawn again, and this cannot be undone. No guarantee from here on: what was proved, predicted and planned is about all arms. Rewards of its earlier units still count.";
  const parts = [
    element("p", { className: "hint" }, hint),
    element("label", {}, "Arm ", arm),
    element("label", {}, "Reason, for the journal ", reason),
  ];
  const dialog = ask("retire", "Retire an arm", parts, "Retire", async (refuse) => {
    const why = reason.value.trim();
    if (!why) return refuse("Say why: the reason stands in the journal.");
    try {
      await post(experimentPath(state.experiment, `/arms/${encodeURIComponent(arm.value)}/retire`), { reason: why });
      dialog.close();
      done();
    } catch (error) {
      refuse(error.message);
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    }
  });
}
