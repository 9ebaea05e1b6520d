import { seededRandom } from '../../src/base/seeded-random.ts';
/** The load generator of bench/search-load.ts: a process of its own, so that its work is not counted as the server's. */
import { KeptConnection } from './kept-connection.ts';
import { zipfWords } from './zipf-words.ts';

export interface ReaderOptions {
  readonly url: string;
  /** Each waits for its answer before it asks again. */
  readonly readers: number;
  readonly requests: number;
  readonly seconds: number;
  /** Requests before the measured ones. */
  readonly warmUp: number;
  /** Absent: words of the made documents. */
  readonly queries?: readonly string[];
}

export interface ReaderReport {
  readonly requests: number;
  readonly seconds: number;
  /** Of the readers themselves. */
  readonly cpuSeconds: number;
  /** Of answers with status 200, ms, ascending. */
  readonly latencies: readonly number[];
  /** How often each status, or code of a broken connection, came. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The most common words stand in every document and are not what people search for; the rare ones find nothing. */
const FIRST_RANK = 5;
const LAST_RANK = 20_000;

/** No query comes twice, so no cache of answers can help. */
function distinctQueries(count: number, seed: number): string[] {
  const { words } = zipfWords();
  const random = seededRandom(seed);
  const queries = new Set<string>();
  while (queries.size < count) {
    const length = 1 + Math.floor(random() * 3);
    const drawn = Array.from({ length }, () => words[Math.floor(FIRST_RANK * (LAST_RANK / FIRST_RANK) ** random())]);
    queries.add([...new Set(drawn)].join(' '));
  }
  return [...queries];
}

async function run({
  url,
  readers,
  requests: wanted,
  seconds,
  warmUp,
  queries: given,
}: ReaderOptions): Promise<ReaderReport> {
  const connections = Array.from({ length: readers }, () => new KeptConnection(url));
  const queries = given ?? distinctQueries(warmUp + wanted, 99);
  const requests = Math.min(wanted, queries.length - warmUp);
  const outcomes: Record<string, number> = {};
  const latencies: number[] = [];
  let next = 0;
  let began = performance.now();
  const read = async (
    connection: KeptConnection,
    end: number,
    deadline: number,
    isMeasured: boolean,
  ): Promise<void> => {
    while (next < end && performance.now() < deadline) {
      const path = `/search?q=${encodeURIComponent(queries[next++])}`;
      const asked = performance.now();
      const outcome = await connection.ask(path);
      if (!isMeasured) continue;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === '200') latencies.push(performance.now() - asked);
    }
  };
  const all = (end: number, isMeasured: boolean): Promise<unknown> => {
    const deadline = performance.now() + seconds * 1000;
    return Promise.all(connections.map((connection) => read(connection, end, deadline, isMeasured)));
  };
  await all(warmUp, false);
  next = warmUp;
  process.send?.('measuring');
  began = performance.now();
  const cpuBefore = process.cpuUsage();
  await all(warmUp + requests, true);
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();
  const answered = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return {
    requests: answered,
    seconds: took,
    cpuSeconds: (user + system) / 1e6,
    latencies: latencies.sort((a, b) => a - b),
    outcomes,
  };
}

process.once('message', (options: ReaderOptions) => {
  void run(options).then((report) => {
    process.send?.(report, () => process.disconnect());
  });
});
