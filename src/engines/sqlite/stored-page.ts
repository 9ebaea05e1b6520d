import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { Outcome, Settlement, Validators } from '../../contracts/crawl-task.ts';
import type { EarlierVisit, PastEnding } from '../../contracts/revisit.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { parseHistory } from './rows/parse-history.ts';
import { Visited } from './rows/queue-rows.ts';

/** A page as its last visit left it. */
export interface StoredPage {
  readonly outcome: Outcome;
  /** The ending that stored the copy which is held; undefined where there never was one. */
  readonly held: Outcome | undefined;
  readonly visitedAt: number;
  /** It waits to be tried again: its last visit is no ending. */
  readonly retried: boolean;
  readonly changes: string | null;
  readonly digest: string | null;
  readonly rawDigest: string | null;
  readonly textDigest: string | null;
  readonly wholeTextDigest: string | null;
  /** 1 or null. */
  readonly repeated: number | null;
  readonly truncated: string | null;
  readonly title: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly document: number | null;
  readonly nearDuplicate: number;
  readonly nearDuplicateOf: CanonicalUrl | null;
  readonly spam: number | null;
  readonly requestedAt: number | null;
  /** JSON. */
  readonly signs: string | null;
  /** The ending before the tries of this visit. */
  readonly before?: PastEnding;
}

interface Read extends Omit<StoredPage, 'outcome' | 'held' | 'retried' | 'before'> {
  readonly retried: number;
  readonly outcome: string;
  readonly held: string | null;
}

const FACTS = [
  'digest',
  'rawDigest',
  'textDigest',
  'wholeTextDigest',
  'repeated',
  'truncated',
  'title',
  'etag',
  'lastModified',
  'document',
  'requestedAt',
];

/** Reads pages that are visited again. */
export class StoredPages {
  readonly #select: StatementSync;
  readonly #history: StatementSync;

  constructor(db: DatabaseSync) {
    const facts = FACTS.map((name) => `facts ->> '$.${name}' AS ${name}`).join(', ');
    this.#select =
      db.prepare(`SELECT outcome, visited_at AS visitedAt, next_visit IS NOT NULL AND next_why IS NULL AS retried, changes, held, ${facts},
      facts -> '$.nearDuplicateOf' IS NOT NULL AS nearDuplicate, facts ->> '$.nearDuplicateOf.url' AS nearDuplicateOf, facts ->> '$.spam.score' AS spam,
      facts -> '$.signs' AS signs
      FROM page WHERE fp = ?`);
    this.#history = db.prepare('SELECT history FROM page WHERE fp = ?');
  }

  /** `tries`: so many of its last visits are tries of one that has not ended yet. */
  read(url: CanonicalUrl, tries = 0): StoredPage | undefined {
    const fp = toSigned(fingerprint(url));
    const row = this.#select.get(fp) as unknown as Read | undefined;
    if (row === undefined) return undefined;
    const outcome: Outcome = JSON.parse(row.outcome);
    // Its turn came once and went into something else.
    if (outcome.kind === 'deferred') return undefined;
    const held: Outcome | undefined = holds(outcome) ? outcome : row.held === null ? undefined : JSON.parse(row.held);
    const before = tries > 0 ? this.#endingBefore(fp, tries) : undefined;
    return { ...row, retried: row.retried === 1, outcome, held, ...(before && { before }) };
  }

  #endingBefore(fp: bigint, tries: number): PastEnding | undefined {
    const { history } = this.#history.get(fp) as { history: string };
    const ending = parseHistory(history)
      .filter(({ kind }) => kind !== 'deferred')
      .at(-1 - tries);
    return ending && { at: ending.at, outcome: { kind: ending.kind } };
  }
}

/** Endings that leave a copy, or leave the one that is there. */
export function holds({ kind }: Outcome): boolean {
  return kind === 'stored' || kind === 'duplicate' || kind === 'unchanged';
}

export function visitedOf(page: Pick<StoredPage, 'held'> | undefined): Visited {
  if (page === undefined) return Visited.never;
  return page.held === undefined ? Visited.withoutCopy : Visited.held;
}

/** Of the body that came; an answer that only says that nothing has changed has none. */
export function bodyDigest(page: PageFacts | undefined): string | undefined {
  return page === undefined || page.status === 304 ? undefined : page.digest;
}

/** Whether the facts of a visit replace those that are kept; else the last good copy's are. */
export function bringsFacts({ outcome, page }: Settlement, stored: StoredPage | undefined): boolean {
  if (page === undefined) return false;
  if (stored?.held === undefined) return true;
  return holds(outcome) && (outcome.kind !== 'unchanged' || bodyDigest(page) !== undefined);
}

/** What is not whole must be asked for in full, or it would stay as it is for as long as the page does. */
export function validatorsOf({ etag, lastModified, truncated }: StoredPage): Validators {
  if (truncated !== null && truncated !== 'length') return {};
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
}

export function earlierVisit(page: StoredPage): EarlierVisit {
  const { digest, textDigest, wholeTextDigest, repeated, truncated, title, signs, document, nearDuplicateOf } = page;
  return {
    at: page.visitedAt,
    outcome: page.outcome,
    ...(page.before && { before: page.before }),
    ...(digest === null ? {} : { digest }),
    ...(textDigest === null ? {} : { textDigest }),
    ...(wholeTextDigest === null ? {} : { wholeTextDigest }),
    ...(repeated === null ? {} : { repeated: true as const }),
    ...(truncated === null ? {} : { truncated }),
    ...(title === null ? {} : { title }),
    ...(nearDuplicateOf === null ? {} : { nearDuplicateOf }),
    ...(signs === null ? {} : { signs: JSON.parse(signs) }),
    ...(document === null ? {} : { document }),
    ...(page.changes === null ? {} : { history: JSON.parse(page.changes) }),
  };
}
