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
    return unclear("has a comma and a point. Write it without signs between thousands, like 1000.5.");
  if (TWO_WAYS.test(body)) {
    const thousands = whole && !power;
    if (comma === thousands) return known(comma ? joined : decimal); // as the page writes them
    return unclear(`could be ${decimal} or ${joined}. Write one of these.`);
  }
  if (GROUPS.test(body)) return known(joined);
  return known(PLAIN.test(body) || SPACED.test(body) ? decimal : NaN);
}
