import type { Link, ListEntry } from '../../contracts/content/page.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { CrawlTask, Discovery, LinkRefusal, RefusedBy } from '../../contracts/crawl-task.ts';
import type { Frontier, JudgedLinks } from '../../contracts/frontier.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { Focused } from '../learning/focus.ts';
import type { HeldBack } from '../learning/page-classifier.ts';
import { linksOf, type PageWork } from '../visit/page-work.ts';
import { type PackedLinks, unpackLinks } from '../workers/packed-links.ts';
import { unknownLinks } from './unknown-links.ts';

/** Lanes past the last count as the last. */
const LAST_LANE = 255;
/** The protocol knows no index of indexes; a few are met all the same. A chain of them without end is a trap. */
const MOST_INDEXES = 3;

export interface LinkRules {
  readonly filter: UrlFilter;
  readonly order: CrawlOrder;
  /** What the crawl has learnt of a link that the filter lets in. */
  readonly learnt?: (task: CrawlTask) => HeldBack | undefined;
}

/** What of the standing of a page counts for its links. */
export interface LinkStanding {
  /** Its links come last. */
  readonly doubtful?: boolean;
  readonly focused?: Pick<Focused, 'promise' | 'offTopic' | 'deadEnd'>;
  /** Its links are left alone, as it is a copy, or nearly one, of this page. */
  readonly copyOf?: string;
}

/** The links of one page that are to be judged. */
export interface LinksToJudge {
  readonly page: Pick<CrawlTask, 'url' | 'depth'>;
  readonly links: PackedLinks;
  /** The page's own words against following any of them. */
  readonly nofollow?: string;
  readonly standing: LinkStanding;
}

interface Candidate {
  readonly task: CrawlTask;
  readonly link?: Link;
  readonly promise?: number;
  readonly doubtful?: boolean;
}

export const NOTHING_FOUND: JudgedLinks = { links: [], refusals: [] };
const TOO_MANY_INDEXES = { admit: false, by: 'depth', rule: 'a sitemap behind too many indexes' } as const;
const ALL_KNOWN: readonly number[] = [];

/** Which links go on: by the rules, by what was learnt, each with its place in the order. */
export class LinkJudge {
  readonly #frontier: Pick<Frontier, 'unknown'>;
  readonly #rules: LinkRules;
  /** Links of the batch that were let in: one that two pages hold is judged once. */
  readonly #admitted = new Map<bigint, CrawlTask>();

  constructor(frontier: Pick<Frontier, 'unknown'>, rules: LinkRules) {
    this.#frontier = frontier;
    this.#rules = rules;
  }

  /** Begins a batch of visits: for each of them the places of its links that are worth judging. */
  async openBatch(works: readonly PageWork[]): Promise<readonly (readonly number[])[]> {
    this.#admitted.clear();
    const pages = works.flatMap((work) => linksOf(work) ?? []);
    const unknown = (await unknownLinks(this.#frontier, pages)).values();
    return works.map((work) => (linksOf(work) === undefined ? ALL_KNOWN : (unknown.next().value ?? ALL_KNOWN)));
  }

  /** The links of a page that had to wait. Some may be known by now. */
  async ofWaiting(waiting: LinksToJudge): Promise<JudgedLinks> {
    this.#admitted.clear();
    const [unknown] = await unknownLinks(this.#frontier, [waiting.links]);
    return this.ofPage(waiting, unknown);
  }

  /** What becomes of the links at the given places of a page. */
  ofPage({ page, links: packed, nofollow, standing }: LinksToJudge, places: readonly number[]): JudgedLinks {
    const { doubtful = false, focused, copyOf } = standing;
    const depth = page.depth + 1;
    const candidates = unpackLinks(packed, places).map((link, i): Candidate => {
      const task = {
        url: link.url,
        fingerprint: packed.fingerprints[places[i]],
        host: hostKeyOf(link.url),
        depth,
        redirects: 0,
        lane: 0,
        ...(focused === undefined ? {} : { offTopic: focused.offTopic }),
        discovery: {
          how: howFound(link),
          from: page.url,
          ...anchorOf(link),
        },
        purpose: 'page' as const,
      };
      if (!this.#rules.order.moves) task.lane = plainLane(task, link, doubtful, this.#rules.order);
      return { task, link, doubtful, ...(focused === undefined ? {} : { promise: focused.promise[places[i]] }) };
    });
    if (nofollow !== undefined)
      return this.#refuse(candidates, 'directive', `the page that links to it says ${nofollow}`);
    if (copyOf !== undefined)
      return this.#refuse(
        candidates,
        'duplicate',
        `the page that links to it is a duplicate of ${copyOf} (duplicate-links: skip)`,
      );
    if (focused?.deadEnd === undefined) return this.#sort(candidates);
    return this.#refuse(candidates, 'topic', focused.deadEnd);
  }

  /**
   * For a reason that lies in the page. Refused URLs are judged again without their links when settings change, so what speaks against the
   * link itself is heeded here: its kind, and rel=nofollow.
   */
  #refuse(candidates: readonly Candidate[], by: RefusedBy, rule: string): JudgedLinks {
    const refusals: LinkRefusal[] = [];
    for (const { task, link } of candidates) {
      const verdict = this.#rules.filter.judge(task, link);
      if (!verdict.admit && verdict.by === 'link-kind') continue;
      if (!verdict.admit && verdict.by === 'directive') refusals.push({ task, by: verdict.by, rule: verdict.rule });
      else refusals.push({ task, by, rule });
    }
    return { links: [], refusals };
  }

  /** What becomes of URLs that no link of the page leads to: redirects, sitemaps of robots.txt, mirrors. */
  ofTasks(tasks: readonly CrawlTask[]): JudgedLinks {
    return this.#sort(tasks.map((task) => ({ task })));
  }

  #sort(candidates: readonly Candidate[]): JudgedLinks {
    const { filter } = this.#rules;
    const links: CrawlTask[] = [];
    const refusals: LinkRefusal[] = [];
    for (const candidate of candidates) {
      const { task, link } = candidate;
      const before = task.fingerprint === undefined ? undefined : this.#admitted.get(task.fingerprint);
      if (before !== undefined) {
        // Told once more: the settlement that named it first may come too late.
        links.push(before);
        continue;
      }
      const verdict = isEndlessIndex(task) ? TOO_MANY_INDEXES : filter.judge(task, link);
      const held = verdict.admit ? this.#learnt(task, link) : undefined;
      if (held !== undefined) {
        refusals.push({ task, by: held.by, rule: held.rule });
        if (held.instead !== undefined) links.push(this.#placed(held.instead, candidate));
      } else if (verdict.admit) {
        const admitted = this.#placed(task, candidate);
        if (task.fingerprint !== undefined) this.#admitted.set(task.fingerprint, admitted);
        links.push(admitted);
      }
      // What speaks of the link alone says nothing of the URL, which another link may well lead to.
      else if (verdict.by !== 'link-kind') refusals.push({ task, by: verdict.by, rule: verdict.rule });
    }
    return { links, refusals };
  }

  /** The place by all that is known: to be asked for a URL that comes in, and for no other. */
  #placed(task: CrawlTask, { link, promise, doubtful }: Candidate): CrawlTask {
    const { order } = this.#rules;
    if (!order.moves) return task;
    const { lane, why } = order.place(task, {
      ...(link === undefined ? {} : { link }),
      ...(promise === undefined ? {} : { promise }),
    });
    if (doubtful === true) return { ...task, lane: LAST_LANE, why: 'a page that is likely spam leads here' };
    return { ...task, lane, ...(why === undefined ? {} : { why }) };
  }

  /** What is held back in favour of a URL that the filter does not let in is not held back for that. */
  #learnt(task: CrawlTask, link: Link | undefined): HeldBack | undefined {
    const rules = this.#rules;
    const held = rules.learnt?.(task);
    if (held?.instead === undefined || rules.filter.judge(held.instead, link).admit) return held;
    held.letIn?.();
    const again = rules.learnt?.(task);
    return again?.instead === undefined ? again : { by: again.by, rule: again.rule };
  }
}

/** The place that follows from the link alone. Links of spam come last, new items of a feed first. */
function plainLane(task: CrawlTask, link: Link, doubtful: boolean, order: CrawlOrder): number {
  if (doubtful) return LAST_LANE;
  return link.kind === 'feed' ? 0 : order.place(task).lane;
}

/** Sitemaps that robots.txt names have depth 0, those that they list one more. */
function isEndlessIndex({ discovery, depth }: CrawlTask): boolean {
  return discovery.how === 'sitemap-file' && discovery.from !== undefined && depth > MOST_INDEXES;
}

function howFound(link: Link): Discovery['how'] {
  if (link.kind === 'feed') return 'feed';
  if (link.kind === 'sitemap') return link.rel === 'sitemap' ? 'sitemap-file' : 'sitemap';
  return link.kind === 'link' && link.rel.includes('canonical') ? 'canonical' : 'link';
}

/** For people: what a sitemap says of a page, where a link has its text. */
function anchorOf({ text, kind, entry }: Link): Pick<Discovery, 'anchor'> {
  const anchor = text === '' && kind === 'sitemap' && entry !== undefined ? formatEntry(entry) : text;
  return anchor === '' ? {} : { anchor };
}

function formatEntry({ modified, changeFrequency, priority }: ListEntry): string {
  const said: string[] = [];
  if (modified !== undefined) said.push(`lastmod ${new Date(modified).toISOString()}`);
  if (changeFrequency !== undefined) said.push(`changefreq ${changeFrequency}`);
  if (priority !== undefined) said.push(`priority ${priority}`);
  return said.join(', ');
}
