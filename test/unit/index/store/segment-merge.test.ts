import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MergeInput } from '../../../../src/index/store/document-changes.ts';
import { chooseMerge } from '../../../../src/index/store/segment-merge.ts';

const WIDTH = 8;
const LARGEST = 8_000_000;

function segments(...sizes: readonly number[]): MergeInput[] {
  return sizes.map((documents) => ({ segment: { documents }, deletions: { count: 0 } }) as unknown as MergeInput);
}

const sizes = (inputs: readonly MergeInput[]): number[] => inputs.map(({ segment }) => segment.documents);

test('of segments of about one size the smallest half is merged, when there are many', () => {
  const some = Array.from({ length: 15 }, (_, at) => 10 + at);
  assert.deepEqual(chooseMerge(segments(...some), WIDTH, LARGEST), []);
  assert.deepEqual(sizes(chooseMerge(segments(40, ...some), WIDTH, LARGEST)), some.slice(0, 8));
  // Others that are much larger do not count with them.
  assert.deepEqual(chooseMerge(segments(1000, ...some), WIDTH, LARGEST), []);
});

test('a segment that is mostly gone is merged by itself, and none becomes too large', () => {
  const gone = { segment: { documents: 100 }, deletions: { count: 51 } } as unknown as MergeInput;
  assert.deepEqual(chooseMerge([...segments(100), gone], WIDTH, LARGEST), [gone]);
  const large = segments(...Array.from({ length: 16 }, () => 600));
  assert.deepEqual(chooseMerge(large, WIDTH, 1000), []);
  assert.equal(chooseMerge(large, WIDTH, 3000).length, 5);
});

test('commits of a few documents are written a few times, and leave a bounded number of segments', () => {
  for (const [perCommit, commits, mostWritten] of [
    [60, 30, 1.6],
    [60, 1000, 3],
    [2, 900, 4],
  ]) {
    let held: MergeInput[] = [];
    let written = 0;
    for (let commit = 0; commit < commits; commit++) {
      held.push(...segments(perCommit));
      written += perCommit;
      for (;;) {
        const chosen = chooseMerge(held, WIDTH, LARGEST);
        if (chosen.length === 0) break;
        const merged = sizes(chosen).reduce((sum, size) => sum + size, 0);
        held = [...held.filter((input) => !chosen.includes(input)), ...segments(merged)];
        written += merged;
      }
      assert.ok(held.length <= 2 * WIDTH * Math.ceil(Math.log(perCommit * (commit + 1)) / Math.log(WIDTH)) + 1);
    }
    assert.ok(written / (perCommit * commits) <= mostWritten, `${perCommit}: ${written / (perCommit * commits)}`);
  }
});
