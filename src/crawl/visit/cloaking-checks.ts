import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { SpamSign } from '../../contracts/content/spam.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { estimateJaccard } from '../../dedupe/near/sketch.ts';
import { cloakingSign } from '../../rank/spam/cloaking.ts';
import type { HostSpam } from '../../rank/spam/host-spam.ts';

export interface CloakedPage {
  readonly url: CanonicalUrl;
  readonly sign: SpamSign;
}

/** Pages whose second look is awaited; those beyond are not drawn. */
const MOST_AWAITED = 2000;
const MOST_FOUND = 1000;

/** Asks for a sample of pages once more as a browser would, and compares. */
export class CloakingChecks {
  readonly #share: number;
  readonly #random: () => number;
  readonly #hosts: HostSpam;
  readonly #awaited = new Map<CanonicalUrl, ContentSketch>();
  #found: CloakedPage[] = [];

  constructor(share: number, random: () => number, hosts: HostSpam) {
    this.#share = share;
    this.#random = random;
    this.#hosts = hosts;
  }

  get found(): readonly CloakedPage[] {
    return this.#found;
  }

  /** The second look at a page, where the lot falls on it. */
  draw(task: CrawlTask, contentSketch: ContentSketch | undefined): CrawlTask | undefined {
    if (contentSketch === undefined || this.#awaited.size >= MOST_AWAITED || this.#random() >= this.#share)
      return undefined;
    this.#awaited.set(task.url, contentSketch);
    const { fingerprint: _, ...same } = task;
    return { ...same, purpose: 'recheck' };
  }

  compare({ url, host }: CrawlTask, browsers: ContentSketch | undefined): void {
    const ours = this.#awaited.get(url);
    this.#awaited.delete(url);
    if (ours === undefined || browsers === undefined) return;
    const sign = cloakingSign(ours, browsers, estimateJaccard);
    if (sign === undefined || this.#found.length >= MOST_FOUND) return;
    this.#found.push({ url, sign });
    this.#hosts.setOwnSign(host, 'cloaking', sign);
  }

  snapshot(): unknown {
    return this.#found;
  }

  restore(snapshot: unknown): void {
    if (Array.isArray(snapshot)) this.#found = snapshot;
  }
}
