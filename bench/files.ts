/**
 * A folder of many mixed files: how fast it is crawled, what that costs, what a kill loses, and how soon a change is found.
 *
 *   node bench/files.ts [--files 50000] [--changes 50] [--backlog 5000] [--priority low|normal] [--folder DIR]
 *
 * The files are copies of what documentation this machine has (/usr/share, node_modules), filled up with generated notes, pages, tables
 * and programs. The crawl is killed in the middle with SIGKILL and resumed. Then it watches, and files are written, moved and deleted while
 * searches ask for them: first with nothing else to do, then while as many further files as `--backlog` says are being read.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { appendFile, rename, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CrawlReader } from '../src/crawl/report/crawl-reader.ts';
import { openSearch } from '../src/index.ts';

const ROOT = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '50000' },
    changes: { type: 'string', default: '50' },
    backlog: { type: 'string', default: '5000' },
    folder: { type: 'string' },
    priority: { type: 'string', default: 'low' },
  },
});
const wanted = Number(values.files);
const place = values.folder ?? mkdtempSync(join(tmpdir(), 'orbweaver-files-'));
const documents = join(place, 'documents');
const crawlFolder = join(place, 'crawl');
const PER_FOLDER = 200;
const LARGEST = 32 * 1024;
/** From save to search. */
const FOUND_WITHIN_MS = 3000;
const WORDS =
  'amber basalt cedar delta ember fjord granite harbour isthmus juniper kelp lagoon moraine nimbus obsidian prairie quartz ravine steppe tundra'.split(
    ' ',
  );

function* found(folder: string): Generator<string> {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(folder);
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* found(path);
    else if (entry.isFile()) yield path;
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

function generated(number: number): readonly [name: string, text: string] {
  const words = (count: number, seed: number): string =>
    Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * at * 3 + at) % WORDS.length]).join(' ');
  const body = `Note ${number}. ${words(80, number)} ${number * 7919}`;
  switch (number % 5) {
    case 0:
      return [`note-${number}.md`, `# Note ${number}\n\n${body}\n`];
    case 1:
      return [
        `page-${number}.html`,
        `<!doctype html><title>Page ${number}</title><p>${body}<p><a href="page-${number - 5}.html">before</a>`,
      ];
    case 2:
      return [`table-${number}.csv`, `word,count\n${WORDS.map((word, at) => `${word},${number + at}`).join('\n')}\n`];
    case 3:
      return [`program-${number}.py`, `def main_${number}():\n    # ${body}\n    return ${number}\n`];
    default:
      return [`plain-${number}.txt`, `${body}\n`];
  }
}

function makeDocuments(): Map<string, number> {
  const kinds = new Map<string, number>();
  let count = 0;
  const target = (name: string): string => {
    const folder = join(documents, `part-${Math.floor(count / PER_FOLDER)}`);
    if (count % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const kind = extname(name) || '(none)';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return join(folder, name);
  };
  for (const source of ['/usr/share/doc', '/usr/share', join(ROOT, 'node_modules'), join(ROOT, 'docs')])
    for (const path of found(source)) {
      if (count >= wanted * 0.6) break;
      const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
      if (size === 0 || size > LARGEST) continue;
      try {
        copyFileSync(path, target(`${count}-${path.slice(path.lastIndexOf('/') + 1)}`));
        count++;
      } catch {
        // Not ours to read.
      }
    }
  for (; count < wanted; count++) {
    const [name, text] = generated(count);
    writeFileSync(target(name), text);
  }
  return kinds;
}

function crawl(...further: readonly string[]): ChildProcess {
  const flags = [
    'crawl',
    documents,
    '--dir',
    crawlFolder,
    '--quiet',
    '--json',
    '--files-priority',
    values.priority,
    ...further,
  ];
  return spawn(process.execPath, [join(ROOT, 'bin/orbweaver.cjs'), ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function output(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (data) => {
    text += data;
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return text;
}

async function visited(): Promise<number> {
  try {
    using reader = new CrawlReader(crawlFolder);
    const { totals } = await reader.status(0);
    return totals.requests;
  } catch {
    return 0;
  }
}

async function urlsOf(query: string): Promise<string[]> {
  try {
    await using search = await openSearch({ folder: crawlFolder });
    return (await search.search({ query })).hits.map(({ id }) => id);
  } catch {
    return [];
  }
}

/** Ms until a search answers as it should. */
async function until(query: string, isRight: (urls: readonly string[]) => boolean): Promise<number> {
  const began = performance.now();
  while (!isRight(await urlsOf(query))) {
    if (performance.now() - began > 120_000) {
      say(`${query}: not within two minutes`);
      return Number.POSITIVE_INFINITY;
    }
    await sleep(50);
  }
  return performance.now() - began;
}

/** Saves one file after the other while a folder of others, which came all at once, is being read. */
async function saveBesideBacklog(count: number): Promise<void> {
  const aside = join(place, 'aside');
  mkdirSync(aside, { recursive: true });
  for (let number = 0; number < count; number++) {
    const [name, text] = generated(wanted + 1 + number);
    writeFileSync(join(aside, `later-${name}`), text);
  }
  const before = await visited();
  const began = performance.now();
  await rename(aside, join(documents, 'backlog'));
  const times: number[] = [];
  while ((await visited()) - before < count && performance.now() - began < 300_000) {
    const word = `beside${String(times.length).padStart(4, '0')}`;
    writeFileSync(join(documents, 'part-0', `${word}.md`), `# Beside\n\nThe word ${word} stands here.\n`);
    times.push(await until(word, (urls) => urls.length === 1));
  }
  const seconds = (performance.now() - began) / 1000;
  say(`saved beside ${count} other files, which took ${seconds.toFixed(1)} s: ${spread(times)}`);
}

const say = (line: string): void => console.log(line);
const spread = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  const late = times.filter((time) => time > FOUND_WITHIN_MS).length;
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms, ${late} of ${times.length} later than ${FOUND_WITHIN_MS} ms`;
};

if (!existsSync(documents)) {
  const kinds = [...makeDocuments()].sort(([, a], [, b]) => b - a).slice(0, 12);
  say(`${wanted} files in ${documents}: ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')} …`);
}
const locked = join(documents, 'part-0', 'unreadable.txt');
writeFileSync(locked, 'nobody may read this\n');
chmodSync(locked, 0);

say(`load average ${loadavg()[0].toFixed(1)}`);
const first = crawl();
const killed = output(first);
while ((await visited()) < wanted / 3) await sleep(500);
first.kill('SIGKILL');
await killed;
say(`killed after ${await visited()} visits`);
const began = performance.now();
const before = await visited();
const summary = JSON.parse(await output(crawl()));
const seconds = (performance.now() - began) / 1000;
const files = summary.requests - before;
say(`resumed: ${files} files in ${seconds.toFixed(1)} s, ${(files / seconds).toFixed(0)} files/s;`);
say(
  `  ${summary.cpuSeconds.toFixed(1)} s of CPU (${((summary.cpuSeconds / seconds) * 100).toFixed(0)} % of a core), ${summary.maxRssMb} MB`,
);
say(
  `  ${JSON.stringify({ pages: summary.pages, outcomes: summary.outcomes, refused: summary.refused, failed: summary.failed })}`,
);
const again = performance.now();
const second = JSON.parse(await output(crawl()));
say(
  `nothing has changed: ${((performance.now() - again) / 1000).toFixed(1)} s, ${second.requests - summary.requests} visits`,
);

const watching = crawl('--continuous');
const ended = output(watching);
try {
  const beginnings = join(documents, 'part-1', 'beginning.txt');
  writeFileSync(beginnings, 'the word marker0000 stands here\n');
  say(
    `watching, first change after ${Math.round(await until('marker0000', (urls) => urls.length === 1))} ms, the sweep before it included`,
  );
  const saved: number[] = [];
  const moved: number[] = [];
  const deleted: number[] = [];
  for (let change = 1; change <= Number(values.changes); change++) {
    const word = `marker${String(change).padStart(4, '0')}`;
    const path = join(documents, `part-${change}`, `${word}.md`);
    writeFileSync(path, `# Change ${change}\n\nThe word ${word} stands here.\n`);
    saved.push(await until(word, (urls) => urls.length === 1));
    const to = join(documents, `part-${change + 1}`, `moved-${word}.md`);
    await rename(path, to);
    moved.push(await until(word, (urls) => urls.length === 1 && urls[0].includes('moved-')));
    await rm(to);
    deleted.push(await until(word, (urls) => urls.length === 0));
  }
  say(`saved and found: ${spread(saved)}`);
  say(`moved and found at its new place alone: ${spread(moved)}`);
  say(`deleted and gone: ${spread(deleted)}`);
  const slow = join(documents, 'part-2', 'slowly-written.txt');
  for (let piece = 0; piece < 20; piece++) {
    await appendFile(slow, `piece ${piece} `);
    await sleep(150);
  }
  await appendFile(slow, 'slowpoke ends here\n');
  say(
    `a file that was written for 3 s: ${Math.round(await until('slowpoke', (urls) => urls.length === 1))} ms after its end`,
  );
  await saveBesideBacklog(Number(values.backlog));
  say(`load average ${loadavg()[0].toFixed(1)}`);
} finally {
  watching.kill('SIGINT');
  await ended;
}
if (values.folder === undefined) await rm(place, { recursive: true });
