import type { IndexSnapshot } from '../contracts/search-index.ts';
import { type SnapshotBasis, snapshotBasis } from './query/snapshot-basis.ts';
import { DEFAULT_RANKING, type RankingOptions } from './ranking-options.ts';
import { SegmentSnapshot } from './segment-snapshot.ts';
import { checkedDisk } from './store/checked-disk.ts';
import { Committed } from './store/committed.ts';
import { nodeIndexDisk } from './store/index-disk.ts';
import { PostingsCache } from './store/postings-cache.ts';

export interface SegmentIndexSetOptions {
  /** Of one index each. No document is in two of them. */
  readonly folders: readonly string[];
  readonly ranking?: RankingOptions;
  /** Bytes of postings kept in memory, for all of them together. Default: 256 MB. */
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 256 * 1024 * 1024;

/**
 * Reads several indexes as one, such as those of the nodes of a crawl. A snapshot goes over the segments of all: frequencies of words and
 * lengths of fields are those of all documents together, so that scores are those of one index that holds them all.
 */
export class SegmentIndexSet implements Disposable {
  readonly #committed: readonly Committed[];
  readonly #ranking: RankingOptions;
  #basis: SnapshotBasis | undefined;

  constructor({ folders, ranking = DEFAULT_RANKING, cacheBytes = CACHE_BYTES }: SegmentIndexSetOptions) {
    this.#ranking = ranking;
    this.#committed = folders.map((folder) => {
      // A cache for each: their segments have the same names.
      const cache = new PostingsCache(Math.floor(cacheBytes / folders.length));
      const disk = checkedDisk(nodeIndexDisk, folder, () => {});
      return new Committed(folder, disk, cache);
    });
    // What cannot be read is told at once.
    for (const committed of this.#committed) committed.refresh();
  }

  /** What was committed last to each of them. */
  snapshot(): IndexSnapshot {
    const changed = this.#committed.filter((committed) => committed.refresh());
    if (this.#basis === undefined || changed.length > 0)
      this.#basis = snapshotBasis(
        this.#committed.flatMap(({ states }) => states),
        this.#ranking,
      );
    return new SegmentSnapshot(this.#basis);
  }

  [Symbol.dispose](): void {
    for (const committed of this.#committed) committed.close();
  }
}
