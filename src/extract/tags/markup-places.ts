import { fourTimes, holds } from './four-bytes.ts';

const EXCLAMATION_MARK = 0x21;
export const QUOTE = 0x22;
export const APOSTROPHE = 0x27;
export const SLASH = 0x2f;
const LESS_THAN = 0x3c;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const QUESTION_MARK = 0x3f;
const FOUR_LESS_THAN = fourTimes(LESS_THAN);
/** So many bytes are looked at sooner by a loop than by a call of the engine. */
const NEAR = 16;

/** Where the next `<` stands; -1 where there is none. */
export function nextTag(html: string, bytes: Uint8Array, view: DataView, from: number): number {
  // Most texts are nothing, a line break or a word.
  if (bytes[from] === LESS_THAN) return from;
  const near = Math.min(bytes.length, from + NEAR);
  let at = from;
  while (at + 4 <= near && !holds(view.getInt32(at, true), FOUR_LESS_THAN)) at += 4;
  for (; at < near; at++) if (bytes[at] === LESS_THAN) return at;
  return html.indexOf('<', near);
}

/** Position after the next occurrence of `what`, or the end. */
export function after(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from);
  return at === -1 ? html.length : at + what.length;
}

/** Position after the tag whose name ends at `from`; -1 where the document ends inside of it. */
export function tagEnd(html: string, bytes: Uint8Array, from: number): number {
  const length = bytes.length;
  let at = from;
  for (;;) {
    let code = 0;
    while (at < length) {
      code = bytes[at];
      if (code !== SLASH && !isSpace(code)) break;
      at++;
    }
    if (at >= length) return -1;
    if (code === GREATER_THAN) return at + 1;
    // Whatever comes first belongs to the name, even an equals sign.
    do at++;
    while (at < length && ENDS_NAME[bytes[at]] === 0);
    while (at < length && isSpace(bytes[at])) at++;
    if (at >= length) return -1;
    if (bytes[at] !== EQUALS) continue;
    do at++;
    while (at < length && isSpace(bytes[at]));
    if (at >= length) return -1;
    code = bytes[at];
    if (code === QUOTE || code === APOSTROPHE) {
      at = nextByte(html, bytes, code, at + 1) + 1;
      if (at === 0) return -1;
    } else while (at < length && bytes[at] !== GREATER_THAN && !isSpace(bytes[at])) at++;
  }
}

/** Where the next quotation mark of this kind stands; -1 where there is none. */
function nextByte(html: string, bytes: Uint8Array, quote: number, from: number): number {
  const near = Math.min(bytes.length, from + NEAR);
  for (let at = from; at < near; at++) if (bytes[at] === quote) return at;
  return html.indexOf(quote === QUOTE ? '"' : "'", near);
}

/** Position after a comment whose content starts at `from`: it ends with `-->`, `--!>`, or at once with `>` or `->`. */
export function commentEnd(html: string, from: number): number {
  if (html.charCodeAt(from) === GREATER_THAN) return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  for (let at = html.indexOf('--', from); at !== -1; at = html.indexOf('--', at + 1)) {
    if (html.charCodeAt(at + 2) === GREATER_THAN) return at + 3;
    if (html.startsWith('!>', at + 2)) return at + 4;
  }
  return html.length;
}

/** By byte: whether it ends the name of an attribute. */
const ENDS_NAME: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code === GREATER_THAN || code === EQUALS || code === SLASH || isSpace(code) ? 1 : 0,
);

export function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

/** Whether a `<` before this character is more than a character of text. */
export function startsMarkup(code: number): boolean {
  return isLetter(code) || code === SLASH || code === EXCLAMATION_MARK || code === QUESTION_MARK;
}

export function isSpace(code: number): boolean {
  return code === 0x20 || (code <= 13 && code >= 9 && code !== 11);
}
