/**
 * What many URLs take and cost in the compact store, beside text, compressed text and SQLite.
 *
 *   npx node bench/url-store.ts [urls] [--seed 1] [--sqlite 1000000] [--file LIST] [--dir FOLDER]
 *
 * With the bounds of garbage that the program itself is started with, which memory depends on:
 *
 *   npx node --max-semi-space-size=8 --require=./bin/bounded-heaps.cjs bench/url-store.ts 1000000
 *
 * The URLs are drawn by a seed (harness/made-urls.ts), or read from a list. Speeds are per second of processor time. Each part is timed in this one process, and printed when it is known;
 * the peak of memory is that of the process before SQLite and the compressors have their turn.
 */

import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { constants, createZstdCompress } from 'node:zlib';
import { seededRandom } from '../src/base/seeded-random.ts';
import { openUrlStore, openUrlStoreWriter } from '../src/engines/open-url-store.ts';
import { madeUrls } from './harness/made-urls.ts';

const LOOKUPS = 50_000;
const APPENDED = 100_000;
const SMALL_COMMIT = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sqlite: { type: 'string', default: '1000000' },
    file: { type: 'string' },
    dir: { type: 'string', default: tmpdir() },
  },
});
const count = Number(positionals[0] ?? 1_000_000);
const seed = Number(values.seed);
const folder = mkdtempSync(join(values.dir, 'orbweaver-bench-urls-'));

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function timed<T>(work: () => T): { readonly result: T; readonly seconds: number } {
  const before = cpuSeconds();
  const result = work();
  return { result, seconds: cpuSeconds() - before };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function rate(things: number, seconds: number): string {
  return Math.round(things / seconds).toLocaleString('en');
}

function peak(): string {
  return `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`;
}

/** Of a text that comes in pieces, without holding it. */
async function zstdBytes(path: string, level: number): Promise<number> {
  const packed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
  let bytes = 0;
  packed.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  await pipeline(createReadStream(path), packed);
  return bytes;
}

/** Writes lines no faster than the disk takes them. */
class LineFile {
  readonly path: string;
  readonly #stream;
  #piece = '';

  constructor(path: string) {
    this.path = path;
    this.#stream = createWriteStream(path);
  }

  async add(line: string): Promise<void> {
    this.#piece += `${line}\n`;
    if (this.#piece.length < 1 << 18) return;
    if (!this.#stream.write(this.#piece)) await once(this.#stream, 'drain');
    this.#piece = '';
  }

  async end(): Promise<void> {
    this.#stream.end(this.#piece);
    await once(this.#stream, 'finish');
  }
}

function tell(what: string, said: string): void {
  console.log(`${what.padEnd(34)} ${said}`);
}

/** The URLs to be asked for: a fair sample. */
function sampler(): { readonly asked: string[]; readonly take: (url: string) => void } {
  const asked: string[] = [];
  const random = seededRandom(seed + 1);
  let seen = 0;
  return {
    asked,
    take: (url) => {
      seen++;
      const at = asked.length < LOOKUPS ? asked.length : Math.floor(random() * seen);
      if (at < LOOKUPS) asked[at] = url;
    },
  };
}

/** Where the URLs lie, one per line, in no order. */
async function unsortedList(): Promise<string> {
  if (values.file !== undefined) return values.file;
  const file = new LineFile(join(folder, 'unsorted'));
  const begun = cpuSeconds();
  for (const url of madeUrls(count, seed)) await file.add(url);
  await file.end();
  tell('drawn', `${(cpuSeconds() - begun).toFixed(1)} CPU-s, peak ${peak()}`);
  return file.path;
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

async function measureSqlite(path: string, most: number): Promise<void> {
  const file = join(folder, 'urls.db');
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE url (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE); BEGIN',
  );
  const insert = database.prepare('INSERT OR IGNORE INTO url (url) VALUES (?)');
  const { asked, take } = sampler();
  let inserted = 0;
  const begun = cpuSeconds();
  for await (const url of linesOf(path)) {
    inserted += Number(insert.run(url).changes);
    take(url);
    if (inserted >= most) break;
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const seconds = cpuSeconds() - begun;
  const urls = inserted.toLocaleString('en');
  tell('SQLite, unique index', `${(statSync(file).size / inserted).toFixed(2)} bytes a URL (${urls} URLs)`);
  tell('SQLite insert', `${rate(inserted, seconds)} a CPU-s, in one transaction`);
  const select = database.prepare('SELECT 1 FROM url WHERE url = ?');
  const found = timed(() => asked.filter((url) => select.get(url) !== undefined).length);
  tell('SQLite lookup', `${rate(asked.length, found.seconds)} a CPU-s`);
  database.close();
}

try {
  console.log(
    `${values.file ?? `${count.toLocaleString('en')} URLs drawn with seed ${seed}`}; Node ${process.version}`,
  );
  const list = await unsortedList();
  const storeFolder = join(folder, 'store');
  const { asked, take } = sampler();
  const buildBegun = cpuSeconds();
  const wallBegun = performance.now();
  let given = 0;
  {
    using writer = openUrlStoreWriter(storeFolder);
    for await (const url of linesOf(list)) {
      writer.add(url);
      take(url);
      given++;
    }
    tell('sorted into runs', `${(cpuSeconds() - buildBegun).toFixed(1)} CPU-s, peak ${peak()}`);
    writer.commit();
  }
  const wall = ((performance.now() - wallBegun) / 1000).toFixed(0);
  tell('build, unsorted', `${rate(given, cpuSeconds() - buildBegun)} a CPU-s, ${wall} s by the clock, peak ${peak()}`);

  using store = openUrlStore(storeFolder);
  const { urls, bytes, textBytes, memory } = store.facts();
  const perUrl = (of: number): string => `${(of / urls).toFixed(2)} bytes a URL (${megabytes(of)})`;
  tell('different URLs', urls.toLocaleString('en'));
  tell('text, each URL once', perUrl(textBytes));
  tell('compact store', `${perUrl(bytes)}, ${megabytes(memory)} of checkpoints in memory`);

  const hits = timed(() => asked.filter((url) => store.has(url)).length);
  const misses = timed(() => asked.filter((url) => store.has(`${url}~`)).length);
  if (hits.result !== asked.length || misses.result !== 0) throw new Error('The store answers wrongly.');
  tell('lookup, present, at random', `${rate(asked.length, hits.seconds)} a CPU-s`);
  tell('lookup, absent, at random', `${rate(asked.length, misses.seconds)} a CPU-s`);
  const inOrder = [...store.urls({ domain: 'de' })].slice(0, LOOKUPS);
  const ordered = timed(() => inOrder.filter((url) => store.has(url)).length);
  tell('lookup, in order', `${rate(inOrder.length, ordered.seconds)} a CPU-s`);

  const fresh = [...madeUrls(APPENDED, seed + 100)];
  const appended = timed(() => {
    using writer = openUrlStoreWriter(storeFolder);
    for (const url of fresh) writer.add(url);
    return writer.commit();
  });
  const { added } = appended.result;
  tell('append, one commit', `${rate(APPENDED, appended.seconds)} a CPU-s (${APPENDED} URLs, ${added} new)`);
  const small = timed(() => {
    using writer = openUrlStoreWriter(storeFolder);
    for (let at = 0; at < 20 * SMALL_COMMIT; at++) {
      writer.add(`https://appended.example.com/${at % 97}/${at}`);
      if (at % SMALL_COMMIT === SMALL_COMMIT - 1) writer.commit();
    }
  });
  tell('append, commits of 1,000', `${rate(20 * SMALL_COMMIT, small.seconds)} a CPU-s`);
  tell('peak of memory', peak());

  const sorted = new LineFile(join(folder, 'sorted'));
  const listBegun = cpuSeconds();
  for (const url of store.urls()) await sorted.add(url);
  await sorted.end();
  tell('list all, into a file', `${rate(urls, cpuSeconds() - listBegun)} a CPU-s`);
  tell('zstd -3 of the sorted text', perUrl(await zstdBytes(sorted.path, 3)));
  tell('zstd -3 of the text as it came', perUrl(await zstdBytes(list, 3)));
  await measureSqlite(list, Math.min(Number(values.sqlite), urls));
  tell('zstd -12 of the sorted text', perUrl(await zstdBytes(sorted.path, 12)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
