/**
 * Lines per language -> the letter pairs and common characters that charset detection knows.
 * node tools/build-language-model/charset-statistics.ts TEXTS src/convert/charset-detection
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALPHABETIC, IDEOGRAPHIC } from '../../src/convert/charset-detection/candidates.ts';

const [texts, out] = process.argv.slice(2);
const MOST_CHARACTERS = 3_000_000;
const ASCII_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Letters rarer than this are foreign to a language. */
const RAREST_LETTER = 3e-5;
const RAREST_IDEOGRAPH = 2 ** -14;
/** Quarter bits are written as one character each, from '(' on; more than these would need a backslash. */
const FIRST_DIGIT = 0x28;
const LAST_DIGIT = 51;

const alphabetic = [...new Set(ALPHABETIC.flatMap(({ languages }) => languages))];
const ideographic = [...new Set(IDEOGRAPHIC.flatMap(({ languages }) => languages))];
write(
  'letter-pairs.json',
  alphabetic.map((language) => [language, ...letterPairs(language)]),
);
write(
  'frequent-ideographs.json',
  ideographic.map((language) => [language, commonCharacters(language)]),
);

function letterPairs(language: string): [letters: string, costs: string] {
  const text = readText(language);
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const special = [...counts]
    .filter(([char, count]) => char > '\x7f' && /[\p{L}\p{M}]/u.test(char) && count > RAREST_LETTER * text.length)
    .map(([char]) => char)
    .filter((char) => char.charCodeAt(0) < 0x1000)
    .sort();
  let plain = 0;
  for (const letter of ASCII_LETTERS) plain += counts.get(letter) ?? 0;
  // All texts hold English words.
  const latin = plain > 0.4 * text.length;
  const letters = [...(latin ? ASCII_LETTERS : ''), ...special];
  const places = new Map(letters.map((letter, index) => [letter, index + 1]));
  const size = letters.length + 1;
  const pairs = new Float64Array(size * size).fill(0.1);
  let previous = 0;
  for (const char of text) {
    const place = places.get(char) ?? 0;
    pairs[previous * size + place]++;
    previous = place;
  }
  let costs = '';
  for (let from = 0; from < size; from++) {
    let sum = 0;
    for (let to = 0; to < size; to++) sum += pairs[from * size + to];
    for (let to = 0; to < size; to++) {
      const plain = isPlain(letters[from - 1]) && isPlain(letters[to - 1]);
      const quarters = plain ? 0 : Math.min(LAST_DIGIT, Math.round(-4 * Math.log2(pairs[from * size + to] / sum)));
      costs += String.fromCharCode(FIRST_DIGIT + quarters);
    }
  }
  return [letters.join(''), costs];
}

function isPlain(letter: string | undefined): boolean {
  return letter === undefined || letter <= '\x7f';
}

function commonCharacters(language: string): [bits: number, characters: string][] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const char of readText(language)) {
    if (char <= '\x7f' || !/[\p{L}\p{M}ー]/u.test(char)) continue;
    counts.set(char, (counts.get(char) ?? 0) + 1);
    total++;
  }
  const groups = new Map<number, string>();
  for (const [char, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (count < RAREST_IDEOGRAPH * total) break;
    const bits = Math.round(-Math.log2(count / total));
    groups.set(bits, (groups.get(bits) ?? '') + char);
  }
  return [...groups];
}

function readText(language: string): string {
  const all = readFileSync(join(texts, `${language}.txt`), 'utf8').toLowerCase();
  // From the whole of the file: its sources follow one another.
  const lines = all.split('\n');
  const every = Math.max(1, Math.ceil(all.length / MOST_CHARACTERS));
  const text = lines.filter((_, index) => index % every === 0).join(' ');
  return language === 'vi' ? asWindows1258(text) : text;
}

/** Windows-1258 writes tones as characters of their own, unless Latin-1 has the letter with its accent. */
function asWindows1258(text: string): string {
  return text.normalize('NFD').replace(/\p{L}\p{M}*/gu, (letter) => {
    const whole = letter.normalize('NFC');
    if (whole.length === 1 && whole <= 'ÿ') return whole;
    const tone = /[\u0300\u0301\u0303\u0309\u0323]/.exec(letter)?.[0] ?? '';
    return letter.replace(tone, '').normalize('NFC') + tone;
  });
}

function write(name: string, rows: readonly unknown[]): void {
  writeFileSync(join(out, name), `${JSON.stringify(rows)}\n`);
}
