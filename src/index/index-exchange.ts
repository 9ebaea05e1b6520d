import type { Deletions } from './store/deletions.ts';
import type { IndexDisk } from './store/index-disk.ts';
import type { Segment } from './store/segment.ts';
import type { SegmentState } from './store/segment-state.ts';

/** What others have prepared for one commit: segments that arrive, those that take the place of others, documents that are gone. */
export interface IndexExchange {
  readonly replaced: ReadonlyMap<Segment, Segment>;
  readonly arrived: readonly { readonly segment: Segment; readonly deletions: Deletions }[];
  /** Of segments as they are after the exchange. */
  readonly gone: ReadonlyMap<Segment, Iterable<number>>;
  readonly place: unknown;
}

/** What an exchange is prepared with. */
export interface ExchangeBasis {
  readonly folder: string;
  readonly disk: IndexDisk;
  readonly states: readonly SegmentState[];
  readonly newName: () => string;
  readonly open: (name: string) => Segment;
}
