import { legacyEntities, namedEntities } from './named-entities.ts';

/** What the numeric references 128 to 159 stand for: they are read as windows-1252. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const LONGEST_NAME = 31;
const LONGEST_LEGACY_NAME = 6;
const SHORTEST_NAME = 2;

/**
 * Replaces character references as the HTML standard's tokenizer does. In an attribute a name without its semicolon that is
 * followed by `=` or an alphanumeric stays as it is, so that `?a=1&copy=2` keeps its parameter.
 */
export function decodeReferences(text: string, inAttribute: boolean): string {
  let ampersand = text.indexOf('&');
  if (ampersand === -1) return text;
  let decoded = '';
  let copied = 0;
  while (ampersand !== -1) {
    const start = ampersand + 1;
    let end = start;
    let replacement: string | undefined;
    if (text.charCodeAt(start) === 0x23) {
      end = numberEnd(text, start);
      if (end > start) {
        replacement = codePointOf(text, start, end);
        if (text.charCodeAt(end) === 0x3b) end++;
      }
    } else {
      while (end - start <= LONGEST_NAME && isAlphanumeric(text.charCodeAt(end))) end++;
      if (text.charCodeAt(end) === 0x3b) replacement = namedEntities.get(text.slice(start, end));
      if (replacement !== undefined) {
        end++;
      } else {
        end = legacyNameEnd(text, start, Math.min(end, start + LONGEST_LEGACY_NAME), inAttribute);
        if (end > start) replacement = namedEntities.get(text.slice(start, end));
      }
    }
    if (replacement !== undefined) {
      decoded += text.slice(copied, ampersand) + replacement;
      copied = end;
    }
    ampersand = text.indexOf('&', Math.max(start, copied));
  }
  return copied === 0 ? text : decoded + text.slice(copied);
}

/** End of the longest legacy name that starts here, or `start` where none does or the attribute rule forbids it. */
function legacyNameEnd(text: string, start: number, limit: number, inAttribute: boolean): number {
  for (let end = limit; end >= start + SHORTEST_NAME; end--) {
    if (!legacyEntities.has(text.slice(start, end))) continue;
    const next = text.charCodeAt(end);
    return inAttribute && (next === 0x3d || isAlphanumeric(next)) ? start : end;
  }
  return start;
}

/** End of the digits after `#` or `#x`, or `start` where there are none. */
function numberEnd(text: string, start: number): number {
  const hex = (text.charCodeAt(start + 1) | 0x20) === 0x78;
  const digits = start + (hex ? 2 : 1);
  let end = digits;
  for (;;) {
    const code = text.charCodeAt(end);
    const letter = code | 0x20;
    if ((code >= 0x30 && code <= 0x39) || (hex && letter >= 0x61 && letter <= 0x66)) end++;
    else return end === digits ? start : end;
  }
}

function codePointOf(text: string, start: number, end: number): string {
  const hex = (text.charCodeAt(start + 1) | 0x20) === 0x78;
  const value = Number.parseInt(text.slice(start + (hex ? 2 : 1), end), hex ? 16 : 10);
  if (value >= 0x80 && value <= 0x9f) return WINDOWS_1252[value - 0x80];
  if (value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(value);
}

function isAlphanumeric(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
