import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCdxj, parseCdxj } from '../../../../src/archive/cdxj/cdxj-line.ts';

const line = (json: string): string => `com,example)/ 20260504100000 ${json}`;

test('an index line whose JSON is no object is none of ours', () => {
  for (const json of ['null', '5', '"text"', 'true', '[]', '{}']) assert.equal(parseCdxj(line(json)), undefined, json);
});

test('fields that are no text do not come out as if they were', () => {
  const wrong = '{"url": {"a": 1}, "filename": "a.warc.gz", "offset": "0", "length": "5"}';
  assert.equal(parseCdxj(line(wrong)), undefined);
  const numbers = '{"url": "http://example.com/", "filename": "a.warc.gz", "offset": 0, "length": 5, "status": 200}';
  assert.deepEqual(parseCdxj(line(numbers))?.offset, 0);
  assert.equal(parseCdxj(line('{"__proto__": {"url": "x"}, "offset": "0", "length": "5"}')), undefined);
});

test('whatever a foreign archive calls a digest, the line can be read again', () => {
  const capture = {
    ...{ url: 'http://example.com/', date: 1_777_888_800_000, mime: 'text/html', status: 200 },
    ...{ digest: 'A"\n\\', bodyDigest: '"}', file: 'a.warc.gz', offset: 0, length: 5 },
  };
  assert.deepEqual(parseCdxj(formatCdxj(capture).trimEnd()), capture);
});
