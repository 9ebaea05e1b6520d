import type { RobotsRecord } from '../content/robots.ts';
import type { CrawlTask } from '../crawl-task.ts';
import type { PartitionLease } from './partitions.ts';

/** What a settlement in one partition means for another. Applying it twice changes nothing more. */
export type MessageBody =
  /** Links to hosts of the receiver. Their sender has judged them; the receiver drops those it knows, and side requests that wait already. */
  | { readonly kind: 'links'; readonly tasks: readonly CrawlTask[] }
  /** A robots.txt that lies on a host of the sender and binds one of the receiver. Of two, the one fetched later counts. */
  | { readonly kind: 'robots'; readonly record: RobotsRecord };

export interface Message {
  /** The partition of the sender; with `number` the name of the message. */
  readonly from: number;
  readonly to: number;
  readonly number: number;
  readonly body: MessageBody;
}

/**
 * Messages between partitions. A message is written in the transaction of the settlement that it follows from, in the partition
 * of the sender; the receiver fetches it, applies it in a transaction of its own (`Frontier.accept`), and acknowledges it then.
 * So each arrives at least once: it may be repeated and overtaken, and is lost only with the settlement itself.
 */
export interface Exchange {
  /**
   * Messages for the owner of these leases that are not acknowledged, at most `max`, to each partition the oldest of each sender first. One question
   * for all partitions of a node. Nothing for a lease that was lost.
   */
  receive(leases: readonly PartitionLease[], max: number): Promise<Message[]>;
  /** Only what was applied: the sender forgets it. An owner that was fenced acknowledges nothing. */
  ack(leases: readonly PartitionLease[], messages: readonly Message[]): Promise<void>;
  /** Messages of all partitions that are not acknowledged. A crawl is not over while there are any. */
  pending(): Promise<number>;
}
