import { OrbweaverError } from '../../base/errors.ts';
import type { Link } from '../../contracts/content/page.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

export interface UrlBoost {
  readonly pattern: { readonly text: string; readonly matches: (url: CanonicalUrl) => boolean };
  /** In doublings: 1 counts like twice as many links; below 0 it comes later. */
  readonly boost: number;
}

/** Of one URL, in doublings. */
export type UrlEvidence = (task: CrawlTask, link?: Link) => number;

const LARGEST = 100;

/** Patterns of URLs and what each adds, and what plug-ins add; of several that match, all count. */
export class UrlBoosts {
  readonly #boosts: readonly UrlBoost[];
  readonly #evidence: UrlEvidence | undefined;

  constructor(boosts: readonly UrlBoost[], evidence?: UrlEvidence) {
    for (const { pattern, boost } of boosts) {
      if (Number.isFinite(boost) && Math.abs(boost) <= LARGEST) continue;
      throw new OrbweaverError('SETTING_INVALID', `The boost ${boost} for '${pattern.text}' cannot be used.`, {
        remedy: `Give a number from -${LARGEST} to ${LARGEST}.`,
      });
    }
    this.#boosts = boosts;
    this.#evidence = evidence;
  }

  get any(): boolean {
    return this.#boosts.length > 0 || this.#evidence !== undefined;
  }

  of(task: CrawlTask, link?: Link): number {
    let sum = this.#evidence?.(task, link) ?? 0;
    for (const { pattern, boost } of this.#boosts) if (pattern.matches(task.url)) sum += boost;
    return sum;
  }
}

/** As the reasons of a place tell it. */
export function sayBoost(boost: number): string | undefined {
  return boost === 0 ? undefined : `boost ${boost > 0 ? '+' : ''}${Math.round(100 * boost) / 100}`;
}

/** Whether a boost is among the reasons of a place. */
export function boostOf(why: string | undefined): boolean {
  return why !== undefined && /(^|, )boost [+-]?\d/.test(why);
}
