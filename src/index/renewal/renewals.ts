import type { RankingOptions } from '../ranking-options.ts';
import type { DocumentChanges } from '../store/document-changes.ts';
import type { IndexDisk } from '../store/index-disk.ts';
import type { PostingsCache } from '../store/postings-cache.ts';
import { Segment } from '../store/segment.ts';
import { discardSegment, renewSegment } from './renew-segment.ts';

export interface RenewalsParts {
  readonly disk: IndexDisk;
  readonly folder: string;
  readonly ranking: RankingOptions;
  readonly cache: PostingsCache;
  /** The name of the next segment. */
  readonly newName: () => string;
}

/** Renewed segments that wait for one commit. */
export class Renewals {
  /** Each with the one that it was made from. */
  readonly renewed: Map<Segment, Segment> = new Map();
  readonly #parts: RenewalsParts;
  /** Each is under way while the next segment is renewed: to wait for one after the other takes longer than to write them. */
  readonly #synced: Promise<void>[] = [];

  constructor(parts: RenewalsParts) {
    this.#parts = parts;
  }

  async renew(segment: Segment, changes: DocumentChanges): Promise<void> {
    const { disk, folder, ranking, cache, newName } = this.#parts;
    const name = newName();
    const sync = await renewSegment({ disk, folder, segment, changes, name, ranking });
    const synced = sync();
    // Told by whoever waits for it.
    synced.catch(() => undefined);
    this.#synced.push(synced);
    this.renewed.set(segment, new Segment(folder, name, cache));
  }

  /** Resolves when all would survive a power failure. */
  async durable(): Promise<void> {
    await Promise.all(this.#synced);
  }

  /** Gives up what was written. */
  discard(): void {
    for (const segment of this.renewed.values()) {
      segment.release();
      discardSegment(this.#parts.disk, this.#parts.folder, segment.name);
    }
    this.renewed.clear();
  }
}
