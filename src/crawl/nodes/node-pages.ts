import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { Original } from '../../contracts/duplicate-index.ts';
import type { CrawlTotals, HostRecord, LastVisit, PageRecord } from '../../contracts/page-store.ts';
import type { ChangeHistory } from '../../contracts/revisit.ts';
import type { PageReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl, HostKey, Origin } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { NodePartitions } from './node-partitions.ts';

/** The pages of the partitions that a node has; nothing is known of others. */
export class NodePages implements PageReader {
  readonly #partitions: NodePartitions;

  constructor(partitions: NodePartitions) {
    this.#partitions = partitions;
  }

  async page(url: CanonicalUrl): Promise<PageRecord | undefined> {
    return await this.#of(hostKeyOf(url))?.page(url);
  }

  async pages(urls: readonly CanonicalUrl[]): Promise<(PageRecord | undefined)[]> {
    return await Promise.all(urls.map((url) => this.page(url)));
  }

  async host(host: HostKey): Promise<HostRecord | undefined> {
    return await this.#of(host)?.host(host);
  }

  async robots(origin: Origin): Promise<RobotsRecord | undefined> {
    return await this.#of(hostKeyOf(`${origin}/` as CanonicalUrl))?.robots(origin);
  }

  /** Of pages that this node has. */
  async byDigest(digest: string): Promise<Original | undefined> {
    for (const { partition } of this.#partitions.mayHave(digest)) {
      const original = await partition.pages.byDigest(digest);
      if (original !== undefined) return original;
    }
    return undefined;
  }

  *digests(): Generator<string> {
    for (const { partition } of this.#partitions.all) yield* partition.pages.digests();
  }

  async totals(): Promise<CrawlTotals> {
    const all = await Promise.all(this.#partitions.all.map(({ partition }) => partition.pages.totals()));
    const sumOf = (countIn: (totals: CrawlTotals) => number): number =>
      all.reduce((sum, totals) => sum + countIn(totals), 0);
    const revisits = added(all.map((totals) => totals.revisits ?? {}));
    return {
      pages: sumOf(({ pages }) => pages),
      distinctDocuments: sumOf(({ distinctDocuments }) => distinctDocuments),
      nearDuplicates: sumOf(({ nearDuplicates }) => nearDuplicates),
      spam: sumOf(({ spam }) => spam),
      requests: sumOf(({ requests }) => requests),
      bytes: sumOf(({ bytes }) => bytes),
      outcomes: added(all.map(({ outcomes }) => outcomes)),
      refused: added(all.map(({ refused }) => refused)),
      failed: added(all.map(({ failed }) => failed)),
      ...(Object.keys(revisits).length === 0 ? {} : { revisits }),
    };
  }

  lastVisit(url: CanonicalUrl): LastVisit | undefined {
    return this.#of(hostKeyOf(url))?.lastVisit(url);
  }

  lastVisits(urls: readonly CanonicalUrl[]): ReadonlyMap<CanonicalUrl, LastVisit> {
    const groups = Map.groupBy(urls, (url) => this.#of(hostKeyOf(url)));
    return new Map([...groups].flatMap(([pages, some]) => [...(pages?.lastVisits(some) ?? [])]));
  }

  redirectOf(url: CanonicalUrl): CanonicalUrl | undefined {
    return this.#of(hostKeyOf(url))?.redirectOf(url);
  }

  holdsCopies(): boolean {
    return this.#partitions.all.some(({ partition }) => partition.pages.holdsCopies());
  }

  factsOf(urls: readonly CanonicalUrl[]): ReadonlyMap<CanonicalUrl, PageFacts> {
    const groups = Map.groupBy(urls, (url) => this.#of(hostKeyOf(url)));
    return new Map([...groups].flatMap(([pages, some]) => [...(pages?.factsOf(some) ?? [])]));
  }

  changesOf(url: CanonicalUrl): ChangeHistory | undefined {
    return this.#of(hostKeyOf(url))?.changesOf(url);
  }

  copyOf(url: CanonicalUrl): { readonly held: boolean; readonly noarchive: boolean } | undefined {
    return this.#of(hostKeyOf(url))?.copyOf(url);
  }

  #of(host: HostKey): PageReader | undefined {
    return this.#partitions.ofHost(host)?.partition.pages;
  }
}

function added(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
