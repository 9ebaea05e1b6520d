import type { CrawlTotals, HostRecord, PageRecord, PageStore } from '../../../src/contracts/page-store.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';
import type { ModelParts } from './model-frontier.ts';

/** The reading side, as far as the suite asks: the model keeps no copies and no contents. */
export class ModelPages implements PageStore {
  readonly #parts: ModelParts;

  constructor(parts: ModelParts) {
    this.#parts = parts;
  }

  pages(urls: readonly CanonicalUrl[]): Promise<(PageRecord | undefined)[]> {
    return Promise.all(urls.map((url) => this.page(url)));
  }

  async page(url: CanonicalUrl): Promise<PageRecord | undefined> {
    const { store, lease, options } = this.#parts;
    const rows = store.read(lease);
    const waiting = [...rows.waiting.values()].find(({ task }) => task.url === url && task.purpose === 'page');
    const page = rows.pages.get(url);
    const refusal = rows.refusals.get(url);
    const task = waiting?.task ?? refusal?.task ?? page?.task;
    if (task === undefined) return undefined;
    const refused =
      refusal === undefined ? undefined : ({ kind: 'refused', by: refusal.by, rule: refusal.rule } as const);
    const outcome = refused ?? page?.outcome;
    return {
      ...{ url, host: task.host, depth: task.depth, discovery: task.discovery, history: [] },
      discoveredAt: waiting?.foundAt ?? page?.foundAt ?? 0,
      state:
        waiting === undefined
          ? refusal === undefined
            ? 'done'
            : 'refused-link'
          : waiting.lease === undefined
            ? 'queued'
            : 'leased',
      tries: waiting?.tries ?? page?.tries ?? 0,
      ...(outcome === undefined ? {} : { outcome }),
      ...(waiting === undefined || options.movable !== true
        ? {}
        : { place: { lane: waiting.lane, ...(waiting.why === undefined ? {} : { why: waiting.why }) } }),
    };
  }

  async host(key: HostKey): Promise<HostRecord | undefined> {
    const rows = this.#parts.store.read(this.#parts.lease);
    const host = rows.hosts.get(key);
    if (host === undefined) return undefined;
    const { crawlDelayMs, parked, address, holdWhy, ...numbers } = host;
    return {
      ...{ host: key, dueAt: numbers.dueAt, holdUntil: numbers.holdUntil, pushbacks: numbers.pushbacks },
      ...{ lastFetchMs: numbers.lastFetchMs, pages: numbers.pages, bytes: numbers.bytes, fetchMs: numbers.spentMs },
      queued: [...rows.waiting.values()].filter(({ task }) => task.host === key).length,
      ...(holdWhy === '' ? {} : { holdWhy }),
      ...(crawlDelayMs === 0 ? {} : { crawlDelayMs }),
      ...(parked === '' ? {} : { parked }),
      ...(address === undefined ? {} : { address }),
    };
  }

  async robots(origin: string) {
    return this.#parts.store.read(this.#parts.lease).robots.get(origin);
  }

  async byDigest() {
    return undefined;
  }

  digests(): string[] {
    return [];
  }

  async totals(): Promise<CrawlTotals> {
    const { pages, refusals } = this.#parts.store.read(this.#parts.lease);
    const refused: Record<string, number> = {};
    for (const { by } of refusals.values()) refused[by] = (refused[by] ?? 0) + 1;
    const stored = [...pages.values()].filter(({ outcome }) => outcome.kind === 'stored').length;
    const none = { nearDuplicates: 0, spam: 0, requests: 0, bytes: 0, outcomes: {}, failed: {} };
    return { pages: stored, distinctDocuments: stored, refused, ...none };
  }
}
