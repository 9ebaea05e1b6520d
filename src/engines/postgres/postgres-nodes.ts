import type {
  ClusterView,
  HeldPartition,
  NodeRecord,
  NodeReport,
  Nodes,
  PartitionRecord,
} from '../../contracts/state/nodes.ts';
import { type Rows, type Step, type StepRunner, storeError } from './connection.ts';
import type { PostgresPartitions } from './postgres-partitions.ts';
import { STEPS, SURVEYS } from './statements.ts';

/** Where the nodes are kept. */
const HOME = 0;

export interface NodesParts {
  readonly store: StepRunner;
  readonly storeTime: () => Promise<number>;
  readonly node: string;
  readonly leaseMs: number;
  readonly partitions: Pick<PostgresPartitions, 'numbers' | 'allHeld'>;
}

/** The nodes of a crawl, a row each. A beat and the look at all others are one round trip. */
export class PostgresNodes implements Nodes {
  readonly #parts: NodesParts;

  constructor(parts: NodesParts) {
    this.#parts = parts;
  }

  get held(): readonly HeldPartition[] {
    return this.#parts.partitions.allHeld;
  }

  async beat(report: NodeReport, isFirst = false): Promise<ClusterView> {
    const { node, leaseMs } = this.#parts;
    const now = await this.#time();
    const beat: Step = [STEPS.beat, HOME, node, now, now + leaseMs, JSON.stringify(report), isFirst];
    return await (report.idleState === undefined ? this.#look(now, beat) : this.#survey(now, [beat]));
  }

  async tell(report: NodeReport): Promise<void> {
    const { node, leaseMs } = this.#parts;
    const now = await this.#time();
    await this.#run([[STEPS.beat, HOME, node, now, now + leaseMs, JSON.stringify(report), false]]);
  }

  async leave(): Promise<void> {
    await this.#run([[STEPS.leave, HOME, this.#parts.node]]);
  }

  async announce(name: string, report: NodeReport): Promise<void> {
    const now = await this.#time();
    // Seen, but not alive: it takes no partitions.
    await this.#run([[STEPS.beat, HOME, name, now, now, JSON.stringify(report), false]]);
  }

  async view(): Promise<ClusterView> {
    return await this.#survey(await this.#time(), []);
  }

  async drain(name: string): Promise<boolean> {
    const [rows] = await this.#run([[STEPS.drain, HOME, name]]);
    return rows.length > 0;
  }

  /** For a node that has something to do: nothing is over. */
  async #look(now: number, beat: Step): Promise<ClusterView> {
    const [, owners, nodes] = await this.#run([
      beat,
      [SURVEYS.owners, this.#parts.partitions.numbers],
      [SURVEYS.nodes, '{0}'],
    ]);
    return {
      nodes: nodes.map((row) => nodeOf(row, now)),
      partitions: owners.map((row) => partitionOf(row, now)),
      ...{ pending: 0, isStill: false },
    };
  }

  /** Partitions are read before and after all else: what was not written to meanwhile belongs together. */
  async #survey(now: number, first: readonly Step[]): Promise<ClusterView> {
    const { numbers } = this.#parts.partitions;
    const answers = await this.#run([
      ...first,
      [SURVEYS.owners, numbers],
      [SURVEYS.nodes, '{0}'],
      [SURVEYS.pending, numbers],
      [SURVEYS.owners, numbers],
    ]);
    const [before, nodes, [{ pending }], after] = answers.slice(first.length);
    const stateOf = (owners: Rows): string => JSON.stringify(owners.map(({ epoch, commits }) => [epoch, commits]));
    return {
      nodes: nodes.map((row) => nodeOf(row, now)),
      partitions: after.map((row) => partitionOf(row, now)),
      pending: Number(pending),
      isStill: stateOf(before) === stateOf(after),
    };
  }

  async #time(): Promise<number> {
    try {
      return await this.#parts.storeTime();
    } catch (error) {
      throw storeError(error);
    }
  }

  async #run(steps: readonly Step[]): Promise<Rows[]> {
    try {
      return await this.#parts.store.run(steps);
    } catch (error) {
      throw storeError(error);
    }
  }
}

function nodeOf(row: Rows[number], now: number): NodeRecord {
  return {
    ...(JSON.parse(String(row.report)) as NodeReport),
    name: String(row.name),
    isAlive: Number(row.seen_until) > now,
    isDraining: row.draining === true,
    lagMs: Math.max(0, now - Number(row.seen_at)),
  };
}

function partitionOf(row: Rows[number], now: number): PartitionRecord {
  return {
    partition: Number(row.part),
    epoch: Number(row.epoch),
    commits: Number(row.commits),
    ...(row.node === null ? {} : { node: String(row.node) }),
    hasLapsed: row.node !== null && Number(row.lease_until) <= now,
  };
}
