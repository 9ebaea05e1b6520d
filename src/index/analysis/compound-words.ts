import { DIGIT, FIRST, JOINER, LOWER, UPPER, WORD } from './character-table.ts';
import { emitIdentifier } from './identifiers.ts';
import type { TokenSink } from './token.ts';

/** Words held together by hyphens, apostrophes, dots and the like, as found in a text. */
export interface Compound {
  readonly segments: readonly Segment[];
  readonly end: number;
}

interface Segment {
  readonly start: number;
  readonly end: number;
  /** The character before it that joins it to its neighbour; '' for the first. */
  readonly joiner: string;
  readonly number: boolean;
}

const MOST_SEGMENTS = 12;
const MOST_JOINED_SEGMENTS = 6;
const LONGEST_JOINED = 48;
const APOSTROPHES = "'\u2019\u02bc\uff07";
const HYPHENS = '-\u2010\u2011';
/** Side by side, as in model__field; more are lines to write on. */
const MOST_UNDERSCORES = 2;

/** Reads on from a first segment that a joiner follows; undefined: it stands alone after all. */
export function readCompound(text: string, start: number, firstEnd: number, kinds: Uint8Array): Compound | undefined {
  const segments: Segment[] = [{ start, end: firstEnd, joiner: '', number: isNumber(text, start, firstEnd, kinds) }];
  let end = firstEnd;
  while (segments.length < MOST_SEGMENTS && kinds[text.charCodeAt(end)] === JOINER) {
    const next = readSegment(text, end, kinds);
    if (next === undefined || !holds(text, segments.at(-1) as Segment, next, kinds)) break;
    segments.push(next);
    end = next.end;
  }
  return segments.length > 1 ? { segments, end } : undefined;
}

function readSegment(text: string, after: number, kinds: Uint8Array): Segment | undefined {
  // Between the words of `__init__.py` stand underscores besides the dot that joins them.
  const joiner = afterUnderscores(text, after);
  const isDot = text[joiner] === '.';
  const start = isDot ? afterUnderscores(text, joiner + 1) : Math.max(joiner, after + 1);
  if (start >= text.length || ((kinds[text.charCodeAt(start)] as number) & FIRST) === 0) return undefined;
  let end = start + 1;
  while (end < text.length && ((kinds[text.charCodeAt(end)] as number) & WORD) !== 0) end++;
  return { start, end, joiner: isDot ? '.' : (text[after] as string), number: isNumber(text, start, end, kinds) };
}

function afterUnderscores(text: string, at: number): number {
  let end = at;
  while (end - at < MOST_UNDERSCORES && text[end] === '_') end++;
  return end;
}

function isNumber(text: string, start: number, end: number, kinds: Uint8Array): boolean {
  for (let at = start; at < end; at++) if (kinds[text.charCodeAt(at)] !== DIGIT) return false;
  return true;
}

/** A comma groups the digits of a number and joins nothing else; a dot before a capitalised word ended a sentence whose space is missing. */
function holds(text: string, before: Segment, next: Segment, kinds: Uint8Array): boolean {
  if (next.joiner === ',') return before.number && next.number && next.end - next.start === 3;
  if (next.joiner !== '.' || before.end - before.start < 2) return true;
  const kindAt = (at: number) => kinds[text.charCodeAt(at)] as number;
  const sentenceStart = kindAt(next.start) === UPPER && next.end - next.start > 1 && kindAt(next.start + 1) === LOWER;
  return !(sentenceStart && kindAt(before.end - 1) === LOWER);
}

/** Answers the position after it. */
export function emitCompound(text: string, compound: Compound, position: number, sink: TokenSink): number {
  const { segments, end } = compound;
  const start = (segments[0] as Segment).start;
  if (isAddress(segments)) {
    sink(text.slice(start, end), position, 'word', start, end);
    return emitAll(text, segments, position, 'aside', sink);
  }
  if (isAcronym(segments)) {
    sink(joined(text, segments), position, 'word', start, end);
    return position + 1;
  }
  const words = withNumbersWhole(text, withoutPossessive(text, segments));
  const [first] = words;
  if (words.length === 1 && first !== undefined) {
    emitIdentifier(text, first.start, first.end, position, sink);
    sink(spelled(text, first), position, 'word', first.start, first.end);
    return position + 1;
  }
  return emitParts(text, words, position, sink);
}

function emitParts(text: string, words: readonly Segment[], position: number, sink: TokenSink): number {
  const whole = joined(text, words);
  const first = words[0] as Segment;
  const end = (words.at(-1) as Segment).end;
  const isJoined = words.length <= MOST_JOINED_SEGMENTS && whole.length <= LONGEST_JOINED;
  // "e-mail" and "email" are one word to the neighbours in a phrase
  const step = isJoined && isLetterPrefixed(words) ? 0 : 1;
  let next = position;
  for (const word of words) {
    emitIdentifier(text, word.start, word.end, next, sink);
    sink(spelled(text, word), next, 'part', word.start, word.end);
    if (word === first && isJoined) sink(whole, next, 'joined', first.start, end);
    next += step;
  }
  return Math.max(next, position + 1);
}

function emitAll(text: string, segments: readonly Segment[], position: number, role: 'aside', sink: TokenSink): number {
  let next = position;
  for (const segment of segments)
    sink(text.slice(segment.start, segment.end), next++, role, segment.start, segment.end);
  return next;
}

function isAddress(segments: readonly Segment[]): boolean {
  const at = segments.findIndex(({ joiner }) => joiner === '@');
  return at > 0 && segments.slice(at + 1).some(({ joiner }) => joiner === '.');
}

function isAcronym(segments: readonly Segment[]): boolean {
  return segments.every(
    ({ start, end, joiner, number }) => !number && end - start === 1 && (joiner === '.' || joiner === ''),
  );
}

function isLetterPrefixed(words: readonly Segment[]): boolean {
  const [first, second] = words;
  if (words.length !== 2 || first === undefined || second === undefined) return false;
  return first.end - first.start === 1 && !first.number && HYPHENS.includes(second.joiner);
}

function withoutPossessive(text: string, segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1) as Segment;
  const isPossessive = APOSTROPHES.includes(last.joiner) && text.slice(last.start, last.end).toLowerCase() === 's';
  return isPossessive ? segments.slice(0, -1) : segments;
}

/** 1.2.3, 3.14 and 1,000 are one thing each; a v before a version says no more than the dots do. */
function withNumbersWhole(text: string, segments: readonly Segment[]): Segment[] {
  const words: Segment[] = [];
  for (const segment of segments) {
    const before = words.at(-1);
    const numeric = segment.number && (segment.joiner === '.' || segment.joiner === ',');
    if (numeric && before !== undefined && (before.number || isVersionStart(text, before))) {
      const start = before.number ? before.start : before.start + 1;
      words[words.length - 1] = { start, end: segment.end, joiner: before.joiner, number: true };
    } else words.push(segment);
  }
  return words;
}

function isVersionStart(text: string, { start, end }: Segment): boolean {
  const word = text.slice(start, end);
  return (word[0] === 'v' || word[0] === 'V') && word.length > 1 && /^\d+$/.test(word.slice(1));
}

function spelled(text: string, { start, end, number }: Segment): string {
  const word = text.slice(start, end);
  return number && word.includes(',') ? word.replaceAll(',', '') : word;
}

function joined(text: string, segments: readonly Segment[]): string {
  return segments.map((segment) => spelled(text, segment)).join('');
}
