/** Follows a journal by server-sent events over fetch, since an EventSource cannot carry a token. */

import { call, Problem } from "../api.js";
import { limits } from "../limits.js";

const FIRST_PAUSE = 500; // milliseconds; it doubles
const LONGEST_PAUSE = 8000;
const SILENT_AFTER = 2.5 * limits.quiet; // milliseconds; the service would have said something by then, twice

/**
 * Follows until a refusal; goes on after the last entry seen whenever the connection was lost.
 * @param {string} path
 * @param {{after: number, entry: (entry: any) => void, online: () => void, offline: () => void}} listener
 * @returns {Promise<Problem>} the refusal that ended it
 */
export async function follow(path, listener) {
  let last = listener.after;
  let pause = FIRST_PAUSE;
  for (;;) {
    const watch = new AbortController();
    try {
      const answer = await call("GET", path, { headers: { "Last-Event-ID": String(last) }, signal: watch.signal });
      listener.online();
      pause = FIRST_PAUSE;
      for await (const data of events(answer, watch)) {
        const entry = JSON.parse(data);
        if (entry.seq > last) {
          last = entry.seq;
          listener.entry(entry);
        }
      }
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return error;
    }
    watch.abort();
    listener.offline();
    await wait(pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** Yields the data of each event. @param {Response} answer @param {AbortController} watch */
async function* events(answer, watch) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const timer = setTimeout(() => watch.abort(), SILENT_AFTER);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").filter((line) => line.startsWith("data: "));
      if (data.length) yield data.map((line) => line.slice(6)).join("\n");
    }
  }
}

/** Waits, but not when the network or the reader comes back. @param {number} milliseconds */
function wait(milliseconds) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      removeEventListener("focus", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    addEventListener("focus", done);
  });
}
