import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type {
  AddVerdict,
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
import type { AttachedPartition } from './node-partitions.ts';
import { NodeSettling, type NodeSettlingParts } from './node-settling.ts';
import { OpenClaims } from './open-claims.ts';
import { SentLinks } from './sent-links.ts';

/** Partitions that one claim looks into: each that gives something is a transaction, and a few large ones cost less than many small ones. Told to the model of clusters, too. */
export const CLAIMED_AT_ONCE = 8;

export interface NodeFrontierParts extends NodeSettlingParts {
  readonly now: () => number;
  /** Throws what must end the run of the node. */
  readonly check: () => void;
  /** How many links that leave the node are remembered, so as not to be sent again. */
  readonly popularLinks: number;
}

/**
 * The partitions of a node as one frontier. A partition that is lost takes its claims along: what they bring counts as expired, and
 * nothing of it is written. The others go on.
 */
export class NodeFrontier implements Frontier {
  readonly #parts: NodeFrontierParts;
  readonly #claims = new OpenClaims();
  readonly #batches = new WeakMap<LinkBatch, AttachedPartition>();
  readonly #sent: SentLinks;
  readonly #settling: NodeSettling;
  #turn = 0;

  constructor(parts: NodeFrontierParts) {
    this.#parts = parts;
    this.#sent = new SentLinks(parts.popularLinks);
    this.#settling = new NodeSettling(parts, this.#claims, this.#sent);
  }

  get hosts(): number {
    return this.#parts.partitions.all.reduce((sum, { partition }) => sum + partition.frontier.hosts, 0);
  }

  async unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]> {
    this.#settling.forgetAfterLoss();
    return await Promise.all(pages.map((keys) => this.#unknownOf(keys)));
  }

  /** Each link is asked of its own partition, where this node has it. */
  async #unknownOf({ fingerprints, host }: LinkKeys): Promise<LinkVerdicts> {
    const { partitions, follows } = this.#parts;
    const byPartition = new Map<number, number[]>();
    for (let place = 0; place < fingerprints.length; place++) {
      if (this.#sent.has(fingerprints[place])) continue;
      const number = partitions.numberOf(host(place));
      if (follows?.(number) === false) continue;
      const others = byPartition.get(number);
      if (others === undefined) byPartition.set(number, [place]);
      else others.push(place);
    }
    const unknown: number[] = [];
    const foreign: number[] = [];
    for (const [number, places] of byPartition) {
      const attached = partitions.get(number);
      if (attached === undefined) foreign.push(...places);
      else {
        const keys = {
          fingerprints: BigUint64Array.from(places, (place) => fingerprints[place]),
          host: (at: number): HostKey => host(places[at]),
        };
        const [found] = await attached.partition.frontier.unknown([keys]);
        for (const at of found.unknown) unknown.push(places[at]);
      }
    }
    return { unknown: unknown.sort((a, b) => a - b), foreign: foreign.sort((a, b) => a - b) };
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    const { partitions } = this.#parts;
    const verdicts: AddVerdict[] = tasks.map(() => 'foreign');
    const places = Map.groupBy(tasks.keys(), (at) => partitions.ofHost(tasks[at].host));
    partitions.changed();
    await Promise.all(
      [...places].map(async ([attached, some]) => {
        if (attached === undefined) return;
        const mine = some.map((at) => tasks[at]);
        const found = await attached.partition.frontier.add(mine);
        if (found.includes('fenced')) partitions.lost(attached);
        for (const [place, at] of some.entries()) verdicts[at] = found[place] === 'fenced' ? 'foreign' : found[place];
      }),
    );
    return verdicts;
  }

  async claim(max: number): Promise<Claim[]> {
    this.#parts.check();
    const due = await this.#due(Math.min(max, CLAIMED_AT_ONCE));
    if (due.length === 0) return [];
    this.#parts.partitions.changed();
    const shares = sharesOf(max, due.length);
    return (await Promise.all(due.map((attached, at) => this.#claimFrom(attached, shares[at])))).flat();
  }

  async #claimFrom(attached: AttachedPartition, max: number): Promise<Claim[]> {
    const { partitions } = this.#parts;
    // From now on: a hand-over waits for what is claimed, also before that is durable.
    attached.underWay++;
    try {
      const claims = await partitions.ask(attached, ({ frontier }) => frontier.claim(max), []);
      return partitions.isAttached(attached) ? claims.map((claim) => this.#claims.opened(attached, claim)) : [];
    } finally {
      attached.underWay--;
    }
  }

  /** Partitions whose turn it is to be asked for work, in rotation. */
  async #due(most: number): Promise<AttachedPartition[]> {
    const { partitions, now } = this.#parts;
    const able = partitions.all.filter(({ isLeaving }) => !isLeaving);
    const due: AttachedPartition[] = [];
    let looked = 0;
    while (looked < able.length && due.length < most) {
      const attached = able[(this.#turn + looked++) % able.length];
      const at = await partitions.ask(attached, ({ frontier }) => frontier.nextDue(), undefined);
      if (at !== undefined && at <= now()) due.push(attached);
    }
    if (able.length > 0) this.#turn = (this.#turn + looked) % able.length;
    return due;
  }

  async claimAlong(claim: Claim, max: number): Promise<Claim[]> {
    const open = this.#claims.get(claim);
    if (open === undefined || !this.#parts.partitions.isAttached(open.attached)) return [];
    const along = await open.attached.partition.frontier.claimAlong({ ...claim, id: open.id }, max);
    return along.map((one) => ({ ...one, id: claim.id }));
  }

  async settle(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<SettleVerdict[]> {
    const { settled } = await this.#settling.begin(settlements, learnt, settleAtOnce);
    return await settled;
  }

  beginSettling(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<BegunSettling> {
    return this.#settling.begin(
      settlements,
      learnt,
      (frontier, own) => frontier.beginSettling?.(own) ?? settleAtOnce(frontier, own),
    );
  }

  async nextLinkBatch(): Promise<LinkBatch | undefined> {
    for (const attached of this.#parts.partitions.all) {
      const batch = await attached.partition.frontier.nextLinkBatch();
      if (batch === undefined) continue;
      this.#batches.set(batch, attached);
      return batch;
    }
    return undefined;
  }

  async settleLinkBatch(batch: LinkBatch, found: JudgedLinks, learnt?: Uint8Array): Promise<void> {
    const { partitions, keepLearnt } = this.#parts;
    const attached = this.#batches.get(batch);
    if (learnt !== undefined) await keepLearnt(learnt);
    if (attached === undefined || !partitions.isAttached(attached)) return;
    partitions.changed();
    const followed = { ...found, links: this.#settling.followed(found.links) };
    await partitions.ask(attached, ({ frontier }) => frontier.settleLinkBatch(batch, followed), undefined);
  }

  async accept(messages: readonly Message[]): Promise<boolean> {
    return (await this.acceptEach(messages)).length === messages.length;
  }

  /** Applies messages, those of each partition in a transaction of its own. Answers those that may be acknowledged. */
  async acceptEach(messages: readonly Message[]): Promise<Message[]> {
    const { partitions } = this.#parts;
    if (messages.length === 0) return [];
    partitions.changed();
    const applied = await Promise.all(
      [...Map.groupBy(messages, ({ to }) => to)].map(async ([to, some]) => {
        const attached = partitions.get(to);
        if (attached === undefined) return [];
        if (await attached.partition.frontier.accept(some)) return some;
        partitions.lost(attached);
        return [];
      }),
    );
    return applied.flat();
  }

  /** None: a partition that is handed over waits for all that is claimed, and for nothing that nobody asks for. */
  async claimAhead(): Promise<Claim[]> {
    return [];
  }

  async answered(claims: readonly Claim[]): Promise<void> {
    const { partitions } = this.#parts;
    for (const claim of claims) {
      const open = this.#claims.get(claim);
      if (open !== undefined && partitions.isAttached(open.attached))
        await open.attached.partition.frontier.answered([{ ...claim, id: open.id }]);
    }
  }

  async release(claims: readonly Claim[]): Promise<void> {
    const { partitions } = this.#parts;
    for (const claim of claims) {
      const open = this.#claims.get(claim);
      if (open === undefined) continue;
      if (partitions.isAttached(open.attached))
        await partitions.ask(open.attached, ({ frontier }) => frontier.release([{ ...claim, id: open.id }]), undefined);
      this.#claims.closed(claim);
    }
  }

  async holdHosts(hosts: readonly HostKey[], until: number, why: string): Promise<void> {
    await this.#byHost(
      hosts,
      (host) => host,
      (frontier, some) => frontier.holdHosts(some, until, why),
    );
  }

  async parkHosts(hosts: readonly HostKey[], isParked: boolean): Promise<void> {
    await this.#byHost(
      hosts,
      (host) => host,
      (frontier, some) => frontier.parkHosts(some, isParked),
    );
  }

  async unresolvedHosts(max: number): Promise<HostKey[]> {
    const { partitions } = this.#parts;
    const hosts: HostKey[] = [];
    for (const { partition, isLeaving } of partitions.all) {
      if (hosts.length >= max) break;
      if (!isLeaving) hosts.push(...(await partition.frontier.unresolvedHosts(max - hosts.length)));
    }
    return hosts;
  }

  async setAddresses(places: readonly HostPlace[]): Promise<void> {
    await this.#byHost(
      places,
      ({ host }) => host,
      (frontier, some) => frontier.setAddresses(some),
    );
  }

  async #byHost<T>(
    items: readonly T[],
    hostOf: (item: T) => HostKey,
    call: (frontier: Frontier, some: readonly T[]) => Promise<void>,
  ): Promise<void> {
    const { partitions } = this.#parts;
    const groups = Map.groupBy(items, (item) => partitions.ofHost(hostOf(item)));
    await Promise.all(
      [...groups].map(async ([attached, some]) => {
        if (attached !== undefined) await partitions.ask(attached, ({ frontier }) => call(frontier, some), undefined);
      }),
    );
  }

  async move(changes: readonly PlaceChange[]): Promise<number> {
    if (changes.length === 0) return 0;
    return sum(await this.#parts.partitions.askAll(({ frontier }) => frontier.move(changes), 0));
  }

  async stopDiscovery(): Promise<void> {
    await this.#parts.partitions.askAll(({ frontier }) => frontier.stopDiscovery(), undefined);
  }

  async updateRevisits(updates: readonly RevisitUpdate[]): Promise<number> {
    if (updates.length === 0) return 0;
    return sum(await this.#parts.partitions.askAll(({ frontier }) => frontier.updateRevisits(updates), 0));
  }

  *waiting(): Generator<WaitingPlace> {
    for (const { partition } of this.#parts.partitions.all) yield* partition.frontier.waiting();
  }

  async nextDue(): Promise<number | undefined> {
    this.#parts.check();
    const { partitions } = this.#parts;
    const able = partitions.all.filter(({ isLeaving }) => !isLeaving);
    const times = await Promise.all(
      able.map((attached) => partitions.ask(attached, ({ frontier }) => frontier.nextDue(), undefined)),
    );
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  async counts(): Promise<FrontierCounts> {
    const all = await Promise.all(this.#parts.partitions.all.map(({ partition }) => partition.frontier.counts()));
    const sumOf = (key: keyof FrontierCounts): number => sum(all.map((counts) => counts[key] ?? 0));
    return {
      ...{ known: sumOf('known'), queued: sumOf('queued'), leased: sumOf('leased') },
      ...{ hosts: sumOf('hosts'), parked: sumOf('parked') },
      ...(all.some(({ planned }) => planned !== undefined) ? { planned: sumOf('planned'), kept: sumOf('kept') } : {}),
    };
  }
}

/** As even as whole numbers can be, and no more together than there is. */
export function sharesOf(whole: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, at) => Math.floor((whole + parts - 1 - at) / parts));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function settleAtOnce(frontier: Frontier, own: readonly Settlement[]): Promise<BegunSettling> {
  return { settled: frontier.settle(own), hurry: () => {} };
}
