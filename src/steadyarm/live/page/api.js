/** Calls of the public API. The token lives in this tab's session and in the Authorization header, nowhere else. */

const KEY = "steadyarm.token";

/** @param {string} words of the service @returns {string} with a capital letter */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A refusal of the service, with its stable code, as a sentence. */
export class Problem extends Error {
  constructor(status, said) {
    const words = said.detail ?? `The service answered with the status ${status}.`;
    super(sentence(words));
    this.status = status;
    this.code = said.code ?? "unknown";
  }
}

/** Nobody answered. */
export class Offline extends Error {}

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

/** @param {string} method @param {string} path @param {Object} [options] @returns {Promise<Response>} */
export async function call(method, path, { body, headers = {}, signal, as = token.get() } = {}) {
  const sent = { ...headers };
  if (as) sent.Authorization = `Bearer ${as}`;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  let answer;
  try {
    const content = body === undefined ? undefined : JSON.stringify(body);
    answer = await fetch(path, { method, headers: sent, body: content, signal, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Offline("The service does not answer.");
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Problem(answer.status, said);
}

/** @param {string} path @param {Object} [options] @returns {Promise<any>} */
export const get = async (path, options) => (await call("GET", path, options)).json();

/** @param {string} path @param {any} [body] @param {Object} [options] @returns {Promise<any>} */
export const post = async (path, body, options) => (await call("POST", path, { ...options, body })).json();

/** @param {string} name @param {string} [rest] @returns {string} the path of an experiment in the API */
export const experimentPath = (name, rest = "") => `/v1/experiments/${encodeURIComponent(name)}${rest}`;

/** @param {string} name @param {string} [rest] @returns {string} the path of an experiment's page */
export const pagePath = (name, rest = "") => `/experiments/${encodeURIComponent(name)}${rest}`;

/** @returns {string} the experiment that this page is about */
export const experimentHere = () => decodeURIComponent(location.pathname.split("/")[2] ?? "");
