import type { Link } from './content/page.ts';
import type { CrawlTask, RefusedBy } from './crawl-task.ts';

export type FilterVerdict =
  | { readonly admit: true }
  | { readonly admit: false; readonly by: RefusedBy; readonly rule: string };

/** Judges a link before it enters the frontier. Pure; one that throws refuses. */
export interface UrlFilter {
  judge(task: CrawlTask, link?: Link): FilterVerdict;
}
