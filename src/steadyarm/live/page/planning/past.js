/** Past outcomes from a CSV file: read in the browser, so that the file stays where it is; the rules are those of `sa.plan`. */

const SEPARATORS = [",", ";", "\t"];
const WITH_COMMA = /^[+-]?\d+(,\d+)?$/;
const THOUSANDS = /,\d{3}$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MISSING = new Set(["", "na", "nan", "n/a", "null", "none"]);
const WORDS = { true: "1", false: "0" };

/** @param {string} text @param {string} separator @returns {string[][]} its cells line by line; one in quotes may hold separators and line breaks */
function cells(text, separator) {
  const lines = [[""]];
  let quoted = false;
  for (const letter of text) {
    const line = lines.at(-1);
    if (letter === '"') quoted = !quoted;
    else if (letter === separator && !quoted) line.push("");
    else if (letter === "\n" && !quoted) lines.push([""]);
    else line[line.length - 1] += letter;
  }
  return lines.map((line) => line.map((cell) => cell.trim()));
}

/** @param {string} text of a file @param {string} name @returns {{columns: string[], rows: string[][]}} what it holds */
export function tableOf(text, name) {
  const written = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").replace(/^\n+|\n+$/g, ""); // a blank line at the end is no outcome
  if (text.includes("\uFFFD")) throw new Error(`A file must be a CSV file in UTF-8; ${name} is not. Save it as one, in a spreadsheet as CSV UTF-8.`);
  if (!written.trim()) throw new Error(`A file must be a CSV file whose first line names the columns; ${name} is empty.`);
  const heading = written.split("\n", 1)[0];
  const count = (separator) => heading.split(separator).length;
  const separator = SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
  const [columns, ...lines] = cells(written, separator);
  const rows = lines.map((line) => (line.join("") ? line : columns.map(() => ""))); // a blank line has nothing in any column
  if (rows.some((row) => row.length !== columns.length))
    throw new Error(
      `A file must have as many cells in each line as the first line names; ${name} does not. If numbers have decimal commas, separate cells by semicolons, or write decimal points.`,
    );
  if (columns.every((column) => NUMBER.test(column.replace(",", "."))))
    throw new Error(
      `A file must be a CSV file whose first line names the columns; that of ${name} has ${columns[0]}, a number. Write a name above the outcomes.`,
    );
  return { columns, rows };
}

/**
 * @param {string[]} written outcomes @param {string} name of the column, for the words
 * @returns {{mean: number, sd: number|null, size: number}} no `sd` if all are 0 or 1: their mean is a rate
 */
export function outcomes(written, name) {
  const missing = written.filter((text) => MISSING.has(text.toLowerCase())).length;
  if (missing)
    throw new Error(
      `Past outcomes must all be known; ${missing.toLocaleString("en")} of ${written.length.toLocaleString("en")} in ${name} are missing. Leave those rows out, or fill them in.`,
    );
  const values = withPoints(written, name).map((text) => WORDS[text.toLowerCase()] ?? text);
  const wrong = values.find((text) => !NUMBER.test(text));
  if (wrong !== undefined) throw new Error(`Past outcomes must be numbers; those of ${name} are not, “${wrong}” for one. Choose another column.`);
  const numbers = values.map(Number);
  if (numbers.length < 2) throw new Error(`Past data must have two outcomes or more; ${name} has ${numbers.length}.`);
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  if (mean > 0 && mean < 1 && numbers.every((each) => each === 0 || each === 1)) return { mean, sd: null, size: numbers.length };
  const sd = Math.sqrt(numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (numbers.length - 1));
  if (!(sd > 0 && Number.isFinite(mean + sd)))
    throw new Error(`Past outcomes must vary; those of ${name} have a standard deviation of ${sd}. Choose a column of outcomes.`);
  return { mean, sd, size: numbers.length };
}

/** @returns {string[]} numbers with decimal commas with points; 1,234 alone could be either */
function withPoints(written, name) {
  if (!written.every((text) => WITH_COMMA.test(text))) return written;
  const commas = written.filter((text) => text.includes(","));
  if (commas.length && commas.every((text) => THOUSANDS.test(text)))
    throw new Error(
      `Past outcomes must be clear numbers; ${commas[0]} in ${name} could be ${commas[0].replace(",", ".")} or ${commas[0].replace(",", "")}. Write them with a decimal point, and without thousands separators.`,
    );
  return written.map((text) => text.replace(",", "."));
}
