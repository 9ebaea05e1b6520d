import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../../base/fingerprint.ts';
import type { PageFacts } from '../../../contracts/content/page-facts.ts';
import type { RobotsRecord } from '../../../contracts/content/robots.ts';
import type { NearChange, Outcome, Settlement } from '../../../contracts/crawl-task.ts';
import type { CanonicalUrl, Origin } from '../../../contracts/url.ts';
import type { HostId } from '../../../frontier/host-table.ts';
import { bodyDigest, bringsFacts, holds, type StoredPage, StoredPages } from '../stored-page.ts';
import { ArchivePositions } from './archive-positions.ts';
import { DigestRows } from './digest-rows.ts';
import type { QueueRow } from './queue-rows.ts';
import { SketchRows } from './sketch-rows.ts';

/** A history longer than this loses its oldest lines. */
const HISTORY_BYTES = 4000;
/** Endings after which there is no text to compare others with. */
const LEAVES: ReadonlySet<Outcome['kind']> = new Set(['gone', 'redirected']);
const LONGER_HISTORY = `history = substr(history || ?, -${HISTORY_BYTES})`;

/** What a settlement writes besides the queue: page, digest, robots, archive position. */
export class PageRows {
  readonly #first: StatementSync;
  readonly #again: StatementSync;
  readonly #deferred: StatementSync;
  readonly #plan: StatementSync;
  readonly #crawlDelay: StatementSync;
  readonly #fetchedAt: StatementSync;
  readonly #robots: StatementSync;
  readonly #near: StatementSync;
  readonly #stored: StoredPages;
  readonly #archive: ArchivePositions;
  readonly #digests: DigestRows;
  readonly #sketches: SketchRows;

  constructor(db: DatabaseSync) {
    this.#stored = new StoredPages(db);
    this.#archive = new ArchivePositions(db);
    this.#digests = new DigestRows(db);
    this.#sketches = new SketchRows(db);
    this.#first = db.prepare(`INSERT INTO page
      (fp, url, host, depth, how, via, anchor, found_at, kind, outcome, tries, visited_at, next_visit, next_why, facts, changes, history)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (fp) DO UPDATE SET kind = excluded.kind, outcome = excluded.outcome, tries = excluded.tries,
        visited_at = excluded.visited_at, next_visit = excluded.next_visit, next_why = excluded.next_why,
        facts = coalesce(excluded.facts, facts), changes = coalesce(excluded.changes, changes),
        history = substr(history || excluded.history, -${HISTORY_BYTES})`);
    this.#again =
      db.prepare(`UPDATE page SET held = ?, kind = ?, outcome = ?, tries = ?, visited_at = ?, next_visit = ?,
      next_why = ?, facts = coalesce(?, json_patch(facts, ?), facts), changes = coalesce(?, changes), ${LONGER_HISTORY} WHERE fp = ?`);
    this.#deferred = db.prepare(`UPDATE page SET ${LONGER_HISTORY} WHERE fp = ?`);
    this.#plan = db.prepare(
      'UPDATE page SET next_visit = ?, next_why = ?, changes = coalesce(?, changes) WHERE fp = ?',
    );
    this.#crawlDelay = db.prepare("SELECT record ->> '$.crawlDelayMs' AS ms FROM robots WHERE origin = ?");
    this.#near = db.prepare('UPDATE page SET facts = json_patch(facts, ?) WHERE fp = ? AND facts IS NOT NULL');
    this.#fetchedAt = db.prepare("SELECT record ->> '$.fetchedAt' AS at FROM robots WHERE origin = ?");
    this.#robots = db.prepare('INSERT OR REPLACE INTO robots (origin, record) VALUES (?, ?)');
  }

  /** The page as it stands before it is visited again. */
  stored(url: CanonicalUrl, tries?: number): StoredPage | undefined {
    return this.#stored.read(url, tries);
  }

  /** http and https of one host are one server: the longer Crawl-delay of the two counts. Ms; 0 where there is none. */
  sisterCrawlDelay(origin: Origin): number {
    const sister = origin.startsWith('https:') ? `http:${origin.slice(6)}` : `https:${origin.slice(5)}`;
    const row = this.#crawlDelay.get(sister) as { ms: number | null } | undefined;
    return row?.ms ?? 0;
  }

  /** False where a later one is known. */
  writeRobots(record: RobotsRecord): boolean {
    const row = this.#fetchedAt.get(record.origin) as { at: number } | undefined;
    if (row !== undefined && row.at >= record.fetchedAt) return false;
    this.#robots.run(record.origin, JSON.stringify(record));
    return true;
  }

  /** How the page stands after the visit, which is the ending of the visit but for contents that are held already. */
  judge(settlement: Settlement, stored?: StoredPage): Outcome {
    return this.#digests.judge(settlement, stored);
  }

  /** The next visit is another one, or none. `changes`: JSON of what is known of its changes, undefined to keep that. */
  plan(fp: bigint, at: number | undefined, why: string | undefined, changes?: string): void {
    this.#plan.run(at ?? null, why ?? null, changes ?? null, toSigned(fp));
  }

  /** Writes everything but the links. `now` is the time of the settlement, `outcome` how the page stands after it. */
  write(
    settlement: Settlement,
    row: QueueRow,
    host: HostId,
    now: number,
    outcome: Outcome = settlement.outcome,
    stored?: StoredPage,
  ): void {
    const { claim, page, robots, archived } = settlement;
    if (robots !== undefined) this.#robots.run(robots.origin, JSON.stringify(robots));
    for (const location of archived ?? []) this.#archive.reached(location);
    if (claim.task.purpose !== 'page') return;
    const fp = toSigned(fingerprint(row.url));
    const at = settlement.at ?? settlement.use?.endedAt ?? now;
    const ending = settlement.outcome.kind === 'unchanged' ? settlement.outcome : outcome;
    const entry = `${JSON.stringify({ at, ...ending, ...(page === undefined ? {} : { status: page.status }) })}\n`;
    const changes = settlement.history === undefined ? null : JSON.stringify(settlement.history);
    const tries = row.tries + (outcome.kind === 'failed' ? 1 : 0);
    const next = [settlement.nextVisit ?? null, settlement.nextVisitWhy ?? null] as const;
    if (stored === undefined) {
      const found = [row.depth, row.how, row.via, row.anchor, row.found_at] as const;
      const facts = page === undefined ? null : JSON.stringify(page);
      const ended = [outcome.kind, JSON.stringify(outcome), tries, at] as const;
      this.#first.run(fp, row.url, host, ...found, ...ended, ...next, facts, changes, entry);
    } else if (outcome.kind === 'deferred') {
      // The turn went into something else: nothing is known of the page that was not known before.
      this.#deferred.run(entry, fp);
      return;
    } else {
      const held = holds(outcome) || stored.held === undefined ? null : JSON.stringify(stored.held);
      const ended = [outcome.kind, JSON.stringify(outcome), tries, at] as const;
      this.#again.run(held, ...ended, ...next, ...factsAfter(settlement, outcome, stored), changes, entry, fp);
    }
    this.#digests.write(settlement, row.url, outcome, stored);
    this.#writeSketch(fp, settlement, outcome, stored);
  }

  /** At the end of the transaction: how far the archive is settled. */
  writeArchive(): void {
    this.#archive.write();
  }

  /** A page has one row: what was said of the text that it had before is no longer true. */
  #writeSketch(fp: bigint, settlement: Settlement, outcome: Outcome, stored: StoredPage | undefined): void {
    const { contentSketch } = settlement;
    const before = stored?.document ?? undefined;
    if (before !== undefined && before !== contentSketch?.document) {
      if (LEAVES.has(outcome.kind)) this.#sketches.leave(before);
      else if (contentSketch !== undefined || (holds(outcome) && bodyDigest(settlement.page) !== undefined))
        this.#sketches.remove(before);
    }
    if (contentSketch !== undefined) this.#sketches.write(fp, contentSketch);
  }

  /** A page is near to another one. Answers the page as it stood, undefined where nothing is known of it. */
  changeNear(change: NearChange): StoredPage | undefined {
    const { url, near } = change;
    this.#sketches.change(change);
    const before = this.#stored.read(url);
    const nearDuplicateOf = near === undefined ? null : { url: near.url, jaccard: near.jaccard };
    this.#near.run(JSON.stringify({ nearDuplicateOf }), toSigned(fingerprint(url)));
    return before;
  }
}

/**
 * What becomes of the facts of a page that was visited before: [all of them again, a part again]. Those of the last good copy
 * are kept where the visit brought none; but where the page is no longer there, the place is that of the answer that said so,
 * and the validators are gone, for the server must not be asked whether it still has what it has not.
 */
function factsAfter(
  settlement: Settlement,
  outcome: Outcome,
  stored: StoredPage,
): readonly [whole: string | null, part: string | null] {
  const { page } = settlement;
  if (page === undefined) return [null, null];
  if (bringsFacts(settlement, stored)) return [JSON.stringify(page), null];
  const { etag, lastModified, status, location, requestedAt, fetchMs, address } = page;
  if (settlement.outcome.kind === 'unchanged') {
    // A copy whose original has changed stands for itself from now on, by the record of this visit.
    const itself = stored.outcome.kind === 'duplicate' && outcome.kind === 'stored' ? { location, requestedAt } : {};
    // The page was away in between: the record of this visit says that it is back, in place of the answer that said that it was not.
    const isBack = !holds(stored.outcome) && stored.outcome.kind !== 'failed';
    const back = isBack ? { location, requestedAt, fetchMs, address, ...(page.status === 304 ? {} : { status }) } : {};
    const whole =
      page.status !== 304 && page.truncated === undefined
        ? { truncated: null, wholeTextDigest: null, repeated: null }
        : {};
    const piece = page.repeated === true ? { repeated: true } : {};
    return [
      null,
      JSON.stringify({ etag, lastModified, signs: signsAfter(page), ...itself, ...back, ...whole, ...piece }),
    ];
  }
  return [null, JSON.stringify({ status, location, requestedAt, fetchMs, address, etag: null, lastModified: null })];
}

/** What is not said again is no longer true: a patch must say so, also within. */
function signsAfter({ signs }: PageFacts): object | null {
  return signs === undefined ? null : { ...signs, digest: signs.digest ?? null, looks: signs.looks ?? null };
}
