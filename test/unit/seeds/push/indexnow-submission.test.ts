import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { indexNowLimits } from '../../../../src/seeds/push/indexnow-inbox.ts';
import { readSubmission, type SubmissionReading } from '../../../../src/seeds/push/indexnow-submission.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';

const KEY = 'a1b2-C3D4';

function read(method: string, url: string, body: Uint8Array = new Uint8Array()): SubmissionReading {
  return readSubmission({ method, url, headers: {}, body }, indexNowLimits, defaultUrlOptions);
}
const get = (query: Record<string, string>): SubmissionReading =>
  read('GET', `/indexnow?${new URLSearchParams(query)}`);
const post = (body: unknown): SubmissionReading => read('POST', '/indexnow', Buffer.from(JSON.stringify(body)));
const statusOf = (reading: SubmissionReading): number => (reading.kind === 'wrong' ? reading.status : 200);

describe('IndexNow submissions', () => {
  test('one URL by GET: the key lies in the root of its host', () => {
    assert.deepEqual(get({ url: 'HTTP://Shop.test:80/a b#c', key: KEY }), {
      kind: 'submission',
      submission: {
        host: 'shop.test',
        key: KEY,
        keyUrl: `http://shop.test/${KEY}.txt`,
        urls: ['http://shop.test/a%20b'],
      },
    });
  });

  test('many by POST, each once; https for the key where any URL has it', () => {
    const urlList = ['http://shop.test/1', 'https://shop.test/2', 'http://shop.test/1#x'];
    const reading = post({ host: 'SHOP.test', key: KEY, urlList });
    assert.ok(reading.kind === 'submission');
    assert.equal(reading.submission.keyUrl, `https://shop.test/${KEY}.txt`);
    assert.deepEqual(reading.submission.urls, ['http://shop.test/1', 'https://shop.test/2']);
  });

  test('a host with a port of its own', () => {
    const reading = post({ host: 'shop.test:8080', key: KEY, urlList: ['http://shop.test:8080/'] });
    assert.ok(reading.kind === 'submission');
    assert.equal(reading.submission.keyUrl, `http://shop.test:8080/${KEY}.txt`);
    assert.equal(statusOf(post({ host: 'shop.test', key: KEY, urlList: ['http://shop.test:8080/'] })), 422);
  });

  test('a key elsewhere speaks for its folder alone', () => {
    const keyLocation = `https://shop.test/catalog/${KEY}.txt`;
    const urls = (...urlList: string[]): number =>
      statusOf(post({ host: 'shop.test', key: KEY, keyLocation, urlList }));
    assert.equal(urls('https://shop.test/catalog/x', 'http://shop.test/catalog/y/z?q'), 200);
    assert.equal(urls('https://shop.test/catalog/x', 'https://shop.test/help'), 422);
    assert.equal(urls('https://shop.test/catalogue'), 422);
    assert.equal(urls('https://shop.test/catalog/../help'), 422);
    assert.equal(statusOf(get({ url: 'https://shop.test/', key: KEY, keyLocation })), 422);
  });

  test('the key file is on the same host', () => {
    for (const keyLocation of [
      'https://evil.test/k.txt',
      'https://www.shop.test/k.txt',
      'https://shop.test:8443/k.txt',
    ]) {
      assert.equal(statusOf(get({ url: 'https://shop.test/', key: KEY, keyLocation })), 422, keyLocation);
    }
    for (const keyLocation of ['k.txt', 'file:///etc/passwd', 'ftp://shop.test/k.txt']) {
      assert.equal(statusOf(get({ url: 'https://shop.test/', key: KEY, keyLocation })), 400, keyLocation);
    }
  });

  test('keys that are none: 422', () => {
    for (const key of ['short', 'with space', 'ünïcödé-key', 'x'.repeat(129), '../../etc/passwd']) {
      assert.equal(statusOf(get({ url: 'https://shop.test/', key })), 422, key);
    }
    assert.equal(statusOf(get({ url: 'https://shop.test/', key: 'x'.repeat(128) })), 200);
  });

  test('URLs of other hosts: 422, all or nothing', () => {
    const urlList = ['https://shop.test/', 'https://other.test/'];
    assert.equal(statusOf(post({ host: 'shop.test', key: KEY, urlList })), 422);
  });

  test('malformed: 400; too many URLs: 422; too many bytes: 413; other methods: 405', () => {
    const good = { host: 'shop.test', key: KEY, urlList: ['https://shop.test/'] };
    for (const bad of [
      null,
      [],
      'text',
      { ...good, host: undefined },
      { ...good, host: 7 },
      { ...good, host: 'user@shop.test' },
      { ...good, host: 'https://shop.test/' },
      { ...good, host: '' },
      { ...good, key: undefined },
      { ...good, keyLocation: 7 },
      { ...good, urlList: [] },
      { ...good, urlList: 'https://shop.test/' },
      { ...good, urlList: [7] },
      { ...good, urlList: ['/relative'] },
      { ...good, urlList: ['mailto:a@shop.test'] },
      { ...good, urlList: [`https://shop.test/${'x'.repeat(2048)}`] },
    ]) {
      assert.equal(statusOf(post(bad)), 400, JSON.stringify(bad)?.slice(0, 80));
    }
    assert.equal(statusOf(read('POST', '/', Buffer.from('{"host":'))), 400);
    assert.equal(statusOf(read('GET', '/indexnow')), 400);
    assert.equal(statusOf(get({ url: 'nonsense', key: KEY })), 400);
    assert.equal(statusOf(post({ ...good, urlList: new Array(10_000).fill('https://shop.test/') })), 200);
    assert.equal(statusOf(post({ ...good, urlList: new Array(10_001).fill('https://shop.test/') })), 422);
    assert.equal(statusOf(read('POST', '/', new Uint8Array(indexNowLimits.maxBytes + 1))), 413);
    assert.equal(statusOf(read('PUT', '/')), 405);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', ''), fc.string(), fc.uint8Array(), (method, url, body) => {
        read(method, url, body);
      }),
    );
    fc.assert(
      fc.property(fc.record({ host: fc.anything(), key: fc.anything(), urlList: fc.anything() }), (value) => {
        let body = '';
        try {
          body = JSON.stringify(value);
        } catch {
          return;
        }
        read('POST', '/', Buffer.from(body));
      }),
    );
    read('POST', '/', Buffer.from('['.repeat(1_000_000)));
  });
});
