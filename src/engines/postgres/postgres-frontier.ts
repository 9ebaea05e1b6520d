import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type {
  AddVerdict,
  BegunClaim,
  BegunSettling,
  Frontier,
  FrontierCounts,
  HostPlace,
  JudgedLinks,
  LinkBatch,
  LinkKeys,
  LinkVerdicts,
  RevisitUpdate,
  SettleVerdict,
} from '../../contracts/frontier.ts';
import type { PlaceChange, WaitingPlace } from '../../contracts/place.ts';
import type { Message } from '../../contracts/state/exchange.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { SqliteFrontier } from '../sqlite/sqlite-frontier.ts';
import type { FlushHaste } from './partition-writer.ts';

export interface FrontierParts {
  /** Decides everything, over the working copy. */
  readonly local: SqliteFrontier;
  /** Resolves when all that was changed up to now is committed; false: the partition has another owner. */
  readonly flush: (haste?: FlushHaste) => Promise<boolean>;
  /** What was flushed as gathered leaves at once. */
  readonly hurry: () => void;
  /** Whether the next owner would know of all hosts that are being asked. */
  readonly areNamed: () => boolean;
  /** Whether a request may begin under the lease. */
  readonly mayBegin: () => boolean;
  /** Throws `PARTITION_LOST` where it is. */
  readonly requireOwned: () => void;
  readonly now: () => number;
}

const NOTHING: BegunSettling = { settled: Promise.resolve([]), hurry: () => {} };

/** Who may not claim looks again after this. */
const RENEWAL_WAIT_MS = 1000;

/** The frontier of a partition: what the working copy decides counts once PostgreSQL has it. */
export class PostgresFrontier implements Frontier {
  readonly #local: SqliteFrontier;
  readonly #parts: FrontierParts;

  constructor(parts: FrontierParts) {
    this.#local = parts.local;
    this.#parts = parts;
  }

  get hosts(): number {
    return this.#local.hosts;
  }

  unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]> {
    return this.#local.unknown(pages);
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    const verdicts = await this.#local.add(tasks);
    return (await this.#parts.flush()) ? verdicts : tasks.map(() => 'fenced');
  }

  /**
   * Before it is given out the next owner knows, durably, which hosts may be asked just now. Where it does already, the rest of a claim goes
   * with the next change.
   */
  claim(max: number): Promise<Claim[]> {
    return this.#named((local) => local.claim(max));
  }

  claimAhead(max: number, isWanted?: (host: HostKey) => boolean): Promise<Claim[]> {
    return this.#named((local) => local.claimAhead(max, isWanted));
  }

  async #named(claim: (local: SqliteFrontier) => Promise<Claim[]>): Promise<Claim[]> {
    const claims = this.#parts.mayBegin() ? await claim(this.#local) : [];
    if (claims.length === 0) return [];
    if (!this.#parts.areNamed() && !(await this.#parts.flush())) return [];
    if (this.#parts.mayBegin()) return claims;
    await this.#local.release(claims);
    return [];
  }

  claimAlong(claim: Claim, max: number): Promise<Claim[]> {
    return this.#local.claimAlong(claim, max);
  }

  /** Nothing of it is written: a lease counts until it is settled. */
  answered(claims: readonly Claim[], begun?: readonly BegunClaim[]): Promise<void> {
    return this.#local.answered(claims, begun);
  }

  async settle(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<SettleVerdict[]> {
    return (await this.#settle(settlements, learnt, 'forgettable')).settled;
  }

  beginSettling(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<BegunSettling> {
    return this.#settle(settlements, learnt, 'gathered');
  }

  async #settle(
    settlements: readonly Settlement[],
    learnt: Uint8Array | undefined,
    haste: FlushHaste,
  ): Promise<BegunSettling> {
    if (settlements.length === 0 && learnt === undefined) return NOTHING;
    const verdicts = await this.#local.settle(settlements, learnt);
    // What a crash undoes is fetched again: its host is still among those that are being asked.
    const settled = this.#parts
      .flush(haste)
      .then((isApplied): SettleVerdict[] => (isApplied ? verdicts : settlements.map(() => 'fenced')));
    return { settled, hurry: this.#parts.hurry };
  }

  nextLinkBatch(): Promise<LinkBatch | undefined> {
    return this.#local.nextLinkBatch();
  }

  async settleLinkBatch(batch: LinkBatch, found: JudgedLinks, learnt?: Uint8Array): Promise<void> {
    await this.#durably(this.#local.settleLinkBatch(batch, found, learnt));
  }

  /** Their links may be claimed at once. That they lie with their sender a little longer costs nothing, a transaction of their own does. */
  async accept(messages: readonly Message[]): Promise<boolean> {
    return (await this.#local.accept(messages)) && (await this.#parts.flush('along'));
  }

  async release(claims: readonly Claim[]): Promise<void> {
    await this.#durably(this.#local.release(claims));
  }

  async holdHosts(hosts: readonly HostKey[], until: number, why: string): Promise<void> {
    await this.#durably(this.#local.holdHosts(hosts, until, why));
  }

  async parkHosts(hosts: readonly HostKey[], isParked: boolean): Promise<void> {
    await this.#durably(this.#local.parkHosts(hosts, isParked));
  }

  unresolvedHosts(max: number): Promise<HostKey[]> {
    return this.#local.unresolvedHosts(max);
  }

  /** Addresses can be looked up again: they are written with the next change. */
  setAddresses(places: readonly HostPlace[]): Promise<void> {
    return this.#local.setAddresses(places);
  }

  move(changes: readonly PlaceChange[]): Promise<number> {
    return this.#durably(this.#local.move(changes));
  }

  stopDiscovery(): Promise<void> {
    return this.#local.stopDiscovery();
  }

  updateRevisits(updates: readonly RevisitUpdate[]): Promise<number> {
    return this.#durably(this.#local.updateRevisits(updates));
  }

  waiting(): Iterable<WaitingPlace> {
    return this.#local.waiting();
  }

  /** Throws where the partition is lost: a claim would yield nothing for ever. Past the deadline a renewal is waited for. */
  async nextDue(): Promise<number | undefined> {
    this.#parts.requireOwned();
    const due = await this.#local.nextDue();
    return due === undefined || this.#parts.mayBegin() ? due : Math.max(due, this.#parts.now() + RENEWAL_WAIT_MS);
  }

  counts(): Promise<FrontierCounts> {
    return this.#local.counts();
  }

  async #durably<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    if (!(await this.#parts.flush())) this.#parts.requireOwned();
    return result;
  }
}
