/** Where the folder of a node lies. */
export interface NodeHome {
  readonly machine: string;
  readonly folder: string;
  /** Who wrote files of its archive before it was a node, by the names that these end in. */
  readonly writers?: readonly string[];
  /** `host:port` where others can search its index. */
  readonly search?: string;
}

/** By partition: the median of the times that its last answers took, ms, and how many these were. */
export type AnswerTimes = Readonly<Record<string, readonly [ms: number, answers: number]>>;

/** What a node says of itself with every beat. */
export interface NodeReport {
  /** Share of the partitions that it takes, relative to the other nodes. */
  readonly weight: number;
  /** Pages and bytes that it has brought to this crawl so far. */
  readonly pages: number;
  readonly bytes: number;
  readonly pagesPerSecond: number;
  /** URLs that wait in its partitions, and requests under way. */
  readonly queued: number;
  readonly inFlight: number;
  /** Partitions that it took from an owner whose lease had run out. */
  readonly takeovers: number;
  /** Partitions that it lost to another node. */
  readonly lost: number;
  /** Holds its archive, and what it has learnt. Nodes of earlier versions do not say so. */
  readonly home?: NodeHome;
  /**
   * What it held (`Nodes.held`) when nothing was left to do in that and nothing was under way, in a form of its own: as long as it
   * holds exactly the same, that is so. Absent where there is something to do.
   */
  readonly idleState?: string;
  /** Where nodes are to have the partitions that answer them fastest. */
  readonly answerTimes?: AnswerTimes;
}

export interface NodeRecord extends NodeReport {
  readonly name: string;
  readonly isAlive: boolean;
  /** It is to hand over all its partitions and end. */
  readonly isDraining: boolean;
  /** Ms since its last beat, by the clock of the store. */
  readonly lagMs: number;
}

export interface PartitionRecord {
  readonly partition: number;
  readonly epoch: number;
  readonly commits: number;
  /** Undefined where nobody owns it. */
  readonly node?: string;
  /** The lease of the owner has run out. */
  readonly hasLapsed: boolean;
}

/** A partition as its owner knows it: with the commits that it has heard of. */
export interface HeldPartition {
  readonly partition: number;
  readonly epoch: number;
  readonly commits: number;
}

/** The cluster at one moment. */
export interface ClusterView {
  readonly nodes: readonly NodeRecord[];
  /** By their numbers. */
  readonly partitions: readonly PartitionRecord[];
  /** Messages that are not acknowledged. */
  readonly pending: number;
  /** No partition was written to while the rest of the view was read. False also where that was not asked. */
  readonly isStill: boolean;
}

/** The nodes that share a crawl. What is read here decides who asks for which partition; leases decide who gets it. */
export interface Nodes {
  /** All partitions that this node holds. */
  readonly held: readonly HeldPartition[];
  /**
   * Tells the others that this node lives, and looks at them; `isFirst`: it has just been started. Who has something to do (no `idleState`) knows
   * that nothing is over: messages are not counted for it, and it is not told whether all is still.
   */
  beat(report: NodeReport, isFirst?: boolean): Promise<ClusterView>;
  /** As `beat`, without a look at the others: what that reads grows with their number. */
  tell(report: NodeReport): Promise<void>;
  /** This node takes no part any more. What it has brought still counts. */
  leave(): Promise<void>;
  view(): Promise<ClusterView>;
  /** Asks a node to hand over its partitions and end. False where there is none of that name. */
  drain(name: string): Promise<boolean>;
}
