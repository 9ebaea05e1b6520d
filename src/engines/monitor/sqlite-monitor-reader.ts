import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CrawlLoad } from '../../contracts/events.ts';
import type {
  CrawlSample,
  CrawlTrouble,
  HostTally,
  MonitoredRules,
  MonitorReader,
  PolitenessRecord,
} from '../../contracts/state/monitor.ts';

interface Row {
  readonly [column: string]: number | string | null;
}

/** Reads what a crawl has noted of itself. */
export class SqliteMonitorReader implements MonitorReader {
  protected readonly db: DatabaseSync;
  /** Asked for by a crawl about every host that it comes back to. */
  #host: StatementSync | undefined;

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  samples(after = Number.NEGATIVE_INFINITY): CrawlSample[] {
    const rows = this.db.prepare('SELECT * FROM sample WHERE at > ? ORDER BY at').all(Math.max(after, -1));
    return (rows as unknown as Row[]).map(sampleOf);
  }

  troubles(limit: number): CrawlTrouble[] {
    const rows = this.db.prepare('SELECT at, url, host, what FROM trouble ORDER BY number DESC LIMIT ?').all(limit);
    return (rows as unknown as Row[]).map(({ at, url, host, what }) => ({
      at: Number(at),
      url: String(url),
      host: String(host),
      what: String(what),
    }));
  }

  statuses(): Readonly<Record<string, number>> {
    return this.value('statuses') ?? {};
  }

  politeness(): PolitenessRecord | undefined {
    return this.value('politeness');
  }

  rules(): MonitoredRules | undefined {
    return this.value('rules');
  }

  load(): CrawlLoad | undefined {
    return this.value<CrawlLoad | null>('load') ?? undefined;
  }

  host(host: string): HostTally | undefined {
    this.#host ??= this.db.prepare('SELECT * FROM host WHERE key = ?');
    const row = this.#host.get(host) as Row | undefined;
    return row && tallyOf(row);
  }

  tightest(limit: number): HostTally[] {
    const rows = this.db.prepare('SELECT * FROM host WHERE slack IS NOT NULL ORDER BY slack LIMIT ?').all(limit);
    return (rows as unknown as Row[]).map(tallyOf);
  }

  [Symbol.dispose](): void {
    this.db.close();
  }

  protected value<T>(name: string): T | undefined {
    const row = this.db.prepare('SELECT json FROM value WHERE name = ?').get(name) as { json: string } | undefined;
    return row && (JSON.parse(row.json) as T);
  }
}

function sampleOf(row: Row): CrawlSample {
  const number = (name: string): number => Number(row[name]);
  return {
    ...{ at: number('at'), run: number('run'), pages: number('pages'), requests: number('requests') },
    ...{ bytes: number('bytes'), failed: number('failed'), refused: number('refused') },
    ...{ duplicates: number('duplicates'), queued: number('queued'), hosts: number('hosts') },
    ...{ inFlight: number('in_flight'), memory: number('memory') },
    ...(row.left_ms === null ? {} : { leftMs: number('left_ms') }),
  };
}

function tallyOf(row: Row): HostTally {
  const number = (name: string): number => Number(row[name]);
  const tightest = row.slack === null ? {} : { tightest: { gapMs: number('gap'), owedMs: number('owed') } };
  return {
    ...{ host: String(row.key), requests: number('requests'), failures: number('failures') },
    status: { 2: number('s2'), 3: number('s3'), 4: number('s4'), 5: number('s5') },
    gaps: { count: number('gaps'), early: number('early'), ...tightest },
    ...(row.error_at === null ? {} : { lastError: { at: number('error_at'), what: String(row.error) } }),
  };
}
