/**
 * What a crawl of many pages takes, reckoned from what was measured: `npx node tools/capacity.ts [--days 30]`. docs/operations.md holds the table for
 * the times that are given here.
 */
import { parseArgs } from 'node:util';

/** Per page, with where it was measured. */
export const MEASURED = {
  /** A default crawl with text and search index: docs/benchmarks.md, `npm run bench -- default`. */
  pageMs: 23.7,
  /** Of the node for the state in PostgreSQL, 16 partitions: `bench/postgres-state.ts --pages 8000 --partitions 16`. */
  stateMs: 1.162,
  /** Of the server, its log and its tables with their indexes: the same run. */
  databaseMs: 0.37,
  logBytes: 5584,
  tableBytes: 4157,
  /** Pages of 44 KB, three records each, compressed: `npm run bench -- archive`. */
  archiveBytes: 12_796,
  /** Links that were not known before, of 60: that run as well; and what a known URL takes of memory (docs/benchmarks.md). */
  knownUrls: 7,
  urlBytes: 10.2,
  /** A partition of 40,000 pages is loaded in 4.2 s: decision 026. */
  loadMs: 4200 / 40_000,
} as const;

/** Of each core that is bought, so much is used: bursts, merges of the index, vacuum. */
const USED = 0.5;
/** The rest of a host between two requests, by default, and what a request takes. */
const TURN_SECONDS = 1.5;
const SECONDS_A_DAY = 86_400;
/** Pages of a partition: it is taken over in ten seconds then. */
const PARTITION_PAGES = 100_000;
const MOST_PARTITIONS = 16_384;

interface Capacity {
  readonly pages: number;
  readonly days: number;
}

const SCALES: readonly Capacity[] = [
  { pages: 1e6, days: 1 },
  { pages: 1e7, days: 3 },
  { pages: 1e8, days: 14 },
  { pages: 1e9, days: 30 },
];

/** A table in Markdown. */
export function capacityTable(scales: readonly Capacity[] = SCALES): string {
  const columns = scales.map((scale) => reckon(scale));
  const rows = Object.keys(columns[0]).map((name) => [name, ...columns.map((column) => column[name])]);
  const [head, ...rest] = rows;
  return [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rest]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function reckon({ pages, days }: Capacity): Record<string, string> {
  const perSecond = pages / (days * SECONDS_A_DAY);
  const cores = (ms: number): string => atLeast((perSecond * ms) / 1000 / USED);
  const partitions = Math.min(MOST_PARTITIONS, Math.max(64, 2 ** Math.ceil(Math.log2(pages / PARTITION_PAGES))));
  return {
    pages: count(pages),
    days: String(days),
    'pages a second': count(perSecond),
    'hosts that must have pages all the time': count(perSecond * TURN_SECONDS),
    'cores of nodes': cores(MEASURED.pageMs + MEASURED.stateMs),
    'cores of PostgreSQL': cores(MEASURED.databaseMs),
    'memory of all nodes for known URLs': bytes(pages * MEASURED.knownUrls * MEASURED.urlBytes),
    'tables, also as working copies on the nodes': bytes(pages * MEASURED.tableBytes),
    'log of PostgreSQL a day': bytes((pages / days) * MEASURED.logBytes),
    'archives of all nodes': bytes(pages * MEASURED.archiveBytes),
    partitions: count(partitions),
    'seconds to load one at a takeover': count(((pages / partitions) * MEASURED.loadMs) / 1000),
  };
}

function atLeast(cores: number): string {
  return cores < 1 ? '1' : count(Math.ceil(cores));
}

function count(number: number): string {
  return number < 10 ? String(Number(number.toPrecision(2))) : Math.round(number).toLocaleString('en');
}

function bytes(number: number): string {
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log10(number) / 3)));
  return `${Number((number / 1000 ** power).toPrecision(2))} ${units[power - 1]}`;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { days: { type: 'string' } } });
  const { days } = values;
  const scales = days === undefined ? SCALES : SCALES.map(({ pages }) => ({ pages, days: Number(days) }));
  process.stdout.write(`${capacityTable(scales)}\n`);
}
