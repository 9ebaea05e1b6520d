import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { manifestName } from '../../../src/index/store/manifest.ts';
import { NewestManifest } from '../../../src/index/store/newest-manifest.ts';

const CHANGED = new Date('2026-01-01T00:00:00Z');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'newest-manifest-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A commit that leaves the folder as a file system with a coarse clock would. */
function commit(number: number, at: Date): void {
  writeFileSync(join(folder, manifestName(number)), '{}');
  utimesSync(folder, at, at);
}

test('two commits within one tick of the file system are both seen', () => {
  const newest = new NewestManifest(folder, () => CHANGED.getTime() + 1_000);
  commit(1, CHANGED);
  assert.equal(newest.number(), 1);
  commit(2, CHANGED);
  assert.equal(newest.number(), 2);
});

test('a folder that has not changed for long is not listed again, until it changes', () => {
  const newest = new NewestManifest(folder, () => CHANGED.getTime() + 60_000);
  commit(1, CHANGED);
  assert.equal(newest.number(), 1);
  // Put there behind the folder's back: whoever lists it would see it.
  commit(2, CHANGED);
  assert.equal(newest.number(), 1);
  commit(3, new Date(CHANGED.getTime() + 50_000));
  assert.equal(newest.number(), 3);
});

test('a folder that is not there has no manifest, and one that comes is seen', () => {
  const newest = new NewestManifest(join(folder, 'index'), () => CHANGED.getTime());
  assert.equal(newest.number(), 0);
  const known = new NewestManifest(folder, () => CHANGED.getTime() + 60_000);
  commit(4, CHANGED);
  assert.equal(known.number(), 4);
  rmSync(folder, { recursive: true });
  assert.equal(known.number(), 0);
});
