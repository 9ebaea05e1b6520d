import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { Settlement, Validators } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl, Origin } from '../../contracts/url.ts';
import type { HostId } from '../../frontier/host-table.ts';
import { LikenessRows } from './likeness-rows.ts';
import type { QueueRow } from './queue-rows.ts';

/** A history longer than this loses its oldest lines. */
const HISTORY_BYTES = 4000;

/** What a settlement writes besides the queue: page, digest, robots, archive position. */
export class PageRows {
  readonly #page: StatementSync;
  readonly #validators: StatementSync;
  readonly #digest: StatementSync;
  readonly #original: StatementSync;
  readonly #crawlDelay: StatementSync;
  readonly #robots: StatementSync;
  readonly #archive: StatementSync;
  readonly #likenesses: LikenessRows;

  constructor(db: DatabaseSync) {
    this.#likenesses = new LikenessRows(db);
    this.#page = db.prepare(`INSERT INTO page
      (fp, url, host, depth, how, via, anchor, found_at, kind, outcome, tries, visited_at, next_visit, facts, history)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (fp) DO UPDATE SET kind = excluded.kind, outcome = excluded.outcome, tries = excluded.tries,
        visited_at = excluded.visited_at, next_visit = excluded.next_visit, facts = coalesce(excluded.facts, facts),
        history = substr(history || excluded.history, -${HISTORY_BYTES})`);
    this.#validators = db.prepare(
      "SELECT facts ->> '$.etag' AS etag, facts ->> '$.lastModified' AS lastModified FROM page WHERE fp = ?",
    );
    this.#digest = db.prepare('INSERT OR IGNORE INTO digest (digest, url, at, raw) VALUES (?, ?, ?, ?)');
    this.#original = db.prepare('SELECT url FROM digest WHERE digest = ?');
    this.#crawlDelay = db.prepare("SELECT record ->> '$.crawlDelayMs' AS ms FROM robots WHERE origin = ?");
    this.#robots = db.prepare('INSERT OR REPLACE INTO robots (origin, record) VALUES (?, ?)');
    this.#archive = db.prepare(`INSERT INTO archive_file (name, file_end, index_end) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET file_end = max(file_end, excluded.file_end), index_end = max(index_end, excluded.index_end)`);
  }

  /** What the last visit left for a conditional request. */
  validatorsOf(url: CanonicalUrl): Validators {
    const row = this.#validators.get(toSigned(fingerprint(url))) as
      | { etag: string | null; lastModified: string | null }
      | undefined;
    return {
      ...(row?.etag ? { etag: row.etag } : {}),
      ...(row?.lastModified ? { lastModified: row.lastModified } : {}),
    };
  }

  /** http and https of one host are one server: the longer Crawl-delay of the two counts. Ms; 0 where there is none. */
  sisterCrawlDelay(origin: Origin): number {
    const sister = origin.startsWith('https:') ? `http:${origin.slice(6)}` : `https:${origin.slice(5)}`;
    const row = this.#crawlDelay.get(sister) as { ms: number | null } | undefined;
    return row?.ms ?? 0;
  }

  /** Of two pages with one content that were under way at once, the one settled first is the original. */
  judgeDuplicate(settlement: Settlement): Settlement {
    const { outcome, page, claim } = settlement;
    if (outcome.kind !== 'stored' || page?.digest === undefined) return settlement;
    const first = this.#original.get(page.digest) as { url: CanonicalUrl } | undefined;
    if (first === undefined || first.url === claim.task.url) return settlement;
    return { ...settlement, outcome: { kind: 'duplicate', of: first.url } };
  }

  /** Writes everything but the links. `now` is the time of the settlement. */
  write(settlement: Settlement, row: QueueRow, host: HostId, now: number): void {
    const { claim, outcome, page, robots, archived } = settlement;
    if (robots !== undefined) this.#robots.run(robots.origin, JSON.stringify(robots));
    for (const location of archived ?? []) this.#archive.run(location.file, location.fileEnd, location.indexEnd);
    if (claim.task.purpose !== 'page') return;
    const at = settlement.use?.endedAt ?? now;
    const entry = `${JSON.stringify({ at, ...outcome, ...(page === undefined ? {} : { status: page.status }) })}\n`;
    const fp = toSigned(fingerprint(row.url));
    if (settlement.likeness !== undefined) this.#likenesses.write(fp, settlement.likeness);
    this.#page.run(
      fp,
      row.url,
      host,
      row.depth,
      row.how,
      row.via,
      row.anchor,
      row.found_at,
      outcome.kind,
      JSON.stringify(outcome),
      row.tries + (outcome.kind === 'failed' ? 1 : 0),
      at,
      settlement.nextVisit ?? null,
      page === undefined ? null : JSON.stringify(page),
      entry,
    );
    if (outcome.kind === 'stored' && page?.digest !== undefined) {
      this.#digest.run(page.digest, row.url, page.requestedAt, page.rawDigest ?? page.digest);
    }
  }
}
