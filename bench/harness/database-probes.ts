import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreView } from '../../src/engines/open-store.ts';
import { binaryArray } from '../../src/engines/postgres/binary-array.ts';
import { PostgresConnection, type Step } from '../../src/engines/postgres/connection.ts';
import { STEPS, SURVEYS } from '../../src/engines/postgres/statements.ts';
import { createCrawl } from '../../src/index.ts';
import { serverSeconds } from './process-seconds.ts';

const COMMITS = 101;
const LOOKS = 200;
const PARTITIONS = [16, 4096];
/** Of a cluster that messages are looked for in, and of the node that looks. */
const MANY_PARTITIONS = 16_384;
const OWN_PARTITIONS = 16;
const WAITING = [0, 5000, 50_000];
/** Messages of a transaction, in as many transactions: the difference is what a message costs. */
const SENT = { few: 1, many: 9, transactions: 400 } as const;
const BODY_BYTES = 300;
const partitionAt = (number: number): number => number % MANY_PARTITIONS;

/** How long a commit of one row is waited for. */
export async function medianCommitMs(store: PostgresConnection): Promise<number> {
  const run = (text: string) => store.run([[{ name: '', text }]]);
  await run('CREATE TABLE IF NOT EXISTS probe (id integer PRIMARY KEY, n integer NOT NULL)');
  await run('INSERT INTO probe VALUES (1, 0) ON CONFLICT DO NOTHING');
  const waits: number[] = [];
  for (let at = 0; at < COMMITS; at++) {
    const began = performance.now();
    await store.transact([[{ name: 'probe', text: 'UPDATE probe SET n = n + 1 WHERE id = 1' }]]);
    waits.push(performance.now() - began);
  }
  return waits.sort((a, b) => a - b)[COMMITS >> 1];
}

interface ProbedServer {
  readonly url: string;
  readonly process: number;
}

/** Processor time of PostgreSQL for a look of one node for its messages, by how many wait for all others; and for a message that is sent and acknowledged. */
export async function measureMessages(database: ProbedServer): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-messages-'));
  const told: string[] = [];
  try {
    await createEmptyCrawl(database, { folder, schema: 'messages', partitions: MANY_PARTITIONS });
    await using store = new PostgresConnection({ url: database.url, schema: 'messages' });
    const [every, last] = [Math.floor(MANY_PARTITIONS / OWN_PARTITIONS), MANY_PARTITIONS - 1];
    const own = Array.from({ length: OWN_PARTITIONS }, (_, at) => at * every);
    const look = () => store.run([[SURVEYS.receive, last, binaryArray('integer', own), LOOKS]]);
    for (const [at, waiting] of WAITING.entries()) {
      const [from, to] = [WAITING[at - 1] ?? 0, waiting];
      // Spread over all senders and receivers by two odd factors.
      const text = `INSERT INTO outbox SELECT n::bigint * 7919 % ${MANY_PARTITIONS}, n::bigint * 104729 % ${MANY_PARTITIONS}, n, repeat('x', ${BODY_BYTES}) FROM generate_series(${from + 1}, ${to}) n`;
      await store.run([[{ name: '', text }]]);
      await look();
      const ms = await usedMs(database, LOOKS, look);
      told.push(`${ms.toFixed(2)} ms with ${waiting} messages waiting`);
    }
    const { few, many, transactions } = SENT;
    let number = WAITING[WAITING.length - 1];
    const sent: number[][] = [];
    const send = (count: number): Promise<unknown> => {
      const numbers = Array.from({ length: count }, () => ++number);
      sent.push(numbers);
      const [receivers, bodies] = [numbers.map(partitionAt), Array(count).fill('x'.repeat(BODY_BYTES))];
      const columns = [
        ...[binaryArray('integer', receivers), binaryArray('bigint', numbers), binaryArray('text', bodies)],
      ];
      return store.transact([[STEPS.send, sent.length, ...columns]]);
    };
    const sendMs: number[] = [];
    for (const count of [few, many]) sendMs.push(await usedMs(database, transactions, () => send(count)));
    // Of a sender each, as they come in a look of one node among many.
    const acknowledge = (senders: readonly number[]): Promise<unknown> =>
      store.run(
        senders.map((sender): Step => {
          const numbers = sent[sender - 1].slice(0, 1);
          return [
            STEPS.acknowledge,
            sender,
            binaryArray('integer', numbers.map(partitionAt)),
            binaryArray('bigint', numbers),
          ];
        }),
      );
    let sender = 0;
    const ackMs = await usedMs(database, Math.floor((2 * transactions) / many), () =>
      acknowledge(Array.from({ length: many }, () => ++sender)),
    );
    told.push(`${((1000 * (sendMs[1] - sendMs[0])) / (many - few)).toFixed(0)} µs for a message more in a transaction`);
    told.push(`${((1000 * ackMs) / many).toFixed(0)} µs to acknowledge one`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return `A look for messages in ${MANY_PARTITIONS} partitions: ${told.join('; ')}.`;
}

async function createEmptyCrawl(
  { url }: ProbedServer,
  { folder, schema, partitions }: { readonly folder: string; readonly schema: string; readonly partitions: number },
): Promise<string> {
  const store = `${url}&schema=${schema}`;
  const crawl = await createCrawl({
    ...{ folder: join(folder, schema), store, seeds: ['http://example.org/'], partitions },
  });
  await crawl[Symbol.asyncDispose]();
  return store;
}

/** A process tells what it used in ticks of 10 ms: `times` are to take many of them. */
async function usedMs({ process: server }: ProbedServer, times: number, step: () => Promise<unknown>): Promise<number> {
  const before = serverSeconds(server);
  for (let at = 0; at < times; at++) await step();
  return ((serverSeconds(server) - before) * 1000) / times;
}

/** Processor time of PostgreSQL for a look at the cluster, with few partitions and with many: what a beat adds up to. */
export async function measureBeats(database: ProbedServer): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-beats-'));
  const costs: number[] = [];
  try {
    for (const partitions of PARTITIONS) {
      const store = await createEmptyCrawl(database, { folder, schema: `beats_${partitions}`, partitions });
      await using view = await openStoreView(store);
      await view.nodes.view();
      costs.push(await usedMs(database, LOOKS, () => view.nodes.view()));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const rowMs = (costs[1] - costs[0]) / (2 * (PARTITIONS[1] - PARTITIONS[0]));
  return `A look at the cluster: ${costs.map((ms, at) => `${ms.toFixed(2)} ms with ${PARTITIONS[at]} partitions`).join(', ')}; ${(rowMs * 1000).toFixed(2)} µs a row that is read.`;
}
