import { fingerprint, toSigned } from '../../../base/fingerprint.ts';
import type { PageFacts } from '../../../contracts/content/page-facts.ts';
import type { RobotsRecord } from '../../../contracts/content/robots.ts';
import type { Original } from '../../../contracts/duplicate-index.ts';
import type { CrawlTotals, HostRecord, LastVisit, PageRecord } from '../../../contracts/page-store.ts';
import type { ChangeHistory } from '../../../contracts/revisit.ts';
import type { PageReader } from '../../../contracts/state/state-reader.ts';
import type { CanonicalUrl, HostKey, Origin } from '../../../contracts/url.ts';
import { partitionOf } from '../../../frontier/partition-of.ts';
import { hostKeyOf } from '../../../url/host-key.ts';
import { type StepRunner, type StepValue, storeError } from '../connection.ts';
import type { CrawlSpread } from '../crawl-spread.ts';
import { valuesOf } from '../load-partition.ts';
import { allPartitions } from '../postgres-partitions.ts';
import { findRows, STEPS, surveyRows } from '../statements.ts';
import { TABLES, type Table } from '../tables.ts';
import type { GatheredState } from './gathered-state.ts';

export interface StorePagesParts {
  readonly store: StepRunner;
  readonly spread: CrawlSpread;
  readonly gathered: GatheredState;
  /** Reads what was gathered. */
  readonly local: PageReader;
}

/** By what single rows are asked for. */
export const FINDS: readonly (readonly [table: string, ...by: string[]])[] = [
  ['page', 'fp'],
  ['place', 'fp'],
  ['host', 'key'],
  ['queue', 'host', 'url'],
  ['robots', 'origin'],
];
/** Of which it is not known where they lie. */
export const SURVEYED: readonly string[] = ['page', 'refusal'];

/** Pages of a crawl in a database: the rows of one URL are fetched when it is asked about, the others' are read where they were gathered. */
export class StorePages implements PageReader {
  readonly #parts: StorePagesParts;

  constructor(parts: StorePagesParts) {
    this.#parts = parts;
  }

  async page(url: CanonicalUrl): Promise<PageRecord | undefined> {
    const fp = toSigned(fingerprint(url));
    const host = await this.#bringHost(hostKeyOf(url));
    if (host !== undefined) {
      const { partition, id } = host;
      for (const name of ['page', 'place']) await this.#find(partition, name, fp);
      await this.#find(partition, 'queue', id, url);
    }
    await this.#survey('refusal', fp);
    // Where it was found is said by the fingerprint of that page.
    for (const via of this.#parts.gathered.foundOn(url)) await this.#survey('page', via);
    return await this.#parts.local.page(url);
  }

  async pages(urls: readonly CanonicalUrl[]): Promise<(PageRecord | undefined)[]> {
    const found: (PageRecord | undefined)[] = [];
    for (const url of urls) found.push(await this.page(url));
    return found;
  }

  async host(host: HostKey): Promise<HostRecord | undefined> {
    await this.#bringHost(host);
    return await this.#parts.local.host(host);
  }

  async robots(origin: Origin): Promise<RobotsRecord | undefined> {
    await this.#find(this.#partitionOf(hostKeyOf(`${origin}/` as CanonicalUrl)), 'robots', origin);
    return await this.#parts.local.robots(origin);
  }

  async byDigest(digest: string): Promise<Original | undefined> {
    return await this.#parts.local.byDigest(digest);
  }

  digests(): Iterable<string> {
    return this.#parts.local.digests();
  }

  async totals(): Promise<CrawlTotals> {
    return await this.#parts.local.totals();
  }

  lastVisit(url: CanonicalUrl): LastVisit | undefined {
    return this.#parts.local.lastVisit(url);
  }

  lastVisits(urls: readonly CanonicalUrl[]): ReadonlyMap<CanonicalUrl, LastVisit> {
    return this.#parts.local.lastVisits(urls);
  }

  redirectOf(url: CanonicalUrl): CanonicalUrl | undefined {
    return this.#parts.local.redirectOf(url);
  }

  holdsCopies(): boolean {
    return this.#parts.local.holdsCopies();
  }

  factsOf(urls: readonly CanonicalUrl[]): ReadonlyMap<CanonicalUrl, PageFacts> {
    return this.#parts.local.factsOf(urls);
  }

  changesOf(url: CanonicalUrl): ChangeHistory | undefined {
    return this.#parts.local.changesOf(url);
  }

  copyOf(url: CanonicalUrl): { readonly held: boolean; readonly noarchive: boolean } | undefined {
    return this.#parts.local.copyOf(url);
  }

  #partitionOf(host: HostKey): number {
    return partitionOf(host, this.#parts.spread);
  }

  /** With the length of its queue. Its number is that of its partition. */
  async #bringHost(host: HostKey): Promise<{ readonly partition: number; readonly id: number } | undefined> {
    const partition = this.#partitionOf(host);
    const [row] = await this.#find(partition, 'host', host);
    if (row === undefined) return undefined;
    const id = Number(row.id);
    const [[{ length }]] = await this.#run([[STEPS.queueLength, partition, id]]);
    this.#parts.gathered.setQueueLength(partition, id, Number(length));
    return { partition, id };
  }

  async #find(partition: number, name: string, ...values: readonly StepValue[]) {
    const table = tableOf(name);
    const [, ...by] = FINDS.find(([of]) => of === name) ?? [name];
    const [rows] = await this.#run([[findRows(table, by), partition, ...values]]);
    this.#parts.gathered.fill(partition, table, valuesOf(table, rows));
    return rows;
  }

  async #survey(name: string, fp: bigint): Promise<void> {
    const table = tableOf(name);
    const [rows] = await this.#run([[surveyRows(table), allPartitions(this.#parts.spread.count), fp]]);
    for (const row of rows) this.#parts.gathered.fill(Number(row.part), table, valuesOf(table, [row]));
  }

  async #run(steps: Parameters<StepRunner['run']>[0]) {
    try {
      return await this.#parts.store.run(steps);
    } catch (error) {
      throw storeError(error);
    }
  }
}

function tableOf(wanted: string): Table {
  return TABLES.find(({ name }) => name === wanted) as Table;
}
