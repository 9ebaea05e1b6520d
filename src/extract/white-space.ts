/** Control characters count as white space, and so does the no-break space: both only pad text on the web. */
export function isWhite(code: number): boolean {
  return code <= 0x20 || code === 0xa0;
}

/** One blank for each run of white space, none at the ends. */
export function collapse(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhite(text.charCodeAt(start))) start++;
  while (end > start && isWhite(text.charCodeAt(end - 1))) end--;
  let afterWhite = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const white = isWhite(code);
    if (white && (afterWhite || code !== 0x20)) return joinWords(text, start, end);
    afterWhite = white;
  }
  return text.slice(start, end);
}

function joinWords(text: string, start: number, end: number): string {
  const words: string[] = [];
  for (let at = start; at < end; ) {
    const wordStart = at;
    while (at < end && !isWhite(text.charCodeAt(at))) at++;
    words.push(text.slice(wordStart, at));
    while (at < end && isWhite(text.charCodeAt(at))) at++;
  }
  return words.join(' ');
}

/**
 * A copy that does not keep the string it was cut from alive. The engine makes a slice of 13 characters or more a view of
 * its parent: one kept anchor text would hold a whole document in memory.
 */
export function detach(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
