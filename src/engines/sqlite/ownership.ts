import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { HostKey } from '../../contracts/url.ts';

/** The other partitions of a crawl, for the frontier of one of them. */
export interface Neighbours {
  /** Whether another partition has the host. */
  isForeign(host: HostKey): boolean;
  /** Called within the transaction that they follow from; they leave with it or not at all. */
  sendLinks(tasks: readonly CrawlTask[]): void;
  sendRobots(record: RobotsRecord): void;
}

/** On what terms a frontier is open. */
export interface Ownership {
  /** False once the state was given to another owner; from then on nothing is written. */
  isOwned(): boolean;
  /** How long requests of the owner before may go on; 0 where its process has surely ended. */
  readonly stillAskingMs: number;
  readonly neighbours?: Neighbours;
  /** It is a copy that nobody else reads: changes go together until they are asked for. */
  readonly isGathering?: boolean;
}

/** Nobody else can have it. */
export const SOLE_OWNER: Ownership = { isOwned: () => true, stillAskingMs: 0 };
