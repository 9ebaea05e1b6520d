const EXCLAMATION_MARK = 0x21;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION_MARK = 0x3f;
/** So many bytes are looked at sooner by a loop than by a call of the engine. */
const NEAR = 16;

/** Where the next `<` stands; -1 where there is none. */
export function nextTag(html: string, bytes: Uint8Array, from: number): number {
  // Most texts are a word or a line break.
  const near = Math.min(bytes.length, from + NEAR);
  for (let at = from; at < near; at++) if (bytes[at] === LESS_THAN) return at;
  return html.indexOf('<', near);
}

/** Position after the next occurrence of `what`, or the end. */
export function after(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from);
  return at === -1 ? html.length : at + what.length;
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
