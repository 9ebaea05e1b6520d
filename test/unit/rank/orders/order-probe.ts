import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { CrawlOrder, EarlierRuns, OrderedVisit, PlaceHints } from '../../../../src/contracts/crawl-order.ts';
import type { CrawlTask, Discovery } from '../../../../src/contracts/crawl-task.ts';
import type { Place, PlaceChange } from '../../../../src/contracts/place.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';

export function task(url: string, depth = 1, discovery: Discovery = { how: 'link' }): CrawlTask {
  return {
    url: url as CanonicalUrl,
    fingerprint: fingerprint(url),
    host: new URL(url).host as HostKey,
    depth,
    redirects: 0,
    lane: 0,
    discovery,
    purpose: 'page',
  };
}

/** Goes through with a restart; the places that it changes. */
export async function restored(order: CrawlOrder, earlier: EarlierRuns): Promise<PlaceChange[]> {
  const changes: PlaceChange[] = [];
  for await (const batch of order.restore(earlier)) changes.push(...batch);
  return changes;
}

/** Plays the crawl's part towards an order: remembers what is known and where it stands. */
export class OrderProbe {
  readonly order: CrawlOrder;
  readonly places = new Map<string, Place>();
  readonly #urls = new Map<bigint, string>();

  constructor(order: CrawlOrder) {
    this.order = order;
  }

  seed(url: string): void {
    this.#place(task(url, 0, { how: 'seed' }));
  }

  /** The page is visited, its new links are placed, and what moves is moved. */
  visit(
    url: string,
    links: readonly string[],
    more: Partial<OrderedVisit> = {},
    hints?: PlaceHints,
  ): readonly PlaceChange[] {
    const unknown = links.flatMap((link, at) => (this.places.has(link) ? [] : [at]));
    const changes = this.order.visited({
      task: task(url),
      fingerprint: fingerprint(url),
      at: 0,
      found: true,
      links: BigUint64Array.from(links, (link) => fingerprint(link)),
      unknown,
      ...more,
    });
    this.#move(changes);
    for (const at of unknown) this.#place(task(links[at], 2, { how: 'link', from: url as CanonicalUrl }), hints);
    return changes;
  }

  maintain(): readonly PlaceChange[] {
    const changes = this.order.maintain(0);
    this.#move(changes);
    return changes;
  }

  laneOf(url: string): number {
    return (this.places.get(url) as Place).lane;
  }

  whyOf(url: string): string {
    return (this.places.get(url) as Place).why ?? '';
  }

  #place(of: CrawlTask, hints?: PlaceHints): void {
    this.#urls.set(of.fingerprint as bigint, of.url);
    this.places.set(of.url, this.order.place(of, hints));
  }

  #move(changes: readonly PlaceChange[]): void {
    for (const change of changes) this.places.set(this.#urls.get(change.fingerprint) as string, change);
  }
}
