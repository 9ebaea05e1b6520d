import type { SnippetPart } from '../../contracts/search-service.ts';
import { bestPassages, type Passage } from './best-passages.ts';
import type { WordMatch, WordMatcher } from './word-matcher.ts';

export interface SnippetOptions {
  /** What to show where no word of the query stands in the text. */
  readonly description?: string;
  /** How much each word of the query tells, in the matcher's order; all the same where it is not given. */
  readonly weights?: readonly number[];
}

/** About this many characters are shown. */
const LENGTH = 240;
/** Characters of the beginning of a text. */
const FIRST_LOOK = 16_000;
/** What stands between the words of a name. */
const JOINED = /^[_.-]+$/;
const LONGEST_JOINER = 5;
const SIGNS_BEFORE = /(?:^|[^\p{L}\p{N}_-])(_{1,2}|--)$/u;
const SIGNS_AFTER = /^(_{1,2})(?![\p{L}\p{N}_])/u;
const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
/** Anything but ASCII that can be seen with single spaces between. */
const NEEDS_CLEANING = /[^\x20-\x7e]| {2}/;
/** Runs of white space, but for the single spaces that most are and that stay. */
const NO_SINGLE_SPACE = /[^\S ]\s*| \s+/g;
const GAP: SnippetPart = { text: ' … ', match: false };

/** The passage of a text that tells best what it says of the query; two where one does not hold all its words. */
export function snippetOf(text: string, matcher: WordMatcher, options: SnippetOptions = {}): SnippetPart[] {
  const { passages, matches } = bestOf(text, matcher, options.weights);
  if (passages.length === 0) return beginningOf(text, matcher, options.description);
  const parts: SnippetPart[] = [];
  for (const [at, passage] of passages.entries()) {
    if (at > 0) parts.push(GAP);
    else if (!passage.opens) parts.push({ text: '… ', match: false });
    parts.push(...partsOf(text, passage, matches));
  }
  if (passages.at(-1)?.closes === false) parts.push({ text: ' …', match: false });
  return joined(parts);
}

interface Found {
  readonly passages: readonly Passage[];
  readonly matches: readonly WordMatch[];
}

/** Most long texts say early what they are about: all of one is read only where no passage of its beginning has every word. */
function bestOf(text: string, matcher: WordMatcher, weights: readonly number[] | undefined): Found {
  const passagesOf = (matches: readonly WordMatch[]): Found => ({
    matches,
    passages: bestPassages(text, matches, matcher.words, { length: LENGTH, weights }),
  });
  if (text.length > 2 * FIRST_LOOK) {
    const found = passagesOf(matcher.find(text, FIRST_LOOK));
    const [passage, another] = found.passages;
    // Two that lie side by side are one, which may lack a word as well.
    const shown = found.matches.filter(({ start, end }) => start >= passage.start && end <= passage.end);
    if (another === undefined && new Set(shown.map(({ word }) => word)).size === matcher.words.length) return found;
  }
  return passagesOf(matcher.find(text));
}

/** A short text, whole, with the words of the query marked. */
export function highlighted(text: string, matcher: WordMatcher): SnippetPart[] {
  const whole: Passage = { start: 0, end: text.length, opens: true, closes: true };
  const parts = joined(partsOf(text, whole, matcher.find(text)));
  return trimmed(parts);
}

function beginningOf(text: string, matcher: WordMatcher, description = ''): SnippetPart[] {
  const shown = (description.trim() === '' ? text.slice(0, 4 * LENGTH) : description)
    .replace(NO_SINGLE_SPACE, ' ')
    .trim();
  const [end] = shown.length <= LENGTH ? [shown.length] : [cutAt(shown, LENGTH)];
  const parts = highlighted(shown.slice(0, end), matcher);
  if (end < shown.length && parts.length > 0) parts.push({ text: ' …', match: false });
  return joined(parts);
}

/** The last end of a sentence before the limit, else the last end of a word. */
function cutAt(text: string, limit: number): number {
  const head = text.slice(0, limit);
  const sentence = Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((end) => head.lastIndexOf(end)));
  if (sentence > limit / 2) return sentence + 1;
  const space = head.lastIndexOf(' ');
  return space > limit / 2 ? space : limit;
}

function partsOf(text: string, passage: Passage, matches: readonly WordMatch[]): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let at = passage.start;
  for (const { start, end } of wholeNames(text, passage, matches)) {
    parts.push({ text: readable(text.slice(at, start)), match: false });
    parts.push({ text: readable(text.slice(start, end)), match: true });
    at = end;
  }
  parts.push({ text: readable(text.slice(at, passage.end)), match: false });
  return parts;
}

/** The matches of a passage. Words that signs hold together are one, with the signs of a name: select_related, __init__.py, --onto. */
function wholeNames(
  text: string,
  passage: Passage,
  matches: readonly WordMatch[],
): { readonly start: number; readonly end: number }[] {
  const names: { start: number; end: number }[] = [];
  for (const { start, end } of matches) {
    const last = names.at(-1);
    if (start < (last?.end ?? passage.start) || end > passage.end) continue;
    const between = last === undefined ? '' : text.slice(last.end, Math.min(start, last.end + LONGEST_JOINER + 1));
    if (last !== undefined && JOINED.test(between)) last.end = end;
    else names.push({ start, end });
  }
  for (const name of names) {
    name.start -= signsBefore(text, passage, name.start);
    name.end += signsAfter(text, passage, name.end);
  }
  return names;
}

// Hardly any word has such signs: its neighbour tells so before a pattern is asked.
function signsBefore(text: string, passage: Passage, start: number): number {
  const last = text.charCodeAt(start - 1);
  if (last !== UNDERSCORE && last !== HYPHEN) return 0;
  return SIGNS_BEFORE.exec(text.slice(Math.max(passage.start, start - 3), start))?.[1].length ?? 0;
}

function signsAfter(text: string, passage: Passage, end: number): number {
  if (text.charCodeAt(end) !== UNDERSCORE) return 0;
  return SIGNS_AFTER.exec(text.slice(end, Math.min(passage.end, end + 3)))?.[1].length ?? 0;
}

/**
 * White space and control characters as one space; without marks that turn the direction of the text, which would
 * reach beyond the snippet, and without halves of characters.
 */
function readable(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text;
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .toWellFormed();
}

function joined(parts: readonly SnippetPart[]): SnippetPart[] {
  const merged: SnippetPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.text === '') continue;
    if (last !== undefined && last.match === part.match)
      merged[merged.length - 1] = { text: singleSpaced(last.text + part.text), match: part.match };
    else merged.push(part);
  }
  return merged;
}

function singleSpaced(text: string): string {
  return text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text;
}

function trimmed(parts: SnippetPart[]): SnippetPart[] {
  if (parts.length === 0) return parts;
  parts[0] = { ...parts[0], text: parts[0].text.trimStart() };
  parts[parts.length - 1] = { ...parts[parts.length - 1], text: parts[parts.length - 1].text.trimEnd() };
  return parts.filter(({ text }) => text !== '');
}
