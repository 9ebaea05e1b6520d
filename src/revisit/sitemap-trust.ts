import type { ChangeFrequency } from '../contracts/content/page.ts';
import type { ChangeHistory } from '../contracts/revisit.ts';
import { type Evidence, shareHeld, soundEvidence, weightOf, withObservation } from './trust-evidence.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;

/** What a sitemap says of one URL's changes. */
export interface SitemapAssertion {
  /** ms. */
  readonly lastModified?: number;
  readonly changeFrequency?: ChangeFrequency;
}

/** What is known of a page by visits; of its `ChangeHistory`. */
export type SeenPage = Pick<ChangeHistory, 'visitedAt' | 'visits' | 'rate'>;

export interface ChangeExpectation {
  /** That the page is another than at the last visit. */
  readonly probability: number;
  /** What lastmod says of it. 'nothing': it is missing, of the visit's own day, or not to be believed. */
  readonly said: 'changed' | 'unchanged' | 'nothing';
}

/** What is kept of a site. Plain data. */
export interface SitemapTrustRecord {
  /** Said changed, and was. */
  readonly changed: Evidence;
  /** Said unchanged, and was. */
  readonly unchanged: Evidence;
  /** Said to have changed by its rhythm, and had. */
  readonly changefreq: Evidence;
  /** Changed at all, whatever was said. */
  readonly any: Evidence;
}

/** Expected times between changes. 'always' is meant for pages that differ at each visit. */
const PERIODS: Readonly<Record<string, number>> = {
  always: 60_000,
  hourly: HOUR,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  yearly: 365 * DAY,
  never: 3650 * DAY,
};

/** Before anything is measured: most sites' lastmod is right more often than not; changefreq is mostly decoration. */
const PRIOR_CHANGED = 0.6;
const PRIOR_UNCHANGED = 0.85;
const PRIOR_CHANGEFREQ = 0.4;
const PRIOR_ANY = 0.3;
/** Looks at a page after which its own history counts as much as its changefreq. */
const OWN_LOOKS = 2;
const MOST_CHANCE = 0.95;

/**
 * How far one site's sitemaps can be believed, measured at visits: each compares what was said with what was found.
 * Everything fades, so that a site that mends its ways is believed again, and the other way round.
 */
export class SitemapTrust {
  #record: SitemapTrustRecord;

  /** A record that is not what it should be counts as far as it can be read. */
  constructor(record?: Partial<SitemapTrustRecord>) {
    this.#record = {
      changed: soundEvidence(record?.changed),
      unchanged: soundEvidence(record?.unchanged),
      changefreq: soundEvidence(record?.changefreq),
      any: soundEvidence(record?.any),
    };
  }

  /** How far a kind of assertion can be believed, 0 to 1; 0.5 is a coin's word. */
  trust(kind: 'lastmod' | 'changefreq'): number {
    const { changed, unchanged, changefreq } = this.#record;
    if (kind === 'changefreq') return shareHeld(changefreq, PRIOR_CHANGEFREQ);
    // Who is right only when nothing happened, or cries wolf each time, is of no use: both must hold.
    return Math.sqrt(shareHeld(changed, PRIOR_CHANGED) * shareHeld(unchanged, PRIOR_UNCHANGED));
  }

  /** What a visit at `at` would find, going by the site's assertions as far as they are to be believed. */
  expectsChange(entry: SitemapAssertion, lastVisit: number, at: number): ChangeExpectation {
    const said = whatLastmodSays(entry, lastVisit, at);
    const { changed, unchanged, any } = this.#record;
    if (said === 'changed') return { probability: shareHeld(changed, PRIOR_CHANGED), said };
    if (said === 'unchanged') return { probability: 1 - shareHeld(unchanged, PRIOR_UNCHANGED), said };
    const usual = shareHeld(any, PRIOR_ANY);
    const predicted = chanceOf(entry.changeFrequency, at - lastVisit);
    if (predicted === undefined) return { probability: usual, said };
    // Only what goes beyond guessing is weight.
    const weight = Math.max(0, 2 * this.trust('changefreq') - 1);
    return { probability: weight * predicted + (1 - weight) * usual, said };
  }

  /**
   * The chance that a page has changed by its changefreq, beside what its own history lets expect; 0 where that expects as much.
   * The more often a page was looked at, the less counts what its sitemap says.
   */
  changefreqChance(entry: SitemapAssertion, page: SeenPage, at: number): number {
    const elapsed = at - page.visitedAt;
    const predicted = chanceOf(entry.changeFrequency, elapsed) ?? 0;
    const expected = -Math.expm1((-page.rate * Math.max(0, elapsed)) / DAY);
    if (!(predicted > expected)) return 0;
    const weight = (Math.max(0, 2 * this.trust('changefreq') - 1) * OWN_LOOKS) / (OWN_LOOKS + page.visits - 1);
    return Math.min(MOST_CHANCE, (weight * (predicted - expected)) / (1 - expected));
  }

  /** A visit found out. `entry`: the assertion that was known before it. */
  observeVisit(entry: SitemapAssertion, lastVisit: number, at: number, changed: boolean): void {
    const record = this.#record;
    const said = whatLastmodSays(entry, lastVisit, at);
    const predicted = chanceOf(entry.changeFrequency, at - lastVisit);
    this.#record = {
      ...record,
      any: withObservation(record.any, changed, at),
      changed: said === 'changed' ? withObservation(record.changed, changed, at) : record.changed,
      unchanged: said === 'unchanged' ? withObservation(record.unchanged, !changed, at) : record.unchanged,
      // That nothing has changed is mostly true, whoever says it; and a prediction near one half is neither right nor wrong.
      changefreq:
        predicted === undefined || predicted <= 0.5
          ? record.changefreq
          : withObservation(record.changefreq, changed, at, 2 * predicted - 1),
    };
  }

  /** Visits and files that speak for or against a kind of assertion. */
  measured(kind: 'lastmod' | 'changefreq'): number {
    const { changed, unchanged } = this.#record;
    return kind === 'lastmod' ? weightOf(changed) + weightOf(unchanged) : weightOf(this.#record[kind]);
  }

  toJSON(): SitemapTrustRecord {
    return this.#record;
  }
}

/** The time that a value leaves open, ms. Midnight in GMT is what a date without a time becomes: a whole day. */
function lastmodSpan(lastModified: number): number {
  return lastModified % DAY === 0 ? DAY : 0;
}

/** A date in the future is no date. One that may lie before or after the visit says nothing of it. */
function whatLastmodSays({ lastModified }: SitemapAssertion, lastVisit: number, at: number): ChangeExpectation['said'] {
  if (lastModified === undefined || !Number.isFinite(lastModified) || lastModified > at + DAY) return 'nothing';
  if (lastModified > lastVisit) return 'changed';
  return lastModified + lastmodSpan(lastModified) <= lastVisit ? 'unchanged' : 'nothing';
}

/** That a page of this changefreq has changed within a time. */
function chanceOf(changefreq: string | undefined, elapsed: number): number | undefined {
  const period = Object.hasOwn(PERIODS, changefreq ?? '') ? PERIODS[changefreq ?? ''] : undefined;
  return period === undefined ? undefined : 1 - Math.exp(-Math.max(0, elapsed) / period);
}
