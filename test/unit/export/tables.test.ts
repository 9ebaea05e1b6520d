import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { OrbweaverError } from '../../../src/base/errors.ts';
import { exportEntry } from '../../../src/export/export-formats.ts';
import { checkRequest } from '../../../src/export/run-export.ts';
import { EXPORT_TABLES } from '../../../src/export/tables/export-tables.ts';
import { exportTo, temporaryFolder } from './export-runs.ts';
import { HOSTILE, madePage, madeSource, NOON } from './made-source.ts';

/** RFC 4180, read by the letter. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^,\r\n"]*)(,|\r\n|$)/gy;
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    cell.lastIndex = at;
    const match = cell.exec(text);
    assert.ok(match !== null, `no cell at ${at}: ${text.slice(at, at + 40)}`);
    const [, written, end] = match;
    rows[rows.length - 1].push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** Node unpacks the first frame alone; zstd and others take all of them. */
function unpackedFrames(bytes: Buffer): Buffer {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(magic, at + 1);
    const end = next === -1 ? bytes.length : next;
    frames.push(zstdDecompressSync(bytes.subarray(at, end)));
    at = end;
  }
  return Buffer.concat(frames);
}

async function exported(format: string, table: string, columns?: readonly string[]): Promise<Buffer> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'export');
  await exportTo(path, madeSource({ pages: 40 }), { format, options: { table, ...(columns && { columns }) } });
  return readFileSync(path);
}

describe('Tables', () => {
  test('CSV: every row has every column, and no cell begins like a formula', async () => {
    for (const { name, columns } of EXPORT_TABLES) {
      const [head, ...rows] = csvRows((await exported('csv', name, ['all'])).toString());
      assert.deepEqual(
        head,
        columns.map((column) => column.name),
      );
      assert.ok(rows.length >= 40, name);
      for (const row of rows) {
        assert.equal(row.length, head.length, name);
        for (const value of row) assert.doesNotMatch(value, /^\s*[=+@]|^\s*-\D|\0/, name);
      }
    }
  });

  test('CSV and JSONL say what the pages say', async () => {
    const [, ...rows] = csvRows((await exported('csv', 'pages', ['url', 'title', 'text', 'fetchedAt'])).toString());
    const lines = (await exported('jsonl', 'pages', ['url', 'title', 'text', 'authors', 'published'])).toString();
    const objects = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(objects.length, 40);
    assert.doesNotMatch(lines, /[\x85\u2028\u2029]/, 'ends of lines for some readers');
    for (let at = 0; at < 40; at++) {
      const said = HOSTILE[at % HOSTILE.length];
      const { url, facts } = madePage(at);
      assert.equal(rows[at][0], url);
      assert.equal(
        rows[at][1].replace(/^'/, ''),
        said.trim().toWellFormed().replaceAll('\0', '\ufffd').replace(/^'/, ''),
      );
      assert.equal(rows[at][3], new Date(facts.requestedAt).toISOString());
      assert.equal(objects[at].title, said.trim().toWellFormed());
      assert.equal(objects[at].text, `text ${at} ${said}`.toWellFormed());
      assert.deepEqual(objects[at].authors, [said.toWellFormed(), 'B']);
      // The year 287,000 is no date.
      assert.equal(objects[at].published, at % 2 === 0 ? new Date(NOON - 1).toISOString() : undefined);
    }
  });

  test('Parquet: typed columns, whole row groups, the same values', async () => {
    for (const { name, columns } of EXPORT_TABLES) {
      const bytes = await exported('parquet', name, ['all']);
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
      const { num_rows: rows, schema } = parquetMetadata(file);
      assert.ok(rows >= 40n, name);
      for (const { name: column, type } of columns) {
        const element = schema.find((one) => one.name === column);
        assert.equal(element?.logical_type?.type === 'TIMESTAMP', type === 'time', `${name}.${column}`);
      }
      const read = await parquetReadObjects({ file });
      assert.equal(BigInt(read.length), rows);
      if (name !== 'pages') continue;
      for (const [at, row] of read.entries()) {
        const said = HOSTILE[at % HOSTILE.length];
        assert.equal(row.url, madePage(at).url);
        assert.equal(row.title, said.trim().toWellFormed());
        assert.equal(row.bytes, BigInt(1000 + at));
        assert.deepEqual(row.fetchedAt, new Date(NOON + at));
        assert.deepEqual(row.authors, [said.toWellFormed(), 'B']);
        assert.deepEqual(row.keywords, at % 2 === 0 ? [] : [said.toWellFormed()]);
      }
    }
  });

  test('compressed files hold the same', async () => {
    using folder = temporaryFolder();
    const plain = join(folder.path, 'plain');
    await exportTo(plain, madeSource({}), { format: 'csv' });
    const unpacked = { gzip: gunzipSync, zstd: unpackedFrames };
    for (const compression of ['gzip', 'zstd'] as const) {
      const path = join(folder.path, compression);
      await exportTo(path, madeSource({}), { format: 'csv', compression, checkpointBytes: 3000 });
      assert.ok(unpacked[compression](readFileSync(path)).equals(readFileSync(plain)), compression);
    }
  });

  test('a limit is one of rows, also where the export is gone on with', async () => {
    using folder = temporaryFolder();
    for (const table of ['pages', 'cells', 'links']) {
      const path = join(folder.path, table);
      const source = madeSource({ filter: { limit: 7 } });
      assert.equal((await exportTo(path, source, { format: 'csv', options: { table } })).rows, 7, table);
      assert.equal(csvRows(readFileSync(path, 'utf8')).length, 8, table);
    }
  });

  test('what a format cannot follow is refused with a remedy', async () => {
    const refused = async (name: string, options: object, filter: object): Promise<string> => {
      const format = await exportEntry(name).load();
      try {
        checkRequest(name, format, options, filter);
      } catch (error) {
        const { code, message, remedy } = error as OrbweaverError;
        assert.equal(code, 'USAGE');
        assert.ok(remedy !== undefined);
        return message;
      }
      return '';
    };
    assert.match(await refused('csv', { table: 'nothing' }, {}), /no table/);
    assert.match(await refused('csv', { columns: ['url', 'nonsense'] }, {}), /no column "nonsense"/);
    assert.match(await refused('parquet', { table: 'decisions' }, { languages: ['en'] }), /--language does not fit/);
    assert.match(await refused('edges', { columns: ['url'] }, {}), /no --columns/);
    assert.match(await refused('webgraph', {}, { limit: 3 }), /--limit does not fit/);
    assert.match(await refused('sitemap', { base: 'nowhere' }, {}), /no URL/);
    assert.equal(await refused('csv', { table: 'links' }, { languages: ['en'], query: 'x', limit: 3 }), '');
    assert.throws(() => exportEntry('excel'), /no export format/);
  });
});
