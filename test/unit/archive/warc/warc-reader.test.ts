import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRecordAt } from '../../../../src/archive/warc/read-record-at.ts';
import { readWarc, type WarcItem } from '../../../../src/archive/warc/warc-reader.ts';
import type { WarcRecord } from '../../../../src/archive/warc/warc-record.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { collected, entryOf, temporaryFolder, testArchive } from '../archive-fixture.ts';

function recordsIn(items: readonly WarcItem[]): WarcRecord[] {
  return items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
}

function damageIn(items: readonly WarcItem[]): string[] {
  return items.flatMap((item) => (item.kind === 'damage' ? [`${item.at}: ${item.why}`] : []));
}

async function sampleFile(folder: string, visits = 4): Promise<string> {
  const archive = testArchive(folder);
  let file = '';
  for (let n = 0; n < visits; n++) {
    ({ file } = await archive.put(
      entryOf({ url: `http://example.com/${n}`, raw: `<p>Page ${n} ${'x'.repeat(n * 50)}` }),
    ));
  }
  await archive.close();
  return join(folder, file);
}

/** Around every border of records, where heads and tails of members lie, each byte; elsewhere every 41st. */
function cutsOf(length: number, borders: ReadonlySet<number>): number[] {
  const isNear = (end: number): boolean => [...borders].some((border) => end >= border - 9 && end <= border + 11);
  return Array.from({ length }, (_, end) => end).filter((end) => end % 41 === 0 || isNear(end));
}

describe('a good file', () => {
  test('plain, a member per record, and one member for all give the same records', async (t) => {
    const path = await sampleFile(temporaryFolder(t));
    const packed = await collected(readWarc(path));
    const plain = gunzipSync(readFileSync(path));
    writeFileSync(`${path}.plain`, plain);
    writeFileSync(`${path}.single`, gzipSync(plain));
    const unpacked = await collected(readWarc(`${path}.plain`));
    const single = await collected(readWarc(`${path}.single`));
    const gist = (items: readonly WarcItem[]) =>
      recordsIn(items).map((record) => [
        record.type,
        record.fields.pairs,
        record.block.toString('latin1'),
        record.whole,
      ]);
    assert.equal(packed.length, 13);
    assert.deepEqual(gist(unpacked), gist(packed));
    assert.deepEqual(gist(single), gist(packed));
    assert.deepEqual(damageIn(packed), []);
    assert.deepEqual(damageIn(unpacked), []);
    assert.deepEqual(damageIn(single), ['0: several records share a gzip member: they cannot be read alone']);
    for (const [source, items] of [
      [path, packed],
      [`${path}.plain`, unpacked],
    ] as const) {
      for (const record of recordsIn(items)) {
        assert.deepEqual(await readRecordAt(source, record.offset, record.length), record);
      }
    }
  });

  test('large records: members beyond what is inflated at once, and single members of that size', async (t) => {
    const folder = temporaryFolder(t);
    const archive = testArchive(folder);
    const bodies = [randomBytes(3_000_000), Buffer.alloc(50_000_000, 'abc'), randomBytes(1000)];
    let file = '';
    for (const raw of bodies) ({ file } = await archive.put(entryOf({ raw })));
    await archive.close();
    const path = join(folder, file);
    const items = await collected(readWarc(path));
    assert.deepEqual(damageIn(items), []);
    const responses = recordsIn(items).filter((record) => record.type === 'response');
    for (const [n, record] of responses.entries()) {
      assert.ok(record.block.subarray(-bodies[n].length).equals(bodies[n]));
      assert.deepEqual((await readRecordAt(path, record.offset, record.length))?.block.length, record.block.length);
    }
    writeFileSync(`${path}.single`, gzipSync(gunzipSync(readFileSync(path)), { level: 1 }));
    const single = recordsIn(await collected(readWarc(`${path}.single`)));
    assert.deepEqual(
      single.map((record) => record.block.length),
      recordsIn(items).map((record) => record.block.length),
    );
  });

  test('can be read from the place of any record, and up to any', async (t) => {
    const path = await sampleFile(temporaryFolder(t));
    const all = recordsIn(await collected(readWarc(path)));
    for (const [n, record] of all.entries()) {
      assert.deepEqual(recordsIn(await collected(readWarc(path, { from: record.offset }))), all.slice(n));
      const before = await collected(readWarc(path, { to: record.offset }));
      assert.deepEqual(recordsIn(before), all.slice(0, n));
      assert.deepEqual(damageIn(before), []);
    }
  });
});

describe('a damaged file', () => {
  test('cut anywhere: the records before are whole, and the cut is told unless it lies between records', async (t) => {
    const folder = temporaryFolder(t);
    const path = await sampleFile(folder, 2);
    const bytes = readFileSync(path);
    const all = recordsIn(await collected(readWarc(path)));
    const borders = new Set([0, ...all.map((record) => record.offset + record.length)]);
    for (const end of cutsOf(bytes.length, borders)) {
      writeFileSync(`${path}.cut`, bytes.subarray(0, end));
      const items = await collected(readWarc(`${path}.cut`));
      const whole = recordsIn(items).filter((record) => record.whole && record.length > 0);
      assert.deepEqual(
        whole.map((record) => record.offset),
        all.filter((record) => record.offset + record.length <= end).map((record) => record.offset),
      );
      assert.equal(damageIn(items).length > 0, !borders.has(end), `cut at ${end}: ${damageIn(items)}`);
    }
  });

  test('whatever happens to one record, the others are found', async (t) => {
    const folder = temporaryFolder(t);
    const path = await sampleFile(folder, 4);
    const bytes = readFileSync(path);
    const all = recordsIn(await collected(readWarc(path)));
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: all.length - 1 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.uint8Array({ minLength: 1, maxLength: 30 }),
        async (victim, where, noise) => {
          const { offset, length } = all[victim];
          const spoiled = Buffer.from(bytes);
          const at = offset + Math.floor(where * length);
          spoiled.set(noise.subarray(0, offset + length - at), at);
          writeFileSync(`${path}.bad`, spoiled);
          const items = await collected(readWarc(`${path}.bad`));
          const found = new Set(recordsIn(items).map((record) => record.offset));
          for (const [n, record] of all.entries()) if (n !== victim) assert.ok(found.has(record.offset), `record ${n}`);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test('plain files: a Content-Length that is too small, too large, absent or senseless', async (t) => {
    const folder = temporaryFolder(t);
    const plain = gunzipSync(readFileSync(await sampleFile(folder, 3))).toString('latin1');
    const lengths = [...plain.matchAll(/^Content-Length: (\d+)\r\n\r\n/gm)];
    assert.equal(lengths.length, 10);
    const path = join(folder, 'spoiled.warc');
    for (const [n, match] of lengths.entries()) {
      for (const line of [
        `Content-Length: ${Number(match[1]) - 3}`,
        `Content-Length: ${Number(match[1]) + 40}`,
        `Content-Length: ${Number(match[1]) + 100_000}`,
        'Content-Length: 99999999999999',
        'Content-Length: many',
        'X: y',
      ]) {
        const at = match.index;
        writeFileSync(path, `${plain.slice(0, at)}${line}\r\n\r\n${plain.slice(at + match[0].length)}`, 'latin1');
        const items = await collected(readWarc(path));
        assert.ok(damageIn(items).length > 0, `record ${n}, ${line}`);
        const ids = new Set(recordsIn(items).map((record) => record.fields.get('WARC-Record-ID')));
        const expected =
          line.startsWith('Content-Length: ') && /\d{1,8}$/.test(line) && !line.includes('99999') ? 10 : 9;
        assert.equal(ids.size, expected, `record ${n}, ${line}`);
      }
    }
  });

  test('members cut at the wrong places are joined', async (t) => {
    const folder = temporaryFolder(t);
    const path = await sampleFile(folder, 2);
    const good = recordsIn(await collected(readWarc(path)));
    const plain = gunzipSync(readFileSync(path));
    const pieces: Buffer[] = [];
    for (let at = 0; at < plain.length; at += 333) pieces.push(gzipSync(plain.subarray(at, at + 333)));
    writeFileSync(`${path}.bad`, Buffer.concat(pieces));
    const items = await collected(readWarc(`${path}.bad`));
    assert.deepEqual(
      recordsIn(items).map((record) => record.block.toString('latin1')),
      good.map((record) => record.block.toString('latin1')),
    );
    assert.ok(damageIn(items).length > 0);
  });

  test('rubbish is told as such and never throws', async (t) => {
    const path = join(temporaryFolder(t), 'rubbish');
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('', '\x1f\x8b\b\0', 'WARC/1.0\r\n'),
        async (noise, start) => {
          writeFileSync(path, Buffer.concat([Buffer.from(start, 'latin1'), noise]));
          const items = await collected(readWarc(path));
          assert.ok(items.length > 0 || /^[\r\n]*$/.test(start + Buffer.from(noise).toString('latin1')));
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });
});
