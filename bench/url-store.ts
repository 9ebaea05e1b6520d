/**
 * What many URLs take and cost in the compact store, beside text, compressed text and SQLite.
 *
 *   npx node bench/url-store.ts [urls] [--seed 1] [--sqlite 1000000] [--file LIST] [--dir FOLDER]
 *
 * The URLs are drawn by a seed (harness/made-urls.ts), or read from a list. Speeds are per second of processor time. Each part is timed in this one process;
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
import { openUrlStore, openUrlStoreWriter } from '../src/engines/open-url-store.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';
import { madeUrls, seededRandom } from './harness/made-urls.ts';

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

async function* source(): AsyncGenerator<string> {
  if (values.file === undefined) yield* madeUrls(count, seed);
  else yield* createInterface({ input: createReadStream(values.file), crlfDelay: Number.POSITIVE_INFINITY });
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

try {
  console.log(
    `${values.file ?? `${count.toLocaleString('en')} URLs drawn with seed ${seed}`}; Node ${process.version}`,
  );
  const storeFolder = join(folder, 'store');
  const unsorted = new LineFile(join(folder, 'unsorted'));
  const asked: string[] = [];
  const random = seededRandom(seed + 1);
  // Drawing the URLs is no part of what is measured.
  let drawn = 0;
  const drawingBegun = cpuSeconds();
  for await (const url of source()) {
    await unsorted.add(url);
    drawn++;
    // A fair sample of those that will be asked for.
    if (asked.length < LOOKUPS) asked.push(url);
    else {
      const at = Math.floor(random() * drawn);
      if (at < LOOKUPS) asked[at] = url;
    }
  }
  await unsorted.end();
  console.log(`drawn in ${(cpuSeconds() - drawingBegun).toFixed(1)} CPU-s, peak ${peak()}`);

  const buildBegun = cpuSeconds();
  const wallBegun = performance.now();
  {
    using writer = openUrlStoreWriter(storeFolder);
    for await (const url of createInterface({ input: createReadStream(unsorted.path) })) writer.add(url);
    writer.commit();
  }
  const built = cpuSeconds() - buildBegun;
  const wall = (performance.now() - wallBegun) / 1000;
  const peakOfBuild = peak();

  using store = openUrlStore(storeFolder);
  const facts = store.facts();
  const sorted = new LineFile(join(folder, 'sorted'));
  const listed = timed(() => {
    let urls = 0;
    for (const _url of store.urls()) urls++;
    return urls;
  });
  for (const url of store.urls()) await sorted.add(url);
  await sorted.end();

  const hits = timed(() => asked.filter((url) => store.has(url)).length);
  const misses = timed(() => asked.filter((url) => store.has(`${url}~`)).length);
  if (hits.result !== asked.length || misses.result !== 0) throw new Error('The store answers wrongly.');
  const inOrder = [...store.urls({ domain: 'de' })].slice(0, LOOKUPS);
  const ordered = timed(() => inOrder.filter((url) => store.has(url)).length);

  const fresh = [...madeUrls(APPENDED, seed + 100)];
  const appended = timed(() => {
    using writer = openUrlStoreWriter(storeFolder);
    for (const url of fresh) writer.add(url);
    return writer.commit();
  });
  const small = timed(() => {
    using writer = openUrlStoreWriter(storeFolder);
    for (let at = 0; at < 20 * SMALL_COMMIT; at++) {
      writer.add(`https://appended.example.com/${at % 97}/${at}`);
      if (at % SMALL_COMMIT === SMALL_COMMIT - 1) writer.commit();
    }
    return 20 * SMALL_COMMIT;
  });
  const peakOfStore = peak();

  const texts = { unsorted: statSync(unsorted.path).size, sorted: statSync(sorted.path).size };
  const { urls } = facts;
  const perUrl = (bytes: number, of = urls): string => (bytes / of).toFixed(2);
  const rows: [string, string, string][] = [
    ['text, each URL once', perUrl(texts.sorted), megabytes(texts.sorted)],
    ['compact store', perUrl(facts.bytes), megabytes(facts.bytes)],
  ];
  for (const [name, path, level] of [
    ['zstd -3 of the sorted text', sorted.path, 3],
    ['zstd -12 of the sorted text', sorted.path, 12],
    ['zstd -3 of the text as it came', unsorted.path, 3],
  ] as const) {
    const bytes = await zstdBytes(path, level);
    rows.push([name, perUrl(bytes), megabytes(bytes)]);
  }

  const database = new DatabaseSync(join(folder, 'urls.db'));
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE url (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE); BEGIN',
  );
  const insert = database.prepare('INSERT OR IGNORE INTO url (url) VALUES (?)');
  const most = Math.min(Number(values.sqlite), urls);
  let inserted = 0;
  const inSqlite: string[] = [];
  const insertBegun = cpuSeconds();
  for await (const url of createInterface({ input: createReadStream(unsorted.path) })) {
    inserted += Number(insert.run(url).changes);
    if (inSqlite.length < LOOKUPS) inSqlite.push(url);
    if (inserted >= most) break;
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const inserting = cpuSeconds() - insertBegun;
  const rowsInTable = Number(Object.values(database.prepare('SELECT count(*) FROM url').get() ?? {})[0]);
  const sqliteBytes = statSync(join(folder, 'urls.db')).size;
  rows.push([
    `SQLite, unique index (${rowsInTable.toLocaleString('en')} URLs)`,
    perUrl(sqliteBytes, rowsInTable),
    megabytes(sqliteBytes),
  ]);
  const select = database.prepare('SELECT 1 FROM url WHERE url = ?');
  const selected = timed(() => inSqlite.filter((url) => select.get(url) !== undefined).length);
  database.close();

  console.log(`\n${urls.toLocaleString('en')} different URLs\n`);
  console.log(textTable({ columns: ['form', 'bytes a URL', 'in all'], rows }));
  console.log('');
  console.log(
    textTable({
      columns: ['what', 'a CPU-second', 'note'],
      rows: [
        ['build, unsorted', rate(drawn, built), `${wall.toFixed(0)} s by the clock, peak ${peakOfBuild}`],
        ['list all', rate(listed.result, listed.seconds), ''],
        ['lookup, present', rate(asked.length, hits.seconds), 'at random'],
        ['lookup, absent', rate(asked.length, misses.seconds), 'at random'],
        ['lookup, in order', rate(inOrder.length, ordered.seconds), ''],
        [
          'append, one commit',
          rate(appended.result.given, appended.seconds),
          `${appended.result.given} URLs, ${appended.result.added} new`,
        ],
        ['append, commits of 1,000', rate(small.result, small.seconds), ''],
        ['SQLite insert', rate(inserted, inserting), `${inserted} URLs in one transaction`],
        ['SQLite lookup', rate(inSqlite.length, selected.seconds), ''],
      ],
    }),
  );
  console.log(`\ncheckpoints in memory ${megabytes(facts.memory)}; peak with lookups and appends ${peakOfStore}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
