import type { Analyzer } from '../../../index/analysis/analyzer.ts';

/** A piece of a text, and whether it is a word that was asked for. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const LENGTH = 220;

interface Match {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text that were asked for, as pieces of it. */
export function marked(text: string, language: string, terms: ReadonlySet<string>, analyzer: Analyzer): Piece[] {
  return piecesOf(text, matchesIn(text, language, terms, analyzer), 0, text.length);
}

/** The passage with the most of the words; the beginning where there is none. */
export function excerpt(text: string, language: string, terms: ReadonlySet<string>, analyzer: Analyzer): Piece[] {
  const matches = matchesIn(text, language, terms, analyzer);
  let best = 0;
  let most = 0;
  for (const [at, { start }] of matches.entries()) {
    const within = new Set<string>();
    for (let next = at; next < matches.length && matches[next].end <= start + LENGTH; next++)
      within.add(matches[next].term);
    if (within.size > most) {
      most = within.size;
      best = start;
    }
  }
  const from = best < LENGTH / 3 ? 0 : wordBehind(text, best - LENGTH / 4);
  const to = from + LENGTH >= text.length ? text.length : wordBefore(text, from + LENGTH);
  const pieces = piecesOf(text, matches, from, to);
  if (from > 0) pieces.unshift({ text: '… ', isMatch: false });
  if (to < text.length) pieces.push({ text: ' …', isMatch: false });
  return pieces;
}

function matchesIn(text: string, language: string, terms: ReadonlySet<string>, analyzer: Analyzer): Match[] {
  const matches: Match[] = [];
  analyzer.analyzeSpans(text, language, (term, _position, start, end) => {
    if (terms.has(term)) matches.push({ term, start, end });
  });
  return matches;
}

function piecesOf(text: string, matches: readonly Match[], from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), isMatch: false });
    pieces.push({ text: text.slice(start, end), isMatch: true });
    at = end;
  }
  if (at < to) pieces.push({ text: text.slice(at, to), isMatch: false });
  return pieces;
}

/** Where the next word begins. */
function wordBehind(text: string, at: number): number {
  const from = Math.floor(at);
  const space = text.slice(from, from + 40).search(/\s/);
  return space === -1 ? wholeCharacter(text, from) : from + space + 1;
}

function wordBefore(text: string, at: number): number {
  const space = text.slice(at - 40, at).search(/\s\S*$/);
  return space === -1 ? wholeCharacter(text, at) : at - 40 + space;
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}
