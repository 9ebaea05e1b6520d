import { after, before, test } from 'node:test';
import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import { PostgresConnection, type Rows, type Step, type StepRunner } from '../../src/engines/postgres/connection.ts';
import { migrate } from '../../src/engines/postgres/migrate.ts';
import { PostgresState } from '../../src/engines/postgres/postgres-state.ts';
import { TABLES } from '../../src/engines/postgres/tables.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { propertyRuns } from '../property-runs.ts';
import { frontierConformance } from './frontier-suite.ts';
import type { SuiteOptions } from './opened-frontier.ts';
import { frontierOptionsOf, type SharedState, type StateEngine, soleOwnerOf } from './opened-state.ts';
import { historyConformance } from './state-histories.ts';
import { stateConformance } from './state-suite.ts';

type AtStep = Parameters<NonNullable<SharedState['crashAt']>>[0];

const SCHEMA = 'conformance';
const OTHER_TABLES = ['store', 'owner', 'outbox', 'note', 'node'];

/** The way of one node to the database: after a kill nothing of it arrives any more. */
class NodeRunner implements StepRunner, AsyncDisposable {
  readonly #connection: StepRunner;
  readonly #atStep: AtStep;
  #isDead = false;

  constructor(connection: StepRunner, atStep: AtStep) {
    this.#connection = connection;
    this.#atStep = atStep;
  }

  async run(steps: readonly Step[]): Promise<Rows[]> {
    if (this.#isDead) throw new Error('the node was killed');
    return await this.#connection.run(steps);
  }

  async transact(steps: readonly Step[], isForgettable?: boolean): Promise<Rows[]> {
    if (this.#isDead) throw new Error('the node was killed');
    this.#atStep('before commit');
    const rows = await this.#connection.transact(steps, isForgettable);
    this.#atStep('after commit');
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDead = true;
  }
}

/** One database for all cases, emptied before each; the nodes of a case share a connection. */
class PostgresDatabase implements SharedState {
  readonly #connection: PostgresConnection;
  readonly #clock: VirtualClock;
  readonly #spread: { readonly partitions: number; readonly leaseMs: number };
  readonly #nodes = new Map<string, NodeRunner>();
  #atStep: AtStep = () => {};

  constructor(connection: PostgresConnection, clock: VirtualClock, spread: { partitions: number; leaseMs: number }) {
    this.#connection = connection;
    this.#clock = clock;
    this.#spread = spread;
  }

  async node(name: string, clock: VirtualClock, options: SuiteOptions): Promise<PostgresState> {
    const store = new NodeRunner(this.#connection, (step) => this.#atStep(step));
    this.#nodes.set(name, store);
    return await PostgresState.open({
      ...{ store, clock, node: name, random: Math.random, options: frontierOptionsOf(options), ...this.#spread },
      storeTime: async () => this.#clock.now(),
      copyPath: () => ':memory:',
      // As nodes do, and as a process does that has the only partition.
      ...(this.#spread.partitions > 1 ? { gatherMs: 1000 } : {}),
    });
  }

  async kill(name: string): Promise<void> {
    await this.#nodes.get(name)?.[Symbol.asyncDispose]();
    this.#nodes.delete(name);
  }

  crashAt(atStep: AtStep): void {
    this.#atStep = atStep;
  }

  async close(): Promise<void> {
    for (const name of [...this.#nodes.keys()]) await this.kill(name);
  }
}

const programs = findPostgres();

if (typeof programs === 'string') test('CrawlState: postgres', { skip: programs }, () => {});
else {
  let server: PostgresServer;
  let connection: PostgresConnection;
  before(async () => {
    server = await startPostgres(programs);
    connection = new PostgresConnection({ url: server.url, schema: SCHEMA });
    await migrate(connection, SCHEMA);
  });
  after(async () => {
    await connection[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const engine: StateEngine = {
    name: 'postgres',
    isShared: true,
    knowsNodes: true,
    keepsPages: true,
    create: async (clock, spread) => {
      const tables = [...TABLES.map(({ name }) => name), ...OTHER_TABLES];
      await connection.transact(tables.map((name): Step => [{ name: `empty-${name}`, text: `DELETE FROM ${name}` }]));
      return new PostgresDatabase(connection, clock, spread);
    },
  };
  frontierConformance(soleOwnerOf(engine));
  stateConformance(engine);
  historyConformance(engine, propertyRuns(24));
}
