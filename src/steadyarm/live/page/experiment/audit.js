/** The journal on the page: its last entries, verify, export, and how long rewards have been outstanding. */

import { call, experimentPath, get, Offline } from "../api.js";
import { byId, element, say } from "../dom.js";
import { refused } from "../frame.js";
import { clock, duration, moment, number, some } from "../words.js";

export const SHOWN = 12;

/** @param {any} entry @returns {string} what an entry adds to its kind */
function said(entry) {
  if (entry.kind === "allocated") return `round ${number(entry.round)}${entry.stratum ? ` of ${entry.stratum}` : ""}`;
  if (entry.kind === "held") return `held out${entry.stratum ? ` of ${entry.stratum}` : ""}`;
  if (entry.kind === "rewarded" || entry.kind === "lapsed") return `reward ${number(entry.reward)}`;
  if (entry.kind === "amended") return `reward ${number(entry.reward)}, was ${number(entry.was)}: ${entry.reason}`;
  return entry.reason ?? "";
}

/** Shows the newest entries, the newest first. @param {any[]} entries */
export function showEntries(entries) {
  const cell = (text, className = "") => element("td", { className, title: className === "unit" ? text : null }, text);
  const rows = entries
    .slice(-SHOWN)
    .reverse()
    .map((entry) =>
      element(
        "tr",
        {},
        element("th", { scope: "row", className: "n" }, number(entry.seq)),
        element("td", {}, element("time", { dateTime: entry.at, title: moment(entry.at) }, clock(entry.at))),
        cell(entry.kind),
        cell(entry.unit ?? "", "unit"),
        cell(entry.arm ?? "", "unit"),
        cell(said(entry), "unit"),
        cell(`${entry.hash.slice(0, 10)}…`, "hash"),
      ),
    );
  byId("entries").tBodies[0].replaceChildren(...rows);
}

/** Shows how long rewards have been outstanding, as a table with bars. @param {any} outstanding @param {number} total */
export function showAges(outstanding, total) {
  byId("ages").replaceChildren();
  if (!outstanding.available)
    return say(byId("ages-words"), `${some(total, "reward")} outstanding. Ages are not known: ${outstanding.reason}.`);
  const oldest = outstanding.oldest_seconds;
  say(byId("ages-words"), oldest === null ? "None." : `The oldest has been waiting for ${duration(oldest)}.`);
  const most = Math.max(1, ...outstanding.groups.map((group) => group.units));
  let before = null;
  const last = outstanding.groups.findLastIndex((group) => group.units > 0);
  const rows = outstanding.groups.slice(0, last + 1).map((group) => {
    const name =
      group.seconds_at_most === null ? `over ${duration(before)}` : `up to ${duration(group.seconds_at_most)}`;
    before = group.seconds_at_most;
    const bar = element("div");
    bar.style.width = `${(100 * group.units) / most}%`;
    if (!group.units) bar.style.minWidth = "0";
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", { className: "bar" }, bar),
      element("td", { className: "n" }, number(group.units)),
    );
  });
  byId("ages").replaceChildren(
    element("caption", { className: "unseen" }, "Outstanding rewards by age"),
    element("tbody", {}, ...rows),
  );
}

/** @param {string} name @returns {Promise<{good: boolean, words: string}>} */
export async function verdict(name) {
  try {
    const found = await get(experimentPath(name, "/verify"));
    return {
      good: true,
      words: `The chain holds: ${some(found.entries, "entry", "entries")}, ${some(found.decisions, "decision")} replayed, head ${found.hash.slice(0, 16)}…`,
    };
  } catch (error) {
    if (error.code !== "chain_broken") throw error;
    return { good: false, words: error.message };
  }
}

/** Wires the buttons. @param {string} name @param {() => void} renew what to do when nobody answers */
export function auditButtons(name, renew) {
  const words = byId("verdict");
  const fail = (what, error) => {
    words.className = "problem";
    say(words, `${what}. ${error.message}`);
    if (error instanceof Offline) renew();
    else if (error.status === 401) refused(error, words);
  };
  byId("verify").onclick = async () => {
    byId("verify").disabled = true;
    words.className = "";
    say(words, "Replaying every decision …");
    try {
      const found = await verdict(name);
      words.className = found.good ? "good" : "problem";
      say(words, found.words);
    } catch (error) {
      fail("Not verified", error);
    } finally {
      byId("verify").disabled = false;
    }
  };
  byId("export").onclick = async () => {
    try {
      const answer = await call("GET", experimentPath(name, "/events"));
      const address = URL.createObjectURL(await answer.blob());
      element("a", { href: address, download: `${name}.ndjson` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      fail("Not exported", error);
    }
  };
}
