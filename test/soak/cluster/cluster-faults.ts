import type { Socket } from 'node:net';
import { join } from 'node:path';
import { hash32, unit } from '../../../src/simulate/model/seeded-hash.ts';
import type { ClusterOfNodes, RunningNode } from '../../cluster-of-nodes.ts';
import { StoreLine } from './store-line.ts';
import type { TakeoverWatch } from './takeover-watch.ts';

const PURPOSE = 417;
/** Exit status of a node whose database cannot be reached. */
const STORE_AWAY = 4;
const STARTS_WITHIN_MS = 20_000;

/** A database that may be killed. */
export interface MortalDatabase {
  readonly connect: () => Socket;
  /** kill -9; it, or another in its place, is there again when this resolves, after so long at least. */
  crash(downMs: number): Promise<void>;
}

export interface FaultsParts {
  readonly cluster: ClusterOfNodes;
  readonly database: MortalDatabase;
  readonly schema: string;
  readonly watch: TakeoverWatch;
  readonly nodes: number;
  readonly leaseMs: number;
  readonly seed: number;
}

/** A place for a node: its number, its line to the database, and the process of the moment. */
interface Place {
  readonly number: number;
  readonly line: StoreLine;
  node: RunningNode | undefined;
  joinedAt: number;
  /** Something befalls it. */
  isHit: boolean;
}

const KINDS = ['killed', 'held', 'cut', 'stopped', 'drained', 'joined', 'database'] as const;
export type FaultKind = (typeof KINDS)[number];

/** What befalls the nodes of a cluster and their database; the seed decides what, when and how long. Several things may go wrong at once. */
export class ClusterFaults implements AsyncDisposable {
  readonly counts: Record<FaultKind, number> = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as never;
  readonly problems: string[] = [];
  /** What happened when, for who looks into a problem. */
  readonly trace: string[] = [];
  readonly #parts: FaultsParts;
  readonly #places: Place[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #isDatabaseDown = false;
  #databaseUpAt = 0;
  readonly #began = Date.now();
  #steps = 0;

  constructor(parts: FaultsParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { nodes, database } = this.#parts;
    // One place more than nodes: somebody may join.
    for (let number = 0; number <= nodes; number++)
      this.#places.push({
        number,
        line: await StoreLine.open(database.connect),
        node: undefined,
        joinedAt: 0,
        isHit: false,
      });
    for (const place of this.#places.slice(0, nodes)) this.#join(place);
  }

  /** Goes on until the signal aborts; then whatever was hit is healed, and all nodes are there. */
  async run(over: AbortSignal): Promise<void> {
    const { leaseMs } = this.#parts;
    while (!over.aborted) {
      await this.#pause(leaseMs * this.#between(0.15, 0.8), over);
      if (over.aborted) break;
      const work = this.#befall().finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }
    await Promise.all([...this.#underWay]);
    for (const place of this.#places) if (place.node === undefined) this.#join(place);
  }

  /** Whether a node has ended by itself: the crawl is over, or something is wrong. */
  get anyEnded(): boolean {
    return this.#places.some(({ node, isHit }) => !isHit && node !== undefined && hasEnded(node));
  }

  /** When all nodes have ended. */
  async ended(): Promise<void> {
    for (const place of this.#places) await this.#awaitEnd(place, [0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { line } of this.#places) await line[Symbol.asyncDispose]();
  }

  /** One fault, from its beginning to its end. */
  async #befall(): Promise<void> {
    const { leaseMs, database, watch } = this.#parts;
    const kind = KINDS[Math.floor(this.#drawn() * KINDS.length)];
    if (kind === 'database') {
      if (this.#isDatabaseDown) return;
      this.counts.database++;
      this.#isDatabaseDown = true;
      this.#tell('database killed');
      watch.disturb();
      await database.crash(leaseMs * this.#between(0, 0.7));
      watch.disturb();
      this.#tell('database up');
      this.#isDatabaseDown = false;
      this.#databaseUpAt = Date.now();
      return;
    }
    const able = this.#places.filter(({ isHit, node }) => !isHit && (node === undefined) === (kind === 'joined'));
    const place = able[Math.floor(this.#drawn() * able.length)];
    if (place === undefined || (place.node !== undefined && hasEnded(place.node))) return;
    place.isHit = true;
    const name = await this.#nameOf(place);
    // A node that starts up while its line is cut ends at once, and says so.
    if (name !== undefined || kind === 'killed' || kind === 'joined') {
      this.counts[kind]++;
      this.#tell(`${place.number} ${kind}`);
      if (!this.#places.some((other) => this.#isAtWork(other))) setTimeout(() => watch.disturb(), 1);
      await this.#hit(kind, place, name);
      this.#tell(`${place.number} ${kind}: over`);
    }
    place.isHit = false;
  }

  async #hit(kind: Exclude<FaultKind, 'database'>, place: Place, name: string | undefined): Promise<void> {
    const { watch, leaseMs } = this.#parts;
    const { node, line } = place;
    const [share, isSilent, comesBack] = [this.#drawn(), this.#drawn() < 0.5, this.#drawn() < 0.7];
    if (node === undefined) return this.#join(place);
    if (kind === 'killed') {
      if (name !== undefined) watch.hit(name, 'killed');
      node.child.kill('SIGKILL');
    } else if (kind === 'held') {
      if (name !== undefined) watch.hit(name, 'held');
      node.child.kill('SIGSTOP');
      await this.#pause(leaseMs * (0.3 + 2.2 * share));
      if (name !== undefined) watch.healed(name);
      node.child.kill('SIGCONT');
      return;
    } else if (kind === 'cut') {
      if (name !== undefined) watch.hit(name, 'cut off');
      line.cut(isSilent ? 'silent' : 'broken');
      await this.#pause(leaseMs * (0.3 + 2.7 * share));
      if (name !== undefined) watch.healed(name);
      line.heal();
      return;
    } else if (kind === 'drained' && name !== undefined) {
      if ((await this.#parts.cluster.call('cluster', 'drain', name)).status !== 0) return;
    } else node.child.kill('SIGTERM');
    await this.#awaitEnd(place, kind === 'killed' ? [null, 0] : kind === 'drained' ? [0] : [0, 130]);
    place.node = undefined;
    await this.#pause(leaseMs * 1.5 * share);
    // Others are for whoever joins.
    if (comesBack) this.#join(place);
  }

  /** As the cluster knows it; undefined before the first beat of its process, and while the database is down. */
  async #nameOf({ number, joinedAt }: Place): Promise<string | undefined> {
    const { cluster } = this.#parts;
    const folder = join(cluster.folder, String(number));
    const view = await cluster.view().catch(() => undefined);
    const age = Date.now() - joinedAt;
    return view?.nodes.find(({ home, lagMs }) => home?.folder === folder && lagMs < age)?.name;
  }

  #join(place: Place): void {
    const { cluster, schema } = this.#parts;
    place.joinedAt = Date.now();
    const node = cluster.join(place.number, '--store', place.line.url(schema));
    place.node = node;
    this.#tell(`${place.number} joins`);
    void node.ended.then(async ({ code, stderr }) => {
      this.#tell(`${place.number} ended with ${code} ${stderr.slice(0, 200)}`);
      // It may start while the database is down: whoever keeps nodes running starts it again.
      if (code !== STORE_AWAY || place.node !== node || !this.#wasDatabaseDown(place)) return;
      // Where it is cut off as well, it comes back with the next thing that would have hit it.
      if (place.isHit) place.node = undefined;
      else this.#join(place);
    });
  }

  async #awaitEnd(place: Place, codes: readonly (number | null)[]): Promise<void> {
    for (let node = place.node; node !== undefined; node = place.node) {
      const { code, stderr } = await node.ended;
      await this.#pause(100);
      if (place.node !== node) continue;
      const isAway = code === STORE_AWAY && this.#wasDatabaseDown(place);
      if (!codes.includes(code) && !isAway)
        this.problems.push(`node ${place.number} ended with ${code}: ${stderr.slice(-2000)}`);
      return;
    }
  }

  /** While it started, or within its last seconds. */
  #wasDatabaseDown({ joinedAt }: Place): boolean {
    const { leaseMs } = this.#parts;
    const isYoung = Date.now() - joinedAt < STARTS_WITHIN_MS;
    return this.#isDatabaseDown || this.#databaseUpAt > (isYoung ? joinedAt : Date.now() - leaseMs);
  }

  #isAtWork({ node, joinedAt, isHit }: Place): boolean {
    return !isHit && node !== undefined && Date.now() - joinedAt > 2 * this.#parts.leaseMs;
  }

  #tell(what: string): void {
    this.trace.push(`${((Date.now() - this.#began) / 1000).toFixed(2)} ${what}`);
  }

  async #pause(ms: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #drawn(): number {
    return unit(hash32(this.#parts.seed, this.#steps++, 0, PURPOSE));
  }

  #between(from: number, to: number): number {
    return from + (to - from) * this.#drawn();
  }
}

function hasEnded({ child }: RunningNode): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
