import pg from 'pg';
import { OrbweaverError } from '../../base/errors.ts';
import { corkUntil, forgetPrepared, isUnprepared, runBatch } from './statement-batch.ts';
import { STEPS, type Statement } from './statements.ts';

/** A statement with its values, which are sent as text, but for those that are bytes: they are in the binary format of their types. */
export type Step = readonly [statement: Statement, ...values: readonly StepValue[]];
export type StepValue = string | number | bigint | boolean | Uint8Array | null;

/** Rows of one statement, by their columns' names. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** What the engine needs of PostgreSQL. */
export interface StepRunner {
  /** Independent statements in one round trip, each a transaction of its own. */
  run(steps: readonly Step[]): Promise<Rows[]>;
  /**
   * One transaction in one round trip: all statements are sent at once. It is durable when it resolves, whatever the server's
   * `synchronous_commit`; `isForgettable`: only where that says so.
   */
  transact(steps: readonly Step[], isForgettable?: boolean): Promise<Rows[]>;
  /** Whether the server may forget, in a crash, what is forgettable; undefined where that is not known. */
  readonly isForgetful?: boolean | undefined;
}

export interface ConnectionOptions {
  readonly url: string;
  /** The tables of a crawl lie in a schema of their own. */
  readonly schema: string;
  /** The server ends a transaction in which nothing was sent for so long: a process that was stopped in the middle of one would hold up all others. */
  readonly silentMs?: number;
}

/**
 * One connection, on which everything that is ready is sent without waiting for answers. It is opened when it is first needed,
 * and again after it was lost; what was under way then fails.
 */
export class PostgresConnection implements StepRunner, AsyncDisposable {
  readonly #options: ConnectionOptions;
  #client: Promise<pg.Client> | undefined;
  #isForgetful: boolean | undefined;
  #roundTrips = 0;
  #isCounted = false;
  /** Holds back what is written, until the end of this turn. */
  #corked: pg.Client | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Waits for an answer of the server, so far. What is sent in one turn of the event loop waits together. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  get isForgetful(): boolean | undefined {
    return this.#isForgetful;
  }

  async run(steps: readonly Step[]): Promise<Rows[]> {
    if (steps.length === 0) return [];
    const client = await this.#connected();
    this.#count();
    this.#writeTogether(client);
    const settled = await Promise.allSettled(
      steps.map(([{ name, text }, ...values]) => client.query({ name, text, values })),
    );
    for (const [at, one] of settled.entries())
      if (one.status === 'rejected' && isUnprepared(one.reason)) forgetPrepared(client, steps[at][0].name);
    // The first fault is the cause of those after it.
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return settled.map((one) => (one.status === 'fulfilled' ? one.value.rows : []));
  }

  async transact(steps: readonly Step[], isForgettable = false): Promise<Rows[]> {
    // The server tells what it is set to when a connection stands.
    const client = await this.#connected();
    const first: Step[] =
      isForgettable && this.#isForgetful === true ? [[STEPS.begin], [STEPS.forgettable]] : [[STEPS.begin]];
    this.#count();
    this.#writeTogether(client);
    // The end by itself: where a statement before it fails, it is what leaves the transaction for those that follow on the connection.
    const [changed, ended] = await Promise.allSettled([
      runBatch(client, [...first, ...steps]),
      runBatch(client, [[STEPS.commit]]),
    ]);
    if (changed.status === 'rejected') throw changed.reason;
    if (ended.status === 'rejected') throw ended.reason;
    return changed.value.slice(first.length);
  }

  #count(): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.#roundTrips++;
    setImmediate(() => {
      this.#isCounted = false;
    });
  }

  /** Whatever is sent until the promises of this turn are done goes to the socket in one piece: each write wakes the server. */
  #writeTogether(client: pg.Client): void {
    if (this.#corked === client) return;
    this.#corked = client;
    corkUntil(client, (uncork) =>
      process.nextTick(() => {
        if (this.#corked === client) this.#corked = undefined;
        uncork();
      }),
    );
  }

  /** Ends it at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const lost = (): void => {
      if (this.#client === client) this.#client = undefined;
    };
    const client = this.#connect(lost).catch((cause) => {
      lost();
      throw cause;
    });
    this.#client = client;
    return client;
  }

  async #connect(lost: () => void): Promise<pg.Client> {
    const { url, schema, silentMs = SILENT_MS } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: connectMs(url),
      query_timeout: ANSWER_MS,
      application_name: 'orbweaver',
    });
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      await client.query(`SET search_path = ${schema}`);
      await client.query(`SET idle_in_transaction_session_timeout = ${silentMs}`);
      // A lease or a claim that a crash of the server undoes would let two nodes ask one host.
      const { rows } = await client.query('SHOW synchronous_commit');
      this.#isForgetful = rows[0].synchronous_commit === 'off';
      if (this.#isForgetful) await client.query('SET synchronous_commit = on');
      return client;
    } catch (cause) {
      // A client that gave up on its own, without a password, say, leaves its socket open: the process would never end.
      void client.end().catch(() => {});
      throw isTransient(cause) || isOfServer(cause) ? cause : notLetIn(cause as Error);
    }
  }
}

/** A server that says nothing for so long is taken for gone: what was sent fails, and is sent again on another connection. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
/** A transaction is sent at once: one that stays without its end has lost its sender. */
const SILENT_MS = 10_000;

/** As libpq reads it: `connect_timeout` of the address in seconds; 0 waits for ever. The driver passes over it. */
export function connectMs(url: string): number {
  const seconds = /[?&]connect_timeout=(\d{1,6})(?:&|$)/.exec(url)?.[1];
  return seconds === undefined ? CONNECT_MS : Number(seconds) * 1000;
}

const SQL_STATE = /^[0-9A-Z]{5}$/;

/**
 * The statement may be sent again: the connection was lost, the server restarts, or two transactions were in each other's way. 26000: a
 * statement that was to be prepared by a transaction before it, on the same connection, which failed, or one that the server has dropped. 42P05:
 * one that was prepared although nothing says so here.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof OrbweaverError) return false;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string')
    return /^(?:25P03|26000|40001|42P05|40P01|53300|08...|57P0.|E(?!RR_)[A-Z_]{3,})$/.test(code);
  return typeof message === 'string' && /connection|terminated|timeout/i.test(message);
}

/** What PostgreSQL says, with a code of ours. Anything else stays as it is. */
export function storeError(cause: unknown): Error {
  const { code, message } = cause as Error & { code?: unknown };
  if (isTransient(cause))
    return new OrbweaverError('STORE_UNREACHABLE', `The database of the crawl cannot be reached (${message}).`, {
      remedy: 'Check that it runs and that --store names it; then run the same command again: it resumes.',
      cause,
    });
  if (!isOfServer(cause)) return cause as Error;
  if (String(code).startsWith('28')) return notLetIn(cause as Error);
  return new OrbweaverError('STORE_FAILED', `The database of the crawl refused a statement (${message}).`, {
    remedy: REMEDIES[String(code)] ?? 'Its log may tell more. The same command resumes once the cause is gone.',
    cause,
  });
}

/** The same, with errors that have a code of ours. */
export function tellingErrors(store: StepRunner): StepRunner {
  const told = async (answer: Promise<Rows[]>): Promise<Rows[]> => {
    try {
      return await answer;
    } catch (error) {
      throw storeError(error);
    }
  };
  return {
    get isForgetful() {
      return store.isForgetful;
    },
    run: (steps) => told(store.run(steps)),
    transact: (steps, isForgettable) => told(store.transact(steps, isForgettable)),
  };
}

/** By what PostgreSQL calls "SQLSTATE". */
const REMEDIES: Readonly<Record<string, string>> = {
  '3D000': 'Create that database, or name another with --store.',
  '42501': 'Let its user create a schema, or make that user the owner of the one that ?schema= of --store names.',
};

/** Wrong or no password, a certificate that is not trusted. */
function notLetIn(cause: Error): OrbweaverError {
  return new OrbweaverError('STORE_FAILED', `The database of the crawl cannot be entered (${cause.message}).`, {
    remedy: 'Check user, password and sslmode in --store; the password can also come from PGPASSWORD.',
    cause,
  });
}

function isOfServer(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && SQL_STATE.test(code);
}
