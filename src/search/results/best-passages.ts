import type { WordMatch } from './word-matcher.ts';

/** A stretch of a text to show. `opens`, `closes`: it begins or ends with a sentence. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

export interface PassageOptions {
  /** Characters to show, about. */
  readonly length: number;
  /** How much each word of the query tells. */
  readonly weights?: readonly number[];
}

interface Span {
  readonly first: number;
  readonly last: number;
  readonly value: number;
}

const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|[。！？]|\n+/g;
/** So far before the first word found a sentence may begin to be shown from its beginning. */
const LEAD = 90;
/** Where a word of the query was found. */
const [INSIDE, OUTSIDE] = [1, 2];

/** The one or two stretches that hold most of the query, in the order of the text; none where nothing was found. */
export function bestPassages(
  text: string,
  matches: readonly WordMatch[],
  words: readonly { readonly follows: boolean }[],
  options: PassageOptions,
): Passage[] {
  if (matches.length === 0) return [];
  const weights = words.map((_, word) => options.weights?.[word] ?? 1);
  const whole = bestSpan(matches, words, weights, options.length * 0.75);
  const missing = missingWeights(matches, whole, weights);
  if (missing === undefined) return [passageOf(text, matches, whole, options.length)];
  // What one passage lacks, a second may have: then both are shorter.
  const half = options.length / 2;
  const first = bestSpan(matches, words, weights, half * 0.75);
  const rest = missingWeights(matches, first, weights);
  const second = rest === undefined ? undefined : bestSpan(matches, words, rest, half * 0.75);
  if (second === undefined || second.value <= 0) return [passageOf(text, matches, whole, options.length)];
  const pair = [first, second].sort((a, b) => a.first - b.first).map((span) => passageOf(text, matches, span, half));
  // Side by side they are one.
  if (pair[1].start - pair[0].end < 20)
    return [{ ...pair[0], end: Math.max(pair[0].end, pair[1].end), closes: pair[1].closes }];
  return pair;
}

/**
 * Slides a window over the matches. A passage is worth the words it holds, each once, and a little for each time more;
 * words that follow each other as they do in the query are worth more; so is an early place in the text.
 */
function bestSpan(
  matches: readonly WordMatch[],
  words: readonly { readonly follows: boolean }[],
  weights: readonly number[],
  width: number,
): Span {
  const held = new Int32Array(words.length);
  let value = 0;
  let neighbours = 0;
  let first = 0;
  let best: Span = { first: 0, last: 0, value: Number.NEGATIVE_INFINITY };
  for (let last = 0; last < matches.length; last++) {
    const { word, end } = matches[last];
    value += held[word]++ === 0 ? weights[word] : 0.05 * weights[word];
    if (last > first) neighbours += neighbourhood(matches, last, words, weights);
    while (end - matches[first].start > width && first < last) {
      const left = matches[first++].word;
      value -= --held[left] === 0 ? weights[left] : 0.05 * weights[left];
      neighbours -= neighbourhood(matches, first, words, weights);
    }
    const early = 0.1 / (1 + matches[first].start / 2000);
    const total = value <= 0 ? 0 : value + neighbours + early;
    if (total > best.value) best = { first, last, value: total };
  }
  return best;
}

/** What it is worth that this match stands right after the one before it. */
function neighbourhood(
  matches: readonly WordMatch[],
  at: number,
  words: readonly { readonly follows: boolean }[],
  weights: readonly number[],
): number {
  const [before, here] = [matches[at - 1], matches[at]];
  if (here.word !== before.word + 1 || here.start - before.end > 3) return 0;
  return weights[here.word] * (words[here.word].follows ? 2 : 0.3);
}

/** The weights of the words that the span lacks though the text has them; undefined where it has all. */
function missingWeights(matches: readonly WordMatch[], span: Span, weights: readonly number[]): number[] | undefined {
  const places = new Uint8Array(weights.length);
  for (let at = 0; at < matches.length; at++)
    places[matches[at].word] |= at >= span.first && at <= span.last ? INSIDE : OUTSIDE;
  if (!places.includes(OUTSIDE)) return undefined;
  return weights.map((weight, word) => (places[word] === OUTSIDE ? weight : 0));
}

/** Text around the span, from the beginning of a sentence where one is near, and never cut within a word. */
function passageOf(text: string, matches: readonly WordMatch[], span: Span, length: number): Passage {
  const from = matches[span.first].start;
  const to = matches[span.last].end;
  const lead = Math.max(0, from - Math.min(LEAD, Math.max(30, length - (to - from))));
  const { start, opens } = beginning(text, lead, from);
  const { end, closes } = ending(text, to, Math.max(to, Math.min(text.length, start + length)));
  return { start, end, opens, closes };
}

function beginning(text: string, lead: number, from: number): { start: number; opens: boolean } {
  let start = lead === 0 ? 0 : -1;
  // The first sentence that begins between the lead and the match shows most of what is before it.
  for (const end of text.slice(lead, from).matchAll(SENTENCE_END)) {
    if (start >= 0) break;
    start = lead + end.index + end[0].length;
  }
  if (start >= 0) return { start, opens: true };
  const space = text.slice(lead, from).search(/\s\S/);
  const fallback = Math.max(lead, from - 30);
  return { start: space < 0 ? aligned(text, fallback) : lead + space + 1, opens: false };
}

function ending(text: string, to: number, limit: number): { end: number; closes: boolean } {
  // A sentence may end a little beyond the limit.
  const tail = text.slice(to, limit + 40);
  let end = -1;
  for (const found of tail.matchAll(SENTENCE_END)) {
    const at = to + found.index + found[0].trimEnd().length;
    if (end < 0 || at <= limit + 40) end = at;
  }
  if (end >= 0 && end - to >= (limit - to) / 2) return { end, closes: true };
  if (limit + 40 >= text.length && text.length - limit <= 40) return { end: text.length, closes: true };
  const space = text.slice(to, limit).search(/\s\S*$/);
  return { end: space < 0 ? aligned(text, limit) : to + space, closes: false };
}

/** Never between the halves of one character. */
function aligned(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
