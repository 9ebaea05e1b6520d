import { cutLine, ROBOTS_MAX_LINE_BYTES } from './robots-text.ts';

export type RobotsLineKind =
  | 'user-agent'
  | 'allow'
  | 'disallow'
  | 'sitemap'
  | 'crawl-delay'
  /** Known from other crawlers, without effect here. */
  | 'unused'
  /** A directive of any other name. */
  | 'unknown'
  | 'comment'
  | 'empty'
  /** Text that is no directive. */
  | 'text';

/** One line of a robots.txt as it was understood. */
export interface RobotsLine {
  /** From 1. */
  readonly line: number;
  readonly kind: RobotsLineKind;
  /** The name as written; empty where the line holds no directive. */
  readonly key: string;
  /** White space and comment removed. */
  readonly value: string;
  /** The name is misspelt in a way that is understood all the same. */
  readonly typo: boolean;
  readonly comment: boolean;
  /** White space stands where the colon should be. */
  readonly missingColon: boolean;
  /** Only its first 16,663 octets count. */
  readonly tooLong: boolean;
}

/** Names are matched by their beginning, in this order, as Google's parser does. */
const NAMES: readonly { readonly kind: RobotsLineKind; readonly starts: string; readonly typo: boolean }[] = [
  { kind: 'user-agent', starts: 'user-agent', typo: false },
  { kind: 'user-agent', starts: 'useragent', typo: true },
  { kind: 'user-agent', starts: 'user agent', typo: true },
  { kind: 'allow', starts: 'allow', typo: false },
  { kind: 'disallow', starts: 'disallow', typo: false },
  { kind: 'disallow', starts: 'dissallow', typo: true },
  { kind: 'disallow', starts: 'dissalow', typo: true },
  { kind: 'disallow', starts: 'disalow', typo: true },
  { kind: 'disallow', starts: 'diasllow', typo: true },
  { kind: 'disallow', starts: 'disallaw', typo: true },
  { kind: 'sitemap', starts: 'sitemap', typo: false },
  { kind: 'sitemap', starts: 'site-map', typo: true },
  { kind: 'crawl-delay', starts: 'crawl-delay', typo: false },
  { kind: 'crawl-delay', starts: 'crawldelay', typo: true },
  { kind: 'crawl-delay', starts: 'crawl delay', typo: true },
];

const UNUSED = new Set(['clean-param', 'host', 'noarchive', 'noindex', 'nofollow']);

/** Reads a robots.txt line by line, the last line too where it is empty. CR, LF and CRLF each end a line. */
export function robotsLines(text: string): RobotsLine[] {
  return text.split(/\r\n|\r|\n/).map((raw, index) => readLine(raw, index + 1));
}

function readLine(raw: string, line: number): RobotsLine {
  const tooLong = raw.length * 3 > ROBOTS_MAX_LINE_BYTES && Buffer.byteLength(raw) > ROBOTS_MAX_LINE_BYTES;
  let content = tooLong ? cutLine(raw) : raw;
  // Google's parser takes a line as a C string: it ends at the first NUL.
  const nul = content.indexOf('\0');
  if (nul >= 0) content = content.slice(0, nul);
  const hash = content.indexOf('#');
  const comment = hash >= 0;
  if (comment) content = content.slice(0, hash);
  content = trimAscii(content);

  const found = { line, key: '', value: '', typo: false, comment, missingColon: false, tooLong };
  if (content === '') return { ...found, kind: comment ? 'comment' : 'empty' };

  let separator = content.indexOf(':');
  const missingColon = separator < 0;
  if (missingColon) {
    separator = content.search(/[ \t]/);
    // White space stands for the colon only between exactly two words.
    if (separator < 0 || /[ \t]/.test(trimAscii(content.slice(separator)))) return { ...found, kind: 'text' };
  }
  const key = trimAscii(content.slice(0, separator));
  if (key === '') return { ...found, kind: 'text' };
  const value = trimAscii(content.slice(separator + 1));
  return { ...found, key, value, missingColon, ...kindOf(key.toLowerCase()) };
}

function kindOf(key: string): { kind: RobotsLineKind; typo: boolean } {
  for (const name of NAMES) {
    if (key.startsWith(name.starts)) return { kind: name.kind, typo: name.typo };
  }
  return { kind: UNUSED.has(key) ? 'unused' : 'unknown', typo: false };
}

/** Not `trim`: that also removes byte order marks and other white space past ASCII. */
function trimAscii(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiSpace(text.charCodeAt(start))) start++;
  while (end > start && isAsciiSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
