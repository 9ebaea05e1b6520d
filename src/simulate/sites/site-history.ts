import { ChangeProcess } from '../model/change-process.ts';
import { hash32, pick, unit } from '../model/seeded-hash.ts';
import type { SitesHistory, SitesSpec } from './sites-spec.ts';

const PURPOSE = { fate: 321, moment: 322, change: 323, outage: 324 } as const;
const DAY = 86_400_000;
/** How often a page that changes does so in the whole span. */
const CHANGES = 3;

export interface PageFate {
  readonly kind: 'stays' | 'moves' | 'vanishes';
  /** ms since the epoch. */
  readonly at: number;
}

export interface Outage {
  readonly from: number;
  readonly to: number;
  /** Whether the server says how long to wait. */
  readonly retryAfter: boolean;
}

const STAYS: PageFate = { kind: 'stays', at: Number.POSITIVE_INFINITY };

/** What happens to pages and hosts in the course of time. */
export class SiteHistory {
  readonly #seed: number;
  readonly #history: SitesHistory | undefined;
  readonly #changes: ChangeProcess;

  constructor({ seed, history }: SitesSpec) {
    this.#seed = seed;
    this.#history = history;
    this.#changes = new ChangeProcess(seed, history?.begins ?? 0);
  }

  /** Of a page that no other page depends on: another one stays. */
  fate(page: number): PageFate {
    if (this.#history === undefined) return STAYS;
    const { moving, vanishing } = this.#history;
    const drawn = unit(hash32(this.#seed, page, 0, PURPOSE.fate));
    if (drawn >= moving + vanishing) return STAYS;
    return { kind: drawn < moving ? 'moves' : 'vanishes', at: this.#moment(page, PURPOSE.moment) };
  }

  versionAt(page: number, now: number): number {
    const rate = this.#rate(page);
    return rate === 0 ? 0 : this.#changes.versionAt(page, rate, now);
  }

  /** When a version appeared. */
  changedAt(page: number, version: number): number {
    return this.#changes.changedAt(page, this.#rate(page), version);
  }

  /** The time in which a host answers 503; undefined where there is none. */
  outage(host: number): Outage | undefined {
    if (this.#history === undefined) return undefined;
    const drawn = hash32(this.#seed, host, 1, PURPOSE.outage);
    if (unit(drawn) >= this.#history.outageShare) return undefined;
    const from = this.#moment(host, PURPOSE.outage);
    return { from, to: from + this.#history.outageMs, retryAfter: drawn % 2 === 0 };
  }

  #rate(page: number): number {
    if (this.#history === undefined) return 0;
    const { changing, spanMs } = this.#history;
    const changes = unit(hash32(this.#seed, page, 1, PURPOSE.change)) < changing;
    return changes ? (CHANGES * DAY) / spanMs : 0;
  }

  /** In the middle eight tenths of the span. */
  #moment(number: number, purpose: number): number {
    const { begins, spanMs } = this.#history as SitesHistory;
    return begins + spanMs * (0.1 + pick(hash32(this.#seed, number, 2, purpose), 800) / 1000);
  }
}
