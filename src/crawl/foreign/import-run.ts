import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { ForeignCapturesWriter } from '../../contracts/foreign-capture.ts';
import type { ChangeHistory } from '../../contracts/revisit.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { RunRecord } from '../report/run-record.ts';
import type { EndedVisit, RevisitRule, VisitPlan } from '../revisits/revisit-rule.ts';
import { NOT_IN_ARCHIVE } from './archive-fetcher.ts';

const MORE = 'the archive holds a later capture of it';

/** A crawl whose URLs are the captures of foreign archives: each is visited as often as it was captured, oldest first. */
export class ImportRun {
  readonly #captures: ForeignCapturesWriter;
  readonly #clock: Clock;

  constructor(captures: ForeignCapturesWriter, clock: Clock) {
    this.#captures = captures;
    this.#clock = clock;
  }

  /** Every URL of the archives is known before the first is visited: a link to any other leads out of them. */
  readonly filter: UrlFilter = { judge: () => ({ admit: false, by: 'archive', rule: NOT_IN_ARCHIVE }) };

  /** Takes in all URLs; those that are known and have been captured again since are visited again. */
  async queue(state: OwnedPartition, order: CrawlOrder): Promise<void> {
    for (const urls of this.#captures.urls()) {
      const pages = urls.filter((url) => new URL(url).pathname !== '/robots.txt');
      await state.frontier.add(pages.map((url) => taskOf(url, order)));
    }
    const at = this.#clock.now();
    await state.planVisits(({ url, changes }) => {
      const isMore = changes !== undefined && this.#captures.next(url, changes.visitedAt) !== undefined;
      return isMore ? { at, why: MORE } : undefined;
    });
  }

  /** The rule with the time of the capture as that of the visit. What is remembered of a page tells which capture comes next. */
  rule(plain: RevisitRule): RevisitRule {
    return { after: (visit) => this.#after(visit, plain) };
  }

  #after(visit: EndedVisit, plain: RevisitRule): VisitPlan {
    const { url, purpose } = visit.claim.task;
    const before = visit.claim.earlier?.history;
    const capture = purpose === 'page' ? this.#captures.next(url, before?.visitedAt ?? -1) : undefined;
    if (capture === undefined) return {};
    const { date } = capture;
    const { change, history = before ?? firstHistory(date) } = plain.after({ ...visit, now: date });
    const isMore = this.#captures.next(url, date) !== undefined;
    return {
      at: date,
      history: { ...history, visitedAt: date },
      ...(change === undefined ? {} : { change }),
      ...(isMore ? { nextVisit: visit.now, planned: true, nextVisitLane: 0, nextVisitWhy: MORE } : {}),
    };
  }
}

/** Captures that are older than what a page has would have to come before it: the folder of a crawl cannot take them. */
export function refuseImportInto(before: RunRecord | undefined, folder: string): void {
  if (before === undefined || before.imported === true) return;
  throw new OrbweaverError(
    'USAGE',
    `${folder} holds a crawl that has asked the web, or a re-run: nothing is imported into it.`,
    {
      remedy: 'Name another folder with --dir; a search can be asked of several folders.',
    },
  );
}

/** Of a page of which nothing came yet. */
function firstHistory(at: number): ChangeHistory {
  return { since: at, visitedAt: at, visits: 1, changes: 0, intervals: [], rate: 0, evidence: 0 };
}

function taskOf(url: CanonicalUrl, order: CrawlOrder): CrawlTask {
  const discovery = { how: 'archive' as const };
  const task = { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0, discovery, purpose: 'page' as const };
  const { lane, why } = order.place(task);
  return { ...task, lane, ...(why === undefined ? {} : { why }) };
}
