import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';

/** Words taken from a spelling dictionary. */
const MOST_WORDS = 40_000;

/** One piece of text; `source` is what it was translated from, where the file tells. */
export interface Piece {
  readonly text: string;
  readonly source?: string;
}

/** The texts in one file of an unpacked package, by the kind of the file; none for kinds that hold no prose. */
export function packageText(file: string): Piece[] {
  if (file.endsWith('.mo')) return messages(readFileSync(file));
  if (file.endsWith('.html')) return [{ text: withoutTags(readFileSync(file, 'utf8')) }];
  if (file.endsWith('.dic')) return [{ text: wordList(file) }];
  if (file.endsWith('.json')) return jsonStrings(readFileSync(file, 'utf8'));
  if (file.endsWith('.xpi')) return extensionStrings(readFileSync(file));
  if (/\/fortunes\/(?:[a-z]+\/)?[^.]+$/.test(file)) return [{ text: readFileSync(file, 'utf8') }];
  if (file.endsWith('.page')) return [{ text: withoutTags(readFileSync(file, 'utf8')) }];
  if (/\/man\d\/[^/]*\.gz$/.test(file)) return [{ text: manPage(gunzipSync(readFileSync(file)).toString()) }];
  return [];
}

/** The translations of a GNU message catalogue. */
function messages(bytes: Buffer): Piece[] {
  const little = bytes.readUInt32LE(0) === 0x950412de;
  const read = (at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const count = read(8);
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const entry = (table: number): string => {
      const at = read(table) + 8 * index;
      return bytes.toString('utf8', read(at + 4), read(at + 4) + read(at));
    };
    const source = entry(12);
    if (source === '') continue;
    const plain = withoutMarks((source.split('\x04').at(-1) as string).replaceAll('\0', '\n'));
    for (const text of entry(16).split('\0')) pieces.push({ text: withoutMarks(text), source: plain });
  }
  return pieces;
}

/** Without markup, place holders and the marks of keyboard short-cuts. */
function withoutMarks(text: string): string {
  return withoutTags(text)
    .replace(/(?<=\p{L})[_&~](?=\p{L})|[_&~](?=\p{L})/gu, '')
    .replace(/%\(?[\w$.-]*\)?[a-z%]|\$\{?\w+\}?|\{[^}]*\}|\\[a-z]/gi, ' ')
    .replace(/\S+[/\\@.:]\S+/g, ' ');
}

function withoutTags(html: string): string {
  return html
    .replace(/<(script|style|code|pre|tt)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?(p|div|h\d|li|td|tr|title|section|item)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/&[a-z]+;/gi, ' ');
}

/** The words of a spelling dictionary, without their flags, some to a line. */
function wordList(file: string): string {
  const affixes = readFileSync(file.replace(/dic$/, 'aff'), 'latin1');
  const label = /^SET\s+(\S+)/m.exec(affixes)?.[1] ?? 'utf-8';
  const lines = new TextDecoder(label.replace(/^microsoft-cp/, 'windows-')).decode(readFileSync(file)).split('\n');
  // From all over the alphabet, as only some are taken.
  const step = Math.max(1, Math.floor(lines.length / MOST_WORDS));
  const words = lines
    .filter((line, index) => index > 0 && index % step === 0 && !line.startsWith('#'))
    .map((line) => line.replace(/[\t/ ].*$/s, '').trim());
  const joined: string[] = [];
  for (let at = 0; at < words.length; at += 8) joined.push(words.slice(at, at + 8).join(' '));
  return joined.join('\n');
}

function jsonStrings(json: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [key, value] of Object.entries(JSON.parse(json) as Record<string, unknown>)) {
    if (typeof value !== 'string' || key === '@metadata') continue;
    const text = value.replace(/\{\{[^}]*\}\}|\[\[[^\]|]*\||\[\S+|[[\]]|\$\d/g, ' ');
    pieces.push({ text: withoutMarks(text) });
  }
  return pieces;
}

/** The texts of a translated Mozilla program. */
function extensionStrings(bytes: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    const text = Buffer.from(content).toString();
    if (name.endsWith('.dtd'))
      for (const [, value] of text.matchAll(/<!ENTITY\s+\S+\s+["']([^"']+)["']/g))
        pieces.push({ text: withoutMarks(value) });
    if (name.endsWith('.properties'))
      for (const [, value] of text.matchAll(/^[^#\s][^=\n]*=(.+)$/gm)) pieces.push({ text: withoutMarks(value) });
  }
  return pieces;
}

function manPage(roff: string): string {
  return roff
    .replace(/^\.\\".*$|^\.(TH|SH|nf|fi|in|so|ie|el|if|ds|de)\b.*$/gm, '')
    .replace(/^\.[A-Z]+ ?/gm, '')
    .replace(/\\f.|\\\(..|\\[-&]/g, '')
    .replace(/\S+[/\\@.:]\S+/g, ' ');
}
