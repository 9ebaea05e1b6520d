import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ExportPage, ExportSource } from '../../../src/contracts/export.ts';
import { ciffFormat } from '../../../src/export/ciff/ciff-format.ts';
import { siteSearchFormat } from '../../../src/export/site-search/site-search-format.ts';
import { exportTo, temporaryFolder, writtenTo } from './export-runs.ts';
import { documentOf, HeldFolder, HeldOutput, IndexedFolder, jobOf } from './indexed-documents.ts';
import { Died, madeSource } from './made-source.ts';

const CHECKPOINTS = { checkpointBytes: 2000 };

describe('An export', () => {
  test('writes over nothing that has the name of its part', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'mine');
    writeFileSync(`${path}.part`, 'mine');
    for (const parts of [{ format: 'csv' }, { format: 'csv', restart: true, force: true }])
      await assert.rejects(exportTo(path, madeSource({}), parts), /mine\.part is there already, and no export/);
    assert.equal(readFileSync(`${path}.part`, 'utf8'), 'mine');
    const other = join(folder.path, 'other');
    mkdirSync(`${other}.part`);
    writeFileSync(join(`${other}.part`, 'notes.txt'), 'mine');
    await assert.rejects(exportTo(other, madeSource({}), { format: 'markdown' }), /no export has left it/);
    assert.equal(readFileSync(join(`${other}.part`, 'notes.txt'), 'utf8'), 'mine');
    assert.equal(existsSync(`${other}.part.lock`), false);
  });

  test('replaces no link that leads nowhere without --force, and nothing that is no file', async () => {
    using folder = temporaryFolder();
    const link = join(folder.path, 'link');
    symlinkSync(join(folder.path, 'nowhere'), link);
    await assert.rejects(exportTo(link, madeSource({}), { format: 'csv' }), /there already/);
    assert.ok(lstatSync(link).isSymbolicLink());
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(exportTo(pipe, madeSource({}), { format: 'csv', force: true }), /is no file/);
    assert.ok(lstatSync(pipe).isFIFO());
  });

  test('takes a folder with a slash behind its name, and no file', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'above', 'pages');
    await exportTo(`${path}/`, madeSource({}), { format: 'markdown' });
    assert.ok(existsSync(join(path, 'example.org')));
    assert.deepEqual(readdirSync(join(folder.path, 'above')), ['pages']);
    await assert.rejects(exportTo(`${path}.csv/`, madeSource({}), { format: 'csv' }), /is the name of a folder/);
  });

  test('does not go on with that of another crawl of the same name', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'pages.csv');
    const parts = { format: 'csv', ...CHECKPOINTS };
    await assert.rejects(exportTo(path, madeSource({ diesAt: 80 }), parts), Died);
    assert.equal((await exportTo(path, madeSource({ identity: 'another' }), parts)).resumedAt, undefined);
  });

  test('says that no file can be written where it should go', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'x'.repeat(300));
    await assert.rejects(exportTo(path, madeSource({}), { format: 'csv' }), { code: 'FOLDER_UNWRITABLE' });
  });

  test('counts pages for the limit, not what they are made of, also where it goes on', async () => {
    using folder = temporaryFolder();
    const parts = { format: 'markdown', ...CHECKPOINTS };
    const filter = { limit: 20 };
    const whole = join(folder.path, 'whole');
    assert.equal((await exportTo(whole, withPictures(madeSource({ filter })), parts)).rows, 20);
    const path = join(folder.path, 'cut');
    await assert.rejects(exportTo(path, withPictures(madeSource({ filter, diesAt: 45 })), parts), Died);
    const { rows, resumedAt = 0 } = await exportTo(path, withPictures(madeSource({ filter })), parts);
    assert.ok(resumedAt > 0);
    assert.equal(rows, 20);
    assert.deepEqual(writtenTo(path), writtenTo(whole));
  });

  test('of an index ends when it is told to', async () => {
    using indexed = new IndexedFolder();
    const body = Array.from({ length: 5000 }, (_, at) => `word${at}`).join(' ');
    await indexed.add([documentOf('https://a.example/1', { body })]);
    const stopping = new AbortController();
    stopping.abort(new Died());
    const job = { ...jobOf(), signal: stopping.signal };
    await assert.rejects(ciffFormat.write(indexed.source(), new HeldOutput() as never, job), Died);
    await assert.rejects(siteSearchFormat.write(indexed.source(), new HeldFolder() as never, job), Died);
  });
});

/** Two of three pages are pictures. */
function withPictures(source: ExportSource): ExportSource {
  return {
    ...source,
    async *pages(from): AsyncGenerator<ExportPage> {
      for await (const page of source.pages(from))
        if (Number(page.cursor) % 3 === 0) yield page;
        else yield { ...page, facts: { ...page.facts, mediaType: 'image/png' } };
    },
  };
}
