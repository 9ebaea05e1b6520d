import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryNode } from '../../../src/contracts/search-index.ts';
import { BlockArrays } from '../../../src/index/memory/block-arrays.ts';
import { HeapRooms } from '../../../src/index/memory/heap-rooms.ts';
import { ListMemory } from '../../../src/index/memory/list-memory.ts';
import { SearchMemory } from '../../../src/index/memory/search-memory.ts';
import type { SearchedSegment } from '../../../src/index/query/searched-segment.ts';
import { TopHeap } from '../../../src/index/query/top-heap.ts';

test('arrays for blocks are all different, however many, until they are taken back', () => {
  const arrays = new BlockArrays();
  const lent = Array.from({ length: 1_100 }, () => arrays.take());
  assert.equal(new Set(lent).size, lent.length);
  arrays.takeBack();
  assert.equal(arrays.take(), lent[0]);
});

test('lists share no memory until it is taken back, even where there is none left', () => {
  const memory = new ListMemory(10);
  const lists = [4, 0, 3, 5, 3].map((length) => memory.take(length));
  for (const [at, { documents, scores }] of lists.entries()) {
    documents.fill(at);
    scores.fill(at);
  }
  for (const [at, { documents, scores }] of lists.entries()) {
    assert.ok(documents.every((document) => document === at));
    assert.ok(scores.every((score) => score === at));
  }
  assert.deepEqual(
    lists.map(({ documents, scores }) => [documents.length, scores.length]),
    [4, 0, 3, 5, 3].map((length) => [length, length]),
  );
  assert.equal(memory.isShort, true);
  memory.takeBack();
  assert.equal(memory.take(1).documents[0], 0);
  assert.equal(memory.isShort, false);
});

test('a word of several terms is forgotten with the memory that it is in, and not before', () => {
  const memory = new SearchMemory();
  const segment = {} as SearchedSegment;
  const node: QueryNode = { kind: 'term', terms: ['a', 'b'] };
  const list = memory.lists.take(20_000);
  memory.unionsOf(segment).set(node, list);
  memory.begin();
  assert.equal(memory.unionsOf(segment).get(node), list);
  memory.lists.take(20_000);
  assert.equal(memory.unionsOf(segment).get(node), list);
  memory.begin();
  assert.equal(memory.unionsOf(segment).get(node), undefined);
});

test('heaps share no memory until they are disposed of, and then hold nothing', () => {
  const rooms = new HeapRooms();
  const fill = (heap: TopHeap, count: number, from: number): TopHeap => {
    for (let document = from; document < from + count; document++) heap.offer(document, document);
    return heap;
  };
  const first = fill(new TopHeap(5_000, rooms), 3_000, 0);
  const documents = first.documents(5_000);
  const best = first.documents(2);
  const second = fill(new TopHeap(5_000, rooms), 6_000, 10_000);
  assert.deepEqual(
    [...documents],
    Array.from({ length: 3_000 }, (_, at) => at),
  );
  assert.deepEqual([...best].sort(), [2_998, 2_999]);
  const top = second.list(3).map(({ document }) => document);
  assert.deepEqual(top.sort(), [15_997, 15_998, 15_999]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(first.size, 0);
  const [third, fourth] = [fill(new TopHeap(10, rooms), 5, 0), fill(new TopHeap(10, rooms), 5, 100)];
  assert.deepEqual([...third.documents(10)], [0, 1, 2, 3, 4]);
  assert.deepEqual([...fourth.documents(10)], [100, 101, 102, 103, 104]);
  assert.equal(third.documents(10).buffer, documents.buffer);
});
