/** The part of a crawl folder that a problem lies in. */
export type FolderArea = 'state' | 'archive' | 'index';

/** Something in a crawl folder that is not as it should be. */
export interface FolderProblem {
  readonly area: FolderArea;
  /** Stable, for programs. */
  readonly code: string;
  /** One sentence. */
  readonly what: string;
  /** Of whatever `what` speaks of. */
  readonly count: number;
}
