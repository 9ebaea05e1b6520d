export interface Refresh {
  readonly seconds: number;
  /** Not yet absolute; empty when the page reloads itself. */
  readonly url: string;
}

/** Reads the content of `<meta http-equiv=refresh>`; undefined where a browser would not refresh. */
export function parseRefresh(content: string): Refresh | undefined {
  let at = skipSpace(content, 0);
  const digits = at;
  while (isDigit(content.charCodeAt(at))) at++;
  if (at === digits && content[at] !== '.') return undefined;
  const seconds = at === digits ? 0 : Number(content.slice(digits, at));
  while (isDigit(content.charCodeAt(at)) || content[at] === '.') at++;
  if (at === content.length) return { seconds, url: '' };
  if (content[at] !== ';' && content[at] !== ',' && !isSpace(content.charCodeAt(at))) return undefined;
  at = skipSpace(content, at);
  if (content[at] === ';' || content[at] === ',') at = skipSpace(content, at + 1);
  return { seconds, url: withoutPadding(target(content, at)) };
}

/** The URL after an optional `url=` and an optional quote. */
function target(content: string, start: number): string {
  let at = start;
  if (isLetter(content, at, 'u')) {
    if (!isLetter(content, at + 1, 'r') || !isLetter(content, at + 2, 'l')) return content.slice(start);
    at = skipSpace(content, at + 3);
    if (content[at] !== '=') return content.slice(start);
    at = skipSpace(content, at + 1);
  }
  const quote = content[at];
  if (quote !== '"' && quote !== "'") return content.slice(at);
  const end = content.indexOf(quote, at + 1);
  return content.slice(at + 1, end === -1 ? undefined : end);
}

/** White space around a URL and line breaks in it never count. */
function withoutPadding(url: string): string {
  return url.trim().replace(/[\t\n\r]/g, '');
}

function isLetter(text: string, at: number, letter: string): boolean {
  return text[at]?.toLowerCase() === letter;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 9 && code <= 13 && code !== 11);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}
