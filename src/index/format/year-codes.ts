const FIRST_YEAR = 1970;
/** The average year of the calendar: dividing by it is off by one year at most. */
const YEAR_MS = 365.2425 * 24 * 3600 * 1000;
/** When each year from 1970 on begins. */
const YEAR_STARTS = Float64Array.from({ length: 300 }, (_, year) => Date.UTC(FIRST_YEAR + year, 0, 1));

/** Of a document without a date. */
export const NO_YEAR = 0;
/** Of a date after the years that have a code. */
export const FAR_YEAR = YEAR_STARTS.length + 1;
/** How many codes there are. */
export const YEAR_CODES = FAR_YEAR + 1;

/** The year, UTC, of a code that is neither `NO_YEAR` nor `FAR_YEAR`. */
export function yearOfCode(code: number): number {
  return FIRST_YEAR + code - 1;
}

/** A code for the year of each document: worked out once, because every search counts thousands of them. */
export function yearCodes(documents: number, dateOf: (document: number) => number): Uint16Array {
  const codes = new Uint16Array(documents);
  for (let document = 0; document < documents; document++) codes[document] = codeOf(dateOf(document));
  return codes;
}

function codeOf(date: number): number {
  // Where there is no date, or one that is none.
  if (!(date > 0)) return NO_YEAR;
  let year = Math.floor(date / YEAR_MS);
  if (year + 1 >= YEAR_STARTS.length) return FAR_YEAR;
  if (date >= YEAR_STARTS[year + 1]) year++;
  else if (date < YEAR_STARTS[year]) year--;
  return year + 1;
}
