import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openArchiveBytes, openLocalBytes } from '../../../../src/archive/shipping/archive-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bytes-'));
const path = join(folder, 'one.bin');
writeFileSync(path, Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251)));
after(() => rmSync(folder, { recursive: true }));

test('a file is read from any place, and fewer bytes at its end', async () => {
  const bytes = await openLocalBytes(path);
  assert.equal(bytes.size(), 1000);
  assert.deepEqual([...(await bytes.read(250, 3))], [250, 0, 1]);
  assert.equal((await bytes.read(990, 100)).length, 10);
  assert.equal((await bytes.read(2000, 100)).length, 0);
  await bytes.close();
});

test('reads under way end well though the file is closed, and it is closed once', async () => {
  const bytes = await openLocalBytes(path);
  const reads = [bytes.read(0, 500), bytes.read(500, 500)];
  await bytes.close();
  await bytes.close();
  const [first, second] = await Promise.all(reads);
  assert.equal(first.length + second.length, 1000);
  await assert.rejects(bytes.read(0, 1));
  assert.throws(() => bytes.size());
});

test('a file that is nowhere is missing', async () => {
  await assert.rejects(openArchiveBytes(join(folder, 'none.bin')), { code: 'ENOENT' });
});
