import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { SegmentIndex } from '../../../../../src/index/segment-index.ts';
import { feedMaster } from '../../../../../src/search/indexing/master/feed-master.ts';
import { openIndexOf } from '../../../../../src/search/indexing/open-index.ts';
import { propertyRuns } from '../../../../property-runs.ts';
import { FedFolders, heldIn, Texts } from './fed-folders.ts';

const SOURCES = ['a', 'b', 'c'];

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('put' as const), number: fc.nat(5), visit: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), number: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('feed' as const) }) },
);
const steps = fc.array(fc.tuple(fc.constantFrom(...SOURCES), step), { minLength: 4, maxLength: 24 });

test('whatever happens to sources, and in whichever order they are taken, the latest visits are held', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      using folders = new FedFolders();
      const texts = new Texts(31);
      const master = folders.of('master');
      const held = new Map(SOURCES.map((name) => [name, new Map<string, number>()]));
      for (const name of SOURCES) await folders.change(name, []);
      for (const [name, { kind, ...what }] of history) {
        const documents = held.get(name)!;
        if (kind === 'feed') await feedMaster(master, [folders.of(name)]);
        else if (kind === 'merge') await folders.change(name, [], [], true);
        else {
          const { number = 0, visit } = what as { number?: number; visit?: number };
          const document = texts.document(number, visit);
          await folders.change(name, kind === 'put' ? [document] : [], kind === 'put' ? [] : [document.id]);
          if (kind === 'put') documents.set(document.id, document.facts.fetchedAt);
          else documents.delete(document.id);
        }
      }
      const from = SOURCES.map((name) => folders.of(name));
      await feedMaster(master, from);
      const latest = new Map<string, number>();
      for (const documents of held.values())
        for (const [id, at] of documents) latest.set(id, Math.max(at, latest.get(id) ?? 0));
      const found = new Map([...heldIn(master)].map(([id, { fetchedAt }]) => [id, fetchedAt]));
      assert.deepEqual(new Map([...found].sort()), new Map([...latest].sort()));
      assert.deepEqual(
        (await feedMaster(master, from)).sources.map(({ bytes }) => bytes),
        [0, 0, 0],
      );
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('a source is read while its crawl goes on, commits and merges', async () => {
  using folders = new FedFolders();
  const texts = new Texts(32);
  const master = folders.of('master');
  const source = await folders.change('a', [texts.document(0)]);
  let isWriting = true;
  const write = async (): Promise<void> => {
    await using opened = await openIndexOf(source);
    const index = opened.index as SegmentIndex;
    for (let number = 1; number <= 60; number++) {
      index.add(texts.document(number % 40, number));
      if (number % 7 === 0) index.remove(texts.document(number % 11).id);
      await index.commit(index.place);
      if (number % 10 === 0) await index.mergeAll();
      await nextTurn();
    }
    isWriting = false;
  };
  const writing = write();
  let updates = 0;
  for (; isWriting; updates++) await feedMaster(master, [source]);
  await writing;
  await feedMaster(master, [source]);
  assert.deepEqual(heldIn(master), heldIn(source));
  assert.ok(updates > 0);
});
