/**
 * Unpacked packages -> one file of clean lines per language.
 * node tools/build-language-model/gather-text.ts PACKAGES DECLARATIONS OUT [LANGUAGE ...]
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, LANGUAGES_OF_ONE_SCRIPT, type Source } from './languages.ts';
import { type Piece, packageText } from './package-text.ts';

const [packages, declarations, out, ...only] = process.argv.slice(2);
/** Beyond this a language has enough; how evenly its sources are used matters more than their size. */
const MOST_PER_PACKAGE = 6_000_000;
/** Word lists know every word once; more of them would hide how often the small words are used. */
const MOST_PER_WORD_LIST = 300_000;
const ENGLISH_WORDS = new Set(
  'and this that with which you your are from have been can when these should there would'.split(' '),
);

mkdirSync(out, { recursive: true });
for (const language of [...LANGUAGES, ...LANGUAGES_OF_ONE_SCRIPT]) {
  if (only.length === 0 || only.includes(language.code)) gather(language);
}

function gather(language: Source): void {
  const seen = new Set<string>();
  const file = openSync(join(out, `${language.code}.txt`), 'w');
  let total = 0;
  for (const folder of readdirSync(packages)) {
    const [owner, name] = folder.split('__');
    if (owner !== 'all' && owner !== (language.owner ?? language.code) && !(language.code === 'en' && owner === 'de'))
      continue;
    const translated = language.code === 'en' && owner === 'de';
    let size = 0;
    for (const path of filesOf(join(packages, folder), language, owner === 'all', translated)) {
      const most = path.endsWith('.dic') ? MOST_PER_WORD_LIST : MOST_PER_PACKAGE;
      if (size > most) continue;
      for (const line of linesOf(path, translated)) {
        if (size > most) break;
        if (seen.has(line) || !writtenIn(line, language.script)) continue;
        if (language.code !== 'en' && isEnglish(line)) continue;
        seen.add(line);
        size += line.length;
        writeSync(file, `${line}\n`);
      }
    }
    if (size > 0) console.log(`${language.code} ${name}: ${Math.round(size / 1_000)} kB`);
    total += size;
  }
  for (const code of language.declarations ?? []) {
    const text = readFileSync(join(declarations, `${code}.html`), 'utf8').replace(/<[^>]*>/g, '\n');
    for (const line of text.split('\n').map(clean))
      if (line.length > 2 && writtenIn(line, language.script)) writeSync(file, `${line}\n`);
    total += text.length;
  }
  closeSync(file);
  console.log(`${language.code}: ${Math.round(total / 1_000)} kB`);
}

function* linesOf(path: string, sources: boolean): Generator<string> {
  let pieces: Piece[] = [];
  try {
    pieces = packageText(path);
  } catch {
    return;
  }
  for (const { text, source } of pieces) {
    if (sources && source === undefined) continue;
    if (!sources && source !== undefined && mostlySame(text, source)) continue;
    for (const line of (sources ? (source as string) : text).split(/\n+|(?<=[.!?]) /)) {
      const cleaned = clean(line);
      if (cleaned.length >= 4) yield cleaned;
    }
  }
}

function clean(line: string): string {
  return line
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}'’ʼ·-]+/gu, ' ')
    .trim();
}

/** Translations that leave much in English teach the wrong thing. */
function mostlySame(text: string, source: string): boolean {
  const known = new Set(source.toLowerCase().split(/[^\p{L}]+/u));
  const words = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2);
  let same = 0;
  for (const word of words) if (known.has(word)) same++;
  return same * 3 > words.length;
}

/** Help pages are often translated in part. "The" is a word of no other language here, and two of the rest are no chance. */
function isEnglish(line: string): boolean {
  const words = line.toLowerCase().split(' ');
  return words.includes('the') || new Set(words.filter((word) => ENGLISH_WORDS.has(word))).size > 1;
}

function writtenIn(line: string, script: RegExp): boolean {
  let letters = 0;
  let right = 0;
  for (const char of line) {
    if (!/\p{L}/u.test(char)) continue;
    letters++;
    if (script.test(char)) right++;
  }
  return right * 10 >= letters * 8;
}

function* filesOf(folder: string, language: Source, shared: boolean, translated: boolean): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    let stat: ReturnType<typeof statSync>;
    try {
      stat = statSync(path);
    } catch {
      continue;
    }
    if (stat.isDirectory()) yield* filesOf(path, language, shared, translated);
    else if (stat.isFile() && belongs(path, language, shared, translated)) yield path;
  }
}

/** Packages for all languages name the language in a folder or a file; even packages for one hold variants. */
function belongs(path: string, language: Source, shared: boolean, translated: boolean): boolean {
  // What was translated into another language is read from its catalogues.
  if (translated) return path.endsWith('.mo');
  const named =
    /\/(?:locale|locale-langpack|resource|help|i18n|languages)\/(?:C\/)?([a-z]{2,3}(?:[-_@][\w-]+)?)(?:\/|\.json$|\.mo$)/i.exec(
      path,
    )?.[1];
  if (named === undefined) return !shared;
  const locales = language.locales ?? [language.code];
  return locales.some(
    (locale) =>
      named === locale ||
      (named.startsWith(`${locale}_`) && !named.includes('@')) ||
      (named.startsWith(`${locale}-`) && !/latn|cyrl|arab|-el/i.test(named)),
  );
}
