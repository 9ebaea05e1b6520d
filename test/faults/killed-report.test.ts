import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { fingerprint, toSigned } from '../../src/base/fingerprint.ts';
import type { TableRow } from '../../src/contracts/site-report.ts';
import { reportPath } from '../../src/crawl/crawl-folder.ts';
import { makeReport } from '../../src/crawl/report/site/make-report.ts';
import { REPORT_COLUMNS } from '../../src/crawl/report/site/report-columns.ts';
import { readQuery, SiteReport } from '../../src/crawl/report/site/site-report.ts';
import { createStateFile, statePath } from '../../src/engines/sqlite/state-database.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { quickOrLong } from '../property-runs.ts';

const PAGES = 5_000;

/** A state with pages from `from` on, as visits leave them. */
function addPages(folder: string, from: number, count: number): void {
  const db = existsSync(statePath(folder)) ? new DatabaseSync(statePath(folder)) : createStateFile(statePath(folder));
  const insert =
    db.prepare(`INSERT INTO page (fp, url, host, depth, how, found_at, kind, outcome, tries, visited_at, facts, history)
    VALUES (?, ?, 1, 1, 'link', 1000, 'stored', '{"kind":"stored"}', 0, 2000, ?, '')`);
  db.exec('BEGIN');
  for (let page = from; page < from + count; page++) {
    const url = `http://site.test/${page}`;
    const facts = {
      status: 200,
      mediaType: 'text/html',
      bytes: page,
      directives: [],
      noindex: false,
      title: `T ${page % 50}`,
    };
    insert.run(toSigned(fingerprint(url)), url, JSON.stringify({ ...facts, linkCount: 1, fetchMs: 1, requestedAt: 1 }));
  }
  db.exec('COMMIT');
  db.close();
}

/** All of a report, as text. */
async function rowsOf(folder: string): Promise<string> {
  using report = SiteReport.open(reportPath(folder))!;
  const columns = REPORT_COLUMNS.map(({ name }) => name);
  const rows: TableRow[] = [];
  for await (const row of report.rows(readQuery({ view: 'all', filters: [], columns }))) rows.push(row);
  return JSON.stringify(rows);
}

describe('A report whose making is killed', () => {
  for (const [name, at] of [
    ...quickOrLong([], [['while it reads', 'reading 5000']] as const),
    ['while it is sorted', 'sorting'],
  ] as const) {
    test(`${name}: the one before stays, and the next equals a rebuild`, async () => {
      using folder = temporaryFolder();
      addPages(folder.path, 0, 500);
      makeReport(folder.path);
      const before = await rowsOf(folder.path);
      addPages(folder.path, 500, PAGES);
      const child = spawn(process.execPath, [join(import.meta.dirname, 'report-and-die.ts'), folder.path, at], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.startsWith(at)) continue;
        child.kill('SIGKILL');
        break;
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      assert.equal(child.signalCode, 'SIGKILL');
      assert.ok((await rowsOf(folder.path)) === before);
      makeReport(folder.path);
      const after = await rowsOf(folder.path);
      assert.equal(JSON.parse(after).length, 500 + PAGES);
      assert.deepEqual(readdirSync(dirname(reportPath(folder.path))).sort(), ['report.db', 'state.lock']);
      using other = temporaryFolder();
      addPages(other.path, 0, 500 + PAGES);
      makeReport(other.path);
      assert.ok(after === (await rowsOf(other.path)));
    });
  }
});
