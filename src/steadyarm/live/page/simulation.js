/** Checks a plan by simulation in the background: on the instance that costs most and on the one that spreads most. */

import { call, get, post } from "./api.js";
import { later } from "./dom.js";

const LOOK = 150; // milliseconds

/**
 * Runs to the end.
 * @param {any} plan @param {(share: number) => void} progress @param {AbortSignal} signal
 * @returns {Promise<{regret: any, instability: any, runs: number, engine: string}>}
 */
export async function check(plan, progress, signal) {
  const { regret, instability } = plan.worst_instances;
  const same = JSON.stringify(regret) === JSON.stringify(instability);
  const instances = same ? [regret] : [regret, instability];
  const found = [];
  for (const [place, instance] of instances.entries()) {
    const share = (done) => progress((place + done) / instances.length);
    found.push(await simulate({ policy: plan.policy, instance, ...plan.check }, share, signal));
  }
  const [costliest, widest] = [found[0], found.at(-1)];
  return { regret: costliest.regret, instability: widest.instability, runs: costliest.runs, engine: costliest.engine };
}

async function simulate(question, progress, signal) {
  let now = await post("/v1/simulations", question); // never given up: only its answer says what to stop
  const path = `/v1/simulations/${now.id}`;
  try {
    while (now.status === "waiting" || now.status === "running") {
      if (!signal.aborted) progress(now.progress);
      await later(LOOK);
      now = await get(path, { signal });
    }
  } catch (error) {
    if (signal.aborted) await call("DELETE", path);
    throw error;
  }
  if (now.status !== "done") throw new Error(now.detail || `the simulation was ${now.status}`);
  return now.result;
}
