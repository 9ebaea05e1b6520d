/** Number formats that spreadsheets have without writing them down, by their numbers. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '$#,##0;($#,##0)'],
  [6, '$#,##0;($#,##0)'],
  [7, '$#,##0.00;($#,##0.00)'],
  [8, '$#,##0.00;($#,##0.00)'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'yyyy-mm-dd'],
  [15, 'yyyy-mm-dd'],
  [16, 'yyyy-mm-dd'],
  [17, 'yyyy-mm'],
  [18, 'h:mm'],
  [19, 'h:mm:ss'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  [37, '#,##0;(#,##0)'],
  [38, '#,##0;(#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;(#,##0.00)'],
  [41, '#,##0;(#,##0)'],
  [42, '$#,##0;($#,##0)'],
  [43, '#,##0.00;(#,##0.00)'],
  [44, '$#,##0.00;($#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
  [48, '##0.0E+0'],
]);

/** Longer format codes are read as none. */
const MAX_CODE = 255;
const DAY_MS = 86_400_000;
/** Day 0 of the two calendars of spreadsheets. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** 31 December 9999. */
const LAST_DAY = 2_958_466;

/** The format code behind the number of a built-in format; '' for the general one. */
export function builtInFormat(number: number): string {
  return BUILT_IN.get(number) ?? '';
}

/** A number of a spreadsheet as its format shows it; dates and times come in the order of ISO 8601. */
export function spreadsheetNumber(value: number, code: string, from1904 = false): string {
  if (!Number.isFinite(value) || code === '' || code.length > MAX_CODE || /^general$/i.test(code))
    return generalNumber(value);
  const sections = sectionsOf(code);
  const isSigned = sections.length > 1 && value < 0;
  const section = isSigned ? sections[1] : value === 0 && sections.length > 2 ? sections[2] : sections[0];
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?![hms]+\])[^\]]*\]/gi, '');
  if (/^general$/i.test(bare.trim())) return generalNumber(value);
  if (/[ymdhs]/i.test(bare)) return dateText(value, bare, from1904) ?? generalNumber(value);
  if (!/[0#?]/.test(bare)) return literalText(section) || (bare === '' ? '' : generalNumber(value));
  // A section of its own for negative numbers writes the sign itself.
  return numberText(isSigned ? -value : value, section, bare);
}

/** Fifteen digits, which is what a spreadsheet keeps, and no exponent where it can be helped. */
function generalNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  const text = String(value);
  return text.length <= 15 ? text : String(Number(value.toPrecision(15)));
}

function sectionsOf(code: string): string[] {
  const sections = [''];
  for (const [part] of code.matchAll(/"[^"]*"?|\\.|[^"\\;]+|;|\\/g)) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections;
}

/** The text of a section without a number. */
function literalText(section: string): string {
  return section
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '$1')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/"([^"]*)"?|\\(.)/g, '$1$2')
    .replace(/[@?#]/g, '')
    .trim();
}

function dateText(value: number, bare: string, from1904: boolean): string | undefined {
  if (value < 0 || value >= LAST_DAY) return undefined;
  const hasSeconds = /s/i.test(bare);
  const hasTime = hasSeconds || /h/i.test(bare);
  const hasDay = /d/i.test(bare);
  const hasYear = /y/i.test(bare);
  const hasDate = hasDay || hasYear || !hasTime;
  // To the second, for a binary fraction of a day seldom hits one.
  const seconds = Math.round((value * DAY_MS) / 1_000);
  if (/\[[hms]+\]/i.test(bare)) return `${Math.floor(seconds / 3_600)}:${clock(seconds).slice(3)}`;
  const time = hasTime ? clock(seconds).slice(0, hasSeconds ? 8 : 5) : '';
  // Day 0 is no date: the number is a time of day alone.
  if (!hasDate || (value < 1 && hasTime)) return time;
  // Until March 1900 one of the calendars counts a 29 February that never was.
  const shifted = !from1904 && value < 61 ? seconds + 86_400 : seconds;
  const iso = new Date((from1904 ? EPOCH_1904 : EPOCH_1900) + shifted * 1_000).toISOString();
  const date = iso.slice(0, hasDay || !hasYear || /m/i.test(bare) === false ? 10 : 7);
  return time === '' ? date : `${date} ${time}`;
}

function clock(seconds: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${two((seconds / 3_600) % 24)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function numberText(value: number, section: string, bare: string): string {
  if (/[?#0]\/[?#0\d]/.test(bare)) return fraction(value);
  const percent = bare.includes('%') ? 100 : 1;
  const thousands = /[0#?](,+)(?![,0#?])/.exec(bare.replace(/\.[0#?]*/, ''))?.[1].length ?? 0;
  const scaled = (value * percent) / 1_000 ** thousands;
  const decimals = Math.min(/\.([0#?]*)/.exec(bare)?.[1].length ?? 0, 15);
  const required = /\.(0*)/.exec(bare)?.[1].length ?? 0;
  if (/E[+-]/i.test(bare))
    return scaled
      .toExponential(decimals)
      .replace(/e([+-])(\d)$/, 'E$10$2')
      .replace('e', 'E');
  if (Math.abs(scaled) >= 1e21) return generalNumber(scaled);
  const [whole, part = ''] = Math.abs(scaled).toFixed(decimals).split('.');
  const digits = whole.padStart(Math.min((/^[^.]*/.exec(bare)?.[0].match(/0/g) ?? []).length, 30), '0');
  const grouped = /[0#?],[0#?]/.test(bare) ? digits.replace(/\B(?=(?:\d{3})+$)/g, ',') : digits;
  const tail = part.slice(0, required) + part.slice(required).replace(/0+$/, '');
  const sign = scaled < 0 && /[1-9]/.test(grouped + tail) ? '-' : '';
  return sign + aroundNumber(section, grouped, tail === '' ? '' : `.${tail}`);
}

/** The number within what the format writes before, behind and between its two halves. */
function aroundNumber(section: string, whole: string, tail: string): string {
  let text = '';
  let isWritten = false;
  for (const [part, currency, quoted, escaped] of section.matchAll(
    /\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|"([^"]*)"?|\\(.)|[_*].|[0#?][0#?,]*|\.[0#?,]*|./g,
  )) {
    const literal = currency ?? quoted ?? escaped;
    if (literal !== undefined) text += literal;
    else if (/^[.0#?]/.test(part)) {
      // Formats such as 000-0000 scatter the digits; they are written together.
      if (!isWritten) text += whole;
      isWritten = true;
      if (part.startsWith('.')) text += tail;
    } else if (part.length === 1 && part !== '@') text += part;
  }
  return text.trim();
}

/** As a mixed number, by the best denominator of up to two digits. */
function fraction(value: number): string {
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  let best = { over: 0, under: 1, error: rest };
  for (let under = 2; under <= 99; under++) {
    const over = Math.round(rest * under);
    const error = Math.abs(rest - over / under);
    if (error < best.error - 1e-9) best = { over, under, error };
  }
  if (best.over === 0) return generalNumber(Math.round(value));
  if (best.over === best.under) return generalNumber(whole + Math.sign(value));
  const part = `${best.over}/${best.under}`;
  return whole === 0 ? (value < 0 ? `-${part}` : part) : `${whole} ${part}`;
}
