/** Each look reads the rows of all partitions: with ten times as many nodes each looks a tenth as often, and all together cost ten times as much, not a hundred times. */
const LOOK_MS_PER_NODE = 10;
/** Looks in the time of a lease, at least: who has died is noticed soon after its lease has ended. */
const LOOKS_PER_LEASE = 3;

export interface LookOptions {
  /** Nodes that live. */
  readonly nodes: number;
  /** A node says so often that it lives. */
  readonly beatMs: number;
  readonly leaseMs: number;
  readonly msPerNode?: number | undefined;
}

/** How often a node looks at the whole cluster. */
export function lookInterval({ nodes, beatMs, leaseMs, msPerNode = LOOK_MS_PER_NODE }: LookOptions): number {
  return Math.max(beatMs, Math.min(nodes * msPerNode, leaseMs / LOOKS_PER_LEASE));
}
