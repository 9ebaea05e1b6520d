import { fingerprint } from '../../base/fingerprint.ts';
import type { ArchiveLocation } from '../../contracts/archive-location.ts';
import type { CrawlTask, Outcome, Settlement } from '../../contracts/crawl-task.ts';
import type { BegunSettling, Frontier, SettleVerdict } from '../../contracts/frontier.ts';
import { documentIn } from '../../frontier/partition-of.ts';
import type { NodePartitions } from './node-partitions.ts';
import type { OpenClaim, OpenClaims } from './open-claims.ts';
import type { SentLinks } from './sent-links.ts';

export interface NodeSettlingParts {
  readonly partitions: NodePartitions;
  /** Keeps what visits have taught this node. */
  readonly keepLearnt: (learnt: Uint8Array) => Promise<void>;
  /** Whether links to pages of a partition are followed; those that are not go nowhere. Absent: all are. */
  readonly follows?: (partition: number) => boolean;
  /** Told of every visit that was settled. */
  readonly visited?: (partition: number, visit: Settlement) => void;
  /** Told how far the archive is settled, in all partitions. */
  readonly settledUpTo?: (places: readonly ArchiveLocation[]) => void;
}

/** Endings after which a page may be the one that others are copies of. */
const HOLDS: ReadonlySet<Outcome['kind']> = new Set(['stored', 'unchanged']);

/** How a partition takes its settlements. */
export type SettleCall = (frontier: Frontier, own: readonly Settlement[]) => Promise<BegunSettling>;

/**
 * Settles visits in the partitions that they belong to, those of each in a transaction of its own. What a lost partition is told counts as expired;
 * the others go on. Batches come to their ends in their order.
 */
export class NodeSettling {
  readonly #parts: NodeSettlingParts;
  readonly #claims: OpenClaims;
  readonly #sent: SentLinks;
  #losses = 0;
  /** The end of all batches so far. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(parts: NodeSettlingParts, claims: OpenClaims, sent: SentLinks) {
    this.#parts = parts;
    this.#claims = claims;
    this.#sent = sent;
  }

  /** Resolves when all partitions know of it. */
  async begin(
    settlements: readonly Settlement[],
    learnt: Uint8Array | undefined,
    call: SettleCall,
  ): Promise<BegunSettling> {
    const { partitions, keepLearnt } = this.#parts;
    if (learnt !== undefined) await keepLearnt(learnt);
    if (settlements.length === 0) return { settled: Promise.resolve([]), hurry: () => {} };
    partitions.changed();
    const open = settlements.map(({ claim }) => this.#claims.get(claim));
    const verdicts: SettleVerdict[] = settlements.map(() => 'expired');
    const places = [...Map.groupBy(settlements.keys(), (at) => open[at]?.attached)];
    const begun = await Promise.all(
      places.map(async ([attached, some]) => {
        if (attached === undefined || !partitions.isAttached(attached)) return undefined;
        const own = some.map((at) => this.#ownSettlement(settlements[at], open[at] as OpenClaim));
        const { settled, hurry } = await call(attached.partition.frontier, own);
        const noted = settled.then((found) => {
          if (found.includes('fenced')) partitions.lost(attached);
          for (const [place, at] of some.entries()) if (found[place] !== 'fenced') verdicts[at] = found[place];
        });
        // Whoever waits for the batch is told.
        noted.catch(() => {});
        return { noted, hurry };
      }),
    );
    const ends = [this.#ended, ...begun.map((one) => one?.noted)];
    const settled = Promise.all(ends).then(() => this.#settled(settlements, verdicts));
    this.#ended = settled;
    settled.catch(() => {});
    return {
      settled,
      hurry: () => {
        for (const one of begun) one?.hurry();
      },
    };
  }

  #settled(settlements: readonly Settlement[], verdicts: readonly SettleVerdict[]): SettleVerdict[] {
    const { partitions, visited, settledUpTo } = this.#parts;
    this.forgetAfterLoss();
    for (const [at, settlement] of settlements.entries()) {
      if (verdicts[at] === 'applied') {
        this.#rememberSent(settlement);
        visited?.(partitions.numberOf(settlement.claim.task.host), settlement);
      }
      this.#claims.closed(settlement.claim);
    }
    settledUpTo?.(settlements.flatMap(({ archived = [] }, at) => (verdicts[at] === 'applied' ? archived : [])));
    return [...verdicts];
  }

  /** Redirects and lists bring links that nobody has asked `unknown` about. What a host needs to be asked at all always goes out. */
  followed(links: readonly CrawlTask[]): readonly CrawlTask[] {
    const { partitions, follows } = this.#parts;
    if (follows === undefined) return links;
    return links.filter(({ purpose, host }) => purpose !== 'page' || follows(partitions.numberOf(host)));
  }

  /** What a lost partition has sent may be sent by nobody. */
  forgetAfterLoss(): void {
    const { losses } = this.#parts.partitions;
    if (losses !== this.#losses) this.#sent.clear();
    this.#losses = losses;
  }

  #ownSettlement(settlement: Settlement, { attached, id }: OpenClaim): Settlement {
    const { claim, nearChanges, links, ...rest } = settlement;
    const digest = rest.page?.digest ?? claim.earlier?.digest;
    if (digest !== undefined && HOLDS.has(rest.outcome.kind)) this.#parts.partitions.brings(digest, attached);
    // Those of other partitions stay as they are until their own next visits.
    const near = nearChanges?.filter(({ document }) => documentIn(document) === attached.number) ?? [];
    return {
      ...{ ...rest, claim: { ...claim, id } },
      ...(links === undefined ? {} : { links: this.followed(links) }),
      ...(near.length === 0 ? {} : { nearChanges: near }),
    };
  }

  #rememberSent({ claim, links }: Settlement): void {
    const { partitions } = this.#parts;
    const own = partitions.numberOf(claim.task.host);
    for (const { url, host, purpose, fingerprint: known } of links ?? [])
      if (purpose === 'page' && partitions.numberOf(host) !== own) this.#sent.add(known ?? fingerprint(url));
  }
}
