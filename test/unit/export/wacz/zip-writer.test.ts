import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { zipDirectory } from '../../../../src/archive/foreign/zip-directory.ts';
import { ZipWriter } from '../../../../src/export/wacz/zip-writer.ts';
import { onlyLong, quickOrLong } from '../../../property-runs.ts';

const NOW = Date.UTC(2026, 10, 17, 12, 30, 2);

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('another reader unpacks stored and deflated files', async () => {
  const written: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => void written.push(bytes.slice()), NOW);
  const stored = await zip.add('a/stored.txt', pieces('one ', 'two'), 'stored');
  await zip.add('b/déflaté.txt', pieces('x'.repeat(100_000)), 'deflated');
  await zip.add('empty', pieces(), 'stored');
  await zip.finish();
  assert.deepEqual([stored.name, stored.bytes], ['a/stored.txt', 7]);
  const files = unzipSync(Buffer.concat(written));
  assert.equal(Buffer.from(files['a/stored.txt']).toString(), 'one two');
  assert.equal(Buffer.from(files['b/déflaté.txt']).toString(), 'x'.repeat(100_000));
  assert.equal(files.empty.length, 0);
});

test('more files than 16 bits count are found', onlyLong(), async () => {
  const written: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => void written.push(bytes.slice()), NOW);
  const files = 0xffff + 2;
  for (let number = 0; number < files; number++) await zip.add(String(number), pieces(), 'stored');
  await zip.finish();
  const bytes = Buffer.concat(written);
  const read = async (at: number, length: number): Promise<Buffer> => bytes.subarray(at, at + length);
  const entries = await zipDirectory({ size: () => bytes.length, read });
  assert.ok(typeof entries !== 'string', String(entries));
  assert.equal(entries.length, files);
  assert.equal(entries.at(-1)?.name, String(files - 1));
});

const skip = quickOrLong('hashes 4.5 GB: npm run test:long', false as string | false);

test('places beyond 4 GB are kept in 64 bits', { skip }, async () => {
  const GB = 2 ** 30;
  const piece = Buffer.alloc(GB / 4);
  /** The bytes at the end alone are kept, with where they begin. */
  let at = 0;
  const kept: { at: number; bytes: Buffer }[] = [];
  const zip = new ZipWriter(async (bytes) => {
    if (bytes.length < 1024) kept.push({ at, bytes: Buffer.from(bytes) });
    at += bytes.length;
  }, NOW);
  async function* large(): AsyncGenerator<Uint8Array> {
    for (let bytes = 0; bytes < 4.5 * GB; bytes += piece.length) yield piece;
  }
  await zip.add('large', large(), 'stored');
  await zip.add('behind', pieces('behind'), 'stored');
  await zip.finish();
  const source = {
    size: () => at,
    async read(position: number, length: number): Promise<Buffer> {
      const out = Buffer.alloc(Math.max(0, Math.min(length, at - position)));
      for (const { at: start, bytes } of kept) {
        const from = Math.max(position, start);
        const to = Math.min(position + out.length, start + bytes.length);
        if (to > from) bytes.copy(out, from - position, from - start, to - start);
      }
      return out;
    },
  };
  const entries = await zipDirectory(source);
  assert.ok(typeof entries !== 'string', String(entries));
  assert.deepEqual(
    entries.map(({ name, length }) => [name, length]),
    [
      ['large', 4.5 * GB],
      ['behind', 6],
    ],
  );
  assert.ok(entries[1].start > 4 * GB);
  assert.equal(String(await source.read(entries[1].start, 6)), 'behind');
});
