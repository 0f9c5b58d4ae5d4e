/** Simulations in the background: of the designs of a plan, or of a plan's two worst instances. */

import { call, get, Offline, post } from "./api.js";
import { later } from "./dom.js";
import { offline } from "./frame.js";

const LOOK = 150; // milliseconds
const AGAIN = 1000;

/**
 * Checks a plan on the instance that costs most and on the one that spreads most.
 * @param {any} plan @param {(share: number) => void} progress @param {AbortSignal} signal
 * @returns {Promise<{regret: any, instability: any, runs: number, engine: string}>}
 */
export async function check(plan, progress, signal) {
  const { regret, instability } = plan.worst_instances;
  const same = JSON.stringify(regret) === JSON.stringify(instability);
  const instances = same ? [regret] : [regret, instability];
  const found = [];
  for (const [place, instance] of instances.entries()) {
    const share = (now) => progress((place + now.progress) / instances.length);
    found.push(await simulate({ policy: plan.policy, instance, ...plan.check }, share, signal));
  }
  const [costliest, widest] = [found[0], found.at(-1)];
  return { regret: costliest.regret, instability: widest.instability, runs: costliest.runs, engine: costliest.engine };
}

/**
 * Runs to the end, through a server that goes away and comes back.
 * @param {Object} question @param {(now: any) => void} progress @param {AbortSignal} signal
 * @returns {Promise<any>} the result
 */
export async function simulate(question, progress, signal) {
  let now = null;
  const path = () => `/v1/simulations/${now.id}`;
  for (;;) {
    try {
      now = now ? await get(path(), { signal }) : await post("/v1/simulations", question); // only its answer says what to stop
      offline(false);
    } catch (error) {
      if (signal.aborted) {
        if (now) await call("DELETE", path());
        throw error;
      }
      if (now && error.status === 404) now = null; // a server that was started again has forgotten it
      else if (!(error instanceof Offline)) throw error;
      offline(true);
      await later(AGAIN);
      continue;
    }
    if (now.status !== "waiting" && now.status !== "running") break;
    if (!signal.aborted) progress(now);
    await later(LOOK);
  }
  if (now.status !== "done") throw new Error(now.detail || `the simulation was ${now.status}`);
  return now.result;
}
