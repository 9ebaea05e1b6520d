import type { StatementSync } from 'node:sqlite';
import type { HostTally, MonitorEntry, MonitoredRules, MonitorStore } from '../../contracts/state/monitor.ts';
import { openMonitorDatabase } from './monitor-database.ts';
import { SqliteMonitorReader } from './sqlite-monitor-reader.ts';
import { surplusSamples } from './surplus-samples.ts';

/** Chosen, not measured: many screens full, and half a megabyte at most. */
const MOST_TROUBLES = 500;
const THIN_EVERY_MS = 60_000;

/** The writing side, in the process of the crawl. */
export class SqliteMonitor extends SqliteMonitorReader implements MonitorStore {
  readonly #sample: StatementSync;
  readonly #host: StatementSync;
  readonly #trouble: StatementSync;
  readonly #value: StatementSync;
  #thinnedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    super(openMonitorDatabase(folder));
    this.#sample = this.db.prepare('INSERT OR REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#host = this.db.prepare('INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#trouble = this.db.prepare('INSERT INTO trouble (at, url, host, what) VALUES (?, ?, ?, ?)');
    this.#value = this.db.prepare('INSERT OR REPLACE INTO value VALUES (?, ?)');
  }

  begin(rules: MonitoredRules): void {
    this.#value.run('rules', JSON.stringify(rules));
  }

  write({ sample, hosts, troubles, statuses, politeness, load }: MonitorEntry): void {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const { at, run, pages, requests, bytes, failed, refused, duplicates, queued } = sample;
      const { hosts: known, inFlight, memory, leftMs = null } = sample;
      // A clock that was set back: what lies ahead was never so.
      this.db.prepare('DELETE FROM sample WHERE at > ?').run(at);
      this.#sample.run(
        ...[at, run, pages, requests, bytes, failed, refused, duplicates, queued],
        ...[known, inFlight, memory, leftMs],
      );
      for (const tally of hosts) this.#writeHost(tally);
      for (const { at: when, url, host, what } of troubles) this.#trouble.run(when, url, host, what);
      if (troubles.length > 0)
        this.db.prepare('DELETE FROM trouble WHERE number <= (SELECT max(number) FROM trouble) - ?').run(MOST_TROUBLES);
      this.#value.run('statuses', JSON.stringify(statuses));
      this.#value.run('politeness', JSON.stringify(politeness));
      this.#value.run('load', JSON.stringify(load ?? null));
      if (Math.abs(at - this.#thinnedAt) >= THIN_EVERY_MS) this.#thin(at);
      this.db.exec('COMMIT');
    } catch (error) {
      this.db.exec('ROLLBACK');
      throw error;
    }
  }

  #writeHost({ host, requests, failures, status, gaps, lastError }: HostTally): void {
    const { count, early, tightest } = gaps;
    const pause =
      tightest === undefined ? [null, null, null] : [tightest.gapMs - tightest.owedMs, tightest.gapMs, tightest.owedMs];
    this.#host.run(
      ...[host, requests, failures, status[2], status[3], status[4], status[5], count, early, ...pause],
      ...[lastError?.at ?? null, lastError?.what ?? null],
    );
  }

  #thin(now: number): void {
    this.#thinnedAt = now;
    const samples = this.db.prepare('SELECT at, run FROM sample ORDER BY at').all() as { at: number; run: number }[];
    const remove = this.db.prepare('DELETE FROM sample WHERE at = ?');
    for (const at of surplusSamples(samples, now)) remove.run(at);
  }
}
