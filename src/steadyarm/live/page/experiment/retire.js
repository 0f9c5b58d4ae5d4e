/** The dialog that retires an arm: which one, and why. */

import { experimentPath, Offline, post, Problem } from "../api.js";
import { ask } from "../dialog.js";
import { element } from "../dom.js";
import { limits } from "../limits.js";

/**
 * The arms that may be retired: those that are still given, unless one alone is left, but for the one that was stated
 * for those who are held out.
 * @param {any} state of an experiment
 * @returns {string[]}
 */
export function retirableArms({ configuration, retired, format }) {
  const open = configuration.arms.filter((arm) => !retired.some((each) => each.arm === arm));
  return format > 1 && open.length > 1 ? open.filter((arm) => arm !== configuration.holdout?.arm) : [];
}

/** @param {any} state of the experiment @param {() => void} done after an arm was retired */
export function retireDialog(state, done) {
  const options = retirableArms(state).map((arm) => element("option", { value: arm }, arm));
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
