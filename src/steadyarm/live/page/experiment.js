/** One experiment, live: what it does, what it says, and whether its journal is whole. */

import { call, experimentHere, experimentPath, get, Offline, pagePath, post } from "./api.js";
import { allocationChart, colouring, showAllocation } from "./experiment/allocation.js";
import { armColumns, armRows } from "./experiment/arms.js";
import { differenceHeads, differenceRows, differenceWords } from "./experiment/differences.js";
import { auditButtons, SHOWN, showAges, showEntries } from "./experiment/audit.js";
import { followed, learningWords, rewardKind, settings, trafficWords } from "./configuration.js";
import { byId, element, labelled, say, seldom } from "./dom.js";
import { begin, may, offline, passing, persist, refused } from "./frame.js";
import { healthNotes, healthWords, outcomeHeads, outcomeRows } from "./experiment/health.js";
import { retireDialog } from "./experiment/retire.js";
import { follow } from "./experiment/stream.js";
import { strataHeads, strataRows } from "./experiment/strata.js";
import { sortedTable } from "./table.js";
import { weightedHeads, weightedRows } from "./experiment/weighted.js";
import { day, decimals, fixed, number, percent, some, time } from "./words.js";

const name = experimentHere();
const table = sortedTable(byId("arms"), "arm");
const drawn = allocationChart(byId("allocation"));
const MOVES = { start: "Start", resume: "Resume", pause: "Pause", retire: "Retire an arm", close: "Close" };
let who = null;
let ranks = null;
let history = null;
let entries = [];
let shown = null; // the state on the page: whoever clicks means this one

function showState(state) {
  shown = state;
  const { policy, configuration } = state;
  const fact = (title, value, small = "", className = "") =>
    element(
      "div",
      { className },
      element("dt", {}, title),
      element("dd", {}, value, small ? element("small", {}, ` ${small}`) : ""),
    );
  const learning = ({ untold }) => {
    const words = learningWords(configuration);
    return words ? [fact("Learns", configuration.batch > 1 ? "in batches" : "late", `${words}; ${some(untold, "reward")} untold`)] : [];
  };
  byId("facts").replaceChildren(
    fact("State", element("span", { className: `state ${state.state}` }, state.state)),
    fact("Rounds", number(state.round), `of ${number(state.horizon)} (${percent(state.round / state.horizon)})`),
    fact("Rewards", number(state.rewarded), rewardKind(configuration)),
    fact("Outstanding", number(state.outstanding)),
    fact("Voided", number(state.voided)),
    ...(state.defaulted ? [fact("Defaulted", number(state.defaulted), "outside the policy")] : []),
    fact("Policy", state.policy_title, settings(policy)),
    ...learning(state),
    ...(state.holdout ? [fact("Held out", number(state.holdout.units), heldWords(state))] : []),
    fact("Created", day(state.created_at), time(state.created_at)),
    ...(trafficWords(configuration) ? [fact("Traffic", trafficWords(configuration), "", "wide")] : []),
  );
  byId("progress").value = state.round / state.horizon;
  byId("notes").replaceChildren(...state.notes.map((note) => element("li", {}, note)));
  say(byId("description"), configuration.description ?? "");
  say(byId("head"), `${some(state.seq, "entry", "entries")}, head ${state.hash.slice(0, 24)}…`);
  const possible = [...state.moves, ...(state.retirable.length ? ["retire"] : [])].map((move) => called(move, state));
  const wanted = may(who, "admin") ? Object.keys(MOVES).filter((move) => possible.includes(move)) : [];
  if (byId("moves").dataset.shown !== wanted.join()) {
    byId("moves").dataset.shown = wanted.join();
    byId("moves").replaceChildren(
      ...wanted.map((move) =>
        element("button", { type: "button", id: `move-${move}`, onclick: () => change(move) }, MOVES[move]),
      ),
    );
  }
}

/** A paused experiment is resumed, and only if it still is the one that is shown. */
const called = (move, { state }) => (move === "start" && state === "paused" ? "resume" : move);

const digitsOf = ({ policy }) => decimals(followed(policy).noise_scale);
const heldWords = (state) => `${some(state.holdout.rewarded, "reward")}, mean ${fixed(state.holdout.mean, digitsOf(state))}`;

/** Fills a table with rows below headings; one without rows is not shown. */
function fill(table, heads, rows) {
  const cells = heads.map((head, place) => element("th", { scope: "col", className: place ? "n" : "" }, head));
  table.replaceChildren(element("thead", {}, element("tr", {}, ...cells)), element("tbody", {}, ...rows));
  table.parentElement.hidden = rows.length === 0;
  labelled(table);
}

function showDifferences(results, digits) {
  say(byId("method"), `Valid here: ${results.intervals.words}`);
  say(byId("differences-words"), differenceWords(results));
  fill(byId("differences"), differenceHeads(results), differenceRows(results, digits));
}

function showWeighted(results, digits) {
  byId("weighted").hidden = !results.weighted;
  if (!results.weighted) return;
  say(byId("weighted-words"), results.weighted.words);
  fill(byId("weighted-estimates"), weightedHeads(results), weightedRows(results, digits));
}

function showHealth(health) {
  say(byId("health-words"), healthWords(health));
  byId("health-words").classList.toggle("problem", health.alarms.length > 0);
  byId("health-notes").replaceChildren(...healthNotes(health));
  fill(byId("health-outcomes"), outcomeHeads(health), outcomeRows(health));
}

/** Leaves what can still be done with a journal that cannot be read: verify and export it. */
function showDamage() {
  byId("content").classList.add("damaged");
  byId("content").hidden = false;
}

async function change(move) {
  if (move === "retire") return retireDialog(shown, renew);
  if (move === "close" && !confirm("Close this experiment for good? It will take no new units; rewards can still be reported.")) return;
  try {
    const path = experimentPath(name, move === "resume" ? "/start" : `/${move}`);
    showState(await post(path, move === "resume" ? { state_seq: shown.state_seq } : undefined));
  } catch (error) {
    refused(error, byId("problem"));
    if (error instanceof Offline) renew();
  }
}

async function refresh() {
  const results = get(experimentPath(name, `/results?level=${byId("level").value}`));
  const indices = may(who, "unblind") ? get(experimentPath(name, "/arms")) : null;
  const [state, found, past, hidden] = await Promise.all([
    get(experimentPath(name)),
    results,
    get(experimentPath(name, "/history?points=200")),
    indices,
  ]);
  if (!history && state.round >= 20 && state.round < state.horizon / 5)
    document.querySelector("[name=span][value=now]").checked = true;
  ranks ??= past.rounds.at(-1) >= past.arms.length ? colouring(past) : null;
  const colours = ranks ?? colouring(past);
  history = past;
  say(byId("problem"), "");
  offline(false);
  byId("content").hidden = false; // a chart needs a place that has a size
  showState(state);
  table.show(armColumns(found, hidden, colours, digitsOf(state)), armRows(found, hidden));
  fill(byId("strata"), strataHeads(found), strataRows(found, digitsOf(state)));
  showDifferences(found, digitsOf(state));
  showWeighted(found, digitsOf(state));
  showHealth(found.health);
  showAllocation(drawn, past, colours, byId("main").querySelector("[name=span]:checked").value === "horizon");
  showAges(past.outstanding, state.outstanding);
  say(
    byId("blinding"),
    hidden
      ? found.strata.length
        ? ""
        : "The arm with the largest index is next; the smallest priority wins a tie."
      : "Indices are hidden: they predict the next arm, and this token lacks the scope unblind.",
  );
  return state;
}

/** Asks again after news, and again while nobody answers. */
const renew = seldom(700, () =>
  refresh().catch((error) => {
    refused(error, byId("problem"));
    if (passing(error)) setTimeout(renew, 2000);
  }),
);

async function lastEntries(seq) {
  const answer = await call("GET", experimentPath(name, `/events?after=${Math.max(0, seq - SHOWN)}&limit=${SHOWN}`));
  const lines = (await answer.text()).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

async function live() {
  const state = await refresh();
  entries = await lastEntries(state.seq);
  showEntries(entries);
  const draw = seldom(150, () => showEntries(entries));
  const ended = await follow(experimentPath(name, "/stream"), {
    after: state.seq,
    entry(entry) {
      entries = [...entries.slice(1 - SHOWN), entry];
      draw();
      renew();
    },
    online() {
      offline(false);
      renew();
    },
    offline: () => offline(true),
  });
  refused(ended, byId("problem"));
}

document.title = `${name} · steadyarm`;
say(byId("name"), name);
byId("to-report").href = pagePath(name, "/report");
byId("level").addEventListener("input", renew);
for (const choice of document.querySelectorAll("[name=span]")) {
  choice.addEventListener(
    "input",
    () => history && showAllocation(drawn, history, ranks ?? colouring(history), choice.value === "horizon"),
  );
}
auditButtons(name, renew);
setInterval(() => history && renew(), 30_000); // rewards grow old without news
who = await begin();
await persist(async () => {
  try {
    await live();
  } catch (error) {
    if (error.status === 401) say(byId("problem"), "Sign in to see this experiment.");
    if (error.code === "damaged") showDamage();
    throw error;
  }
}, byId("problem"));
