import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnCopies } from '../../../../src/engines/postgres/own-copies.ts';

const factsIn = (file: string, title = ''): string =>
  JSON.stringify({ status: 200, title, location: { file, offset: 5 } });

test('pages are those of a node by the writer of their file, and by nothing else that is said of them', () => {
  const own = new OwnCopies(['a', 'b']);
  assert.ok(own.has(factsIn('orbweaver-20260102030405-00000-a.warc.gz')));
  assert.ok(own.has(factsIn('orbweaver-20260102030405-00000-b.warc.gz')));
  assert.ok(!own.has(factsIn('orbweaver-20260102030405-00000-xa.warc.gz')));
  assert.ok(!own.has(factsIn('orbweaver-20260102030405-00000-c.warc.gz', 'how to read orbweaver-0-a.warc.gz')));
  assert.ok(!own.has(JSON.stringify({ status: 404, title: 'x-a.warc.gz' })));
  assert.ok(!own.has(JSON.stringify({ status: 404, title: 'x-a.warc.gz', location: null })));
  assert.ok(!own.has(null));
});
