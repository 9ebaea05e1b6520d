import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HandedVisit } from '../../../../../src/contracts/handed-visit.ts';
import type { LastVisit } from '../../../../../src/contracts/page-store.ts';
import type { CanonicalUrl, HostKey } from '../../../../../src/contracts/url.ts';
import { HandedRecords } from '../../../../../src/search/indexing/handed/handed-records.ts';

const FILE = 'a.warc.gz';

test('records are read with those of settled visits that come next, and never kept from before a visit was settled', () => {
  const visits = Array.from({ length: 10 }, (_, at) => visitAt(at, `https://a.test/${at % 8}`));
  const waiting = [...visits];
  const reads: (readonly string[])[] = [];
  let round = 0;
  const records = new HandedRecords(
    {
      pages: (urls) => {
        reads.push(urls);
        return new Map(urls.map((url) => [url, recordOf(url, round)]));
      },
    },
    { ahead: (_, end, most) => waiting.filter((visit) => visit.end <= end).slice(0, most) },
  );
  const roundOf = (end: number): number | undefined => records.of(waiting.shift()!, end)?.visitedAt;
  assert.equal(roundOf(4), 0);
  round = 1;
  for (let at = 1; at < 4; at++) assert.equal(roundOf(4), 0);
  assert.deepEqual(reads, [[0, 1, 2, 3].map((at) => `https://a.test/${at}`)]);
  // What is settled since is read anew, also of a page whose record was read before.
  for (let at = 4; at < 10; at++) assert.equal(roundOf(10), 1);
  assert.equal(reads.length, 2);
});

test('a visit whose turn never came leaves no record to a later one of its page', () => {
  const [first, lost, later] = [0, 1, 2].map((at) => visitAt(at, `https://a.test/${at === 0 ? 'x' : 'y'}`));
  let round = 0;
  const records = new HandedRecords(
    { pages: (urls) => new Map(urls.map((url) => [url, recordOf(url, round)])) },
    { ahead: (_, end) => [lost].filter((visit) => visit.end <= end) },
  );
  assert.equal(records.of(first, 2)?.visitedAt, 0);
  round = 1;
  assert.equal(records.of(later, 3)?.visitedAt, 1);
});

function visitAt(start: number, url: string): HandedVisit {
  return { url, file: FILE, start, offset: start, end: start + 1, text: new Uint8Array(0), size: 1 };
}

function recordOf(url: string, visitedAt: number): LastVisit {
  return { url: url as CanonicalUrl, host: 'a.test' as HostKey, visitedAt };
}
