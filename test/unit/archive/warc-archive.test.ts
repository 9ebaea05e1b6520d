import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { cdxjOf, sortedCdxjOf } from '../../../src/archive/archive-file-name.ts';
import { parseCdxj } from '../../../src/archive/cdxj/cdxj-line.ts';
import { hasSortedCdxj } from '../../../src/archive/cdxj/cdxj-sort.ts';
import type { ArchiveLocation } from '../../../src/contracts/archive.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { propertyRuns } from '../../property-runs.ts';
import { collected, entryOf, HandClock, headersOf, NOON, temporaryFolder, testArchive } from './archive-fixture.ts';

const HOME = 'http://example.com/' as CanonicalUrl;

describe('put and get', () => {
  test('gives back status line, headers and body of the page', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    const location = await archive.put(
      entryOf({ raw: 'hello', rawHeaders: ['Content-Type', 'text/plain', 'X-A', '1'] }),
    );
    const found = await archive.get(HOME);
    assert.equal(found?.statusLine, 'HTTP/1.1 200 OK');
    assert.deepEqual(found?.rawHeaders, ['Content-Type', 'text/plain', 'X-A', '1']);
    assert.equal(Buffer.from(found?.raw ?? []).toString(), 'hello');
    assert.equal(found?.date, NOON);
    const { file, offset, length } = location;
    assert.deepEqual(found?.location, { file, offset, length });
    assert.deepEqual(await archive.readAt(location), found);
  });

  test('an unknown URL is not found, nor one that only shares its key', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    assert.equal(await archive.get(HOME), undefined);
    await archive.put(entryOf({ url: 'http://www.example.com/' }));
    assert.equal(await archive.get(HOME), undefined);
  });

  test('the newest copy, or the one nearest to a time', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    for (const [at, raw] of [
      [NOON, 'first'],
      [NOON + 60_000, 'second'],
      [NOON + 60_400, 'third'],
    ] as const) {
      await archive.put(entryOf({ at, raw }));
    }
    const text = async (at?: number) => String(Buffer.from((await archive.get(HOME, at))?.body ?? []));
    assert.equal(await text(), 'third');
    assert.equal(await text(0), 'first');
    assert.equal(await text(NOON + 29_000), 'first');
    assert.equal(await text(NOON + 31_000), 'second');
    assert.equal(await text(NOON + 60_100), 'second');
    assert.equal(await text(NOON + 60_300), 'third');
    assert.equal(await text(NOON * 2), 'third');
  });

  const plain = Buffer.from('<p>The quick brown fox</p>'.repeat(200));
  for (const [coding, raw] of [
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ] as const) {
    test(`content coding ${coding}: raw as received, body decoded`, async (t) => {
      await using archive = testArchive(temporaryFolder(t));
      await archive.put(entryOf({ raw, body: plain, rawHeaders: ['Content-Encoding', coding] }));
      const found = await archive.get(HOME);
      assert.deepEqual(Buffer.from(found?.raw ?? []), raw);
      assert.deepEqual(Buffer.from(found?.body ?? []), plain);
    });
  }

  for (const level of [0, 1, 2]) {
    test(`level ${level}: a large body, stored and compressed`, async (t) => {
      await using archive = testArchive(temporaryFolder(t), { level });
      const raw = Buffer.alloc(3_000_000, 'abcdefg');
      await archive.put(entryOf({ url: 'http://example.com/text', raw }));
      await archive.put(entryOf({ url: 'http://example.com/image', raw, mediaType: 'image/jpeg' }));
      for (const path of ['text', 'image']) {
        const found = await archive.get(`http://example.com/${path}` as CanonicalUrl);
        assert.ok(raw.equals(found?.raw ?? Buffer.alloc(0)), path);
      }
    });
  }

  test('what the wire said about a length that is no longer true is kept under another name', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    await archive.put(entryOf({ raw: 'hello', rawHeaders: ['Transfer-Encoding', 'chunked', 'Server', 'x'] }));
    assert.deepEqual((await archive.get(HOME))?.rawHeaders, [
      'X-Archive-Orig-Transfer-Encoding',
      'chunked',
      'Server',
      'x',
      'Content-Length',
      '5',
    ]);
    const cut = 'http://example.com/cut' as CanonicalUrl;
    await archive.put(entryOf({ url: cut, raw: 'hello', rawHeaders: ['content-length', '99'], truncated: 'length' }));
    assert.deepEqual((await archive.get(cut))?.rawHeaders, [
      'X-Archive-Orig-content-length',
      '99',
      'Content-Length',
      '5',
    ]);
    const right = 'http://example.com/right' as CanonicalUrl;
    await archive.put(entryOf({ url: right, raw: 'hello', rawHeaders: ['content-length', '5'] }));
    assert.deepEqual((await archive.get(right))?.rawHeaders, ['content-length', '5']);
  });

  test('HTTP/2 is written in the form of HTTP/1.1, without pseudo-headers', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    await archive.put(entryOf({ httpVersion: '2', statusText: '', rawHeaders: [':status', '200', 'server', 'x'] }));
    const found = await archive.get(HOME);
    assert.equal(found?.statusLine, 'HTTP/1.1 200 OK');
    assert.deepEqual(found?.rawHeaders, ['server', 'x']);
  });

  test('any headers and any body come back byte for byte', async (t) => {
    const folder = temporaryFolder(t);
    await using archive = testArchive(folder);
    const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/).filter((name) => {
      const lower = name.toLowerCase();
      return !['transfer-encoding', 'content-length', 'content-encoding'].includes(lower);
    });
    const value = fc
      .array(fc.integer({ min: 0x21, max: 0xff }), { maxLength: 60 })
      .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 0x7f)));
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(token, value), { maxLength: 12 }),
        fc.uint8Array({ maxLength: 5000 }),
        fc.constantFrom('text/html', 'image/png', ''),
        // Whoever asks for a page is not shown that it has not changed.
        fc.integer({ min: 100, max: 599 }).filter((status) => status !== 304),
        async (headers, raw, mediaType, status) => {
          const url = `http://example.com/${serial++}` as CanonicalUrl;
          const location = await archive.put(entryOf({ url, rawHeaders: headers.flat(), raw, mediaType, status }));
          for (const found of [await archive.readAt(location), await archive.get(url)]) {
            const added = headers.length === 0 ? ['Content-Length', String(raw.length)] : [];
            assert.deepEqual(found?.rawHeaders, [...headers.flat(), ...added]);
            assert.deepEqual(new Uint8Array(found?.raw ?? []), raw);
            assert.equal(found?.status, status);
          }
        },
      ),
      { numRuns: propertyRuns(150) },
    );
    // And the sorted index, once made, finds the same.
    await archive.close();
    const again = testArchive(folder);
    for (let n = 0; n < serial; n += 7) assert.ok(await again.get(`http://example.com/${n}` as CanonicalUrl));
  });

  test('text that would break a line cannot forge a header or a field', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    await archive.put(
      entryOf({
        rawHeaders: ['X-Evil', 'a\r\nSet-Cookie: b'],
        statusText: 'OK\r\nX: y',
        metadata: { via: 'x\r\nforged: 1' },
        mediaType: 'text/html\r\nWARC-Truncated: time',
      }),
    );
    const found = await archive.get(HOME);
    assert.deepEqual(headersOf(found?.rawHeaders ?? []), { 'x-evil': 'a Set-Cookie: b' });
    assert.equal(found?.statusLine, 'HTTP/1.1 200 OK X: y');
  });
});

describe('revisits', () => {
  test('an identical payload is stored once and found under both visits', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    const raw = Buffer.from('x'.repeat(5000));
    const first = await archive.put(entryOf({ raw, rawHeaders: ['Date', 'one'] }));
    const second = await archive.put(
      entryOf({ at: NOON + 5000, raw, rawHeaders: ['Date', 'two'], revisitOf: { url: HOME, date: NOON } }),
    );
    const other = 'http://mirror.example/' as CanonicalUrl;
    await archive.put(entryOf({ url: other, at: NOON + 9000, raw, revisitOf: { url: HOME, date: NOON } }));
    assert.notEqual(second.offset, first.offset);
    const newest = await archive.get(HOME);
    assert.equal(newest?.date, NOON + 5000);
    assert.deepEqual(newest?.rawHeaders, ['Date', 'two']);
    assert.deepEqual(Buffer.from(newest?.body ?? []), raw);
    assert.deepEqual(Buffer.from((await archive.get(other))?.raw ?? []), raw);
  });

  test('304: the body is that of the visit it confirms', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    const plain = Buffer.from('content '.repeat(50));
    const raw = gzipSync(plain);
    await archive.put(entryOf({ raw, body: plain, rawHeaders: ['Content-Encoding', 'gzip'] }));
    await archive.put(
      entryOf({
        at: NOON + 5000,
        status: 304,
        statusText: 'Not Modified',
        raw: '',
        rawHeaders: ['ETag', '"1"', 'Content-Length', '400'],
        revisitOf: { url: HOME, date: NOON },
        profile: 'server-not-modified',
      }),
    );
    const found = await archive.get(HOME);
    assert.equal(found?.status, 304);
    assert.deepEqual(found?.rawHeaders, ['ETag', '"1"', 'Content-Length', '400', 'Content-Encoding', 'gzip']);
    assert.deepEqual(Buffer.from(found?.raw ?? []), raw);
    assert.deepEqual(Buffer.from(found?.body ?? []), plain);
  });

  test('of several versions the one with the same payload is taken, even when the date is off', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    await archive.put(entryOf({ raw: 'old', at: NOON }));
    await archive.put(entryOf({ raw: 'new', at: NOON + 1000 }));
    const revisitOf = { url: HOME, date: NOON + 900 };
    await archive.put(entryOf({ raw: 'old', at: NOON + 2000, revisitOf }));
    assert.equal(String(Buffer.from((await archive.get(HOME))?.body ?? [])), 'old');
  });

  test('the same text in another coding is written out in full when the difference is known', async (t) => {
    const folder = temporaryFolder(t);
    await using archive = testArchive(folder);
    const plain = Buffer.from('content '.repeat(50));
    await archive.put(entryOf({ raw: plain }));
    const raw = gzipSync(plain);
    const location = await archive.put(
      entryOf({
        at: NOON + 1000,
        raw,
        body: plain,
        rawHeaders: ['Content-Encoding', 'gzip'],
        revisitOf: { url: HOME, date: NOON, payloadDigest: entryOf({ raw: plain }).payloadDigest },
      }),
    );
    const bytes = readFileSync(join(folder, location.file)).subarray(
      location.offset,
      location.offset + location.length,
    );
    assert.match(gunzipSync(bytes).toString('latin1'), /^WARC\/1\.1\r\nWARC-Type: response\r\n/);
  });

  test('a revisit whose original is gone gives way to the next best copy', async (t) => {
    await using archive = testArchive(temporaryFolder(t));
    await archive.put(entryOf({ raw: 'kept' }));
    const revisitOf = { url: 'http://gone.example/', date: NOON };
    await archive.put(entryOf({ raw: 'lost', at: NOON + 1000, revisitOf }));
    assert.equal(String(Buffer.from((await archive.get(HOME))?.body ?? [])), 'kept');
  });
});

describe('files', () => {
  test('are rotated by size, named in order, each with its index; nothing is created before the first put', async (t) => {
    const folder = temporaryFolder(t);
    const clock = new HandClock();
    const archive = testArchive(folder, { clock, maxFileBytes: 20_000 });
    assert.deepEqual(readdirSync(folder), []);
    const locations: ArchiveLocation[] = [];
    for (let n = 0; n < 40; n++) {
      const raw = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * (n + 7) * 7919) % 251));
      clock.time += n % 3 === 0 ? 1000 : -1500;
      locations.push(await archive.put(entryOf({ url: `http://example.com/${n}`, raw, mediaType: 'image/png' })));
    }
    await archive.close();
    const files = await archive.files();
    assert.ok(files.length > 5, `${files.length} files`);
    assert.match(files[0], /^orbweaver-20260102120001-00000-main\.warc\.gz$/);
    assert.deepEqual([...new Set(locations.map((location) => location.file))], files);
    for (const file of files) {
      const last = locations.findLast((location) => location.file === file);
      assert.equal(statSync(join(folder, file)).size, last?.fileEnd);
      assert.equal(statSync(join(folder, cdxjOf(file))).size, last?.indexEnd);
      assert.ok(statSync(join(folder, file)).size <= 20_000);
      const bytes = readFileSync(join(folder, file));
      assert.match(gunzipSync(bytes).toString('latin1'), /^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/);
      const lines = readFileSync(join(folder, sortedCdxjOf(file)), 'latin1')
        .split('\n')
        .slice(0, -1);
      assert.deepEqual(lines, lines.toSorted());
    }
    for (const [n, location] of locations.entries()) {
      assert.deepEqual(
        (await archive.get(`http://example.com/${n}` as CanonicalUrl))?.location.offset,
        location.offset,
      );
    }
  });

  test('index lines name exactly the gzip member of the response', async (t) => {
    const folder = temporaryFolder(t);
    const archive = testArchive(folder);
    for (let n = 0; n < 5; n++) await archive.put(entryOf({ url: `http://example.com/${n}?b=1&a=2`, at: NOON + n }));
    await archive.close();
    const [file] = await archive.files();
    const bytes = readFileSync(join(folder, file));
    const lines = readFileSync(join(folder, cdxjOf(file)), 'latin1')
      .trimEnd()
      .split('\n');
    assert.equal(lines.length, 5);
    for (const [n, line] of lines.entries()) {
      assert.match(line, new RegExp(`^com,example\\)/${n}\\?a=2&b=1 20260102120000 \\{`));
      const capture = parseCdxj(line);
      assert.ok(capture);
      assert.equal(capture.date, NOON + n);
      assert.equal(capture.status, 200);
      assert.equal(capture.mime, 'text/html');
      const member = bytes.subarray(capture.offset, capture.offset + capture.length);
      const text = gunzipSync(member).toString('latin1');
      assert.ok(text.startsWith('WARC/1.1\r\nWARC-Type: response\r\n'));
      assert.ok(text.includes(`WARC-Target-URI: http://example.com/${n}?b=1&a=2\r\n`));
      assert.ok(text.includes(`WARC-Payload-Digest: sha1:${capture.digest}\r\n`));
      assert.ok(text.endsWith('<p>Hello\r\n\r\n'));
      // One byte less is no whole member: the length is exact.
      assert.throws(() => gunzipSync(member.subarray(0, -1)));
    }
  });

  test('a new session begins a new file, and two writers share a folder', async (t) => {
    const folder = temporaryFolder(t);
    for (const writerId of ['w0', 'w1', 'w0']) {
      await using archive = testArchive(folder, { writerId });
      await archive.put(entryOf({ url: `http://example.com/${readdirSync(folder).length}` }));
    }
    const files = await testArchive(folder).files();
    assert.deepEqual(
      files.map((file) => file.slice(25)),
      ['00000-w0.warc.gz', '00000-w1.warc.gz', '00001-w0.warc.gz'],
    );
  });

  test('puts resolve in the order in which they lie in the file', async (t) => {
    for (const sync of ['none', 'data'] as const) {
      await using archive = testArchive(temporaryFolder(t), { sync, maxFileBytes: 300_000, level: 2 });
      const order: string[] = [];
      const puts = Array.from({ length: 60 }, async (_, n) => {
        // Every seventh is compressed in the background.
        const raw = Buffer.alloc(n % 7 === 3 ? 2_000_000 : 2000, String(n));
        const { file, fileEnd } = await archive.put(entryOf({ url: `http://example.com/${n}`, raw }));
        order.push(`${file} ${String(fileEnd).padStart(12, '0')}`);
      });
      await Promise.all(puts);
      assert.deepEqual(order, order.toSorted());
    }
  });

  test('a put under way when the archive is closed is written; a later one is refused', async (t) => {
    const folder = temporaryFolder(t);
    const archive = testArchive(folder, { level: 2 });
    const put = archive.put(entryOf({ raw: Buffer.alloc(2_000_000, 'abc') }));
    await archive.close();
    const [file] = await archive.files();
    assert.ok(await hasSortedCdxj(folder, file));
    await put;
    assert.equal((await archive.get(HOME))?.raw.length, 2_000_000);
    await assert.rejects(archive.put(entryOf()), { code: 'INTERNAL' });
  });
});

describe('scan', () => {
  test('gives every response in write order, from any place on', async (t) => {
    await using archive = testArchive(temporaryFolder(t), { maxFileBytes: 5000 });
    const urls = Array.from({ length: 20 }, (_, n) => `http://example.com/${n}`);
    for (const url of urls) await archive.put(entryOf({ url, raw: url }));
    await archive.put(
      entryOf({ url: urls[0], at: NOON + 1000, raw: urls[0], revisitOf: { url: urls[0], date: NOON } }),
    );
    const all = await collected(archive.scan());
    assert.deepEqual(
      all.map((document) => document.url),
      urls,
    );
    assert.deepEqual(
      all.map((document) => String(Buffer.from(document.body))),
      urls,
    );
    assert.ok(new Set(all.map((document) => document.location.file)).size > 2);
    for (const [n, document] of all.entries()) {
      const { file, offset, length } = document.location;
      assert.deepEqual(await archive.readAt(document.location), document);
      const rest = await collected(archive.scan({ file, offset: offset + length }));
      assert.deepEqual(
        rest.map((later) => later.url),
        urls.slice(n + 1),
      );
    }
  });
});
