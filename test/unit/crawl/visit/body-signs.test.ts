import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchResult, ResponseHead } from '../../../../src/contracts/fetcher.ts';
import { sameByHead, sameSigns, signsOf, validatorsOf } from '../../../../src/crawl/visit/body-signs.ts';

function headOf(fields: Record<string, string>, status = 200): ResponseHead {
  const rawHeaders = Object.entries(fields).flat();
  return { status, rawHeaders, header: (name) => fields[name], httpVersion: '1.1', statusText: '' };
}

function answer(fields: Record<string, string>, bytes = 20_000): Extract<FetchResult, { kind: 'response' }> {
  const raw = new Uint8Array(bytes);
  const exchange = { startedAt: 0, endedAt: 0, address: '', requestHead: '' };
  return { kind: 'response', head: headOf(fields), exchange, raw, body: raw };
}

const PLAIN = { 'content-type': 'text/html', 'content-length': '20000' };

test('signs are kept of large whole bodies without validators, where the server tells a length or a digest', () => {
  assert.deepEqual(signsOf(answer(PLAIN)), { fields: 'text/html\n\n\n', length: 20_000 });
  assert.equal(signsOf(answer({ ...PLAIN, 'repr-digest': 'x' }))?.digest, 'repr-digest: x');
  assert.equal(signsOf(answer({ 'content-md5': 'x' }))?.digest, 'content-md5: x', 'a digest does without a length');
  assert.equal(signsOf(answer({})), undefined, 'no length');
  assert.equal(signsOf(answer({ ...PLAIN, etag: '"1"' })), undefined);
  assert.equal(signsOf(answer({ ...PLAIN, 'last-modified': 'then' })), undefined);
  assert.equal(signsOf(answer({ 'content-length': '16000' }, 16_000)), undefined, 'too small');
  assert.equal(signsOf(answer({ 'content-length': '1' })), undefined, 'a length that is not true');
  assert.equal(signsOf({ ...answer(PLAIN), truncated: 'length' }), undefined);
});

test('a HEAD shows the same body only if it is the same in every way', () => {
  const before = { fields: 'text/html\n\n\n', length: 20_000 };
  assert.equal(sameByHead(before, headOf(PLAIN)), 'length');
  assert.equal(sameByHead(before, headOf({ ...PLAIN, 'content-length': '20001' })), undefined);
  assert.equal(sameByHead(before, headOf({ 'content-type': 'text/html' })), undefined);
  assert.equal(sameByHead(before, headOf({ ...PLAIN, 'content-encoding': 'gzip' })), undefined);
  assert.equal(sameByHead(before, headOf({ ...PLAIN, 'x-robots-tag': 'noindex' })), undefined);
  assert.equal(sameByHead(before, headOf({ ...PLAIN, etag: '"1"' })), undefined, 'validators are worth a GET');
  assert.equal(sameByHead(before, headOf({ ...PLAIN, 'repr-digest': 'x' })), undefined, 'and so is a digest');
  for (const status of [204, 206, 301, 304, 404, 405, 503])
    assert.equal(sameByHead(before, headOf(PLAIN, status)), undefined);
  const digested = { ...before, digest: 'repr-digest: x' };
  assert.equal(sameByHead(digested, headOf({ 'content-type': 'text/html', 'repr-digest': 'x' })), 'digest');
  assert.equal(sameByHead(digested, headOf({ ...PLAIN, 'repr-digest': 'y' })), undefined, 'whatever its length');
  assert.equal(sameByHead(digested, headOf(PLAIN)), undefined);
});

test('two bodies are compared as a HEAD would have compared them', () => {
  const before = { fields: 'a', length: 1, looks: 3 };
  assert.equal(sameSigns(before, { fields: 'a', length: 1 }), true);
  assert.equal(sameSigns(before, { fields: 'a', length: 2 }), false);
  assert.equal(sameSigns(before, { fields: 'b', length: 1 }), false);
  assert.equal(sameSigns(before, undefined), false);
  assert.equal(sameSigns({ ...before, digest: 'x' }, { fields: 'a', length: 1, digest: 'y' }), false);
});

test('validators are kept of bodies that are as long as they will be, not of those that broke off', () => {
  const told = answer({ ...PLAIN, etag: '"1"', 'last-modified': 'then' });
  const kept = { etag: '"1"', lastModified: 'then' };
  assert.deepEqual(validatorsOf(told), kept);
  assert.deepEqual(validatorsOf(answer(PLAIN)), {});
  assert.deepEqual(validatorsOf({ ...told, truncated: 'length' }), kept);
  assert.deepEqual(validatorsOf({ ...told, truncated: 'disconnect' }), {});
  assert.deepEqual(validatorsOf({ ...told, truncated: 'time' }), {});
});
