import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Committed, repairArchive } from '../../../src/archive/mend/repair-archive.ts';
import { readWarc } from '../../../src/archive/warc/warc-reader.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { collected, temporaryFolder, testArchive } from './archive-fixture.ts';

const WRITER = `
import { entryOf, testArchive } from ${JSON.stringify(fileURLToPath(new URL('./archive-fixture.ts', import.meta.url)))};
const archive = testArchive(process.argv[1], { maxFileBytes: 60_000 });
for (let n = Number(process.argv[2]); ; n++) {
  const url = 'http://example.com/' + n;
  const raw = Buffer.alloc(3000, 'x').map((_, at) => (at * n) % 251);
  const { file, fileEnd, indexEnd } = await archive.put(entryOf({ url, raw, mediaType: 'image/png' }));
  process.stdout.write(JSON.stringify({ n, url, file, fileEnd, indexEnd }) + '\\n');
}
`;

test('kill -9, repair, resume: what was settled is there once, and nothing else', async (t) => {
  const folder = temporaryFolder(t);
  const committed = new Map<string, Committed>();
  const settled: string[] = [];
  for (let round = 0; round < 6; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, folder, String(round * 1000)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Everything the writer has told, but for the last few visits, counts as settled.
    const told: ({ url: string; file: string } & Committed)[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.endsWith('}')) told.push(JSON.parse(line));
      if (told.length === 20 + round * 17) child.kill('SIGKILL');
    }
    for (const visit of told.slice(0, told.length - round * 3)) {
      committed.set(visit.file, visit);
      settled.push(visit.url);
    }
    const report = await repairArchive(folder, committed);
    assert.deepEqual(report.lost, []);
    assert.deepEqual(report.reindexed, []);
  }
  const archive = testArchive(folder);
  assert.deepEqual(
    (await collected(archive.scan())).map((document) => document.url),
    settled,
  );
  for (const file of await archive.files()) {
    const items = await collected(readWarc(join(folder, file)));
    assert.deepEqual(
      items.filter((item) => item.kind === 'damage'),
      [],
    );
  }
  for (const url of settled.filter((_, n) => n % 29 === 0)) {
    assert.equal((await archive.get(url as CanonicalUrl))?.url, url);
  }
});
