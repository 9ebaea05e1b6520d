import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { WARCParser } from 'warcio';
import { archivedResponse } from '../../../src/archive/archived-response.ts';
import { parseHttpHead } from '../../../src/archive/http-message.ts';
import { sha1Base32 } from '../../../src/archive/sha1-base32.ts';
import { readWarc, type WarcItem } from '../../../src/archive/warc/warc-reader.ts';
import { targetUri, type WarcRecord } from '../../../src/archive/warc/warc-record.ts';
import { corpus, skipWithout } from '../../corpora.ts';
import { collected } from './archive-fixture.ts';

interface ManifestFile {
  readonly file: string;
  readonly record_count?: number;
  readonly warcio_error?: string;
  readonly records?: readonly { readonly offset: number; readonly type: string; readonly uri: string | null }[];
}

const folder = corpus('warc') ?? '';
const skip = skipWithout('warc');
const manifest: ManifestFile[] = existsSync(join(folder, 'manifest.jsonl'))
  ? readFileSync(join(folder, 'manifest.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const others = manifest.filter(({ file }) => /\.arc(?:\.gz)?$|\.lz4$/.test(file));
const warcs = manifest.filter((entry) => !others.includes(entry));

/** Files in which the reference reader gave up, and the number of records that are really there. */
const FURTHER: Readonly<Record<string, number>> = {
  'warcio__example-bad-non-chunked.warc.gz': 6,
  'warcio__example-bad.warc.gz.bad': 6,
  'warcio__example-wrong-chunks.warc.gz': 2,
  'webarchive-commons__link-extraction-test.warc': 8,
};

/** The reference reader gave up in two of them after the first record; of bad.arc it takes lines of a body for records. */
const ARC_RECORDS: Readonly<Record<string, number>> = {
  'copycat__cc-2010-sample.arc.gz': 9,
  'resiliparse__block-sized-records.warc.lz4': 0,
  'warcio__bad.arc': 1,
  'warcio__example-space-in-url.arc': 2,
  'warcio__example.arc': 2,
  'warcio__example.arc.gz': 2,
  'webarchive-commons__IAH-20080430204825-00000-blackbook-truncated.arc': 9,
};

/** Records whose own digest is wrong, or of what their damaged length does not cover. */
const DIGEST_WRONG = [
  'warcio.js__example-bad-length.warc 1197',
  'warcio.js__example-bad-length.warc 3370',
  'warcio__example-bad-non-chunked.warc.gz 0',
  'warcio__example-trunc.warc 1197',
  'warcio__example-wrong-chunks.warc.gz 0',
];

/** Where warcio.js loses the body or part of it: bare line feeds in the HTTP head, a length that is off, a cut file. */
const BODY_LOST_BY_WARCIO = /clueweb-quirk|example-trunc|example-bad-length|clipped/;

async function recordsOf(file: string): Promise<WarcRecord[]> {
  const items: WarcItem[] = await collected(readWarc(join(folder, 'files', file)));
  return items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
}

describe('files of other projects', { skip }, () => {
  test('all are told apart: 27 WARC files and 6 ARC files to read, 1 LZ4 file out of scope', async () => {
    assert.equal(warcs.length, 27);
    assert.equal(others.length, 7);
    for (const { file } of others) {
      const items = await collected(readWarc(join(folder, 'files', file)));
      const found = items.filter(({ kind }) => kind === 'record').length;
      assert.equal(found, ARC_RECORDS[file], file);
      if (found === 0) assert.match(items[0].kind === 'damage' ? items[0].why : '', /^an LZ4 file/);
    }
  });

  for (const { file, record_count, records = [], warcio_error } of warcs) {
    test(`${file}: every record that the manifest lists${warcio_error ? ', and those after the damage' : ''}`, async () => {
      const found = await recordsOf(file);
      assert.equal(found.length, FURTHER[file] ?? record_count);
      assert.equal(FURTHER[file] !== undefined, warcio_error !== undefined);
      const listed = found.slice(0, records.length);
      assert.deepEqual(
        listed.map((record) => record.offset),
        records.map((record) => record.offset),
      );
      assert.deepEqual(
        listed.map((record) => record.type),
        records.map((record) => record.type),
      );
      assert.deepEqual(
        listed.map((record) => targetUri(record.fields) ?? null),
        records.map((record) => record.uri?.replace(/^<(.*)>$/, '$1') ?? null),
      );
    });
  }

  test('block digests fit but for five that are wrong in the files', async () => {
    const wrong: string[] = [];
    let right = 0;
    for (const { file } of warcs) {
      for (const record of await recordsOf(file)) {
        const told = record.fields.get('WARC-Block-Digest');
        if (!record.whole || !told?.startsWith('sha1:')) continue;
        if (isSha1(told.slice(5), record.block)) right++;
        else wrong.push(`${file} ${record.offset}`);
      }
    }
    assert.deepEqual(wrong.sort(), DIGEST_WRONG);
    assert.equal(right, 123);
  });

  test('payload digests fit, with or without transfer coding', async () => {
    let right = 0;
    for (const { file } of warcs) {
      // The payload digests of this file are of something else than the payload.
      if (file.includes('clueweb')) continue;
      for (const record of await recordsOf(file)) {
        const told = record.fields.get('WARC-Payload-Digest');
        const head = parseHttpHead(record.block);
        if (record.type !== 'response' || !told?.startsWith('sha1:') || head === undefined) continue;
        if (!record.whole || DIGEST_WRONG.includes(`${file} ${record.offset}`)) continue;
        const dechunked = archivedResponse(record, file)?.document.raw ?? Buffer.alloc(0);
        const payload = record.block.subarray(head.length);
        assert.ok(isSha1(told.slice(5), payload) || isSha1(told.slice(5), dechunked), `${file} ${record.offset}`);
        right++;
      }
    }
    assert.equal(right, 48);
  });

  test('decoded bodies are those that warcio gives', async () => {
    let same = 0;
    for (const { file } of warcs) {
      if (BODY_LOST_BY_WARCIO.test(file)) continue;
      const ours = (await recordsOf(file)).filter((record) => record.type === 'response');
      const theirs: Buffer[] = [];
      for await (const record of new WARCParser(createReadStream(join(folder, 'files', file)))) {
        const content = await record.readFully(true);
        if (record.warcType === 'response') theirs.push(Buffer.from(content ?? []));
      }
      for (const [n, record] of ours.entries()) {
        const response = archivedResponse(record, file);
        if (response === undefined) continue;
        assert.ok(theirs[n].equals(response.document.body), `${file} ${record.offset}`);
        same++;
      }
    }
    assert.equal(same, 56);
  });
});

function isSha1(told: string, bytes: Uint8Array): boolean {
  if (told === sha1Base32(bytes)) return true;
  const sha1 = createHash('sha1').update(bytes).digest();
  return told.toLowerCase() === sha1.toString('hex') || told === sha1.toString('base64');
}
