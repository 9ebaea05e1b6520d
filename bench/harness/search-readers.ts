/** The load generator of bench/search-load.ts: a process of its own, so that its work is not counted as the server's. */
import { Agent, get } from 'node:http';
import { randomNumbers, zipfWords } from './zipf-words.ts';

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
  /** Of answers with status 200, ms, ascending. */
  readonly latencies: readonly number[];
  /** How often each status, or code of a broken connection, came. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The most common words stand in every document and are not what people search for; the rare ones find nothing. */
const FIRST_RANK = 5;
const LAST_RANK = 20_000;
const ANSWER_MS = 60_000;

/** No query comes twice, so no cache of answers can help. */
function distinctQueries(count: number, seed: number): string[] {
  const { words } = zipfWords();
  const random = randomNumbers(seed);
  const queries = new Set<string>();
  while (queries.size < count) {
    const length = 1 + Math.floor(random() * 3);
    const drawn = Array.from({ length }, () => words[Math.floor(FIRST_RANK * (LAST_RANK / FIRST_RANK) ** random())]);
    queries.add([...new Set(drawn)].join(' '));
  }
  return [...queries];
}

async function ask(url: string, agent: Agent): Promise<string> {
  return await new Promise((resolve) => {
    const request = get(url, { agent, timeout: ANSWER_MS }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

async function run({
  url,
  readers,
  requests: wanted,
  seconds,
  warmUp,
  queries: given,
}: ReaderOptions): Promise<ReaderReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  const queries = given ?? distinctQueries(warmUp + wanted, 99);
  const requests = Math.min(wanted, queries.length - warmUp);
  const outcomes: Record<string, number> = {};
  const latencies: number[] = [];
  let next = 0;
  let began = performance.now();
  const read = async (end: number, deadline: number, isMeasured: boolean): Promise<void> => {
    while (next < end && performance.now() < deadline) {
      const target = `${url}search?q=${encodeURIComponent(queries[next++])}`;
      const asked = performance.now();
      const outcome = await ask(target, agent);
      if (!isMeasured) continue;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === '200') latencies.push(performance.now() - asked);
    }
  };
  const all = (end: number, isMeasured: boolean): Promise<unknown> => {
    const deadline = performance.now() + seconds * 1000;
    return Promise.all(Array.from({ length: readers }, () => read(end, deadline, isMeasured)));
  };
  await all(warmUp, false);
  next = warmUp;
  process.send?.('measuring');
  began = performance.now();
  await all(warmUp + requests, true);
  const took = (performance.now() - began) / 1000;
  agent.destroy();
  const answered = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return { requests: answered, seconds: took, latencies: latencies.sort((a, b) => a - b), outcomes };
}

process.once('message', (options: ReaderOptions) => {
  void run(options).then((report) => {
    process.send?.(report, () => process.disconnect());
  });
});
