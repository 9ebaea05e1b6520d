import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { FileBytes } from '../../../src/archive/file-bytes.ts';
import { type ArchiveBytes, openLocalBytes } from '../../../src/archive/shipping/archive-bytes.ts';
import { temporaryFolder } from './archive-fixture.ts';

/** A file, with what was read of it. */
async function counted(path: string): Promise<{ readonly handle: ArchiveBytes; readonly read: () => number }> {
  const handle = await openLocalBytes(path);
  let sum = 0;
  const read = async (position: number, length: number): Promise<Buffer> => {
    const bytes = await handle.read(position, length);
    sum += bytes.length;
    return bytes;
  };
  return { handle: { size: () => handle.size(), read, close: () => handle.close() }, read: () => sum };
}

test('a walk through a file with far looks ahead reads it once, its end included', async (t) => {
  const path = join(temporaryFolder(t), 'file');
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7) % 251));
  writeFileSync(path, bytes);
  const { handle, read } = await counted(path);
  const file = new FileBytes(handle);
  for (let at = 0; at < bytes.length; at += 1000)
    assert.ok((await file.read(at, 70_000)).equals(bytes.subarray(at, at + 70_000)));
  assert.equal((await file.read(bytes.length + 5, 10)).length, 0);
  assert.equal(read(), bytes.length);
  await handle.close();
});

test('whatever is asked for, in whatever order: the bytes of the file, and none at or after the end that was given', async (t) => {
  const path = join(temporaryFolder(t), 'file');
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 7) % 251));
  writeFileSync(path, bytes);
  const ask = fc.tuple(fc.nat({ max: 3500 }), fc.nat({ max: 3500 }));
  await fc.assert(
    fc.asyncProperty(fc.array(ask), fc.option(fc.nat({ max: 3500 }), { nil: undefined }), async (asks, end) => {
      const handle = await openLocalBytes(path);
      const file = new FileBytes(handle, end);
      for (const [position, length] of asks)
        assert.ok(
          (await file.read(position, length)).equals(bytes.subarray(0, end).subarray(position, position + length)),
        );
      await handle.close();
    }),
  );
});

test('what a file has grown by is seen', async (t) => {
  const path = join(temporaryFolder(t), 'file');
  writeFileSync(path, 'before');
  const handle = await openLocalBytes(path);
  const file = new FileBytes(handle);
  assert.equal((await file.read(0, 100)).toString(), 'before');
  appendFileSync(path, ' and after');
  assert.equal((await file.read(3, 100)).toString(), 'ore and after');
  assert.equal((await file.read(6, 100)).toString(), ' and after');
  await handle.close();
});
