import { BinaryHeap } from '../../../src/base/binary-heap.ts';
import { fingerprint } from '../../../src/base/fingerprint.ts';
import { CLAIMED_AT_ONCE, sharesOf } from '../../../src/crawl/nodes/node-frontier.ts';
import { GATHER_MS } from '../../../src/engines/postgres/gather-ms.ts';
import { beatCores, messageLookCores, nodeCpuMs } from './cluster-costs.ts';
import type { ClusterForecast, ClusterForecastOptions } from './cluster-forecast.ts';
import type { ForecastNode, Host, OutgoingLink, Visit } from './forecast-node.ts';
import { type ForecastClock, ForecastThread, TimedCores } from './timed-cores.ts';

/** Messages are looked for this often. */
const RECEIVE_EVERY_MS = { idle: 250, busy: 1000 } as const;
/** A claim of a host that was asked so lately needs no transaction. */
const NAMED_MS = 5000;
const [FROM, TO] = [0.25, 0.75];

/**
 * What nodes would bring, in virtual time: each fetches, reads what arrived, settles it, claims, and goes on, as the conductor does. What is settled is gathered for
 * `GATHER_MS`, and leaves in a transaction for each partition, or with whatever else is written of it; links to other partitions go with it, and messages that came in. All
 * that is one thread, which takes pages in the order in which they come, and answers of PostgreSQL between them. What is left of a page (compiling, collecting garbage,
 * files) is done by other threads. All share the cores that there are.
 */
export function forecastCluster(options: ClusterForecastOptions): ClusterForecast {
  return new ForecastRun(options).run();
}

class ForecastRun implements ForecastClock {
  readonly #options: ClusterForecastOptions;
  /** Of PostgreSQL, and of all where it shares the machine with nodes and servers. */
  readonly #cores: TimedCores;
  readonly #nodes: readonly ForecastNode[];
  readonly #hosts = new Map<string, Host>();
  /** Hosts that are due, by partition. */
  readonly #dueOf = new Map<number, Host[]>();
  readonly #known: Uint8Array;
  /** Partitions that their nodes have opened. */
  readonly #isOpen: Uint8Array;
  readonly #events = new BinaryHeap<{ readonly at: number; readonly order: number; readonly run: () => void }>(
    (a, b) => (a.at === b.at ? a.order < b.order : a.at < b.at),
  );
  readonly #requests: number[] = [];
  readonly #asked: Visit[] = [];
  #isWebBusy = false;
  #now = 0;
  #order = 0;
  #transactions = 0;
  #messages = 0;
  #databaseMs = 0;
  #nodeMs = 0;

  constructor(options: ClusterForecastOptions) {
    this.#options = options;
    const { cores, nodes, costs, web } = options;
    this.#known = new Uint8Array(web.pages);
    this.#isOpen = new Uint8Array(this.#partitions);
    const standing = beatCores(costs, nodes, this.#partitions) + messageLookCores(costs, nodes);
    const isShared = cores.kind === 'shared';
    // Beats and looks go on all the time, whatever else there is to do.
    const all = isShared ? cores.cores : cores.databaseCores;
    this.#cores = new TimedCores(this, Math.max(LEAST_CORES, all - standing));
    const machines = isShared
      ? [this.#cores]
      : Array.from(
          { length: Math.ceil(nodes / cores.nodesPerMachine) },
          () => new TimedCores(this, cores.machineCores),
        );
    this.#nodes = Array.from({ length: nodes }, (_, number) => ({
      number,
      thread: new ForecastThread(machines[number % machines.length]),
      others: new ForecastThread(machines[number % machines.length]),
      ...{ due: [], turn: 0, asking: 0, unread: 0, read: [], isBusy: true, requests: 0, pages: 0 },
      ...{ gathered: [], outgoing: [], isGathering: false, left: () => {} },
      ...{ sent: new Set<number>(), inbox: [], receivers: new Set<number>(), senders: new Set<number>() },
      // Nodes do not look at the same moment.
      ...{ isLooking: false, lookedAt: number * PHASE_MS },
    }));
  }

  get now(): number {
    return this.#now;
  }

  run(): ClusterForecast {
    const { web, costs } = this.#options;
    for (const page of web.seeds) this.#found(page);
    for (const node of this.#nodes)
      this.#work(node, nodeCpuMs(costs.nodeCpu, 0), () =>
        this.after(costs.startWaitMs, () => {
          node.isBusy = false;
          this.#open(node);
        }),
      );
    while (this.#step());
    return this.#forecast();
  }

  /** A node opens the partitions of its seeds one after the other, and crawls those that are open meanwhile. */
  #open(node: ForecastNode): void {
    let opened = 0;
    for (let partition = 0; partition < this.#partitions; partition++) {
      if (this.#ownerOf(partition) !== node) continue;
      const hasSeeds = this.#dueOf.has(partition);
      this.after(hasSeeds ? opened++ * this.#options.costs.openEveryMs : 0, () => {
        this.#isOpen[partition] = 1;
        node.due.push(this.#dueIn(partition));
        this.#turn(node);
      });
    }
  }

  /** Nodes of one machine, by the caches that they share. */
  get #sharing(): number {
    const { nodes, cores, costs } = this.#options;
    return cores.kind === 'apart' ? 1 : costs.sharedByEight ** (Math.log2(nodes) / 3);
  }

  #hasStoppedSince(time: number): boolean {
    return this.#options.stops?.some((at) => at > time && at <= this.#now) ?? false;
  }

  #untilStop(ms: number): number {
    const stop = this.#options.stops?.find((at) => at > this.#now);
    return Math.min(ms, (stop ?? Number.POSITIVE_INFINITY) - this.#now);
  }

  get #partitions(): number {
    return this.#options.nodes * this.#options.partitions;
  }

  /** Partitions that are loaded: who comes first takes all, and hands over what others are to have. */
  get #loads(): number {
    return this.#partitions * (2 - 1 / this.#options.nodes);
  }

  #forecast(): ClusterForecast {
    const { nodes, costs, cores } = this.#options;
    const brought = this.#nodes.map(({ pages }) => pages);
    const pages = brought.reduce((sum, some) => sum + some, 0);
    const [from, to] = [FROM, TO].map((share) => Math.floor(share * (this.#requests.length - 1)));
    const requestsPerSecond = ((to - from) / (this.#requests[to] - this.#requests[from])) * 1000;
    const pagesPerSecond = (requestsPerSecond * pages) / this.#requests.length;
    const seconds = (this.#now + costs.endWaitMs) / 1000;
    const [beats, looks] = [beatCores(costs, nodes, this.#partitions), messageLookCores(costs, nodes)];
    return {
      ...{ pages, seconds, requestsPerSecond, beatCores: beats, lookCores: looks },
      coresUsed: cores.kind === 'shared' ? (this.#cores.usedMs / 1000 / seconds + beats + looks) / cores.cores : 0,
      nodeMsPerPage: (this.#nodeMs + nodes * costs.nodeEndMs * this.#sharing) / pages,
      databaseMsPerPage: (this.#databaseMs + costs.databaseStartMs + this.#loads * costs.databasePartitionMs) / pages,
      databaseCores: ((this.#databaseMs / pages) * pagesPerSecond) / 1000,
      transactionsPerPage: this.#transactions / pages,
      messagesPerPage: this.#messages / pages,
      largestShare: Math.max(...brought) / pages,
    };
  }

  /** On to whatever comes next; false where nothing does. */
  #step(): boolean {
    const next = this.#events.pop();
    if (next === undefined) return false;
    this.#now = next.at;
    next.run();
    return true;
  }

  after(ms: number, run: () => void): void {
    this.#events.push({ at: this.#now + ms, order: this.#order++, run });
  }

  /** Of a node: what the others of its threads have to do is not waited for. */
  #work(node: ForecastNode, ms: number, done: () => void, isPage = false): void {
    const { firstThreadShare } = this.#options.costs;
    const shared = ms * this.#sharing;
    this.#nodeMs += shared;
    if (isPage) node.thread.run(firstThreadShare * shared, done);
    else node.thread.runBetween(firstThreadShare * shared, done);
    if (firstThreadShare < 1) node.others.run((1 - firstThreadShare) * shared, () => {});
  }

  /** In a page thread, and only then in the thread that decides. */
  #inTurn(node: ForecastNode, ms: number, done: () => void): void {
    const { firstThreadShare } = this.#options.costs;
    const shared = ms * this.#sharing;
    this.#nodeMs += shared;
    node.others.run((1 - firstThreadShare) * shared, () => node.thread.run(firstThreadShare * shared, done));
  }

  /** A transaction for each of these partitions, with what was gathered of them: built by a node, applied by PostgreSQL, and waited for. */
  #transact(
    node: ForecastNode,
    partitions: ReadonlySet<number>,
    done: () => void,
    committed: () => void = () => {},
  ): void {
    const { nodeTransactionMs, databaseTransactionMs, databasePageMs, commitWaitMs } = this.#options.costs;
    const visits = node.gathered.filter(({ host }) => partitions.has(host.partition));
    const links = node.outgoing.filter(({ from }) => partitions.has(from));
    if (visits.length > 0) node.gathered = node.gathered.filter(({ host }) => !partitions.has(host.partition));
    if (links.length > 0) node.outgoing = node.outgoing.filter(({ from }) => !partitions.has(from));
    const pages = visits.filter(({ page }) => page !== undefined).length;
    this.#transactions += partitions.size;
    this.#work(node, partitions.size * nodeTransactionMs, () =>
      this.#ofDatabase(partitions.size * databaseTransactionMs + pages * databasePageMs, () =>
        this.after(commitWaitMs, () => {
          committed();
          node.thread.runBetween(0, () => {
            this.#send(links);
            done();
          });
        }),
      ),
    );
  }

  #ofDatabase(ms: number, done: () => void): void {
    this.#databaseMs += ms;
    this.#cores.run(ms, done);
  }

  /** Settles what was read, then claims; as long as there is something of either. */
  #turn(node: ForecastNode): void {
    if (node.isBusy) return;
    const visits = node.read;
    if (visits.length === 0) {
      this.#claim(node);
      return;
    }
    node.read = [];
    node.gathered.push(...visits);
    this.#settled(visits);
    if (!node.isGathering) {
      node.isGathering = true;
      this.after(this.#untilStop(GATHER_MS), () => {
        node.isGathering = false;
        this.#leave(node);
      });
    }
    this.#claim(node);
  }

  /** What was gathered does. */
  #leave(node: ForecastNode): void {
    const { left } = node;
    node.left = () => {};
    if (node.gathered.length === 0) left();
    else this.#transact(node, new Set(node.gathered.map(({ host }) => host.partition)), () => {}, left);
  }

  /** Nothing is under way that could come with what was gathered, and no host is due at this very moment. */
  #leaveIfIdle(node: ForecastNode): void {
    if (node.asking + node.unread === 0) this.#leave(node);
  }

  #claim(node: ForecastNode): void {
    const { concurrency } = this.#options;
    // Pages that wait to be read are no requests: as many again may.
    const room = node.unread > concurrency ? 0 : concurrency - node.asking;
    const claimed = claimFrom(node, Math.max(0, room));
    if (claimed.length === 0) {
      if (node.read.length > 0) this.#turn(node);
      else if (node.asking + node.unread === 0) this.after(0, () => this.#leaveIfIdle(node));
      return;
    }
    node.isBusy = true;
    node.asking += claimed.length;
    const given = (): void => {
      for (const host of claimed) this.#ask(host);
      node.isBusy = false;
      this.#turn(node);
    };
    const unnamed = claimed.filter(({ lastEnd }) => this.#now - lastEnd >= NAMED_MS || this.#hasStoppedSince(lastEnd));
    if (unnamed.length === 0) given();
    else this.#transact(node, new Set(unnamed.map(({ partition }) => partition)), given);
  }

  #ask(host: Host): void {
    const page = host.knowsRobots ? host.queue[host.next] : undefined;
    this.#requests.push(this.#now);
    this.#asked.push({ host, page, endedAt: 0 });
    this.#serve();
  }

  /** The servers of a web on the same machine are one process. */
  #serve(): void {
    const { latencyMs, costs } = this.#options;
    if (this.#isWebBusy) return;
    const visit = this.#asked.shift();
    if (visit === undefined) return;
    const answer = (): void => this.after(latencyMs, () => this.#answered(visit));
    if (costs.webMs === 0) {
      answer();
      this.#serve();
      return;
    }
    this.#isWebBusy = true;
    this.#cores.run(costs.webMs, () => {
      this.#isWebBusy = false;
      answer();
      this.#serve();
    });
  }

  #answered(visit: Visit): void {
    visit.endedAt = this.#now;
    visit.host.lastEnd = this.#now;
    const { node } = visit.host;
    const { nodeCpu, readsInThreads } = this.#options.costs;
    const ms = nodeCpuMs(nodeCpu, node.requests + 1) - nodeCpuMs(nodeCpu, node.requests);
    node.requests++;
    if (visit.page !== undefined) node.pages++;
    node.asking--;
    node.unread++;
    const read = (): void => {
      node.unread--;
      node.read.push(visit);
      this.#turn(node);
    };
    if (readsInThreads) this.#inTurn(node, ms, read);
    else this.#work(node, ms, read, true);
  }

  #settled(visits: readonly Visit[]): void {
    const { delayMs, web } = this.#options;
    for (const { host, page, endedAt } of visits) {
      if (page === undefined) host.knowsRobots = true;
      else {
        host.next++;
        for (const target of web.links(page)) this.#link(host, target);
      }
      this.after(Math.max(0, endedAt + delayMs - this.#now), () => this.#rested(host));
    }
  }

  /** Into the queue of its host, or to another partition. */
  #link(from: Host, target: number): void {
    const to = this.#hostOf(target);
    // Nobody knows yet what a partition holds that is not open.
    if (to.node === from.node && this.#isOpen[to.partition] === 1 && this.#known[target] === 1) return;
    if (to.partition === from.partition) {
      this.#found(target);
      return;
    }
    if (from.node.sent.has(target)) return;
    from.node.outgoing.push({ node: from.node, from: from.partition, to, page: target });
  }

  /** All links of a transaction to another partition are one message. */
  #send(links: readonly OutgoingLink[]): void {
    const messages = new Set(links.map(({ from, to }) => from * this.#partitions + to.partition)).size;
    this.#messages += messages;
    this.#ofDatabase(messages * this.#options.costs.databaseMessageMs, () => {});
    for (const { node, from, to, page } of links) {
      // Only now: what is not committed may have to be sent by another page.
      node.sent.add(page);
      to.node.inbox.push(page);
      to.node.receivers.add(to.partition);
      to.node.senders.add(from);
      this.#lookLater(to.node);
    }
  }

  /** A node looks for messages again some time after it has taken in those of its last look. */
  #lookLater(node: ForecastNode): void {
    if (node.isLooking || node.inbox.length === 0) return;
    node.isLooking = true;
    const every = RECEIVE_EVERY_MS[node.asking + node.unread > 0 ? 'busy' : 'idle'];
    const looks = Math.floor((this.#now - node.lookedAt) / every) + 1;
    this.after(node.lookedAt + looks * every - this.#now, () => this.#receive(node));
  }

  /** Each partition takes in its own, and links count at once. What was gathered of a partition takes them along. */
  #receive(node: ForecastNode): void {
    const { inbox, receivers, senders } = node;
    node.inbox = [];
    node.receivers = new Set();
    node.senders = new Set();
    this.#ofDatabase(senders.size * this.#options.costs.databaseAcknowledgeMs, () => {});
    node.thread.runBetween(0, () => {
      for (const page of inbox) this.#found(page);
    });
    const over = (): void => {
      node.isLooking = false;
      node.lookedAt = this.#now;
      this.#lookLater(node);
    };
    const gathered = new Set(node.gathered.map(({ host }) => host.partition));
    const alone = new Set([...receivers].filter((partition) => !gathered.has(partition)));
    const isAlone = alone.size === receivers.size;
    if (!isAlone) node.left = over;
    if (alone.size > 0) this.#transact(node, alone, () => {}, isAlone ? over : undefined);
  }

  #found(page: number): void {
    if (this.#known[page] === 1) return;
    this.#known[page] = 1;
    const host = this.#hostOf(page);
    host.queue.push(page);
    if (!host.isTaken) this.#due(host);
  }

  #rested(host: Host): void {
    if (host.next < host.queue.length) this.#due(host);
    else host.isTaken = false;
  }

  #due(host: Host): void {
    host.isTaken = true;
    host.due.push(host);
    this.#turn(host.node);
  }

  #dueIn(partition: number): Host[] {
    const known = this.#dueOf.get(partition);
    if (known !== undefined) return known;
    const due: Host[] = [];
    this.#dueOf.set(partition, due);
    return due;
  }

  #ownerOf(partition: number): ForecastNode {
    return this.#nodes[this.#options.owners?.[partition] ?? partition % this.#nodes.length];
  }

  #hostOf(page: number): Host {
    const name = this.#options.web.host(page);
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const partition = Number(fingerprint(name) % BigInt(this.#partitions));
    const [node, due] = [this.#ownerOf(partition), this.#dueIn(partition)];
    const unasked = { next: 0, knowsRobots: false, isTaken: false, lastEnd: -NAMED_MS };
    const host: Host = { partition, due, node, queue: [], ...unasked };
    this.#hosts.set(name, host);
    return host;
  }
}

/** As `NodeFrontier` does: of a few partitions in rotation, from each as many hosts. */
function claimFrom(node: ForecastNode, most: number): Host[] {
  const { due } = node;
  const found: Host[][] = [];
  let looked = 0;
  while (looked < due.length && found.length < Math.min(most, CLAIMED_AT_ONCE)) {
    const hosts = due[(node.turn + looked++) % due.length];
    if (hosts.length > 0) found.push(hosts);
  }
  if (due.length > 0) node.turn = (node.turn + looked) % due.length;
  const shares = sharesOf(most, found.length);
  return found.flatMap((hosts, at) => hosts.splice(0, shares[at]));
}

const LEAST_CORES = 0.1;
const PHASE_MS = 37;
