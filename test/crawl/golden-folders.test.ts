import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { STATE_VERSION } from '../../src/engines/sqlite/state-database.ts';
import { EXPORT_FORMATS } from '../../src/export/export-formats.ts';
import { callProgram } from '../called-program.ts';
import { GOLDEN_HOST, GOLDEN_PAGES, serveGoldenSite } from '../golden/golden-site.ts';
import { onlyLong, quickOrLong } from '../property-runs.ts';

const golden = join(import.meta.dirname, '..', 'golden');
const SITE = `http://${GOLDEN_HOST}`;
const versions = readdirSync(golden).flatMap((name) => /^state-(\d+)\.tar\.gz$/.exec(name)?.[1] ?? []);

/** Fails unless the command ends well; what it printed. */
async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await callProgram(args);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

async function statusOf(folder: string): Promise<{ totals: { pages: number }; queued: number }> {
  return JSON.parse(await run('status', '--dir', folder, '--json'));
}

async function urlsFound(folder: string, query: string): Promise<string[]> {
  const hits = await run('search', query, '--dir', folder, '--json');
  return [...hits.matchAll(/"url":\s*"([^"]+)"/g)].map(([, url]) => url);
}

test('there is a folder of every version of the state', () => {
  const expected = Array.from({ length: STATE_VERSION }, (_, i) => String(i + 1));
  assert.deepEqual(
    [...versions].sort((a, b) => Number(a) - Number(b)),
    expected,
  );
});

// Each upgrade leads through those after it: the others are left to the long run.
for (const version of versions.filter((text) => quickOrLong(Number(text) % 3 === 1, true))) {
  describe(`a folder of state version ${version}`, () => {
    const work = mkdtempSync(join(tmpdir(), 'orbweaver-golden-'));
    const folder = join(work, 'golden');
    execFileSync('tar', ['-xzf', join(golden, `state-${version}.tar.gz`), '-C', work]);
    const read = join(work, 'read');
    cpSync(folder, read, { recursive: true });
    after(() => rmSync(work, { recursive: true, force: true }));

    test('is what it says', () => {
      using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
      assert.equal(Object.values(db.prepare('PRAGMA user_version').get()!)[0], Number(version));
    });

    test('is read before it is crawled again: status, get, explain, pages, index, check, search', async () => {
      const { totals, queued } = await statusOf(read);
      assert.deepEqual({ pages: totals.pages, queued }, { pages: 4, queued: 3 });
      assert.match(await run('get', `${SITE}/`, '--dir', read), /Golden silk spiders/);
      assert.match(await run('explain', `${SITE}/`, '--dir', read), /stored/);
      const pages = await run('pages', '--dir', read, '--json');
      assert.equal(pages.trim().split('\n').length, 4);
      await run('index', '--dir', read);
      await run('check', '--dir', read);
      assert.deepEqual(await urlsFound(read, 'warm regions'), [`${SITE}/`]);
    });

    test('is exported in every format', version === '1' ? {} : onlyLong(), async () => {
      for (const { name } of EXPORT_FORMATS) {
        const output = join(work, `export-${name}`);
        await run('export', name, '--dir', read, '--output', output, '--quiet');
        const files = statSync(output).isFile()
          ? [output]
          : readdirSync(output, { recursive: true, withFileTypes: true })
              .filter((entry) => entry.isFile())
              .map((entry) => join(entry.parentPath, entry.name));
        assert.ok(files.length > 0 && files.every((file) => statSync(file).size > 0), name);
        if (name === 'jsonl') {
          const urls = readFileSync(output, 'utf8').trim().split('\n');
          assert.equal(new Set(urls.map((line) => JSON.parse(line).url)).size, 4);
        }
      }
    });

    test('is crawled to its end, asks for nothing twice, and is searched', async () => {
      const before = (await run('pages', '--dir', folder, '--json')).trim().split('\n');
      const stored = before.map((line) => new URL(JSON.parse(line).url).pathname);
      await using site = await serveGoldenSite();
      const options = ['--proxy', `http://127.0.0.1:${site.port}`, '--delay', '0', '--workers', '0', '--quiet'];
      await run('crawl', `${SITE}/`, '--dir', folder, ...options);
      const { totals, queued } = await statusOf(folder);
      assert.deepEqual({ pages: totals.pages, queued }, { pages: Object.keys(GOLDEN_PAGES).length, queued: 0 });
      const asked = site.requests.filter((path) => path in GOLDEN_PAGES);
      const missing = Object.keys(GOLDEN_PAGES).filter((path) => !stored.includes(path));
      assert.deepEqual([...asked].sort(), missing.sort());
      assert.deepEqual(await urlsFound(folder, 'gossamer ballooning'), [`${SITE}/kites`]);
      assert.deepEqual(await urlsFound(folder, 'warm regions'), [`${SITE}/`]);
      assert.match(await run('get', `${SITE}/kites`, '--dir', folder), /gossamer/);
      await run('check', '--dir', folder);
      using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
      assert.equal(Object.values(db.prepare('PRAGMA user_version').get()!)[0], STATE_VERSION);
    });
  });
}
