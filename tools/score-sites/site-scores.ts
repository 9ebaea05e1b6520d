import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentationSite } from './documentation-sites.ts';
import { type PageTruth, pageTruth } from './page-truth.ts';
import type { ReadPage } from './site-pages.ts';

/** Shares of pages, 0 to 1; `f1` and `terms` are means. */
export interface SiteScores {
  readonly pages: number;
  readonly titles: number;
  readonly f1: number;
  readonly poor: number;
  readonly terms: number;
  readonly dates: number;
  readonly authors: number;
  readonly nearDuplicates: number;
  readonly spam: number;
}

export interface PageFault {
  readonly path: string;
  readonly what: 'title' | 'text' | 'terms' | 'date' | 'author' | 'near' | 'spam';
  readonly detail: string;
  /** The worst first. */
  readonly score: number;
}

const POOR = 0.5;
const SPAM_FROM = 0.5;
const NEAR = 0.8;
const SHINGLE = 5;
/** A page may say when it was published. */
const SAYS_DATE = /^\s*(?:release date|published|posted|date)\s*:?\s/im;
const WORD = /[\p{L}\p{N}_]+/gu;

export function scoreSite(
  folder: string,
  site: DocumentationSite,
  pages: readonly ReadPage[],
): { readonly scores: SiteScores; readonly faults: readonly PageFault[] } {
  const faults: PageFault[] = [];
  const truths = new Map<string, PageTruth | undefined>();
  const truthOf = (path: string): PageTruth | undefined => {
    if (!truths.has(path)) truths.set(path, pageTruth(readFileSync(join(folder, path), 'utf8'), site));
    return truths.get(path);
  };
  let count = 0;
  const sums = { f1: 0, terms: 0 };
  for (const page of pages) {
    const truth = truthOf(page.path);
    // A page without a word in its main element has nothing to be found.
    if (truth === undefined || !WORD.test(truth.text)) continue;
    count++;
    const fault = (what: PageFault['what'], detail: string, score = 0): void =>
      void faults.push({ path: page.path, what, detail, score });
    const { f1, precision, recall, terms } = compareWords(truth.text, page.text);
    sums.f1 += f1;
    sums.terms += terms;
    if (f1 < 0.965)
      fault('text', `F1 ${f1.toFixed(3)} precision ${precision.toFixed(3)} recall ${recall.toFixed(3)}`, f1);
    if (terms < 0.97) fault('terms', terms.toFixed(3), terms);
    if (!truth.titles.includes(page.title)) fault('title', `"${page.title}" for "${truth.titles.join('" or "')}"`);
    if (page.published !== undefined && !SAYS_DATE.test(truth.text))
      fault('date', new Date(page.published).toISOString().slice(0, 10));
    const wrong = page.authors.filter((author) => !isAuthor(author, truth));
    if (wrong.length > 0) fault('author', wrong.join('; '));
    if (page.spam >= SPAM_FROM) fault('spam', page.spam.toFixed(2));
    if (page.nearTo !== undefined) {
      const similarity = shingleSimilarity(truth.text, truthOf(page.nearTo)?.text ?? '');
      if (similarity < NEAR) fault('near', `${page.nearTo}: ${similarity.toFixed(2)}`, similarity);
    }
  }
  const share = (what: PageFault['what']): number =>
    faults.filter((fault) => fault.what === what).length / Math.max(1, count);
  const poor = faults.filter(({ what, score }) => what === 'text' && score < POOR).length;
  const scores: SiteScores = {
    ...{ pages: count, titles: 1 - share('title'), f1: sums.f1 / Math.max(1, count), poor: poor / Math.max(1, count) },
    ...{ terms: sums.terms / Math.max(1, count), dates: share('date'), authors: share('author') },
    ...{ nearDuplicates: share('near'), spam: share('spam') },
  };
  return { scores, faults: faults.sort((a, b) => a.score - b.score) };
}

/** Declared, or behind a word of bylines in the text. */
function isAuthor(author: string, { text, metaAuthors }: PageTruth): boolean {
  if (metaAuthors.some((declared) => declared.includes(author))) return true;
  const at = text.indexOf(author);
  return at >= 0 && /(?:authors?|by|editors?|maintainers?)[\s:]*$/i.test(text.slice(Math.max(0, at - 40), at));
}

export function compareWords(
  expected: string,
  found: string,
): { readonly f1: number; readonly precision: number; readonly recall: number; readonly terms: number } {
  const wanted = counts(expected);
  const there = counts(found);
  let hits = 0;
  let all = 0;
  let kept = 0;
  for (const [word, count] of wanted) {
    hits += Math.min(count, there.get(word) ?? 0);
    all += count;
    if (there.has(word)) kept++;
  }
  const total = [...there.values()].reduce((sum, count) => sum + count, 0);
  const precision = total === 0 ? 0 : hits / total;
  const recall = all === 0 ? 0 : hits / all;
  const f1 = hits === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall, terms: kept / Math.max(1, wanted.size) };
}

function counts(text: string): Map<string, number> {
  const counted = new Map<string, number>();
  for (const word of text.toLowerCase().match(WORD) ?? []) counted.set(word, (counted.get(word) ?? 0) + 1);
  return counted;
}

function shingleSimilarity(one: string, other: string): number {
  const ours = shingles(one);
  const theirs = shingles(other);
  let shared = 0;
  for (const shingle of ours) if (theirs.has(shingle)) shared++;
  const union = ours.size + theirs.size - shared;
  return union === 0 ? 1 : shared / union;
}

function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(WORD) ?? [];
  const found = new Set<string>();
  for (let at = 0; at + SHINGLE <= words.length; at++) found.add(words.slice(at, at + SHINGLE).join(' '));
  if (found.size === 0) found.add(words.join(' '));
  return found;
}
