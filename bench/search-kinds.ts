/**
 * What a search costs by its kind, in one process and one query at a time, with snippets, with and without facets.
 *
 *   npx node bench/search-kinds.ts [--documents 26000] [--words 300] [--queries 200] [--folder DIR] [--only TEXT]
 *
 * The documents are those of bench/search-load.ts, and a folder that it filled is used again. No query comes twice. Milliseconds are told
 * by the clock and of processor time, which a busy machine changes less. The digest is of all answers but their times: two versions
 * that have the same digest found, counted and showed the same.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/base/seeded-random.ts';
import { openSearcher } from '../src/search/open-searcher.ts';
import type { Searcher } from '../src/search/searcher.ts';
import { buildSearchFolder } from './harness/search-folder.ts';
import { zipfWords } from './harness/zipf-words.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '26000' },
    words: { type: 'string', default: '300' },
    queries: { type: 'string', default: '200' },
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const QUERIES = Number(values.queries);
/** So many of each kind are asked before any is measured. */
const WARM_UP = 30;

interface Kind {
  readonly name: string;
  readonly words: number;
  /** Ranks of the words that are drawn, on a logarithmic scale. */
  readonly from: number;
  readonly to: number;
  readonly written: (words: readonly string[]) => string;
}

const typed = (words: readonly string[]): string => words.join(' ');
const KINDS: readonly Kind[] = [
  { name: 'one word', words: 1, from: 5, to: 20_000, written: typed },
  { name: 'two words', words: 2, from: 5, to: 20_000, written: typed },
  { name: 'three words', words: 3, from: 5, to: 20_000, written: typed },
  { name: 'AND', words: 2, from: 5, to: 2_000, written: (words) => words.join(' AND ') },
  { name: 'OR', words: 2, from: 5, to: 20_000, written: (words) => words.join(' OR ') },
  { name: 'phrase', words: 2, from: 5, to: 2_000, written: (words) => `"${words.join(' ')}"` },
  { name: 'phrase of common words', words: 2, from: 1, to: 100, written: (words) => `"${words.join(' ')}"` },
];

/** `seed`: others with facets than without, because texts that were shown a moment ago are still in memory. */
function queriesOf({ words: count, from, to, written }: Kind, words: readonly string[], seed: number): string[] {
  const random = seededRandom(seed);
  const queries = new Set<string>();
  while (queries.size < WARM_UP + QUERIES) {
    const drawn = new Set<string>();
    while (drawn.size < count) drawn.add(words[Math.floor(from * (to / from) ** random())]);
    queries.add(written([...drawn]));
  }
  return [...queries];
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  return `${at(0.5)} / ${at(0.95)} / ${at(0.99)}`;
}

async function measure(searcher: Searcher, queries: readonly string[], facets: boolean) {
  const digest = createHash('sha256');
  const wall: number[] = [];
  const cpu: number[] = [];
  for (const [at, query] of queries.entries()) {
    const cpuBefore = cpuMs();
    const before = performance.now();
    const { ms: _, ...answer } = await searcher.search({ query, facets });
    if (at < WARM_UP) continue;
    wall.push(performance.now() - before);
    cpu.push(cpuMs() - cpuBefore);
    digest.update(JSON.stringify(answer));
  }
  const sum = cpu.reduce((all, each) => all + each, 0);
  return {
    'clock p50 / p95 / p99 ms': percentiles(wall),
    'CPU p50 / p95 / p99 ms': percentiles(cpu),
    'CPU mean': (sum / cpu.length).toFixed(2),
    digest: digest.digest('hex').slice(0, 12),
  };
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'bench-search-kinds-'));
try {
  const zipf = zipfWords();
  await buildSearchFolder(folder, zipf, {
    documents: Number(values.documents),
    wordsPerDocument: Number(values.words),
  });
  await using searcher = await openSearcher(folder);
  const table: Record<string, Record<string, string>> = {};
  for (const kind of KINDS.filter(({ name }) => name.includes(values.only))) {
    table[kind.name] = await measure(searcher, queriesOf(kind, zipf.words, 99), false);
    table[`${kind.name}, facets`] = await measure(searcher, queriesOf(kind, zipf.words, 98), true);
  }
  console.table(table);
  console.log(`RSS ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
