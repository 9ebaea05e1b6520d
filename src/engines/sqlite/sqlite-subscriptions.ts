import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { WebSubSubscription } from '../../contracts/push.ts';
import type { Subscriptions, TopicLease } from '../../contracts/state/subscriptions.ts';
import { storageError } from '../storage-error.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS subscription (
  id TEXT PRIMARY KEY, topic TEXT NOT NULL, act_at REAL NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS subscription_topic ON subscription (topic);
CREATE INDEX IF NOT EXISTS subscription_act_at ON subscription (act_at);
`;
/** Others hold the file for no longer than a transaction takes. */
const BUSY_MS = 5000;

/**
 * Subscriptions in a file of their own, push.db of the crawl folder: state.db belongs to the one process that crawls, while
 * these are changed by the crawl that wants topics as well as by the server that hubs talk to.
 */
export class SqliteSubscriptions implements Subscriptions {
  readonly #db: DatabaseSync;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    try {
      this.#db = new DatabaseSync(join(folder, 'push.db'));
      // A hub that was told yes must not be forgotten by a power cut either; it happens a few times a day.
      this.#db.exec(
        `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`,
      );
    } catch (error) {
      throw storageError(error, folder);
    }
  }

  async subscription(id: string): Promise<WebSubSubscription | undefined> {
    return this.#read('SELECT value FROM subscription WHERE id = ?', id)[0];
  }

  async ofTopic(topic: string): Promise<WebSubSubscription[]> {
    return this.#read('SELECT value FROM subscription WHERE topic = ? ORDER BY id', topic);
  }

  async due(at: number, max: number): Promise<WebSubSubscription[]> {
    return this.#read('SELECT value FROM subscription WHERE act_at <= ? ORDER BY act_at LIMIT ?', at, max);
  }

  async change(
    id: string,
    change: (held: WebSubSubscription | undefined) => WebSubSubscription | undefined,
  ): Promise<WebSubSubscription | undefined> {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        const held = this.#read('SELECT value FROM subscription WHERE id = ?', id)[0];
        const next = change(held);
        if (next === undefined) this.#db.prepare('DELETE FROM subscription WHERE id = ?').run(id);
        else if (next !== held) this.#write(next);
        this.#db.exec('COMMIT');
        return next;
      } catch (error) {
        this.#db.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  /** Every topic with its state: what a crawl that begins must know. */
  leases(): TopicLease[] {
    return this.#read('SELECT value FROM subscription').map(({ topic, state, until }) => ({
      topic,
      state,
      ...(until === undefined ? {} : { until }),
    }));
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #read(sql: string, ...values: (string | number)[]): WebSubSubscription[] {
    try {
      const rows = this.#db.prepare(sql).all(...values) as unknown as { value: string }[];
      return rows.map(({ value }) => JSON.parse(value));
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  #write(subscription: WebSubSubscription): void {
    const { id, topic, actAt } = subscription;
    this.#db
      .prepare('INSERT OR REPLACE INTO subscription (id, topic, act_at, value) VALUES (?, ?, ?, ?)')
      .run(id, topic, actAt, JSON.stringify(subscription));
  }
}
