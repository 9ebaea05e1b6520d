import { fingerprint } from '../../base/fingerprint.ts';
import { makeRoom } from '../../base/make-room.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { Claim, CrawlTask, Settlement, Validators } from '../../contracts/crawl-task.ts';
import type { HostKey } from '../../contracts/url.ts';
import { NotModifiedTrust, type NotModifiedTrustRecord } from '../../revisit/not-modified-trust.ts';
import type { PageWork } from './page-work.ts';

export interface FullRequestsSnapshot {
  readonly hosts: readonly (readonly [HostKey, NotModifiedTrustRecord])[];
  /** Fingerprints of pages whose changes "not modified" has hidden, in hexadecimal. */
  readonly hidden: readonly string[];
}

const MOST_HOSTS = 10_000;
const MOST_PAGES = 10_000;
/** Of a host of which nothing is known. */
const FRESH_EVERY = new NotModifiedTrust().every;

/**
 * Decides which known pages are asked for in full though they have validators: now and then each, and always those of which
 * "not modified" was said in vain. Old validators are never sent to see what becomes of them: a page may be again what it was,
 * and the true answer would be taken for a lie.
 */
export class FullRequests {
  readonly #trust: Map<HostKey, NotModifiedTrust>;
  readonly #hidden: Set<bigint>;

  constructor(kept?: FullRequestsSnapshot) {
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
    if (facts.digest === undefined) return;
    if (leftOut !== undefined) this.#compared(claim, facts, changed, now);
    else if (changed && validators !== undefined && areSome(validators)) this.#tells(task, now);
  }

  toJSON(): FullRequestsSnapshot {
    return {
      hosts: [...this.#trust].map(([host, trust]) => [host, trust.toJSON()]),
      hidden: [...this.#hidden].map((page) => page.toString(16)),
    };
  }

  /** A body came that was asked for in full. */
  #compared({ task, leftOut = {} }: Claim, facts: PageFacts, changed: boolean, now: number): void {
    const same = isSame(leftOut, facts);
    if (changed && same) this.#hides(task, now);
    else if (same) this.#trustOf(task.host).wasSame(now);
    else if (changed) this.#tells(task, now);
  }

  #tells(task: CrawlTask, now: number): void {
    this.#hidden.delete(pageOf(task));
    this.#trustOf(task.host).changed(true, now);
  }

  /** Told once of a page: one that is as it was for good says nothing of the others. */
  #hides(task: CrawlTask, now: number): void {
    const page = pageOf(task);
    if (this.#hidden.has(page)) return;
    makeRoom(this.#hidden, MOST_PAGES).add(page);
    this.#trustOf(task.host).changed(false, now);
  }

  #trustOf(host: HostKey): NotModifiedTrust {
    const known = this.#trust.get(host);
    if (known !== undefined) return known;
    const trust = new NotModifiedTrust();
    makeRoom(this.#trust, MOST_HOSTS).set(host, trust);
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
