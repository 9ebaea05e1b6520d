import type { Analyze } from './analyze.ts';
import type { RankingOptions } from './ranking-options.ts';
import type { IndexDisk } from './store/index-disk.ts';

export interface SegmentIndexOptions {
  readonly folder: string;
  readonly analyze: Analyze;
  /** Reads what another process writes; every snapshot sees its last commit. */
  readonly readOnly?: boolean;
  readonly ranking?: RankingOptions;
  readonly disk?: IndexDisk;
  /** Bytes of postings kept in memory. Default: 256 MB. */
  readonly cacheBytes?: number;
  /** This many segments of about one size are merged into one when there are twice as many. Default: 12. */
  readonly mergeWidth?: number;
  /** Names a new index. Default: a random UUID. */
  readonly newId?: () => string;
}
