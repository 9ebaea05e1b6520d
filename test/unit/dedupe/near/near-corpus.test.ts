import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import { findDuplicatePairs } from '../../../../src/dedupe/near/duplicate-pairs.ts';
import { NearIndex } from '../../../../src/dedupe/near/near-index.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

interface Text {
  readonly id: number;
  readonly text: string;
}

const skip = skipWithout('near-duplicates');
const LEAST = 0.97;

function readTexts(): Text[] {
  const packed = readFileSync(join(corpus('near-duplicates')!, 'docs.jsonl.gz'));
  return linesOf(gunzipSync(packed).toString());
}

function linesOf<Item>(text: string): Item[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function holds(found: ReadonlySet<string>, threshold: number): void {
  const labels = linesOf<{ a: number; b: number; jaccard5: number }>(
    readFileSync(join(corpus('near-duplicates')!, 'pairs.jsonl'), 'utf8'),
  );
  const truth = new Set(labels.filter(({ jaccard5 }) => jaccard5 >= threshold).map(({ a, b }) => keyOf(a, b)));
  const right = [...found].filter((key) => truth.has(key)).length;
  assert.ok(right / found.size >= LEAST, `precision ${right / found.size}`);
  assert.ok(right / truth.size >= LEAST, `recall ${right / truth.size}`);
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

describe('Near duplicates of the data set', () => {
  for (const threshold of [0.3, 0.5, 0.8]) {
    test(`the batch finds the pairs of at least ${threshold}`, { skip }, () => {
      holds(new Set(findDuplicatePairs(readTexts(), { threshold }).map(({ a, b }) => keyOf(a, b))), threshold);
    });
  }

  for (const [name, method] of [
    ['one permutation', { shingle: 5 }],
    ['200 permutations', { shingle: 5, permutations: 200 }],
  ] as const) {
    test(`the index finds those of at least 0.8, by sketches of ${name} alone`, { skip }, () => {
      const maker = new Sketcher({ method });
      const sketches = new Map<number, ContentSketch>();
      const index = new NearIndex({ contentSketch: (document) => sketches.get(document) });
      const found = new Set<string>();
      for (const { id, text } of readTexts()) {
        const contentSketch = maker.of(text);
        assert.ok(contentSketch !== undefined);
        for (const { document } of index.alike(contentSketch)) found.add(keyOf(id, document));
        sketches.set(id, contentSketch);
        index.add(id, contentSketch);
      }
      holds(found, 0.8);
    });
  }
});
