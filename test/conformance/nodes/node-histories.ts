import { OrbweaverError } from '../../../src/base/errors.ts';
import type { Claim } from '../../../src/contracts/crawl-task.ts';
import type { AnswerTimes } from '../../../src/contracts/state/nodes.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { type CrawlEnd, writeRecord } from '../../../src/crawl/nodes/crawl-record.ts';
import { DELAY } from '../opened-frontier.ts';
import { CountedStore } from './counted-store.ts';
import { SimulatedNode, type SimulatedRequest } from './simulated-node.ts';
import { VirtualProcess, VirtualWorld } from './virtual-world.ts';
import { WiredState } from './wired-state.ts';

/** What came of one history. */
export interface NodeHistory {
  readonly seed: number;
  /** What must never be, or has not come. Empty: all is well. */
  readonly violations: readonly string[];
  /** What was done to the nodes, and when. */
  readonly log: readonly string[];
  /** Requests of stopped processes that were still under way when the next owner asked: nobody can end them. */
  readonly outlived: number;
}

export type MakeStore = (...values: ConstructorParameters<typeof CountedStore>) => CountedStore;

export interface HistoryOptions {
  readonly makeStore?: MakeStore;
  /** Whether requests end with the lease. */
  readonly endsRequests?: boolean;
  /** Partitions go to the nodes that are nearest, by times that change with every beat as long as there are faults. */
  readonly isNearest?: boolean;
}

const END = JSON.stringify(['crawl', 'end']);
const LEASE = 6000;
/** Longer than a lease: requests have to end with it. */
const REQUEST = 9000;
const HOSTS = 5;
const PAGES = 3;
const PARTITIONS = 4;
const NODES = 3;
const HOUR = 3_600_000;
const CHAOS_MS = 40_000;
/** From the last fault on: everything is done by then, or never. */
const REST_MS = 10 * 60_000;

const urlOf = (host: number, page: number): string => `http://h${host % HOSTS}.test/${page % PAGES}`;

/** Everything can be reached from the first page of the first host, most of it by one way alone, over other hosts. */
function linksOf(url: string): string[] {
  if (LATER.includes(url)) return [url];
  const [, host, page] = /h(\d+)\.test\/(\d+)$/.exec(url)?.map(Number) ?? [];
  return [urlOf(host + 1, page), urlOf(host, page), ...(host === HOSTS - 1 ? [urlOf(0, page + 1)] : [])];
}

const ALL = Array.from({ length: HOSTS * PAGES }, (_, n) => urlOf(n, Math.floor(n / HOSTS))).sort();

/** Pages that somebody adds later. */
const LATER = [0, 1, 2].map((n) => `http://later${n}.test/`);

/** Who runs under a name. */
interface Place {
  readonly number: number;
  readonly name: string;
  readonly skewMs: number;
  node: SimulatedNode | undefined;
  cutUntil: number;
}

interface Request {
  readonly host: string;
  readonly by: VirtualProcess;
  readonly who: string;
  readonly endsAt: number;
}

/** One crawl by real nodes over the model, in which a seed decides what happens and in which order. */
class History {
  readonly #world: VirtualWorld;
  readonly #store: CountedStore;
  readonly #places: Place[] = [];
  readonly #violations: string[] = [];
  readonly #log: string[] = [];
  readonly #startedAt: number;
  readonly #isStatic: boolean;
  /** As in a large cluster, every other beat is without a look. */
  readonly #looksRarely: boolean;
  readonly #writers = new Map<string, VirtualProcess>();
  readonly #requests = new Map<string, Request>();
  readonly #lastEnd = new Map<
    string,
    { readonly at: number; readonly by: VirtualProcess; readonly isOutlived: boolean }
  >();
  readonly #over = new WeakSet<Request>();
  readonly #settled = new Map<string, number>();
  readonly #wanted = [...ALL];
  readonly #endsRequests: boolean;
  readonly #isNearest: boolean;
  #isChaos = true;
  #outlived = 0;
  #writing: VirtualProcess | undefined;

  constructor(seed: number, { makeStore, endsRequests = true, isNearest = false }: HistoryOptions) {
    this.#endsRequests = endsRequests;
    this.#isNearest = isNearest;
    this.#world = new VirtualWorld(seed);
    this.#startedAt = this.#world.now;
    this.#isStatic = this.#world.chance(0.2);
    this.#looksRarely = this.#world.chance(0.5);
    this.#store = (makeStore ?? ((...values) => new CountedStore(...values)))(this.#world.clock, PARTITIONS, LEASE);
    this.#store.onCommit = ({ partition, epoch }) => {
      const key = `${partition} in epoch ${epoch}`;
      if (epoch !== this.#store.partitions[partition].epoch)
        this.#violate(`partition ${key} was written to after its owner had changed`);
      const writer = this.#writers.get(key) ?? this.#writing;
      if (writer !== undefined) this.#writers.set(key, writer);
      if (writer !== this.#writing) this.#violate(`two processes have written to partition ${key}`);
    };
    const setNote = this.#store.notes.set.bind(this.#store.notes);
    this.#store.notes.set = (key, note) => {
      if (key === END) this.#judgeEnd(note.value as CrawlEnd);
      return setNote(key, note);
    };
    const skews = [0, 5 * HOUR, -2 * HOUR];
    for (let number = 0; number < NODES; number++)
      this.#places.push({ number, name: `n${number}`, skewMs: skews[number % 3], node: undefined, cutUntil: 0 });
  }

  async run(seed: number): Promise<NodeHistory> {
    const notes = {
      read: async <T>(scope: string, name: string) =>
        this.#store.notes.get(JSON.stringify([scope, name])) as { value: T; version: number } | undefined,
      write: async (scope: string, name: string, value: unknown, version: number) => {
        this.#store.notes.set(JSON.stringify([scope, name]), { value, version: version + 1 });
        return true;
      },
    };
    const addSeeds = (seeds: readonly string[]): Promise<void> =>
      writeRecord(notes, { settings: {}, seeds: seeds as CanonicalUrl[] });
    await addSeeds([urlOf(0, 0)]);
    this.#world.after(this.#world.between(0, CHAOS_MS), () => {
      this.#wanted.push(...LATER);
      this.#note('seeds are added');
      void addSeeds(LATER);
    });
    for (const place of this.#places) this.#world.after(this.#world.between(0, 3000), () => this.#start(place));
    this.#planFaults();
    const isOver = (): boolean => this.#violations.length > 0;
    await this.#world.run(isOver, this.#startedAt + CHAOS_MS);
    this.#isChaos = false;
    for (const place of this.#places) if (place.node === undefined || place.node.process.isDead) this.#start(place);
    const isDone = (): boolean => isOver() || this.#places.every(({ node }) => node === undefined);
    await this.#world.run(isDone, this.#world.now + REST_MS);
    this.#judge();
    return { seed, violations: this.#violations, log: this.#log, outlived: this.#outlived };
  }

  #answerTimes(node: number): AnswerTimes {
    const ms = (partition: number): number =>
      this.#isChaos ? this.#world.between(1, 1000) : ((node + partition) % NODES) * 100;
    return Object.fromEntries(Array.from({ length: PARTITIONS }, (_, at) => [at, [ms(at), 99] as const]));
  }

  #judge(): void {
    if (this.#violations.length > 0) return;
    for (const { name, node } of this.#places) if (node !== undefined) this.#violate(`${name} has not come to its end`);
    const missing = this.#wanted.filter((url) => !this.#settled.has(url));
    if (missing.length > 0) this.#violate(`never settled: ${missing.join(', ')}`);
    const pending = this.#store.partitions.reduce((sum, { rows }) => sum + rows.outbox.size, 0);
    if (pending > 0) this.#violate(`messages that nobody took: ${pending}`);
  }

  /** The record has two versions: the one that it begins with, and that with the seeds that are added. */
  #judgeEnd({ recordVersion }: CrawlEnd): void {
    const wanted = recordVersion === 1 ? ALL : this.#wanted;
    const left = wanted.filter((url) => !this.#settled.has(url));
    if (left.length > 0) this.#violate(`the crawl is held to be over, but not settled: ${left.join(', ')}`);
  }

  #start(place: Place): void {
    if (place.node !== undefined && !place.node.process.isDead) return;
    const process = new VirtualProcess(this.#world, place.skewMs);
    const wire = {
      latency: () =>
        this.#isChaos && this.#world.chance(0.03) ? this.#world.between(100, 4000) : this.#world.between(1, 20),
      loses: () => this.#isChaos && !process.isDead && (this.#world.now < place.cutUntil || this.#world.chance(0.02)),
    };
    const wired = new WiredState(this.#watched(process), place.name, process, wire, {
      ...{ leaseMs: 1e9, maxRequestMs: 0 },
    });
    const share = this.#isStatic ? { nodes: NODES, number: place.number + 1 } : undefined;
    const node = new SimulatedNode({
      ...{ name: place.name, process, wired, leaseMs: LEASE, linksOf, endsRequests: this.#endsRequests },
      lookMsPerNode: this.#looksRarely ? LEASE : 0,
      request: (claim) => this.#begin(place.name, process, claim),
      ...(share === undefined ? {} : { share }),
      ...(this.#isNearest ? { answerTimes: () => this.#answerTimes(place.number) } : {}),
    });
    place.node = node;
    this.#note(`${place.name} starts`);
    node.run().then(
      (end) => this.#ended(place, node, end),
      (error: unknown) => this.#failed(place, node, error),
    );
  }

  /** The store as this process writes to it: whose commit it is, and what was settled by it. */
  #watched(process: VirtualProcess): CountedStore {
    const history = this;
    return new Proxy(this.#store, {
      get(store, key) {
        if (key === 'transact')
          return (...values: Parameters<CountedStore['transact']>) => {
            history.#writing = process;
            const before = history.#storedIn(values[0].partition);
            const waiting = history.#waitingIn(values[0].partition);
            const done = store.transact(...values);
            history.#writing = undefined;
            if (done !== undefined) history.#countSettled(values[0].partition, before, waiting);
            return done;
          };
        const value: unknown = Reflect.get(store, key);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
  }

  #storedIn(partition: number): Set<string> {
    const pages = [...this.#store.partitions[partition].rows.pages];
    return new Set(pages.filter(([, { outcome }]) => outcome.kind === 'stored').map(([url]) => url));
  }

  #waitingIn(partition: number): Set<string> {
    return new Set([...this.#store.partitions[partition].rows.waiting.values()].map(({ task }) => task.url));
  }

  /** A page is settled when it is stored; whoever is settled again was waiting again. */
  #countSettled(partition: number, before: ReadonlySet<string>, waiting: ReadonlySet<string>): void {
    const { waiting: left } = this.#store.partitions[partition].rows;
    const still = new Set([...left.values()].map(({ task }) => task.url as string));
    for (const url of this.#storedIn(partition)) {
      const isNow = !before.has(url) || (waiting.has(url) && !still.has(url));
      if (!isNow) continue;
      this.#settled.set(url, (this.#settled.get(url) ?? 0) + 1);
      if ((this.#settled.get(url) ?? 0) > 1) this.#violate(`${url} was settled twice`);
    }
  }

  #ended(place: Place, node: SimulatedNode, end: 'over' | 'left'): void {
    if (place.node !== node) return;
    place.node = undefined;
    const isDrained = this.#store.nodes.get(place.name)?.isDraining === true;
    this.#note(`${place.name} ends: ${end}${isDrained ? ', drained' : ''}`);
    // Whoever adds seeds to a crawl that is over starts its nodes again.
    const isDone = this.#wanted.every((url) => this.#settled.has(url));
    if (!this.#isChaos && (isDrained || end === 'left' || !isDone)) this.#start(place);
    // With fixed shares others wait for it, where it left before it heard of new seeds.
    if (this.#isStatic)
      this.#world.after(5 * LEASE, () => {
        if (this.#places.some(({ node: other }) => other !== undefined)) this.#start(place);
      });
  }

  #failed(place: Place, node: SimulatedNode, error: unknown): void {
    if (place.node !== node || node.process.isDead) return;
    if (!(error instanceof OrbweaverError && error.code === 'STORE_UNREACHABLE')) {
      this.#violate(`${place.name} fails: ${error instanceof Error ? error.stack : String(error)}`);
      return;
    }
    // The program ends; somebody starts it again.
    node.process.kill();
    this.#note(`${place.name} gives up`);
    this.#world.after(this.#world.between(0, 5000), () => this.#start(place));
  }

  #begin(who: string, by: VirtualProcess, { task: { host } }: Claim): SimulatedRequest {
    const { now } = this.#world;
    const other = this.#requests.get(host);
    const ended = this.#lastEnd.get(host);
    if (other !== undefined && !other.by.isDead && other.endsAt > now) {
      // What a stopped process has sent stays sent, past its lease too.
      if (other.by.isStopped && other.by !== by) this.#outlived++;
      else this.#violate(`${host} is asked by ${who} beside ${other.who}`);
    } else if (ended !== undefined && now - ended.at < DELAY) {
      if (ended.isOutlived && ended.by !== by) this.#outlived++;
      else this.#violate(`${host} is asked by ${who} after ${now - ended.at} ms`);
    }
    const lasts = this.#world.chance(0.1) ? this.#world.between(0, REQUEST) : this.#world.between(5, 60);
    const request: Request = { host, by, who, endsAt: now + lasts };
    this.#requests.set(host, request);
    this.#world.after(lasts, () => this.#end(request));
    return { lasts, abort: () => this.#end(request) };
  }

  /** By its answer, or because its connection is closed. */
  #end(request: Request): void {
    const { host, by } = request;
    if (by.isDead || this.#over.has(request)) return;
    this.#over.add(request);
    if (this.#requests.get(host) === request) this.#requests.delete(host);
    this.#lastEnd.set(host, { at: this.#world.now, by, isOutlived: by.hasBeenStopped });
  }

  #kill(place: Place): void {
    const { node } = place;
    if (node === undefined || node.process.isDead) return;
    for (const request of this.#requests.values()) if (request.by === node.process) this.#end(request);
    node.process.kill();
    this.#note(`${place.name} is killed`);
  }

  #planFaults(): void {
    for (let left = this.#world.between(0, 8); left > 0; left--)
      this.#world.after(this.#world.between(500, CHAOS_MS), () => this.#fault(this.#world.pick(this.#places)));
  }

  #fault(place: Place): void {
    if (!this.#isChaos) return;
    const what = this.#world.pick(['kill', 'kill', 'pause', 'pause', 'pause', 'cut', 'drain', 'stop'] as const);
    const lasts = this.#world.between(50, this.#world.pick([600, LEASE, 3 * LEASE]));
    if (what === 'kill') {
      this.#kill(place);
      this.#world.after(lasts, () => this.#start(place));
    } else if (what === 'pause') {
      place.node?.process.stop(lasts);
      this.#note(`${place.name} is stopped for ${lasts} ms`);
    } else if (what === 'cut') {
      place.cutUntil = this.#world.now + lasts;
      this.#note(`${place.name} is cut off for ${lasts} ms`);
    } else if (what === 'stop') {
      place.node?.stop();
      this.#note(`${place.name} is told to stop`);
      this.#world.after(lasts, () => this.#start(place));
    } else {
      const row = this.#store.nodes.get(place.name);
      if (row !== undefined) row.isDraining = true;
      this.#note(`${place.name} is drained`);
      this.#world.after(lasts, () => this.#start(place));
    }
  }

  #note(what: string): void {
    this.#log.push(`${this.#world.now - this.#startedAt} ${what}`);
  }

  #violate(what: string): void {
    this.#violations.push(`at ${this.#world.now - this.#startedAt} ms: ${what}`);
  }
}

/** Lets nodes do a crawl in which the seed decides what goes wrong. */
export async function runNodeHistory(seed: number, options: HistoryOptions = {}): Promise<NodeHistory> {
  return await new History(seed, options).run(seed);
}
