/**
 * A crawl folder of N pages, exported in every format of tables, graphs and sites: rows a second, bytes, and memory at most.
 * Run: npx node --expose-gc bench/export.ts [pages] [--keep FOLDER] [--formats csv,parquet:links]
 * With --keep the folder is made there, or read from there where one is.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openWarcArchive } from '../src/archive/warc-archive.ts';
import { systemClock } from '../src/base/clock.ts';
import { fingerprint, toSigned } from '../src/base/fingerprint.ts';
import type { PageFacts } from '../src/contracts/content/page-facts.ts';
import type { CanonicalUrl } from '../src/contracts/url.ts';
import { archiveFolder } from '../src/crawl/crawl-folder.ts';
import { CrawlReader } from '../src/crawl/report/crawl-reader.ts';
import { listLinks, openLinks } from '../src/engines/open-links.ts';
import { openState } from '../src/engines/sqlite/state-database.ts';
import { exportEntry } from '../src/export/export-formats.ts';
import { runExport } from '../src/export/run-export.ts';
import { CrawlExportSource } from '../src/export/source/crawl-export-source.ts';
import { entryOf } from '../test/unit/archive/archive-fixture.ts';

const FORMATS =
  'csv,jsonl:text,parquet,parquet:links,parquet:versions,csv:decisions,edges,graphml,webgraph,sitemap,llms.txt';
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, formats: { type: 'string', default: FORMATS } },
});
const PAGES = Number(positionals[0] ?? 2000);
const LINKS = 20;
const NOW = Date.UTC(2026, 10, 17);
const BATCH = 5000;

function urlOf(n: number): CanonicalUrl {
  return `https://www.example.org/part-${n % 97}/page-${n}.html` as CanonicalUrl;
}

/** State, links and archive of a crawl that was never made; each page with a text of its own. */
async function makeFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const db = openState(folder);
  const insert =
    db.prepare(`INSERT INTO page (fp, url, host, depth, how, found_at, kind, outcome, tries, visited_at, facts, history)
    VALUES (?, ?, 1, ?, 'link', ?, 'stored', '{"kind":"stored"}', 1, ?, ?, '[]')`);
  using links = openLinks(folder);
  const archive = openWarcArchive({
    ...{ folder: archiveFolder(folder), writerId: 'bench', clock: systemClock, software: 'bench' },
    ...{ userAgent: 'bench', robots: 'obey' },
  });
  for (let from = 0; from < PAGES; from += BATCH) {
    db.exec('BEGIN');
    for (let n = from; n < Math.min(PAGES, from + BATCH); n++) {
      const url = urlOf(n);
      const text = `Page ${n} says something. `.repeat(40);
      const raw = `<!doctype html><title>Page ${n}</title><article><p>${text}</p></article>`;
      const { start: _start, ...location } = await archive.put({
        ...entryOf({ url, raw, at: NOW + n }),
        text: Buffer.from(text),
      });
      const facts: PageFacts = {
        ...{ status: 200, mediaType: 'text/html', bytes: raw.length, directives: [], noindex: false, linkCount: LINKS },
        ...{ fetchMs: 80, requestedAt: NOW + n, title: `Page ${n}`, location },
        about: { language: 'en', textLength: text.length, words: 160, description: `What page ${n} is about` },
      };
      insert.run(toSigned(fingerprint(url)), url, n % 9, NOW, NOW + n, JSON.stringify(facts));
      const targets = Array.from({ length: LINKS }, (_, at) => urlOf((n * 31 + at * at * 17) % (2 * PAGES)));
      const shown = targets.map((target) => ({ url: target, text: `to ${target.length}`, nofollow: false }));
      links.addPage({ url, host: 'www.example.org', at: NOW, links: shown });
    }
    db.exec('COMMIT');
    await links.commit();
  }
  await archive.close();
  db.close();
}

async function measure(folder: string, out: string, asked: string): Promise<void> {
  const [name, part] = asked.split(':');
  const entry = exportEntry(name);
  const format = await entry.load();
  const options = part === 'text' ? { columns: ['url', 'title', 'text'] } : part === undefined ? {} : { table: part };
  using reader = new CrawlReader(folder);
  await using source = new CrawlExportSource({
    ...{ reader, filter: {}, isResumable: true, identity: 'bench', signature: () => 'bench' },
    listLinks: async (after) => listLinks(folder, after),
    listRows: () => [],
    search: async () => [],
  });
  globalThis.gc?.();
  let most = 0;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const began = performance.now();
  const to = join(out, asked.replace(':', '-'));
  const { rows, bytes } = await runExport({ entry, format, source, options, to, onProgress: look });
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${asked.padEnd(18)} ${String(rows).padStart(10)} rows ${String(Math.round(rows / seconds)).padStart(8)} rows/s ` +
      `${(bytes / 1e6).toFixed(1).padStart(8)} MB ${String(Math.round(most / 1e6)).padStart(6)} MB of memory`,
  );
}

const folder = flags.keep ?? mkdtempSync(join(tmpdir(), 'orbweaver-export-bench-'));
const out = mkdtempSync(join(tmpdir(), 'orbweaver-exported-'));
try {
  if (!existsSync(join(folder, 'state.db'))) await makeFolder(folder);
  for (const asked of flags.formats.split(',')) await measure(folder, out, asked);
} finally {
  rmSync(out, { recursive: true, force: true });
  if (flags.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
