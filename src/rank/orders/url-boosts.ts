import { OrbweaverError } from '../../base/errors.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

export interface UrlBoost {
  readonly pattern: { readonly text: string; readonly matches: (url: CanonicalUrl) => boolean };
  /** In doublings: 1 counts like twice as many links; below 0 it comes later. */
  readonly boost: number;
}

const LARGEST = 100;

/** Patterns of URLs and what each adds; of several that match, all count. */
export class UrlBoosts {
  readonly #boosts: readonly UrlBoost[];

  constructor(boosts: readonly UrlBoost[]) {
    for (const { pattern, boost } of boosts) {
      if (Number.isFinite(boost) && Math.abs(boost) <= LARGEST) continue;
      throw new OrbweaverError('SETTING_INVALID', `The boost ${boost} for '${pattern.text}' cannot be used.`, {
        remedy: `Give a number from -${LARGEST} to ${LARGEST}.`,
      });
    }
    this.#boosts = boosts;
  }

  get any(): boolean {
    return this.#boosts.length > 0;
  }

  of(url: CanonicalUrl): number {
    let sum = 0;
    for (const { pattern, boost } of this.#boosts) if (pattern.matches(url)) sum += boost;
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
