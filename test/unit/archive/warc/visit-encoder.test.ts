import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { VisitEncoder } from '../../../../src/archive/warc/visit-encoder.ts';
import { type VisitRecords, visitRecords } from '../../../../src/archive/warc/visit-records.ts';
import { RECORD_END } from '../../../../src/archive/warc/warc-record.ts';
import { collected, type EntryParts, entryOf, temporaryFolder, testArchive } from '../archive-fixture.ts';

const PAGE = Buffer.from(Array.from({ length: 4000 }, (_, n) => `<li>item ${n * 7919}</li>\n`).join(''));
const VISITS: Readonly<Record<string, EntryParts>> = {
  page: { raw: PAGE },
  'no body': { raw: '', status: 204 },
  'coded body': { raw: gzipSync(PAGE), body: PAGE, rawHeaders: ['Content-Encoding', 'gzip'] },
  'large image': { raw: Buffer.alloc(300_000, 'pixels'), mediaType: 'image/png' },
  'no request, no metadata': { raw: PAGE, requestHead: '', metadata: {} },
};

function recordsOf(parts: EntryParts): VisitRecords {
  return visitRecords(entryOf(parts), () => '11111111-2222-4333-8444-555555555555');
}

describe('every record is a gzip member of its own', () => {
  for (const level of [0, 1, 2, 6]) {
    test(`level ${level}`, () => {
      const encoder = new VisitEncoder(level);
      for (const [name, parts] of Object.entries(VISITS)) {
        const records = recordsOf(parts);
        const { request = [], main, metadata = [] } = records;
        const visit = encoder.encode(records);
        const bytes = Buffer.concat(visit.parts);
        assert.equal(bytes.length, visit.length, name);
        const mainEnd = visit.mainOffset + visit.mainLength;
        const member = gunzipSync(bytes.subarray(visit.mainOffset, mainEnd));
        assert.deepEqual(member, Buffer.concat([main.head, main.body, RECORD_END]), name);
        if (request.length === 0) assert.equal(visit.mainOffset, 0);
        else assert.deepEqual(gunzipSync(bytes.subarray(0, visit.mainOffset)), Buffer.concat(request), name);
        if (metadata.length === 0) assert.equal(mainEnd, bytes.length);
        else assert.deepEqual(gunzipSync(bytes.subarray(mainEnd)), Buffer.concat(metadata), name);
      }
    });
  }
});

test('level 0 compresses nothing, the others do, and compressed bodies are not copied', () => {
  const sizes = [0, 1, 6].map((level) => new VisitEncoder(level).encode(recordsOf(VISITS.page)).mainLength);
  assert.ok(sizes[0] > PAGE.length);
  assert.ok(sizes[1] < PAGE.length / 3);
  assert.ok(sizes[2] < PAGE.length / 3);
  for (const level of [0, 1, 6]) {
    const records = recordsOf(VISITS['coded body']);
    assert.ok(new VisitEncoder(level).encode(records).parts.some((part) => part.buffer === records.main.body.buffer));
  }
});

test('the raw digest is taken from the caller where it is given', () => {
  const entry = entryOf(VISITS['coded body']);
  const { capture } = visitRecords({ ...entry, rawDigest: 'GIVEN' }, () => 'id');
  assert.equal(capture.digest, 'GIVEN');
  assert.equal(capture.bodyDigest, entry.payloadDigest);
});

describe('bodies large enough for the background', () => {
  for (const [level, length] of [
    [1, 9_000_000],
    [6, 1_100_000],
  ]) {
    test(`level ${level}: do not mix with the visits written meanwhile`, async (t) => {
      const folder = temporaryFolder(t);
      const archive = testArchive(folder, { level });
      const large = Buffer.alloc(length, PAGE);
      const entries = Array.from({ length: 12 }, (_, n) =>
        entryOf({ url: `http://example.com/${n}`, raw: n % 4 === 0 ? large : PAGE.subarray(n * 100) }),
      );
      const puts = entries.map((entry) => archive.put(entry));
      const locations = await Promise.all(puts);
      await archive.close();
      for (const [n, { file, offset, length }] of locations.entries()) {
        const member = readFileSync(join(folder, file)).subarray(offset, offset + length);
        const raw = Buffer.from(entries[n].result.raw);
        assert.ok(
          gunzipSync(member)
            .subarray(-raw.length - 4, -4)
            .equals(raw),
        );
      }
      const scanned = await collected(testArchive(folder).scan());
      assert.equal(scanned.length, entries.length);
    });
  }
});

test('a large text is made in the background, and lies where it would', async () => {
  const encoder = new VisitEncoder(1);
  const records = recordsOf({ raw: PAGE });
  const text = Buffer.alloc(3_000_000, PAGE);
  const making = encoder.inBackground({ ...records, conversion: [text] });
  assert.equal(encoder.inBackground({ ...records, conversion: [PAGE] }), undefined);
  const made = await making;
  assert.deepEqual([made?.main, gunzipSync(made?.conversion ?? PAGE).equals(text)], [undefined, true]);
  const whole = gunzipSync(Buffer.concat(encoder.encode({ ...records, conversion: [text] }, made).parts));
  assert.ok(whole.subarray(-text.length).equals(text));
});
