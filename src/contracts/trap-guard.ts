import type { CrawlTask } from './crawl-task.ts';
import type { CanonicalUrl } from './url.ts';

/** What a visit brought that was not there before. */
export type Novelty =
  | 'new'
  | 'near-duplicate'
  | 'duplicate'
  | 'soft-not-found'
  | 'gone'
  | 'failed'
  | 'redirected'
  | 'refused';

/** What the visit of a URL says of the pattern it belongs to. */
export interface VisitEvidence {
  readonly task: CrawlTask;
  readonly novelty: Novelty;
  /** Links found on the page, each URL once, and how many of them nobody had named before. */
  readonly links: number;
  readonly unknownLinks: number;
  /** The links that were known before. Made on demand: asked for only where the numbers leave doubt. */
  readonly known?: () => readonly CanonicalUrl[];
  readonly fetchMs: number;
  readonly bytes: number;
  /** Of a copy or near copy: of which page. One at the same path of another host says nothing of the pattern. */
  readonly copyOf?: CanonicalUrl;
  /** Of the text, however short; absent where none was read. Pages are the same form only if their texts are alike. */
  readonly simhash?: bigint;
  /** Of the text. */
  readonly words?: number;
}

export type TrapVerdict =
  | { readonly held: false }
  /** `pattern` names the group of URLs that is held, as the switch takes it; `reason` says on what evidence. */
  | { readonly held: true; readonly pattern: string; readonly reason: string };

/** What is known of one pattern; for status, explain and the switch. */
export interface PatternReport {
  readonly pattern: string;
  readonly state: 'open' | 'slowed' | 'held' | 'opened-by-hand' | 'held-by-hand';
  readonly reason?: string;
  /** It is open, large and all new, and each page leads to ever more of its kind: only the user can tell whether it has an end. */
  readonly growing?: true;
  readonly known: number;
  readonly visits: number;
  readonly novel: number;
  readonly nearDuplicates: number;
  readonly duplicates: number;
  readonly failures: number;
  /** URLs of it that were named by pages outside it. */
  readonly fromElsewhere: number;
}

/**
 * Learns which groups of URLs yield nothing, slows them down, and holds them back if samples yield nothing either, reversibly. It is asked twice: before a link enters the
 * frontier and again before its URL is asked for, since more is known by then. It never forgets a URL: what it holds is
 * kept by the caller and comes back when the pattern is opened.
 */
export interface TrapGuard {
  /** The user asked for the host of this URL: new content is never held against it, nor soon against other hosts of its domain. */
  wants(url: CanonicalUrl): void;
  /** A link that nobody had named before has been found. Counts it for its pattern, then judges it. */
  found(task: CrawlTask): TrapVerdict;
  /** The same without counting: of a URL that is about to be asked for. */
  judge(task: CrawlTask): TrapVerdict;
  /** A visit has ended. Comes after `found` of the links of its page: a page with none found leads nowhere new. */
  observe(evidence: VisitEvidence): void;
  /** Most telling first: the held ones, then the largest. */
  report(limit: number): readonly PatternReport[];
  /** The switch: 'open' and 'hold' overrule what is learnt, 'learn' gives it back. */
  set(pattern: string, state: 'open' | 'hold' | 'learn'): void;
  /** Nothing is under way any more: samples that were let through and never visited make room for others. */
  freeSamples(): void;
  /** Plain JSON, bounded; what `restore` takes. */
  snapshot(): unknown;
  restore(snapshot: unknown): void;
}
