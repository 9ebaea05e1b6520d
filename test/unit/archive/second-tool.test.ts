import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { CDXIndexer, WARCParser, type WARCRecord, WARCSerializer } from 'warcio';
import { cdxjOf } from '../../../src/archive/archive-file-name.ts';
import { parseCdxj } from '../../../src/archive/cdxj/cdxj-line.ts';
import { gzipMember } from '../../../src/archive/gzip/gzip-member.ts';
import { sha1Base32 } from '../../../src/archive/sha1-base32.ts';
import { encodeRecordHead, RECORD_END, recordId } from '../../../src/archive/warc/warc-record.ts';
import { propertyRuns } from '../../property-runs.ts';
import { type EntryParts, entryOf, NOON, temporaryFolder, testArchive } from './archive-fixture.ts';

interface SeenRecord {
  readonly type: string;
  readonly record: WARCRecord;
  readonly raw: Buffer;
  readonly content: Buffer;
}

/** Reads WARC bytes with warcio, has it check every digest, and counts every complaint as a failure. */
async function readWithWarcio(bytes: Buffer, t: { mock: typeof test.mock }): Promise<SeenRecord[]> {
  const warn = t.mock.method(console, 'warn', (message: string) => assert.fail(`warcio complains: ${message}`));
  for await (const record of new WARCParser(chunksOf(bytes), { parseHttp: false })) {
    const told = record.warcHeader('WARC-Block-Digest');
    if (record.warcType === 'response') {
      // The payload digest and the checksum of gzip cover it.
      assert.equal(told, null);
      continue;
    }
    // warcio gives warcinfo records no digest; everything else it digests as it would write it.
    const found =
      record.warcType === 'warcinfo'
        ? `sha1:${sha1Base32(await record.readFully(false))}`
        : await digestedByWarcio(record, 'WARC-Block-Digest');
    assert.equal(told, found, `block digest of ${record.warcType}`);
  }
  for await (const record of new WARCParser(chunksOf(bytes), { keepHeadersCase: true })) {
    if (record.warcType !== 'response') continue;
    const told = record.warcPayloadDigest;
    assert.equal(told, await digestedByWarcio(record, 'WARC-Payload-Digest'));
  }
  const seen: SeenRecord[] = [];
  for await (const record of new WARCParser(chunksOf(bytes), { keepHeadersCase: true })) {
    const raw = Buffer.from((await record.readFully(false)) ?? []);
    const content = Buffer.from((await record.readFully(true)) ?? []);
    seen.push({ type: record.warcType ?? '', record, raw, content });
  }
  warn.mock.restore();
  return seen;
}

async function digestedByWarcio(record: WARCRecord, field: string): Promise<string | null | undefined> {
  const serializer = new WARCSerializer(record, { digest: { algo: 'sha-1', prefix: 'sha1:', base32: true } });
  await serializer.digestRecord({ recompute: true });
  return record.warcHeader(field);
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384);
}

const PAGE = Buffer.from('<html><p>The quick brown fox jumps over the lazy dog.</p></html>'.repeat(40));
const CASES: Readonly<Record<string, EntryParts>> = {
  plain: { raw: PAGE },
  empty: { raw: '', status: 204, statusText: 'No Content', rawHeaders: [] },
  chunked: { raw: PAGE, rawHeaders: ['Transfer-Encoding', 'chunked', 'Content-Type', 'text/html; charset=utf-8'] },
  gzip: { raw: gzipSync(PAGE), body: PAGE, rawHeaders: ['Content-Type', 'text/html', 'Content-Encoding', 'gzip'] },
  brotli: { raw: brotliCompressSync(PAGE), body: PAGE, rawHeaders: ['Content-Encoding', 'br'] },
  'chunked and gzip': {
    raw: gzipSync(PAGE),
    body: PAGE,
    rawHeaders: ['content-encoding', 'gzip', 'transfer-encoding', 'chunked'],
  },
  truncated: { raw: PAGE, rawHeaders: ['Content-Length', '999999'], truncated: 'length' },
  'HTTP/2': { raw: PAGE, httpVersion: '2.0', statusText: '', rawHeaders: ['content-type', 'text/html'] },
  image: { raw: Buffer.alloc(200_000, 'not really an image'), mediaType: 'image/jpeg' },
  'no reason phrase': { raw: PAGE, statusText: '' },
  'repeated headers': { raw: PAGE, rawHeaders: ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'] },
  'no metadata': { raw: PAGE, metadata: {} },
};

describe('warcio reads without a complaint', () => {
  for (const [name, parts] of Object.entries(CASES)) {
    test(name, async (t) => {
      const folder = temporaryFolder(t);
      const archive = testArchive(folder);
      const entry = entryOf(parts);
      const { file } = await archive.put(entry);
      await archive.close();
      const records = await readWithWarcio(readFileSync(join(folder, file)), t);
      const expected = ['warcinfo', 'request', 'response', 'metadata'].slice(0, name === 'no metadata' ? 3 : 4);
      assert.deepEqual(
        records.map((record) => record.type),
        expected,
      );
      const [info, request, response, metadata] = records;
      assert.match(info.content.toString(), /^software: Orbweaver\/test\r\n(?:.+\r\n)*robots: obey\r\n$/);
      assert.match(info.content.toString(), /conformsTo: http:\/\/iipc\.github\.io\//);
      assert.equal(info.record.warcHeader('WARC-Filename'), file);
      assert.deepEqual(response.raw, Buffer.from(entry.result.raw));
      // warcio undoes no brotli.
      if (name !== 'brotli') assert.deepEqual(response.content, Buffer.from(entry.result.body));
      assert.equal(response.record.warcHeaders.statusline, 'WARC/1.1');
      assert.equal(response.record.warcDate, '2026-01-02T12:00:00.000Z');
      assert.equal(response.record.warcHeader('WARC-IP-Address'), '203.0.113.7');
      assert.equal(response.record.warcHeader('WARC-Truncated') ?? undefined, parts.truncated);
      assert.equal(response.record.warcHeader('WARC-Protocol') ?? undefined, name === 'HTTP/2' ? 'h2' : undefined);
      assert.match(response.record.warcHeader('WARC-Record-ID') ?? '', /^<urn:uuid:[0-9a-f-]{36}>$/);
      assert.equal(response.record.httpHeaders?.statusCode, entry.result.head.status);
      const id = response.record.warcHeader('WARC-Record-ID');
      for (const other of [request, metadata].filter((record) => record !== undefined)) {
        assert.equal(other.record.warcHeader('WARC-Concurrent-To'), id);
      }
      assert.equal(request.record.httpHeaders?.statusline, 'GET / HTTP/1.1');
      if (metadata) assert.match(metadata.content.toString(), /^via: .+\r\nhopsFromSeed: L\r\nfetchTimeMs: 25\r\n$/);
    });
  }

  for (const level of [0, 2, 9]) {
    test(`level ${level}`, async (t) => {
      const folder = temporaryFolder(t);
      const archive = testArchive(folder, { level });
      let file = '';
      for (const parts of Object.values(CASES)) ({ file } = await archive.put(entryOf(parts)));
      await archive.close();
      const records = await readWithWarcio(readFileSync(join(folder, file)), t);
      assert.deepEqual(
        records.filter((record) => record.type === 'response').map((record) => record.raw),
        Object.values(CASES).map((parts) => Buffer.from(entryOf(parts).result.raw)),
      );
    });
  }

  test('revisits of both kinds', async (t) => {
    const folder = temporaryFolder(t);
    const archive = testArchive(folder);
    const revisitOf = { url: 'http://example.com/', date: NOON };
    await archive.put(entryOf({ raw: PAGE }));
    await archive.put(entryOf({ at: NOON + 1, raw: PAGE, revisitOf }));
    const profile = 'server-not-modified';
    const { file } = await archive.put(entryOf({ at: NOON + 2, raw: '', status: 304, revisitOf, profile }));
    await archive.close();
    const records = await readWithWarcio(readFileSync(join(folder, file)), t);
    const [same, unmodified] = records.filter((record) => record.type === 'revisit').map(({ record }) => record);
    assert.equal(same.warcHeader('WARC-Profile'), 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest');
    assert.equal(unmodified.warcHeader('WARC-Profile'), 'http://netpreserve.org/warc/1.1/revisit/server-not-modified');
    assert.equal(same.warcPayloadDigest, `sha1:${sha1Base32(PAGE)}`);
    for (const record of [same, unmodified]) {
      assert.equal(record.warcRefersToTargetURI, 'http://example.com/');
      assert.equal(record.warcRefersToDate, '2026-01-02T12:00:00.000Z');
    }
    assert.equal(unmodified.httpHeaders?.statusCode, 304);
  });

  test('arbitrary bodies and headers', async (t) => {
    const token = fc
      .stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,15}$/)
      .filter((name) => !/^(?:content|transfer)-/i.test(name));
    // warcio decodes headers as UTF-8, so only ASCII can be compared.
    const value = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            rawHeaders: fc.array(fc.tuple(token, value), { maxLength: 6 }).map((pairs) => pairs.flat()),
            raw: fc.uint8Array({ maxLength: 3000 }),
            mediaType: fc.constantFrom('text/html', 'image/png'),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async (visits) => {
          const folder = temporaryFolder(t);
          const archive = testArchive(folder);
          let file = '';
          for (const visit of visits) ({ file } = await archive.put(entryOf(visit)));
          await archive.close();
          const responses = (await readWithWarcio(readFileSync(join(folder, file)), t)).filter(
            (record) => record.type === 'response',
          );
          assert.deepEqual(
            responses.map((response) => response.raw),
            visits.map((visit) => Buffer.from(visit.raw)),
          );
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  test('conversion records can be written with the same parts', async (t) => {
    const block = Buffer.from('The quick brown fox.');
    const head = encodeRecordHead({
      type: 'conversion',
      id: '11111111-2222-4333-8444-555555555555',
      date: '2026-01-02T12:00:00.000Z',
      contentType: 'text/plain',
      length: block.length,
      blockDigest: sha1Base32(block),
      fields: [
        ['WARC-Target-URI', 'http://example.com/'],
        ['WARC-Refers-To', recordId('99999999-2222-4333-8444-555555555555')],
      ],
    });
    const member = gzipMember([head, block, RECORD_END], 6);
    const [record] = await readWithWarcio(member, t);
    assert.equal(record.type, 'conversion');
    assert.equal(record.content.toString(), 'The quick brown fox.');
  });
});

test('the index has the same lines as one made by warcio', async (t) => {
  const folder = temporaryFolder(t);
  const archive = testArchive(folder);
  for (const [n, parts] of Object.values(CASES).entries()) {
    const own = parts.rawHeaders ?? [];
    const rawHeaders = /content-type/i.test(own.join())
      ? own
      : ['Content-Type', parts.mediaType ?? 'text/html', ...own];
    await archive.put(
      entryOf({ ...parts, rawHeaders, url: `http://www.example.com/${n}?b=2&a=1`, at: NOON + n * 1000 }),
    );
  }
  const revisitOf = { url: 'http://www.example.com/0?b=2&a=1', date: NOON };
  const { file } = await archive.put(entryOf({ url: revisitOf.url, at: NOON + 99_000, raw: PAGE, revisitOf }));
  await archive.close();
  const indexer = new CDXIndexer({ format: 'json' });
  const theirs: unknown[] = [];
  for await (const line of indexer.iterIndex([{ filename: file, reader: createReadStream(join(folder, file)) }])) {
    const { urlkey, timestamp, url, mime, status, digest, length, offset, filename } = line;
    theirs.push({ key: `${urlkey} ${timestamp}`, url, mime, status, digest, length, offset, file: filename });
  }
  const lines = readFileSync(join(folder, cdxjOf(file)), 'latin1')
    .trimEnd()
    .split('\n');
  const ours = lines.map((line) => {
    const capture = parseCdxj(line);
    assert.ok(capture);
    const { url, mime, status, digest, length, offset } = capture;
    return { key: line.split(' ', 2).join(' '), url, mime, status, digest, length, offset, file: capture.file };
  });
  assert.deepEqual(ours, theirs);
});
