import type { RefusedBy } from '../contracts/crawl-task.ts';
import type { FilterVerdict, UrlFilter } from '../contracts/url-filter.ts';

/** One link of the filter chain. */
export interface Rule extends UrlFilter {
  /** Said when the rule itself fails. */
  readonly name: string;
  /** It is asked of files as well; others speak of URLs of the web. */
  readonly forFiles?: true;
}

/** Shared: verdicts are made for every link of every page. */
export const ADMIT: FilterVerdict = Object.freeze({ admit: true });

export function refuse(by: RefusedBy, rule: string): FilterVerdict {
  return { admit: false, by, rule };
}
