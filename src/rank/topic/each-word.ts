/** Below this, folding and kinds of characters are looked up: Latin, Greek, Cyrillic. */
const TABLE_END = 0x530;
const SEPARATOR = 0;
/** Combining marks: neither part of a word nor its end, so that both spellings of an accented letter give one word. */
const MARK = 1;
const LETTER = /[\p{L}\p{N}]/u;
const COMBINING = /\p{M}/u;
const FOLDED = tableOfFoldedLetters();
const FIRST = 0x811c9dc5;
const PRIME = 0x01000193;
/** A word this long is noise (a key, a base64 text), and its hash is of its beginning alone. */
const LONGEST_WORD = 40;
const E = 101;
const I = 105;
const S = 115;
const U = 117;
const X = 120;
const Y = 121;
const Z = 122;

export type TakeWord = (hash: number, from: number, to: number) => void;

/**
 * Calls `take` with the hash of each word of a text, up to `limit` words: letters and digits of any script, folded in case
 * and accents, without the plural's ending; two neighbouring characters each where a script writes no spaces. A word of
 * several humps (camelCase) also gives its humps and their neighbouring pairs.
 *
 * The two lowest bits of a hash are 0, left free for whoever tells kinds of words apart. No string is made per word, and
 * the loop is one piece, since every character of every page passes through it.
 */
export function eachWord(text: string, limit: number, take: TakeWord): void {
  const end = text.length;
  let words = 0;
  let at = 0;
  while (at < end && words < limit) {
    const from = at;
    // The hash, and the hashes before the last letter and those before it, for endings that are taken off.
    let hash = FIRST;
    let less1 = FIRST;
    let less2 = FIRST;
    let less3 = FIRST;
    let last = 0;
    let before = 0;
    let beforeThat = 0;
    let letters = 0;
    let afterLower = false;
    let hasHumps = false;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      const folded = code < TABLE_END ? FOLDED[code] : foldedFar(text, at, code);
      if (folded <= MARK) {
        if (folded === SEPARATOR) break;
        continue;
      }
      if (code < 128) {
        if (afterLower && code < 91 && code > 64) hasHumps = true;
        afterLower = code > 96;
      }
      if (letters++ >= LONGEST_WORD) continue;
      less3 = less2;
      less2 = less1;
      less1 = hash;
      hash = Math.imul(hash ^ folded, PRIME);
      beforeThat = before;
      before = last;
      last = folded;
    }
    if (letters > 1) {
      if (last === S && letters > 3) {
        if (before === E && beforeThat === I && letters > 4) hash = Math.imul(less3 ^ Y, PRIME);
        else if (before === E && (beforeThat === X || beforeThat === Z)) hash = less2;
        else if (before !== S && before !== U && before !== I) hash = less1;
      }
      take(finish(hash), from, at);
      words++;
      if (hasHumps) words += eachHump(text, from, at, limit - words, take);
    }
    if (at === end) return;
    if (isUnspaced(text.charCodeAt(at)) && isUnspaced(text.charCodeAt(at + 1))) {
      take(
        finish(Math.imul(Math.imul(FIRST ^ text.charCodeAt(at), PRIME) ^ text.charCodeAt(at + 1), PRIME)),
        at,
        at + 2,
      );
      words++;
    }
    at++;
  }
}

/** WebGLContext: web, gl, context, webgl, glcontext. */
function eachHump(text: string, from: number, to: number, limit: number, take: TakeWord): number {
  const starts = [from];
  for (let at = from + 1; at < to && at < from + LONGEST_WORD; at++) {
    if (!isUpper(text.charCodeAt(at))) continue;
    const afterLower = !isUpper(text.charCodeAt(at - 1));
    const beforeLower = at + 1 < to && isLower(text.charCodeAt(at + 1));
    if (afterLower || beforeLower) starts.push(at);
  }
  starts.push(to);
  let words = 0;
  for (let hump = 0; hump + 1 < starts.length && words + 2 <= limit; hump++) {
    const [start, end, next] = starts.slice(hump, hump + 3);
    if (end - start > 1) {
      take(hashOf(text.slice(start, end)), start, end);
      words++;
    }
    if (next !== undefined && starts.length > 3) {
      take(hashOf(text.slice(start, next)), start, next);
      words++;
    }
  }
  return words;
}

function hashOf(word: string): number {
  let found = 0;
  eachWord(word.toLowerCase(), 1, (hash) => {
    found = hash;
  });
  return found;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** Han, kana and hangul: pairs of characters stand for words. */
function isUnspaced(code: number): boolean {
  return (
    code >= 0x3040 &&
    (code <= 0x30ff || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3) || isRareHan(code))
  );
}

function isRareHan(code: number): boolean {
  return code >= 0xf900 && code <= 0xfaff;
}

/** Unspaced scripts end a word: they are read by pairs of characters. */
function foldedFar(text: string, at: number, code: number): number {
  if (isUnspaced(code)) return SEPARATOR;
  if (code >= 0xdc00 && code <= 0xdfff)
    return at > 0 && isWordCharacter(text.codePointAt(at - 1) ?? 0) ? code : SEPARATOR;
  return foldedOf(text.codePointAt(at) ?? code, code);
}

function isWordCharacter(codePoint: number): boolean {
  return codePoint > 0xffff && LETTER.test(String.fromCodePoint(codePoint));
}

function foldedOf(codePoint: number, code: number): number {
  const character = String.fromCodePoint(codePoint);
  if (!LETTER.test(character)) return COMBINING.test(character) ? MARK : SEPARATOR;
  if (codePoint > 0xffff) return code;
  const [base] = character.toLowerCase().normalize('NFKD');
  return base.charCodeAt(0);
}

function tableOfFoldedLetters(): Uint16Array {
  const table = new Uint16Array(TABLE_END);
  for (let code = 0; code < TABLE_END; code++) table[code] = foldedOf(code, code);
  return table;
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return ((mixed ^ (mixed >>> 16)) & ~3) >>> 0;
}
