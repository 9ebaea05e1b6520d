import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ImageCandidate, parseSrcset } from '../../../src/extract/srcset.ts';
import { corpus, skipWithout } from '../../corpora.ts';

const VIEWPORT_WIDTH = 1_000;

/** What a browser with one device pixel per CSS pixel picks: the lowest density that is enough, else the highest. */
function pick(candidates: readonly ImageCandidate[]): string {
  const densities = candidates.map((candidate) => ({
    url: candidate.url,
    density: candidate.density ?? (candidate.width as number) / VIEWPORT_WIDTH,
  }));
  const enough = densities.filter(({ density }) => density >= 1).sort((a, b) => a.density - b.density);
  const less = densities.filter(({ density }) => density < 1).sort((a, b) => b.density - a.density);
  return (enough[0] ?? less[0])?.url ?? '';
}

describe('parseSrcset', () => {
  test('densities and widths', () => {
    assert.deepEqual(parseSrcset('a.png, b.png 2x, c.png 1.5x'), [
      { url: 'a.png', density: 1 },
      { url: 'b.png', density: 2 },
      { url: 'c.png', density: 1.5 },
    ]);
    assert.deepEqual(parseSrcset('a.png 100w, b.png 200w 50h'), [
      { url: 'a.png', width: 100 },
      { url: 'b.png', width: 200 },
    ]);
  });

  test('a comma inside a URL stays', () => {
    assert.deepEqual(parseSrcset('w_1,h_2/a.png 1x,b.png'), [
      { url: 'w_1,h_2/a.png', density: 1 },
      { url: 'b.png', density: 1 },
    ]);
  });

  test('web platform tests', { skip: skipWithout('html') }, () => {
    const { cases } = JSON.parse(readFileSync(join(corpus('html') as string, 'srcset.json'), 'utf8'));
    assert.equal(cases.length, 116);
    for (const { srcset, selected } of cases) assert.equal(pick(parseSrcset(srcset)), selected, JSON.stringify(srcset));
  });

  test('nothing makes it throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (srcset) => void parseSrcset(srcset)));
  });
});
