import { BinaryHeap } from '../../../src/base/binary-heap.ts';
import { fingerprint } from '../../../src/base/fingerprint.ts';
import { beatCores, type ClusterCores, type ClusterCosts, nodeCpuMs } from './cluster-costs.ts';
import { SharedCores } from './shared-cores.ts';

/** Pages and links that are crawled, by their numbers. */
export interface ForecastWeb {
  readonly pages: number;
  /** Name of the host of a page: decides its partition. */
  host(page: number): string;
  /** Pages that it links to. */
  links(page: number): Iterable<number>;
  readonly seeds: readonly number[];
}

export interface ClusterForecastOptions {
  readonly web: ForecastWeb;
  readonly nodes: number;
  /** Of each node. */
  readonly partitions: number;
  /** Requests of a node at a time. */
  readonly concurrency: number;
  /** How long a server takes to answer, and how long its host rests afterwards. */
  readonly latencyMs: number;
  readonly delayMs: number;
  readonly costs: ClusterCosts;
  readonly cores: ClusterCores;
  /** The number of the node that has each partition. Without it they take turns. */
  readonly owners?: readonly number[];
}

export interface ClusterForecast {
  readonly pages: number;
  readonly seconds: number;
  /** In the middle of the run, with those for robots.txt. */
  readonly requestsPerSecond: number;
  /** Of a machine that is shared: part of its cores that was used. */
  readonly coresUsed: number;
  /** Of PostgreSQL in the middle of the run: cores for pages and transactions, and for beats. */
  readonly databaseCores: number;
  readonly beatCores: number;
  readonly transactionsPerPage: number;
  readonly messagesPerPage: number;
  readonly largestShare: number;
}

/** Messages are looked for this often. */
const RECEIVE_EVERY_MS = { idle: 250, busy: 1000 } as const;
/** A claim of a host that was asked so lately needs no transaction. */
const NAMED_MS = 5000;
const [FROM, TO] = [0.25, 0.75];

/**
 * What nodes would bring, in virtual time: each fetches, reads what arrived on its one thread, settles all that is done in a transaction for each partition, claims,
 * and goes on, as the conductor does. Everybody shares the cores that there are.
 */
export function forecastCluster(options: ClusterForecastOptions): ClusterForecast {
  return new ForecastRun(options).run();
}

interface Host {
  readonly partition: number;
  readonly node: ForecastNode;
  /** Pages that were found, those from `next` on not visited yet. */
  readonly queue: number[];
  next: number;
  knowsRobots: boolean;
  /** It is due, being asked, or at rest. */
  isTaken: boolean;
  lastEnd: number;
}

interface Visit {
  readonly host: Host;
  /** Undefined: its robots.txt. */
  readonly page: number | undefined;
  endedAt: number;
}

interface ForecastNode {
  readonly number: number;
  /** Hosts that are due, first come first served, from `first` on. */
  readonly due: Host[];
  first: number;
  /** Requests, and answers that are not read yet. */
  underWay: number;
  readonly answers: Visit[];
  read: Visit[];
  isReading: boolean;
  /** It starts, settles or claims. */
  isBusy: boolean;
  pages: number;
  readonly sent: Set<number>;
  /** Pages that others have sent links to. */
  inbox: number[];
  receivers: Set<number>;
}

class ForecastRun {
  readonly #options: ClusterForecastOptions;
  /** Of all, or of PostgreSQL alone. */
  readonly #cores: SharedCores;
  readonly #nodes: readonly ForecastNode[];
  readonly #hosts = new Map<string, Host>();
  readonly #known: Uint8Array;
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

  constructor(options: ClusterForecastOptions) {
    this.#options = options;
    const { cores, nodes, costs, web } = options;
    this.#known = new Uint8Array(web.pages);
    const beats = beatCores(costs, nodes, this.#partitions);
    // Beats go on all the time, whatever else there is to do.
    const all = cores.kind === 'shared' ? cores.cores : cores.databaseCores;
    this.#cores = new SharedCores(Math.max(LEAST_CORES, all - beats));
    this.#nodes = Array.from({ length: nodes }, (_, number) => ({
      number,
      ...{ due: [], first: 0, underWay: 0, answers: [], read: [], isReading: false, isBusy: true, pages: 0 },
      ...{ sent: new Set<number>(), inbox: [], receivers: new Set<number>() },
    }));
  }

  run(): ClusterForecast {
    const { web, costs } = this.#options;
    for (const page of web.seeds) this.#found(page);
    for (const node of this.#nodes)
      this.#work(nodeCpuMs(costs.nodeCpu, 0), () =>
        this.#after(costs.startWaitMs, () => {
          node.isBusy = false;
          this.#turn(node);
        }),
      );
    while (this.#step());
    return this.#forecast();
  }

  get #partitions(): number {
    return this.#options.nodes * this.#options.partitions;
  }

  #forecast(): ClusterForecast {
    const { nodes, costs, cores } = this.#options;
    const brought = this.#nodes.map(({ pages }) => pages);
    const pages = brought.reduce((sum, some) => sum + some, 0);
    const [from, to] = [FROM, TO].map((share) => Math.floor(share * (this.#requests.length - 1)));
    const requestsPerSecond = ((to - from) / (this.#requests[to] - this.#requests[from])) * 1000;
    const pagesPerSecond = (requestsPerSecond * pages) / this.#requests.length;
    const seconds = (this.#now + costs.endWaitMs) / 1000;
    const beats = beatCores(costs, nodes, this.#partitions);
    return {
      ...{ pages, seconds, requestsPerSecond, beatCores: beats },
      coresUsed: cores.kind === 'shared' ? (this.#cores.usedMs / 1000 / seconds + beats) / cores.cores : 0,
      databaseCores: ((this.#databaseMs / pages) * pagesPerSecond) / 1000,
      transactionsPerPage: this.#transactions / pages,
      messagesPerPage: this.#messages / pages,
      largestShare: Math.max(...brought) / pages,
    };
  }

  /** On to whatever comes next; false where nothing does. */
  #step(): boolean {
    const next = Math.min(this.#events.peek()?.at ?? Number.POSITIVE_INFINITY, this.#cores.nextEnd);
    if (next === Number.POSITIVE_INFINITY) return false;
    this.#now = next;
    this.#cores.advance(next);
    for (let event = this.#events.peek(); event !== undefined && event.at <= next; event = this.#events.peek()) {
      this.#events.pop();
      event.run();
    }
    return true;
  }

  #after(ms: number, run: () => void): void {
    this.#events.push({ at: this.#now + ms, order: this.#order++, run });
  }

  /** Of a node, on its one thread. */
  #work(ms: number, done: () => void): void {
    if (this.#options.cores.kind === 'own') this.#after(ms, done);
    else this.#cores.run(ms, done);
  }

  #transact(transactions: number, pages: number, done: () => void): void {
    const { databasePageMs, databaseTransactionMs, commitWaitMs } = this.#options.costs;
    const ms = transactions * databaseTransactionMs + pages * databasePageMs;
    this.#transactions += transactions;
    this.#databaseMs += ms;
    this.#cores.run(ms, () => this.#after(commitWaitMs, done));
  }

  /** Settles what was read, then claims; as long as there is something of either. */
  #turn(node: ForecastNode): void {
    if (node.isBusy) return;
    const visits = node.read;
    if (visits.length === 0) {
      this.#claim(node);
      return;
    }
    node.isBusy = true;
    node.read = [];
    const partitions = new Set(visits.map(({ host }) => host.partition));
    const pages = visits.filter(({ page }) => page !== undefined).length;
    this.#transact(partitions.size, pages, () => {
      this.#settled(visits);
      node.isBusy = false;
      this.#claim(node);
    });
  }

  #claim(node: ForecastNode): void {
    const room = this.#options.concurrency - node.underWay;
    const claimed = node.due.slice(node.first, node.first + Math.max(0, room));
    if (claimed.length === 0) {
      if (node.read.length > 0) this.#turn(node);
      return;
    }
    node.isBusy = true;
    node.first += claimed.length;
    if (node.first > LONG_QUEUE || node.first === node.due.length) {
      node.due.splice(0, node.first);
      node.first = 0;
    }
    node.underWay += claimed.length;
    const given = (): void => {
      for (const host of claimed) this.#ask(host);
      node.isBusy = false;
      this.#turn(node);
    };
    const unnamed = claimed.filter(({ lastEnd }) => this.#now - lastEnd >= NAMED_MS);
    if (unnamed.length === 0) given();
    else this.#transact(new Set(unnamed.map(({ partition }) => partition)).size, 0, given);
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
    const answer = (): void => this.#after(latencyMs, () => this.#answered(visit));
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
    visit.host.node.answers.push(visit);
    this.#read(visit.host.node);
  }

  #read(node: ForecastNode): void {
    if (node.isReading) return;
    const visit = node.answers.shift();
    if (visit === undefined) return;
    node.isReading = true;
    const { nodeCpu } = this.#options.costs;
    const isPage = visit.page !== undefined;
    // What a page costs was measured with the robots.txt of its host.
    const ms = isPage ? nodeCpuMs(nodeCpu, node.pages + 1) - nodeCpuMs(nodeCpu, node.pages) : 0;
    if (isPage) node.pages++;
    this.#work(ms, () => {
      node.isReading = false;
      node.underWay--;
      node.read.push(visit);
      this.#read(node);
      this.#turn(node);
    });
  }

  #settled(visits: readonly Visit[]): void {
    const { delayMs, web } = this.#options;
    const sent = new Set<number>();
    for (const { host, page, endedAt } of visits) {
      if (page === undefined) host.knowsRobots = true;
      else {
        host.next++;
        for (const target of web.links(page)) this.#link(host, target, sent);
      }
      this.#after(Math.max(0, endedAt + delayMs - this.#now), () => this.#rested(host));
    }
    this.#messages += sent.size;
  }

  /** Into the queue of its host, or to another partition; all links of a batch from one partition to another are one message. */
  #link(from: Host, target: number, sent: Set<number>): void {
    const to = this.#hostOf(target);
    if (to.node === from.node && this.#known[target] === 1) return;
    if (to.partition === from.partition) {
      this.#found(target);
      return;
    }
    if (from.node.sent.has(target)) return;
    from.node.sent.add(target);
    sent.add(from.partition * this.#partitions + to.partition);
    if (to.node.inbox.length === 0) {
      const every = RECEIVE_EVERY_MS[to.node.underWay > 0 ? 'busy' : 'idle'];
      const phase = (to.node.number * PHASE_MS) % every;
      this.#after(every - ((this.#now + phase) % every), () => this.#receive(to.node));
    }
    to.node.inbox.push(target);
    to.node.receivers.add(to.partition);
  }

  #receive(node: ForecastNode): void {
    const { inbox, receivers } = node;
    node.inbox = [];
    node.receivers = new Set();
    // Each partition takes in its own, and they are acknowledged together.
    this.#transact(receivers.size + 1, 0, () => {
      for (const page of inbox) this.#found(page);
    });
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
    host.node.due.push(host);
    this.#turn(host.node);
  }

  #hostOf(page: number): Host {
    const name = this.#options.web.host(page);
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const partition = Number(fingerprint(name) % BigInt(this.#partitions));
    const node = this.#nodes[this.#options.owners?.[partition] ?? partition % this.#nodes.length];
    const host: Host = { partition, node, queue: [], next: 0, knowsRobots: false, isTaken: false, lastEnd: -NAMED_MS };
    this.#hosts.set(name, host);
    return host;
  }
}

const LEAST_CORES = 0.1;
/** Nodes do not look for messages at the same moment. */
const PHASE_MS = 37;
const LONG_QUEUE = 1000;
