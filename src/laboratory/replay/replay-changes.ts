import { BinaryHeap } from '../../base/binary-heap.ts';
import { seededRandom } from '../../base/seeded-random.ts';
import type { ChangeHistory, ChangeSignal, RevisitPlanner, RevisitPolicyName } from '../../contracts/revisit.ts';
import { NeighbourChanges } from '../../revisit/neighbour-changes.ts';
import { createRevisitPlanner } from '../../revisit/revisit-planner.ts';

/** When a page came to be and when it changed, ms, in rising order. */
export interface PageChangeRecord {
  readonly url: string;
  readonly created: number;
  readonly changes: readonly number[];
  /** How much its freshness counts, relative to a mean of 1. */
  readonly weight?: number;
}

export interface ReplayRequest {
  readonly pages: readonly PageChangeRecord[];
  /** The time replayed, ms. Pages that are older are taken in at `from`. */
  readonly from: number;
  readonly to: number;
  readonly policy: RevisitPolicyName;
  /** The budget, which grows with the pages that there are. */
  readonly visitsPerPageAndDay: number;
  /** True: rates are learnt from what the visits saw, beginning with nothing. False: the true mean rates are known. */
  readonly learn: boolean;
  /** Where rates are known: those of the whole record (the default), or at each visit those of the past alone. */
  readonly known?: 'all' | 'past';
  readonly seed: number;
  /** The server tells when a page was last changed. */
  readonly lastModified?: boolean;
  /** A feed that tells of a share of the changes after a delay, believed so far. */
  readonly signals?: { readonly delayMs: number; readonly share: number; readonly trust: number };
  /** What an earlier crawl has learnt, by URL: where estimates begin; with `learn`. */
  readonly priors?: ReadonlyMap<string, ChangeHistory>;
  /** False: what is found of pages is not taken for a hint of those beside them. */
  readonly neighbours?: boolean;
  readonly minIntervalMs?: number;
  readonly maxIntervalMs?: number;
}

export interface ReplayMeasures {
  /** Share of the pages' time in which the copy was as the page was. */
  readonly freshness: number;
  /** Mean time since the copy ceased to be as the page is, 0 while it is. */
  readonly ageDays: number;
  /** Visits to known pages; the first visit, which brings a page in, belongs to discovery and is free. */
  readonly visits: number;
  readonly visitsPerDay: number;
  /** The most visits in one day, and the budget on that day. */
  readonly busiestDay: { readonly visits: number; readonly budget: number };
  /** Visits that found a change. */
  readonly useful: number;
  readonly byDay: readonly {
    readonly day: number;
    readonly pages: number;
    readonly visits: number;
    readonly freshness: number;
  }[];
  /** What was learnt of each page in the end. */
  readonly histories: ReadonlyMap<string, ChangeHistory>;
}

const DAY = 86_400_000;

/** Replays the changes of pages in virtual time against a planner: the very one that a crawl uses. */
export function replayChanges(request: ReplayRequest): ReplayMeasures {
  return new ChangeReplay(request).run();
}

interface ReplayedPage {
  readonly record: PageChangeRecord;
  history: ChangeHistory | undefined;
  visitedAt: number;
  /** The first change that no visit has seen. */
  unseen: number;
  due: number;
}

interface Due {
  readonly at: number;
  readonly page: ReplayedPage;
  /** Not a visit, but the news of a change at this time. */
  readonly told?: number;
}

class ChangeReplay {
  readonly #request: ReplayRequest;
  readonly #planner: RevisitPlanner;
  readonly #queue = new BinaryHeap<Due>((a, b) => a.at < b.at);
  readonly #neighbours: NeighbourChanges | undefined;
  readonly #known = new Map<string, ReplayedPage>();
  readonly #random: () => number;
  readonly #meanRate: number;
  readonly #days: { visits: number; stale: number; lived: number }[];
  #pages = 0;
  #lived = 0;
  #stale = 0;
  #aged = 0;
  #visits = 0;
  #useful = 0;
  #lastVisit = Number.NEGATIVE_INFINITY;

  constructor(request: ReplayRequest) {
    this.#request = request;
    this.#random = seededRandom(request.seed);
    this.#planner = createRevisitPlanner({
      policy: request.policy,
      requestsPerPageAndDay: request.visitsPerPageAndDay,
      minIntervalMs: request.minIntervalMs ?? DAY / 96,
      maxIntervalMs: request.maxIntervalMs ?? 365 * DAY,
      random: this.#random,
      now: request.from,
    });
    this.#neighbours = request.learn && request.neighbours !== false ? new NeighbourChanges() : undefined;
    this.#meanRate = meanRateOf(request);
    const days = Math.max(1, Math.ceil((request.to - request.from) / DAY));
    this.#days = Array.from({ length: days }, () => ({ visits: 0, stale: 0, lived: 0 }));
  }

  run(): ReplayMeasures {
    const { from, to } = this.#request;
    const arrivals = this.#request.pages.filter((page) => page.created < to).toSorted((a, b) => a.created - b.created);
    let arrived = 0;
    for (;;) {
      const due = this.#queue.peek();
      const at = due === undefined ? to : due.told === undefined ? Math.max(due.at, this.#freeAt()) : due.at;
      const arrival = arrivals[arrived];
      if (arrival !== undefined && arrival.created <= at) {
        this.#known.set(arrival.url, this.#arrive(arrival, Math.max(from, arrival.created)));
        arrived++;
        continue;
      }
      if (due === undefined || at >= to) break;
      this.#queue.pop();
      if (due.told !== undefined) this.#told(due.page, at, due.told);
      // A page that was hurried has an older entry left in the queue.
      else if (due.page.due === due.at) this.#visit(due.page, at);
    }
    for (const page of this.#known.values()) this.#account(page, to);
    return this.#measures();
  }

  /** The budget is kept at every moment: visits are never closer together than it allows. */
  #freeAt(): number {
    return this.#lastVisit + DAY / (this.#request.visitsPerPageAndDay * Math.max(1, this.#pages));
  }

  #arrive(record: PageChangeRecord, at: number): ReplayedPage {
    const page: ReplayedPage = { record, history: undefined, visitedAt: at, unseen: 0, due: 0 };
    while (page.unseen < record.changes.length && record.changes[page.unseen] <= at) page.unseen++;
    this.#pages++;
    this.#plan(page, at, undefined);
    this.#neighbours?.visited({ url: record.url, at, changed: false });
    const { signals } = this.#request;
    for (const told of signals === undefined ? [] : record.changes.slice(page.unseen))
      if (this.#random() < signals!.share) this.#queue.push({ at: told + signals!.delayMs, page, told });
    return page;
  }

  #told(page: ReplayedPage, at: number, changedAt: number): void {
    this.#hurry(page, { from: 'feed', at, changedAt, trust: this.#request.signals?.trust ?? 0 });
  }

  #hurry(page: ReplayedPage, signal: ChangeSignal): void {
    const { history, due, record } = page;
    if (history === undefined) return;
    const next = this.#planner.hurry(history, { importance: record.weight ?? 1 }, due, signal);
    if (next.at === undefined || next.at >= due) return;
    page.due = next.at;
    this.#queue.push({ at: next.at, page });
  }

  #visit(page: ReplayedPage, at: number): void {
    this.#lastVisit = at;
    this.#visits++;
    this.#days[this.#dayOf(at)].visits++;
    const changed = this.#account(page, at);
    if (changed) this.#useful++;
    const before = page.history;
    page.visitedAt = at;
    this.#plan(page, at, changed);
    const hints = this.#neighbours?.visited({ url: page.record.url, at, before, changed }) ?? [];
    for (const { url, trust } of hints) {
      const neighbour = this.#known.get(url);
      if (neighbour !== undefined) this.#hurry(neighbour, { from: 'neighbour', at, trust });
    }
  }

  #plan(page: ReplayedPage, at: number, changed: boolean | undefined): void {
    const { learn, lastModified } = this.#request;
    const before = page.history;
    const modified = lastModified === true ? (page.record.changes[page.unseen - 1] ?? page.record.created) : undefined;
    const prior = before === undefined && learn ? this.#request.priors?.get(page.record.url) : undefined;
    if (prior !== undefined) page.history = this.#adopted(prior, page.record, at);
    else if (learn) page.history = this.#planner.observe(before, { at, changed, lastModified: modified });
    else page.history = this.#knownHistory(page, at);
    const next = this.#planner.next(page.history, { importance: page.record.weight ?? 1 }, before);
    page.due = next.at ?? Number.POSITIVE_INFINITY;
    if (page.due < this.#request.to) this.#queue.push({ at: page.due, page });
  }

  /** The first visit shows whether the page has changed since the last one of the earlier crawl. */
  #adopted(prior: ChangeHistory, { changes }: PageChangeRecord, at: number): ChangeHistory {
    const changed = changes.some((change) => change > prior.visitedAt && change <= at);
    return this.#planner.adopt(prior, { at, changed });
  }

  /** The true mean rate, as nobody could know it. */
  #knownHistory({ record, history }: ReplayedPage, at: number): ChangeHistory {
    const visits = (history?.visits ?? 0) + 1;
    if (this.#request.known === 'past') {
      return {
        since: at,
        visitedAt: at,
        visits,
        changes: 0,
        intervals: [],
        rate: this.#pastRate(record, at),
        evidence: visits,
      };
    }
    if (history !== undefined) return { ...history, visitedAt: at, visits };
    const days = (this.#request.to - record.created) / DAY;
    const rate = Math.max(1e-6, record.changes.filter((change) => change > record.created).length / Math.max(1, days));
    return { since: at, visitedAt: at, visits, changes: 0, intervals: [], rate, evidence: visits };
  }

  /** Of every change so far, seen or not; a page that is new is taken for one of many, which weighs half a change. */
  #pastRate({ created, changes }: PageChangeRecord, at: number): number {
    let past = 0;
    while (past < changes.length && changes[past] <= at) past++;
    return (past + 0.5) / ((at - created) / DAY + 0.5 / this.#meanRate);
  }

  /** Counts the time since the last visit; says whether the page had changed in it. */
  #account(page: ReplayedPage, at: number): boolean {
    const { changes, weight = 1 } = page.record;
    this.#lived += (at - page.visitedAt) * weight;
    this.#spread(page.visitedAt, at, 'lived');
    const first = changes[page.unseen];
    if (first === undefined || first > at) return false;
    const stale = at - first;
    this.#stale += stale * weight;
    this.#aged += ((stale * stale) / 2) * weight;
    this.#spread(first, at, 'stale');
    while (page.unseen < changes.length && changes[page.unseen] <= at) page.unseen++;
    return true;
  }

  #spread(from: number, to: number, what: 'lived' | 'stale'): void {
    for (let day = this.#dayOf(from), at = from; at < to; day++) {
      const end = Math.min(to, this.#request.from + (day + 1) * DAY);
      const into = this.#days[Math.min(day, this.#days.length - 1)];
      into[what] += end - at;
      at = end;
    }
  }

  #dayOf(at: number): number {
    return Math.min(this.#days.length - 1, Math.floor((at - this.#request.from) / DAY));
  }

  #measures(): ReplayMeasures {
    const perPage = this.#request.visitsPerPageAndDay;
    let busiest = { visits: 0, budget: 0 };
    const byDay = this.#days.map(({ visits, stale, lived }, day) => {
      const pages = lived / DAY;
      if (visits > busiest.visits) busiest = { visits, budget: perPage * pages };
      return { day, pages, visits, freshness: lived > 0 ? 1 - stale / lived : 1 };
    });
    return {
      freshness: this.#lived > 0 ? 1 - this.#stale / this.#lived : 1,
      ageDays: this.#lived > 0 ? this.#aged / this.#lived / DAY : 0,
      visits: this.#visits,
      visitsPerDay: this.#visits / ((this.#request.to - this.#request.from) / DAY),
      busiestDay: busiest,
      useful: this.#useful,
      byDay,
      histories: new Map(
        [...this.#known].flatMap(([url, { history }]) => (history === undefined ? [] : [[url, history] as const])),
      ),
    };
  }
}

/** Changes per day of all pages together. */
function meanRateOf({ pages, to }: ReplayRequest): number {
  let changes = 0;
  let days = 0;
  for (const page of pages) {
    changes += page.changes.length;
    days += Math.max(0, to - page.created) / DAY;
  }
  return Math.max(1e-6, changes / Math.max(1, days));
}
