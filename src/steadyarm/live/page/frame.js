/** What all pages share: who is signed in, and the line that says when the service is out of reach. */

import { get, Offline, Problem, token } from "./api.js";
import { ask } from "./dialog.js";
import { byId, element, later, say } from "./dom.js";
import { clock } from "./words.js";

const RETRY_AFTER = 1000; // milliseconds
let since = null;

/** Says that the service is out of reach, or that it is back. @param {boolean} lost */
export function offline(lost) {
  if (lost && since === null) since = new Date();
  if (!lost) since = null;
  const banner = byId("banner");
  banner.classList.toggle("shown", lost);
  say(banner, lost ? `Offline since ${clock(since)}, trying again. What you see is the last known state.` : "");
}

/** Shows who is signed in; returns what the token may do. @returns {Promise<{scopes: string[]}|null>} */
export async function begin() {
  for (const link of document.querySelectorAll("header nav a")) {
    const here = link.pathname === "/" ? location.pathname === "/" : location.pathname.startsWith(link.pathname);
    if (here) link.setAttribute("aria-current", "page");
  }
  const who = byId("who");
  const enter = element("button", { type: "button", id: "sign-in", onclick: () => signIn() }, "Sign in");
  if (!token.get()) {
    who.replaceChildren(enter);
    return null;
  }
  try {
    const said = await get("/v1/token");
    const scopes = said.scopes.join(", ");
    const leave = element("button", { type: "button", id: "sign-out", className: "quiet" }, "Sign out");
    leave.onclick = () => {
      token.forget();
      location.reload();
    };
    who.replaceChildren(element("span", { title: `token ${said.id}` }, said.label || scopes), leave);
    return said;
  } catch (error) {
    if (passing(error)) {
      if (error instanceof Offline) offline(true);
      await later(RETRY_AFTER); // who it is decides what is shown, so nothing can be shown before
      return begin();
    }
    who.replaceChildren(enter);
    if (error.status === 401) {
      token.forget();
      signIn("This token is unknown or was revoked.");
    }
    return null;
  }
}

/** @param {Error} error @returns {boolean} whether it may pass by itself, so that it is worth asking again */
export const passing = (error) => error instanceof Offline || (error.status >= 500 && error.code !== "damaged");

/** Does something until it is done or refused for good; what goes wrong is said. @param {() => Promise<void>} work @param {Node} place */
export async function persist(work, place) {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      refused(error, place);
      if (!passing(error)) return;
      await later(RETRY_AFTER);
    }
  }
}

/** @param {{scopes: string[]}|null} who @param {string} scope @returns {boolean} */
export const may = (who, scope) => Boolean(who?.scopes.some((each) => each === scope || each === "admin"));

/** Asks for a token until it is a good one, then loads the page again. @param {string} [reason] */
export function signIn(reason = "") {
  if (document.getElementById("sign-in-dialog")) return;
  const input = element("input", {
    type: "password",
    id: "token",
    autocomplete: "off",
    required: true,
    spellcheck: false,
  });
  const command = element("code", {}, "steadyarm live token");
  const parts = [
    element("p", { className: "hint" }, "A token is made by ", command, ". It is kept in this tab only."),
    element("label", {}, "Token ", input),
  ];
  const enter = async (refuse) => {
    try {
      await get("/v1/token", { as: input.value.trim() });
      token.set(input.value.trim());
      location.reload();
    } catch (error) {
      refuse(error instanceof Problem && error.status === 401 ? "This token is unknown or was revoked." : error.message);
      input.select();
    }
  };
  ask("sign-in-dialog", "Sign in", parts, "Sign in", enter, reason);
}

/** Shows a refusal where it belongs: signs in, says offline, or says what was refused. @param {Error} error @param {Node} place */
export function refused(error, place) {
  if (error instanceof Offline) offline(true);
  else if (error.status === 401) signIn(token.get() ? "This token is unknown or was revoked." : "");
  else say(place, error.message);
  if (!(error instanceof Offline || error instanceof Problem)) throw error;
}
