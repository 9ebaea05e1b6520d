/** What the segments and queries of URLs are made of; all by character codes, for it is done for every link. */

const NUMBER = '{n}';
const HEX = '{x}';
const STAR = '*';
const NUMBER_KEY = -1;
const HEX_KEY = -2;
export const STAR_KEY = -3;
/** Words that end in a number: the number tells them apart, so they are another kind than words alone. */
const NUMBERED = '*{n}';
const NUMBERED_KEY = -4;
const SHORTEST_HEX = 6;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const DOT = 0x2e;

/** Where the last segment of a path begins and ends, with and without its extension, and where the query begins. */
export interface UrlParts {
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly slash: boolean;
  readonly query: number;
}

/** Of a segment by what it is made of: digits and separators, hexadecimal, or else the word itself, by its hash. */
export function folderKey(hash: number, length: number, digits: number, hexLetters: number, others: number): number {
  if (others === 0 && digits > 0) {
    if (hexLetters === 0) return NUMBER_KEY;
    if (length >= SHORTEST_HEX) return HEX_KEY;
  }
  return hash === STAR_KEY ? STAR_KEY : mix(hash);
}

export function mix(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0x1fffffff;
}

export function pageKey(url: string, end: number, key: number): number {
  const last = url.charCodeAt(end - 1);
  return key === STAR_KEY && last >= 0x30 && last <= 0x39 ? NUMBERED_KEY : key;
}

export function nameOf(key: number): string {
  return key === NUMBER_KEY ? NUMBER : key === HEX_KEY ? HEX : key === NUMBERED_KEY ? NUMBERED : STAR;
}

export function pageName(url: string, { start, nameEnd, end, slash }: UrlParts): string {
  if (start === end) return '';
  let digits = 0;
  let hexLetters = 0;
  let others = 0;
  for (let i = start; i < nameEnd; i++) {
    const code = url.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66) hexLetters++;
    else if (code !== 0x2d && code !== 0x5f && code !== 0x3a && code !== DOT) others++;
  }
  const key = pageKey(url, nameEnd, folderKey(STAR_KEY, nameEnd - start, digits, hexLetters, others));
  return nameOf(key) + url.slice(nameEnd, end) + (slash ? '/' : '');
}

export function hasLetter(url: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = url.charCodeAt(i) | 0x20;
    if (code >= 0x61 && code <= 0x7a) return true;
  }
  return false;
}

/** Hash of the names of the parameters; one that is repeated counts once. */
export function queryNames(url: string, from: number, seed: number): number {
  let hash = seed;
  let name = 0;
  let last = -1;
  let inName = true;
  for (let i = from; i <= url.length; i++) {
    const code = i === url.length ? AMPERSAND : url.charCodeAt(i);
    if (code === AMPERSAND) {
      if (name !== last) hash = (Math.imul(hash, 0x01000193) ^ name) | 0;
      last = name;
      name = 0;
      inName = true;
    } else if (code === EQUALS) inName = false;
    else if (inName) name = (Math.imul(name, 31) + code) | 0;
  }
  return hash;
}

export function namesText(url: string, from: number): string {
  const names = url
    .slice(from)
    .split('&')
    .map((parameter) => parameter.split('=', 1)[0]);
  return names.filter((name, at) => name !== names[at - 1]).join('&');
}
