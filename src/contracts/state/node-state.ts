import type { ArchiveLocation } from '../archive-location.ts';
import type { CrawlState } from './crawl-state.ts';
import type { NodeReport, Nodes } from './nodes.ts';
import type { VersionedNotes } from './notes.ts';
import type { SettledBytes } from './state-reader.ts';

/** What anybody may read of a crawl that several nodes share. */
export interface StoreView extends AsyncDisposable {
  readonly notes: VersionedNotes;
  readonly nodes: Pick<Nodes, 'view' | 'drain'> & {
    /** Replaces what a node that does not work says of itself, such as where others can search its index. */
    announce(name: string, report: NodeReport): Promise<void>;
  };
}

/** What becomes of an index whose pages are not those of the store. */
export interface KeptPages {
  /** Pages that another node has by now, or that were deleted. */
  readonly onGone: (urls: readonly string[]) => Promise<void>;
  /** The store has lost commits: what was indexed may never have been, or lie elsewhere. */
  readonly onSetBack: () => Promise<void>;
}

/** The state of a crawl that several nodes share, as one of them sees it. */
export interface NodeState extends CrawlState {
  /** Of the crawl, whatever address its store has. */
  readonly id: string;
  readonly nodes: Nodes;
  /** How much of the archive files of these writers belongs to settled pages, in whatever partition. */
  archiveFiles(writers: readonly string[]): Promise<Map<string, SettledBytes>>;
  /** From now on the pages in the archive of this node are kept in its folder, for its index; those of earlier runs are compared first. */
  keepPages(options: KeptPages): Promise<void>;
  /** All visits of this node that end before these places of its archive have been settled, or never will be: its index may go so far. */
  settledUpTo(places: readonly ArchiveLocation[]): void;
}
