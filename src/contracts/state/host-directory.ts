import type { RobotsRecord } from '../content/robots.ts';
import type { HostRecord } from '../page-store.ts';
import type { HostTally } from './monitor.ts';

/** By what a list of hosts is sorted. 'next': by the time of the next request; 'slack': by the tightest pause beside what was owed. */
export type HostOrder = 'host' | 'queued' | 'pages' | 'bytes' | 'slow' | 'next' | 'errors' | 'slack';

/** A place in a sorted list: the value of the last row that was shown, and its number. */
export interface HostPlaceInList {
  readonly value: string | number;
  readonly id: number;
}

export interface HostQuery {
  readonly order: HostOrder;
  readonly descending: boolean;
  /** Part of the name. */
  readonly search?: string;
  readonly after?: HostPlaceInList;
  readonly limit: number;
}

/** A host with all that its row in the table shows. */
export interface ListedHost {
  readonly record: HostRecord;
  readonly tally?: HostTally;
  /** What is known of its robots.txt, by http or https. */
  readonly robots?: Pick<RobotsRecord, 'state' | 'why' | 'fetchedAt'>;
}

export interface HostListPage {
  readonly hosts: readonly ListedHost[];
  /** Absent at the end of the list. */
  readonly next?: HostPlaceInList;
  /** Hosts that the search matches; all of them without a search. */
  readonly matching: number;
  /** When the order was made; the values of each row are those of now. */
  readonly sortedAt: number;
}

/**
 * All hosts of a crawl, sorted and searched. The order is taken from a copy that is made again every few seconds while somebody asks,
 * so that no question goes through all hosts; the rows shown are read fresh.
 */
export interface HostDirectory extends AsyncDisposable {
  list(query: HostQuery): Promise<HostListPage>;
}
