import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Original } from '../../../src/contracts/duplicate-index.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { ExactDuplicates } from '../../../src/dedupe/exact-duplicates.ts';

const page = (name: string, at: number): Original => ({
  url: `https://${name}.test/` as CanonicalUrl,
  at,
  rawDigest: 'raw',
});
const NEW = 'https://new.test/' as CanonicalUrl;

/** A state that does something while it is asked for a page: settlements and other visits go on meanwhile. */
function stateThat(during: () => void) {
  const state = {
    settled: undefined as Original | undefined,
    visitedAt: 0,
    byDigest: async () => state.settled,
    page: async () => {
      during();
      return { visitedAt: state.visitedAt, outcome: { kind: 'stored' } } as never;
    },
  };
  return state;
}

test('a page that is settled between the two questions is still the original', async () => {
  const first = page('first', 100);
  const state = stateThat(() => {
    state.settled = first;
    state.visitedAt = 200;
  });
  const duplicates = new ExactDuplicates(state);
  duplicates.add('digest', first);
  assert.deepEqual(await duplicates.originalOf('digest', NEW), first);
});

test('a page that brings the content while an earlier one turns out to be gone is not forgotten with it', async () => {
  const [first, second] = [page('first', 100), page('second', 300)];
  let isAdded = false;
  const state = stateThat(() => {
    if (!isAdded) duplicates.add('digest', second);
    isAdded = true;
    // The first is another page since; the second is not settled yet.
    state.visitedAt = 200;
  });
  const duplicates = new ExactDuplicates(state);
  duplicates.add('digest', first);
  assert.deepEqual(await duplicates.originalOf('digest', NEW), second);
  assert.deepEqual(await duplicates.originalOf('digest', NEW), second);
});

test('what nobody holds any more has no original', async () => {
  const state = stateThat(() => {
    state.visitedAt = 200;
  });
  const duplicates = new ExactDuplicates(state);
  duplicates.add('digest', page('first', 100));
  assert.equal(await duplicates.originalOf('digest', NEW), undefined);
});
