import type { OrderedVisit, PlaceHints } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { WaitingPlace } from '../../contracts/place.ts';
import type { PageNumber } from './page-table.ts';

/** A visit with the numbers of the pages. */
export interface NumberedVisit {
  readonly page: PageNumber;
  /** Pages that are linked to; -1 where nothing is kept of one. Only the first `count` are meant. */
  readonly targets: Int32Array;
  readonly count: number;
  /** The page was visited before: of its links only the fresh ones were not counted yet. */
  readonly again: boolean;
  /** 1 for each link to a page that was not met before. */
  readonly fresh: Uint8Array;
  readonly visit: OrderedVisit;
}

/** One kind of reason to visit a URL sooner. Its worth is in doublings (links, rank, distance), so kinds compare. */
export interface Evidence {
  /** It follows from what the user says, and from nothing that a crawl finds out. */
  readonly isWish?: true;
  /** Of a page that waits. */
  worth(page: PageNumber): number;
  /** The same in words, or undefined where it says nothing. */
  say(page: PageNumber): string | undefined;
  visited?(visit: NumberedVisit): void;
  /** A sitemap was read that gives its pages priorities; called before `visited`, which is not called for a sitemap file. */
  listed?(visit: NumberedVisit): void;
  /** A page begins to wait. */
  entered?(page: PageNumber, task: CrawlTask, hints: PlaceHints | undefined): void;
  /** Called after `entered` of a page that waited when an earlier run ended: what the queue has kept of it. */
  restored?(page: PageNumber, waiting: WaitingPlace): void;
  /** A page waits no more; called before `visited`. */
  left?(page: PageNumber): void;
  /** The visit of `from` led to `to` by a redirect: what spoke for the one speaks for the other. */
  redirected?(from: PageNumber, to: PageNumber): void;
  /** Called before all pages are judged again: the time for what is computed over all of them. */
  refresh?(): void;
}

export interface WeighedEvidence {
  readonly evidence: Evidence;
  readonly weight: number;
}

/** Whether a link of the visit is one that was not counted at an earlier visit. */
export function isNewLink({ targets, again, fresh }: NumberedVisit, at: number): boolean {
  return targets[at] >= 0 && (!again || fresh[at] === 1);
}
