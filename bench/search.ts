/**
 * The index against SQLite FTS5 on generated documents with words by Zipf's law.
 *
 *   npx node bench/search.ts [--documents 100000] [--words 300] [--queries 100] [--folder DIR] [--read-only] [--no-fts] [--keep]
 *     [--only TEXT]
 *
 * An index that lies in the folder already is taken as it is; with `--read-only` there has to be one, and nothing in the folder is
 * changed. `--only` measures the kinds of queries whose name holds the text.
 * Indexing is told per second of processor time. Queries are told in milliseconds of wall clock and, because a busy
 * machine changes them less, of processor time. Each query is asked once before it is measured. Of 100 queries the p99 is the slowest.
 * The RSS after each kind is that of this process: to see what searching takes, query an index that was built before.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/base/seeded-random.ts';
import type { IndexedDocument, IndexSnapshot, QueryNode } from '../src/contracts/search-index.ts';
import type { Analyze } from '../src/index/analyze.ts';
import { openSegmentIndex } from '../src/index/segment-index.ts';
import { zipfWords } from './harness/zipf-words.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    words: { type: 'string', default: '300' },
    queries: { type: 'string', default: '100' },
    folder: { type: 'string' },
    'read-only': { type: 'boolean', default: false },
    'no-fts': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const DOCUMENTS = Number(values.documents);
const WORDS = Number(values.words);
const QUERIES = Number(values.queries);

const { words, drawRank } = zipfWords();

function makeDocument(at: number, random: () => number): IndexedDocument {
  const text: string[] = [];
  for (let word = 0; word < WORDS; word++) text.push(words[drawRank(random)]);
  const facts = {
    host: '',
    mediaType: 'text/plain',
    language: 'en',
    date: 0,
    fetchedAt: 0,
    cluster: 0,
    spam: 0,
    rank: 0,
  };
  return { id: `doc-${at}`, title: '', headings: '', body: text.join(' '), description: '', anchors: [], facts };
}

const analyze: Analyze = (text, _language, emit) => {
  let position = 0;
  for (let at = 0; at < text.length; ) {
    let end = text.indexOf(' ', at);
    if (end < 0) end = text.length;
    emit(text.slice(at, end), position++);
    at = end + 1;
  }
  return position;
};

interface Kind {
  readonly name: string;
  readonly queries: readonly (readonly string[])[];
  readonly build: (terms: readonly string[]) => QueryNode;
  readonly fts: (terms: readonly string[]) => string;
}

const term = (word: string): QueryNode => ({ kind: 'term', terms: [word] });

function kinds(): Kind[] {
  const random = seededRandom(99);
  const draw = (count: number, from: number, to: number): string[][] =>
    Array.from({ length: QUERIES }, () => {
      const drawn = new Set<string>();
      // By rank on a logarithmic scale: as many very common words as middling ones.
      while (drawn.size < count) drawn.add(words[Math.floor(from * (to / from) ** random())]);
      return [...drawn];
    });
  const all: Kind[] = [];
  const bands = [
    ['common', 1, 100],
    ['mixed', 1, 20_000],
  ] as const;
  for (const [band, from, to] of bands) {
    for (const count of [1, 2, 3]) {
      const queries = draw(count, from, to);
      const and = (terms: readonly string[]): QueryNode => ({ kind: 'and', nodes: terms.map(term) });
      const or = (terms: readonly string[]): QueryNode => ({ kind: 'or', nodes: terms.map(term) });
      if (count === 1) all.push({ name: `${band} 1`, queries, build: or, fts: (terms) => `"${terms[0]}"` });
      else {
        all.push({
          name: `${band} ${count} AND`,
          queries,
          build: and,
          fts: (terms) => terms.map((t) => `"${t}"`).join(' AND '),
        });
        all.push({
          name: `${band} ${count} OR`,
          queries,
          build: or,
          fts: (terms) => terms.map((t) => `"${t}"`).join(' OR '),
        });
      }
    }
    const phrase = (terms: readonly string[]): QueryNode => ({
      kind: 'phrase',
      terms,
      offsets: terms.map((_, at) => at),
    });
    all.push({
      name: `${band} phrase 2`,
      queries: draw(2, from, to),
      build: phrase,
      fts: (terms) => `"${terms.join(' ')}"`,
    });
  }
  return all;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function measure(run: (terms: readonly string[]) => void, queries: readonly (readonly string[])[]) {
  for (const terms of queries) run(terms);
  const wall: number[] = [];
  const cpu: number[] = [];
  for (const terms of queries) {
    const cpuBefore = cpuMs();
    const before = performance.now();
    run(terms);
    wall.push(performance.now() - before);
    cpu.push(cpuMs() - cpuBefore);
  }
  wall.sort((a, b) => a - b);
  cpu.sort((a, b) => a - b);
  return {
    p50: percentile(wall, 0.5),
    p95: percentile(wall, 0.95),
    p99: percentile(wall, 0.99),
    cpu50: percentile(cpu, 0.5),
    cpu95: percentile(cpu, 0.95),
    cpu99: percentile(cpu, 0.99),
  };
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'bench-search-'));
mkdirSync(folder, { recursive: true });
const indexFolder = join(folder, `index-${DOCUMENTS}`);
const database = new DatabaseSync(values['no-fts'] ? ':memory:' : join(folder, `fts-${DOCUMENTS}.db`));

try {
  const readOnly = values['read-only'];
  if (readOnly && !existsSync(indexFolder)) throw new Error(`There is no index in ${indexFolder}.`);
  await using index = await openSegmentIndex({ folder: indexFolder, analyze, readOnly });
  if (index.place === undefined) {
    const random = seededRandom(1);
    let textBytes = 0;
    let generating = 0;
    const start = cpuMs();
    let most = 0;
    for (let at = 0; at < DOCUMENTS; at++) {
      const before = at % 100 === 0 ? cpuMs() : 0;
      const document = makeDocument(at, random);
      if (at % 100 === 0) generating += (cpuMs() - before) * Math.min(100, DOCUMENTS - at);
      textBytes += document.body.length;
      index.add(document);
      if (at % 20_000 === 19_999) {
        await index.commit();
        most = Math.max(most, process.memoryUsage().rss);
      }
    }
    await index.commit();
    await index.settled();
    await index.commit({ textBytes });
    const seconds = (cpuMs() - start - generating) / 1000;
    console.log(
      `indexing: ${Math.round(DOCUMENTS / seconds)} documents per CPU-second, merges included; ${Math.round(most / 1e6)} MB at most`,
    );
  }
  const { textBytes } = index.place as { textBytes: number };
  const bytes: Record<string, number> = {};
  for (const name of readdirSync(indexFolder)) {
    const kind = name.slice(name.lastIndexOf('.') + 1);
    bytes[kind] = (bytes[kind] ?? 0) + statSync(join(indexFolder, name)).size;
  }
  const indexBytes = Object.values(bytes).reduce((a, b) => a + b, 0);
  console.log(
    `index: ${(indexBytes / 1e6).toFixed(0)} MB, ${((100 * indexBytes) / textBytes).toFixed(1)} % of ${(textBytes / 1e6).toFixed(0)} MB text, in ${index.segments} segments:`,
    bytes,
  );

  if (!values['no-fts']) {
    const has = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'texts'").get();
    if (has === undefined) {
      const start = cpuMs();
      database.exec("CREATE VIRTUAL TABLE texts USING fts5(body, content = '')");
      const insert = database.prepare('INSERT INTO texts(rowid, body) VALUES (?, ?)');
      const random = seededRandom(1);
      database.exec('BEGIN');
      for (let at = 0; at < DOCUMENTS; at++) insert.run(at + 1, makeDocument(at, random).body);
      database.exec('COMMIT');
      database.exec("INSERT INTO texts(texts) VALUES ('optimize')");
      console.log(
        `FTS5: ${Math.round(DOCUMENTS / ((cpuMs() - start) / 1000))} documents per CPU-second, generating included`,
      );
    }
  }

  const table: Record<string, Record<string, string>> = {};
  using snapshot: IndexSnapshot = index.snapshot();
  for (const kind of kinds().filter(({ name }) => name.includes(values.only))) {
    const ours = measure((terms) => snapshot.top(kind.build(terms), 10), kind.queries);
    const row: Record<string, string> = {
      'p50 ms': ours.p50.toFixed(2),
      'p95 ms': ours.p95.toFixed(2),
      'p99 ms': ours.p99.toFixed(2),
      'CPU p50': ours.cpu50.toFixed(2),
      'CPU p95': ours.cpu95.toFixed(2),
      'CPU p99': ours.cpu99.toFixed(2),
      'RSS MB': (process.memoryUsage().rss / 1e6).toFixed(0),
    };
    if (!values['no-fts']) {
      const select = database.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10');
      // FTS5 is slow with common words: it gets fewer of the queries, and is compared on those alone.
      const fewer = kind.queries.slice(0, Math.max(5, Math.floor(QUERIES / 10)));
      const theirs = measure((terms) => select.all(kind.fts(terms)), fewer);
      row['FTS5 p50'] = theirs.p50.toFixed(2);
      row['FTS5 p95'] = theirs.p95.toFixed(2);
      const same = measure((terms) => snapshot.top(kind.build(terms), 10), fewer);
      row.faster = `${(theirs.cpu50 / same.cpu50).toFixed(1)}x`;
    }
    table[kind.name] = row;
  }
  console.table(table);
  console.log(`RSS at most ${((process.resourceUsage().maxRSS * 1024) / 1e6).toFixed(0)} MB`);
} finally {
  database.close();
  if (!values.keep && values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
