import { fingerprint } from '../../base/fingerprint.ts';
import { makeRoom } from '../../base/make-room.ts';
import type { BodySigns } from '../../contracts/content/body-signs.ts';
import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { LengthTrust, type LengthTrustRecord } from '../../revisit/length-trust.ts';
import { sameSigns } from './body-signs.ts';
import type { PageWork } from './page-work.ts';

/** What HEAD has brought so far, for people. */
export interface HeadCounts {
  readonly asked: number;
  /** Visits that ended with it. */
  readonly settled: number;
  /** Bytes of the bodies that were not sent. */
  readonly spared: number;
}

export interface HeadRequestsSnapshot extends HeadCounts {
  readonly hosts: readonly (readonly [HostKey, LengthTrustRecord])[];
}

/** What `status` tells of it. */
export interface HeadStatus extends HeadCounts {
  /** Hosts where a length that is as before is believed. */
  readonly believed: number;
  /** Hosts that refuse HEAD, or answer it otherwise than GET. */
  readonly refusing: number;
}

export interface HeadRequestsParts {
  /** Feeds are asked by their rhythm, and for their items. */
  readonly isFeed: (url: CanonicalUrl) => boolean;
  readonly kept?: HeadRequestsSnapshot;
}

interface InVain {
  readonly url: CanonicalUrl;
  /** The answer says something of more than the moment. */
  readonly telling: boolean;
}

const DAY = 86_400_000;
const MOST_HOSTS = 10_000;
const MOST_REMEMBERED = 50_000;
/** Then the body is asked for: it shows what lengths hide, and whether they can still be believed. */
const MOST_LOOKS = 4;
/** The likelier a GET must follow, the more requests are spent on sparing bytes. */
const MOST_IN_VAIN = 0.15;
/** The server does not know the method, or has it switched off. */
const NOT_ANSWERED: ReadonlySet<number> = new Set([405, 501]);
/** These say something of the moment alone. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Decides which known pages are asked for with HEAD first, where their server gives no validators. A length that is as before
 * is evidence, no proof: how good it is on a host is measured at every visit that brings a body, and HEAD is used only where
 * it hardly ever was wrong.
 */
export class HeadRequests {
  readonly #isFeed: (url: CanonicalUrl) => boolean;
  readonly #trust: Map<HostKey, LengthTrust>;
  /** HEAD did not settle a visit: GET is next, and shows what HEAD is worth there. Until then the host gets no other. */
  readonly #inVain = new Map<HostKey, InVain>();
  /** Somebody says that they have changed: the body is wanted, whatever its length. */
  readonly #signalled = new Set<bigint>();
  #counts: HeadCounts;

  constructor({ isFeed, kept }: HeadRequestsParts) {
    this.#isFeed = isFeed;
    this.#trust = new Map((kept?.hosts ?? []).map(([host, record]) => [host, new LengthTrust(record)]));
    this.#counts = { asked: kept?.asked ?? 0, settled: kept?.settled ?? 0, spared: kept?.spared ?? 0 };
  }

  /** The claim as it is to be worked on. */
  prepare(claim: Claim, now: number): Claim {
    return this.#isWorthIt(claim, now) ? { ...claim, method: 'HEAD' } : claim;
  }

  /** Visits were brought forward by a signal. */
  signalled(pages: readonly { readonly fingerprint: bigint }[]): void {
    for (const page of pages) makeRoom(this.#signalled, MOST_REMEMBERED).add(page.fingerprint);
  }

  /** A visit has ended, or its HEAD was of no use. */
  settled(claim: Claim, work: PageWork, { outcome, change }: Settlement, now: number): void {
    const { task, earlier } = claim;
    if (claim.method === 'HEAD') {
      if (work.kind === 'looked') this.#looked(claim, work, now);
      return;
    }
    if (outcome.kind === 'deferred' || task.purpose !== 'page') return;
    const inVain = this.#inVainFor(task);
    if (inVain !== undefined) this.#inVain.delete(task.host);
    this.#signalled.delete(task.fingerprint ?? fingerprint(task.url));
    const before = earlier?.signs;
    const comparable = earlier?.outcome.kind === 'stored' && work.kind === 'page' && work.facts.digest !== undefined;
    if (before === undefined || !comparable) return;
    const same = sameSigns(before, work.facts.signs);
    const trust = this.#trustOf(task.host);
    if (inVain?.telling === true) trust.headSpoke(!same, now);
    if (before.digest === undefined) trust.observe({ sameLength: same, sameText: change?.kind !== 'changed' }, now);
  }

  toJSON(): HeadRequestsSnapshot {
    return { ...this.#counts, hosts: [...this.#trust].map(([host, trust]) => [host, trust.toJSON()]) };
  }

  #looked({ task, earlier }: Claim, { same, status }: Extract<PageWork, { kind: 'looked' }>, now: number): void {
    const { asked, settled, spared } = this.#counts;
    const isSettled = same !== undefined;
    const bytes = isSettled ? (earlier?.signs?.length ?? 0) : 0;
    this.#counts = { asked: asked + 1, settled: settled + (isSettled ? 1 : 0), spared: spared + bytes };
    const trust = this.#trustOf(task.host);
    if (isSettled) trust.headSpoke(true, now);
    else {
      const telling = status !== undefined && !PASSING.has(status);
      makeRoom(this.#inVain, MOST_REMEMBERED).set(task.host, { url: task.url, telling });
      if (NOT_ANSWERED.has(status ?? 0)) trust.refused(now);
    }
  }

  #isWorthIt({ task, tries, earlier, validators }: Claim, now: number): boolean {
    const signs = earlier?.signs;
    if (signs === undefined || task.purpose !== 'page' || tries > 0 || earlier?.outcome.kind !== 'stored') return false;
    if (validators?.etag !== undefined || validators?.lastModified !== undefined) return false;
    if (task.discovery.how === 'sitemap-file' || this.#isFeed(task.url) || this.#inVain.has(task.host)) return false;
    if (this.#signalled.size > 0 && this.#signalled.has(task.fingerprint ?? fingerprint(task.url))) return false;
    const changes = earlier.history?.rate ?? Number.POSITIVE_INFINITY;
    const unchanged = Math.exp((-changes * Math.max(0, now - earlier.at)) / DAY);
    return this.#tells(task.host, signs, unchanged, now);
  }

  /** A digest proves that nothing has changed; a length only where that was seen so far, and not for ever. */
  #tells(host: HostKey, { digest, looks = 0 }: BodySigns, unchanged: number, now: number): boolean {
    const trust = this.#trust.get(host);
    if (trust?.refusesHead(now) === true) return false;
    if (digest !== undefined) return unchanged >= 1 - MOST_IN_VAIN;
    if (trust?.believed !== true || looks >= MOST_LOOKS) return false;
    return unchanged * (1 - trust.restless) >= 1 - MOST_IN_VAIN;
  }

  #inVainFor({ url, host }: CrawlTask): InVain | undefined {
    const inVain = this.#inVain.get(host);
    return inVain?.url === url ? inVain : undefined;
  }

  #trustOf(host: HostKey): LengthTrust {
    const known = this.#trust.get(host);
    if (known !== undefined) return known;
    const trust = new LengthTrust();
    makeRoom(this.#trust, MOST_HOSTS).set(host, trust);
    return trust;
  }
}

export function headStatus({ asked, settled, spared, hosts }: HeadRequestsSnapshot, now: number): HeadStatus {
  const trusts = hosts.map(([, record]) => new LengthTrust(record));
  const refusing = trusts.filter((trust) => trust.refusesHead(now)).length;
  const believed = trusts.filter((trust) => trust.believed && !trust.refusesHead(now)).length;
  return { asked, settled, spared, believed, refusing };
}
