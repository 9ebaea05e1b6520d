import type { CrawlState } from './crawl-state.ts';
import type { Nodes } from './nodes.ts';
import type { VersionedNotes } from './notes.ts';
import type { SettledBytes } from './state-reader.ts';

/** What anybody may read of a crawl that several nodes share. */
export interface StoreView extends AsyncDisposable {
  readonly notes: VersionedNotes;
  readonly nodes: Pick<Nodes, 'view' | 'drain'>;
}

/** The state of a crawl that several nodes share, as one of them sees it. */
export interface NodeState extends CrawlState {
  /** Of the crawl, whatever address its store has. */
  readonly id: string;
  readonly nodes: Nodes;
  /** How much of the archive files whose names end so belongs to settled pages, in whatever partition. */
  archiveFiles(ending: string): Promise<Map<string, SettledBytes>>;
}
