import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { charsetOf, decode } from '../src/convert/charset.ts';
import { mainContent } from '../src/extract/main-content/main-content.ts';

/**
 * Prints how well main content is found on the two data sets beside the checkout, and how fast. With --pages it also names
 * the pages that lose most.
 */
export interface ScoredPage {
  readonly id: string;
  readonly url: string;
  readonly precision: number;
  readonly recall: number;
}

export interface Scores {
  readonly pages: readonly ScoredPage[];
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Of HTML, and the time of the processor for them. */
  readonly bytes: number;
  readonly cpuMs: number;
}

export type ReadText = (source: Uint8Array | string, url: string) => string;

/** Shingles of four words against bodies marked by people; precision and recall are averaged over the pages. */
export function scoreArticles(folder: string, read: ReadText): Scores {
  const truth = JSON.parse(readFileSync(`${folder}/ground-truth.json`, 'utf8')) as Record<
    string,
    { readonly articleBody: string; readonly url: string }
  >;
  const timed = new TimedReader(read);
  const pages = Object.entries(truth).map(([id, { articleBody, url }]): ScoredPage => {
    // These pages were stored as UTF-8 whatever they say.
    const text = timed.read(gunzipSync(readFileSync(`${folder}/html/${id}.html.gz`)), url);
    return { id, url, ...compareShingles(shingles(articleBody), shingles(text)) };
  });
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return timed.scores(pages, mean(pages.map((page) => page.precision)), mean(pages.map((page) => page.recall)));
}

/** Strings that must be in the text and strings that must not, summed over the pages. */
export function scoreStrings(folder: string, read: ReadText): Scores {
  const timed = new TimedReader(read);
  let hits = 0;
  let missed = 0;
  let extra = 0;
  const lines = readFileSync(`${folder}/annotations.jsonl`, 'utf8').trimEnd().split('\n');
  const pages = lines.map((line): ScoredPage => {
    const page = JSON.parse(line) as { id: string; url: string; with: string[]; without: string[] };
    const bytes = gunzipSync(readFileSync(`${folder}/html/${page.id}.html.gz`));
    const { encoding } = charsetOf(bytes);
    const text = timed.read(encoding === 'utf-8' ? bytes : decode(bytes, encoding), page.url).replace(/\s+/g, ' ');
    const found = page.with.filter((wanted) => text.includes(wanted)).length;
    const wrong = page.without.filter((unwanted) => text.includes(unwanted)).length;
    hits += found;
    missed += page.with.length - found;
    extra += wrong;
    return {
      id: page.id,
      url: page.url,
      precision: found === 0 ? 0 : found / (found + wrong),
      recall: page.with.length === 0 ? 1 : found / page.with.length,
    };
  });
  return timed.scores(pages, hits / (hits + extra), hits / (hits + missed));
}

class TimedReader {
  readonly #read: ReadText;
  #bytes = 0;
  #cpuMicroseconds = 0;

  constructor(read: ReadText) {
    this.#read = read;
  }

  read(source: Uint8Array | string, url: string): string {
    const start = process.cpuUsage();
    const text = this.#read(source, url);
    const { user, system } = process.cpuUsage(start);
    this.#cpuMicroseconds += user + system;
    this.#bytes += source.length;
    return text;
  }

  scores(pages: readonly ScoredPage[], precision: number, recall: number): Scores {
    const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    return { pages, precision, recall, f1, bytes: this.#bytes, cpuMs: this.#cpuMicroseconds / 1000 };
  }
}

const WORD = /[\p{L}\p{N}_]+/gu;

function shingles(text: string): Map<string, number> {
  const words = text.match(WORD) ?? [];
  const counts = new Map<string, number>();
  const add = (shingle: string) => counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  if (words.length > 0 && words.length < 4) add(words.join(' '));
  for (let at = 0; at + 4 <= words.length; at++) add(words.slice(at, at + 4).join(' '));
  return counts;
}

function compareShingles(
  expected: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): { readonly precision: number; readonly recall: number } {
  let hits = 0;
  let extra = 0;
  for (const [shingle, count] of found) {
    const common = Math.min(count, expected.get(shingle) ?? 0);
    hits += common;
    extra += count - common;
  }
  let missed = -hits;
  for (const count of expected.values()) missed += count;
  if (extra === 0 && missed === 0) return { precision: 1, recall: 1 };
  return hits === 0
    ? { precision: 0, recall: 0 }
    : { precision: hits / (hits + extra), recall: hits / (hits + missed) };
}

const METHODS = ['structure', 'tag-plateau'] as const;

function printScores(corpora: string, withPages: boolean): void {
  const sets = [
    { name: 'article-extraction', score: scoreArticles },
    { name: 'trafilatura-eval', score: scoreStrings },
  ];
  for (const { name, score } of sets) {
    for (const method of METHODS) {
      const read: ReadText = (source, url) => mainContent(source, { url, method }).text;
      score(`${corpora}/${name}`, read);
      // The second time the engine has compiled everything, as in a crawl.
      const scores = score(`${corpora}/${name}`, read);
      const figures = [scores.precision, scores.recall, scores.f1].map((figure) => figure.toFixed(4));
      const speed = scores.bytes / 1000 / scores.cpuMs;
      console.log(
        `${name.padEnd(19)} ${method.padEnd(12)} precision ${figures[0]}  recall ${figures[1]}  F1 ${figures[2]}  ` +
          `${speed.toFixed(0)} MB/CPU-s (${scores.pages.length} pages, ${(scores.bytes / 1e6).toFixed(1)} MB)`,
      );
      if (withPages && method === 'structure') printWorst(scores);
    }
  }
}

function printWorst(scores: Scores): void {
  const worst = scores.pages
    .filter((page) => page.precision + page.recall < 1.9)
    .sort((a, b) => a.precision + a.recall - b.precision - b.recall);
  for (const { id, precision, recall, url } of worst)
    console.log(`  ${id.slice(0, 12)}  ${precision.toFixed(3)}  ${recall.toFixed(3)}  ${url}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  printScores(fileURLToPath(new URL('../../shared/corpora', import.meta.url)), process.argv.includes('--pages'));
