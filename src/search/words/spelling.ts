import type { IndexSnapshot } from '../../contracts/search-index.ts';
import { type AnalyzeQuery, type AskedWord, FOLDED_ONLY } from '../query/asked-words.ts';
import { type ParsedQuery, parseQuery } from '../query/query-parser.ts';
import { editDistance } from './edit-distance.ts';
import type { SurfaceForms } from './surface-forms.ts';

export interface SpellingParts {
  readonly snapshot: IndexSnapshot;
  readonly analyze: AnalyzeQuery;
  readonly forms: SurfaceForms;
  /** The language that most documents are of; '' where none is known. */
  readonly language: string;
}

interface Candidate {
  readonly term: string;
  readonly documents: number;
  readonly distance: number;
}

/** Shorter words have too many neighbours to guess from. */
const SHORTEST = 4;
/** From this length on two slips are likely in one word. */
const LONG = 6;
/** A word that more documents have is hardly a slip; in large indexes slips repeat themselves. */
const MOST_OF_A_SLIP = 2;
/** Whoever mistypes more words than these has written in another language. */
const MOST_CORRECTIONS = 4;
/** A word that this many times as many documents have is what was meant. */
const FAR_MORE = 20;
/** A correction is run unasked only where this many documents have it, and this many times as many as have the word as typed. */
const LEAST_CONFIDENT = 3;
const CONFIDENT_TIMES = 100;
/** Shorter words have neighbours that are words too (flask, flash): only doubled and swapped letters are sure slips there. */
const CONFIDENT_LENGTH = 7;
/** From this length on no two words are two slips apart by chance. */
const CONFIDENT_LENGTH_OF_TWO = 10;
/** What a slip is worth in powers of ten of frequency. */
const SLIP = 1.5;
const TERMS_LOOKED_AT = 20_000;
const FORMS_LOOKED_AT = 4;

/** A query with its rare words replaced. */
export interface Spelling {
  readonly text: string;
  readonly query: ParsedQuery;
  /** Every correction is so likely that it can be run unasked. */
  readonly confident: boolean;
}

interface Correction {
  readonly to: string;
  readonly confident: boolean;
}

/**
 * The query with its rare words replaced by words of the index that are spelt nearly the same and found far more often.
 * Undefined where there is none, or where it would find no more.
 */
export async function suggestSpelling(
  typed: string,
  query: ParsedQuery,
  parts: SpellingParts,
): Promise<Spelling | undefined> {
  const { snapshot } = parts;
  const corrections: (Correction & { readonly word: AskedWord })[] = [];
  for (const word of query.asked) {
    if (word.start >= word.end || word.terms.length !== 1 || word.stop || word.phrase) continue;
    if (typed.slice(word.start, word.end) !== word.text || !/^\p{L}+$/u.test(word.text)) continue;
    const correction = await corrected(word, parts);
    if (correction !== undefined) corrections.push({ word, ...correction });
    if (corrections.length > MOST_CORRECTIONS) return undefined;
  }
  if (corrections.length === 0) return undefined;
  let text = typed;
  for (const { word, to } of corrections.toSorted((a, b) => b.word.start - a.word.start))
    text = text.slice(0, word.start) + to + text.slice(word.end);
  const better = parseQuery(text, parts.analyze);
  const [now, then] = [matchesOf(snapshot, query), matchesOf(snapshot, better)];
  // Where neither finds a document with all words, words that exist find more than words that do not.
  const known = now === 0 && corrections.every(({ word }) => frequencyOf(word.terms[0], snapshot) === 0);
  const confident = corrections.every((correction) => correction.confident);
  return then > now || known ? { text, query: better, confident } : undefined;
}

function matchesOf(snapshot: IndexSnapshot, { node, filter }: ParsedQuery): number {
  return node === undefined ? 0 : snapshot.top(node, 1, filter).total;
}

async function corrected(word: AskedWord, parts: SpellingParts): Promise<Correction | undefined> {
  const { snapshot, analyze } = parts;
  const written = folded(word.text, analyze);
  if (written.length < SHORTEST) return undefined;
  const own = frequencyOf(word.terms[0], snapshot);
  if (own > Math.max(MOST_OF_A_SLIP, snapshot.documents / 50_000)) return undefined;
  const least = Math.max(1, own * FAR_MORE);
  const candidates = [...oneSlip(written, parts), ...nearTerms(word, written, parts)]
    .filter(({ term, documents }) => documents >= least && !word.terms[0].includes(term))
    .sort((a, b) => worth(b.documents, b.distance) - worth(a.documents, a.distance));
  const looked = candidates
    .filter(({ term }, at) => candidates.findIndex((other) => other.term === term) === at)
    .slice(0, FORMS_LOOKED_AT);
  let best: { readonly form: string; readonly worth: number; readonly confident: boolean } | undefined;
  for (const { term, documents } of looked) {
    const forms = await parts.forms.of(term, 3, parts);
    const total = forms.reduce((sum, { count }) => sum + count, 0);
    for (const { form, folded: plain, count } of forms) {
      const distance = editDistance(written, plain, 2);
      if (distance === 0 || distance > (written.length >= LONG ? 2 : 1)) continue;
      const value = worth(documents * (count / total), distance) - (written[0] === plain[0] ? 0 : 1);
      const often = documents >= Math.max(LEAST_CONFIDENT, own * CONFIDENT_TIMES);
      if (best === undefined || value > best.worth)
        best = { form, worth: value, confident: often && isSureSlip(written, plain, distance) };
    }
  }
  if (best !== undefined) return { to: best.form, confident: best.confident };
  const two = own === 0 ? inTwo(written, parts) : undefined;
  return two === undefined ? undefined : { to: two, confident: false };
}

/** Whether nobody can have meant the word as typed, by its letters alone. */
function isSureSlip(written: string, meant: string, distance: number): boolean {
  if (written[0] !== meant[0]) return false;
  if (distance > 1) return written.length >= CONFIDENT_LENGTH_OF_TWO;
  return (
    written.length >= CONFIDENT_LENGTH || withoutRepeats(written) === withoutRepeats(meant) || isSwapped(written, meant)
  );
}

function withoutRepeats(word: string): string {
  return word.replace(/(.)\1+/gu, '$1');
}

/** One slip apart and with the same letters: two neighbours are swapped. */
function isSwapped(written: string, meant: string): boolean {
  return [...written].sort().join('') === [...meant].sort().join('');
}

function worth(documents: number, distance: number): number {
  return Math.log10(documents + 1) - SLIP * distance;
}

/** Words one slip away whose stem the index holds. Reaches words whose first letters were mistaken. */
function oneSlip(written: string, { snapshot, analyze, language }: SpellingParts): Candidate[] {
  if (!/^[a-z]+$/.test(written)) return [];
  const terms = [...new Set(neighbours(written))].flatMap((word) => analyze(word, language)[0]?.terms ?? []);
  snapshot.expect?.(terms);
  return terms.flatMap((term) => {
    const documents = snapshot.frequency(term);
    return documents > 0 ? [{ term, documents, distance: 1 }] : [];
  });
}

function* neighbours(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail !== '') yield head + tail.slice(1);
    if (tail.length > 1) yield head + tail[1] + tail[0] + tail.slice(2);
    for (let letter = 97; letter <= 122; letter++) {
      const sign = String.fromCharCode(letter);
      if (tail !== '') yield head + sign + tail.slice(1);
      yield head + sign + tail;
    }
  }
}

/** Terms that begin alike and are no more than two slips away. */
function nearTerms(word: AskedWord, written: string, { snapshot }: SpellingParts): Candidate[] {
  const limit = written.length >= LONG ? 2 : 1;
  const found: Candidate[] = [];
  for (const { term, documents } of snapshot.terms(written.slice(0, 2), TERMS_LOOKED_AT)) {
    if (Math.abs(term.length - written.length) > limit + 4 || term.includes('_')) continue;
    // A stem is compared with the stem and, where the slip hid the ending, with the beginning of the word.
    const near = Math.min(
      ...[...word.terms[0], written, written.slice(0, term.length)].map((form) => editDistance(form, term, limit)),
    );
    if (near > 0 && near <= limit) found.push({ term, documents, distance: near });
  }
  return found;
}

/** "searchengine": two words without the space between them. */
function inTwo(written: string, { snapshot, analyze }: SpellingParts): string | undefined {
  let best: { readonly text: string; readonly documents: number } | undefined;
  snapshot.expect?.(halves(written).flatMap((half) => analyze(half)[0]?.terms ?? []));
  for (let at = 3; at <= written.length - 3; at++) {
    const pair = [written.slice(0, at), written.slice(at)];
    const documents = Math.min(...pair.map((half) => frequencyOf(analyze(half)[0]?.terms ?? [], snapshot)));
    if (documents > (best?.documents ?? 1)) best = { text: pair.join(' '), documents };
  }
  return best?.text;
}

function halves(written: string): string[] {
  return Array.from({ length: Math.max(0, written.length - 5) }, (_, at) => [
    written.slice(0, at + 3),
    written.slice(at + 3),
  ]).flat();
}

function frequencyOf(terms: readonly string[], snapshot: IndexSnapshot): number {
  return Math.max(0, ...terms.map((term) => snapshot.frequency(term)));
}

function folded(text: string, analyze: AnalyzeQuery): string {
  return analyze(text, FOLDED_ONLY)[0]?.terms[0] ?? '';
}
