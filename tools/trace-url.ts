/**
 * The way of one URL, from the code that runs: `npx node tools/trace-url.ts [--all] [--write | --check]`.
 *
 * A chain of pages on loopback is crawled with default settings but the delay and the page threads, so that nothing else is going
 * on, and V8 counts the calls from the settlement of one page to that of the next. A file counts as met where one of its
 * functions is called on the way of every page that is traced: what happens now and then, by the clock, is no part of the way.
 * The index, which follows by itself in a thread of its own, is not part of it either.
 *
 *  - The stages are the properties of `VisitStages` and `SettlementStages` in crawl/visit/pipeline.ts, in their order there, each
 *    with the file of its type; those that are met. They, the pipeline, and what the conductor itself calls are the files that
 *    somebody opens who follows a URL. What stages use inside counts below, by folder.
 *  - A return to the conductor is a call of one of its functions from outside. `run` and what is private are its own loop, which V8
 *    counts once more whenever it goes on after an await.
 *
 * `--all` names every file; `--write` puts the tables into docs/architecture.md, `--check` fails where they are not what is there.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createCrawl } from '../src/index.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const SOURCE = join(import.meta.dirname, '../src');
const DOCUMENT = join(import.meta.dirname, '../docs/architecture.md');
const [BEGIN, END] = ['<!-- tools/trace-url.ts -->\n', '<!-- end -->'];
const PAGES = 14;
/** Late enough that everything has been loaded and met before; the last one finds no link. */
const TRACED = { from: 6, to: 12 };
const CONDUCTOR = 'crawl/conductor.ts';
const PIPELINE = 'crawl/visit/pipeline.ts';

type Calls = ReadonlyMap<string, ReadonlyMap<string, number>>;

const visits = await traceVisits();
const met = [...visits[0].keys()].filter((file) => visits.every((calls) => calls.has(file))).sort();
const stages = stagesOf(PIPELINE).filter(({ file }) => met.includes(file));
const conducted = importsOf(CONDUCTOR).filter((file) => file.startsWith('crawl/') && met.includes(file));
const followed = new Set([CONDUCTOR, ...conducted, PIPELINE, ...stages.map(({ file }) => file)]);
const returns = visits.map((calls) => callsFromOutside(calls.get(CONDUCTOR) ?? new Map()));
const report = describeWay();
console.log(report);
if (values.all) for (const file of met) console.log(file);
if (values.write || values.check) updateDocument();

function describeWay(): string {
  const folders = Map.groupBy(met, (file) => dirname(file).replace(/^\.$/, '(index.ts)'));
  const isCrawl = (name: string): boolean => name === 'crawl' || name.startsWith('crawl/');
  const rows = [...folders]
    .filter(([name]) => isCrawl(name))
    .map(([name, files]) => [`${name}/`, files.length, names(files)]);
  const others = [...folders].filter(([name]) => !isCrawl(name));
  rows.push(['other folders', others.reduce((sum, [, files]) => sum + files.length, 0), `${others.length} folders`]);
  const crawlFiles = met.filter((file) => file.startsWith('crawl/')).length;
  return `${textTable({
    columns: ['stage', 'file'],
    rows: stages.map(({ stage, file }) => [stage, `\`${file}\``]),
  })}

Files to follow the way: ${followed.size} (conductor, what it calls in \`crawl/\`, pipeline, stages). Returns to the conductor: ${Math.max(...returns)}.
Files met in all: ${met.length}, ${crawlFiles} of them in \`crawl/\`.

${textTable({ columns: ['folder', 'files', 'names'], rows })}
`;
}

function names(files: readonly string[]): string {
  return files.map((file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.ts$/, '')).join(' ');
}

function updateDocument(): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  const updated = `${text.slice(0, from)}${report}${text.slice(to)}`;
  if (values.write) writeFileSync(DOCUMENT, updated);
  else if (updated !== text) {
    console.error('docs/architecture.md shows another way: npx node tools/trace-url.ts --write');
    process.exitCode = 1;
  }
}

/** Calls by file and function, for each page that is traced. */
async function traceVisits(): Promise<Calls[]> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(Number(url.slice(1) || 0)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'trace-url-'));
  const traced: Calls[] = [];
  try {
    const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await using crawl = await createCrawl({ folder, seeds: [seed], allowPrivate: true, delay: 0, workers: 0 });
    let settled = 0;
    crawl.on('settled', ({ outcome }) => {
      if (outcome.kind !== 'stored') return;
      // Taking the counts sets them to zero.
      const calls = takeCalls(session);
      settled++;
      if (settled >= TRACED.from && settled <= TRACED.to) traced.push(calls);
    });
    await crawl.run();
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return traced;
}

function pageOf(page: number): string {
  const words = Array.from({ length: 120 }, (_, at) => `word${(page * 7919 + at * 104_729) % 9973}`).join(' ');
  const next = page + 1 < PAGES ? `<a href="/${page + 1}">the next page</a>` : '';
  return `<!doctype html><title>Page ${page}</title><article><h1>Page ${page}</h1><p>${words}</p></article>${next}`;
}

/** Since the last time. */
function takeCalls(session: Session): Calls {
  const calls = new Map<string, Map<string, number>>();
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const { url, functions } of coverage.result) {
      const file = url.startsWith('file:') ? relative(SOURCE, fileURLToPath(url)) : '..';
      const called = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0);
      if (file.startsWith('..') || called.length === 0) continue;
      calls.set(file, new Map(called.map(({ functionName, ranges }) => [functionName, ranges[0].count])));
    }
  });
  return calls;
}

function callsFromOutside(calls: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [name, count] of calls) if (name !== 'run' && !name.startsWith('#')) sum += count;
  return sum;
}

/** Files of src that a file imports, types included, by the name that it gives them. */
function importedNames(file: string): Map<string, string> {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const found = new Map<string, string>();
  for (const [, list, from] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']*)';$/gm))
    for (const name of list.split(',')) found.set(name.replace(/^\s*(?:type )?/, '').trim(), join(dirname(file), from));
  return found;
}

function importsOf(file: string): string[] {
  return [...new Set(importedNames(file).values())];
}

function stagesOf(file: string): { readonly stage: string; readonly file: string }[] {
  const imported = importedNames(file);
  const text = readFileSync(join(SOURCE, file), 'utf8');
  return [...text.matchAll(/interface \w+Stages \{(.*?)\n\}/gs)].flatMap(([, properties]) =>
    [...properties.matchAll(/readonly (\w+)\??: (?:Pick<)?(\w+)/g)].flatMap(([, stage, type]) => {
      const at = imported.get(type);
      return at?.startsWith('crawl/') ? [{ stage, file: at }] : [];
    }),
  );
}
