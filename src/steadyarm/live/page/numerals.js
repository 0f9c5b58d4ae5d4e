/** Reads the numbers that people type: 1e6, 1,000,000, 1 000 000, 0.5 and 0,5. What can be read in two ways is not guessed. */

const SHAPE = /^([+-]?)(\d[\d.,\s_'’]*|[.,]\d+)(e[+-]?\d{1,3})?$/i;
const PLAIN = /^\d*[.,]?\d*$/;
const TWO_WAYS = /^[1-9]\d{0,2}[.,]\d{3}$/; // 1,000
const GROUPS = /^[1-9]\d{0,2}([.,\s_'’])\d{3}(\1\d{3})*$/; // 1,000,000 and 1 000
const SPACED = /^[1-9]\d{0,2}([\s_'’])\d{3}(\1\d{3})*[.,]\d*$/; // 1 000,5

/**
 * @param {string} text @param {boolean} [whole] whether a whole number is wanted: then 100,000 has thousands
 * @returns {{value: number, unclear: string}} NaN if it is no number, or could be two; then in words which
 */
export function parse(text, whole = false) {
  const typed = text.trim();
  const [, sign, body, power = ""] = typed.replace("−", "-").match(SHAPE) ?? [];
  const known = (value) => ({ value, unclear: "" });
  const unclear = (words) => ({ value: NaN, unclear: `“${typed}” ${words}` });
  if (body === undefined) return known(NaN);
  const joined = Number(sign + body.replace(/\D/g, "") + power);
  const decimal = Number(sign + body.replace(/[\s_'’]/g, "").replace(",", ".") + power);
  const comma = body.includes(",");
  if (comma && body.includes("."))
    return unclear("has a comma and a point. Write it without thousands separators, like 1000.5.");
  if (TWO_WAYS.test(body)) {
    const thousands = whole && !power;
    if (comma === thousands) return known(comma ? joined : decimal); // as the page writes them
    return unclear(`could be ${decimal} or ${joined}. Write one of these.`);
  }
  if (GROUPS.test(body)) return known(joined);
  return known(PLAIN.test(body) || SPACED.test(body) ? decimal : NaN);
}

/**
 * Reads a rate, or a difference of rates: 3 %, 0,3 pp. A bare number is read if it can be a percentage only: from 1 on.
 * @param {string} text @param {string} unit that it is written in, for the words @returns {{value: number, unclear: string}}
 */
export function rate(text, unit) {
  const [, body, given] = text.trim().match(/^(.*?)\s*(%|pp|percent|percentage points?)?$/i);
  const { value, unclear } = parse(body);
  if (unclear || Number.isNaN(value)) return { value, unclear };
  if (unit === "pp" && ["%", "percent"].includes(given?.toLowerCase()))
    return { value: NaN, unclear: `“${text.trim()}” could be ${body} percentage points, or that part of today’s rate. Write it in pp.` };
  const short = (size) => `${Number(size.toPrecision(12))} ${unit}`;
  if (!given && value !== 0 && Math.abs(value) < 1)
    return { value: NaN, unclear: `“${body}” could be ${short(value)} or ${short(100 * value)}. Write one of these.` };
  return { value: Number((value / 100).toPrecision(15)), unclear: "" }; // 0.3/100 is not the double nearest to 0.003
}
