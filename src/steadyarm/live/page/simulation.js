/** Simulations in the background: of the designs of a plan, or of its two worst instances. */

import { call, get, Offline, post } from "./api.js";
import { later } from "./dom.js";
import { offline } from "./frame.js";

const POLL_EVERY = 150; // milliseconds
const RETRY_AFTER = 1000; // milliseconds

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
      await later(RETRY_AFTER);
      continue;
    }
    if (now.status !== "waiting" && now.status !== "running") break;
    if (!signal.aborted) progress(now);
    await later(POLL_EVERY);
  }
  if (now.status !== "done") throw new Error(now.detail || `the simulation was ${now.status}`);
  return now.result;
}
