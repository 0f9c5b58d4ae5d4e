/** Numbers and times in words that people read. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const six = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 12 });
const none = "–";
const raised = (text) => text.replace(/./g, (each) => ({ "-": "⁻", "+": "" })[each] ?? "⁰¹²³⁴⁵⁶⁷⁸⁹"[each]);

const missing = (value) => value === null || value === undefined || !Number.isFinite(value);

/** @param {number|null} value @returns {string} 12,345, or 0.0123 where it is small */
export function number(value, digits = 3) {
  if (missing(value)) return none;
  if (value !== 0 && Math.abs(value) < 1e-4) return power(value, 2);
  if (Math.abs(value) >= 1000 || Number.isInteger(value)) return whole.format(value).replace("-", "−");
  const options = { minimumSignificantDigits: digits, maximumSignificantDigits: digits };
  return new Intl.NumberFormat("en", options).format(value).replace("-", "−");
}

/** @param {number} value @returns {string} 0.1, 3.52: without zeros at the end */
export const short = (value) =>
  missing(value) ? none : Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });

/** @param {number} value @returns {string} 1,025 or 0.333333: a parameter, to six digits */
export const exact = (value) => (missing(value) ? none : six.format(value).replace("-", "−"));

/** @param {number} value @param {number} [digits] @returns {string} 10⁶, 2.5·10⁻⁷ */
function power(value, digits = 3) {
  if (value === 0) return "0";
  const [front, exponent] = value.toExponential(digits - 1).split("e");
  const size = Number(front);
  const factor = Math.abs(size) === 1 ? (size < 0 ? "−" : "") : `${String(size).replace("-", "−")}·`;
  return `${factor}10${raised(exponent)}`;
}

const UNITS = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e4, "K"],
];

/** Names the ticks of an axis, all in one form. @param {number[]} values @param {boolean} logarithmic @returns {string[]} */
export function ticks(values, logarithmic) {
  const sizes = values.filter(Boolean).map(Math.abs);
  const most = Math.max(...sizes, 0);
  if (most >= 1e15 || Math.min(...sizes) < 1e-3) return values.map((value) => power(value));
  if (logarithmic) return values.map((value) => compact.format(value)); // 100, 1K, 10K
  const [size, unit] = UNITS.find(([least]) => most >= least) ?? [1, ""];
  const one = unit === "K" ? 1000 : size;
  return values.map((value) => (value === 0 ? "0" : plain.format(value / one) + unit));
}

/** @param {number|null} share @returns {string} 3.1 %, or 0.0026 % where it is small */
export function percent(share) {
  if (missing(share)) return none;
  const value = 100 * share;
  if (value > 0 && value < 1e-6) return "under 0.000001 %";
  if (value < 0.00995) return `${value.toLocaleString("en", { maximumSignificantDigits: 2 })} %`;
  const digits = value >= 99.95 ? 0 : value >= 0.995 ? 1 : 2;
  return `${value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`;
}

/** @param {number|null} p @returns {string} a p-value: 0.0123, or under 0.0001 */
export const chance = (p) => (missing(p) ? none : p < 1e-4 ? "under 0.0001" : fixed(p, 4));

/** Rounds to what the deviation allows. @param {number} value @param {number|null} sd @returns {string} 1,240 ± 85 */
export function plusMinus(value, sd) {
  if (missing(sd)) return number(value);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(sd, 1e-9))) - 1);
  const round = (size) => whole.format(Math.round(size / step) * step);
  return sd < 10 ? `${whole.format(value)} ± ${number(sd, 2)}` : `${round(value)} ± ${round(sd)}`;
}

/** @param {{low: number|null, high: number|null}} interval @param {number} [digits] @returns {string} */
export function interval({ low, high }, digits = 3) {
  if (missing(low) && missing(high)) return none;
  return range(missing(low) ? "−∞" : fixed(low, digits), missing(high) ? "∞" : fixed(high, digits));
}

/** @param {string} from @param {string} to @returns {string} 3 to 5, or 3 alone */
export const range = (from, to) => (from === to ? from : `${from} to ${to}`);

/** @param {number} scale of the noise @returns {number} how many decimals rewards of this scale are shown with: 3 for coins */
export const decimals = (scale) => Math.min(Math.max(3 - Math.floor(Math.log10(2 * scale)), 0), 12);

/** @param {number|null} value @returns {string} with the same digits in a whole column */
export function fixed(value, digits = 3) {
  if (missing(value)) return none;
  if (Math.abs(value) >= 1e15) return power(value);
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

const spans = [
  [604800, "week"],
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** @param {number} seconds @returns {string} 2 hours */
export function duration(seconds) {
  const [size, name] = spans.find(([least]) => seconds >= least) ?? spans.at(-1);
  const many = Math.max(0, Math.floor(seconds / size));
  return `${many} ${name}${many === 1 ? "" : "s"}`;
}

/** @param {string|Date} at @returns {string} 14:05:09 */
export const clock = (at) => new Date(at).toLocaleTimeString("en-GB");

/** @param {string|Date} at @returns {string} 15 Nov 2026 */
export const day = (at) => new Date(at).toLocaleDateString("en-GB", { dateStyle: "medium" });

/** @param {string|Date} at @returns {string} 14:05 */
export const time = (at) => new Date(at).toLocaleTimeString("en-GB", { timeStyle: "short" });

/** @param {string|Date} at @returns {string} 15 Nov 2026, 14:05 */
export const moment = (at) => `${day(at)}, ${time(at)}`;

/** @param {number} many @param {string} name @param {string} [plural] @returns {string} 1 arm, 2 arms */
export const some = (many, name, plural = `${name}s`) => `${whole.format(many)} ${many === 1 ? name : plural}`;
