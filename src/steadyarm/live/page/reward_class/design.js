/** The form of the plan: what it asks, checked, and kept in the address so that a plan can be passed on. */

import { byId } from "../dom.js";
import { limits } from "../limits.js";
import { parse } from "../numerals.js";
import { number } from "../words.js";

const USUAL_SPREAD = 0.01; // of the rounds
const names = {
  arms: "The number of arms",
  horizon: "The horizon",
  low: "The smallest reward",
  high: "The largest reward",
  mean_bound: "The bound on the means",
  noise_scale: "The noise σ",
};
const texts = Object.keys(names);
const whole = ["arms", "horizon"];
const kind = () => document.querySelector("[name=rewards]:checked").value;

/** @returns {{question: Object|null, problem: string}} the class of instances that the form describes */
export function read() {
  const rewards = kind();
  byId("range").hidden = rewards !== "bounded";
  byId("scales").hidden = rewards !== "gaussian";
  const wanted = { arms: limits.arms, horizon: limits.horizon };
  const anywhere = [-limits.scale[1], limits.scale[1]];
  if (rewards === "bounded") Object.assign(wanted, { low: anywhere, high: anywhere });
  if (rewards === "gaussian") Object.assign(wanted, { mean_bound: limits.scale, noise_scale: limits.scale });
  const question = { rewards };
  let problem = "";
  for (const name of texts) byId(name).removeAttribute("aria-invalid");
  const refuse = (name, rule) => {
    byId(name).setAttribute("aria-invalid", "true");
    problem ||= rule;
  };
  for (const [name, [least, most]] of Object.entries(wanted)) {
    const even = whole.includes(name);
    const { value, unclear } = parse(byId(name).value, even);
    const fits = value >= least && value <= most && (!even || Number.isInteger(value));
    if (unclear) refuse(name, `${names[name]} ${unclear}`);
    else if (!fits)
      refuse(name, `${names[name]} must be a ${even ? "whole " : ""}number from ${number(least)} to ${number(most)}.`);
    question[name] = value;
  }
  if (!problem && question.horizon <= question.arms)
    refuse("horizon", "The horizon must have more rounds than there are arms.");
  if (!problem && rewards === "bounded" && question.low >= question.high)
    refuse("high", "The largest reward must be above the smallest.");
  return { question: problem ? null : question, problem };
}

/** Puts a plan into the address. @param {Object} question @param {number} spread @param {boolean} guaranteed */
export function remember(question, spread, guaranteed) {
  const parts = new URLSearchParams({ ...question, spread: String(Number(spread.toPrecision(4))) });
  if (guaranteed) parts.set("guaranteed", "true");
  history.replaceState(null, "", `?${parts}`);
}

/** Fills the form from the address. @returns {number} the spread, as a share of the rounds */
export function recall() {
  const parts = new URLSearchParams(location.search);
  for (const name of texts) {
    const text = parts.get(name) ?? "";
    const { value, unclear } = parse(text, whole.includes(name));
    if (unclear) byId(name).value = text;
    else if (Number.isFinite(value)) byId(name).value = name === "horizon" ? rounds(value) : String(value);
  }
  const wanted = [...document.querySelectorAll("[name=rewards]")].find((each) => each.value === parts.get("rewards"));
  if (wanted) wanted.checked = true;
  byId("guaranteed").checked = parts.get("guaranteed") === "true";
  const spread = parse(parts.get("spread") ?? "").value;
  return spread > 0 && spread <= 1 ? Math.max(spread, 1e-15) : USUAL_SPREAD;
}

/** @param {number} value @returns {string} 100,000, but 1e12: what fits the field */
function rounds(value) {
  const power = value.toExponential().replace("e+", "e");
  return value >= 1e9 && power.length < 8 ? power : number(value);
}
