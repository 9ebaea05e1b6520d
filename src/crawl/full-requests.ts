import { fingerprint } from '../base/fingerprint.ts';
import type { Claim, CrawlTask, Settlement, Validators } from '../contracts/crawl-task.ts';
import type { PageFacts } from '../contracts/page-facts.ts';
import type { HostKey } from '../contracts/url.ts';
import { NotModifiedTrust, type NotModifiedTrustRecord } from '../revisit/not-modified-trust.ts';
import type { PageWork } from './page-work.ts';

export interface KeptFullRequests {
  readonly hosts: readonly (readonly [HostKey, NotModifiedTrustRecord])[];
  /** Fingerprints of pages whose changes "not modified" has hidden, in hexadecimal. */
  readonly hidden: readonly string[];
}

const MOST_HOSTS = 10_000;
const MOST_PAGES = 10_000;
const TEST_EVERY = 8;
const OK = 200;
const NOT_MODIFIED = 304;
/** Of a host of which nothing is known. */
const FRESH_EVERY = new NotModifiedTrust().every;

/**
 * Decides which known pages are asked for in full though they have validators: now and then each, and always those of which
 * "not modified" was said in vain. Where such a body is new and its validators are too, the next visit sends the old
 * ones: a server that finds even those up to date looks at none.
 */
export class FullRequests {
  readonly #trust: Map<HostKey, NotModifiedTrust>;
  readonly #hidden: Set<bigint>;
  /** Validators that are known to be out of date, by page. */
  readonly #outdated = new Map<bigint, Validators>();

  constructor(kept?: KeptFullRequests) {
    this.#trust = new Map((kept?.hosts ?? []).map(([host, record]) => [host, new NotModifiedTrust(record)]));
    this.#hidden = new Set(
      (kept?.hidden ?? []).filter((hex) => /^[\da-f]{1,16}$/.test(hex)).map((hex) => BigInt(`0x${hex}`)),
    );
  }

  /** The claim as it is to be worked on. */
  prepare(claim: Claim): Claim {
    const { task, validators, earlier } = claim;
    if (validators === undefined || !areSome(validators) || task.purpose !== 'page') return claim;
    const page = pageOf(task);
    const outdated = this.#outdated.get(page);
    if (outdated !== undefined) return { ...claim, validators: outdated };
    const every = this.#hidden.has(page) ? 1 : (this.#trust.get(task.host)?.every ?? FRESH_EVERY);
    const visits = earlier?.history?.visits;
    // Pages of one host take turns.
    if (visits === undefined || (page + BigInt(visits)) % BigInt(every) !== 0n) return claim;
    const { validators: leftOut, ...rest } = claim;
    return { ...rest, leftOut };
  }

  /** A visit has ended. */
  settled(claim: Claim, work: PageWork, { change }: Settlement, now: number): void {
    const { task, validators, leftOut } = claim;
    if (task.purpose !== 'page' || work.kind !== 'page') return;
    const { facts } = work;
    const changed = change?.kind === 'changed';
    const outdated = this.#outdated.get(pageOf(task));
    if (outdated !== undefined && validators === outdated) this.#tested(task, facts.status, now);
    else if (facts.digest === undefined) return;
    else if (leftOut !== undefined) this.#compared(claim, facts, changed, now);
    else if (changed && validators !== undefined && areSome(validators)) this.#tells(task, now);
  }

  toJSON(): KeptFullRequests {
    return {
      hosts: [...this.#trust].map(([host, trust]) => [host, trust.toJSON()]),
      hidden: [...this.#hidden].map((page) => page.toString(16)),
    };
  }

  /** A body came that was asked for in full. */
  #compared({ task, earlier, leftOut = {} }: Claim, facts: PageFacts, changed: boolean, now: number): void {
    const same = isSame(leftOut, facts);
    if (changed && same) this.#hides(task, now);
    else if (same) this.#trustOf(task.host).wasSame(now);
    else if (changed && this.#trustOf(task.host).proven) this.#tells(task, now);
    // A test may be answered with "not modified": one that has failed is not worth many visits.
    else if (changed && (!this.#hidden.has(pageOf(task)) || (earlier?.history?.visits ?? 0) % TEST_EVERY === 0))
      room(this.#outdated, MOST_PAGES).set(pageOf(task), leftOut);
  }

  /** Old validators were sent. */
  #tested(task: CrawlTask, status: number, now: number): void {
    this.#outdated.delete(pageOf(task));
    if (status === NOT_MODIFIED) this.#hides(task, now);
    else if (status === OK) this.#tells(task, now);
  }

  #tells(task: CrawlTask, now: number): void {
    this.#hidden.delete(pageOf(task));
    this.#trustOf(task.host).changed(true, now);
  }

  /** Told once of a page: one that is as it was for good says nothing of the others. */
  #hides(task: CrawlTask, now: number): void {
    const page = pageOf(task);
    if (this.#hidden.has(page)) return;
    room(this.#hidden, MOST_PAGES).add(page);
    this.#trustOf(task.host).changed(false, now);
  }

  #trustOf(host: HostKey): NotModifiedTrust {
    const known = this.#trust.get(host);
    if (known !== undefined) return known;
    const trust = new NotModifiedTrust();
    room(this.#trust, MOST_HOSTS).set(host, trust);
    return trust;
  }
}

function pageOf(task: CrawlTask): bigint {
  return task.fingerprint ?? fingerprint(task.url);
}

function areSome({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined;
}

/** What the server would compare: the ETag where there is one. */
function isSame(before: Validators, now: Validators): boolean {
  return before.etag === undefined ? before.lastModified === now.lastModified : before.etag === now.etag;
}

/** For one more: the oldest goes. */
function room<T extends Map<unknown, unknown> | Set<unknown>>(kept: T, most: number): T {
  if (kept.size >= most) kept.delete(kept.keys().next().value);
  return kept;
}
