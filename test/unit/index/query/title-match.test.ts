import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryNode } from '../../../../src/contracts/search-index.ts';
import { openSegmentIndex } from '../../../../src/index/segment-index.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { analyzeWords } from '../brute-force-scores.ts';

const word = (name: string): QueryNode => ({ kind: 'term', terms: [name] });

test('a page whose title is the query comes before pages that merely have its words often', async (t) => {
  await using index = await openSegmentIndex({ folder: temporaryFolder(t), analyze: analyzeWords });
  const often = 'drop user drop role drop user drop table '.repeat(20);
  index.add(indexedDocument('list', { title: 'all commands', body: often }));
  index.add(indexedDocument('longer', { title: 'how to drop a user in many ways', body: often }));
  index.add(indexedDocument('page', { title: 'drop user', body: 'removes a user account for good' }));
  for (let at = 0; at < 20; at++) index.add(indexedDocument(`other ${at}`, { body: 'warp and weft' }));
  await index.commit();
  using snapshot = index.snapshot();
  const query: QueryNode = { kind: 'or', nodes: [word('drop'), word('user')] };
  const { top } = snapshot.top(query, 3);
  assert.deepEqual(
    top.map(({ document }) => snapshot.document(document).id),
    ['page', 'longer', 'list'],
  );
  const { value, parts = [] } = snapshot.explain(query, top[0].document);
  assert.ok(parts.some(({ what }) => what === 'title is the query'));
  assert.ok(Math.abs(value - top[0].score) < 1e-9, 'the parts add up to the score');
});
