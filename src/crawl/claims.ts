import type { Claim, CrawlTask } from '../contracts/crawl-task.ts';
import type { Frontier, HostPlace } from '../contracts/frontier.ts';
import type { HostKey } from '../contracts/url.ts';
import type { HeldBack } from './learning/page-classifier.ts';
import type { RevisitScheduler } from './revisits/revisit-scheduler.ts';
import type { FinishedWork } from './visit/page-work.ts';
import type { Spellings } from './visit/spellings.ts';

export interface ClaimsParts {
  readonly frontier: Pick<
    Frontier,
    'claim' | 'claimAhead' | 'claimAlong' | 'release' | 'parkHosts' | 'unresolvedHosts' | 'setAddresses'
  >;
  /** Why a URL is not asked for after all, though its turn has come. */
  readonly holds: (task: CrawlTask) => HeldBack | undefined;
  /** Whether somebody wants nothing asked of a host, though its partition may not know it yet. */
  readonly isHeldHost?: (host: HostKey) => boolean;
  /** Keeps known pages fresh. */
  readonly scheduler?: Pick<RevisitScheduler, 'prepare'>;
  readonly spellings?: Pick<Spellings, 'prepare'>;
}

/** What was claimed: to be worked on, and done with because the URL is held back. */
export interface Claimed {
  readonly asked: readonly Claim[];
  readonly heldBack: readonly FinishedWork[];
  /** Claimed ahead before, and may begin now. */
  readonly granted: readonly Claim[];
}

/** URLs of one host that are looked at together: few at first, more where most were forbidden; at most some 20 ms of settling. */
const FEWEST_ALONG = 8;
const MOST_ALONG = 512;
const LOOKUPS_AT_ONCE = 1000;
const NOTHING: Omit<Claimed, 'granted'> = { asked: [], heldBack: [] };

/**
 * Leases of URLs that may be asked for, each prepared for its visit. Names are found before a host is claimed, so that no claim
 * waits for one.
 *
 * URLs that robots.txt forbids come in crowds, for a page may link to tens of thousands of them. Where the last URL of a host
 * was forbidden, others that wait for it go along with the next one, and all that are forbidden are settled together: no request
 * is made for any of them.
 */
export class Claims {
  readonly #parts: ClaimsParts;
  /** Hosts whose last URL was forbidden, and how many are taken along with the next. */
  readonly #forbidding = new Map<HostKey, number>();
  /** Names that are looked up, and addresses that the frontier does not know yet. */
  #lookUps = 0;
  readonly #places: HostPlace[] = [];

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
  }

  async take(max: number): Promise<Claimed> {
    const claims = await this.#parts.frontier.claim(max);
    const granted = claims.filter(({ ahead }) => ahead === true);
    const { asked, heldBack } = await this.#prepare(
      granted.length === 0 ? claims : claims.filter(({ ahead }) => ahead !== true),
    );
    return { asked: await this.#takeAlong(asked), heldBack, granted };
  }

  /** Claims ahead of time. None of hosts that forbid what they are asked for: those are looked at in crowds. */
  async takeAhead(max: number): Promise<Omit<Claimed, 'granted'>> {
    const claims = await this.#parts.frontier.claimAhead(
      max,
      (host) => !this.#forbidding.has(host) && this.#parts.isHeldHost?.(host) !== true,
    );
    return claims.length === 0 ? NOTHING : this.#prepare(claims);
  }

  /** Whether somebody wants nothing asked of the host of a claim by now. */
  isHeld({ task }: Claim): boolean {
    return this.#parts.isHeldHost?.(task.host) === true;
  }

  async #prepare(claims: readonly Claim[]): Promise<Omit<Claimed, 'granted'>> {
    const { scheduler, spellings } = this.#parts;
    const heldBack: FinishedWork[] = [];
    const asked = (await this.#withoutHeldHosts(claims)).filter((claim) => {
      const held = this.#heldBack(claim);
      if (held !== undefined) heldBack.push({ claim, work: { kind: 'refused', ...held } });
      return held === undefined;
    });
    const prepared = scheduler === undefined ? asked : asked.map((claim) => scheduler.prepare(claim));
    const spelt = spellings === undefined ? prepared : prepared.map((claim) => spellings.prepare(claim));
    return { asked: spelt, heldBack };
  }

  /** Hosts whose names are to be looked up now; `placed` must follow for each. */
  async unresolvedHosts(): Promise<readonly HostKey[]> {
    const room = LOOKUPS_AT_ONCE - this.#lookUps;
    const hosts = room > 0 ? await this.#parts.frontier.unresolvedHosts(room) : [];
    this.#lookUps += hosts.length;
    return hosts;
  }

  /** Names were looked up. */
  placed(places: readonly HostPlace[]): void {
    this.#lookUps -= places.length;
    this.#places.push(...places);
  }

  async settleNames(): Promise<void> {
    if (this.#places.length > 0) await this.#parts.frontier.setAddresses(this.#places.splice(0));
  }

  /** 'found': addresses wait to be settled. */
  get names(): 'found' | 'under way' | 'none' {
    if (this.#places.length > 0) return 'found';
    return this.#lookUps > 0 ? 'under way' : 'none';
  }

  /** Visits have come to their end: theirs, and those of URLs that were found to be forbidden along with one. */
  ended(finished: readonly FinishedWork[]): FinishedWork[] {
    return finished.flatMap((one) => this.#spread(one));
  }

  async #withoutHeldHosts(claims: readonly Claim[]): Promise<readonly Claim[]> {
    const { frontier, isHeldHost } = this.#parts;
    const held = isHeldHost === undefined ? [] : claims.filter(({ task }) => isHeldHost(task.host));
    if (held.length === 0) return claims;
    await frontier.release(held);
    await frontier.parkHosts([...new Set(held.map(({ task }) => task.host))], true);
    return claims.filter((claim) => !held.includes(claim));
  }

  /** A URL that came in before more was known is not asked for after all. */
  #heldBack({ task, earlier }: Claim): HeldBack | undefined {
    // What the crawl has learnt of new URLs says nothing of pages that it has.
    return earlier?.digest === undefined ? this.#parts.holds(task) : undefined;
  }

  async #takeAlong(claims: readonly Claim[]): Promise<readonly Claim[]> {
    if (!claims.some(({ task }) => this.#forbidding.has(task.host))) return claims;
    const prepared: Claim[] = [];
    for (const claim of claims) {
      const isNew = claim.task.purpose === 'page' && claim.earlier === undefined;
      const most = isNew ? (this.#forbidding.get(claim.task.host) ?? 0) : 0;
      const along = most > 0 ? await this.#parts.frontier.claimAlong(claim, most) : [];
      prepared.push(along.length === 0 ? claim : { ...claim, along });
    }
    return prepared;
  }

  /** How many go along with the next claim of a host, by how many of the last were forbidden. */
  #nextAlong(host: HostKey, taken: number, rules: readonly (string | null)[] = []): number {
    const forbidden = rules.filter((rule) => rule !== null).length;
    if (taken === 0) return this.#forbidding.get(host) ?? FEWEST_ALONG;
    return 2 * forbidden >= taken ? Math.min(MOST_ALONG, 8 * taken) : FEWEST_ALONG;
  }

  /** The work, after that on each URL that was forbidden along with it. */
  #spread({ claim, work, ...traced }: FinishedWork): FinishedWork[] {
    const { task, along = [], ...rest } = claim;
    const isForbidden = work.kind === 'refused' && work.by === 'robots';
    if (isForbidden) this.#forbidding.set(task.host, this.#nextAlong(task.host, along.length, work.along));
    else this.#forbidding.delete(task.host);
    const bare = along.length === 0 ? claim : { ...rest, task };
    if (!isForbidden || work.along === undefined) return [{ claim: bare, work, ...traced }];
    const { along: rules, ...own } = work;
    const others = along.flatMap((other, at): FinishedWork[] => {
      const rule = rules[at];
      return rule === null ? [] : [{ claim: other, work: { kind: 'refused', by: 'robots', rule } }];
    });
    return [...others, { claim: bare, work: own, ...traced }];
  }
}
