import type { ForecastThread } from './timed-cores.ts';

export interface Host {
  readonly partition: number;
  /** Those of its partition that are due. */
  readonly due: Host[];
  readonly node: ForecastNode;
  /** Pages that were found, those from `next` on not visited yet. */
  readonly queue: number[];
  next: number;
  knowsRobots: boolean;
  /** It is due, being asked, or at rest. */
  isTaken: boolean;
  lastEnd: number;
}

export interface Visit {
  readonly host: Host;
  /** Undefined: its robots.txt. */
  readonly page: number | undefined;
  endedAt: number;
}

export interface OutgoingLink {
  readonly node: ForecastNode;
  readonly from: number;
  readonly to: Host;
  readonly page: number;
}

export interface ForecastNode {
  readonly number: number;
  readonly thread: ForecastThread;
  readonly others: ForecastThread;
  /** Hosts that are due, by partition, first come first served; and the partition that is claimed from next. */
  readonly due: Host[][];
  turn: number;
  /** Requests that are not answered, and answers that are not read. */
  asking: number;
  unread: number;
  read: Visit[];
  /** Visits that are settled, and whose transaction is to come; the links to other partitions that go with it. */
  gathered: Visit[];
  outgoing: OutgoingLink[];
  isGathering: boolean;
  /** Called when what is gathered has left. */
  left: () => void;
  /** It starts, settles or claims. */
  isBusy: boolean;
  requests: number;
  pages: number;
  readonly sent: Set<number>;
  /** Pages that others have sent links to, and the partitions that they go to and come from. */
  inbox: number[];
  receivers: Set<number>;
  senders: Set<number>;
  /** It looks for messages, or is about to; and when it last had. */
  isLooking: boolean;
  lookedAt: number;
}
