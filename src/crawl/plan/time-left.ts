import { systemClock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { CrawlProgress } from '../../contracts/events.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { PolitenessPolicy } from '../../contracts/state/frontier-options.ts';
import { CrawlReader } from '../report/crawl-reader.ts';
import { frontierOptionsOf } from '../settings-to-parts.ts';
import { estimateRemaining } from './crawl-estimate.ts';
import { crawlSoFar } from './crawl-so-far.ts';
import { FrontierGrowth } from './frontier-growth.ts';

/** Asking for hosts takes a while; only in the beginning do they change fast. */
const ASK_EVERY_MS = 5000;
const ASK_OFTEN_MS = 1000;
const BEGINNING_MS = 20_000;
const HOSTS = 50;

/** How long a crawl will go on, by the model of `plan`. */
export class TimeLeft implements Disposable {
  readonly #reader: CrawlReader;
  readonly #settings: Settings;
  readonly #politeness: PolitenessPolicy;
  readonly #growth = new FrontierGrowth();
  /** Pages of earlier runs. */
  #before: number | undefined;
  #hosts: readonly HostRecord[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, settings: Settings) {
    this.#reader = new CrawlReader(folder);
    this.#settings = settings;
    this.#politeness = frontierOptionsOf(settings, systemClock.now()).politeness;
  }

  /** In ms; undefined before anything can be said. */
  async of(progress: CrawlProgress): Promise<number | undefined> {
    const { maxPages, maxDuration, concurrency } = this.#settings;
    const now = systemClock.now();
    const every = progress.elapsedMs < BEGINNING_MS ? ASK_OFTEN_MS : ASK_EVERY_MS;
    if (now - this.#askedAt >= every) {
      this.#askedAt = now;
      this.#hosts = this.#reader.hosts(HOSTS);
      this.#before ??= (await this.#reader.status(0)).totals.pages - progress.pages;
    }
    const pagesLeft = maxPages - (this.#before ?? 0) - progress.pages;
    const soFar = crawlSoFar({
      ...{ progress, hosts: this.#hosts, politeness: this.#politeness, growth: this.#growth, now },
      ...{ pagesLeft: Math.max(0, pagesLeft), concurrency },
    });
    if (soFar === undefined) return undefined;
    return Math.min(estimateRemaining(soFar).ms.likely, maxDuration - progress.elapsedMs);
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }
}
