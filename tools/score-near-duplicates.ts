/**
 * How well near duplicates are found, at a Jaccard coefficient of 0.8 (or --threshold): by the batch over all pairs, by the index that
 * a crawl uses, and how far the sketches are from the exact coefficients. Labels are of 5-word shingles; for another --shingle they are
 * computed from the texts. --sketch: as the setting near-sketch.
 * node tools/score-near-duplicates.ts [../shared/corpora/near-duplicates] [--threshold 0.8] [--shingle 5] [--sketch bins] [--wrong]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ContentSketch, SketchMethod } from '../src/contracts/content/content-sketch.ts';
import { findDuplicatePairs } from '../src/dedupe/near/duplicate-pairs.ts';
import { NearIndex } from '../src/dedupe/near/near-index.ts';
import { estimateJaccard, sketchError } from '../src/dedupe/near/sketch.ts';
import { Sketcher } from '../src/dedupe/near/sketcher.ts';
import { distinctShingles, jaccard } from '../test/unit/dedupe/near/shingles.ts';

interface Text {
  readonly id: number;
  readonly text: string;
}

interface LabelledPair {
  readonly a: number;
  readonly b: number;
  /** Over shingles of the length that is scored. */
  readonly jaccard5: number;
}

const { values, positionals } = parseArgs({
  options: {
    threshold: { type: 'string', default: '0.8' },
    shingle: { type: 'string', default: '5' },
    sketch: { type: 'string', default: 'bins' },
    wrong: { type: 'boolean' },
  },
  allowPositionals: true,
});
const folder = positionals[0] ?? fileURLToPath(new URL('../../shared/corpora/near-duplicates', import.meta.url));
const threshold = Number(values.threshold);
const shingle = Number(values.shingle);
const method: SketchMethod = { shingle, ...(values.sketch === 'bins' ? {} : { permutations: Number(values.sketch) }) };
const texts: Text[] = linesOf(gunzipSync(readFileSync(join(folder, 'docs.jsonl.gz'))).toString());
const sets = new Map(texts.map(({ id, text }) => [id, shinglesOf(text)]));
const labelled: LabelledPair[] =
  shingle === 5 ? linesOf(readFileSync(join(folder, 'pairs.jsonl'), 'utf8')) : computedPairs();

if (shingle === 5) score('labels recomputed from the texts', exactPairs());
score('batch', new Set([...findDuplicatePairs(texts, { threshold, shingle })].map(({ a, b }) => keyOf(a, b))));
score('index', indexPairs());
errors();
speed();

function linesOf<Item>(text: string): Item[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function score(name: string, found: ReadonlySet<string>): void {
  const true_ = new Map(
    labelled.filter((pair) => pair.jaccard5 >= threshold).map((pair) => [keyOf(pair.a, pair.b), pair]),
  );
  const right = [...found].filter((key) => true_.has(key)).length;
  const share = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(4));
  console.log(
    `${name}: ${found.size} pairs, precision ${share(right, found.size)}, recall ${share(right, true_.size)}`,
  );
  if (values.wrong !== true) return;
  const labels = new Map(labelled.map((pair) => [keyOf(pair.a, pair.b), pair.jaccard5]));
  for (const key of found) if (!true_.has(key)) console.log(`  wrong ${key}: ${labels.get(key) ?? 'below 0.3'}`);
  for (const [key, pair] of true_) if (!found.has(key)) console.log(`  missed ${key}: ${pair.jaccard5}`);
}

function shinglesOf(text: string): Set<string> {
  return distinctShingles(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [], shingle);
}

/** Every pair with a coefficient of at least 0.3. */
function computedPairs(): LabelledPair[] {
  const all = [...sets];
  return all.flatMap(([a, one], at) =>
    all.slice(at + 1).flatMap(([b, other]) => {
      if (Math.min(one.size, other.size) < 0.3 * Math.max(one.size, other.size)) return [];
      const exact = jaccard(one, other);
      return exact < 0.3 ? [] : [{ a, b, jaccard5: exact }];
    }),
  );
}

/** Where this is not 1.0, the labels are not what the texts give: an upper bound for every method. */
function exactPairs(): Set<string> {
  const alike = labelled.filter(({ a, b }) => jaccard(sets.get(a)!, sets.get(b)!) >= threshold);
  return new Set(alike.map(({ a, b }) => keyOf(a, b)));
}

/** As in a crawl: each text is asked about, then added. */
function indexPairs(): Set<string> {
  const maker = new Sketcher({ method });
  const sketches = new Map<number, ContentSketch>();
  const index = new NearIndex({ contentSketch: (document) => sketches.get(document) }, { threshold });
  const found = new Set<string>();
  for (const { id, text } of texts) {
    const contentSketch = maker.of(text);
    if (contentSketch === undefined) continue;
    for (const { document } of index.alike(contentSketch)) found.add(keyOf(id, document));
    sketches.set(id, contentSketch);
    index.add(id, contentSketch);
  }
  return found;
}

/** Estimates against exact coefficients, by range of the latter. */
function errors(): void {
  const maker = new Sketcher({ method });
  const sketches = new Map(texts.map(({ id, text }) => [id, maker.of(text)]));
  console.log('exact          pairs  mean error  root mean square  expected  largest  beyond 2 sigma');
  for (let from = 0.3; from < 0.99; from += 0.1) {
    const rows = labelled.flatMap(({ a, b }) => {
      const [x, y] = [sketches.get(a), sketches.get(b)];
      const exact = jaccard(sets.get(a)!, sets.get(b)!);
      if (x === undefined || y === undefined || exact < from || exact >= from + 0.1) return [];
      const sigma = sketchError(exact, (x.shingles + y.shingles) / (1 + exact), method);
      return [{ error: estimateJaccard(x.sketch, y.sketch) - exact, sigma }];
    });
    const mean = (of: (row: { error: number; sigma: number }) => number): number =>
      rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
    const figures = [
      mean(({ error }) => error),
      Math.sqrt(mean(({ error }) => error ** 2)),
      Math.sqrt(mean(({ sigma }) => sigma ** 2)),
      Math.max(...rows.map(({ error }) => Math.abs(error))),
      mean(({ error, sigma }) => (Math.abs(error) > 2 * sigma ? 1 : 0)),
    ];
    console.log(
      `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)} ${String(rows.length).padStart(9)}  ${figures.map((figure) => figure.toFixed(4)).join('  ')}`,
    );
  }
}

function speed(): void {
  const maker = new Sketcher({ method });
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const start = process.cpuUsage();
    for (const { text } of texts) maker.of(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  console.log(
    `sketches: ${((best * 1000) / characters).toFixed(1)} ns per character, ${(best / texts.length).toFixed(1)} µs per text, ${maker.of(texts[0].text)?.sketch.length} bytes each`,
  );
}
