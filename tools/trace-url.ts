/**
 * The way of one URL, from the code that runs: which files it meets from the settlement of the page before it to its own, folder by
 * folder, and how often the conductor is entered: `npx node tools/trace-url.ts [--all]`.
 *
 * A chain of pages on loopback is crawled with default settings but the delay and the page threads, so that nothing else is going
 * on, and V8 counts the calls. The index, which follows by itself in a thread of its own, is not part of it. `--all` names every file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createCrawl } from '../src/index.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const SOURCE = join(import.meta.dirname, '../src');
const PAGES = 8;
/** Late enough that everything has been loaded and met before. */
const TRACED = 6;
const CONDUCTOR = 'crawl/conductor.ts';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const server = createServer(({ url = '/' }, response) => {
  if (url === '/robots.txt') {
    response.writeHead(404).end();
    return;
  }
  const page = Number(url.slice(1) || 0);
  const words = Array.from({ length: 120 }, (_, at) => `word${(page * 7919 + at * 104_729) % 9973}`).join(' ');
  const next = page + 1 < PAGES ? `<a href="/${page + 1}">the next page</a>` : '';
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(
    `<!doctype html><title>Page ${page}</title><article><h1>Page ${page}</h1><p>${words}</p></article>${next}`,
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const folder = mkdtempSync(join(tmpdir(), 'trace-url-'));
const calls = new Map<string, number>();
try {
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await using crawl = await createCrawl({ folder, seeds: [seed], allowPrivate: true, delay: 0, workers: 0 });
  let settled = 0;
  crawl.on('settled', ({ outcome }) => {
    if (outcome.kind !== 'stored') return;
    // Taking the counts sets them to zero.
    const counted = takeCounts();
    if (++settled === TRACED) for (const [file, count] of counted) calls.set(file, count);
  });
  await crawl.run();
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

const folders = Map.groupBy([...calls.keys()].sort(), (file) => file.split('/').slice(0, -1).join('/'));
const rows = [...folders].map(([name, files]) => [
  name === '' ? '(index.ts)' : name,
  files.length,
  ...(values.all ? [files.map((file) => file.slice(file.lastIndexOf('/') + 1)).join(' ')] : []),
]);
console.log(textTable({ columns: ['folder', 'files', ...(values.all ? ['names'] : [])], rows }));
const crawlFiles = [...calls.keys()].filter((file) => file.startsWith('crawl/')).length;
console.log(
  `\n${calls.size} files, ${crawlFiles} of them in crawl/; functions of the conductor called: ${calls.get(CONDUCTOR) ?? 0}`,
);

/** Calls since the last time, by file of src. */
function takeCounts(): Map<string, number> {
  const counts = new Map<string, number>();
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const { url, functions } of coverage.result) {
      if (!url.startsWith('file:')) continue;
      const file = relative(SOURCE, fileURLToPath(url));
      if (file.startsWith('..')) continue;
      const count = functions.reduce(
        (sum, { functionName, ranges }) => sum + (functionName === '' ? 0 : ranges[0].count),
        0,
      );
      if (count > 0) counts.set(file, count);
    }
  });
  return counts;
}
